public import Quantities

/// Over which time a list of doses reaches and acts.
///
/// It can be carried on with a list: a dose is added to it at the price of that dose alone.
public struct DoseExtent: Hashable, Sendable {
  // In milliseconds since 1970.
  private var start = Int64.max
  /// The latest start or end.
  private var latest = Int64.min
  private var basalEnd = Int64.min
  /// The latest ends of insulins that act for 5 and for 6 hours.
  private var shortEnd = Int64.min
  private var longEnd = Int64.min

  /// The extent of no doses.
  public init() {}

  /// The extent of doses.
  public init(_ doses: [AlgorithmInput.InsulinDose]) {
    let span = doses.span
    for index in span.indices { add(span[index]) }
  }

  /// Takes in a dose.
  @inline(__always)
  public mutating func add(_ dose: AlgorithmInput.InsulinDose) {
    let end = dose.endDate.millisecondsSince1970
    start = min(start, dose.startDate.millisecondsSince1970)
    latest = max(latest, dose.startDate.millisecondsSince1970, end)
    if dose.insulinModel.actsForFiveHours {
      shortEnd = max(shortEnd, end)
    } else {
      longEnd = max(longEnd, end)
    }
    if dose.type == .basal { basalEnd = max(basalEnd, end) }
  }

  /// Leaves out the first doses of a list whose extent this is and that is in the order of starts.
  public mutating func removeFirst(_ count: Int, of doses: [AlgorithmInput.InsulinDose]) {
    assert(self == Self(doses), "The extent is that of the doses.")
    guard count > 0 else { return }
    guard count < doses.count, !doses[..<count].contains(where: isBound) else {
      return self = Self(Array(doses[count...]))
    }
    start = doses[count].startDate.millisecondsSince1970
    assert(self == Self(Array(doses[count...])), "The extent is that of the doses that stay.")
  }

  /// Whether something ends with a dose of the extent.
  private func isBound(by dose: AlgorithmInput.InsulinDose) -> Bool {
    let end = dose.endDate.millisecondsSince1970
    return max(dose.startDate.millisecondsSince1970, end) >= latest
      || end >= (dose.insulinModel.actsForFiveHours ? shortEnd : longEnd)
      || (dose.type == .basal && end >= basalEnd)
  }

  /// Whether there are no doses.
  public var isEmpty: Bool { latest == .min }

  /// When the first dose starts; `nil` if there is none.
  public var earliestStart: Instant? { isEmpty ? nil : Instant(millisecondsSince1970: start) }

  /// The latest time at which a dose starts or ends; `nil` if there is none.
  public var latestTime: Instant? { isEmpty ? nil : Instant(millisecondsSince1970: latest) }

  /// When the last dose ends; `nil` if there is none.
  public var latestEnd: Instant? {
    isEmpty ? nil : Instant(millisecondsSince1970: max(shortEnd, longEnd))
  }

  /// When the last basal dose ends; `nil` if there is none.
  public var latestBasalEnd: Instant? {
    basalEnd == .min ? nil : Instant(millisecondsSince1970: basalEnd)
  }

  /// When nothing of any dose acts any more; `nil` if there is none.
  public var effectEnd: Instant? {
    guard !isEmpty else { return nil }
    return Instant(
      millisecondsSince1970: max(
        Self.later(shortEnd, by: .afrezza), Self.later(longEnd, by: .rapidActingAdult)))
  }

  /// When an insulin that was given at a time acts no more; nobody can tell the difference beyond
  /// the limits of an evaluation.
  private static func later(_ time: Int64, by model: InsulinModel) -> Int64 {
    let span = Int64(model.effectDuration) * 1_000
    return time > .max - span ? time : time &+ span
  }
}
