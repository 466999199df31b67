import Foundation
import HealthStore
import Quantities
import Testing

@testable import loopsim

@Suite("The commands audit and backtest")
struct RecordCommandTests {
  /// A day of Nightscout with a bolus that two apps wrote, readings and a temp basal.
  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    let readings = (0..<60).map { step in
      "{\"type\":\"sgv\",\"date\":\(1_770_076_800_000 + step * 300_000),"
        + "\"sgv\":\(110 + step % 5),\"device\":\"G6\"}"
    }
    let dump = """
      {"entries":[\(readings.joined(separator: ","))],"treatments":[
       {"_id":"a","eventType":"Correction Bolus","created_at":"2026-02-03T02:00:00Z",
        "insulin":2,"enteredBy":"loop://Loop"},
       {"_id":"b","eventType":"Correction Bolus","created_at":"2026-02-03T02:00:20Z",
        "insulin":2,"enteredBy":"Cloud","carbs":null},
       {"_id":"c","eventType":"Temp Basal","created_at":"2026-02-03T01:00:00Z","rate":1,
        "duration":30,"enteredBy":"loop://Loop"}]}
      """
    try dump.write(
      to: scratch.url.appendingPathComponent("dump.json"), atomically: true, encoding: .utf8)
    try """
    { format: 'loopsim/1', id: 'me',
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      variants: { usual: {}, stronger: { therapy: { sensitivity: [['00:00', 40]] } } } }
    """.write(
      to: scratch.url.appendingPathComponent("me.json5"), atomically: true, encoding: .utf8)
    return scratch
  }

  @Test("audit names what is there twice, in text and in JSON, and fails on request")
  func audits() throws {
    let scratch = try folder()
    let text = try Binary.run(["audit", "dump.json", "--zone", "UTC"], in: scratch.url)
    #expect(text.code == 0)
    #expect(
      text.output.hasPrefix(
        "The samples of 2026-02-03 add up to 4.5 U; 2 U of it are counted twice."))
    #expect(text.output.contains("[fault, duplicateAcross], +2 U (Loop, Cloud)"))
    let json = try Binary.run(
      ["audit", "dump.json", "--zone", "UTC", "--format", "json", "--fail-on", "fault"],
      in: scratch.url)
    #expect(json.code == 1)
    #expect(json.output.contains("\"kind\": \"duplicateAcross\""))
    #expect(try Binary.run(["audit", "none.json"], in: scratch.url).code == 65)
    #expect(try Binary.run(["audit", "me.json5"], in: scratch.url).code == 65)
  }

  @Test("A key that stands twice in a record is told, and so many of them refuse no file")
  func repeatedKeys() async throws {
    let scratch = try Scratch()
    let times = (0..<120).map { "2026-02-03T0\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60):00Z" }
    let boluses = times.map {
      "{\"type\":\"bolus\",\"subType\":\"normal\",\"time\":\"\($0)\",\"deviceId\":\"p\","
        + "\"normal\":5,\"normal\":1}"
    }
    let (file, store) = (scratch.file("t.json"), scratch.file("s.sqlite"))
    try Files.write("[\(boluses.joined(separator: ",\n"))]", to: file)
    let report = scratch.file("report.json")
    let imported = await program(["store", "import", store, file, "--report", report])
    #expect(imported.code == 0)
    let sentence = "key \"normal\" is repeated 120 times; the last value counts"
    // The second "normal" of the first line, behind 92 characters.
    #expect(
      imported.error.hasPrefix("\(file):1:93: warning: The \(sentence).\n"), "\(imported.error)")
    #expect(imported.error.contains("120 U in 120 in the file, 120 U in 120 taken over"))
    let written = try String(contentsOfFile: report, encoding: .utf8)
    #expect(written.contains("the key \\\"normal\\\" is repeated 120 times"), "\(written)")
    let audited = await program(["audit", file, "--zone", "UTC"])
    #expect(audited.code == 0)
    #expect(audited.error.contains("The \(sentence)"), "\(audited.error)")
  }

  @Test("Glucose of a sensor and of a meter that one app wrote is not one series")
  func sensorBesideMeter() throws {
    let scratch = try Scratch()
    let entries = """
      [{"type":"sgv","dateString":"2026-02-03T00:00:00Z","sgv":110,"device":"loop://Phone"},
       {"type":"sgv","dateString":"2026-02-03T00:05:00Z","sgv":112,"device":"loop://Phone"},
       {"type":"mbg","dateString":"2026-02-03T00:02:00Z","mbg":190,"device":"loop://Phone"}]
      """
    try Files.write(entries, to: scratch.file("dump.json"))
    let result = try Binary.run(
      ["outcomes", "dump.json", "-m", "maxGlucose", "--format", "json"], in: scratch.url)
    let sensor = try #require(result.output.range(of: "Phone (import.nightscout.phone.cgm)"))
    let meter = try #require(result.output.range(of: "Phone (import.nightscout.phone)\""))
    let highest = [112, 190].compactMap {
      result.output.range(of: "\"maxGlucose\": \($0).0")?.lowerBound
    }
    // The names stand in their order, each before its figure.
    #expect(highest.count == 2, "\(result.output)")
    #expect((sensor.lowerBound < meter.lowerBound) == (highest[0] < highest[1]))
  }

  @Test("Files of two people are refused, and days are those of the zone that most samples name")
  func people() throws {
    let scratch = try Scratch()
    func write(_ name: String, born: String, _ zones: [String]) throws -> String {
      let records = zones.enumerated().map { hour, zone in
        """
        <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
         startDate="2026-02-03 0\(hour):00:00 +0000" endDate="2026-02-03 0\(hour):00:00 +0000"
         value="1"><MetadataEntry key="HKInsulinDeliveryReason" value="2"/>
         <MetadataEntry key="HKTimeZone" value="\(zone)"/></Record>
        """
      }
      let me = "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"\(born)\"/>"
      try Files.write(
        "<HealthData>\(me)\(records.joined())</HealthData>", to: scratch.file(name))
      return scratch.file(name)
    }
    let zones = ["Asia/Tokyo", "Europe/Berlin", "Europe/Berlin"]
    let one = try write("one.xml", born: "1990-05-01", zones)
    let same = try write("same.xml", born: "1990-05-01", zones)
    let other = try write("other.xml", born: "1991-05-01", zones)
    let samples = try RecordArguments().samples(of: [one, same]).samples
    let record = RecordArguments()
    #expect(record.zone(of: samples, named: ["Asia/Tokyo": 1]).name == "Europe/Berlin")
    #expect(record.zone(of: [], named: ["Nowhere/Nix": 2]).word == nil)
    #expect(record.zone(of: [], named: ["Asia/Tokyo": 2, "UTC": 1]).name == "Asia/Tokyo")
    // Without a name the offset counts that the dates of an export state.
    let dose = """
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
       startDate="2026-02-03 23:00:00 -0500" endDate="2026-02-03 23:00:00 -0500"
       value="1"><MetadataEntry key="HKInsulinDeliveryReason" value="2"/></Record>
      """
    try Files.write("<HealthData>\(dose)</HealthData>", to: scratch.file("west.xml"))
    let west = try record.samples(of: [scratch.file("west.xml")])
    let clock = record.zone(of: west.samples, named: west.zones).clock
    #expect(west.samples.map { clock.civilTime(at: $0.sample.start).day } == [3])
    let failure = #expect(throws: Failure.self) {
      try RecordArguments().samples(of: [one, other])
    }
    #expect(failure.map { "\($0)".contains("other.xml") } == true)
  }

  @Test("What program wrote a JSON file is told by its keys, whatever its texts say")
  func formats() throws {
    for (text, format) in [
      (#"[{"type": "cbg", "deviceId": "loop", "value": 5}]"#, ExchangeFormat.tidepool),
      (#"[{"device": "x", "loop" : {"iob": {}}}]"#, .nightscout),
      (#"[{"note": "sgv", "sgv": 100}]"#, .nightscout),
    ] {
      #expect(try ExchangeFormat(of: Array(text.utf8), file: "a.json") == format, "\(text)")
    }
  }

  @Test("A source whose sync identifiers stand for two doses is of two people, and is refused")
  func clashes() throws {
    let scratch = try folder()
    let doses = (0..<6).map { number in
      """
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
       startDate="2026-02-03 0\(number):00:00 +0000" endDate="2026-02-03 0\(number):00:00 +0000"
       value="\(number + 1)"><MetadataEntry key="HKInsulinDeliveryReason" value="2"/>
       <MetadataEntry key="HKMetadataKeySyncIdentifier" value="\(number % 3)"/>
       <MetadataEntry key="HKMetadataKeySyncVersion" value="1"/></Record>
      """
    }
    let glucose = """
      <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="CGM" unit="mg/dL"
       startDate="2026-02-03 00:00:00 +0000" endDate="2026-02-03 00:00:00 +0000" value="100"/>
      """
    try Files.write(
      "<HealthData>\(doses.joined())\(glucose)</HealthData>", to: scratch.file("two.xml"))
    let result = try Binary.run(
      ["backtest", "two.xml", "--therapy", "me.json5", "--zone", "UTC"], in: scratch.url)
    #expect(result.code == 65)
    #expect(result.error.contains("two.xml: error: 3 sync identifiers of Loop"), "\(result.error)")
    #expect(
      result.error.contains("'0' is 1 U, 2026-02-03T00:00:00Z, and 4 U, 2026-02-03T03:00:00Z;"),
      "\(result.error)")
    // Two people's files are refused by the audit in the same words, whichever is named first; of
    // one file it is a finding.
    try Files.write(
      "<HealthData>\(doses[..<3].joined())\(glucose)</HealthData>", to: scratch.file("one.xml"))
    try Files.write("<HealthData>\(doses[3...].joined())</HealthData>", to: scratch.file("b.xml"))
    let files = ["b.xml", "one.xml"]
    let audit = try Binary.run(["audit"] + files + ["--zone", "UTC"], in: scratch.url)
    let backtest = try Binary.run(
      ["backtest"] + files + ["--therapy", "me.json5", "--zone", "UTC"], in: scratch.url)
    #expect(audit.code == 65 && audit.output == "", "\(audit.output)")
    #expect(audit.error == backtest.error)
    #expect(audit.error.contains("b.xml, one.xml: error: 3 sync identifiers of Loop"))
    #expect(audit.error.contains("'0' is 1 U, 2026-02-03T00:00:00Z, and 4 U"), "\(audit.error)")
    let alone = try Binary.run(["audit", "two.xml", "--zone", "UTC"], in: scratch.url)
    #expect(alone.code == 0, "\(alone.error)")
    #expect(alone.output.contains("the record is of two people"), "\(alone.output)")
  }

  @Test("Two therapies whose names lead to one table are refused before anything is written")
  func oneTableForTwo() throws {
    let scratch = try folder()
    let text = try scratch.text(of: "me.json5").replacing("stronger:", with: "'usual-estimate':")
    try Files.write(text, to: scratch.file("me.json5"))
    let words = ["backtest", "dump.json", "--therapy", "me.json5", "--zone", "UTC"]
    #expect(try Binary.run(words, in: scratch.url).code == 0)
    let refused = try Binary.run(words + ["-o", "out"], in: scratch.url)
    #expect(refused.code == 65 && refused.output.isEmpty, "\(refused.output)")
    #expect(
      refused.error.contains(
        "me.json5: two therapies would have their tables in out/usual-estimate.csv."))
    #expect(try !scratch.names.contains("out"))
  }

  @Test("backtest judges the predictions of each therapy")
  func backtests() throws {
    let scratch = try folder()
    let result = try Binary.run(
      ["backtest", "dump.json", "--therapy", "me.json5", "--zone", "UTC", "-o", "out"],
      in: scratch.url)
    #expect(result.code == 0, "\(result.error)")
    #expect(result.output.contains("usual: 60 cycles"))
    #expect(result.output.contains("stronger: 60 cycles"))
    #expect(try scratch.text(of: "out/usual.csv").split(separator: "\n").count == 61)
    #expect(try Binary.run(["backtest", "dump.json"], in: scratch.url).code == 64)
    let odd = try scratch.text(of: "dump.json").replacing(
      "\"treatments\":[",
      with: "\"treatments\":[{\"eventType\":\"Note\",\"created_at\":\"2026-02-03T02:00:00Z\"},")
    try Files.write(odd, to: scratch.file("odd.json"))
    for words in [["backtest", "odd.json", "--therapy", "me.json5"], ["audit", "odd.json"]] {
      for form in ["text", "json"] {
        let told = try Binary.run(words + ["--zone", "UTC", "--format", form], in: scratch.url)
        #expect(told.output.contains("1 record is left out: events 'Note' are not read."))
      }
    }
  }

  @Test("Each run of a scenario is a therapy with a name and tables of its own")
  func therapiesOfASweep() throws {
    let scratch = try folder()
    let text = try scratch.text(of: "me.json5")
    let end = try #require(text.lastIndex(of: "}"))
    func write(_ values: String, to name: String) throws {
      try Files.write(
        "\(text[..<end]), sweep: { 'therapy.maxBasal': [\(values)] } }", to: scratch.file(name))
    }
    try write("2, 3", to: "swept.json5")
    let words = ["backtest", "dump.json", "--zone", "UTC", "-o", "out", "--therapy"]
    let result = try Binary.run(words + ["swept.json5"], in: scratch.url)
    #expect(result.code == 0, "\(result.error)")
    for name in ["usual/s0", "usual/s1", "stronger/s0", "stronger/s1"] {
      #expect(result.output.contains("\(name): 60 cycles"), "\(result.output)")
      #expect(try scratch.text(of: "out/\(name).csv").split(separator: "\n").count == 61)
    }
    // Two variants at 33 points are 66.
    try write((1...33).map { "\($0)" }.joined(separator: ", "), to: "many.json5")
    let many = try Binary.run(words + ["many.json5"], in: scratch.url)
    #expect(many.code == 65 && many.output.isEmpty)
    #expect(many.error.contains("many.json5 has 66 runs"), "\(many.error)")
  }

  @Test("backtest says by which clock schedules and hours of day are")
  func zones() throws {
    let scratch = try folder()
    let varying = try scratch.text(of: "me.json5")
      .replacing("sensitivity: [['00:00', 40]]", with: "basal: [['00:00', 1], ['06:00', 2]]")
    try Files.write(varying, to: scratch.file("varying.json5"))
    let dump = try scratch.text(of: "dump.json")
    let profile = """
      {"defaultProfile":"d","startDate":"2026-02-01T00:00:00Z","store":{"d":{
       "timezone":"Europe/Berlin","basal":[{"time":"00:00","value":0.8}]}}}
      """
    try Files.write(
      dump.replacing("\"treatments\":", with: "\"profile\":[\(profile)],\"treatments\":"),
      to: scratch.file("named.json"))
    func run(_ file: String, _ therapy: String, _ more: String...) throws -> (String, String) {
      let words = ["backtest", file, "--therapy", therapy] + more
      let (text, json) = (
        try Binary.run(words, in: scratch.url),
        try Binary.run(words + ["--format", "json"], in: scratch.url)
      )
      #expect(text.code == 0 && json.code == 0, "\(text.error)")
      return (text.output, json.output)
    }
    let start = "No time zone is given: schedules and hours of day are by the clock of"
    let assumed = try run("dump.json", "varying.json5")
    #expect(assumed.0.contains("\n\(start) UTC. Name one with --zone.\n"), "\(assumed.0)")
    #expect(assumed.1.contains("\"time_zone_from\": \"assumed\""))
    let twice = "The record holds 2 U of insulin twice, and every cycle counts them twice;"
    #expect(assumed.0.contains("\n\(twice)") && assumed.1.contains("\"counted_twice\": \"\(twice)"))
    #expect(assumed.1.contains("\"note\": \"\(start) UTC."))
    let named = try run("named.json", "varying.json5")
    let sentence = "\(start) Europe/Berlin, which the record names. Name another with --zone."
    #expect(named.0.contains("\n\(sentence)\n"), "\(named.0)")
    #expect(named.1.contains("\"time_zone\": \"Europe/Berlin\""))
    #expect(named.1.contains("\"time_zone_from\": \"record\""))
    let asked = try run("named.json", "varying.json5", "--zone", "Asia/Tokyo")
    #expect(!asked.0.contains("time zone") && asked.1.contains("\"time_zone\": \"Asia/Tokyo\""))
    let flat = try run("dump.json", "me.json5")
    // The groups by hour of day are by that clock too, where no schedule changes.
    #expect(flat.0.contains("\n\(start) UTC. Name one with --zone.\n"), "\(flat.0)")
    #expect(flat.1.contains("\"note\": \"\(start) UTC."))
  }

  @Test("outcomes measures each person of a table, and each table of a folder")
  func measuresSeveral() throws {
    let scratch = try Scratch()
    let rows = (0..<48).map { step -> String in
      let (hour, minute) = (8 + step % 24 / 12, step % 12 * 5)
      let time = "2026-01-05 0\(hour):\(minute < 10 ? "0" : "")\(minute):00"
      return step < 24 ? "A,\(time),100" : "B,\(time),200"
    }
    try (["id,time,gl"] + rows).joined(separator: "\n").write(
      to: scratch.url.appendingPathComponent("people.csv"), atomically: true, encoding: .utf8)
    let json = try Binary.run(
      ["outcomes", "people.csv", "-m", "tir(70,180)", "--format", "json"], in: scratch.url)
    #expect(json.code == 0, "\(json.error)")
    #expect(json.output.contains("\"name\": \"B\""))
    let wrong = scratch.url.appendingPathComponent("molar.csv")
    try "time,value\n2026-01-05T08:00:00,5.5\n2026-01-05T08:05:00,6.5\n".write(
      to: wrong, atomically: true, encoding: .utf8)
    let stopped = try Binary.run(["outcomes", "molar.csv"], in: scratch.url)
    #expect(stopped.code == 65)
    #expect(stopped.error.contains("They look like mmol/L"))
  }

  @Test("Pages tell glucose in the unit in which the record writes it")
  func molar() async throws {
    let scratch = try Scratch()
    let rows = (0..<40).map { step in
      let minute = step * 5
      let time = "2026-02-03T0\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00.000Z"
      return "{\"type\":\"cbg\",\"units\":\"mmol/L\",\"time\":\"\(time)\",\"id\":\"r\(step)\","
        + "\"deviceId\":\"d\",\"value\":6.\(step % 5)}"
    }
    let bolus = """
      {"type":"bolus","subType":"normal","normal":2,"time":"2026-02-03T01:00:00.000Z",
       "deviceId":"p","id":"b"}
      """
    let file = scratch.file("t.json")
    try Files.write("[\((rows + [bolus]).joined(separator: ","))]", to: file)
    let page = scratch.file("a.html")
    let result = await program(
      ["audit", file, "--zone", "UTC", "--format", "html", "-o", page])
    #expect(result.code == 0, "\(result.error)")
    let html = try scratch.text(of: "a.html")
    #expect(html.contains("Glucose from 6.0 to 6.4 mmol/L"))
    #expect(html.contains("<span data-unit>mmol/L</span>"))
  }

  @Test(
    "All files that cannot be used are told at once",
    arguments: [["audit", "--zone", "UTC"], ["outcomes"]])
  func allRefused(words: [String]) async throws {
    let scratch = try Scratch()
    let header = "time,glucose\n2026-02-03T01:00:00"
    for (name, value) in [("a.csv", "abc"), ("b.csv", "110"), ("c.csv", "xyz")] {
      try Files.write("\(header),\(value)\n", to: scratch.file(name))
    }
    let names = ["a.csv", "b.csv", "missing.csv", "c.csv"]
    let result = await program(words + names.map(scratch.file))
    #expect(result.code == 65)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("a.csv:2:21: error: \"abc\" is no glucose value."))
    #expect(result.error.contains("missing.csv: cannot be read: No such file or directory."))
    #expect(result.error.contains("c.csv:2:21: error: \"xyz\" is no glucose value."))
    #expect(!result.error.contains("b.csv"))
  }
}
