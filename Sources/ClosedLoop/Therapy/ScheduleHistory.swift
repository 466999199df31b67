public import Quantities
internal import WorkCounting

/// A daily schedule and the edits made to it, as values over absolute time.
///
/// Before the first edit the first schedule holds. Stretches end at every entry, at every midnight
/// of the clock that belongs to the schedule, and at every edit, even where the value stays the
/// same: a stretch of scheduled basal never spans midnight (LoopKit, `DailyValueSchedule.swift`).
public struct ScheduleHistory<Value: Sendable>: Sendable {
  /// One schedule, and from when it holds.
  public struct Edition: Sendable {
    /// From when the schedule holds.
    public var from: Instant
    /// The schedule.
    public var schedule: DailySchedule<Value>
    /// The clock whose times of day the schedule follows.
    public var clock: WallClock

    /// Creates a `Edition` from its parts; see the properties.
    public init(from: Instant, schedule: DailySchedule<Value>, clock: WallClock) {
      self.from = from
      self.schedule = schedule
      self.clock = clock
    }
  }

  /// The editions, earliest first; there is always one.
  public private(set) var editions: [Edition]

  /// The schedule of the latest edition.
  public var latest: DailySchedule<Value> { editions[editions.count - 1].schedule }

  /// The clock that the latest edition follows.
  var clock: WallClock { editions[editions.count - 1].clock }

  /// The value that holds at all times; `nil` where there is more than one.
  var constant: Value? {
    guard editions.count == 1, editions[0].schedule.entries.count == 1 else { return nil }
    return editions[0].schedule.entries[0].value
  }

  /// Creates the history of a schedule that has not been edited.
  public init(_ schedule: DailySchedule<Value>, from: Instant, on clock: WallClock) {
    editions = [Edition(from: from, schedule: schedule, clock: clock)]
  }

  /// Forgets editions that no longer hold at or after an instant.
  public mutating func forget(before instant: Instant) {
    guard editions.count > 1 else { return }
    assert(
      zip(editions, editions.dropFirst()).allSatisfy { $0.from < $1.from },
      "Schedules follow one another.")
    while editions.count > 1, editions[1].from <= instant { editions.removeFirst() }
  }

  /// The value in force at an instant.
  public func value(at instant: Instant) -> Value {
    let edition = editions[indexOfEdition(at: instant)]
    return edition.value(at: instant)
  }

  /// What holds between two instants, cut at entries, midnights and edits.
  public func timeline(from start: Instant, to end: Instant) -> Timeline<Value> {
    var segments: [Timeline<Value>.Segment] = []
    visit(from: start, to: end) { segments.append($0) }
    return Timeline(segments: segments)
  }

  /// Visits the segments of ``timeline(from:to:)`` in their order, without a list of them.
  func visit(from start: Instant, to end: Instant, _ body: (Timeline<Value>.Segment) -> Void) {
    guard start < end else { return }
    var index = editions.count == 1 ? 0 : indexOfEdition(at: start)
    var now = start
    while now < end {
      let last = index + 1 < editions.count ? min(end, editions[index + 1].from) : end
      assert(now < last, "A schedule that holds does so for some time.")
      editions[index].schedule.visit(from: now, to: last, on: editions[index].clock, body)
      now = last
      index += 1
      Work.visit(rows: 1)
    }
  }

  private func indexOfEdition(at instant: Instant) -> Int {
    let index = editions.lastIndex { $0.from <= instant } ?? 0
    Work.visit(rows: editions.count - index)
    return index
  }
}

extension ScheduleHistory where Value: Equatable {
  /// Replaces the schedule from an instant on; edits at or after it are forgotten.
  public mutating func replace(
    with schedule: DailySchedule<Value>, from: Instant, on clock: WallClock
  ) {
    assert(!editions.isEmpty, "A history has a schedule at every time.")
    while editions.count > 1, let last = editions.last, last.from > from { editions.removeLast() }
    if let latest = editions.last, latest.schedule == schedule, latest.clock == clock { return }
    while editions.count > 1, let last = editions.last, last.from >= from { editions.removeLast() }
    let edition = Edition(from: from, schedule: schedule, clock: clock)
    if editions.count == 1, editions[0].from >= from {
      editions[0] = edition
    } else {
      editions.append(edition)
    }
  }
}

extension ScheduleHistory: Equatable where Value: Equatable {}
extension ScheduleHistory.Edition: Equatable where Value: Equatable {}

extension ScheduleHistory.Edition {
  /// The value in force at an instant.
  func value(at instant: Instant) -> Value {
    schedule.value(at: clock.timeOfDay(at: instant))
  }
}
