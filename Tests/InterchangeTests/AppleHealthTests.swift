import HealthStore
import Quantities
import StructuredText
import TestSupport
import Testing

@testable import Interchange

@Suite("Exports of Apple Health")
struct AppleHealthTests {
  /// An export as the phone writes it; the blood pressure stands in the correlation alone.
  static let example = """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_US">
     <ExportDate value="2026-02-03 18:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-05-17" \
    HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
     <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Loop" sourceVersion="57" \
    device="&lt;&lt;HKDevice: 0x6000&gt;, name:G7, manufacturer:Dexcom, Inc., model:G7&gt;" \
    unit="mg/dL" creationDate="2026-02-03 07:00:04 +0100" startDate="2026-02-03 07:00:00 +0100" \
    endDate="2026-02-03 07:00:00 +0100" value="112">
      <MetadataEntry key="HKMetadataKeySyncIdentifier" value="cgm-000123"/>
      <MetadataEntry key="HKMetadataKeySyncVersion" value="1"/>
     </Record>
     <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU" \
    creationDate="2026-02-03 07:15:02 +0100" startDate="2026-02-03 06:00:00 +0100" \
    endDate="2026-02-03 07:15:00 +0100" value="0.6">
      <MetadataEntry key="HKInsulinDeliveryReason" value="1"/>
      <MetadataEntry key="HasLoopKitOrigin" value="1"/>
      <MetadataEntry key="com.loopkit.InsulinKit.MetadataKeyScheduledBasalRate" \
    value="0.5 IU/hr"/>
     </Record>
     <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Health" unit="IU" \
    creationDate="2026-02-03 12:31:00 +0100" startDate="2026-02-03 12:30:00 +0100" \
    endDate="2026-02-03 12:30:00 +0100" value="4">
      <MetadataEntry key="HKInsulinDeliveryReason" value="2"/>
      <MetadataEntry key="HKWasUserEntered" value="1"/>
     </Record>
     <Record type="HKQuantityTypeIdentifierDietaryCarbohydrates" sourceName="Loop" unit="g" \
    creationDate="2026-02-03 12:29:10 +0100" startDate="2026-02-03 12:29:00 +0100" \
    endDate="2026-02-03 12:29:00 +0100" value="45">
      <MetadataEntry key="com.loopkit.AbsorptionTime" value="10800"/>
     </Record>
     <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \
    creationDate="2026-02-03 08:00:05 +0100" startDate="2026-02-03 08:00:00 +0100" \
    endDate="2026-02-03 08:00:00 +0100">
    \(systolic)
    \(diastolic)
     </Correlation>
    </HealthData>
    """

  static let systolic = pressure("Systolic", 121)
  static let diastolic = pressure("Diastolic", 79)

  static func pressure(_ name: String, _ value: Int) -> String {
    record(
      "BloodPressure\(name)", "mmHg", "\(value)", at: "2026-02-03 08:00:00 +0100", source: "Cuff")
  }

  static func record(
    _ type: String, _ unit: String, _ value: String, at date: String, source: String = "Loop"
  ) -> String {
    """
    <Record type="HKQuantityTypeIdentifier\(type)" sourceName="\(source)" unit="\(unit)" \
    creationDate="\(date)" startDate="\(date)" endDate="\(date)" value="\(value)"/>
    """
  }

  static func export(_ records: String...) -> String {
    "<HealthData locale=\"en_US\">\n" + records.joined(separator: "\n") + "\n</HealthData>"
  }

  /// Reads a whole text, given in parts of some bytes.
  static func read(
    _ text: String, parts size: Int = 1 << 16, types: Set<ObjectType>? = nil
  ) throws -> (samples: [RestoredSample], reader: AppleHealthReader) {
    var rest = Array(text.utf8)[...]
    var reader = AppleHealthReader(file: "export.xml", types: types)
    var samples: [RestoredSample] = []
    while let next = try reader.next(
      upTo: 3,
      input: {
        let part = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        return part
      })
    {
      samples += next
    }
    return (samples, reader)
  }

