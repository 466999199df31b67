import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@testable import loopsim

@Suite("Importing, exporting and taking back")
struct StoreExchangeTests {
  static func samples(_ path: String) throws -> Set<Sample> {
    let store = try SQLiteHealthStore(reading: path)
    return Set(try store.allSamples().map(\.sample))
  }

  @Test("H165: an export of Apple Health gives an equal store, and again nothing")
  func exportsAndImports() async throws {
    let fixture = try StoreFixture()
    let (xml, copy) = (fixture.folder + "/export.xml", fixture.folder + "/copy.sqlite")
    let exported = await fixture.run("export", fixture.path, xml)
    #expect(exported.error == "7 samples written.\n")
    let imported = await fixture.run("import", copy, xml)
    #expect(imported.code == 0)
    #expect(imported.output.hasSuffix("Added: 7. Here already, or deleted here: 0.\n"))
    #expect(try Self.samples(copy) == Self.samples(fixture.path))
    let again = await fixture.run("import", copy, xml)
    #expect(again.output.hasSuffix("Added: 0. Here already, or deleted here: 7.\n"))
    for words in [["--zone", "UTC"], ["--dates", "day-first"], ["--unit", "mmol/L"]] {
      let report = ["--report", fixture.folder + "/new/report.json"]
      let ofTables = await program(["store", "import", copy, xml] + words + report)
      #expect(ofTables.code == 64)
      #expect(!FileManager.default.fileExists(atPath: fixture.folder + "/new"))
      #expect(ofTables.error.contains("\(words[0]) is for tables"), "\(ofTables.error)")
    }
    let printed = await fixture.run("export", fixture.path, "--type", "BloodGlucose")
    #expect(printed.output.hasPrefix("<?xml"))
    #expect(printed.error == "3 samples written.\n")
  }

  @Test("A new store shows glucose in the unit of the file, wherever that names it")
  func unitOfTheFile() async throws {
    let scratch = try Scratch()
    let beat = """
      <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
      startDate="2026-02-03 00:00:00 +0100" endDate="2026-02-03 00:00:00 +0100" value="61"/>

      """
    let glucose = """
      <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Loop" \
      unit="mmol&lt;180.1558800000541&gt;/L" startDate="2026-02-03 00:05:00 +0100" \
      endDate="2026-02-03 00:05:00 +0100" value="7.2"/>
      """
    // More than the megabyte at a time that is read of a file.
    for beats in [0, 10_000] {
      let file = scratch.file("\(beats).xml")
      let before = String(repeating: beat, count: beats)
      try Files.write("<HealthData>\(before)\(glucose)</HealthData>", to: file)
      let (store, words) = (scratch.file("\(beats).sqlite"), ["store", "unit"])
      let imported = await program(["store", "import", store, file])
      #expect(imported.code == 0)
      #expect(imported.error.contains("Glucose is shown in mmol/L, as in the file"))
      let unit = await program(words + [store, "BloodGlucose"])
      #expect(unit.output == "BloodGlucose: mmol/L\n")
      let measured = await program(["outcomes", file, "--zone", "UTC"])
      #expect(measured.output.contains("  mean   7.2  mmol/L"), "\(measured.output)")
      // The user's choice stays.
      #expect(await program(words + [store, "BloodGlucose", "mg/dL"]).code == 0)
      let again = await program(["store", "import", store, file])
      #expect(!again.error.contains("is shown in"))
      #expect(await program(words + [store, "BloodGlucose"]).output == "BloodGlucose: mg/dL\n")
    }
  }

