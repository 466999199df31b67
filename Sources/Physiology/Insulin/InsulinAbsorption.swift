public import Quantities

/// How an insulin gets from where it is given into blood.
public enum InsulinAbsorption: Hashable, Sendable {
  /// From under the skin, as every model's own parameters describe it: lispro, aspart, glulisine.
  case rapid
  /// From under the skin, faster: a part of the dose starts in the second compartment.
  case ultraRapid
  /// Released by a depot under the skin first, and then absorbed like rapid-acting insulin.
  case depot(InsulinRelease)
  /// From the lungs straight into blood.
  case inhaled

  /// The share of a dose that starts in the second compartment under the skin.
  ///
  /// This is how ultra-rapid insulin is faster in the compartment models; the share is this
  /// package's choice and brings the peak of plasma insulin forward by about a quarter.
  var quickShare: Double { self == .ultraRapid ? 0.35 : 0 }

  /// How much faster than rapid-acting insulin a dose acts in a model of curves alone: the ratio of
  /// the times to the peak, 75 min to 55 min of ultra-rapid and 29 min of inhaled insulin.
  var speed: Double {
    switch self {
    case .rapid, .depot: 1
    case .ultraRapid: 75.0 / 55
    case .inhaled: 75.0 / 29
    }
  }
}

/// A rate of release that rises from the onset to the start of a plateau, stays, and falls to
/// nothing at the end; everything is released in the end.
public struct InsulinRelease: Hashable, Sendable {
  /// The corners, in minutes after the injection.
  let onset: Double
  let plateauStart: Double
  let plateauEnd: Double
  let end: Double

  /// Creates a release from its corners, in minutes after the injection, in ascending order.
  public init(onset: Double, plateauStart: Double, plateauEnd: Double, end: Double) {
    assert(
      onset <= plateauStart && plateauStart <= plateauEnd && plateauEnd < end,
      "A release rises, holds and falls.")
    self.onset = onset
    self.plateauStart = plateauStart
    self.plateauEnd = plateauEnd
    self.end = end
  }

  /// The corners as spans after the injection: onset, start and end of the plateau, end.
  public var corners: [TimeSpan] {
    [onset, plateauStart, plateauEnd, end].map { .milliseconds(Int64(($0 * 60_000).rounded())) }
  }

  /// The share released after so many minutes.
  func share(after minutes: Double) -> Double {
    assert(onset < end, "A release takes some time.")
    let height = 2 / ((plateauEnd - plateauStart) + (end - onset))
    if minutes <= onset { return 0 }
    if minutes >= end { return 1 }
    if minutes < plateauStart {
      let risen = minutes - onset
      return height * risen * risen / (2 * (plateauStart - onset))
    }
    if minutes <= plateauEnd {
      return height * ((plateauStart - onset) / 2 + (minutes - plateauStart))
    }
    let left = end - minutes
    return 1 - height * left * left / (2 * (end - plateauEnd))
  }
}

extension InsulinFormulation {
  /// How the insulin gets into blood.
  public var absorption: InsulinAbsorption {
    if let release { return .depot(release) }
    return switch kind {
    case .inhaled: .inhaled
    case .ultraRapid: .ultraRapid
    case .rapid, .regular, .intermediate, .longActing: .rapid
    }
  }
}
