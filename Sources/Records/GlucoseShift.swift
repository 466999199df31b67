internal import HealthStore
internal import Quantities
internal import StructuredText

/// Readings that are early or late by the clock from some time on, found by correlation with the
/// days before.
///
/// A clock that is set wrongly moves all readings by the same time. Where somebody's days are
/// alike, three days before and three days after then agree best at that shift. Every one of the
/// nine pairs of days has to agree, and much better than without a shift: days that differ give no
/// finding.
struct GlucoseShift {
  /// When the clock was set, or the start of that day where the readings do not tell.
  let time: Instant
  /// By how much the readings are later than they were.
  let shift: TimeSpan
  /// The mean correlation of the days after with those before, at the shift and without it.
  let correlation: (shifted: Double, plain: Double)
  /// Whether the readings themselves jump: a gap as long as the shift, or as much read twice.
  let isSeen: Bool

  /// The shifts in the readings of one source, which are in the order of time.
  ///
  /// Where there are none for more than a month, as beside a date that is wrong, nothing shifts.
  static func all(in readings: [Sample], clock: WallClock) -> [GlucoseShift] {
    var (found, first): ([GlucoseShift], Int) = ([], 0)
    for (index, reading) in readings.enumerated() {
      let next = index + 1 < readings.count ? readings[index + 1].start : nil
      guard next.map({ $0 - reading.start > AuditDay.longestEmpty }) ?? true else { continue }
      found += all(within: Array(readings[first...index]), clock: clock)
      first = index + 1
    }
    return found
  }

  private static func all(within readings: [Sample], clock: WallClock) -> [GlucoseShift] {
    let days = DayGrid(readings, clock: clock)
    var found: [GlucoseShift] = []
    var day = DayGrid.compared
    while day + DayGrid.compared < days.count {
      if let shift = days.shift(around: day) {
        found.append(shift)
        // The days after are the days before of the next.
        day += DayGrid.compared
      }
      day += 1
    }
    return found
  }

  func finding(_ name: String) -> AuditFinding {
    let minutes = shift.milliseconds.magnitude / 60_000
    let amount =
      minutes < 60
      ? "\(minutes) min"
      : minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    return AuditFinding(
      kind: .clockChange, severity: isSeen ? .check : .note, sources: [name],
      title: "Readings are shifted by the clock",
      cause: "Three days of \(name) run \(amount) \(shift > .zero ? "later" : "earlier") than the "
        + "three before them (correlation \(Self.text(correlation.shifted)), "
        + "\(Self.text(correlation.plain)) without the shift)"
        + (isSeen ? ", and its readings jump by as much." : "."),
      consequence: isSeen
        ? "A clock that was set wrongly moves glucose against insulin and meals."
        : "A clock that was set, or days that begin at another time.",
      occurrences: [.init(start: time, end: time, amount: 0, samples: [])])
  }

  private static func text(_ correlation: Double) -> String {
    FixedDecimal.text(correlation, decimals: 2)
  }
}

/// The readings of one source at every five minutes of the days by the record's clock.
private struct DayGrid {
  /// How many days before and after a change are compared.
  static let compared = 3
  private static let step = TimeSpan.minutes(5)
  private static let steps = 288
  /// The shifts that are looked for, in steps: half an hour to twelve hours.
  private static let shifts = 6...144
  /// What pairs of days alike correlate by, on the mean and each.
  private static let fewest = (mean: 0.8, each: 0.65)
  /// By how much the correlation must be better than without a shift.
  private static let gain = 0.3

  let count: Int
  private let clock: WallClock
  private var values: [Double?] = []
  private var times: [Instant?] = []
  /// The places of days with two readings, which an hour that came twice has.
  private var doubled: [Bool] = []

  init(_ readings: [Sample], clock: WallClock) {
    self.clock = clock
    let civil = readings.map { clock.civilTime(at: $0.start) }
    let first = civil.first?.dayNumber ?? 0
    // A record of more than thirty years holds a date that is wrong.
    count = Int(min((civil.last?.dayNumber ?? first) - first + 1, 11_000))
    guard count > 2 * Self.compared else { return }
    values = Array(repeating: nil, count: count * Self.steps)
    times = Array(repeating: nil, count: count * Self.steps)
    doubled = Array(repeating: false, count: count * Self.steps)
    for (reading, time) in zip(readings, civil) {
      let place =
        Int(time.dayNumber - first) * Self.steps
        + Int(time.timeOfDay.milliseconds / Self.step.milliseconds)
      guard values.indices.contains(place) else { continue }
      if let before = times[place], reading.start - before < .minutes(4) { doubled[place] = true }
      values[place] = reading.storedValue
      times[place] = reading.start
    }
  }