  @Test(
    "A type that is named twice is written once, and one that the store has nothing of is told",
    arguments: ["apple-health", "tidepool", "nightscout"])
  func namedTypes(format: String) async throws {
    let fixture = try StoreFixture()
    let words = ["--format", format, "--type", "BloodGlucose"]
    func export(_ more: String...) async -> (code: Int32, output: String, error: String) {
      await program(["store", "export", fixture.path] + words + more)
    }
    let once = await export()
    #expect(once.error.hasSuffix("3 samples written.\n"))
    let twice = await export("--type", "BloodGlucose")
    #expect(twice.output == once.output && twice.error == once.error)
    let more = await export("--type", "HeartRate", "--type", "DateOfBirth")
    #expect(more.output == once.output && more.code == 0)
    #expect(
      more.error == once.error + "The store has no sample of HeartRate, DateOfBirth.\n",
      "\(more.error)")
  }

  @Test("A store of its own is no backup of another program, and how to take it over is said")
  func ownStore() async throws {
    let fixture = try StoreFixture()
    let copy = fixture.folder + "/copy.sqlite"
    let refused = await fixture.run("import", copy, fixture.path)
    #expect(refused.code == 65 && refused.output.isEmpty, "\(refused)")
    #expect(
      refused.error.contains("This is a health store of loopsim. Take over what it exports: "),
      "\(refused.error)")
    #expect(!refused.error.contains("xDrip"), "\(refused.error)")
    #expect(!FileManager.default.fileExists(atPath: copy))
    // Another program's database still is one.
    try Data("SQLite format 3\0".utf8 + [UInt8](repeating: 0, count: 4_096)).write(
      to: URL(fileURLWithPath: fixture.folder + "/other.sqlite"))
    let other = await fixture.run("import", copy, fixture.folder + "/other.sqlite")
    #expect(other.error.contains("such as a backup of xDrip"), "\(other.error)")
  }

  @Test("A report that cannot be written is refused before a store is made or changed")
  func refusesReportFirst() async throws {
    let fixture = try StoreFixture()
    let (xml, copy) = (fixture.folder + "/export.xml", fixture.folder + "/copy.sqlite")
    _ = await fixture.run("export", fixture.path, xml)
    let refused = await fixture.run("import", copy, xml, "--report", fixture.folder)
    #expect(refused.code == 74 && refused.output.isEmpty, "\(refused)")
    #expect(
      refused.error.contains("\(fixture.folder): cannot be written: it is a folder; name a file."),
      "\(refused.error)")
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test("An export that breaks off leaves the batches before, and says how many samples they hold")
  func breaksOff() async throws {
    let scratch = try Scratch()
    let (path, file) = (scratch.file("store.sqlite"), scratch.file("export.xml"))
    var text = "<HealthData>\n"
    for number in 0..<5_003 {
      let date =
        "2026-02-0\(1 + number / 3_600) 07:\(10 + number / 60 % 50):\(10 + number % 50) +0000"
      text += """
        <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min"
         startDate="\(date)" endDate="\(date)" value="\(number)"/>

        """
    }
    try Files.write(text + "<Record", to: file)
    let result = await program(["store", "import", path, file])
    #expect(result.code == 65)
    #expect(result.error.contains("export.xml:10008:"), "\(result.error)")
    #expect(result.error.hasSuffix("5000 samples before it were taken over.\n"))
    let kept = try SQLiteHealthStore(reading: path).allSamples()
    #expect(kept.map(\.sample.storedValue) == (0..<5_000).map { Double($0) })
  }

  @Test("Control characters of an export are read as blanks, and counted")
  func controlCharacters() async throws {
    let scratch = try Scratch()
    let (path, file) = (scratch.file("store.sqlite"), scratch.file("export.xml"))
    let date = "2026-02-01 07:10:10 +0000"
    try Files.write(
      """
      <HealthData><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Me\u{0}ter\u{1}"
        unit="count/min" startDate="\(date)" endDate="\(date)" value="60"/></HealthData>
      """, to: file)
    let report = scratch.file("report.json")
    let result = await program(["store", "import", path, file, "--report", report])
    #expect(result.code == 0)
    #expect(result.error.contains("which XML cannot hold: 2, read as blanks."), "\(result.error)")
    #expect(try scratch.text(of: "report.json").contains("\"controlCharacters\": 2"))
    #expect(try SQLiteHealthStore(reading: path).registry.sources.map(\.name).contains("Me ter "))
  }

  @Test("Facts about the person that an export changes, or that are none, are told")
  func facts() async throws {
    let scratch = try Scratch()
    let (store, file) = (scratch.file("a.sqlite"), scratch.file("export.xml"))
    func take(_ birth: String, _ sex: String) async throws -> String {
      let facts =
        "HKCharacteristicTypeIdentifierDateOfBirth=\"\(birth)\" "
        + "HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSex\(sex)\""
      try Files.write("<HealthData><Me \(facts)/></HealthData>", to: file)
      let done = await program(["store", "import", store, file])
      #expect(done.code == 0, "\(done.error)")
      return done.error
    }
    #expect(try await !take("1970-01-01", "Female").contains("warning"))
    #expect(try await !take("1970-01-01", "NotSet").contains("warning"))
    #expect(await program(["store", "person", store]).output.contains("Female"))
    let changed = try await take("1990-05-17", "Female")
    #expect(
      changed.contains(
        "the DateOfBirth was 1970-01-01 here and is 1990-05-17 now, as in the file."), "\(changed)")
    let wrong = try await take("1990-02-30", "Male")
    #expect(wrong.contains("it is no DateOfBirth of a person"), "\(wrong)")
    #expect(wrong.contains("the BiologicalSex was Female here and is Male now"), "\(wrong)")
    #expect(await program(["store", "person", store]).output.contains("1990-05-17"))
  }

  @Test("Tidepool's form is written and read back")
  func tidepool() async throws {
    let fixture = try StoreFixture()
    let (json, copy) = (fixture.folder + "/data.json", fixture.folder + "/copy.sqlite")
    let exported = await fixture.run("export", fixture.path, json, "--format", "tidepool")
    #expect(exported.error == "7 samples written.\n")
    let imported = await fixture.run("import", copy, json)
    #expect(imported.output.hasSuffix("Added: 7. Here already, or deleted here: 0.\n"))
    let values = try Self.samples(copy).compactMap(\.storedValue).sorted()
    #expect(zip(values, [0, 0.1, 0.6, 2.4, 100, 110, 120]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("Nightscout's form is written and read back, without the scheduled basal of the profile")
  func writesNightscout() async throws {
    let fixture = try StoreFixture()
    let (json, copy) = (fixture.folder + "/dump.json", fixture.folder + "/copy.sqlite")
    let exported = await fixture.run("export", fixture.path, json, "--format", "nightscout")
    #expect(
      exported.error == """
        Left out, 3 of them (3.1 U of basal): scheduled basal stands in the profile.
        4 samples written.

        """)
    let imported = await fixture.run("import", copy, json)
    #expect(imported.output.hasSuffix("Added: 4. Here already, or deleted here: 0.\n"))
    let values = try Self.samples(copy).compactMap(\.storedValue).sorted()
    #expect(values == [0, 100, 110, 120])
  }

  @Test("Nightscout's form is known by its content")
  func nightscout() async throws {
    let fixture = try StoreFixture()
    let (json, copy) = (fixture.folder + "/dump.json", fixture.folder + "/copy.sqlite")
    try """
    [{"_id":"0123456789abcdef01234567","type":"sgv","date":1770098400000,"sgv":112}]
    """.write(toFile: json, atomically: true, encoding: .utf8)
    let imported = await fixture.run("import", copy, json)
    #expect(imported.output.contains("nightscout cgm"))
    #expect(try Self.samples(copy).map(\.storedValue) == [112])
  }

  @Test("A file that is wrong is located, ends with 65, and makes no store")
  func wrongFiles() async throws {
    let fixture = try StoreFixture()
    let copy = fixture.folder + "/copy.sqlite"
    for (content, message) in [
      ("<HealthData>\n <Record type='x'", "wrong:2:"), ("<plist/>", "wrong:1:1: error: This is no"),
      ("[{\"type\":\"cbg\"}]", "wrong:1:2: error: "), ("", "wrong: the file is empty."),
    ] {
      let path = fixture.folder + "/wrong"
      try content.write(toFile: path, atomically: true, encoding: .utf8)
      let result = await fixture.run("import", copy, path)
      #expect(result.code == 65)
      #expect(result.error.contains(message), "\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
    let missing = await fixture.run("import", copy, fixture.folder + "/none")
    #expect(missing.code == 65)
  }

  @Test("H37: a deletion by command says what it does to insulin on board, and can be taken back")
  func restores() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "InsulinDelivery", "3", "--reason", "bolus", "--at",
      "2026-01-01T08:00:00Z")
    let uuid = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let before = try Self.samples(fixture.path)
    let deleted = await fixture.run(
      "delete", fixture.path, uuid, "--at", "2026-01-01T08:00:00Z")
    #expect(
      deleted.error.contains("insulin on board at 2026-01-01T08:00:00Z goes from 2.76 to -0.24 U"))
    let record = try #require(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
        .first { $0.contains(".deleted-") })
    #expect(deleted.error.contains("loopsim store restore \(fixture.path) "))
    #expect(try Self.samples(fixture.path).count == before.count - 1)
    let restored = await fixture.run("restore", fixture.path, "\(fixture.folder)/\(record)")
    #expect(restored.output == "Restored: 1. Here already, or deleted again: 0.\n")
    let after = try Self.samples(fixture.path)
    #expect(after.count == before.count)
    let bolus = try #require(after.first { $0.storedValue == 3 })
    #expect("\(bolus.uuid)" != uuid)
    #expect(bolus.source == .healthApp && bolus.metadata.wasUserEntered)
    let again = await fixture.run("restore", fixture.path, "\(fixture.folder)/\(record)")
    #expect(again.output == "Restored: 0. Here already, or deleted again: 1.\n")
  }

  @Test("H84: glucose is shown in the chosen unit, mmol/L with one decimal")
  func units() async throws {
    let fixture = try StoreFixture()
    let plain = await fixture.run("unit", fixture.path, "BloodGlucose")
    #expect(plain.output == "BloodGlucose: mg/dL\n")
    let chosen = await fixture.run("unit", fixture.path, "BloodGlucose", "mmol/L")
    #expect(chosen.output == "BloodGlucose: mmol/L\n")
    let shown = await fixture.run("samples", fixture.path, "BloodGlucose")
    for value in ["5.6  mmol/L", "6.1  mmol/L", "6.7  mmol/L"] {
      #expect(shown.output.contains(value), "\(shown.output)")
    }
    let wrong = await fixture.run("unit", fixture.path, "BloodGlucose", "mmHg")
    #expect(wrong.code == 65)
  }

  @Test("What the store refuses, and what was not asked for, does not count as taken over")
  func countsWhatWasKept() async throws {
    let scratch = try Scratch()
    let (path, file) = (scratch.file("store.sqlite"), scratch.file("export.xml"))
    let (date, entry) = (
      "2026-02-01 07:10:10 +0000", "<MetadataEntry key=\"HKInsulinDeliveryReason\" value=\"2\"/>"
    )
    func record(_ value: String, _ metadata: String) -> String {
      """
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
       startDate="\(date)" endDate="\(date)" value="\(value)">\(metadata)</Record>

      """
    }
    let records =
      record("2", entry) + record("3", "") + record("-1", entry)
      + record("1500", entry)
    try Files.write("<HealthData>\n\(records)</HealthData>", to: file)
    let report = scratch.file("report.json")
    let result = await program(["store", "import", path, file, "--report", report])
    #expect(result.code == 0)
    #expect(try Self.samples(path).map(\.storedValue) == [2])
    let text = result.output + result.error
    #expect(text.contains("bolus: 1504 U in 4 in the file, 2 U in 1 taken over"), "\(text)")
    #expect(text.contains("  -1500 U in 1: refused by the store: its value is larger than any"))
    #expect(text.contains("  -3 U in 1: refused by the store: A sample of InsulinDelivery"))
    #expect(text.contains("  +1 U in 1: refused by the store: InsulinDelivery cannot be negative"))
    #expect(!text.contains("not explained"))
    #expect(try scratch.text(of: "report.json").contains("\"amount\": 2"))

    let (other, json) = (scratch.file("other.sqlite"), scratch.file("data.json"))
    try Files.write(
      """
      [{"type":"sgv","date":1770076800000,"sgv":110},
       {"eventType":"Bolus","created_at":"2026-02-03T09:00:00Z","insulin":1.5}]
      """, to: json)
    let some = await program(["store", "import", other, json, "--type", "BloodGlucose"])
    #expect(
      (some.output + some.error).contains("bolus: 1.5 U in 1 in the file, 0 U in 0 taken over"))
    #expect((some.output + some.error).contains("of a type that was not asked for"))
  }

  @Test("A file of which nothing can be taken over is an error, and no store is made of it")
  func takesNothingOver() async throws {
    let scratch = try Scratch()
    let (path, file) = (scratch.file("store.sqlite"), scratch.file("dump.json"))
    try Files.write(
      """
      [{"eventType":"Note","created_at":"2026-02-03T09:00:00Z","notes":"hello"},
       {"type":"sgv","date":1770076800000,"sgv":5}, {"type":"sgv","date":1770077100000,"sgv":10}]
      """, to: file)
    let report = scratch.file("report.json")
    let result = await program(["store", "import", path, file, "--report", report])
    #expect(result.code == 65)
    #expect(
      result.error.contains(
        "\(file): error: nothing was taken over: it holds no sample that can be read; 3 records "
          + "left out, as said above."), "\(result.error)")
    #expect(result.error.contains("2 records are left out: a value below 39"))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try scratch.text(of: "report.json").contains("\"samples\": 0"))

    try Files.write(#"[{"type":"sgv","date":1770076800000,"sgv":110}]"#, to: file)
    let other = await program(["store", "import", path, file, "--type", "InsulinDelivery"])
    #expect(other.code == 65)
    #expect(other.error.contains("it holds no sample of InsulinDelivery that can be read."))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(await program(["store", "import", path, file]).code == 0)
    #expect(await program(["store", "import", path, file]).code == 0)

    for (name, text) in [("e.json", "{}"), ("e2.json", "[]"), ("e.xml", "<HealthData/>")] {
      try Files.write(text, to: scratch.file(name))
      let empty = await program(
        ["store", "import", scratch.file("none.sqlite"), scratch.file(name)])
      #expect(empty.code == 65, "\(name)")
      #expect(empty.error.contains("nothing was taken over: it holds no sample that can be read."))
      #expect(!FileManager.default.fileExists(atPath: scratch.file("none.sqlite")))
    }

    let export = scratch.file("export.xml")
    try Files.write(
      """
      <HealthData>
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
       startDate="2026-02-01 07:10:10 +0000" endDate="2026-02-01 07:10:10 +0000" value="3"/>
      </HealthData>
      """, to: export)
    let refused = await program(["store", "import", scratch.file("new.sqlite"), export])
    #expect(refused.code == 65)
    #expect(refused.error.contains("nothing was taken over: the store refused its only sample."))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("new.sqlite")))
  }
}
