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
  func rate(at instant: Instant) -> Double? { piece(at: instant)?.rate }

  /// The rate from an instant on.
  private struct Piece {
    var rate: Double
    /// Until when it holds; it may hold longer.
    var end: Instant
    /// On how many days after that it holds at the same time of the day; it may on more.
    var alikeDays = Int64.max
  }

  /// The rate from an instant on; `nil` where no schedule is known.
  private func piece(at instant: Instant) -> Piece? {
    let asked = clock.timeOfDay(at: instant)
    // Clocks are changed at half hours.
    let halfHour = TimeSpan.minutes(30)
    var span = halfHour - .milliseconds(asked.milliseconds % halfHour.milliseconds)
    let gap = gap(around: asked)
    let day = Instant(secondsSince1970: 0) + asked.sinceMidnight
    if let gap { span = min(span, gap.end - day) }
    guard !stated.isEmpty, gap == nil || given == nil else {
      for entry in given?.entries ?? [] where entry.start > asked {
        span = min(span, entry.start.sinceMidnight - asked.sinceMidnight)
      }
      return given.map { Piece(rate: $0.value(at: asked), end: instant + span) }
    }
    guard let gap else { return statedPiece(from: instant, at: asked.sinceMidnight, within: span) }
    let (edge, rest) = Self.edge(of: gap, near: day)
    var piece = statedPiece(from: moved(instant, to: edge), at: edge, within: span)
    // What is sought is the rate of one moment, which holds for the whole time.
    piece.end = instant + min(span, rest)
    return piece
  }

  /// The rate that counts from an instant on, which some sample states for its time of the day.
  private func statedPiece(from near: Instant, at time: TimeSpan, within span: TimeSpan) -> Piece {
    var span = span
    var day: Int64 = 0
    // How many days from this one on, and after it, have no rate for this time.
    var bare: Int64 = 0
    while true {
      // How many days more have to be looked at, in either direction.
      var step = Int64.max
      for isLater in [false, true] {
        let other = moved(near + Self.day * (isLater ? day : -day), to: time)
        let next = index(after: other)
        if next < stated.count { span = min(span, stated[next].start - other) }
        if next > 0, other < stated[next - 1].end {
          return Piece(
            rate: stated[next - 1].rate, end: near + min(span, stated[next - 1].end - other),
            alikeDays: isLater ? max(0, day - 1) : max(0, (bare - day) / 2))
        }
        // Where nothing is near a day may be skipped, but for one on which clocks are changed.
        let far: TimeSpan? =
          isLater
          ? next < stated.count ? stated[next].start - other : nil
          : next > 0 ? other - stated[next - 1].end : nil
        let days = far.map { max(1, $0.quotient(by: Self.day)) } ?? Int64.max
        if isLater { bare = days == .max ? .max : day + days }
        step = min(step, days)
      }
      // The clock was changed meanwhile.
      guard step < .max else {
        return Piece(
          rate: stated[max(0, index(after: near) - 1)].rate, end: near + span, alikeDays: 0)
      }
      day += step
    }
  }

  /// How many of the times begin at an instant or before it.
  private func index(after instant: Instant) -> Int {
    stated.partitioningIndex { $0.start > instant }
  }

  /// The times of the day around one of which no day has the rate; `nil` where some day has it.
  private func gap(around time: TimeOfDay) -> (start: Instant, end: Instant)? {
    let asked = Instant(secondsSince1970: 0) + time.sinceMidnight
    let index = unstated.partitioningIndex { $0.end > asked }
    guard index < unstated.count, unstated[index].start <= asked else { return nil }
    return unstated[index]
  }

  /// The time nearest to one of a gap of which some day has the rate, and for how long it is that.
  private static func edge(
    of gap: (start: Instant, end: Instant), near asked: Instant
  ) -> (time: TimeSpan, rest: TimeSpan) {
    let midnight = Instant(secondsSince1970: 0)
    let untilMiddle = ((gap.end - asked) - (asked - gap.start)).milliseconds
    // The end of a stretch is the first moment that it does not cover.
    return untilMiddle > 0
      ? (gap.start - .milliseconds(1) - midnight, .milliseconds((untilMiddle + 1) / 2))
      : (gap.end - midnight, gap.end - asked)
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
    // A record may lack centuries, of which one day of 24 hours is like many others.
    var usual: (units: Double, alikeDays: Int64) = (0, 0)
    while time < end {
      let next = min(end, clock.midnight(after: time))
      let isUsual = next - time == Self.day && clock.timeOfDay(at: time) == .midnight
      if isUsual, usual.alikeDays > 0 {
        usual.alikeDays -= 1
        sum += usual.units
      } else {
        guard let day = units(within: time, next) else { return nil }
        sum += day.units
        usual = isUsual ? day : (0, 0)
      }
      time = next
    }
    return sum
  }

  /// The scheduled units of a part of a day, and on how many days after it they are the same.
  private func units(
    within start: Instant, _ end: Instant
  ) -> (units: Double, alikeDays: Int64)? {
    var sum = 0.0
    var alikeDays = Int64.max
    var time = start
    while time < end {
      guard let piece = piece(at: time) else { return nil }
      let next = min(end, piece.end)
      sum += piece.rate * (next - time).hours
      alikeDays = min(alikeDays, piece.alikeDays)
      time = next
    }
    return (sum, alikeDays)
  }
}
