public import Quantities

/// What the values of a scenario are read against: its unit of glucose, and its clock.
public struct ReadingContext: Sendable {
  /// The longest run, and the longest pre-roll before it.
  public static let longestRun = TimeSpan.days(3_660)

  /// The unit of every glucose value of the file.
  public var glucoseUnit: GlucoseUnit
  /// The file that states the unit, which may be another than that of a value; `nil` where none
  /// does.
  var fileOfUnit: String?
  /// The clock on the wall of the scenario.
  public var wallClock: WallClock
  /// The name of the time zone, as the file writes it.
  public var timeZone: String
  /// The instant at which the run starts to be looked at.
  public var start: Instant
  /// How long the run is looked at.
  public var duration: TimeSpan
  /// How long the run lives before its start.
  public var preRoll: TimeSpan
  /// The instant from which times of day are looked for and spans count.
  public var anchor: Instant

  /// The instant at which the run ends.
  public var end: Instant { start + duration }

  /// The day number of the run's first day, which is day 0 of the format.
  package var firstDay: Int64 { wallClock.civilTime(at: start).dayNumber }

  /// The same with another instant from which times count.
  public func anchored(at instant: Instant) -> Self {
    var copy = self
    copy.anchor = instant
    return copy
  }

  /// What the format's own defaults are read against, which name no time.
  package static let plain = Self(
    glucoseUnit: .milligramsPerDecilitre, wallClock: .utc, timeZone: "UTC",
    start: Instant(secondsSince1970: 0), duration: .days(1), preRoll: .zero,
    anchor: Instant(secondsSince1970: 0))

  /// Creates a `ReadingContext` from its parts; see the properties.
  package init(
    glucoseUnit: GlucoseUnit, statedIn fileOfUnit: String? = nil, wallClock: WallClock,
    timeZone: String, start: Instant, duration: TimeSpan, preRoll: TimeSpan, anchor: Instant
  ) {
    self.glucoseUnit = glucoseUnit
    self.fileOfUnit = fileOfUnit
    self.wallClock = wallClock
    self.timeZone = timeZone
    self.start = start
    self.duration = duration
    self.preRoll = preRoll
    self.anchor = anchor
  }
}
