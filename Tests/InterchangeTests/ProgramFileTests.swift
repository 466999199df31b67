import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Files of Tidepool and Nightscout")
struct ProgramFileTests {
  static func root(_ text: String) throws -> JSONNode {
    try #require(JSONReader.read(Array(text.utf8), file: "data.json").root)
  }

  static func read(tidepool text: String) throws -> ([Sample], ImportReport) {
    var reader = TidepoolReader(file: "data.json")
    let samples = reader.samples(of: try root(text), problems: ProblemList())
    return (try #require(samples).map(\.sample), reader.report)
  }

  static func read(nightscout text: String) throws -> ([Sample], ImportReport) {
    var reader = NightscoutReader(file: "data.json")
    let samples = reader.samples(of: try root(text), problems: ProblemList())
    return (try #require(samples).map(\.sample), reader.report)
  }

  static func tidepool(_ text: String) throws -> (samples: [Sample]?, problems: ProblemList) {
    let problems = ProblemList()
    var reader = TidepoolReader(file: "data.json")
    let samples = reader.samples(of: try root(text), problems: problems)
    return (samples?.map(\.sample), problems)
  }

  static func nightscout(_ text: String) throws -> (samples: [Sample]?, problems: ProblemList) {
    let problems = ProblemList()
    var reader = NightscoutReader(file: "data.json")
    let samples = reader.samples(of: try root(text), problems: problems)
    return (samples?.map(\.sample), problems)
  }

  static func written(
    _ sample: Sample, by name: String = "App", bundle: String
  ) throws -> (JSONNode?, ImportReport) {
    let revision = SourceRevision(source: Source(name: name, bundleIdentifier: bundle))
    var writer = TidepoolWriter(file: "out.json")
    writer.append(
      Sample(
        restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
        value: sample.value, metadata: sample.metadata, sourceRevision: revision))
    return (try root(String(decoding: writer.bytes, as: UTF8.self)).items?.first, writer.report)
  }

  static let start = Instant(secondsSince1970: 1_770_098_400)
  static let uuid = SampleUUID(high: 1, low: 2)

  static let tidepoolExample = """
    [
     {"type":"cbg","time":"2026-02-03T06:00:00.000Z","deviceTime":"2026-02-03T07:00:00",
      "timezoneOffset":60,"units":"mmol/L","value":6.21684,"trend":"constant"},
     {"type":"basal","deliveryType":"temp","time":"2026-02-03T06:15:00.000Z","duration":1800000,
      "rate":0,"suppressed":{"type":"basal","deliveryType":"scheduled","rate":0.5}},
     {"type":"bolus","subType":"normal","time":"2026-02-03T11:30:00.000Z","normal":2.5,
      "expectedNormal":4.0},
     {"type":"food","time":"2026-02-03T11:29:00.000Z","nutrition":{"carbohydrate":
      {"net":45,"units":"grams"},"estimatedAbsorptionDuration":10800}}
    ]
    """

  @Test("A Nightscout value of 39 is a reading, and one below is an error code")
  func nightscoutErrorCodes() throws {
    let (samples, _) = try Self.nightscout(
      """
      {"entries":[{"type":"sgv","date":1770098400000,"sgv":39},
       {"type":"sgv","date":1770098700000,"sgv":38},{"type":"sgv","date":1770099000000,"sgv":5}]}
      """)
    #expect(try #require(samples).map(\.storedValue) == [39])
  }

  static func nightscoutExample(zone: String = "ETC/GMT-1") -> String {
    """
    {"entries":[{"type":"sgv","date":1770098400000,"sgv":112,"direction":"Flat"}],
     "treatments":[
      {"eventType":"Temp Basal","created_at":"2026-02-03T03:30:00Z","rate":1,"duration":30},
      {"eventType":"Temp Basal","created_at":"2026-02-03T06:15:00Z","rate":0,"absolute":0,
       "temp":"absolute","duration":30,"syncIdentifier":"74656d70"},
      {"eventType":"Correction Bolus","created_at":"2026-02-03T11:30:00Z","insulin":2.5,
       "programmed":4.0,"unabsorbed":0,"duration":1.7,"automatic":false},
      {"eventType":"Carb Correction","created_at":"2026-02-03T11:29:00Z","carbs":45,
       "absorptionTime":180,"foodType":"Pizza"}],
     "profile":[{"defaultProfile":"Default","mills":"1769904000000","units":"mg/dL","store":
      {"Default":{"dia":6,"timezone":"\(zone)","basal":[
       {"time":"00:00","value":0.4,"timeAsSeconds":0},
       {"time":"06:00","value":"0.5","timeAsSeconds":21600}]}}}]}
    """
  }

  @Test("H167: a basal of Loop is temp with its rate; what the service refuses is left out")
  func writesBasal() throws {
    var metadata = Metadata()
    metadata.scheduledBasalRate = InsulinRate(roundingUnitsPerHour: 0.5)
    let basal = Sample.insulinDelivery(
      units: 0.6, reason: .basal, start: Self.start, end: Self.start + .minutes(75),
      uuid: Self.uuid, metadata: metadata)
    let object = try #require(try Self.written(basal, bundle: "com.loopkit.Loop").0)
    #expect(object["type"]?.string == "basal")
    #expect(object["deliveryType"]?.string == "temp")
    #expect(object["time"]?.string == "2026-02-03T06:00:00.000Z")
    #expect(object["duration"]?.integer == 4_500_000)
    #expect(abs(try #require(object["rate"]?.double) - 0.48) < 1e-12)
    #expect(object["suppressed"]?["deliveryType"]?.string == "scheduled")
    #expect(object["suppressed"]?["rate"]?.double == 0.5)
    #expect(object["origin"]?["id"]?.string == "\(Self.uuid)")
    #expect(object["origin"]?["name"]?.string == "com.apple.HealthKit")

    let quantity = SampleValue.quantity(.init(1, .internationalUnit))
    let mute = Sample(
      restoring: Self.uuid, type: .insulinDelivery, start: Self.start, end: Self.start,
      value: quantity)
    let endless = Sample.insulinDelivery(
      units: 60, reason: .basal, start: Self.start,
      end: Self.start + .days(7) + .milliseconds(1), uuid: Self.uuid)
    for (sample, reason) in [
      (mute, "the insulin has no reason"),
      (endless, "the basal does not last between 0 and 7 days"),
    ] {
      let (object, report) = try Self.written(sample, bundle: "com.loopkit.Loop")
      #expect(object == nil)
      #expect(report.omissions.map(\.reason) == [reason])
    }
  }

  @Test("H168: glucose of a CGM app is cbg, of a meter smbg; Dexcom's limits are annotated")
  func writesGlucose() throws {
    func glucose(_ mgdL: Double) -> Sample {
      .bloodGlucose(.mgdL(mgdL), at: Self.start, uuid: Self.uuid)
    }
    let loop = try #require(try Self.written(glucose(112), bundle: "com.x.loopkit.Loop").0)
    #expect(loop["type"]?.string == "cbg")
    #expect(loop["value"]?.double == 112)
    #expect(loop["units"]?.string == "mg/dL")
    let meter = try #require(try Self.written(glucose(38), bundle: "com.contour.meter").0)
    #expect(meter["type"]?.string == "smbg")
    #expect(meter["value"]?.double == 38)
    for (given, sent, word, threshold) in [
      (38.0, 39.0, "low", 40), (405, 401, "high", 400),
    ] as [(Double, Double, String, Int64)] {
      let object = try #require(try Self.written(glucose(given), bundle: "com.dexcom.G7").0)
      #expect(object["type"]?.string == "cbg")
      #expect(object["value"]?.double == sent)
      let annotation = object["annotations"]?.items?.first
      #expect(annotation?["code"]?.string == "bg/out-of-range")
      #expect(annotation?["value"]?.string == word)
      #expect(annotation?["threshold"]?.integer == threshold)
    }
  }

  // The names are those of `determineTypeOfBG` in tidepool-org/healthkit-uploader: "loop" and
  // "bgmtool", and what begins with "dexcom", in any case of letters.
  @Test(
    "An app that reads a CGM is known by its name, where a file tells no identifier",
    arguments: [
      ("Loop", "cbg", 38), ("BGMTool", "cbg", 38), ("Dexcom", "cbg", 39), ("Dexcom 6", "cbg", 39),
      ("DEXCOM G7", "cbg", 39), ("Contour", "smbg", 38), ("Loop Meter", "smbg", 38),
      ("My Dexcom", "smbg", 38),
    ] as [(String, String, Double)])
  func knowsNames(name: String, type: String, sent: Double) throws {
    let low = Sample.bloodGlucose(.mgdL(38), at: Self.start, uuid: Self.uuid)
    let object = try #require(try Self.written(low, by: name, bundle: "import.any").0)
    #expect(object["type"]?.string == type)
    #expect(object["value"]?.double == sent)
    #expect((object["annotations"] != nil) == (sent == 39))
    var metadata = Metadata()
    metadata[.wasUserEntered] = .flag(true)
    let typed = Sample.bloodGlucose(.mgdL(112), at: Self.start, uuid: Self.uuid, metadata: metadata)
    let entered = try #require(try Self.written(typed, by: name, bundle: "import.any").0)
    #expect(entered["type"]?.string == "smbg")
  }

  @Test("H169: temps, boluses and carbs are read, and scheduled basal is rebuilt from the profile")
  func readsNightscout() throws {
    let (read, problems) = try Self.nightscout(Self.nightscoutExample())
    let samples = try #require(read)
    #expect(problems.problems.isEmpty)
    let insulin = samples.filter { $0.type == .insulinDelivery }
    let basal = insulin.filter { $0.metadata.insulinDeliveryReason == .basal }
    func time(_ text: String) throws -> Instant {
      try #require(Instant(iso8601: "2026-02-03T\(text)Z"))
    }
    // 06:00 in the profile's zone, one hour ahead of UTC, is 05:00 UTC.
    #expect(
      try basal.map(\.start) == [
        time("03:30:00"), time("04:00:00"), time("05:00:00"), time("06:15:00"),
      ])
    #expect(basal.map { $0.storedValue ?? .nan } == [0.5, 0.4, 0.625, 0])
    #expect(basal.map { $0.metadata.programmedTempBasalRate?.unitsPerHour } == [1, nil, nil, 0])
    #expect(basal.map { $0.metadata.scheduledBasalRate?.unitsPerHour } == [0.4, 0.4, 0.5, 0.5])
    #expect(basal.last?.end == basal.last.map { $0.start + .minutes(30) })
    let bolus = try #require(insulin.first { $0.metadata.insulinDeliveryReason == .bolus })
    #expect(bolus.storedValue == 2.5)
    #expect(bolus.duration == .seconds(102))
    let carbs = try #require(samples.first { $0.type == .dietaryCarbohydrates })
    #expect(carbs.storedValue == 45)
    #expect(carbs.metadata.absorptionTime == .hours(3))
    #expect(carbs.metadata.text(.foodType) == "Pizza")
    #expect(NightscoutZone.fixed("ETC/GMT+5") == WallClock(initialOffset: .hours(-5)))
    let five = try #require(try Self.nightscout(Self.nightscoutExample(zone: "ETC/GMT+5")).samples)
    // 06:00 five hours behind UTC is 11:00 UTC: from 04:00 to 06:15 the rate of midnight holds,
    // and of the evening before.
    #expect(
      five.filter { $0.metadata.programmedTempBasalRate == nil && $0.type == .insulinDelivery }
        .compactMap { $0.metadata.scheduledBasalRate?.unitsPerHour } == [0.5, 0.4])
  }

