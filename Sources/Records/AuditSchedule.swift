internal import HealthStore
internal import Quantities

/// The basal schedule of a record, in U/h: that which its samples state, else one that is given.
///
/// Where no sample states the rate of a time, that counts which one states for the same time of
/// the nearest day, of days as near that before; and for a time of the day of which none does, that
/// which is given, or else that of the nearest such time.
struct AuditSchedule {
  private let clock: WallClock
  private let given: DailySchedule<Double>?
  /// The times of which a sample states the rate; their ends ascend as well.
  private var stated: [(start: Instant, end: Instant, rate: Double)] = []
  /// The times of the day of which no day has the rate, of three days in a row that are alike: the
  /// second begins at 0.
  private var unstated: [(start: Instant, end: Instant)] = []

  private static let day = TimeSpan.days(1)

  /// The schedule of records, which ascend by start.
  init(_ records: [AuditRecord], given: DailySchedule<Double>?, on clock: WallClock) {
    self.clock = clock
    self.given = given
    var times: [(start: Instant, end: Instant)] = []
    for record in records where record.kind == .basal {
      // What took no time states the rate of its moment.
      let end = max(record.end, record.start + .milliseconds(1))
      guard let rate = Self.stated(record), stated.last.map({ $0.end < end }) ?? true
      else { continue }
      stated.append((record.start, end, rate))
      let time = Instant(secondsSince1970: 0) + clock.timeOfDay(at: record.start).sinceMidnight
      let length = min(end - record.start, Self.day)
      // It may pass midnight.
      times.append((time, time + length))
      times.append((time - Self.day, time + length - Self.day))
    }
    guard !stated.isEmpty else { return }
    let midnight = Instant(secondsSince1970: 0)
    let known = IntervalSet(times.sorted { $0.start < $1.start })
      .within(midnight, midnight + Self.day).stretches
    let days = [-1, 0, 1].flatMap { day in
      known.map { ($0.start + Self.day * day, $0.end + Self.day * day) }
    }
    unstated = IntervalSet(days).gaps(from: midnight - Self.day, to: midnight + Self.day * 2)
  }

  /// Whether samples state rates.
  var isStated: Bool { !stated.isEmpty }
  /// Whether they state that of every time of the day.
  var isWholeStated: Bool { isStated && unstated.isEmpty }

  /// The scheduled rate that a sample of basal states.
  static func stated(_ record: AuditRecord) -> Double? {
    record.metadata.scheduledBasalRate?.unitsPerHour
  }

  /// The rate at an instant; `nil` where no schedule is known.
  func rate(at instant: Instant) -> Double? {
    let asked = clock.timeOfDay(at: instant)
    let gap = gap(around: asked)
    guard let first = stated.first, let last = stated.last, gap == nil || given == nil else {
      return given?.value(at: asked)
    }
    let time = gap.map { Self.edge(of: $0, near: asked) } ?? asked.sinceMidnight
    let near = moved(instant, to: time)
    let days = max(near - first.start, last.end - near).quotient(by: Self.day) + 2
    for day in 0...max(days, 0) {
      for other in [near - Self.day * day, near + Self.day * day] {
        if let rate = statedRate(at: moved(other, to: time)) { return rate }
      }
    }
    // The clock was changed meanwhile.
    return stated[max(0, index(after: instant) - 1)].rate
  }

  /// How many of the times begin at an instant or before it.
  private func index(after instant: Instant) -> Int {
    stated.partitioningIndex { $0.start > instant }
  }

  private func statedRate(at instant: Instant) -> Double? {
    let index = index(after: instant)
    return index > 0 && instant < stated[index - 1].end ? stated[index - 1].rate : nil
  }

  /// The times of the day around one of which no day has the rate; `nil` where some day has it.
  private func gap(around time: TimeOfDay) -> (start: Instant, end: Instant)? {
    let asked = Instant(secondsSince1970: 0) + time.sinceMidnight
    let index = unstated.partitioningIndex { $0.end > asked }
    guard index < unstated.count, unstated[index].start <= asked else { return nil }
    return unstated[index]
  }

  /// The time nearest to one of a gap of which some day has the rate.
  private static func edge(of gap: (start: Instant, end: Instant), near time: TimeOfDay) -> TimeSpan
  {
    let midnight = Instant(secondsSince1970: 0)
    let asked = midnight + time.sinceMidnight
    let isBefore = asked - gap.start < gap.end - asked
    // The end of a stretch is the first moment that it does not cover.
    let known = isBefore ? gap.start - .milliseconds(1) : gap.end
    return known - midnight
  }

  /// The instant nearest to one at which the clock shows a time of the day.
  private func moved(_ instant: Instant, to time: TimeSpan) -> Instant {
    let day = Self.day.milliseconds
    let off = (time - clock.timeOfDay(at: instant).sinceMidnight).milliseconds % day
    let half = day / 2
    return instant + .milliseconds(off > half ? off - day : off < -half ? off + day : off)
  }

  // MARK: - Amounts

  /// The scheduled units of a stretch; `nil` where no schedule is known.
  func units(from start: Instant, to end: Instant) -> Double? {
    var sum = 0.0
    var time = start
    // A record may lack months, of which one day of 24 hours is like another.
    var usual: Double?
    while time < end {
      let next = min(end, clock.midnight(after: time))
      let isUsual = next - time == Self.day && clock.timeOfDay(at: time) == .midnight
      guard let units = (isUsual ? usual : nil) ?? units(within: time, next) else { return nil }
      if isUsual { usual = units }
      sum += units
      time = next
    }
    return sum
  }

  /// The scheduled units of a part of a day.
  private func units(within start: Instant, _ end: Instant) -> Double? {
    var sum = 0.0
    var time = start
    while time < end {
      let next = min(end, nextChange(after: time))
      guard let rate = rate(at: time) else { return nil }
      sum += rate * (next - time).hours
      time = next
    }
    return sum
  }

  /// The next moment from which another rate may be scheduled: a half hour by the clock, or the
  /// start of a part of the schedule that is given.
  private func nextChange(after instant: Instant) -> Instant {
    let time = clock.timeOfDay(at: instant).milliseconds
    let halfHour = TimeSpan.minutes(30).milliseconds
    let reached = (time / halfHour + 1) * halfHour
    let starts = given?.entries.map(\.start.milliseconds) ?? []
    let next = starts.filter { time < $0 && $0 < reached }.min() ?? reached
    return instant + .milliseconds(next - time)
  }
}
