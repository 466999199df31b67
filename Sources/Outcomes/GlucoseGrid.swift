public import Quantities

/// A glucose series at even times from local midnight of its first day, with gaps where too little
/// is known.
///
/// A slot takes the reading at its own time, else a value on the straight line between the two
/// neighbours if those are at most 45 minutes apart. Slots are even in absolute time; on the day of
/// a change of clocks they keep their distance.
public struct GlucoseGrid: Hashable, Sendable {
  /// The length of one slot in minutes.
  public let intervalMinutes: Int
  /// The time of the first slot: the start of the first local day.
  public let start: Instant
  /// The values in mg/dL, whole days of them; nothing in a gap.
  public let slots: [Double?]

  /// The most slots that a grid holds: ten years at five minutes.
  public static let maximumSlots = 1_051_200

  /// The longest distance over which values are interpolated.
  public static let longestBridge = TimeSpan.minutes(45)

  /// Lays the grid; nothing without readings or beyond the largest grid.
  public init?(_ series: GlucoseSeries) {
    guard let first = series.points.first, let last = series.points.last else { return nil }
    let clock = series.clock
    let firstDay = clock.civilTime(at: first.instant).dayNumber
    let lastDay = clock.civilTime(at: last.instant).dayNumber
    let perDay = 1_440 / series.intervalMinutes
    let days = Int(max(1, lastDay - firstDay + 1))
    guard days <= Self.maximumSlots / perDay else { return nil }
    assert(perDay > 0, "A day has a slot or more.")
    assert(1_440 % series.intervalMinutes == 0, "A sampling interval is a part of a day.")
    intervalMinutes = series.intervalMinutes
    start = clock.startOfDay(containing: first.instant)
    let step = TimeSpan.minutes(Int64(intervalMinutes))
    var slots: [Double?] = []
    slots.reserveCapacity(days * perDay)
    var next = 0
    for slot in 0..<(days * perDay) {
      let time = start + step * Int64(slot)
      while next < series.points.count, series.points[next].instant < time { next += 1 }
      slots.append(Self.value(at: time, next: next, in: series.points))
    }
    self.slots = slots
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

  /// The number of slots in a day, and in an hour.
  public var slotsPerDay: Int { 1_440 / intervalMinutes }
  /// How many slots an hour has.
  public var slotsPerHour: Int { max(1, (60 + intervalMinutes / 2) / intervalMinutes) }

  /// The time of a slot.
  public func instant(of slot: Int) -> Instant {
    start + .minutes(Int64(intervalMinutes) * Int64(slot))
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
