import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

/// What real exports have beside what their formats' documents show.
@Suite("Unusual records of Tidepool, Nightscout and oref")
struct UnusualRecordTests {
  private func units(_ samples: [Sample], _ reason: InsulinDeliveryReason) -> Double {
    samples.filter { $0.metadata.insulinDeliveryReason == reason }
      .reduce(0) { $0 + ($1.storedValue ?? 0) }
  }

  private func expectReconciled(_ report: ImportReport) {
    for total in report.account.totals {
      #expect(report.account.unexplained(of: total.quantity) == .zero, "\(report.account.lines)")
    }
  }

  @Test("A key that is null is as good as absent")
  func nulls() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Correction Bolus","created_at":"2026-02-03T06:00:00Z","insulin":1.5,
          "carbs":null,"duration":null,"_id":"a"},
         {"eventType":"Note","created_at":"2026-02-03T06:05:00Z","insulin":null,"carbs":null},
         {"eventType":"Temp Basal","created_at":"2026-02-03T06:10:00Z","rate":1,"absolute":null,
          "duration":30,"insulin":null}]
        """)
    #expect(units(samples, .bolus) == 1.5)
    #expect(units(samples, .basal) == 0.5)
    #expect(report.omissions.map(\.reason) == ["events 'Note' are not read"])
    expectReconciled(report)
    let (others, _) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"bolus","time":"2026-02-03T06:00:00Z","normal":2,"extended":null,"duration":null,
          "units":null,"nutrition":null}]
        """)
    #expect(units(others, .bolus) == 2)
  }

  @Test("A document that cannot be read is left out and named, and the others are kept")
  func oneBadDocument() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"type":"sgv","date":1770098400000,"sgv":112},
         {"type":"sgv","date":1770098700000},
         {"eventType":"Meal Bolus","created_at":"2026-02-03T06:05:00Z","insulin":-2,"carbs":-4}]
        """)
    #expect(samples.count == 1)
    #expect(report.records == 3)
    #expect(report.omissions.map(\.first?.line) == [2, 3])
    expectReconciled(report)
  }

  @Test("AndroidAPS states durations in milliseconds beside minutes that are cut off")
  func exactDurations() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Temp Basal","created_at":"2026-02-03T12:00:00Z","duration":4,
          "durationInMilliseconds":299000,"rate":3},
         {"eventType":"Temp Basal","created_at":"2026-02-03T12:30:00Z","duration":0,
          "durationInMilliseconds":45000,"rate":6}]
        """)
    #expect(samples.map(\.duration) == [.milliseconds(299_000), .seconds(45)])
    #expect(abs(units(samples, .basal) - (3 * 299.0 + 6 * 45) / 3_600) < 1e-12)
    expectReconciled(report)
  }

  @Test("Documents that share an identity and differ are all kept; a deleted one is not")
  func sharedIdentities() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"_id":"x","eventType":"Temp Basal","created_at":"2026-02-03T12:00:00Z","duration":10,
          "rate":3},
         {"_id":"x","eventType":"Temp Basal","created_at":"2026-02-03T12:10:00Z","duration":20,
          "rate":3},
         {"_id":"x","eventType":"Temp Basal","created_at":"2026-02-03T12:10:00Z","duration":20,
          "rate":3},
         {"_id":"y","eventType":"Correction Bolus","created_at":"2026-02-03T12:10:00Z",
          "insulin":4,"isValid":false}]
        """)
    #expect(abs(units(samples, .basal) - 1.5) < 1e-12)
    #expect(Set(samples.map(\.uuid)).count == 2)
    #expect(
      report.omissions.map(\.reason) == [
        "the same document is there twice", "it was deleted (isValid is false)",
      ])
    expectReconciled(report)
  }

  @Test(
    "Of two versions of a document of Nightscout the one written last counts, else that read last",
    arguments: [("", "", 1.2), ("\"srvModified\":2,", "\"srvModified\":1,", 2)])
  func documentVersions(first: String, second: String, units: Double) throws {
    func bolus(_ units: Double, _ more: String) -> String {
      """
      {"_id":"b",\(more)"eventType":"Correction Bolus","created_at":"2026-02-03T12:00:00Z",
       "insulin":\(units)}
      """
    }
    let (samples, report) = try ProgramFileTests.read(
      nightscout: "[\(bolus(2, first)),\(bolus(1.2, second))]")
    #expect(samples.map { $0.storedValue ?? 0 } == [units])
    #expect(report.omissions.map(\.reason) == [NightscoutVersions.reason])
    expectReconciled(report)
  }

  @Test("Of two versions of a Tidepool object the active one counts, else the newer")
  func versions() throws {
    let (samples, report) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"bolus","id":"b","time":"2026-02-03T12:00:00Z","normal":2.5,"_active":false},
         {"type":"bolus","id":"b","time":"2026-02-03T12:00:00Z","normal":1.5,
          "expectedNormal":2.5,"_active":true},
         {"type":"bolus","id":"c","time":"2026-02-03T13:00:00Z","normal":1,
          "modifiedTime":"2026-02-03T14:00:00Z"},
         {"type":"bolus","id":"c","time":"2026-02-03T13:00:00Z","normal":3,
          "modifiedTime":"2026-02-03T13:00:00Z"},
         {"type":"bolus","id":"d","time":"2026-02-03T15:00:00Z","normal":9,"_active":false}]
        """)
    #expect(samples.map { $0.storedValue ?? 0 } == [1.5, 1])
    #expect(report.omissions.map(\.count) == [2, 1])
    #expect(report.account.totals.map(\.amountIn.description) == ["17"])
    #expect(report.account.totals.map(\.amountOut.description) == ["2.5"])
    expectReconciled(report)
  }

  @Test("What a person tells a pump's bolus calculator is a meal; pens are read")
  func wizardsAndPens() throws {
    let (samples, report) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"wizard","id":"w","time":"2026-02-03T12:00:00Z","carbInput":45,"bolus":"b"},
         {"type":"wizard","id":"v","time":"2026-02-03T13:00:00Z","carbInput":null,"bolus":"c"},
         {"type":"wizard","id":"u","time":"2026-02-03T14:00:00Z","carbInput":3,
          "carbUnits":"exchanges"},
         {"type":"insulin","id":"p","time":"2026-02-03T20:00:00Z","dose":{"total":18,
          "units":"Units"},"formulation":{"simple":{"actingType":"long","brand":"Lantus"}}},
         {"type":"insulin","id":"n","time":"2026-02-03T21:00:00Z","dose":{"total":8,
          "units":"Units"},"formulation":{"simple":{"actingType":"intermediate"}}}]
        """)
    #expect(samples.map { $0.storedValue ?? 0 } == [45, 18, 8])
    #expect(samples[1].metadata.insulinType == "Lantus")
    #expect(samples[1...].allSatisfy { $0.metadata.insulinDeliveryReason == .basal })
    #expect(report.omissions.count == 2)
    expectReconciled(report)
  }

  @Test("Of a mixture in a pen what acts for long is basal, and the rest a bolus")
  func mixtures() throws {
    let (samples, report) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"insulin","id":"m","time":"2026-02-03T20:00:00Z",
          "dose":{"total":20,"units":"Units"},"formulation":{"compounds":[
           {"amount":7,"formulation":{"simple":{"actingType":"intermediate"}}},
           {"amount":3,"formulation":{"simple":{"actingType":"rapid"}}}]}}]
        """)
    // Seven tenths and three tenths of 20 U.
    #expect(units(samples, .basal) == 14 && units(samples, .bolus) == 6)
    #expect(Set(samples.map(\.uuid)).count == 2)
    expectReconciled(report)
  }

  @Test("Cut, divided and rebuilt basal is reconciled to the last digit")
  func reconcilesBasal() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: ProgramFileTests.nightscoutExample())
    expectReconciled(report)
    #expect(report.account.totals.map(\.quantity) == [.bolus, .basal, .carbohydrates])
    let made = units(samples, .basal)
    let total = try #require(report.account.totals.first { $0.quantity == .basal })
    #expect(abs(total.amountOut.value - made) < 1e-9)
    let json = JSONWriter().text(report.json)
    #expect(json.contains("scheduled basal rebuilt from the profile"))
    let (_, tidepool) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"basal","deliveryType":"automated","time":"2026-02-03T06:00:00Z",
          "duration":3600000,"rate":1.1},
         {"type":"basal","deliveryType":"suspend","time":"2026-02-03T06:20:00Z",
          "duration":600000}]
        """)
    expectReconciled(tidepool)
    #expect(tidepool.account.changes.map(\.reason) == ["cut where the next basal begins"])
  }

  @Test("A pump history of oref is read: boluses, temp basals of two records, suspensions")
  func oref() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"timestamp":"2026-02-03T13:00:00.000Z","_type":"PumpResume","id":"5"},
         {"timestamp":"2026-02-03T12:40:00.000Z","_type":"PumpSuspend","id":"4"},
         {"timestamp":"2026-02-03T12:30:00.000Z","_type":"Bolus","amount":0.4,"duration":0,
          "isSMB":true,"id":"3"},
         {"timestamp":"2026-02-03T12:00:00.000Z","_type":"TempBasalDuration",
          "duration (min)":30,"id":"2"},
         {"timestamp":"2026-02-03T12:00:00.000Z","_type":"TempBasal","rate":1.6,
          "temp":"absolute","id":"1"},
         {"timestamp":"2026-02-03T11:00:00.000Z","_type":"Prime","amount":3},
         {"carbs":40,"created_at":"2026-02-03T12:31:00.000Z","enteredBy":"Trio"}]
        """)
    #expect(abs(units(samples, .basal) - 0.8) < 1e-12)
    #expect(units(samples, .bolus) == 0.4)
    #expect(samples.first { $0.metadata.isSuspend == true }?.duration == .minutes(20))
    #expect(samples.contains { $0.type == .dietaryCarbohydrates && $0.storedValue == 40 })
    #expect(report.omissions.map(\.reason) == ["pump events 'Prime' are not read"])
    expectReconciled(report)
  }

  @Test("Records of an oref history are read by what they state, whatever kind of bolus they are")
  func orefDoses() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"_type":"SMB","timestamp":"2026-03-04T07:00:00Z","amount":0.4},
         {"_type":"Meal Bolus","created_at":"2026-03-04T07:05:00Z","insulin":3,"carbs":30},
         {"_type":"Correction Bolus","timestamp":"2026-03-04T07:10:00Z","amount":1},
         {"_type":"Snack Bolus","timestamp":"2026-03-04T07:11:00Z","amount":0.5},
         {"_type":"External Insulin","timestamp":"2026-03-04T07:25:00Z","amount":5},
         {"_type":"Bolus","timestamp":"2026-03-04T07:30:00Z","amount":2,"isExternal":true},
         {"_type":"Carb Correction","created_at":"2026-03-04T07:35:00Z","carbs":12},
         {"_type":"JournalEntryMealMarker","timestamp":"2026-03-04T07:40:00Z","carb_input":50},
         {"_type":"SMB","timestamp":"2026-03-04T07:45:00Z"}]
        """)
    // 0.4 + 3 + 1 + 0.5 + 5 + 2, and 30 + 12 + 50.
    #expect(abs(units(samples, .bolus) - 11.9) < 1e-9)
    let food = samples.filter { $0.type == .dietaryCarbohydrates }.compactMap(\.storedValue)
    #expect(food == [30, 12, 50])
    let automatic = samples.filter { $0.metadata.isAutomaticallyIssued == true }
    #expect(automatic.compactMap(\.storedValue) == [0.4])
    let external = samples.filter { $0.metadata.wasUserEntered }
    #expect(external.compactMap(\.storedValue) == [5, 2])
    #expect(external.allSatisfy { $0.source?.name == "nightscout pen" })
    #expect(
      report.omissions.map(\.reason) == ["pump events 'SMB' without insulin and carbohydrates"])
    expectReconciled(report)
  }

  @Test("The food of a Medtronic pump's calculator counts where its bolus was given")
  func orefWizard() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"_type":"BolusWizard","timestamp":"2026-03-04T07:00:00Z","carb_input":45,
          "bolus_estimate":4.5},
         {"_type":"Bolus","timestamp":"2026-03-04T07:00:00Z","amount":4.5},
         {"_type":"BolusWizard","timestamp":"2026-03-04T09:00:00Z","carb_input":20},
         {"_type":"BolusWizard","timestamp":"2026-03-04T10:00:00Z","carb_input":0}]
        """)
    #expect(units(samples, .bolus) == 4.5)
    #expect(
      samples.filter { $0.type == .dietaryCarbohydrates }.compactMap(\.storedValue) == [45])
    #expect(
      report.omissions.map(\.reason) == [
        "a calculation of the pump without food",
        "no bolus was given for this calculation of the pump",
      ])
    expectReconciled(report)
  }

  @Test("Nightscout's SMB is automatic, and External Insulin is of no pump")
  func kindsOfTreatments() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"SMB","created_at":"2026-03-04T07:00:00Z","insulin":0.4,
          "enteredBy":"Trio"},
         {"eventType":"External Insulin","created_at":"2026-03-04T07:05:00Z","insulin":5,
          "enteredBy":"Trio"},
         {"eventType":"Bolus","created_at":"2026-03-04T07:10:00Z","insulin":2,
          "enteredBy":"Trio"},
         {"_type":"Bolus","eventType":"Correction Bolus","created_at":"2026-03-04T07:15:00Z",
          "insulin":1,"enteredBy":"openaps"}]
        """)
    #expect(samples.map(\.metadata.isAutomaticallyIssued) == [true, nil, nil, nil])
    #expect(samples.map(\.metadata.wasUserEntered) == [false, true, false, false])
    #expect(units(samples, .bolus) == 8.4)
    #expect(report.omissions.isEmpty)
    expectReconciled(report)
  }

  @Test("What AndroidAPS says filled the tubing is left out, and told as that")
  func priming() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Correction Bolus","created_at":"2026-03-04T07:00:00Z","insulin":0.4,
          "type":"NORMAL"},
         {"eventType":"Meal Bolus","created_at":"2026-03-04T07:05:00Z","insulin":5,
          "type":"PRIMING"}]
        """)
    #expect(units(samples, .bolus) == 0.4)
    #expect(
      report.omissions.map(\.reason) == [
        "insulin that filled tubing or cannula did not enter the body"
      ])
    expectReconciled(report)
  }

  @Test("A dose from a pen is written for Nightscout as one, and comes back as one")
  func byHand() throws {
    for key in [MetadataKey.wasUserEntered, .manuallyEntered] {
      var writer = NightscoutWriter(file: "store")
      for (minute, metadata) in [(0, Metadata()), (5, [key: .flag(true)])] as [(Int64, Metadata)] {
        let start = Instant(millisecondsSince1970: 1_770_098_400_000) + .minutes(minute)
        writer.append(
          .insulinDelivery(
            units: 2, reason: .bolus, start: start, end: start,
            uuid: SampleUUID(high: 1, low: UInt64(minute)), metadata: metadata))
      }
      let text = String(decoding: writer.bytes, as: UTF8.self)
      let (samples, _) = try ProgramFileTests.read(nightscout: text)
      #expect(samples.map(\.metadata.isByHand) == [false, true], "\(text)")
    }
  }

  @Test("Insulin and food that a switch of profiles states are read beside the switch")
  func switchWithInsulin() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Profile Switch","created_at":"2026-03-04T07:50:00Z","insulin":1.25,
          "carbs":10,"profile":"Day"},
         {"eventType":"Profile Switch","created_at":"2026-03-04T08:50:00Z","insulin":0.5,
          "profileJson":"{\\"basal\\":[{\\"time\\":\\"00:00\\",\\"value\\":1}]}"},
         {"defaultProfile":"Day","startDate":"2026-03-01T00:00:00Z",
          "store":{"Day":{"basal":[{"time":"00:00","value":0.5}]}}}]
        """)
    #expect(units(samples, .bolus) == 1.75)
    #expect(
      samples.filter { $0.type == .dietaryCarbohydrates }.compactMap(\.storedValue) == [10])
    #expect(report.omissions.isEmpty, "\(report.omissions)")
    expectReconciled(report)
  }

  @Test("Insulin over a time that is not stated is taken at once, which is said")
  func noDuration() throws {
    let (samples, report) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"bolus","subType":"square","id":"s","time":"2026-02-03T06:00:00Z","extended":2},
         {"type":"bolus","subType":"dual/square","id":"d","time":"2026-02-03T07:00:00Z",
          "normal":1,"extended":3},
         {"type":"bolus","subType":"square","id":"t","time":"2026-02-03T08:00:00Z","extended":4,
          "duration":3600000}]
        """)
    #expect(units(samples, .bolus) == 10)
    #expect(samples.map(\.duration) == [.zero, .zero, .zero, .hours(1)])
    #expect(report.remarks.map(\.count) == [2])
    #expect(report.warnings.first?.sentence.contains("taken as given at once") == true)
    let (_, combo) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Combo Bolus","created_at":"2026-02-03T06:00:00Z","enteredinsulin":4,
          "splitNow":50,"splitExt":50,"insulin":2}]
        """)
    #expect(combo.remarks.map(\.count) == [1])
    #expect(combo.account.totals.map(\.amountOut.description) == ["4"])
  }

  @Test("Food in exchanges is no number of grams, whoever wrote it")
  func exchanges() throws {
    let (samples, report) = try ProgramFileTests.read(
      tidepool: """
        [{"type":"food","id":"e","time":"2026-02-03T12:00:00Z",
          "nutrition":{"carbohydrate":{"net":4,"units":"exchanges"}}},
         {"type":"food","id":"g","time":"2026-02-03T13:00:00Z",
          "nutrition":{"carbohydrate":{"net":40,"units":"grams"}}},
         {"type":"wizard","id":"u","time":"2026-02-03T14:00:00Z","carbInput":3,
          "carbUnits":"exchanges"}]
        """)
    #expect(samples.compactMap(\.storedValue) == [40])
    #expect(report.omissions.map(\.count) == [2])
    // 40 g are stated, and no exchange as if it were a gram.
    #expect(report.account.totals.map(\.amountIn.description) == ["40"])
    expectReconciled(report)
  }
}

@Suite("Older inputs of the algorithm")
struct OlderAlgorithmInputTests {
  @Test("An input with nested settings is told by what it is")
  func nestedSettings() {
    let text = #"{"glucoseHistory": [], "doses": [], "settings": {"basal": []}}"#
    let reading = AlgorithmInputFile.read(Array(text.utf8), file: "live.json")
    #expect(reading.input == nil)
    #expect(reading.problems.count == 1)
    #expect(reading.problems.first?.sentence.contains("older input of LoopKit's tests") == true)
  }
}
