import Foundation
import Testing

@testable import loopsim

@Suite("The command outcomes")
struct OutcomesTests {
  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    let rows = (0..<24).map { index in
      let minute = String(100 + index % 12 * 5).dropFirst()
      return "2026-01-05T\(index < 12 ? "12" : "13"):\(minute):00,\(index < 6 ? 60 : 120)"
    }
    try (["time,glucose"] + rows).joined(separator: "\n").write(
      to: scratch.url.appendingPathComponent("day.csv"), atomically: true, encoding: .utf8)
    try "time,glucose\nsoon,5\n".write(
      to: scratch.url.appendingPathComponent("bad.csv"), atomically: true, encoding: .utf8)
    return scratch
  }

  @Test("The text has the ranges and a chart, the JSON every figure")
  func measures() throws {
    let scratch = try folder()
    let text = try Binary.run(["outcomes", "day.csv"], in: scratch.url)
    #expect(text.code == 0)
    #expect(text.output.contains("25.0 %  ██"))
    #expect(text.output.contains("12:30"))
    let json = try Binary.run(["outcomes", "day.csv", "--format", "json"], in: scratch.url)
    #expect(json.output.contains("\"tir_70_180\": 75.0"))
  }

  @Test("A record is measured also where it comes by standard input or through a pipe")
  func recordThroughPipe() throws {
    let scratch = try Scratch()
    try Files.write(
      """
      [{"type":"sgv","dateString":"2026-02-03T00:00:00Z","sgv":110},
       {"type":"sgv","dateString":"2026-02-03T00:05:00Z","sgv":120}]
      """, to: scratch.file("dump.json"))
    func run(_ file: String, through script: String) throws -> Binary.Result {
      let words = ["outcomes", file, "--no-chart", "--zone", "UTC"]
      return try Binary.run(words, in: scratch.url, through: script)
    }
    let named = try run("dump.json", through: "\"$0\" \"$@\"")
    #expect(named.code == 0 && named.output.hasPrefix("measured  glucose of "))
    for file in ["-", "/dev/stdin"] {
      let piped = try run(file, through: "cat dump.json | \"$0\" \"$@\"")
      #expect(piped.code == 0 && piped.output == named.output, "\(piped.error)")
    }
  }

  @Test("Of a run's timeline the true glucose is measured unless the CGM's is asked for")
  func ownTimeline() throws {
    let scratch = try Scratch()
    let header = "time,seconds,glucose_true_mgdL,glucose_cgm_mgdL"
    let rows = (0..<12).map { "2026-01-05T12:\(String(100 + $0 * 5).dropFirst()):00Z,0,120,60" }
    try ([header] + rows).joined(separator: "\n").write(
      to: scratch.url.appendingPathComponent("timeline.csv"), atomically: true, encoding: .utf8)
    let words = ["outcomes", "timeline.csv", "-m", "mean"]
    let own = try Binary.run(words, in: scratch.url)
    #expect(own.output.hasPrefix("measured  glucose_true_mgdL\n"), "\(own.output)")
    #expect(own.output.contains(" 120.000"))
    let cgm = try Binary.run(words + ["--column", "cgm"], in: scratch.url)
    #expect(cgm.output.hasPrefix("measured  glucose_cgm_mgdL\n"), "\(cgm.output)")
    #expect(cgm.output.contains(" 60.000"))
    let json = try Binary.run(
      ["outcomes", ".", "--column", "cgm", "--format", "json"], in: scratch.url)
    #expect(json.output.contains("\"column\": \"glucose_cgm_mgdL\""), "\(json.output)")
    let both = try Binary.run(words + ["--column", "cgm", "--glucose", "x"], in: scratch.url)
    #expect(both.code == 64)
    let other = try folder()
    let none = try Binary.run(["outcomes", "day.csv", "--column", "true"], in: other.url)
    #expect(none.code == 65)
    #expect(none.error.contains("Name the column with --glucose."))
    #expect(
      try Binary.run(["outcomes", "day.csv"], in: other.url).output.hasPrefix("measured  glucose\n")
    )
  }

  @Test("Of a health store and of Apple Health's export each source is measured alone")
  func measuresRecords() async throws {
    let scratch = try Scratch()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let file = root + "/Scenarios/external-insulin/pen-dose.json5"
    let out = scratch.file("out")
    #expect(await program(["run", file, "--quiet", "--out", out]).code == 0)
    let folder = out + "/pen-dose"
    let words = ["-m", "mean", "-m", "cv", "--no-chart"]
    let table = await program(["outcomes", folder + "/timeline.csv", "--column", "cgm"] + words)
    let store = await program(["outcomes", folder + "/health.sqlite", "--zone", "UTC"] + words)
    #expect(store.code == 0, "\(store.error)")
    #expect(store.output.hasPrefix("measured  glucose of Loop\n"), "\(store.output)")
    let measured = [store, table].map { $0.output.split(separator: "\n").dropFirst() }
    #expect(measured[0] == measured[1])
    let column = await program(["outcomes", folder + "/health.sqlite", "--column", "cgm"])
    #expect(column.code == 64)
    #expect(column.error.contains("a record has no columns"))
    let zone = await program(["outcomes", folder + "/timeline.csv", "--zone", "UTC"])
    #expect(zone.code == 64)
    #expect(zone.error.contains("those of the clock on the wall"))
    // A table has the clock of the zone that is named.
    let utc = scratch.file("utc.csv")
    try Files.write("time,bg\n2026-02-03T02:00:00Z,100\n2026-02-03T05:30:00Z,120\n", to: utc)
    for (words, night) in [([], 2), (["--zone", "America/New_York"], 1)] {
      let own = await program(["outcomes", utc, "--format", "json"] + words)
      #expect(own.code == 0, "\(own.error)")
      #expect(
        own.output.contains("\"ranges_night_00_06\": {\n    \"n\": \(night).0,"), "\(own.output)")
      #expect(own.output.contains("All times are in UTC") == words.isEmpty)
    }
    let xml = scratch.file("export.xml")
    try Files.write(
      """
      <?xml version="1.0"?><HealthData>
      <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Meter"
       unit="mmol&lt;180.1558800000541>/L"
       creationDate="2026-01-05 12:00:00 +0000" startDate="2026-01-05 12:00:00 +0000"
       endDate="2026-01-05 12:00:00 +0000" value="5"/>
      <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Sensor" unit="mg/dL"
       creationDate="2026-01-05 12:00:00 +0000" startDate="2026-01-05 12:00:00 +0000"
       endDate="2026-01-05 12:00:00 +0000" value="120"/>
      </HealthData>
      """, to: xml)
    let both = await program(["outcomes", xml, "-m", "mean"])
    #expect(both.code == 0, "\(both.error)")
    #expect(both.error.contains("No time zone is given"))
    #expect(both.output.contains("glucose of Meter\n  mean  90.078"), "\(both.output)")
    #expect(both.output.contains("glucose of Sensor\n  mean  120.000"), "\(both.output)")
  }

  @Test("What was left out of records belongs to the answer, and not only to the terminal")
  func tellsWhatWasLeftOut() async throws {
    let scratch = try Scratch()
    let xml = scratch.file("export.xml")
    let record = """
      <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Sensor" unit="mg/dL"
       creationDate="2026-01-05 12:00:00 +0000" startDate="2026-01-05 12:00:00 +0000"
       endDate="2026-01-05 12:00:00 +0000" value="120"/>
      """
    let broken = record.replacing("\"120\"", with: "\"5,5\"")
    try Files.write("<?xml version=\"1.0\"?><HealthData>\(record)\(broken)</HealthData>", to: xml)
    for format in ["text", "json"] {
      let result = await program(["outcomes", xml, "--zone", "UTC", "--format", format])
      #expect(result.output.contains("1 record is left out: the value is no number such as 5.5."))
    }
  }

  @Test("A table that comes through a pipe is read, and another program's database is named")
  func measuresPipes() throws {
    let scratch = try folder()
    let pipe = scratch.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    // Opened for both, so that neither end waits for the other; nobody else writes to it.
    let writer = unsafe open(pipe, O_RDWR)
    let bytes = try Files.read(scratch.file("day.csv"))
    #expect(unsafe write(writer, bytes, bytes.count) == bytes.count)
    let process = Process()
    process.executableURL = Binary.program
    process.arguments = ["outcomes", "/dev/stdin", "--no-chart"]
    process.standardInput = FileHandle(forReadingAtPath: pipe)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    close(writer)
    process.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("25.0 %"), "\(text)")
    let head = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4_096)
    try Files.write(head, to: scratch.file("x.sqlite"))
    let other = try Binary.run(["outcomes", "x.sqlite"], in: scratch.url)
    #expect(other.code == 65)
  }

  @Test("Readings of people without a name are not taken for those of the whole table")
  func withoutName() async throws {
    let scratch = try Scratch()
    let rows = (0..<6).map { "\(["A", ""][$0 % 2]),2026-03-01 22:0\($0),\(100 + 10 * $0)\n" }
    try Files.write("person,time,glucose\n" + rows.joined(), to: scratch.file("two.csv"))
    let file = scratch.file("two.csv")
    let one = await program(["outcomes", file, "--metric", "mean"])
    #expect(one.output.hasPrefix("A\n") && one.output.contains("\nno name\nmeasured  glucose\n"))
    let two = await program(["outcomes", file, file, "--metric", "mean"])
    #expect(two.output.contains("\n\(file), no name\n"))
  }

  @Test("Single metrics are printed alone")
  func printsMetrics() throws {
    let scratch = try folder()
    let result = try Binary.run(
      ["outcomes", "day.csv", "-m", "lows(70,15m)", "-m", "minGlucose"], in: scratch.url)
    #expect(result.output.contains("lows(70,15m)   1.000"))
    #expect(result.output.contains("minGlucose    60.000  mg/dL"))
  }

  @Test("Readings that are written as a limit in mmol/L are at the limit, and that is told")
  func atTheLimit() throws {
    let scratch = try folder()
    // 10.0 mmol/L is 180.2 mg/dL, and 3.9 is 70.3; the consensus has range from 3.9 to 10.0, and
    // tight range from 3.9 to 7.8.
    let values = ["3.9", "10.0", "10.0", "9.9", "7.8"].enumerated()
    let rows = values.map { "2026-01-15T08:0\($0):00,\($1)\n" }.joined()
    try Files.write(Array("time,glucose\n\(rows)".utf8), to: scratch.file("molar.csv"))
    let words = [
      "2 readings of 10.0 mmol/L counted as 180 mg/dL, the limit that the consensus writes so.",
      "1 reading of 7.8 mmol/L counted as 140 mg/dL, the limit that the consensus writes so.",
    ]
    func expectAll(_ text: String) {
      for word in words { #expect(text.contains(word), "\(text)") }
    }
    let told = try Binary.run(
      ["outcomes", "molar.csv", "--unit", "mmol/L", "--no-chart"], in: scratch.url)
    expectAll(told.output)
    #expect(told.output.contains("3.9 to 10.0, target  100.0 %"), "\(told.output)")
    // Shares go by the limits, and means by what was read: (3.9 + 10 + 10 + 9.9 + 7.8) / 5.
    let mean = try Binary.run(
      ["outcomes", "molar.csv", "--unit", "mmol/L", "-m", "mean", "-m", "tir(3.9,10)"],
      in: scratch.url)
    #expect(mean.output.contains("mean           8.320  mmol/L"), "\(mean.output)")
    #expect(mean.output.contains("tir(3.9,10)  100.000  %"), "\(mean.output)")
    // The table says its unit, which is that of the answer.
    try Files.write(Array("time,glucose_mmoll\n\(rows)".utf8), to: scratch.file("own.csv"))
    let own = try Binary.run(["outcomes", "own.csv", "--no-chart"], in: scratch.url)
    expectAll(own.output)
    #expect(own.output.contains("tight range 3.9–7.8     40.0  %"), "\(own.output)")
    let json = try Binary.run(["outcomes", "own.csv", "--format", "json"], in: scratch.url)
    expectAll(json.output)
    let page = try Binary.run(
      ["outcomes", "own.csv", "--no-chart", "--report", "own.html"], in: scratch.url)
    #expect(page.code == 0)
    expectAll(try String(decoding: Files.read(scratch.file("own.html")), as: UTF8.self))
    // A value that is written in mg/dL as more than the limit is above it.
    try Files.write(
      Array("time,glucose\n2026-01-15T08:00:00,180.2\n2026-01-15T08:05:00,120\n".utf8),
      to: scratch.file("mass.csv"))
    let mass = try Binary.run(["outcomes", "mass.csv", "--no-chart"], in: scratch.url)
    #expect(mass.output.contains("70 to 180, target  50.0 %"), "\(mass.output)")
    #expect(!told.output.contains("of 3.9 mmol/L"))
  }

  @Test("The answer is in the unit of the table, or in the one that is asked for, and names it")
  func answersInTheUnitOfTheTable() async throws {
    let scratch = try Scratch()
    let (molar, mass) = (scratch.file("molar.csv"), scratch.file("mass.csv"))
    // The mean of 4 and 6 mmol/L is 5, or 90.078 mg/dL; that of 72 and 108 mg/dL is 90, or 4.996.
    let times = ["2026-01-15T08:00:00", "2026-01-15T08:05:00"]
    try Files.write("time,glucose mmol/L\n\(times[0]),4\n\(times[1]),6\n", to: molar)
    try Files.write("time,glucose_mgdL\n\(times[0]),72\n\(times[1]),108\n", to: mass)
    let metrics = ["-m", "mean", "-m", "tir(3.9,10)"]
    let own = await program(["outcomes", molar] + metrics)
    #expect(own.output.contains("mean           5.000  mmol/L"), "\(own.output)")
    #expect(own.output.contains("tir(3.9,10)  100.000  %"), "\(own.output)")
    #expect(own.error == "")
    // What a table says of itself is not taken for the other unit: 90 mg/dL is not 90 mmol/L.
    let asked = await program(["outcomes", mass, "--unit", "mmol/L"] + metrics)
    #expect(asked.output.contains("mean           4.996  mmol/L"), "\(asked.output)")
    #expect(asked.output.contains("tir(3.9,10)  100.000  %"), "\(asked.output)")
    let other = await program(["outcomes", molar, "--unit", "mg/dL", "-m", "mean"])
    #expect(other.output.contains("mean  90.078  mg/dL"), "\(other.output)")
    let wrong = await program(["outcomes", molar, "-m", "tir(70,180)"])
    #expect(wrong.error.contains("is in mmol/L, as the readings are, and 70"), "\(wrong.error)")
    let single = await program(["outcomes", molar, "-m", "mean", "--format", "json"])
    #expect(single.output.contains("\"unit\": \"mmol/L\""), "\(single.output)")
    let whole = await program(["outcomes", molar, "--format", "json"])
    #expect(whole.output.contains("\"unit\": \"mg/dL\""), "\(whole.output)")
    let both = await program(["outcomes", molar, mass, "-m", "mean"])
    #expect(both.output.contains("mean  5.000  mmol/L"), "\(both.output)")
    #expect(both.output.contains("mean  90.000  mg/dL"), "\(both.output)")
  }

  @Test("A limit in the other unit of glucose is told, and not only 0 %")
  func limitInOtherUnit() throws {
    let scratch = try folder()
    let mass = try Binary.run(["outcomes", "day.csv", "-m", "tir(3.9,10)"], in: scratch.url)
    #expect(mass.code == 0)
    #expect(mass.error.contains("is in mg/dL, and 3.9"), "\(mass.error)")
    #expect(mass.error.contains("3.9 is no limit in it. Did you mean 70?"), "\(mass.error)")
    #expect(mass.error.contains("10 is no limit in it. Did you mean 180?"), "\(mass.error)")
    let table = "time,glucose\n2026-01-15T08:00:00,5.5\n2026-01-15T08:05:00,6\n"
    try Files.write(Array(table.utf8), to: scratch.file("molar.csv"))
    let molar = try Binary.run(
      ["outcomes", "molar.csv", "--unit", "mmol/L", "-m", "below(70)"], in: scratch.url)
    #expect(molar.error.contains("is in mmol/L, as --unit says, and 70"), "\(molar.error)")
    #expect(molar.error.contains("70 is no limit in it. Did you mean 3.9?"), "\(molar.error)")
    let right = try Binary.run(["outcomes", "day.csv", "-m", "tir(70,180)"], in: scratch.url)
    #expect(right.error == "")
  }

  @Test("A table that cannot be read and a metric that is none end with their codes")
  func refuses() throws {
    let scratch = try folder()
    let bad = try Binary.run(["outcomes", "bad.csv"], in: scratch.url)
    #expect(bad.code == 65)
    #expect(bad.error.contains("bad.csv:2:1: error:"))
    let metric = try Binary.run(["outcomes", "day.csv", "-m", "tri(1,2)"], in: scratch.url)
    #expect(metric.code == 64)
    #expect(metric.error.contains("Did you mean \"tir\"?"))
    // In JSON one key would have two values.
    let twice = ["outcomes", "day.csv", "-m", "mean", "-m", "mean", "--format", "json"]
    #expect(try Binary.run(twice, in: scratch.url).code == 64)
    // No insulin is known of, which is not none; a sensor's error needs what it should have shown.
    for name in ["tdd", "boluses", "mard", "loopsAttempted", "suspendedMinutes"] {
      let other = try Binary.run(["outcomes", "day.csv", "-m", name], in: scratch.url)
      #expect(other.code == 64 && !other.output.contains("0.000"))
      #expect(other.error.contains("\(name) is a figure of a run,"), "\(other.error)")
    }
    #expect(try Binary.run(["outcomes", "day.csv", "-m", "lbgiScore"], in: scratch.url).code == 0)
    #expect(try Binary.run(["outcomes", "none.csv"], in: scratch.url).code == 65)
  }

  @Test("An error that begins with its place is not announced a second time")
  func announcedOnce() async throws {
    let scratch = try Scratch()
    try Files.write("a,b\n1,2\n", to: scratch.file("c.csv"))
    for command in ["audit", "outcomes"] {
      let result = await program([command, scratch.file("c.csv")])
      #expect(result.code == 65)
      #expect(result.error.contains("c.csv:1:1: error: "), "\(result.error)")
      #expect(!result.error.contains("Error: "), "\(result.error)")
    }
  }

  @Test("A profile leaves out an hour of the day in which there never is a reading")
  func hourWithoutReadings() async throws {
    let scratch = try Scratch()
    var rows = ["time,glucose"]
    for day in 1...9 {
      for hour in 0..<24 where hour != 3 {
        rows.append("2026-01-0\(day)T\(hour < 10 ? "0" : "")\(hour):30:00,\(100 + day)")
      }
    }
    try Files.write(rows.joined(separator: "\n") + "\n", to: scratch.file("c.csv"))
    let page = scratch.file("p.html")
    let result = await program(["outcomes", scratch.file("c.csv"), "--report", page])
    #expect(result.code == 0, "\(result.error)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("No reading is from one hour of the day, over which nothing is drawn."))
    #expect(text.contains("Darker band"))
  }
}
