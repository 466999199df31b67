internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText
internal import TimeZones

/// A time that comes every day: `{ daily: '07:15', days: [1, 2, 3], jitter: '20m' }`.
///
/// Days count from 0, the day of the start.
struct DailyTime: Sendable {
  var time: TimeOfDay
  /// The days of the run; `nil` for all.
  var days: [Int]?
  var jitter: TimeSpan

  static let form = Form<Self>.object {
    let daily = $0.required("daily", .timeOfDay, "A time of day, such as `'07:15'`.")
    let days = $0.optional(
      "days", .list(.integer(0...3_660)), else: "all", "The days of the run, the start's being 0.")
    let jitter = $0.key(
      "jitter", .duration(.zero...(.hours(12))), default: "'0m'", "The most it is early or late.")
    return { field throws(UnusableKey) in
      Self(time: try field[daily], days: field[days], jitter: field[jitter])
    }
  }
}

extension RunBuilder {
  /// The instants of an event's or a fault's `at`: one time, a list, or a daily time, whose jitter
  /// comes from a stream of that name.
  func times(_ field: Field, stream: String) -> [Instant] {
    if field.node?.members != nil { return dailyTimes(field, stream: stream) }
    return (field.itemsOrOne() ?? []).compactMap { $0.timeInRun() }
  }

  private func dailyTimes(_ field: Field, stream name: String) -> [Instant] {
    guard let daily = DailyTime.form.read(field) else { return [] }
    let jitter = daily.jitter
    let context = root.context
    let first = context.wallClock.civilTime(at: context.start).dayNumber
    var stream = RandomStream(seed: seed, name: name)
    return (daily.days ?? allDays).compactMap { day in
      let offset = jitter.milliseconds == 0 ? 0 : (stream.unit() * 2 - 1) * jitter.seconds
      let civil = CivilTime(dayNumber: first + Int64(day), timeOfDay: daily.time)
      let instant =
        context.wallClock.reading(of: civil).instant
        + (TimeSpan(roundingSeconds: offset) ?? .zero)
      return instant >= context.start && instant <= context.end ? instant : nil
    }
  }

  /// The days of the run, the first being 0.
  var allDays: [Int] {
    let context = root.context
    let first = context.wallClock.civilTime(at: context.start).dayNumber
    let last = context.wallClock.civilTime(at: context.end).dayNumber
    return Array(0...max(0, Int(last - first)))
  }

  /// The phone's clock with every change of zone in it: travel is a transition like summer time.
  func travelClock() -> WallClock {
    let context = root.context
    var transitions = context.wallClock.transitions
    for event in root["events"].items() ?? [] {
      guard event["timeZone"].exists, let name = event["timeZone"].text() else { continue }
      guard
        let zone = ZoneDatabase.wallClock(
          named: name, from: context.start - .days(400), to: context.end + .days(400))
      else {
        event["timeZone"].error(
          "\"\(name)\" is not a time zone. Write an IANA name such as 'Europe/London' or 'UTC'.")
        continue
      }
      for instant in times(event["at"], stream: "events.timeZone") {
        transitions.removeAll { $0.instant >= instant }
        transitions.append(.init(instant: instant, offset: zone.offset(at: instant)))
        transitions += zone.transitions.filter { $0.instant > instant }
      }
    }
    return WallClock(initialOffset: context.wallClock.initialOffset, transitions: transitions)
  }
}
