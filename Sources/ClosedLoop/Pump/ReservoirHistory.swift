public import Quantities
internal import WorkCounting

/// What the pump said of its reservoir in the last day, and the insulin that follows from it.
///
/// A pump that is read often tells by the level of its reservoir what it delivered, whatever asked
/// for it. The rules are those of LoopKit (`ReservoirValue.swift`, `InsulinMath.swift`,
/// `DoseStore.swift`).
public struct ReservoirHistory: Sendable, Equatable {
  /// What the reservoir held at an instant.
  public struct Value: Sendable, Hashable {
    /// When the pump said it.
    public var date: Instant
    /// What it held.
    public var amount: InsulinAmount

    /// Creates a `Value` from its parts; see the properties.
    public init(_ amount: InsulinAmount, at date: Instant) {
      self.date = date
      self.amount = amount
    }
  }

  /// How long values are kept.
  public static let retention = TimeSpan.days(1)
  /// The most time between two values that still follow from one another.
  public static let longestGap = TimeSpan.minutes(30)
  /// The rise up to which a value is only given more exactly than the last: more is a refill.
  public static let largestRise = InsulinAmount(milliunits: 1_000)
  /// The most that a pump delivers in a minute; a level that falls faster was no delivery.
  static let fastestFall = InsulinAmount(milliunits: 6_500)

  /// The values that are kept, earliest first.
  public private(set) var values: [Value] = []

  /// Creates a history of nothing.
  public init() {}

  /// Takes in a value.
  ///
  /// One that is older than the last, or says something else of the same instant, shows that the
  /// others cannot be trusted: they are forgotten.
  public mutating func add(_ value: Value) {
    if let last = values.last {
      if last == value { return }
      if last.date >= value.date { values.removeAll() }
    }
    assert(
      values.last.map { $0.date < value.date } ?? true, "Volumes are kept in the order of time.")
    values.append(value)
    let limit = value.date - Self.retention
    if let first = values.first, first.date < limit {
      values.removeAll { $0.date < limit }
    }
  }

  /// Whether the values tell of all insulin from an instant to the last value.
  ///
  /// One of them is as old as the instant, none is more than half an hour after the one before,
  /// none is zero, and none is more than a unit above the one before.
  public func isContinuous(from start: Instant) -> Bool {
    guard let first = values.lastIndex(where: { $0.date <= start }) else { return false }
    return zip(values[first...], values[first...].dropFirst()).allSatisfy { last, next in
      next.date - last.date <= Self.longestGap && next.amount > .zero
        && next.amount <= last.amount + Self.largestRise
    } && values[first].amount > .zero
  }

  /// The insulin that left the reservoir between each two values from an instant on.
  ///
  /// Each stretch is a temp basal with the volume of the drop, delivered evenly; a rise, and a drop
  /// too fast for a pump, stand for no insulin.
  public func doses(from start: Instant) -> [DoseEntry] {
    var doses: [DoseEntry] = []
    visitDrops(from: start) { doses.append($0.dose) }
    return doses
  }

  /// Insulin that left the reservoir from one value to the next.
  struct Drop {
    /// When the level was told before it fell.
    var start: Instant
    /// When the lower level was told.
    var end: Instant
    /// By how much it fell.
    var amount: InsulinAmount

    /// The drop as a dose.
    var dose: DoseEntry {
      DoseEntry(
        .tempBasal, from: start, to: end, .units(amount.units), deliveredUnits: amount.units)
    }
  }

  /// Visits the drops of ``doses(from:)`` in the order of time.
  func visitDrops(from start: Instant, _ visit: (Drop) -> Void) {
    let first = values.partitioningIndex { $0.date > start }
    Work.visit(rows: values.count - first)
    for index in max(1, first)..<max(1, values.count) {
      if let drop = drop(to: index) { visit(drop) }
    }
  }

  /// The first of the drops that ``visitDrops(from:_:)`` visits; `nil` if there is none.
  func firstDrop(from start: Instant) -> Drop? {
    let first = values.partitioningIndex { $0.date > start }
    return (max(1, first)..<max(1, values.count)).lazy.compactMap { drop(to: $0) }.first
  }

  /// What left the reservoir before a value that is not the first; `nil` if the level rose, or
  /// fell too fast for a pump.
  private func drop(to index: Int) -> Drop? {
    let (last, next) = (values[index - 1], values[index])
    let drop = last.amount - next.amount
    let most = Double(Self.fastestFall.milliunits) * (next.date - last.date).minutes
    guard drop >= .zero, Double(drop.milliunits) <= most else { return nil }
    assert(last.date < next.date, "A volume falls over some time.")
    return Drop(start: last.date, end: next.date, amount: drop)
  }
}