  @Test("What is written for Nightscout is in its words, and comes back as it was")
  func writesNightscout() throws {
    let start = Instant(secondsSince1970: 1_770_098_400)
    let loop = SourceRevision(
      source: Source(name: "Loop", bundleIdentifier: "com.loopkit.Loop"))
    func restored(_ sample: Sample) -> Sample {
      Sample(
        restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
        value: sample.value, metadata: sample.metadata, sourceRevision: loop)
    }
    var (temp, suspend, bolus) = (Metadata(), Metadata(), Metadata())
    temp.hasLoopKitOrigin = true
    temp.programmedTempBasalRate = InsulinRate(milliunitsPerHour: 1_250)
    temp.setSync(identifier: "74656d70", version: 1)
    suspend.hasLoopKitOrigin = true
    suspend.isSuspend = true
    bolus.isAutomaticallyIssued = true
    bolus.insulinType = "Fiasp"
    var meal = Metadata()
    meal.absorptionTime = .hours(3)
    meal[.foodType] = .text("🍞")
    func insulin(
      _ units: Double, _ reason: InsulinDeliveryReason, _ from: Int64, _ to: Int64, _ low: UInt64,
      _ metadata: Metadata
    ) -> Sample {
      .insulinDelivery(
        units: units, reason: reason, start: start + .minutes(from), end: start + .minutes(to),
        uuid: SampleUUID(high: 1, low: low), metadata: metadata)
    }
    var writer = NightscoutWriter(file: "store")
    let samples = [
      Sample.bloodGlucose(
        .mgdL(112), at: start, uuid: SampleUUID(high: 1, low: 1),
        metadata: [
          .glucoseTrend: .text("⇈"),
          .glucoseTrendRate: .quantity(HealthQuantity(2.5, .milligramPerDecilitrePerMinute)),
        ]),
      .bloodGlucose(
        .mgdL(99), at: start + .minutes(1), uuid: SampleUUID(high: 1, low: 2),
        metadata: [.wasUserEntered: .flag(true)]),
      insulin(0.6, .basal, 0, 30, 3, temp), insulin(0, .basal, 30, 40, 4, suspend),
      insulin(2.5, .bolus, 5, 6, 5, bolus),
      .dietaryCarbohydrates(
        CarbohydrateMass(grams: 45), at: start, uuid: SampleUUID(high: 1, low: 6), metadata: meal),
      insulin(12, .basal, 50, 50, 7, Metadata()),
      .bloodGlucose(.mgdL(12), at: start, uuid: SampleUUID(high: 1, low: 8)),
    ]
    for sample in samples { writer.append(restored(sample)) }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    for part in [
      #""type": "sgv""#, #""sgv": 112"#, #""direction": "DoubleUp""#, #""trendRate": 2.5"#,
      #""mbg": 99"#, #""eventType": "Temp Basal""#, #""absolute": 1.25"#, #""amount": 0.6"#,
      #""syncIdentifier": "74656d70""#, #""reason": "suspend""#, #""insulin": 2.5"#,
      #""insulinType": "Fiasp""#, #""automatic": true"#, #""absorptionTime": 180"#,
      #""foodType": "🍞""#, #""created_at": "2026-02-03T06:00:00.000Z""#,
      #""enteredBy": "loop://Loop""#,
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(writer.report.omissions.map(\.count) == [1, 1])
    let back = try #require(try Self.nightscout(text).samples)
    #expect(back.count == 6)
    for sample in samples.dropLast(2) {
      let same = try #require(
        back.first {
          $0.type == sample.type && $0.start == sample.start && $0.end == sample.end
        })
      #expect(same.storedValue == sample.storedValue)
      #expect(same.metadata.insulinDeliveryReason == sample.metadata.insulinDeliveryReason)
      #expect(same.metadata.programmedTempBasalRate == sample.metadata.programmedTempBasalRate)
      #expect(same.metadata.absorptionTime == sample.metadata.absorptionTime)
      #expect((same.metadata.isSuspend ?? false) == (sample.metadata.isSuspend ?? false))
    }
  }

