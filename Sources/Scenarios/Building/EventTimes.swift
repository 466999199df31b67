internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// The times at which what stands in a scenario comes, chance included.
struct EventTimes {
  private let context: ReadingContext
  private let seed: UInt64

  /// The times of a run with that seed, from which the streams of chance are named.
  init(in context: ReadingContext, seed: UInt64) {
    self.context = context
    self.seed = seed
  }

  /// The instants of an event's or a fault's `at`: one time, a list, or a daily time, whose jitter
  /// comes from a stream of that name.
  func instants(of field: Field, stream: String) -> [Instant] {
    if field.node?.members != nil { return dailyInstants(of: field, stream: stream) }
    return (field.itemsOrOne() ?? []).compactMap { $0.timeInRun() }
  }

  /// When an event happens, and what each occurrence is called.
  func occurrences(
    of event: Field, kind: String, place: Int
  ) -> [(name: String, instant: Instant)] {
    let id = EventKeys.name(of: event.node, kind: kind, at: place)
    let instants = instants(
      of: event.required(EventKeys.shared.at.name), stream: "events.\(id)")
    return instants.enumerated().map { count, instant in
      (instants.count > 1 ? OccurrenceName.numbered(id, count + 1) : id, instant)
    }
  }

  private func dailyInstants(of field: Field, stream name: String) -> [Instant] {
    guard let daily = DailyTime.form.read(field) else { return [] }
    let jitter = daily.jitter
    let first = context.firstDay
    let days = daily.days(in: context)
    var stream = RandomStream(seed: seed, name: name)
    // Each day of the run has its draw, whether it is meant or not: one more moves no other.
    let last = max(0, days.max() ?? 0)
    let draws = jitter == .zero ? [] : (0...last).map { _ in stream.unit() * 2 - 1 }
    var eve = RandomStream(seed: seed, name: name, member: UInt64(bitPattern: -1))
    return days.compactMap { day in
      let draw = jitter == .zero ? 0 : day < 0 ? eve.unit() * 2 - 1 : draws[day]
      let offset = draw * jitter.seconds
      let civil = CivilTime(dayNumber: first + Int64(day), timeOfDay: daily.time)
      let instant =
        context.wallClock.reading(of: civil).instant
        + (TimeSpan(roundingSeconds: offset) ?? .zero)
      return instant >= context.start && instant <= context.end ? instant : nil
    }
  }
}
