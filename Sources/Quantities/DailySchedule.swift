/// Values that hold by the time of day on a wall clock and repeat every day.
public struct DailySchedule<Value: Sendable>: Sendable {
  /// A value and the time of day from which it holds.
  public struct Entry: Sendable {
    /// The time of day from which the value holds.
    public var start: TimeOfDay

    /// The value.
    public var value: Value

    /// Creates an entry.
    public init(start: TimeOfDay, value: Value) {
      self.start = start
      self.value = value
    }
  }

  /// Why a list of entries is not a schedule.
  public enum Fault: Error, Hashable, Sendable {
    /// There is no entry.
    case empty
    /// The first entry starts at the given time, not at midnight.
    case doesNotStartAtMidnight(TimeOfDay)
    /// The entry with this index does not start after the one before it.
    case notAscending(index: Int)
  }

  /// The entries, from midnight on.
  public let entries: [Entry]

  /// Where the entries start, without their values: what questions about time need.
  @usableFromInline let division: DayDivision

  /// Creates a schedule from entries that start at midnight and ascend.
  public init(_ entries: [Entry]) throws(Fault) {
    guard let first = entries.first else { throw .empty }
    guard first.start == .midnight else { throw .doesNotStartAtMidnight(first.start) }
    for index in entries.indices.dropFirst()
    where entries[index].start <= entries[index - 1].start {
      throw .notAscending(index: index)
    }
    self.init(checked: entries)
  }

  /// Creates a schedule that holds one value all day.
  public init(always value: Value) {
    self.init(checked: [Entry(start: .midnight, value: value)])
  }

  /// The value that holds at a time of day.
  @inlinable
  public func value(at time: TimeOfDay) -> Value { entries[division.part(at: time)].value }

  /// The same times of day with other values.
  public func mapValues<Other: Sendable>(_ transform: (Value) -> Other) -> DailySchedule<Other> {
    DailySchedule<Other>(
      checked: entries.map { .init(start: $0.start, value: transform($0.value)) })
  }

  private init(checked entries: [Entry]) {
    self.entries = entries
    assert(entries.first?.start == .midnight, "A schedule begins at midnight.")
    // A closure: a key path of a generic type is made anew each time, which takes longer than all
    // of the rest.
    division = DayDivision(starts: entries.map { $0.start })
  }
}

extension DailySchedule {
  /// What the schedule gives on a wall clock between two instants.
  ///
  /// The clock on the wall decides, as in an app on a phone: an entry whose time of day is skipped
  /// by summer time or travel takes over at the change, and one shown twice holds again after the
  /// change. Neighbouring stretches stay apart where an entry or a day starts, even when their
  /// values are equal, so that the boundaries a person configured remain visible.
  @inlinable
  public func timeline(from start: Instant, to end: Instant, on clock: WallClock) -> Timeline<Value>
  {
    var segments: [Timeline<Value>.Segment] = []
    visit(from: start, to: end, on: clock) { segments.append($0) }
    return Timeline(segments: segments)
  }

  /// Visits the segments of ``timeline(from:to:on:)`` in their order, without a list of them.
  @inlinable
  public func visit(
    from start: Instant, to end: Instant, on clock: WallClock,
    _ body: (Timeline<Value>.Segment) -> Void
  ) {
    var now = start
    while now < end {
      let stretch = division.stretch(from: now, to: end, on: clock)
      body(.init(start: now, end: stretch.end, value: entries[stretch.part].value))
      now = stretch.end
    }
  }

  /// The next instant at which another entry takes over, a day begins, or the clock changes entry.
  public func nextBoundary(after now: Instant, on clock: WallClock) -> Instant {
    division.boundary(after: now, on: clock)
  }
}

extension DailySchedule.Entry: Equatable where Value: Equatable {}
extension DailySchedule.Entry: Hashable where Value: Hashable {}
extension DailySchedule: Equatable where Value: Equatable {}
extension DailySchedule: Hashable where Value: Hashable {}
