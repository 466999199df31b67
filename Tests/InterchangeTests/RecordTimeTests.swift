import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Times of records that may mean something else")
struct RecordTimeTests {
  private func made(_ rows: [String]) throws -> RecordTable {
    let problems = ProblemList()
    let text = "time,glucose\n" + rows.joined(separator: "\n")
    let table = RecordTable.read(Array(text.utf8), file: "a.csv", problems: problems)
    return try #require(table, "\(problems.sorted)")
  }

  @Test("Of an hour that the clock shows twice and a table has once, it is said which is meant")
  func onceOfTwice() throws {
    // The clock is set back by an hour at 01:00 UTC, from 03:00 to 02:00.
    let change = Instant(secondsSince1970: 1_792_890_000)
    let clock = WallClock(
      initialOffset: .hours(2), transitions: [.init(instant: change, offset: .hours(1))])
    func rows(_ times: String...) -> [String] {
      times.map { "2026-10-25T\($0):00,100" }
    }
    // A dump that begins in the second of the two hours.
    var later = try made(rows("02:10", "02:40", "03:10"))
    let samples = later.samples(on: clock)
    #expect(samples.map(\.sample.start) == [-50, -20, 70].map { change + .minutes($0) })
    let warning = try #require(later.report.warnings.first)
    #expect(warning.position.line == 2)
    #expect(
      warning.sentence == "2 records have a time that the clock showed twice when it was set back, "
        + "and the table has such times once: taken as the first of the two.")
    var whole = try made(rows("02:10", "02:40", "02:10", "02:40", "03:10"))
    _ = whole.samples(on: clock)
    #expect(whole.report.warnings.isEmpty)
    // A table that says the offset leaves nothing open.
    var told = try made(["2026-10-25T02:10:00+01:00,100"])
    #expect(told.samples(on: clock).map(\.sample.start) == [change + .minutes(10)])
    #expect(told.report.warnings.isEmpty)
  }

  @Test("Each device goes through the hour that the clock shows twice by itself")
  func twiceOfDevices() throws {
    let change = Instant(secondsSince1970: 1_792_890_000)
    let clock = WallClock(
      initialOffset: .hours(2), transitions: [.init(instant: change, offset: .hours(1))])
    func minutes(_ rows: String...) throws -> [Int64] {
      let problems = ProblemList()
      let text =
        "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,"
        + "Scan Glucose mg/dL,a,Rapid-Acting Insulin (units),b,Carbohydrates (grams),c,d,"
        + "Long-Acting Insulin (units),Notes,Strip Glucose mg/dL\n"
        + rows.map { row in
          let (device, time) = (row.prefix(1), row.dropFirst(2))
          return "Libre,\(device),10-25-2026 \(time) AM,0,100,\n"
        }.joined()
      let read = RecordTable.read(Array(text.utf8), file: "a.csv", problems: problems)
      var table = try #require(read, "\(problems.sorted)")
      return table.samples(on: clock).map { ($0.sample.start - change).milliseconds / 60_000 }
    }
    // One sensor ends in the second of the two hours, and what another said stands after it.
    #expect(
      try minutes("A 02:10", "A 02:50", "A 02:20", "B 02:05", "B 02:40", "B 02:30", "B 03:05")
        == [-55, -50, -20, -10, 20, 30, 65])
    // Rows of both by time: the meter's one row is as late as it stands.
    #expect(try minutes("A 02:10", "A 02:50", "A 02:20", "B 02:25") == [-50, -10, 20, 25])
    #expect(
      try minutes("A 02:10", "A 02:50", "A 02:20", "B 02:19", "A 02:35") == [-50, -10, 19, 20, 35])
    // Newest first, one device after the other.
    #expect(
      try minutes("A 02:20", "A 02:50", "A 02:10", "B 02:30", "B 02:05") == [
        -55, -50, -30, -10, 20,
      ])
  }

  @Test("A date ten years or more from the others is taken over, and told")
  func farDates() throws {
    func warnings(_ years: String...) throws -> [String] {
      var table = try made(years.map { "\($0)-03-04T08:00:00,100" })
      _ = table.samples(on: .utc)
      return table.report.warnings.map(\.sentence)
    }
    #expect(try warnings("2026", "2026", "2027", "2017") == [])
    let sentence =
      "have a date ten years or more from the others, as of a device whose clock was not set: the "
      + "first is BloodGlucose at"
    #expect(
      try warnings("2026", "2026", "2026", "1990", "2090")
        == ["2 records \(sentence) 1990-03-04T08:00:00Z."])
    // What most of a record holds is not what is far.
    #expect(
      try warnings("2000", "2000", "2026").map { $0.hasPrefix("1 record has a date") } == [true])
    var table = try made(["2026-03-04T08:00:00,100", "2000-03-04T08:00:00,100"])
    _ = table.samples(on: .utc)
    let remarks = JSONWriter().text(table.report.json)
    #expect(remarks.contains("\"remarks\": [\n    {"), "\(remarks)")
  }

  @Test("Digits are seconds or milliseconds since 1970, and no date without marks")
  func digits() throws {
    // 2026-01-05T12:00:00Z in both.
    var table = try made(["1767614400,100", "1767614700000,101"])
    let start = try #require(Instant(iso8601: "2026-01-05T12:00:00Z"))
    #expect(table.samples(on: .utc).map(\.sample.start) == [start, start + .minutes(5)])
    for text in ["20260105120000", "202601051200", "1767614400000000"] {
      let problems = ProblemList()
      let table = RecordTable.read(
        Array("time,glucose\n\(text),100".utf8), file: "a.csv", problems: problems)
      #expect(table == nil)
      #expect(
        problems.sorted.map(\.description) == [
          "a.csv:2:1: error: \"\(text)\" is no time. Write one such as 2026-01-05T12:00:00."
        ])
    }
  }

  @Test("tconnectsync's times with a blank are read, and a wrong one is none")
  func blankInTime() throws {
    let text = """
      [{"eventType":"Combo Bolus","created_at":"2026-04-01 12:57:41-05:00","insulin":6.35,
        "enteredBy":"Pump (tconnectsync)"},
       {"eventType":"Combo Bolus","created_at":"2026-04-01  12:57:41-05:00","insulin":1}]
      """
    var reader = NightscoutReader(file: "a.json")
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "a.json").root)
    let read = reader.samples(of: root, problems: problems)
    let samples = try #require(read)
    #expect(samples.map(\.sample.start) == [Instant(iso8601: "2026-04-01T17:57:41Z")])
    #expect(reader.report.omissions.map(\.count) == [1])
  }

  @Test("Basal of two pumps at one time is told, as where one that is worn no more counts on")
  func twoPumps() throws {
    func basal(_ device: String, _ hour: String) -> String {
      """
      {"type":"basal","id":"\(device)\(hour)","time":"2026-02-03T\(hour):00:00.000Z","rate":1,
        "deliveryType":"scheduled","duration":3600000,"deviceId":"\(device)"}
      """
    }
    func remarks(_ basals: [String]) throws -> [Int] {
      let text = "[\(basals.joined(separator: ","))]"
      let root = try #require(JSONReader.read(text: text, file: "a.json").root)
      var reader = TidepoolReader(file: "a.json")
      _ = reader.samples(of: root, problems: ProblemList())
      return reader.report.remarks.map(\.count)
    }
    // One after the other is a change of pumps.
    #expect(try remarks([basal("old", "06"), basal("new", "07"), basal("new", "08")]) == [])
    let half = basal("new", "07").replacing("T07:00", with: "T06:30")
    #expect(try remarks([basal("old", "06"), half, basal("old", "07")]) == [2])
    #expect(try remarks([basal("new", "06"), half, basal("new", "07")]) == [])
  }

  @Test("Several files of Tidepool are one record: an object counts once, by its newest version")
  func tidepoolFiles() throws {
    func basal(_ id: String, _ hour: String, _ rate: Double) -> String {
      """
      {"type":"basal","id":"\(id)","time":"2026-02-03T\(hour):00:00.000Z","rate":\(rate),
        "deliveryType":"scheduled","duration":7200000}
      """
    }
    func bolus(_ units: Double, _ more: String = "") -> String {
      """
      {"type":"bolus","id":"n","time":"2026-02-03T08:00:00.000Z","normal":\(units)\(more)}
      """
    }
    func read(_ files: [String]) throws -> (samples: [Sample], report: ImportReport) {
      let roots = try files.enumerated().map { index, text in
        try #require(JSONReader.read(text: text, file: "\(index).json").root)
      }
      let problems = ProblemList()
      var reader = TidepoolReader(file: "all")
      let read = reader.samples(of: roots, problems: problems)
      let samples = try #require(read, "\(problems.sorted)")
      return (samples.map(\.sample), reader.report)
    }
    let first = "[\(basal("a", "06", 1)),\(bolus(1.2))]"
    let second = "[\(basal("b", "07", 0.5)),\(bolus(2))]"
    // 1 U/h from 06:00 to 07:00, and 0.5 U/h until 09:00: the first is cut by the other file's.
    for (files, units) in [([first, second], 2.0), ([second, first], 1.2)] {
      let (samples, report) = try read(files)
      #expect(samples.map(\.storedValue) == [1, 1, units])
      let rests = report.account.totals.map { report.account.unexplained(of: $0.quantity) }
      #expect(rests == [.zero, .zero])
    }
    // What says when it was written counts by that, whatever the order.
    let old = "[\(bolus(1.2, ",\"modifiedTime\":\"2026-02-03T08:00:10Z\""))]"
    let new = "[\(bolus(2, ",\"modifiedTime\":\"2026-02-03T09:00:10Z\""))]"
    for files in [[old, new], [new, old]] {
      #expect(try read(files).samples.map(\.storedValue) == [2])
    }
    let problems = ProblemList()
    var reader = TidepoolReader(file: "all")
    let wrong = "[{\"type\":\"bolus\",\"time\":\"yesterday\",\"normal\":2}]"
    let roots = [first, wrong].enumerated().compactMap { index, text in
      JSONReader.read(text: text, file: "\(index).json").root
    }
    #expect(reader.samples(of: roots, problems: problems) == nil)
    #expect(problems.sorted.map(\.position.file) == ["1.json"])
  }

  @Test("A day that does not exist is no other day: what is dated so is left out and named")
  func noSuchDay() throws {
    // 2028 has a 29 February, and 24:00 is the next midnight.
    let (doses, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Correction Bolus","created_at":"2028-02-29T24:00:00Z","insulin":1},
         {"eventType":"Correction Bolus","created_at":"2028-02-30T18:00:00Z","insulin":2}]
        """)
    #expect(doses.map(\.start) == [Instant(secondsSince1970: 1_835_481_600)])
    #expect(report.omissions.map(\.first?.line) == [2])
    // The second would have cut the first short at 01:00.
    let (basal, left) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"basal","deliveryType":"scheduled","rate":1,"duration":3600000,
          "time":"2028-03-01T00:30:00Z"},
         {"type":"basal","deliveryType":"scheduled","rate":1,"duration":3600000,
          "time":"2028-02-30T01:00:00Z"}]
        """)
    #expect(basal.map(\.storedValue) == [1])
    #expect(left.omissions.map(\.first?.line) == [4])
  }
}
