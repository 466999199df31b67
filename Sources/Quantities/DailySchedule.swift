/// Values that hold by the time of day on a wall clock and repeat every day.
public struct DailySchedule<Value: Sendable>: Sendable {
  /// A value and the time of day from which it holds.
  public struct Entry: Sendable {
    public var start: TimeOfDay
    public var value: Value

    public init(start: TimeOfDay, value: Value) {
      self.start = start
      self.value = value
    }
  }

  /// Why a list of entries is not a schedule.
  public enum Fault: Error, Hashable, Sendable {
    case empty
    /// The first entry starts at the given time, not at midnight.
    case doesNotStartAtMidnight(TimeOfDay)
    /// The entry with this index does not start after the one before it.
    case notAscending(index: Int)
  }

  /// The entries, from midnight on.
  public let entries: [Entry]

  /// Creates a schedule from entries that start at midnight and ascend.
  public init(_ entries: [Entry]) throws(Fault) {
    guard let first = entries.first else { throw .empty }
    guard first.start == .midnight else { throw .doesNotStartAtMidnight(first.start) }
    for index in entries.indices.dropFirst()
    where entries[index].start <= entries[index - 1].start {
      throw .notAscending(index: index)
    }
    self.entries = entries
  }

  /// Creates a schedule that holds one value all day.
  public init(always value: Value) { entries = [Entry(start: .midnight, value: value)] }

  /// The value that holds at a time of day.
  public func value(at time: TimeOfDay) -> Value { entries[index(at: time)].value }

  /// The same times of day with other values.
  public func mapValues<Other: Sendable>(_ transform: (Value) -> Other) -> DailySchedule<Other> {
    DailySchedule<Other>(
      checked: entries.map { .init(start: $0.start, value: transform($0.value)) })
  }

  init(checked entries: [Entry]) { self.entries = entries }

  private func index(at time: TimeOfDay) -> Int {
    // The first entry starts at midnight, so one always holds.
    (entries.lastIndex { $0.start <= time }) ?? 0
  }
}

extension DailySchedule {
  /// What the schedule gives on a wall clock between two instants.
  ///
  /// The clock on the wall decides, as in an app on a phone: an entry whose time of day is skipped
  /// by summer time or travel takes over at the change, and one shown twice holds again after the
  /// change. Neighbouring stretches stay apart where an entry or a midnight starts, even when
  /// their values are equal, so that the boundaries a person configured remain visible.
  public func timeline(from start: Instant, to end: Instant, on clock: WallClock) -> Timeline<Value>
  {
    guard start < end else { return Timeline(segments: []) }
    var segments: [Timeline<Value>.Segment] = []
    var now = start
    while now < end {
      let time = clock.civilTime(at: now).timeOfDay
      let index = index(at: time)
      let next = min(end, nextBoundary(after: now, entry: index, on: clock))
      segments.append(.init(start: now, end: next, value: entries[index].value))
      now = next
    }
    return Timeline(segments: segments)
  }

  /// The next instant at which another entry takes over, a day begins, or the clock changes entry.
  public func nextBoundary(after now: Instant, on clock: WallClock) -> Instant {
    nextBoundary(
      after: now, entry: index(at: clock.civilTime(at: now).timeOfDay), on: clock)
  }

  private func nextBoundary(after now: Instant, entry index: Int, on clock: WallClock) -> Instant {
    let civil = clock.civilTime(at: now)
    let untilEntry: TimeSpan =
      index + 1 < entries.count
      ? TimeSpan(
        milliseconds: entries[index + 1].start.milliseconds - civil.timeOfDay.milliseconds)
      : .days(1) - civil.timeOfDay.sinceMidnight
    let plain = now + untilEntry
    let change = clock.transitions.first { $0.instant > now && $0.instant < plain }
    guard let change else { return plain }
    // Between now and the change the clock runs evenly; after it, look again.
    let after = clock.civilTime(at: change.instant)
    let stays =
      self.index(at: after.timeOfDay) == index && after.dayNumber == civil.dayNumber
    guard stays else { return change.instant }
    return nextBoundary(after: change.instant, entry: index, on: clock)
  }
}

extension DailySchedule.Entry: Equatable where Value: Equatable {}
extension DailySchedule.Entry: Hashable where Value: Hashable {}
extension DailySchedule: Equatable where Value: Equatable {}
extension DailySchedule: Hashable where Value: Hashable {}
