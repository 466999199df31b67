public import Quantities
public import StructuredText
internal import TimeZones

/// What the values of a scenario are read against: its unit of glucose, and its clock.
public struct ReadingContext: Sendable {
  /// The longest run, pre-roll included.
  public static let longestRun = TimeSpan.days(3_660)

  /// The unit of every glucose value of the file.
  public var glucoseUnit: GlucoseUnit
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

  /// The same with another instant from which times count.
  public func anchored(at instant: Instant) -> Self {
    var copy = self
    copy.anchor = instant
    return copy
  }

  /// Reads the unit and the clock of a scenario, and reports what is wrong with them.
  ///
  /// What cannot be read is taken as its default, so that the rest can be checked too.
  public init(of tree: JSONNode, problems: ProblemList) {
    let root = Field(tree, in: .plain, problems: problems)
    glucoseUnit = root["glucoseUnit"].choice(GlucoseUnit.self) ?? .milligramsPerDecilitre
    let clock = ClockBlock(of: root)
    (duration, preRoll, timeZone) = (clock.duration, clock.preRoll, clock.timeZone)
    let rough = clock.start.resolved(
      from: Self.plain.start, start: Self.plain.start, on: .utc
    ).instant
    let found = ZoneDatabase.wallClock(
      named: timeZone, from: rough - preRoll - .days(400), to: rough + duration + .days(400))
    if found == nil {
      root["clock"]["timeZone"].error(ZoneDatabase.sentence(onUnknown: timeZone))
    }
    wallClock = found ?? .utc
    let resolution = clock.start.resolved(from: rough, start: rough, on: wallClock)
    if let note = resolution.note { root["clock"]["start"].note(note) }
    start = resolution.instant
    anchor = start
  }

  /// What the format's own defaults are read against, which name no time.
  static let plain = Self(
    glucoseUnit: .milligramsPerDecilitre, wallClock: .utc, timeZone: "UTC",
    start: Instant(secondsSince1970: 0), duration: .days(1), preRoll: .zero,
    anchor: Instant(secondsSince1970: 0))

  private init(
    glucoseUnit: GlucoseUnit, wallClock: WallClock, timeZone: String, start: Instant,
    duration: TimeSpan, preRoll: TimeSpan, anchor: Instant
  ) {
    self.glucoseUnit = glucoseUnit
    self.wallClock = wallClock
    self.timeZone = timeZone
    self.start = start
    self.duration = duration
    self.preRoll = preRoll
    self.anchor = anchor
  }

  /// What holds for a scenario that says nothing of unit and clock.
  public static let standard = ReadingContext(
    of: JSONNode(.object([]), at: TextPosition(file: "", line: 1, column: 1)),
    problems: ProblemList())
}
