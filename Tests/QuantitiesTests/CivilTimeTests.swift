import Determinism
import Quantities
import Testing

@Suite("Civil time")
struct CivilTimeTests {
  @Test(
    "Published dates have their published day number and weekday",
    arguments: [
      // Day numbers: Hinnant, "chrono-Compatible Low-Level Date Algorithms", and Julian day numbers
      // less 2,440,588. Weekdays from history books: a Sunday is 7.
      (year: 0, month: 3, day: 1, number: -719_468, weekday: 3),
      (1, 1, 1, -719_162, 1),
      (1582, 10, 15, -141_427, 5),
      (1600, 1, 1, -135_140, 6),
      (1900, 3, 1, -25_508, 4),
      (1945, 5, 8, -9_004, 2),
      (1969, 7, 20, -165, 7),
      (1970, 1, 1, 0, 4),
      (2000, 1, 1, 10_957, 6),
      (2000, 2, 29, 11_016, 2),
      (2000, 3, 1, 11_017, 3),
      (2026, 3, 8, 20_520, 7),
      (9999, 12, 31, 2_932_896, 5),
    ] as [(year: Int, month: Int, day: Int, number: Int64, weekday: Int)])
  func matchesPublishedDates(year: Int, month: Int, day: Int, number: Int64, weekday: Int) {
    let date = CivilTime(year: year, month: month, day: day)
    #expect(date.dayNumber == number)
    #expect(date.weekday == weekday)
    #expect(date.isValid)
    #expect(CivilTime(dayNumber: number) == date)
  }

  @Test("Four hundred years, walked day by day with the leap rule, are counted without a gap")
  func countsEveryDayOfACycle() {
    var date = (year: 1600, month: 1, day: 1)
    var number: Int64 = -135_140
    var mistakes = 0
    for _ in 0..<146_097 {
      let converted = CivilTime(dayNumber: number)
      if (converted.year, converted.month, converted.day) != date { mistakes += 1 }
      if converted.dayNumber != number { mistakes += 1 }
      number += 1
      date = dayAfter(date)
    }
    #expect(mistakes == 0)
    #expect(date == (2000, 1, 1))
    #expect(number == 10_957)
  }

  @Test("Over ± 10,000 years days survive both ways and repeat every 400 years")
  func survivesTenThousandYears() {
    var mistakes = 0
    for number in stride(from: -3_652_425 as Int64, through: 3_652_425, by: 61) {
      let date = CivilTime(dayNumber: number)
      let later = CivilTime(dayNumber: number + 146_097)
      if date.dayNumber != number || !date.isValid { mistakes += 1 }
      if (later.year, later.month, later.day) != (date.year + 400, date.month, date.day) {
        mistakes += 1
      }
      if later.weekday != date.weekday { mistakes += 1 }
    }
    #expect(mistakes == 0)
  }

  @Test("Milliseconds survive both ways, before and after 1970", arguments: 0..<20 as Range<UInt64>)
  func survivesMilliseconds(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "civil")
    for _ in 0..<100 {
      let milliseconds = Int64(stream.integer(below: 600_000_000_000_000)) - 300_000_000_000_000
      let time = CivilTime(millisecondsSince1970: milliseconds)
      #expect(time.millisecondsSince1970 == milliseconds)
      #expect(CivilTime(iso8601: time.description) == time || !(0...9999).contains(time.year))
    }
  }

  @Test(
    "Dates that no calendar has are not valid",
    arguments: [
      (2026, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 4, 31), (2026, 1, 0), (2026, 1, 32),
      (1900, 2, 29), (2100, 2, 29), (2026, 1, 366), (2026, 1, 396), (2026, 2, -336),
    ])
  func refusesImpossibleDates(year: Int, month: Int, day: Int) {
    #expect(!CivilTime(year: year, month: month, day: day).isValid)
  }

  @Test("Civil times are ordered and written as ISO 8601")
  func isWrittenAndOrdered() throws {
    let evening = try civil("2026-03-08T19:15:30.250")
    #expect(evening.description == "2026-03-08T19:15:30.250")
    #expect(evening.dateText == "2026-03-08")
    #expect(CivilTime(year: 33, month: 4, day: 3).dateText == "0033-04-03")
    #expect(CivilTime(year: -43, month: 3, day: 15).dateText == "-0043-03-15")
    let morning = try civil("2026-03-08T07:00")
    #expect(morning < evening)
  }

  private func dayAfter(_ date: (year: Int, month: Int, day: Int)) -> (Int, Int, Int) {
    let (year, month, day) = date
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if day < lengths[month - 1] { return (year, month, day + 1) }
    return month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
  }
}
