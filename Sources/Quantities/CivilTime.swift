/// A date and a time of day as a clock on the wall shows them, without a time zone.
///
/// Dates follow the proleptic Gregorian calendar.
public struct CivilTime: Hashable, Sendable {
  /// The year; the year before 1 is 0.
  public var year: Int
  /// The month, 1 to 12.
  public var month: Int
  /// The day of the month, 1 to 31.
  public var day: Int

  /// The time of day.
  public var timeOfDay: TimeOfDay

  /// Creates a civil time; ``isValid`` says whether the date exists.
  public init(year: Int, month: Int, day: Int, timeOfDay: TimeOfDay = .midnight) {
    self.year = year
    self.month = month
    self.day = day
    self.timeOfDay = timeOfDay
  }

  /// The civil time that is `milliseconds` after 1 January 1970, 00:00 on the same wall clock.
  public init(millisecondsSince1970 milliseconds: Int64) {
    let day = TimeSpan(milliseconds: milliseconds).quotient(by: .days(1))
    // At the ends of the range the start of the day itself does not fit; the rest always does.
    let rest = milliseconds &- day &* 86_400_000
    self.init(dayNumber: day, timeOfDay: TimeOfDay(milliseconds: rest))
  }

  /// The civil time on the day with the given number, counted from 1 January 1970.
  ///
  /// The conversion is the era-based one of Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms", section `civil_from_days`.
  public init(dayNumber: Int64, timeOfDay: TimeOfDay = .midnight) {
    assert(dayNumber.magnitude < 1 << 60, "A day lies within the range of the calendar.")
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.init(year: Int(year), month: Int(month), day: Int(day), timeOfDay: timeOfDay)
  }

  /// The number of days from 1 January 1970 to this date.
  public var dayNumber: Int64 {
    let year = Int64(month <= 2 ? year - 1 : year)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The milliseconds from 1 January 1970, 00:00 on the same wall clock.
  public var millisecondsSince1970: Int64 { dayNumber * 86_400_000 + timeOfDay.milliseconds }

  /// Whether the month and the day of the month exist.
  public var isValid: Bool {
    // Far beyond its end the days of a month are those of the same one in another year.
    guard (1...12).contains(month), (1...31).contains(day) else { return false }
    return CivilTime(dayNumber: dayNumber).month == month
  }

  /// The day of the week: 1 is Monday, 7 is Sunday (ISO 8601).
  public var weekday: Int {
    assert((1...12).contains(month), "A date has a month from 1 to 12.")
    let days = dayNumber + 3
    return Int(days - (TimeSpan(milliseconds: days).quotient(by: .milliseconds(7)) * 7)) + 1
  }
}

extension CivilTime: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.millisecondsSince1970 < rhs.millisecondsSince1970
  }
}

extension CivilTime: CustomStringConvertible {
  /// The civil time in ISO 8601 without an offset, such as `2026-03-08T07:15:00`.
  public var description: String { ASCIIText { $0.append(self) }.text }

  /// The date alone, such as `2026-03-08`.
  public var dateText: String { ASCIIText { $0.append(dateOf: self) }.text }
}