  /// The shift between the days before a day and those after it; `nil` where there is none.
  func shift(around day: Int) -> GlucoseShift? {
    assert(day >= Self.compared, "There are days enough before the day.")
    let before = (day - Self.compared)..<day
    let after = (day + 1)..<(day + 1 + Self.compared)
    guard isAlike(before), isAlike(after), let plain = mean(after, before, by: 0, until: day) else {
      return nil
    }
    var best: (steps: Int, correlation: Double)?
    for size in Self.shifts {
      for steps in [-size, size] {
        guard let found = mean(after, before, by: steps, until: day),
          found > best?.correlation ?? max(Self.fewest.mean, plain + Self.gain)
        else { continue }
        best = (steps, found)
      }
    }
    guard let best, pairs(after, before, by: best.steps, until: day).allSatisfy(isEnough) else {
      return nil
    }
    let seen = jump(of: best.steps, around: day)
    let start = times[(day * Self.steps)...].lazy.compactMap(\.self).first
    guard let time = seen ?? start.map({ clock.startOfDay(containing: $0) }) else { return nil }
    return GlucoseShift(
      time: time, shift: Self.step * Int64(best.steps), correlation: (best.correlation, plain),
      isSeen: seen != nil)
  }

  private func isEnough(_ correlation: Double?) -> Bool {
    correlation.map { $0 >= Self.fewest.each } ?? false
  }

  /// Whether days are alike by the clock.
  private func isAlike(_ days: Range<Int>) -> Bool {
    assert(days.count > 1, "Days are compared with others.")
    var sum = 0.0
    for day in days.dropLast() {
      guard let found = correlation(day + 1, day, by: 0, until: .max), found >= Self.fewest.each
      else { return false }
      sum += found
    }
    return sum / Double(days.count - 1) >= Self.fewest.mean
  }

  private func pairs(
    _ after: Range<Int>, _ before: Range<Int>, by steps: Int, until day: Int
  ) -> [Double?] {
    after.flatMap { late in before.map { correlation(late, $0, by: steps, until: day) } }
  }

  private func mean(
    _ after: Range<Int>, _ before: Range<Int>, by steps: Int, until day: Int
  ) -> Double? {
    let found = pairs(after, before, by: steps, until: day).compactMap(\.self)
    guard found.count == after.count * before.count else { return nil }
    return found.reduce(0, +) / Double(found.count)
  }

  /// The correlation of a day with another so many steps earlier, of which only what is before a
  /// limit counts; `nil` where they share less than half a day.
  private func correlation(_ late: Int, _ early: Int, by steps: Int, until limit: Int) -> Double? {
    var (count, x, y, xx, yy, xy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    let end = min(limit, self.count) * Self.steps
    assert(values.indices.contains((late + 1) * Self.steps - 1), "The later day is there.")
    let values = values.span
    for step in 0..<Self.steps {
      let place = early * Self.steps + step - steps
      guard place >= 0, place < end, let one = values[place],
        let other = values[late * Self.steps + step]
      else { continue }
      (count, x, y) = (count + 1, x + one, y + other)
      (xx, yy, xy) = (xx + one * one, yy + other * other, xy + one * other)
    }
    guard count >= Double(Self.steps / 2) else { return nil }
    let spread = (xx - x * x / count) * (yy - y * y / count)
    guard spread > 0 else { return nil }
    return (xy - x * y / count) / spread.squareRoot()
  }

  /// Where the readings jump by about so many steps near a day: a gap, or places read twice.
  private func jump(of steps: Int, around day: Int) -> Instant? {
    let near = max(0, (day - 1) * Self.steps)..<min(values.count, (day + 2) * Self.steps)
    guard steps > 0 else {
      let places = near.filter { doubled[$0] }
      // Some sensors give a reading every minute.
      let usual = max(0, (day - 3) * Self.steps)..<max(0, (day - 1) * Self.steps)
      guard usual.count(where: { doubled[$0] }) * 10 < usual.count else { return nil }
      return places.count * 5 >= -steps * 3 ? places.first.flatMap { times[$0] } : nil
    }
    var last: Int?
    for place in near where times[place] != nil {
      if let last, (place - last - steps).magnitude <= 3 { return times[last] }
      last = place
    }
    return nil
  }
}