  @Test("H170: 6.21684 mmol/L of Tidepool and 112 mg/dL of Nightscout agree within 2e-6")
  func agrees() throws {
    let tidepool = try #require(try Self.tidepool(Self.tidepoolExample).samples)
    let nightscout = try #require(try Self.nightscout(Self.nightscoutExample()).samples)
    let first = try #require(tidepool.first { $0.type == .bloodGlucose }?.storedValue)
    let second = try #require(nightscout.first { $0.type == .bloodGlucose }?.storedValue)
    #expect(second == 112)
    #expect(abs(first / second - 1) < 2e-6)
    // What Tidepool's five decimals take from 112 mg/dL is put back when the record is read.
    #expect(first == second)
  }

  @Test("Tidepool's objects become what Loop would have written")
  func readsTidepool() throws {
    let samples = try #require(try Self.tidepool(Self.tidepoolExample).samples)
    #expect(
      samples.map(\.type.name) == [
        "BloodGlucose", "InsulinDelivery", "DietaryCarbohydrates", "InsulinDelivery",
      ])
    #expect(samples[1].metadata.programmedTempBasalRate?.unitsPerHour == 0)
    #expect(samples[1].metadata.scheduledBasalRate?.unitsPerHour == 0.5)
    #expect(samples[1].duration == .minutes(30))
    #expect(samples[2].metadata.absorptionTime == .hours(3))
    #expect(samples[3].storedValue == 2.5)
    #expect(samples[3].metadata.insulinDeliveryReason == .bolus)
    let again = try #require(try Self.tidepool(Self.tidepoolExample).samples)
    #expect(again.map(\.uuid) == samples.map(\.uuid))
  }

  @Test("A later basal cuts the earlier, and a suspension gives nothing")
  func cutsBasals() throws {
    let samples = try #require(
      try Self.tidepool(
        """
        [{"type":"basal","deliveryType":"automated","time":"2026-02-03T06:00:00Z",
          "duration":3600000,"rate":1.2},
         {"type":"basal","deliveryType":"suspend","time":"2026-02-03T06:20:00Z",
          "duration":600000}]
        """
      ).samples)
    #expect(samples.map(\.duration) == [.minutes(20), .minutes(10)])
    #expect(samples.map { $0.storedValue ?? .nan } == [0.4, 0])
    #expect(samples.map(\.metadata.isSuspend) == [false, true])
  }

  @Test("What is wrong is said with its place, all of it in one pass")
  func locatesErrors() throws {
    let (samples, problems) = try Self.tidepool(
      """
      [{"type":"cbg","time":"today","units":"mmol/L","value":6},
       {"type":"cbg","time":"2026-02-03T06:00:00Z","units":"stone","value":6},
       {"type":"basal","deliveryType":"temp","time":"2026-02-03T06:00:00Z","rate":1},
       {"type":"bolus","time":"2026-02-03T06:00:00Z","normal":-1}]
      """)
    #expect(samples == nil)
    #expect(problems.problems.map(\.position.line) == [1, 2, 3, 4])
    var reader = NightscoutReader(file: "data.json")
    let other = reader.samples(
      of: try Self.root(Self.nightscoutExample(zone: "Mars/Base")), problems: ProblemList())
    #expect(try #require(other).count > 3)
    #expect(reader.report.omissions.map(\.first?.line) == [11])
  }
}
