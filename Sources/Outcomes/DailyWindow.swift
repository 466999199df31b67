public import Quantities

/// A part of every local day, from one time of day to before another; it may pass midnight.
public struct DailyWindow: Hashable, Sendable {
  /// The time of day at which it begins.
  public var start: TimeOfDay
  /// The time of day before which it ends.
  public var end: TimeOfDay

  /// Creates a `DailyWindow` from its parts; see the properties.
  public init(from start: TimeOfDay, to end: TimeOfDay) {
    self.start = start
    self.end = end
  }

  /// Whether a time of day lies within.
  public func contains(_ time: TimeOfDay) -> Bool {
    start < end ? start <= time && time < end : time >= start || time < end
  }
}

extension GlucoseSeries {
  /// The points whose local time lies in a part of the day, as a series of their own.
  public func within(_ window: DailyWindow) -> Self {
    filtered { window.contains(clock.timeOfDay(at: $0.instant)) }
  }
}