  static func count(_ samples: [RestoredSample], _ type: ObjectType) -> Int {
    samples.count { $0.sample.type == type }
  }

  @Test("Words for no number in metadata stay text, which a store gives back as it is")
  func wordsForNoNumber() {
    let metadata = AppleHealthMetadata.metadata(of: [
      ("com.loopkit.AbsorptionTime", "nan"),
      ("com.loopkit.InsulinKit.MetadataKeyScheduledBasalRate", "inf IU/hr"),
    ])
    #expect(metadata[.absorptionTime] == .text("nan"))
    #expect(metadata[.scheduledBasalRate] == .text("inf IU/hr"))
  }

  @Test("H161: the example gives what it shows, and a second import adds nothing")
  func importsTheExample() throws {
    let (samples, reader) = try Self.read(Self.example)
    var store = InMemoryHealthStore()
    #expect(try store.restore(samples) == Array(repeating: .added, count: 5))
    let row = store.lastRow
    let again = try Self.read(Self.example).samples
    #expect(try store.restore(again) == Array(repeating: .passedOver, count: 5))
    #expect(store.lastRow == row)

    let glucose = try #require(try store.samples(of: .bloodGlucose, as: .user).first)
    #expect(glucose.storedValue == 112)
    #expect(glucose.start == Instant(iso8601: "2026-02-03T06:00:00Z"))
    #expect(glucose.metadata.syncIdentifier == "cgm-000123")
    #expect(glucose.metadata.syncVersion == 1)
    #expect(glucose.device?.manufacturer == "Dexcom, Inc.")
    #expect(glucose.sourceRevision?.version == "57")
    #expect(glucose.source?.bundleIdentifier == "import.loop")
    let insulin = try store.samples(of: .insulinDelivery, as: .user)
    #expect(insulin.map(\.storedValue) == [0.6, 4])
    #expect(insulin.map(\.metadata.insulinDeliveryReason) == [.basal, .bolus])
    #expect(insulin[0].metadata.scheduledBasalRate?.unitsPerHour == 0.5)
    #expect(insulin[0].metadata.hasLoopKitOrigin && insulin[1].metadata.wasUserEntered)
    let carbs = try store.samples(of: .dietaryCarbohydrates, as: .user)
    #expect(carbs.map(\.metadata.absorptionTime) == [.hours(3)])
    let pressure = try #require(try store.samples(of: .bloodPressure, as: .user).first)
    #expect(Set(pressure.members.compactMap(\.storedValue)) == [121, 79])
    #expect(reader.characteristics.map(\.type) == [.dateOfBirth, .biologicalSex])
    #expect(reader.characteristics.map(\.value).last == 1)
  }

