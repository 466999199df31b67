internal import Quantities

/// The order of the parts of a date whose year stands last.
public enum DateOrder: String, CaseIterable, Hashable, Sendable {
  /// Such as 31.12.2026.
  case dayFirst = "day-first"
  /// Such as 12/31/2026.
  case monthFirst = "month-first"
}

/// A date and time as a table writes them, before it is known which part of the date is the day.
///
/// Read are `2026-01-05T12:00:00`, with a blank for the `T` and with `Z` or `+02:00` at the end;
/// `2026/01/05 12:00`; `05.01.2026 12:00`, `1/5/2026 3:05 PM`; with a time of its own column beside
/// it; and seconds or milliseconds since 1970.
struct TableMoment: Hashable {
  /// The first two parts of a date whose year stands last, or month and day where it stands first.
  private var parts: (first: Int, second: Int) { (first, second) }
  private var first: Int
  private var second: Int
  private var year: Int
  private var time: TimeOfDay
  /// Whether the order of the parts is known from the text alone.
  private var order: DateOrder?
  private var isYearFirst: Bool
  /// What the wall clock was ahead of UTC, where the text says so.
  var offset: TimeSpan?

  /// Whether the text names half of the day with AM or PM.
  private(set) var hasHalfDay = false

  /// Whether two digits that are read as the day or the month may be those of the year, as in
  /// `26-01-05`.
  private(set) var mayBeginWithYear = false

  /// The years in which a record may be.
  private static let years = 1_900...2_500

  init?(_ text: String) {
    let text = text.trimmed
    if let plain = Self(plain: text) {
      self = plain
      return
    }
    if let number = Int64(text), text.utf8.count >= 10 {
      guard !Self.isDateWithHour(number) else { return nil }
      let instant = Instant(millisecondsSince1970: text.utf8.count >= 13 ? number : number * 1_000)
      let civil = CivilTime(millisecondsSince1970: instant.millisecondsSince1970)
      // Digits that are a date, such as 20260105120000, would be a time in the year 2612.
      guard Self.years.contains(civil.year) else { return nil }
      (first, second, year, time) = (civil.month, civil.day, civil.year, civil.timeOfDay)
      (isYearFirst, order, offset) = (true, nil, .zero)
      return
    }
    let words = text.split(maxSplits: 1, omittingEmptySubsequences: true) {
      $0 == "T" || $0 == " " || $0 == ","
    }
    guard let date = words.first, let mark = date.first(where: { !$0.isNumber }),
      "-/.".contains(mark)
    else { return nil }
    let numbers = date.split(separator: mark, omittingEmptySubsequences: false).map {
      $0.utf8.count <= 4 ? Int($0) : nil
    }
    guard numbers.count == 3, let one = numbers[0], let two = numbers[1], let three = numbers[2]
    else { return nil }
    isYearFirst = one > 31
    (first, second, year) = isYearFirst ? (two, three, one) : (one, two, three)
    if year < 100, !isYearFirst {
      year += 2_000
      mayBeginWithYear =
        mark == "-" && date.utf8.count == 8
        && date.utf8.dropFirst(2).first == UInt8(ascii: "-")
        && CivilTime(year: 2_000 + one, month: two, day: three).isValid
    }
    order = mark == "." ? .dayFirst : nil
    guard Self.years.contains(year) else { return nil }
    let rest = words.count > 1 ? String(words[1]).trimmed : "00:00"
    guard let clock = Clock(rest) else { return nil }
    (time, offset, hasHalfDay) = (clock.time, clock.offset, clock.hasHalfDay)
    if !isYearFirst, order == .dayFirst, civil(.dayFirst) == nil { return nil }
    if isYearFirst, civil(.monthFirst) == nil { return nil }
  }

  /// Reads a text such as `2026-01-05T12:00:00Z`, as most tables have them, byte by byte; `nil` for
  /// one in any other form, which may be a time as well.
  private init?(plain text: String) {
    let bytes = text.utf8
    let isUTC = bytes.count == 20
    // Of what ISO 8601 allows besides, not all is a time in a table.
    guard [16, 19, 20].contains(bytes.count), isUTC == (bytes.last == UInt8(ascii: "Z")),
      bytes.dropFirst(10).first != UInt8(ascii: "t"), let stated = ISO8601Time(text),
      isUTC || stated.offset == nil, Self.years.contains(stated.civil.year)
    else { return nil }
    let civil = stated.civil
    (first, second, year, time) = (civil.month, civil.day, civil.year, civil.timeOfDay)
    (isYearFirst, order, offset) = (true, nil, stated.offset)
  }

