import HealthStore
import Testing

@testable import loopsim

@Suite("Clocks, spans and files of a record")
struct RecordSpanTests {
  /// Readings of a day, a temp basal and a profile in three files, and a therapy.
  private func folder(zone: String?) throws -> Scratch {
    let scratch = try Scratch()
    let readings = (0..<24).map {
      "{\"type\":\"sgv\",\"date\":\(1_770_076_800_000 + $0 * 300_000),\"sgv\":\(110 + $0 % 5)}"
    }
    try Files.write("[\(readings.joined(separator: ","))]", to: scratch.file("entries.json"))
    try Files.write(
      """
      [{"eventType":"Temp Basal","created_at":"2026-02-03T00:30:00Z","absolute":1.2,
        "duration":30,"enteredBy":"loop://Loop"}]
      """, to: scratch.file("treatments.json"))
    let named = zone.map { "\"timezone\":\"\($0)\"," } ?? ""
    try Files.write(
      """
      [{"defaultProfile":"d","startDate":"2026-01-01T00:00:00Z","store":{"d":{\(named)
        "basal":[{"time":"00:00","value":0.6}]}}}]
      """, to: scratch.file("profile.json"))
    try Files.write(
      """
      { format: 'loopsim/1', clock: { timeZone: 'Asia/Tokyo' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 0.8], ['06:00', 1]] } }
      """, to: scratch.file("me.json5"))
    return scratch
  }

  private static let files = ["entries.json", "treatments.json", "profile.json"]

  @Test("Three files of Nightscout hold the scheduled basal that only the third names")
  func threeFiles() throws {
    let scratch = try folder(zone: "UTC")
    let result = try Binary.run(["audit"] + Self.files, in: scratch.url)
    // Half an hour at 0.6 U/h, one at 1.2 U/h, and 55 minutes at 0.6 U/h until the last reading.
    #expect(result.output.contains("Loop: 3 samples, basal 1.45 U"), "\(result.output)")
    #expect(!result.output.contains("basalEnds") && !result.output.contains("basalBegins"))
  }

  @Test("An audit says which basal is the profile's alone, and is in the unit that it names")
  func profileAlone() throws {
    let scratch = try folder(zone: "UTC")
    let profile = try scratch.text(of: "profile.json")
    // Readings of Nightscout name no unit.
    try Files.write(
      profile.replacing("\"store\"", with: "\"units\":\"mmol/L\",\"store\""),
      to: scratch.file("profile.json"))
    // Half an hour before the temp basal, and 55 minutes after it, at 0.6 U/h.
    let sentence =
      "treatments.json, profile.json: 0.85 U of basal in 2 places are what the profile schedules "
      + "where no temp basal is recorded. The files do not say that they were given."
    let text = try Binary.run(["audit"] + Self.files, in: scratch.url)
    #expect(text.output.contains("\nReading the files:\n"), "\(text.output)")
    #expect(text.output.contains(sentence), "\(text.output)")
    let json = try Binary.run(["audit"] + Self.files + ["--format", "json"], in: scratch.url)
    #expect(json.output.contains(sentence), "\(json.output)")
    #expect(try Binary.run(["audit"] + Self.files + ["-o", "a.html"], in: scratch.url).code == 0)
    let page = try scratch.text(of: "a.html")
    #expect(page.contains(sentence) && page.contains("<span data-unit>mmol/L</span>"))
    // Of glucose nothing depends on it.
    let glucose = try Binary.run(["outcomes"] + Self.files, in: scratch.url)
    #expect(!(glucose.output + glucose.error).contains("what the profile schedules"))
  }

  @Test("What the loop said is compared, whatever the file of Nightscout is called")
  func figures() throws {
    let scratch = try folder(zone: "UTC")
    // Of the reading at 01:00.
    let said = """
      [{"_id":"d","created_at":"2026-02-03T01:00:20Z","device":"loop://Loop","loop":{
        "timestamp":"2026-02-03T01:00:20Z","iob":{"iob":0.1},"cob":{"cob":0}}}]
      """
    for name in ["status.json", "status.JSON", "status.txt", "status"] {
      try Files.write(said, to: scratch.file(name))
      let result = try Binary.run(
        ["backtest", "entries.json", name, "--therapy", "me.json5", "--zone", "UTC"],
        in: scratch.url)
      #expect(result.output.contains("the loop's own figures"), "\(name): \(result.output)")
      let last = try Binary.run(
        [
          "backtest", "entries.json", name, "--therapy", "me.json5", "--zone", "UTC", "--to",
          "2026-02-03T01:00:00Z",
        ], in: scratch.url)
      // Of readings every five minutes the last before 01:00 is that of 00:55.
      #expect(last.output.contains(": 12 cycles"), "\(last.output)")
      #expect(!last.output.contains("without a reading"), "\(last.output)")
    }
  }

