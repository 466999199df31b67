import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Tidepool's offsets, lists and pens")
struct TidepoolRecordTests {
  private static func glucose(_ minute: Int, offset: Int) -> String {
    """
    {"type":"cbg","time":"2026-02-03T06:\(minute):00.000Z","units":"mg/dL","value":110,
     "timezoneOffset":\(offset)}
    """
  }

  private static func read(
    _ text: String
  ) throws -> (samples: [Sample]?, report: ImportReport, problems: ProblemList) {
    let problems = ProblemList()
    var reader = TidepoolReader(file: "t.json")
    let root = try #require(JSONReader.read(Array(text.utf8), file: "t.json").root)
    let samples = reader.samples(of: root, problems: problems)
    return (samples?.map(\.sample), reader.report, problems)
  }

  @Test("Offsets from UTC stand for a zone where the file names none")
  func offsets() throws {
    let three = [10, 15, 20].map { Self.glucose($0, offset: $0 == 20 ? -360 : -300) }
    let list = three.joined(separator: ",")
    #expect(try Self.read("[\(list)]").report.timeZones == ["-05:00": 2, "-06:00": 1])
    let india = try Self.read("[\(Self.glucose(10, offset: 330))]")
    #expect(india.report.timeZones == ["+05:30": 1])
    let upload = """
      {"type":"upload","time":"2026-02-03T06:00:00.000Z","timezone":"America/Chicago"}
      """
    #expect(try Self.read("[\(list),\(upload)]").report.timeZones == ["America/Chicago": 1])
  }

  private static func basal(_ rate: String, minutes: Int64 = 5, more: String = "") -> String {
    """
    {"type":"basal","deliveryType":"temp","time":"2026-02-03T06:30:00.000Z","rate":\(rate),
     "duration":\(minutes * 60_000)\(more)}
    """
  }

  @Test("A basal gives what its rate comes to, without a rest of binary fractions")
  func amounts() throws {
    // 0.2 U in five minutes.
    for rate in ["2.4", "2.4000000000000004"] {
      let samples = try Self.read("[\(Self.basal(rate))]").samples
      #expect(samples?.map(\.storedValue) == [0.2])
    }
  }

