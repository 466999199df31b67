internal import Quantities

/// What the clocks of a zone show, as a record of ``ZoneTable`` has it.
struct Zone {
  /// A change that comes every year: on the first to fourth, or the last, of a day of the week.
  private struct YearlyChange {
    var month: Int
    /// 1 to 4, or 5 for the last.
    var week: Int
    /// 0 is Sunday.
    var weekday: Int
    /// The time of day, by the offset that ends; it may lie on the day before or after.
    var time: TimeSpan
    /// The offset from then on.
    var offset: TimeSpan

    init?(_ text: Substring.UTF8View) {
      let numbers = Zone.numbers(in: text, separator: UInt8(ascii: "."))
      guard numbers.count == 5, (1...12).contains(numbers[0]) else { return nil }
      (month, week, weekday) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]))
      (time, offset) = (.seconds(numbers[3]), .seconds(numbers[4]))
    }

    /// The instant of the change in a year.
    func instant(in year: Int, after offset: TimeSpan) -> Instant {
      assert(
        (1...5).contains(week) && (0...6).contains(weekday), "A rule names a week and its day.")
      let first = CivilTime(year: year, month: month, day: 1)
      let ahead = (weekday - first.weekday % 7 + 7) % 7
      var day = first.dayNumber + Int64(ahead + 7 * (week - 1))
      while CivilTime(dayNumber: day).month != month { day -= 7 }
      return Instant(millisecondsSince1970: day * 86_400_000) + (time - offset)
    }
  }

  private let initialOffset: TimeSpan
  private let changes: [WallClock.Transition]
  /// None, or two by turns.
  private let yearly: [YearlyChange]

  /// Reads a record of the table; `nil` where it is none.
  init?(_ record: Substring.UTF8View) {
    let parts = record.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let offsets = Self.numbers(in: parts[1], separator: UInt8(ascii: " "))
    guard let first = offsets.first else { return nil }
    initialOffset = .seconds(first)
    var found: [WallClock.Transition] = []
    var (instant, halfMinutes) = (Instant(secondsSince1970: Int64(0)), Int64(0))
    for byte in parts[2] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        halfMinutes = halfMinutes * 36 + Int64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        halfMinutes = halfMinutes * 36 + Int64(byte - UInt8(ascii: "a")) + 10
      default:
        let index = Int(byte) - Int(UInt8(ascii: "A"))
        guard offsets.indices.contains(index) else { return nil }
        instant += .seconds(30) * halfMinutes
        found.append(.init(instant: instant, offset: .seconds(offsets[index])))
        halfMinutes = 0
      }
    }
    changes = found
    yearly = parts[3].split(separator: UInt8(ascii: ",")).compactMap(YearlyChange.init)
    guard yearly.isEmpty || yearly.count == 2 else { return nil }
  }

  private static func numbers(in text: Substring.UTF8View, separator: UInt8) -> [Int64] {
    text.split(separator: separator).compactMap { Int64(Substring($0)) }
  }

  /// The clock, with the yearly changes around two instants.
  func clock(from start: Instant, to end: Instant) -> WallClock {
    guard yearly.count == 2 else {
      return WallClock(initialOffset: initialOffset, transitions: changes)
    }
    let told = changes.last?.instant ?? Instant(secondsSince1970: Int64(0))
    let years = [max(told, start), end].map { Self.year(of: $0) }
    var all = changes
    for year in (years[0] - 1)...max(years[0], min(years[1] + 1, years[0] + 2_000)) {
      for (change, before) in [(yearly[0], yearly[1]), (yearly[1], yearly[0])] {
        let instant = change.instant(in: year, after: before.offset)
        if instant > told { all.append(.init(instant: instant, offset: change.offset)) }
      }
    }
    return WallClock(initialOffset: initialOffset, transitions: all)
  }

  /// The year of an instant, within those for which anybody has rules.
  private static func year(of instant: Instant) -> Int {
    let year = CivilTime(millisecondsSince1970: instant.millisecondsSince1970).year
    return min(max(year, 1_970), 1_000_000)
  }
}