  @Test("What a loop said at no time that can be read is not compared, and it is told")
  func untimedFigures() throws {
    let scratch = try folder(zone: "UTC")
    func said(_ time: String) -> String {
      """
      {"_id":"\(time)","created_at":"\(time)","device":"loop://Loop","loop":{
        "timestamp":"\(time)","iob":{"iob":0.1},"cob":{"cob":0}}}
      """
    }
    try Files.write(
      "[\(said("2026-02-03T01:00:20Z")),\(said("03.02.2026 01:05"))]",
      to: scratch.file("status.json"))
    let result = try Binary.run(
      ["backtest", "entries.json", "status.json", "--therapy", "me.json5", "--zone", "UTC"],
      in: scratch.url)
    #expect(result.output.contains("the loop's own figures"), "\(result.output)")
    let told = "1 document says what a loop thought, and not when in a form that is read"
    #expect(result.output.contains("status.json: \(told)"), "\(result.output)")
  }

  @Test("store import reads several files of Nightscout as one, and no others")
  func imports() async throws {
    let scratch = try folder(zone: "UTC")
    let later = """
      [{"eventType":"Temp Basal","created_at":"2026-02-03T01:30:00Z","absolute":0.6,
        "duration":30,"enteredBy":"loop://Loop"}]
      """
    try Files.write(later, to: scratch.file("later.json"))
    let store = scratch.file("a.sqlite")
    let files = (Self.files + ["later.json"]).map(scratch.file)
    let result = await program(["store", "import", store] + files)
    // 0.6 U and 0.3 U of temp basals, and half an hour between them at 0.6 U/h.
    #expect(result.error.contains("basal: 0.9 U in 2 in the file, 1.2 U in 3 taken over"))
    let again = await program(["store", "import", store] + files.reversed())
    #expect(again.output.hasSuffix("Added: 0. Here already, or deleted here: 27.\n"))
    try Files.write("time,glucose\n2026-02-03T00:00:00,100\n", to: scratch.file("t.csv"))
    let mixed = await program(["store", "import", store, files[0], scratch.file("t.csv")])
    #expect(mixed.code == 64)
  }

