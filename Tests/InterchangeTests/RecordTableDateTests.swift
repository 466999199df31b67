import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

extension RecordTableTests {
  @Test("Dates that may be read both ways, or need both, are an error at the first")
  func refusesDates() throws {
    let one = read("time,glucose\n03/04/2026 10:00,100\n")
    #expect(one.problems.first?.sentence.contains("Say which with --dates") == true)
    #expect(one.problems.first?.position.line == 2)
    let said = try good(
      "time,glucose\n03/04/2026 10:00,100\n", RecordTable.Options(dateOrder: .dayFirst))
    #expect(said.rows[0].time.month == 4)
    #expect(read("time,glucose\n13/04/2026 10:00,100\n04/13/2026 10:00,100\n").table == nil)
    #expect(read("time,glucose\n02/30/2026 10:00,100\n").problems.first?.position.line == 2)
  }

  @Test("That the order that is said changes no date is told, and not where it changes one")
  func idleOrder() throws {
    func remarks(_ dates: [String], _ order: DateOrder?) throws -> [String] {
      let rows = dates.map { "\($0),100\n" }.joined()
      return try good("time,glucose\n\(rows)", RecordTable.Options(dateOrder: order))
        .report.warnings.map(\.description)
    }
    let years = ["2026-04-03 10:00", "2026-04-03T10:05:00"]
    #expect(
      try remarks(years, .dayFirst) == [
        "a.csv:2:1: warning: 2 records have a date that --dates does not change, as it can be "
          + "read in one way alone."
      ])
    #expect(try remarks(years, nil) == [])
    #expect(try remarks(["03.04.2026 10:00"], .monthFirst).count == 1)
    #expect(try remarks(years + ["04/03/2026 10:10"], .monthFirst) == [])
  }

  @Test("The days of a table tell the order where customs disagree, and against a custom ask")
  func contradictions() throws {
    // Five days from 1 to 5 February; with the month first they would lie in five months.
    func rows(_ unit: String, _ value: String) -> String {
      "time,glucose (\(unit))\n"
        + (1...5).map { "0\($0)-02-2026 10:00 AM,\(value)\n" }.joined()
    }
    // In mmol/L the day is said first, with AM and PM the month.
    let molar = try good(rows("mmol/L", "6.5"))
    #expect(molar.rows.map(\.time.month) == [2, 2, 2, 2, 2])
    #expect(molar.rows.map(\.time.day) == [1, 2, 3, 4, 5])
    let asked = read(rows("mg/dL", "117"))
    #expect(asked.table == nil && asked.problems.map(\.position.line) == [2])
    #expect(asked.problems.first?.sentence.contains("Say which with --dates") == true)
    let alone = read("time,glucose (mmol/L)\n01-02-2026 10:00 AM,6.5\n")
    #expect(alone.table == nil && alone.problems.map(\.position.line) == [2])
  }

  @Test("Dates that may all begin with a year of two digits are asked for")
  func asksForYears() throws {
    let rows = "time,glucose\n26-01-05 10:00,100\n26-01-06 10:00,100\n"
    let asked = read(rows)
    #expect(asked.table == nil && asked.problems.map(\.position.line) == [2])
    #expect(asked.problems.first?.sentence.contains("may begin with its year") == true)
    let said = try good(rows, RecordTable.Options(dateOrder: .dayFirst))
    #expect(said.rows.map(\.time.year) == [2_005, 2_006])
    // There is no thirteenth month, nor do a point and a slash stand behind a year of two digits.
    let american = try good("time,glucose\n05-12-26 10:00,100\n05-13-26 10:00,100\n")
    #expect(american.rows.map(\.time.year) == [2_026, 2_026])
    #expect(try good("time,glucose\n05.01.26 10:00,100\n").rows[0].time.year == 2_026)
    #expect(try good("time,glucose\n05/31/26 10:00,100\n").rows[0].time.year == 2_026)
  }

  @Test("Ten digits that are a date and an hour are no seconds since 1970")
  func digits() throws {
    let read = read("time,glucose\n2026010512,100\n")
    #expect(read.table == nil && read.problems.map(\.position.line) == [2])
    // Of no thirteenth month, and before 1900.
    #expect(try good("time,glucose\n2026130512,100\n").rows[0].time.year == 2_034)
    #expect(try good("time,glucose\n1767571200,100\n").rows[0].time.year == 2_026)
  }

  @Test("An hour that the clock shows twice is gone through twice, in either order of rows")
  func repeatedHour() throws {
    // The clock is set back by an hour at 01:00 UTC, from 03:00 to 02:00.
    let change = Instant(secondsSince1970: 1_792_890_000)
    let clock = WallClock(
      initialOffset: .hours(2), transitions: [.init(instant: change, offset: .hours(1))])
    let times = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"]
    let rows = times.enumerated().map { "2026-10-25T\($1):00,\(100 + $0)" }
    let expected = (0..<6 as Range<Int64>).map { change - .minutes(90) + .minutes(30) * $0 }
    for lines in [rows, rows.reversed()] {
      var table = try good("time,glucose\n" + lines.joined(separator: "\n"))
      let samples = table.samples(on: clock).map(\.sample)
      #expect(samples.map(\.start) == expected)
      #expect(samples.map(\.storedValue) == [100, 101, 102, 103, 104, 105])
      #expect(table.report.warnings.isEmpty)
    }
  }

  @Test("A time that the clock skipped keeps its distance to the others, and is named")
  func skippedHour() throws {
    // The clock is set forward by an hour at 01:00 UTC, from 02:00 to 03:00.
    let change = Instant(secondsSince1970: 1_774_746_000)
    let clock = WallClock(
      initialOffset: .hours(1), transitions: [.init(instant: change, offset: .hours(2))])
    let rows = ["01:45", "02:15", "02:45"].map { "2026-03-29T\($0):00,100" }
    var table = try good("time,glucose\n" + rows.joined(separator: "\n"))
    let samples = table.samples(on: clock).map(\.sample)
    #expect(
      samples.map(\.start) == [-15, 15, 45].map { change + .minutes($0) })
    let warning = try #require(table.report.warnings.first)
    #expect(warning.position.line == 3)
    #expect(warning.sentence.hasPrefix("2 records have a time that the clock skipped"))
  }
}
