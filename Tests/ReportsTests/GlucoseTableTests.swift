import Interchange
import Outcomes
import Quantities
import StructuredText
import Testing

@testable import Reports

@Suite("Glucose tables")
struct GlucoseTableTests {
  private func series(_ text: String, _ table: GlucoseTable = GlucoseTable())
    -> (series: GlucoseSeries?, problems: [TextProblem])
  {
    let problems = ProblemList()
    return (table.series(Array(text.utf8), file: "a.csv", problems: problems), problems.problems)
  }

  @Test("Columns are found by their usual names, and rows without a value are gaps")
  func findsColumns() throws {
    let text =
      "time,event,glucose_mgdl\n2026-01-05T12:00:00,,100\n2026-01-05 "
      + "12:05:00,x,\n2026-01-05T12:10,,120\n"
    let read = try #require(series(text).series)
    #expect(read.values == [100, 120])
    #expect(read.points[1].instant - read.points[0].instant == .minutes(10))
  }

  @Test("That the order of dates that is said changes nothing is a note")
  func idleOrder() throws {
    let text = "time,glucose_mgdl\n2026-04-03T12:00:00,100\n2026-04-03T12:05:00,120\n"
    let said = series(text, GlucoseTable(dateOrder: .dayFirst))
    #expect(said.series?.values == [100, 120])
    #expect(
      said.problems.map(\.sentence) == [
        "2 rows have a date that --dates does not change, as it can be read in one way alone."
      ])
    #expect(series(text).problems == [])
  }

  @Test("Times in UTC are shown by the clock that is named, and where none is that is a note")
  func timesInUTC() throws {
    let text = "time,glucose_mgdl\n2026-02-03T02:00:00Z,100\n2026-02-03T05:30:00Z,120\n"
    let note =
      "All times are in UTC, and days and nights are taken as those of UTC. Name the person's time "
      + "zone with --zone."
    let plain = series(text)
    #expect(plain.problems.map(\.sentence) == [note])
    let west = series(text, GlucoseTable(clock: WallClock(initialOffset: .hours(-5))))
    #expect(west.problems == [])
    for (read, times) in [
      (plain.series, ["2026-02-03T02:00:00", "2026-02-03T05:30:00"]),
      (west.series, ["2026-02-02T21:00:00", "2026-02-03T00:30:00"]),
    ] {
      let series = try #require(read)
      #expect(
        series.points.map { String("\(series.clock.civilTime(at: $0.instant))".prefix(19)) }
          == times)
    }
    // What a clock on the wall showed it shows in that zone too.
    let local = series(
      "time,glucose_mgdl\n2026-02-03T02:00:00,100\n",
      GlucoseTable(clock: WallClock(initialOffset: .hours(-5))))
    #expect(local.problems == [])
    let read = try #require(local.series)
    #expect(read.points.map { "\($0.instant)" } == ["2026-02-03T07:00:00Z"])
    #expect("\(read.clock.civilTime(at: read.points[0].instant))".hasPrefix("2026-02-03T02:00:00"))
  }

  @Test("An hour that the clock of a zone shows twice is read twice, and one it skips is told")
  func changesOfClocks() throws {
    // From 02:00 to 03:00 by summer time, and then from 02:00 to 03:00 by winter time.
    let change = try #require(Instant(iso8601: "2026-10-25T01:00:00Z"))
    let autumn = WallClock(
      initialOffset: .hours(2), transitions: [.init(instant: change, offset: .hours(1))])
    let times = ["02:00", "02:30", "02:00", "02:30", "03:00"]
    let rows = times.enumerated().map { "2026-10-25T\($1):00,\(100 + $0)\n" }
    for (order, values) in [(rows, [100, 101, 102, 103, 104]), (rows.reversed(), nil)] {
      let text = "time,glucose_mgdl\n" + order.joined()
      let told = series(text, GlucoseTable(clock: autumn))
      #expect(told.problems == [])
      let read = try #require(told.series)
      #expect(
        read.points.map { "\($0.instant)" } == [
          "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z",
          "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z",
        ])
      if let values { #expect(read.values == values.map(Double.init)) }
    }
    let spring = WallClock(
      initialOffset: .hours(1), transitions: [.init(instant: change, offset: .hours(2))])
    // 02:30 is 01:30 in UTC by a clock that was not set.
    let skipped = series("time,bg\n2026-10-25T02:30:00,100\n", GlucoseTable(clock: spring))
    #expect(try #require(skipped.series).points.map { "\($0.instant)" } == ["2026-10-25T01:30:00Z"])
    #expect(
      skipped.problems.map(\.sentence) == [
        "1 row has a time that the clock skipped when it was set forward: taken as that of a clock "
          + "which was not set."
      ])
  }

  @Test("A table whose newest reading is the first has the same days and nights")
  func newestFirst() throws {
    // The day of 25 hours in Chicago, a reading each hour: the hour from one to two comes twice.
    let times =
      ["00:00:00-05:00", "01:00:00-05:00"]
      + (1...23).map { "\($0 < 10 ? "0" : "")\($0):00:00-06:00" }
    let rows = times.map { "2026-11-01T\($0),100" }
    for rows in [rows, rows.reversed()] {
      let text = (["time,glucose_mgdl"] + rows).joined(separator: "\n") + "\n"
      let read = try #require(series(text).series)
      #expect(read.timeInRanges(.night)?.count == 7)
      #expect(read.timeInRanges()?.count == 25)
    }
  }

  @Test("A column in mmol/L is read in mmol/L")
  func readsMillimoles() throws {
    let read = try #require(series("time,glucose_mmoll\n2026-01-05T12:00:00,5\n").series)
    #expect(abs(read.values[0] - 90.078) < 1e-9)
    let stated = try #require(
      series("time,bg\n2026-01-05T12:00:00,5\n", GlucoseTable(isMolar: true)).series)
    #expect(stated.values == read.values)
  }

  @Test("Two devices with readings in the same time are named; one after the other is a change")
  func tellsDevices() throws {
    let header =
      "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mmol/L,"
      + "Scan Glucose mmol/L,,Rapid-Acting Insulin,,Carbohydrates,,,Long-Acting Insulin,Notes,"
      + "Strip Glucose mmol/L"
    func rows(_ device: String, _ hours: ClosedRange<Int>) -> String {
      hours.map { hour in
        let time = hour < 10 ? "0\(hour)" : "\(hour)"
        return "Libre,\(device),30-01-2026 \(time):00,0,6.1,,,,,,,,,,\n"
      }.joined()
    }
    func person(_ rows: String) throws -> GlucoseTable.Person {
      let problems = ProblemList()
      let text = "Glucose Data\n\(header)\n\(rows)Libre,A,30-01-2026 23:30,2,,,,,,,,,,,9.9\n"
      let people = GlucoseTable().people(Array(text.utf8), file: "a.csv", problems: problems)
      return try #require(people?.first)
    }
    let both = try person(rows("A", 0...11) + rows("B", 1...14))
    #expect(
      both.notes == [
        "1 reading of a meter left out.",
        "Both Libre A and Libre B have readings in the same 10h: they are measured as one series.",
      ])
    // The meter's reading is left out, and its column is not named as measured.
    #expect(both.column == "Historic Glucose mmol/L, Scan Glucose mmol/L")
    #expect(both.series.points.count == 12 + 14 - 11)
    #expect(
      try person(rows("A", 0...11) + rows("B", 12...23)).notes == ["1 reading of a meter left out."]
    )
    #expect(try person("").column == "Strip Glucose mmol/L")
  }

  @Test("How long two devices go on is told by the clock of the zone that is named")
  func devicesByClock() throws {
    // One from 00:00 to 10:00 in UTC, the other from 05:00 to 15:00 in Tokyo, until 06:00 in UTC.
    let rows = (0..<21 as Range<Int64>).flatMap { half -> [String] in
      let time = TimeSpan.minutes(30) * half
      let start = Instant(secondsSince1970: 1_772_582_400)  // 2026-03-04T00:00:00Z
      let local = "\(start + .hours(5) + time)".replacing("Z", with: "")
      return ["\(start + time),100,A\n", "\(local),110,B\n"]
    }
    let text = "time,glucose_mgdl,device\n" + rows.joined()
    let table = GlucoseTable(clock: WallClock(initialOffset: .hours(9)))
    let people = table.people(Array(text.utf8), file: "a.csv", problems: ProblemList())
    #expect(
      try #require(people?.first).notes == [
        "Both A and B have readings in the same 6h: they are measured as one series."
      ])
  }

  @Test("Two devices of any table are named, and readings of other types than a sensor's are told")
  func tellsRowsLeftOut() throws {
    let rows = (0..<30).map { step in
      let time = step < 10 ? "0\(step)" : "\(step)"
      let type = step == 20 ? "calibration" : step == 21 ? "" : "cgm"
      return "2026-03-10T00:\(time):00,\(100 + step),\(type),\(step % 2)\n"
    }
    let problems = ProblemList()
    let text = "time,glucose,type,Serial Number\n" + rows.joined()
    let people = GlucoseTable().people(Array(text.utf8), file: "a.csv", problems: problems)
    let person = try #require(people?.first)
    #expect(person.series.points.count == 28)
    // The answer itself tells what was left out, beside the notes with their places.
    #expect(
      person.notes.prefix(2) == [
        "1 row left out: rows of type 'calibration'.",
        "1 row left out: rows of glucose without a type.",
      ])
    #expect(person.notes.count == 3)
    #expect(person.notes.last?.hasPrefix("Both 0 and 1 have readings in the same ") == true)
    #expect(
      problems.problems.map(\.description) == [
        "a.csv:22:1: note: 1 row left out: rows of type 'calibration'.",
        "a.csv:23:1: note: 1 row left out: rows of glucose without a type.",
      ])
  }

  @Test("Of many pairs of devices it is told how many there are beyond the three that are named")
  func tellsManyDevices() throws {
    var rows: [String] = []
    for step in 10..<40 {
      for device in 1...4 {
        rows.append("2026-03-10T00:\(step):0\(device),\(100 + step),\(device)\n")
      }
    }
    let text = "time,glucose,Serial Number\n" + rows.joined()
    let people = GlucoseTable().people(Array(text.utf8), file: "a.csv", problems: ProblemList())
    let notes = try #require(people?.first).notes.filter { !$0.hasPrefix("Both ") }
    #expect(notes.last == "So have 3 more pairs of devices.")
  }

  @Test("Of readings hours apart the answer has no number of lows, and says so")
  func readingsApart() throws {
    let rows = [7, 12, 18, 22].map { hour in
      "2026-03-10T\(hour < 10 ? "0" : "")\(hour):20:00,55\n"
    }
    let read = try #require(series("time,glucose\n" + rows.joined()).series)
    let report = GlucoseReport(read).json
    #expect(report["events"]?["hypo_lt70"]?["count"] == .null)
    #expect(report["ranges"]?["tbr_lt70"] == .number(100))
    let lines = TerminalGlucose(unit: .milligramsPerDecilitre).lines(of: read)
    #expect(lines.contains { $0.contains("lows below 70, 15 min") && $0.contains("–") })
  }

  @Test("Offsets from UTC move the instant and stay on the wall clock")
  func readsOffsets() throws {
    let text = """
      time,bg
      2026-03-29T01:55:00+01:00,100
      2026-03-29T03:00:00+02:00,110
      """
    let read = try #require(series(text).series)
    #expect(read.points[1].instant - read.points[0].instant == .minutes(5))
    #expect(read.clock.timeOfDay(at: read.points[1].instant).hoursAndMinutes == "03:00")
  }

  @Test("Rows that cannot be read are reported with their place")
  func reportsRows() {
    let result = series("time,bg\nyesterday,100\n2026-01-05T12:00:00,lots\n2026-02-30T12:00:00,5\n")
    #expect(result.problems.map(\.position.line) == [2, 3, 4])
    #expect(result.problems[1].position.column == 21)
  }

  @Test(
    "A unit may stand at the end of a column's name without brackets",
    arguments: ["glucose mmol/L", "Glucose, mmol/L", "Sensor Glucose mmol/L", "BG (mmol/L)"])
  func readsUnitInName(name: String) throws {
    let head = name.contains(",") ? "\"\(name)\"" : name
    let read = try #require(series("time,\(head)\n2026-01-05T12:00:00,5\n").series)
    #expect(abs((read.values.first ?? 0) - 5 * 18.0156) < 0.01)
  }

  @Test("A column that is not there is named, with the nearest")
  func reportsColumns() {
    // Whoever reads it may be `store import`, which has no option for the name.
    #expect(
      series("when,bg\n").problems.first?.sentence
        == "No column of times is known among when, bg. Name it \"time\" in the table; loopsim "
        + "outcomes has --time for it, too.")
    let named = series("time,sensor\n", GlucoseTable(glucoseColumn: "sensr"))
    #expect(named.problems.first?.sentence.contains("Did you mean \"sensor\"?") == true)
    #expect(series("").series == nil)
  }

  @Test("A report has every part, and null where the series gives nothing")
  func reportsNothingAsNull() throws {
    let report = GlucoseReport(TerminalTests.series([100, 110])).json
    #expect(report["glucose"]?["mean"] == .number(105))
    #expect(report["variability"]?["modd"] == .null)
    #expect(report["events"]?["hypo_lt70"]?["count"] == 0)
    #expect(report["cvga"]?["zone"] == "A")
    let empty = GlucoseReport(TerminalTests.series([])).json
    #expect(empty["glucose"] == .null)
    #expect(empty["events"] == .null)
  }

  @Test("Who is in a table and has no reading of glucose is named in what is said of it")
  func withoutReadings() throws {
    // One has a bolus and no glucose, and of one there is nothing but a name.
    let text = """
      id,time,glucose,bolus
      a,2026-01-15T00:00:00,100,
      b,2026-01-15T00:00:00,,2
      c,2026-01-15T00:00:00,120,
      d,2026-01-15T00:00:00,,

      """
    let problems = ProblemList()
    let people = GlucoseTable().people(Array(text.utf8), file: "t.csv", problems: problems)
    #expect(people?.map(\.name) == ["a", "c"])
    let note = "The table has no reading of glucose of b, d."
    #expect(
      people?.map(\.notes) == [["In the whole table: \(note)"], ["In the whole table: \(note)"]])
    #expect(problems.problems.map(\.sentence).contains(note))
  }
}