  @Test("store import tells of doses that the store keeps with another amount")
  func tellsOfOtherAmounts() async throws {
    let scratch = try Scratch()
    func dump(_ units: String) -> String {
      """
      [{"_id":"b","eventType":"Correction Bolus","created_at":"2026-02-03T01:30:00Z",
        "insulin":\(units)},
       {"_id":"c","eventType":"Correction Bolus","created_at":"2026-02-03T02:30:00Z","insulin":1}]
      """
    }
    let (store, report) = (scratch.file("a.sqlite"), scratch.file("r.json"))
    try Files.write(dump("2"), to: scratch.file("1.json"))
    try Files.write(dump("1.2"), to: scratch.file("2.json"))
    let first = await program(["store", "import", store, scratch.file("1.json")])
    #expect(first.code == 0 && !first.error.contains("another amount"), "\(first.error)")
    let second = await program(
      ["store", "import", store, scratch.file("2.json"), "--report", report])
    #expect(
      second.error.contains(
        "Here already with another amount or time, 1 of them, and kept as they are here: the first "
          + "is 2 U, 2026-02-03T01:30:00Z here, 1.2 U, 2026-02-03T01:30:00Z in the file."),
      "\(second.error)")
    #expect(second.output.hasSuffix("Added: 0. Here already, or deleted here: 2.\n"))
    #expect(try scratch.text(of: "r.json").contains("\"other\": 1"))
  }

  @Test("store import counts as taken over what the store has, and no older version or copy")
  func countsOnce() async throws {
    let scratch = try Scratch()
    func basal(_ hour: Int, _ units: String, _ version: Int) -> String {
      """
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
       startDate="2026-02-03 0\(hour):00:00 +0000" endDate="2026-02-03 0\(hour):30:00 +0000"
       value="\(units)"><MetadataEntry key="HKInsulinDeliveryReason" value="1"/>
       <MetadataEntry key="HKMetadataKeySyncIdentifier" value="b\(hour)"/>
       <MetadataEntry key="HKMetadataKeySyncVersion" value="\(version)"/></Record>

      """
    }
    // Of the first 0.8 and then 0.5 U; the second, of 0.4 U, is there twice.
    let (old, new, other) = (basal(1, "0.8", 1), basal(1, "0.5", 2), basal(2, "0.4", 1))
    for (name, records) in [("a", old + new + other + other), ("b", new + other + old + other)] {
      let (store, file) = (scratch.file("\(name).sqlite"), scratch.file("\(name).xml"))
      try Files.write("<HealthData>\n\(records)</HealthData>", to: file)
      let told = "basal: 2.1 U in 4 in the file, 0.9 U in 2 taken over"
      let first = await program(["store", "import", store, file])
      #expect(first.error.contains(told), "\(first.error)")
      #expect(first.error.contains("  -0.8 U in 1: a newer version of the sample replaces it"))
      #expect(first.error.contains("  -0.4 U in 1: the same record is there twice"))
      #expect(!first.error.contains("not explained"), "\(first.error)")
      #expect(first.output.hasSuffix("Added: 2. Here already, or deleted here: 2.\n"))
      let sum = await program(["store", "statistics", store, "InsulinDelivery"])
      #expect(sum.output.contains(" 0.9 "), "\(sum.output)")
      let again = await program(["store", "import", store, file])
      #expect(again.error.contains(told), "\(again.error)")
      #expect(again.output.hasSuffix("Added: 0. Here already, or deleted here: 4.\n"))
    }
  }

  @Test("store import does not count as taken over what was deleted here, and says so")
  func countsNoDeleted() async throws {
    let scratch = try Scratch()
    let (store, file) = (scratch.file("a.sqlite"), scratch.file("a.json"))
    try Files.write(
      """
      [{"_id":"b","eventType":"Correction Bolus","created_at":"2026-02-03T01:30:00Z","insulin":2},
       {"_id":"c","eventType":"Correction Bolus","created_at":"2026-02-03T02:30:00Z","insulin":1}]
      """, to: file)
    let first = await program(["store", "import", store, file])
    #expect(first.error.contains("bolus: 3 U in 2 in the file, 3 U in 2 taken over"))
    let kept = try StoreExchangeTests.samples(store)
    let bolus = try #require(kept.first { $0.storedValue == 2 })
    #expect(await program(["store", "delete", store, "\(bolus.uuid)"]).code == 0)
    let again = await program(["store", "import", store, file])
    #expect(again.output.hasSuffix("Added: 0. Here already, or deleted here: 2.\n"))
    #expect(
      again.error.contains("bolus: 3 U in 2 in the file, 1 U in 1 taken over"), "\(again.error)")
    #expect(again.error.contains("  -2 U in 1: it was deleted here, or a newer version of it is"))
  }

  @Test("store import tells of basal that a dump cuts, and that stays as it was")
  func tellsOfOverlaps() async throws {
    let scratch = try Scratch()
    func temp(_ id: String, _ minute: Int, _ rate: Double) -> String {
      """
      {"_id":"\(id)","eventType":"Temp Basal","created_at":"2026-02-03T01:\(minute):00Z",
        "absolute":\(rate),"duration":30,"enteredBy":"loop://Loop"}
      """
    }
    let (store, report) = (scratch.file("a.sqlite"), scratch.file("r.json"))
    let (first, later) = (scratch.file("1.json"), scratch.file("2.json"))
    try Files.write("[\(temp("a", 10, 1.2))]", to: first)
    try Files.write("[\(temp("b", 20, 0.2)),\(temp("c", 55, 0.4))]", to: later)
    let one = await program(["store", "import", store, first, "--report", report])
    #expect(one.code == 0 && !one.error.contains("at the same time"), "\(one.error)")
    #expect(try scratch.text(of: "r.json").contains("\"overlaps\": 0"))
    let two = await program(["store", "import", store, later, "--report", report])
    #expect(
      two.error.contains(
        "Basal here and basal of the file at the same time, 1 of them: the first is 0.6 U, "
          + "2026-02-03T01:10:00Z to 2026-02-03T01:40:00Z, before the end of which the next "
          + "begins, 2026-02-03T01:20:00Z. What did not run is counted."), "\(two.error)")
    #expect(try scratch.text(of: "r.json").contains("\"overlaps\": 1"))
    // Together the first is cut: 0.2, 0.1 and 0.2 U.
    let all = await program(["store", "import", scratch.file("b.sqlite"), first, later])
    #expect(all.error.contains("basal: 0.9 U in 3 in the file, 0.5 U in 3 taken over"))
    #expect(!all.error.contains("at the same time"))
  }

  @Test("Dumps of Tidepool are read as one, and of a store and a file the later has the last word")
  func joins() async throws {
    let scratch = try Scratch()
    func dump(_ units: String) -> String {
      """
      [{"type":"bolus","id":"b","time":"2026-02-03T01:30:00.000Z","normal":\(units)},
       {"type":"bolus","id":"c","time":"2026-02-03T02:30:00.000Z","normal":1}]
      """
    }
    let (first, later) = (scratch.file("1.json"), scratch.file("2.json"))
    try Files.write(dump("1.2"), to: first)
    try Files.write(dump("2"), to: later)
    let both = await program(["audit", first, later, "--zone", "UTC"])
    #expect(both.output.contains("bolus 3 U"), "\(both.output)")
    #expect(both.error.contains("another version of the object replaces it"))
    let store = scratch.file("a.sqlite")
    #expect(await program(["store", "import", store, first, later]).code == 0)
    let own = await program(["audit", store, "--zone", "UTC"])
    #expect(own.output.contains("bolus 3 U"), "\(own.output)")
    for (files, units) in [
      ([store, first], "2.2"), ([store, later], "3"), ([later, store], "3"),
    ] {
      let audit = await program(["audit"] + files + ["--zone", "UTC"])
      #expect(audit.output.contains("bolus \(units) U"), "\(audit.output)")
      #expect(
        audit.output.contains(
          "1.json: 1 sample with another amount or time than in a file that is named before it; "
            + "the higher version counts, else the file that is named later. The first is "
            + "2 U, 2026-02-03T01:30:00Z, and 1.2 U, "
            + "2026-02-03T01:30:00Z here.") == (units == "2.2"), "\(audit.output)")
      // Of the two boluses one is another in the first file.
      let told =
        units == "2.2"
        ? "1 sample is in a file that is named before it too, and counts once."
        : "2 samples are in a file that is named before it too, and count once."
      #expect(audit.output.contains("\(files[1]): \(told)"), "\(audit.output)")
    }
  }

  @Test("Of two exports of one health store the newer version of a sample counts")
  func versions() async throws {
    let scratch = try Scratch()
    func export(_ units: String, version: Int) -> String {
      let date = "2026-01-15 11:00:00 +0000"
      return """
        <HealthData><Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop"
          unit="IU" startDate="\(date)" endDate="\(date)" value="\(units)">
        <MetadataEntry key="HKInsulinDeliveryReason" value="2"/>
        <MetadataEntry key="HKMetadataKeySyncIdentifier" value="abc"/>
        <MetadataEntry key="HKMetadataKeySyncVersion" value="\(version)"/></Record></HealthData>
        """
    }
    let (old, new) = (scratch.file("1.xml"), scratch.file("2.xml"))
    try Files.write(export("1.2", version: 1), to: old)
    try Files.write(export("2", version: 2), to: new)
    for files in [[old, new], [new, old]] {
      let audit = await program(["audit"] + files + ["--zone", "UTC"])
      #expect(audit.output.contains("Loop: 1 sample, basal 0 U, bolus 2 U"), "\(audit.output)")
      #expect(audit.output.contains("1 sample with another amount or time"), "\(audit.output)")
      #expect(!audit.output.contains("syncConflict"))
    }
  }

  @Test("Zones in capitals, of offsets and of the therapy are the clock, and it is said which")
  func zones() throws {
    func sentence(_ zone: String?, _ command: String) throws -> String {
      let scratch = try folder(zone: zone)
      let more = command == "backtest" ? ["--therapy", "me.json5"] : []
      let result = try Binary.run([command] + Self.files + more, in: scratch.url)
      #expect(result.code == 0, "\(result.error)")
      return result.output + result.error
    }
    #expect(try sentence("ETC/GMT+5", "audit").contains("days begin at midnight Etc/GMT+5, which"))
    let named = "the clock of Etc/GMT+5, which the record names."
    #expect(try sentence("ETC/GMT+5", "backtest").contains(named))
    let therapy = try sentence(nil, "backtest")
    #expect(therapy.contains("the clock of Asia/Tokyo, which the therapy names."), "\(therapy)")
    let record = RecordArguments()
    let offsets = ["-05:00": 2, "-06:00": 1]
    let most = record.zone(of: [], named: offsets, therapy: "Asia/Tokyo")
    #expect(most.name == "-05:00" && most.others == ["-06:00"])
    #expect(most.sentence("days begin at")?.contains("; parts of it have -06:00.") == true)
    let chosen = record.zone(of: [], named: offsets.merging(["america/chicago": 1]) { $1 })
    #expect(chosen.name == "America/Chicago" && chosen.others.isEmpty)
  }

  @Test("A span that holds nothing is refused, and so is no pulse")
  func spans() throws {
    let scratch = try folder(zone: "UTC")
    func error(_ words: String..., code: Int32) throws -> String {
      let result = try Binary.run(words, in: scratch.url)
      #expect(result.code == code, "\(result.output)")
      return result.error
    }
    let (early, late) = ("2026-02-03T01:00:00Z", "2027-01-01T00:00:00Z")
    for command in ["audit", "backtest"] {
      let more = command == "backtest" ? ["--therapy", "me.json5"] : []
      func run(_ words: String...) throws -> (code: Int32, error: String) {
        let result = try Binary.run([command] + Self.files + more + words, in: scratch.url)
        return (result.code, result.error)
      }
      let turned = try run("--from", late, "--to", early)
      #expect(turned.code == 64)
      #expect(turned.error.contains("--to \(early) is not after --from \(late)"))
      let empty = try run("--from", late)
      #expect(empty.code == 65)
      #expect(empty.error.contains("from \(late) on."), "\(empty.error)")
    }
    #expect(try error("audit", "treatments.json", "--pulse", "0", code: 64).contains("--pulse"))
  }

  @Test("Whether a span holds anything is known by the clock of the record")
  func spanOnRecordsClock() async throws {
    let scratch = try folder(zone: "America/Chicago")
    let words = ["audit"] + Self.files.map(scratch.file)
    // At 18:45 in Chicago it is 00:45 UTC of the next day.
    let taken = await program(words + ["--from", "2026-02-03T00:30Z", "--to", "2026-02-02T18:45"])
    #expect(taken.code == 0 && taken.output.contains(" in 15m from "), "\(taken.error)")
    let turned = await program(words + ["--from", "2026-02-02T18:45", "--to", "2026-02-03T00:30Z"])
    #expect(turned.code == 64 && turned.output.isEmpty, "\(turned.output)")
    #expect(
      turned.error.hasSuffix(
        "Error: --to 2026-02-03T00:30:00Z is not after --from 2026-02-03T00:45:00Z: the span holds "
          + "nothing.\n"), "\(turned.error)")
  }

  @Test("A time without an offset is one of the time zone that is named")
  func localTimes() async throws {
    let scratch = try folder(zone: "UTC")
    let store = scratch.file("a.sqlite")
    _ = await program(["store", "import", store] + Self.files.map(scratch.file))
    // 00:30 UTC is 18:30 of the day before in Chicago, and the day there begins at 06:00 UTC.
    for (local, instant) in [
      ("2026-02-02T18:30:00", "2026-02-03T00:30:00Z"), ("2026-02-02", "2026-02-02T06:00:00Z"),
      ("2026-02-02T18:30:00-06:00", "2026-02-03T00:30:00Z"),
    ] {
      for command in [["audit"], ["store", "timeline"], ["store", "statistics"]] {
        let type = command.last == "statistics" ? ["InsulinDelivery"] : []
        let words = command + [store] + type + ["--zone", "America/Chicago"]
        let here = await program(words + ["--from", local])
        let there = await program(words + ["--from", instant])
        #expect(here.code == 0 && here.output == there.output, "\(here.error)\(here.output)")
      }
    }
    let all = await program(["store", "statistics", store, "InsulinDelivery"])
    let later = await program(
      ["store", "statistics", store, "InsulinDelivery", "--from", "2026-02-03T02:00:00"])
    #expect(later.output != all.output, "Without a zone it is UTC: \(later.output)")
  }
}