  @Test(
    "The schedule under a basal is what is scheduled of all that it suppresses",
    arguments: [
      (#"{"deliveryType":"scheduled","rate":1.5}"#, 1.5),
      (
        #"{"deliveryType":"temp","rate":1.5,"suppressed":{"deliveryType":"scheduled","rate":1}}"#,
        1
      ), (#"{"deliveryType":"automated","rate":1.5}"#, nil), (#"{"rate":0.5}"#, 0.5),
    ] as [(String, Double?)])
  func suppressed(_ suppressed: String, scheduled: Double?) throws {
    let stopped = Self.basal("0", more: ",\"suppressed\":\(suppressed)")
      .replacing("\"temp\",\"time\"", with: "\"suspend\",\"time\"")
    let samples = try #require(try Self.read("[\(stopped)]").samples)
    #expect(samples.map(\.metadata.isSuspend) == [true])
    #expect(samples.map { $0.metadata.scheduledBasalRate?.unitsPerHour } == [scheduled])
  }

  @Test("A sample that stands in two files is told to be there twice, and no basal without time")
  func copies() throws {
    func origin(_ id: String) -> String {
      ",\"origin\":{\"id\":\"\(id)\",\"name\":\"com.apple.HealthKit\",\"type\":\"service\"}"
    }
    let one = Self.basal("2.4", more: origin("019D36B1-9160-77F8-A95D-8F1EA0DABB0E"))
    let twice = try Self.read("[\(one),\(one)]")
    #expect(twice.samples?.count == 1)
    #expect(twice.report.omissions.map(\.reason) == ["the same object is there twice"])
    // What differs is another sample, whatever it calls itself, and begins with the first.
    let other = Self.basal("1.2", more: origin("019D36B1-9160-77F8-A95D-8F1EA0DABB0E"))
    let differing = try Self.read("[\(one),\(other)]")
    #expect(differing.samples?.count == 1)
    #expect(
      differing.report.omissions.map(\.reason) == ["another basal begins at the same time"])
    let none = try Self.read("[\(Self.basal("2.4", minutes: 0))]")
    #expect(none.report.omissions.map(\.reason) == ["the basal lasts no time"])
  }

  @Test("A basal that lasts no time takes nothing from one that begins with it", arguments: 1...8)
  func basalOfNoTime(number: Int) throws {
    // Whichever identity comes first.
    let run = Self.basal("2.4", more: ",\"id\":\"a\(number)\"")
    let none = Self.basal("1.2", minutes: 0, more: ",\"id\":\"b\(number)\"")
    let read = try Self.read("[\(run),\(none)]")
    #expect(read.samples?.map(\.storedValue) == [0.2])
    #expect(read.report.omissions.map(\.reason) == ["the basal lasts no time"])
    // One that begins before still ends there.
    let before = Self.basal("1.2", minutes: 10, more: ",\"id\":\"c\"")
      .replacing("06:30", with: "06:25")
    let cut = try Self.read("[\(before),\(none)]")
    #expect(cut.samples?.map(\.storedValue) == [0.1])
    #expect(cut.report.account.unexplained(of: .basal) == .zero)
  }

  @Test(
    "Of two versions the one written later counts, whatever offset and fraction its time has",
    arguments: [
      ("2026-02-03T08:00:00+02:00", "2026-02-03T07:00:00Z", 2.0),
      ("2026-02-03T08:00:00Z", "2026-02-03T08:00:00.500Z", 2),
      ("2026-02-03T08:00:01Z", "2026-02-03T08:00:00.500Z", 1),
      ("2026-02-03T08:00:00Z", "2026-02-03T09:30:00+01:30", 2),
    ])
  func laterVersion(first: String, second: String, units: Double) throws {
    func bolus(_ units: Int, _ time: String) -> String {
      """
      {"type":"bolus","id":"b","time":"2026-02-03T06:30:00.000Z","normal":\(units),
       "modifiedTime":"\(time)"}
      """
    }
    let read = try Self.read("[\(bolus(1, first)),\(bolus(2, second))]")
    #expect(read.samples?.map(\.storedValue) == [units])
  }

  @Test("Two meals of one time without an identity are two, and a copy of one is a copy")
  func nameless() throws {
    func food(_ grams: Int) -> String {
      """
      {"type":"food","time":"2026-02-03T06:30:00.000Z",
       "nutrition":{"carbohydrate":{"net":\(grams),"units":"grams"}}}
      """
    }
    let read = try Self.read("[\(food(10)),\(food(20)),\(food(10))]")
    let samples = try #require(read.samples)
    #expect(samples.compactMap(\.storedValue).sorted() == [10, 20])
    #expect(Set(samples.map(\.uuid)).count == 2)
    #expect(
      read.report.omissions.map { "\($0.count) \($0.reason)" } == [
        "1 the same object is there twice"
      ])
    #expect(read.report.account.unexplained(of: .carbohydrates) == .zero)
    let alone = try Self.read("[\(food(10))]").samples
    #expect(alone?.map(\.uuid) == samples.filter { $0.storedValue == 10 }.map(\.uuid))
  }