  /// Whether ten digits are a date with its hour, such as 2026010512, and no seconds since 1970,
  /// which would be a time after March 2030.
  private static func isDateWithHour(_ number: Int64) -> Bool {
    guard (1_900_000_000..<2_100_000_000).contains(number), number % 100 < 24 else { return false }
    return CivilTime(
      year: Int(number / 1_000_000), month: Int(number / 10_000 % 100),
      day: Int(number / 100 % 100)
    ).isValid
  }

  /// The date and time on the wall clock; `nil` where the order makes no date.
  func civil(_ order: DateOrder) -> CivilTime? {
    let order = isYearFirst ? .monthFirst : self.order ?? order
    let (month, day) = order == .monthFirst ? (first, second) : (second, first)
    let civil = CivilTime(year: year, month: month, day: day, timeOfDay: time)
    return (1...12).contains(month) && civil.isValid ? civil : nil
  }

  /// Whether the text could be read in both orders, with different dates.
  var isAmbiguous: Bool {
    !isYearFirst && order == nil && first != second && civil(.dayFirst) != nil
      && civil(.monthFirst) != nil
  }

  /// Whether the text is the same date in both orders, as one that begins with its year.
  var isOfOneOrder: Bool { civil(.dayFirst) == civil(.monthFirst) }

  /// The only order in which the text makes a date; `nil` where both do or none has to.
  var onlyOrder: DateOrder? {
    guard !isYearFirst, order == nil else { return order }
    switch (civil(.dayFirst) != nil, civil(.monthFirst) != nil) {
    case (true, false): return .dayFirst
    case (false, true): return .monthFirst
    default: return nil
    }
  }

  var isReadable: Bool { civil(.dayFirst) != nil || civil(.monthFirst) != nil }
}

/// A time of day with what may follow it.
private struct Clock {
  var time: TimeOfDay
  var offset: TimeSpan?
  var hasHalfDay = false

  init?(_ text: String) {
    let digits = text.prefix { $0.isNumber || $0 == ":" || $0 == "." }
    var rest = String(text.dropFirst(digits.count)).trimmed
    let half = rest.lowercased().filter { $0 != "." && $0 != "\u{a0}" && $0 != "\u{202f}" }
    var clock = String(digits)
    if clock.utf8.count == 4, clock.utf8.dropFirst().first == UInt8(ascii: ":") {
      clock = "0" + clock
    } else if clock.utf8.count == 7, clock.utf8.dropFirst().first == UInt8(ascii: ":") {
      clock = "0" + clock
    }
    guard var time = TimeOfDay(clock) else { return nil }
    if half == "am" || half == "pm" {
      hasHalfDay = true
      rest = ""
      let noon: Int64 = 43_200_000
      guard time.milliseconds < 13 * 3_600_000, time.milliseconds >= 3_600_000 else { return nil }
      let hour12 = time.milliseconds % noon
      time = TimeOfDay(milliseconds: half == "pm" ? hour12 + noon : hour12)
    }
    self.time = time
    switch rest {
    case "": offset = nil
    case "Z", "z", "UTC": offset = .zero
    default:
      guard let span = Self.offset(rest) else { return nil }
      offset = span
    }
  }

  private static func offset(_ text: String) -> TimeSpan? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, let number = Int(digits), number % 100 < 60, number <= 1_800
    else { return nil }
    let span = TimeSpan.minutes(Int64(number / 100 * 60 + number % 100))
    return sign == "-" ? -span : span
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    // Most texts have none; looking at bytes costs a fiftieth of looking at characters.
    if let first = utf8.first, let last = utf8.last, Self.isVisible(first), Self.isVisible(last) {
      return self
    }
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }

  /// Whether a byte is a character of ASCII that is no blank: no blank begins or ends with one.
  private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }
}
