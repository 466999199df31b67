public import Quantities

/// A glucose series at even times from local midnight of its first day, with gaps where too little
/// is known.
///
/// A slot takes the reading at its own time, else a value on the straight line between the two
/// neighbours if those are at most 45 minutes apart. Slots are even in absolute time; on the day of
/// a change of clocks they keep their distance, and that day has more slots or fewer.
public struct GlucoseGrid: Hashable, Sendable {
  /// The length of one slot in minutes.
  public let intervalMinutes: Int
  /// The time of the first slot: the start of the first local day.
  public let start: Instant
  /// The values in mg/dL, up to the end of the last day; nothing in a gap.
  public let slots: [Double?]
  /// The slots of each local day, the first day's first.
  public let days: [Range<Int>]
  /// Tells times of day.
  private let clock: WallClock

  /// The most slots that a grid holds: the longest run of 3,660 days, which may touch a day more,
  /// by the minute.
  public static let maximumSlots = 3_661 * 1_440

  /// The longest distance over which values are interpolated.
  public static let longestBridge = TimeSpan.minutes(45)

  /// Lays the grid; nothing without readings or beyond the largest grid.
  public init?(_ series: GlucoseSeries) {
    guard let first = series.points.first, let last = series.points.last else { return nil }
    let clock = series.clock
    let firstDay = clock.civilTime(at: first.instant).dayNumber
    let lastDay = clock.civilTime(at: last.instant).dayNumber
    let perDay = 1_440 / series.intervalMinutes
    let dayCount = Int(max(1, lastDay - firstDay + 1))
    guard dayCount <= Self.maximumSlots / perDay else { return nil }
    assert(perDay > 0, "A day has a slot or more.")
    assert(1_440 % series.intervalMinutes == 0, "A sampling interval is a part of a day.")
    intervalMinutes = series.intervalMinutes
    start = clock.startOfDay(containing: first.instant)
    self.clock = clock
    let step = TimeSpan.minutes(Int64(intervalMinutes))
    // Where clocks went back a day is longer than 24 hours.
    let needed = Int((last.instant - start).quotient(by: step)) + 1
    let count = max(dayCount * perDay, needed)
    var slots: [Double?] = []
    slots.reserveCapacity(count)
    var next = 0
    for slot in 0..<count {
      let time = start + step * Int64(slot)
      while next < series.points.count, series.points[next].instant < time { next += 1 }
      slots.append(Self.value(at: time, next: next, in: series.points))
    }
    self.slots = slots
    days = Self.days(from: start, through: last.instant, step, clock, count)
  }

  /// The slots of each local day; the last day's go on to the end.
  private static func days(
    from start: Instant, through last: Instant, _ step: TimeSpan, _ clock: WallClock, _ count: Int
  ) -> [Range<Int>] {
    var days: [Range<Int>] = []
    var first = 0
    var midnight = clock.midnight(after: start)
    while midnight <= last, first < count {
      let reached = Int((midnight - start + step - .milliseconds(1)).quotient(by: step))
      let next = min(count, max(first, reached))
      days.append(first..<next)
      (first, midnight) = (next, clock.midnight(after: midnight))
    }
    return days + [first..<count]
  }

  /// The slots of each local day, but for a last one that has nothing but its midnight, at the end
  /// of the readings of the day before.
  var daysWithoutClosingMidnight: ArraySlice<Range<Int>> {
    guard intervalMinutes <= 60, days.count > 1, let last = days.last, let midnight = last.first,
      slots[midnight] != nil, slots[midnight - 1] != nil,
      slots[last].dropFirst().allSatisfy({ $0 == nil })
    else { return days[...] }
    return days.dropLast()
  }

  private static func value(at time: Instant, next: Int, in points: [GlucoseSeries.Point])
    -> Double?
  {
    guard next < points.count else { return nil }
    let after = points[next]
    if after.instant == time { return after.mgdL }
    guard next > 0 else { return nil }
    let before = points[next - 1]
    let distance = after.instant - before.instant
    guard distance <= longestBridge else { return nil }
    let share = (time - before.instant).minutes / distance.minutes
    return before.mgdL + share * (after.mgdL - before.mgdL)
  }

  /// How many slots a day has.
  public var slotsPerDay: Int { 1_440 / intervalMinutes }
  /// How many slots an hour has.
  public var slotsPerHour: Int { max(1, (60 + intervalMinutes / 2) / intervalMinutes) }

  /// How many slots lie in so many hours; nothing where slots lie further apart than that.
  func lag(hours: Double) -> Int? {
    let slots = hours * 60 / Double(intervalMinutes)
    return slots >= 1 ? Int(slots.rounded()) : nil
  }

  /// The time of a slot.
  public func instant(of slot: Int) -> Instant {
    start + .minutes(Int64(intervalMinutes) * Int64(slot))
  }

  /// The values of each local day by their time of day, so many as an ordinary day has.
  ///
  /// Where clocks went forward nothing is known of the hour that was left out, and where they went
  /// back the hour that came twice counts as it was first.
  public var timesOfDay: [[Double?]] {
    days.map { day in
      if isOrdinary(day) { return Array(slots[day]) }
      var values = [Double?](repeating: nil, count: slotsPerDay)
      var seen: Set<Int> = []
      for slot in day {
        let time = clock.timeOfDay(at: instant(of: slot)).milliseconds
        let place = Int(time / (60_000 * Int64(intervalMinutes)))
        if values.indices.contains(place), seen.insert(place).inserted {
          values[place] = slots[slot]
        }
      }
      return values
    }
  }

  /// Whether a day begins at midnight, is as long as others and has no change of its clock; one
  /// that goes forward and back again has as many slots too.
  private func isOrdinary(_ day: Range<Int>) -> Bool {
    guard day.count == slotsPerDay, let last = day.last else { return false }
    let (start, end) = (instant(of: day.lowerBound), instant(of: last))
    let step = 60_000 * Int64(intervalMinutes)
    return clock.timeOfDay(at: start).milliseconds / step == 0
      && !clock.transitions.contains { $0.instant > start && $0.instant <= end }
  }

  /// The days' worth of slots that hold a value.
  public var observedDays: Double {
    Double(slots.count { $0 != nil } * intervalMinutes) / 1_440
  }

  /// The longest stretches of slots without a gap, as half-open ranges.
  public var segments: [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for index in slots.indices {
      if slots[index] == nil {
        if let opened = start { result.append(opened..<index) }
        start = nil
      } else if start == nil {
        start = index
      }
    }
    if let opened = start { result.append(opened..<slots.count) }
    return result
  }

  /// The changes over `lag` slots between slots that both hold a value, in mg/dL.
  public func differences(lag: Int) -> [Double] {
    guard lag > 0, lag < slots.count else { return [] }
    var result: [Double] = []
    result.reserveCapacity(slots.count - lag)
    for index in 0..<(slots.count - lag) {
      if let early = slots[index], let late = slots[index + lag] { result.append(late - early) }
    }
    return result
  }
}