  @Test("H162: document type, vertical tab and escaped molar unit are read")
  func readsRealFiles() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: 14 -->
      <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
      <!ATTLIST HealthData
        locale CDATA #REQUIRED
      >
      <!ATTLIST Record unit CDATA #IMPLIED value CDATA "a > b">
      ]>
      <HealthData locale="de_DE">
      \(Self.record(
        "BloodGlucose", "mmol&lt;180.1558800000541&gt;/L", "5.5", at: "2026-02-03 07:00:00 +0100",
        source: "Anna\u{2019}s\u{A0}\u{0B}Phone"))
      </HealthData>
      """
    let sample = try #require(try Self.read(text).samples.first).sample
    #expect(sample.quantity?.unit == .millimolePerLitre)
    #expect(abs(try #require(sample.storedValue) - 99.085734) < 1e-6)
    #expect(sample.source?.name == "Anna\u{2019}s\u{A0} Phone")
  }

  @Test("H163: members both inside and beside their correlation count once, in either order")
  func countsMembersOnce() throws {
    let copies = Self.systolic + Self.diastolic
    let correlation = """
      <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \
      creationDate="2026-02-03 08:00:00 +0100" startDate="2026-02-03 08:00:00 +0100" \
      endDate="2026-02-03 08:00:00 +0100">\(copies)</Correlation>
      """
    let single = Self.pressure("Systolic", 133)
    let texts = [
      Self.export(copies, single, correlation), Self.export(correlation, single, copies),
      Self.export(correlation, single),
    ]
    for text in texts {
      let samples = try Self.read(text).samples
      #expect(Self.count(samples, .bloodPressure) == 1)
      #expect(samples.first { $0.sample.type == .bloodPressure }?.sample.members.count == 2)
      let alone = samples.filter { $0.sample.type == .bloodPressureSystolic }
      #expect(alone.map(\.sample.storedValue) == [133])
      #expect(Self.count(samples, .bloodPressureDiastolic) == 0)
    }
  }

  @Test("H164: the memory does not grow with the file")
  func streams() throws {
    // What stays in memory is the scanner's buffer: two parts, and a record.
    let size = Extent.of(1 << 17, whole: 1 << 20)
    var scanner = XMLScanner(file: "large.xml")
    let record = Array(
      Self.record("HeartRate", "count/min", "61", at: "2026-02-03 07:00:00 +0100").utf8)
    var part: [UInt8] = []
    while part.count + record.count <= size { part += record }
    scanner.append(Array("<HealthData>".utf8))
    var (largest, records, parts) = (0, 0, 0)
    while true {
      while scanner.wantsMore {
        scanner.append(parts < 3 ? part : parts == 3 ? Array("</HealthData>".utf8) : [])
        parts += 1
        largest = max(largest, scanner.bufferedBytes)
      }
      guard let piece = try scanner.next() else { break }
      if piece == .start, scanner.isNamed("Record") { records += 1 }
    }
    #expect(records == 3 * (part.count / record.count))
    #expect(largest < 3 * size)
  }

  @Test("The offset from UTC of most dates is that of the person's clock, unless it is UTC")
  func namesOffsets() throws {
    func zones(_ offsets: String...) throws -> [String: Int] {
      let records = offsets.enumerated().map { day, offset in
        Self.record("BloodGlucose", "mg/dL", "110", at: "2026-03-0\(day + 1) 23:30:00 \(offset)")
      }
      return try Self.read(Self.export(records.joined(separator: "\n"))).reader.report.timeZones
    }
    #expect(try zones("-0500", "-0500", "-0400") == ["-05:00": 2, "-04:00": 1])
    #expect(try zones("+0530") == ["+05:30": 1])
    #expect(try zones("+0100", "+0000", "+0100") == ["+01:00": 2, "+00:00": 1])
    #expect(try zones("+0000", "+0100", "+0000").isEmpty)
    #expect(try zones("+0000", "+0000").isEmpty)
    #expect(try Self.read(Self.example).reader.report.timeZones == ["+01:00": 5])
  }

  @Test("What a CGM measured is that of a sensor on its way to Tidepool and Nightscout")
  func keepsSensorsApart() throws {
    let export = Self.export(
      Self.record("BloodGlucose", "mg/dL", "112", at: "2026-02-03 07:00:00 +0100", source: "Loop"),
      Self.record(
        "BloodGlucose", "mg/dL", "113", at: "2026-02-03 07:05:00 +0100", source: "Dexcom G6"),
      Self.record(
        "BloodGlucose", "mg/dL", "114", at: "2026-02-03 07:10:00 +0100", source: "Contour"))
    var (tidepool, nightscout) = (
      TidepoolWriter(file: "t.json"), NightscoutWriter(file: "n.json")
    )
    for restored in try Self.read(export).samples {
      tidepool.append(restored.sample)
      nightscout.append(restored.sample)
    }
    func root(_ bytes: [UInt8]) throws -> JSONNode {
      try #require(JSONReader.read(bytes, file: "data.json").root)
    }
    let objects = try root(tidepool.bytes).items ?? []
    #expect(objects.compactMap { $0["type"]?.string } == ["cbg", "cbg", "smbg"])
    let entries = try root(nightscout.bytes)["entries"]?.items ?? []
    #expect(entries.compactMap { $0["type"]?.string } == ["sgv", "sgv", "mbg"])
  }

  @Test("H165: a store comes back from its own export, identities and metadata too")
  func roundTrip() throws {
    var store = InMemoryHealthStore()
    let loop = try store.register(
      HealthClient(
        bundleIdentifier: "com.loopkit.Loop", name: "Loop", version: "57",
        productType: "iPhone15,2", operatingSystemVersion: "17.1"), granting: .full)
    let samples = try ExportFixture.samples()
    try store.save(samples, as: loop, at: ExportFixture.start + .milliseconds(7))
    let bytes = try ExportFixture.export(store)
    var copy = InMemoryHealthStore()
    let restored = try Self.read(String(decoding: bytes, as: UTF8.self), parts: 700)
    #expect(restored.reader.report.omissions.isEmpty)
    #expect(try copy.restore(restored.samples).allSatisfy { $0 == .added })
    for type in ObjectType.allCases where type.isSampleType {
      let before = try store.samples(of: type, as: .user)
      let after = try copy.samples(of: type, as: .user)
      #expect(Set(before) == Set(after), "\(type)")
      #expect(before.count == after.count)
    }
    #expect(try ExportFixture.export(copy).count == bytes.count)
  }

  @Test("H166: dates with any offset are the right instants")
  func readsOffsets() throws {
    for (text, utc) in [
      ("2026-02-03 07:00:00 +0100", "2026-02-03T06:00:00Z"),
      ("2026-02-03 07:00:00 +0530", "2026-02-03T01:30:00Z"),
      ("2026-02-03 07:00:00 -0800", "2026-02-03T15:00:00Z"),
      ("2024-02-29 23:59:59 -0330", "2024-03-01T03:29:59Z"),
    ] {
      #expect(AppleHealthDate.instant(text) == Instant(iso8601: utc))
    }
    for text in [
      "2026-02-03T07:00:00+0100", "2026-02-30 07:00:00 +0100", "2026-02-03 25:00:00 +0100",
      "2026-02-03 07:00:00", "2026-02-03 07:00:00 +01:0", "",
    ] {
      #expect(AppleHealthDate.instant(text) == nil)
    }
  }
}

@Suite("Exports of Apple Health that are not right")
struct AppleHealthFaultTests {
  typealias Exports = AppleHealthTests

  @Test("What is no sample is left out, counted, and named with its place")
  func leavesOut() throws {
    let date = "2026-02-03 07:00:00 +0100"
    let text = Exports.export(
      Exports.record("BloodGlucose", "mg/dL", "", at: date),
      Exports.record("BloodGlucose", "mg/dL", "", at: date),
      Exports.record("Radiation", "mg/dL", "5", at: date),
      Exports.record("HeartRate", "beats", "60", at: date),
      Exports.record("HeartRate", "count/min", "60", at: "yesterday"),
      Exports.record("HeartRate", "count/min", "61", at: date))
    let (samples, reader) = try Exports.read(text)
    #expect(samples.map(\.sample.storedValue) == [61])
    #expect(
      reader.report.warnings.map(\.description) == [
        "export.xml:2:1: warning: 2 records are left out: the value is no number such as 5.5.",
        "export.xml:4:1: warning: 1 record is left out: "
          + "the type 'HKQuantityTypeIdentifierRadiation' is not known.",
        "export.xml:5:1: warning: 1 record is left out: the unit 'beats' cannot be read.",
        "export.xml:6:1: warning: 1 record is left out: "
          + "the startDate is no date such as 2026-02-03 07:00:00 +0100.",
      ])
  }

  @Test("What is stated in a unit that does not measure it is left out by that name")
  func leavesOutUnits() throws {
    let date = "2026-02-03 07:00:00 +0100"
    let text = Exports.export(
      Exports.record("InsulinDelivery", "mL", "2", at: date),
      Exports.record("BloodGlucose", "g", "5", at: date),
      Exports.record("DietaryCarbohydrates", "oz", "2", at: "yesterday"),
      Exports.record("DietaryCarbohydrates", "kg", "0.02", at: date))
    let (samples, reader) = try Exports.read(text)
    #expect(samples.map(\.sample.storedValue) == [20])
    #expect(
      reader.report.warnings.map(\.description) == [
        "export.xml:2:1: warning: 1 record is left out: mL does not measure InsulinDelivery.",
        "export.xml:3:1: warning: 1 record is left out: g does not measure BloodGlucose.",
        "export.xml:4:1: warning: 1 record is left out: "
          + "the startDate is no date such as 2026-02-03 07:00:00 +0100.",
      ])
    // Two millilitres are no two units, and two ounces no two grams.
    #expect(reader.report.account.totals.map(\.quantity) == [.carbohydrates])
    let grams = try #require(reader.report.account.totals.first)
    #expect(abs(grams.amountIn.value - (20 + 56.699)) < 0.001)
    #expect(grams.amountOut.value == 20)
    #expect(reader.report.account.unexplained(of: .carbohydrates) == .zero)
  }

  @Test("Records alike keep their number, and each its identity")
  func keepsRepeats() throws {
    let record = Exports.record("StepCount", "count", "5", at: "2026-02-03 07:00:00 +0100")
    let first = try Exports.read(Exports.export(record, record, record)).samples
    #expect(Set(first.map(\.sample.uuid)).count == 3)
    let again = try Exports.read(Exports.export(record, record, record)).samples
    #expect(again.map(\.sample.uuid) == first.map(\.sample.uuid))
  }

  @Test("Truncated and foreign files say where, in parts of any size", arguments: [1, 7, 4_096])
  func locatesErrors(size: Int) {
    let cut = String(Exports.example.prefix(900))
    #expect(throws: TextProblem.self) { try Exports.read(cut, parts: size) }
    let foreign = "\n<plist><dict/></plist>"
    #expect(
      throws: TextProblem(
        at: TextPosition(file: "export.xml", line: 2, column: 1),
        "This is no export of Apple Health: its root is <plist>, not <HealthData>.")
    ) { try Exports.read(foreign, parts: size) }
  }

  @Test("Parts of any size give the same samples", arguments: [1, 13, 1_000])
  func partsDoNotMatter(size: Int) throws {
    let whole = try Exports.read(Exports.example).samples
    #expect(try Exports.read(Exports.example, parts: size).samples == whole)
  }

  @Test("Only the chosen types are read")
  func choosesTypes() throws {
    let samples = try Exports.read(Exports.example, types: [.bloodGlucose]).samples
    #expect(samples.map(\.sample.type) == [.bloodGlucose])
  }

  // Quadratic work would take hours here.
  @Test("A record with 10,000 metadata entries is read", .timeLimit(.minutes(2)))
  func manyEntries() throws {
    let count = 10_000
    var text = """
      <HealthData><Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Loop" \
      unit="mg/dL" startDate="2026-02-03 07:00:00 +0100" endDate="2026-02-03 07:00:00 +0100" \
      value="112">
      """
    for number in 0..<count { text += "<MetadataEntry key=\"k\(number)\" value=\"v\(number)\"/>" }
    text += "<MetadataEntry key=\"k7\" value=\"again\"/></Record></HealthData>"
    var reader = AppleHealthReader(file: "export.xml")
    var parts = [Array(text.utf8), []][...]
    let samples = try #require(try reader.next(upTo: 10) { parts.popFirst() ?? [] })
    let metadata = try #require(samples.first).sample.metadata
    #expect(metadata.entries.count == count)
    #expect(metadata.text(MetadataKey("k9999")) == "v9999")
    #expect(metadata.text(MetadataKey("k7")) == "again")
    #expect(metadata.entries.map(\.key) == metadata.entries.map(\.key).sorted())
  }
}
