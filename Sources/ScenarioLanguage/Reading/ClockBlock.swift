package import Quantities
public import StructuredText
internal import TimeZones

/// The block `clock`: when a run is, how long, and how often it loops.
package struct ClockBlock: Sendable {
  var start = TimeText.civil(CivilTime(year: 2026, month: 1, day: 5), isSecond: false)
  var timeZone = "UTC"
  var duration = TimeSpan.days(1)
  var preRoll = TimeSpan.zero
  /// How far apart cycles are due.
  package var cycleInterval = TimeSpan.minutes(5)
  /// How much later than due a cycle comes at the most.
  package var cycleJitter = TimeSpan.zero

  /// The keys of the block.
  package static let block = Block<Self> {
    $0.set(
      \.start, "start", .dateTime, default: "'2026-01-05T00:00:00'",
      "The first instant that counts, on the wall clock of `timeZone`.")
    $0.set(
      \.timeZone, "timeZone", .zone, default: "'UTC'",
      "An IANA name, `'UTC'` or an offset such as `'+02:00'`.")
    $0.set(
      \.duration, "duration", .duration(.seconds(1)...ReadingContext.longestRun), default: "'24h'",
      "How long the run is looked at.")
    $0.set(
      \.preRoll, "preRoll", .duration(.zero...ReadingContext.longestRun), default: "'0s'",
      "How long the world lives before the start: on its schedules, with the events and faults of "
        + "that time. The loop, and whoever decides in its place, begins with the start, and so "
        + "do `behaviour` and what comes daily.")
    $0.set(
      \.cycleInterval, "loopEvery", .duration(.minutes(1)...(.hours(1))), default: "'5m'",
      "The time between two loop cycles.")
    $0.set(
      \.cycleJitter, "loopJitter", .duration(.zero...(.minutes(5))), default: "'0s'",
      "The most by which a cycle is late, drawn from the stream `loop`.")
  }

  /// Reads the clock of a scenario.
  package init(of root: Field) { self = Self.block.value(Self(), of: root["clock"]) }

  private init() {}

  /// The times around a run that starts at an instant of which it knows when the clock changes.
  fileprivate func known(
    around start: Instant, and more: TimeSpan = .zero
  ) -> (from: Instant, to: Instant) {
    let margin = TimeSpan.days(400) + more
    return (start - preRoll - margin, start + duration + margin)
  }
}

extension ReadingContext {
  /// What holds for a scenario that says nothing of unit and clock.
  public static let standard = Self(
    of: JSONNode(.object([]), at: TextPosition(file: "", line: 1, column: 1)),
    problems: ProblemList())

  /// Reads the unit and the clock of a scenario, and reports what is wrong with them.
  ///
  /// What cannot be read is taken as its default, so that the rest can be checked too.
  public init(of tree: JSONNode, problems: ProblemList) {
    let root = Field(tree, in: .plain, problems: problems)
    let glucoseUnit = root["glucoseUnit"].choice(GlucoseUnit.self) ?? .milligramsPerDecilitre
    let clock = ClockBlock(of: root)
    let rough = clock.start.resolved(
      from: Self.plain.start, start: Self.plain.start, on: .utc
    ).instant
    // No zone is two days from UTC.
    let wide = clock.known(around: rough, and: .days(2))
    let roughly = ZoneDatabase.wallClock(
      named: clock.timeZone, from: wide.from, to: wide.to)
    if roughly == nil {
      root["clock"]["timeZone"].error(ZoneDatabase.sentence(onUnknown: clock.timeZone))
    }
    let start = clock.start.resolved(from: rough, start: rough, on: roughly ?? .utc)
    root["clock"]["start"].tell(of: start)
    // Which changes of the clock a run knows does not depend on how its start is written.
    let known = clock.known(around: start.instant)
    let wallClock = roughly?.restricted(from: known.from, to: known.to)
    self.init(
      glucoseUnit: glucoseUnit, statedIn: tree["glucoseUnit"]?.position.file,
      wallClock: wallClock ?? .utc, timeZone: clock.timeZone, start: start.instant,
      duration: clock.duration, preRoll: clock.preRoll, anchor: start.instant)
  }
}

extension Field {
  /// The root of a scenario, with the context that the scenario itself states.
  public init(_ tree: JSONNode, problems: ProblemList) {
    self.init(tree, in: ReadingContext(of: tree, problems: problems), problems: problems)
  }
}
