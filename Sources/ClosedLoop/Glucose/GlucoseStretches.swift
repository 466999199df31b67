public import Quantities

/// Readings of glucose that have something in common, in stretches.
public struct GlucoseStretches: Hashable, Sendable {
  /// Readings one after another.
  public struct Stretch: Hashable, Sendable {
    /// When the first was measured.
    public var start: Instant
    /// When the last was measured.
    public var end: Instant
    /// How many there are.
    public var count: Int
  }

  /// The stretches, in the order in which they came.
  public private(set) var all: [Stretch] = []

  /// Readings further apart than this are in different stretches.
  private static let gap = TimeSpan.minutes(30)

  /// Creates what holds no readings.
  public init() {}

  /// Adds a reading.
  public mutating func add(_ instant: Instant) {
    guard let last = all.last, instant >= last.start - Self.gap, instant <= last.end + Self.gap
    else {
      all.append(Stretch(start: instant, end: instant, count: 1))
      return
    }
    let stretch = Stretch(
      start: min(last.start, instant), end: max(last.end, instant), count: last.count + 1)
    all[all.count - 1] = stretch
  }
}
