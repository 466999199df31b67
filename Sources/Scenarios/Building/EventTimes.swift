internal import Determinism
internal import Quantities
internal import StructuredText

extension RunBuilder {
  /// The instants of an event's or a fault's `at`: one time, a list, or a daily time, whose jitter
  /// comes from a stream of that name.
  func times(_ field: Field, stream: String) -> [Instant] {
    if field.node?.members != nil { return dailyTimes(field, stream: stream) }
    return (field.itemsOrOne() ?? []).compactMap { $0.timeInRun() }
  }

  /// `{ daily: '07:15', days: [1, 2, 3], jitter: '20m' }`: days count from 0, the day of the start.
  private func dailyTimes(_ field: Field, stream name: String) -> [Instant] {
    field.allowOnly(["daily", "days", "jitter"])
    guard let time = field.required("daily").timeOfDay() else { return [] }
    let jitter = field.standard("jitter") { $0.duration() }
    let context = root.context
    let first = context.wallClock.civilTime(at: context.start).dayNumber
    var stream = RandomStream(seed: seed, name: name)
    return days(field["days"]).compactMap { day in
      let offset = jitter.milliseconds == 0 ? 0 : (stream.unit() * 2 - 1) * jitter.seconds
      let civil = CivilTime(dayNumber: first + Int64(day), timeOfDay: time)
      let instant =
        context.wallClock.reading(of: civil).instant
        + (TimeSpan(roundingSeconds: offset) ?? .zero)
      return instant >= context.start && instant <= context.end ? instant : nil
    }
  }

  /// A list of days of the run, the first being 0; all of them where there is no list.
  func days(_ field: Field) -> [Int] {
    if field.exists {
      return (field.items() ?? []).compactMap { $0.integer().map(Int.init) }
    }
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
