internal import Quantities
internal import StructuredText

/// The block `clock`: when a run is, how long, and how often it loops.
struct ClockBlock: Sendable {
  var start = TimeText.civil(CivilTime(year: 2026, month: 1, day: 5), isSecond: false)
  var timeZone = "UTC"
  var duration = TimeSpan.days(1)
  var preRoll = TimeSpan.zero
  var cycleInterval = TimeSpan.minutes(5)
  var cycleJitter = TimeSpan.zero

  static let block = Block<Self> {
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
      "How long the world lives before the start.")
    $0.set(
      \.cycleInterval, "loopEvery", .duration(.minutes(1)...(.hours(1))), default: "'5m'",
      "The time between two loop cycles.")
    $0.set(
      \.cycleJitter, "loopJitter", .duration(.zero...(.minutes(5))), default: "'0s'",
      "The most by which a cycle is late, drawn from the stream `loop`.")
  }

  /// Reads the clock of a scenario.
  init(of root: Field) { self = Self.block.value(Self(), of: root["clock"]) }

  private init() {}
}

extension TimeText {
  /// Whether it says the day by a date.
  var hasDate: Bool {
    switch self {
    case .civil, .absolute: true
    case .clock, .day, .offset: false
    }
  }
}