  @Test("The bolus that a bolus calculator's object holds is one, and no second one")
  func bolusOfWizard() throws {
    let bolus = """
      {"type":"bolus","subType":"normal","id":"b","time":"2026-02-03T06:30:00.000Z","normal":5}
      """
    func wizard(_ bolus: String) -> String {
      """
      {"type":"wizard","id":"w","time":"2026-02-03T06:30:00.000Z","carbInput":50,"bolus":\(bolus)}
      """
    }
    let inside = try Self.read("[\(wizard(bolus))]")
    #expect(inside.samples?.compactMap(\.storedValue).sorted() == [5, 50])
    #expect(inside.report.account.unexplained(of: .bolus) == .zero)
    let both = try Self.read("[\(wizard(bolus)),\(bolus)]")
    #expect(both.samples?.compactMap(\.storedValue).sorted() == [5, 50])
    let named = try Self.read("[\(wizard("\"b\"")),\(bolus)]")
    #expect(named.samples?.compactMap(\.storedValue).sorted() == [5, 50])
  }

  @Test("What is wrong with one record is said of each of several")
  func leftOutWords() throws {
    let one = try Self.read("[\(Self.basal("2.4")),5]").report
    #expect(
      one.warnings.map(\.sentence) == ["1 record is left out: it is no object in braces."])
    let two = try Self.read("[\(Self.basal("2.4")),5,6]").report
    #expect(
      two.warnings.map(\.sentence) == [
        "2 records are left out: each of them is no object in braces."
      ])
  }

  @Test("A list for each type is read as one list")
  func lists() throws {
    let bolus = """
      {"type":"bolus","subType":"normal","time":"2026-02-03T06:30:00.000Z","normal":2}
      """
    let lists = "{\"cbg\":[\(Self.glucose(10, offset: 0))],\"bolus\":[\(bolus)],\"food\":null}"
    let list = "[\(Self.glucose(10, offset: 0)),\(bolus)]"
    for text in [lists, "{\"data\":\(lists)}", "{\"data\":\(list)}"] {
      #expect(try Self.read(text).samples?.count == 2)
    }
    for nothing in ["[]", "[null]", "{\"data\":[]}"] {
      #expect(try Self.read(nothing).samples?.isEmpty == true)
    }
  }

  @Test("JSON that is none of the records is told in one sentence, however long it is")
  func otherForms() throws {
    let dose = "{\"type\":\"Bolus\",\"start_at\":\"2016-01-30T20:30:43\",\"amount\":1}"
    let value = "{\"mgdlValue\":75,\"dateOffset\":-36000}"
    for text in [
      "{\"name\":\"a\",\"runs\":[]}", "{\"data\":5}", "7",
      "[\((0..<300).map { _ in dose }.joined(separator: ","))]",
      "{\"glucoseValues\":[\(value),\(value)]}",
    ] {
      let other = try Self.read(text)
      #expect(other.samples == nil)
      #expect(
        other.problems.sorted.map(\.sentence) == [
          "This is no record in a form that is read. Tidepool's objects have \"type\" and "
            + "\"time\", documents of Nightscout \"eventType\" or \"sgv\", and those of oref "
            + "\"_type\"; here none has."
        ])
    }
  }

  @Test("What is no object is left out and counted, in both programs' files")
  func noObjects() throws {
    let dose = "\"time\":\"2026-02-03T06:30:00.000Z\",\"normal\":2"
    let mine = try Self.read("[17,\"x\",null,[],{\"type\":\"bolus\",\(dose)}]")
    #expect(mine.samples?.count == 1)
    #expect(mine.report.omissions.map(\.count) == [3])
    let text = "[17,\"x\",null,[],{\"sgv\":100,\"date\":1770076800000}]"
    var reader = NightscoutReader(file: "n.json")
    let root = try #require(JSONReader.read(Array(text.utf8), file: "n.json").root)
    let read = reader.samples(of: root, problems: ProblemList())
    #expect(read?.count == 1)
    #expect(reader.report.omissions.map(\.reason) == ["it is no object in braces"])
    #expect(reader.report.omissions.map(\.count) == [3])
  }

  @Test("Long-acting insulin goes to Tidepool and comes back")
  func pens() throws {
    let sample = Sample.insulinDelivery(
      units: 10, reason: .basal, start: ProgramFileTests.start, end: ProgramFileTests.start,
      uuid: ProgramFileTests.uuid)
    let (object, report) = try ProgramFileTests.written(sample, bundle: "a.pen")
    #expect(object?["type"]?.string == "insulin")
    #expect(report.omissions.isEmpty)
    var writer = TidepoolWriter(file: "out.json")
    writer.append(sample)
    let back = try Self.read(String(decoding: writer.bytes, as: UTF8.self)).samples
    #expect(back?.map(\.storedValue) == [10])
    #expect(back?.first?.metadata.insulinDeliveryReason == .basal)
    #expect(back?.first?.duration == .zero)
  }

  @Test("What is not written is named with its insulin")
  func omissions() {
    var writer = NightscoutWriter(file: "out.json")
    for hour in 0..<3 as Range<Int64> {
      let start = ProgramFileTests.start + .hours(hour)
      var metadata = Metadata()
      metadata.hasLoopKitOrigin = true
      writer.append(
        .insulinDelivery(
          units: 0.45, reason: .basal, start: start, end: start + .hours(1),
          uuid: SampleUUID(high: 1, low: UInt64(hour)), metadata: metadata))
    }
    #expect(writer.report.omissions.map(\.amountWords) == ["1.35 U of basal"])
  }

  /// The units of the bolus that counts of two versions of one object.
  private static func bolus(_ first: String, _ second: String) throws -> [Double?] {
    let dose =
      "\"id\":\"a\",\"type\":\"bolus\",\"subType\":\"normal\","
      + "\"time\":\"2026-02-03T06:30:00.000Z\""
    let other = dose.replacing("\"a\"", with: "\"b\"")
    return try #require(
      try read("[{\(dose),\(first)},{\(dose),\(second)},{\(other),\"normal\":9}]").samples
    ).map(\.storedValue).filter { $0 != 9 }
  }

  @Test("Of two versions the one that was changed counts, whose time the first does not have")
  func changedVersion() throws {
    let old = "\"normal\":2,\"createdTime\":\"2026-02-03T07:00:00.000Z\""
    let new =
      "\"normal\":3,\"createdTime\":\"2026-02-03T07:00:00.000Z\","
      + "\"modifiedTime\":\"2026-02-04T07:00:00.000Z\""
    #expect(try Self.bolus(old, new) == [3])
    #expect(try Self.bolus(new, old) == [3])
    #expect(try Self.bolus("\"normal\":2", new) == [3])
  }

  @Test("Versions that are left out are among the records of the file, also those of no insulin")
  func countsVersions() throws {
    let dose =
      "\"type\":\"basal\",\"time\":\"2026-02-03T06:00:00.000Z\",\"deliveryType\":\"temp\""
    let bolus = "\"type\":\"bolus\",\"time\":\"2026-02-03T06:00:00.000Z\",\"normal\":0"
    let (samples, report) = try ProgramFileTests.read(
      tidepool: """
        [{"id":"a",\(dose),"duration":1800000,"rate":0,"_version":1},
         {"id":"a",\(dose),"duration":1200000,"rate":0,"_version":0},
         {"id":"b",\(dose),"duration":1200000,"rate":0,"_active":false},
         {"id":"c",\(bolus)},{"id":"d",\(bolus),"_active":false}]
        """)
    #expect(samples.count == 1)
    #expect(report.account.totals.map(\.quantity) == [.bolus, .basal])
    #expect(report.account.totals.map(\.recordsIn) == [2, 3])
    #expect(report.account.totals.map(\.recordsOut) == [0, 1])
    #expect(report.records == 5)
    #expect(report.omissions.reduce(0) { $0 + $1.count } == 4)
  }

  // So does the service of tidepool-org/jellyfish: `rate = suppressed.rate * percent`.
  @Test("A temp basal with a percentage in place of a rate is that part of what it suppresses")
  func percentages() throws {
    func basal(_ stated: String, suppressed: String = "\"rate\":0.8") -> String {
      """
      [{"type":"basal","deliveryType":"temp","time":"2026-02-03T06:00:00.000Z","duration":1800000,
        \(stated),"suppressed":{"type":"basal","deliveryType":"scheduled",\(suppressed)}}]
      """
    }
    // Of half an hour at 0.8 U/h, which are 0.4 U.
    for (stated, units) in [
      ("\"percent\":0.5", 0.2), ("\"percent\":1.5", 0.6), ("\"percent\":0", 0),
      ("\"rate\":null,\"percent\":0.5", 0.2), ("\"rate\":1,\"percent\":0.5", 0.5),
    ] {
      let (samples, report, problems) = try Self.read(basal(stated))
      let sample = try #require(samples?.first)
      #expect(abs((sample.storedValue ?? -1) - units) < 1e-9)
      let rate = sample.metadata.programmedTempBasalRate?.unitsPerHour
      #expect(abs((rate ?? -1) - 2 * units) < 1e-9)
      #expect(sample.metadata.scheduledBasalRate?.unitsPerHour == 0.8)
      #expect(report.account.unexplained(of: .basal) == .zero)
      #expect(problems.sorted.isEmpty)
    }
    for wrong in [
      basal("\"percent\":50"), basal("\"percent\":0.5", suppressed: "\"scheduleName\":\"a\""),
    ] {
      #expect(try Self.read(wrong).samples == nil)
    }
  }

  @Test("What was deleted or archived does not count", arguments: ["deletedTime", "archivedTime"])
  func deleted(key: String) throws {
    let gone = "\"normal\":2,\"\(key)\":\"2026-02-05T07:00:00.000Z\""
    #expect(try Self.bolus(gone, gone) == [])
    #expect(try Self.bolus("\"normal\":3", gone) == [3])
  }

  // `tidepool-org/healthkit-uploader`, HealthKitUploadTypeCarb.swift and …Insulin.swift; its first
  // versions moved the reason and the rate out of the payload as well.
  @Test("What the uploader moves from a sample's metadata into the object is there again")
  func movedOutOfThePayload() throws {
    func object(_ id: String, _ fields: String, payload: String) -> String {
      """
      {\(fields),"time":"2026-02-03T06:00:00.000Z","payload":{\(payload)},
       "origin":{"id":"\(id)","name":"com.apple.HealthKit","type":"service"}}
      """
    }
    let created = "\"com.loopkit.CarbKit.HKMetadataKey.UserCreatedDate\""
    let (samples, report, _) = try Self.read(
      """
      [\(object("a", #""type":"bolus","subType":"normal","normal":2.5"#,
                payload: #""HasLoopKitOrigin":1"#)),
       \(object("b", #""type":"basal","deliveryType":"temp","duration":1800000,"rate":1,"#
                  + #""suppressed":{"type":"basal","deliveryType":"scheduled","rate":0.8}"#,
                payload: #""HasLoopKitOrigin":1"#)),
       \(object("c", #""type":"food","name":"Pizza","nutrition":{"carbohydrate":{"net":40,"#
                  + #""units":"grams"}}"#,
                payload: "\"HKWasUserEntered\":1,\(created):\"2026-02-03T05:59:30.250Z\""))]
      """)
    let all = try #require(samples)
    let bolus = try #require(all.first { $0.metadata.insulinDeliveryReason == .bolus })
    #expect(bolus.storedValue == 2.5)
    let basal = try #require(all.first { $0.metadata.insulinDeliveryReason == .basal })
    #expect(basal.storedValue == 0.5)
    #expect(basal.metadata.scheduledBasalRate?.unitsPerHour == 0.8)
    // The uploader calls all basal a temp basal; that it was one the metadata would say.
    #expect(basal.metadata.programmedTempBasalRate == nil)
    let food = try #require(all.first { $0.type == .dietaryCarbohydrates })
    #expect(food.metadata.text(.foodType) == "Pizza")
    #expect(food.metadata.wasUserEntered)
    let time = Instant(millisecondsSince1970: 1_770_098_370_250)
    #expect(food.metadata.date(.userCreatedDate) == time)
    for total in report.account.totals {
      #expect(report.account.unexplained(of: total.quantity) == .zero, "\(report.account.lines)")
    }
  }
}
