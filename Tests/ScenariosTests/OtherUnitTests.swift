import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

/// Numbers that may be stated, and are more likely in the other unit of glucose.
///
/// 1 mmol/L is 18.0156 mg/dL. The least correction factor of a published virtual patient is 7.6
/// mg/dL per U; no sensor shows 36 mmol/L, and no body lives at 25 mg/dL.
@Suite("Glucose in the other unit")
struct OtherUnitTests {
  /// What is said of a scenario of two days about units, but of the needs that the fixture states.
  private func warnings(
    _ members: String, unit: String = "mg/dL", range: String = "[40, 400]"
  ) -> [String] {
    BehaviourFixture.attempt(
      BehaviourFixture.text("glucoseUnit: '\(unit)', \(members)", days: 2)
        .replacing("cgm: {", with: "cgm: { range: \(range),")
    ).1.filter { $0.contains("[W-UNIT]") && !$0.contains("patient.needs") }
  }

  @Test(
    "A sensitivity that no body has is told, in either unit",
    arguments: [
      ("mg/dL", "2.5", true), ("mg/dL", "6.9", true), ("mg/dL", "7", false),
      ("mg/dL", "8.2", false), ("mg/dL", "500", false), ("mg/dL", "501", false),
      ("mmol/L", "45", true), ("mmol/L", "27.7", false), ("mmol/L", "2.5", false),
      ("mmol/L", "0.5", false),
    ])
  func sensitivity(unit: String, number: String, isTold: Bool) {
    let found = warnings(
      "events: [{ at: '+1h', settings: { sensitivity: [['00:00', \(number)]] } }]", unit: unit)
    #expect(found.count == (isTold ? 1 : 0), "\(found)")
    guard isTold else { return }
    let (usual, other) = unit == "mg/dL" ? ("7 to 500", "mmol/L") : ("0.4 to 27.8", "mg/dL")
    #expect(
      found.first?.hasSuffix(
        "\"events[0].settings.sensitivity[0][1]\" is \(number) \(unit) per U, where \(usual) are "
          + "usual. It looks like \(other) per U; the file's glucoseUnit is \(unit). [W-UNIT]")
        == true,
      "\(found)")
  }

  /// What is said of the unit of a therapy with a sensitivity and a basal rate.
  private func toldOfTherapy(_ sensitivity: String, _ basal: String, _ unit: String) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', glucoseUnit: '\(unit)', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        therapy: { basal: \(basal), sensitivity: \(sensitivity), carbRatio: [['00:00', 10]] } }
      """
    ).1.filter { $0.contains("[W-UNIT]") }
  }

  @Test(
    "A sensitivity that somebody has is told by the basal beside it",
    arguments: [
      // 8 mmol/L per U and 6 U a day are a child's: 48 mg/dL is far below the 230 of child#003.
      ("mg/dL", "[['00:00', 8]]", "[['00:00', 0.25]]", true),
      ("mg/dL", "[['00:00', 7], ['06:00', 10]]", "[['00:00', 0.2], ['12:00', 0.4]]", true),
      // By their tables, adult#009 (33.5 U a day) and adolescent#008 (21.8 U a day).
      ("mg/dL", "[['00:00', 7.6]]", "[['00:00', 1.4]]", false),
      ("mg/dL", "[['00:00', 11.9]]", "[['00:00', 0.9]]", false),
      // A remission, and a pump that gives nothing.
      ("mg/dL", "[['00:00', 50]]", "[['00:00', 0.05]]", false),
      ("mg/dL", "[['00:00', 8]]", "[['00:00', 0]]", false),
      // An adult's 20 mg/dL per U and 40.8 U a day; the same as they should stand; a small child's.
      ("mmol/L", "[['00:00', 20]]", "[['00:00', 1.7]]", true),
      ("mmol/L", "[['00:00', 1.1]]", "[['00:00', 1.7]]", false),
      ("mmol/L", "[['00:00', 20]]", "[['00:00', 0.1]]", false),
    ])
  func sensitivityByBasal(unit: String, sensitivity: String, basal: String, isTold: Bool) {
    let found = toldOfTherapy(sensitivity, basal, unit)
    #expect(found.count == (isTold ? 1 : 0), "\(found)")
    guard isTold, sensitivity.contains("8]") else { return }
    #expect(
      found.first?.hasSuffix(
        "\"therapy.sensitivity\" is at most 8 mg/dL per U, and basal 6 U a day: a body that needs "
          + "so little insulin falls by more per U. It looks like mmol/L per U; the file's "
          + "glucoseUnit is mg/dL. [W-UNIT]") == true, "\(found)")
  }

  @Test("A lethal floor that no body has in the file's unit is told")
  func floor() {
    let patient = "patient: { model: 'uva-padova-s2008', name: 'adult#001'"
    func told(_ glucose: String, _ unit: String = "mg/dL") -> [String] {
      BehaviourFixture.attempt(
        "{ format: 'loopsim/1', glucoseUnit: '\(unit)', clock: { duration: '1h' }, "
          + "\(patient), floor: { glucose: \(glucose) } } }"
      ).1.filter { $0.contains("[W-UNIT]") }
    }
    #expect(told("3.9").count == 1)
    #expect(told("3.9").first?.contains("Did you mean 70?") == true)
    #expect(told("10") + told("20") + told("1") + told("1.1", "mmol/L") == [])
  }

  @Test("The file that states the unit is named where it is another than that of the value")
  func unitOfAnotherFile() {
    let problems = ProblemList()
    var reader = ScenarioReader(
      files: MemoryFiles([
        "base.json5": """
        { format: 'loopsim/1', glucoseUnit: 'mmol/L',
          patient: { model: 'uva-padova-s2008', name: 'adult#001', initialGlucose: 6 } }
        """,
        "day.json5": "{ extends: 'base.json5', glucoseUnit: 'mg/dL', cgm: { range: [2.2, 400] } }",
      ]))
    _ = ScenarioCheck.plan("day.json5", reader: &reader, problems: problems)
    let told = problems.sorted.map(\.description)
    #expect(
      told == [
        "base.json5:2:76: error: \"patient.initialGlucose\" must be a number from 20 to 600 "
          + "(mg/dL), not 6. It looks like mmol/L; the glucoseUnit is mg/dL, by day.json5."
      ])
  }

  @Test("A setting that a fault makes wrong may be in the wrong unit")
  func wrongSetting() {
    let fault = "app: { wrongSetting: { path: 'therapy.sensitivity', value: [['00:00', 2.5]] } }"
    #expect(warnings("faults: [{ at: '+1h', \(fault) }]").isEmpty)
  }

  @Test("Readings are told once for each list")
  func readings() {
    let list = warnings("history: { glucose: [['-15m', 6.1], ['-10m', 110], ['-5m', 6.3]] }")
    #expect(list.count == 1)
    #expect(
      list.first?.contains(
        "\"history.glucose[0][1]\" is 6.1 mg/dL, where 20 to 600 are usual. It looks like mmol/L, "
          + "as 1 more of the 3 values does; the file's glucoseUnit is mg/dL.") == true, "\(list)")
    #expect(warnings("history: { glucose: [['-15m', 110], ['-10m', 39]] }").isEmpty)
    // A fall that is meant, or a sensor's code, is no other unit.
    #expect(warnings("history: { glucose: [['-15m', 30], ['-10m', 21], ['-5m', 18]] }").isEmpty)
    #expect(warnings("", range: "[2.2, 22.2]").count == 1)
    #expect(warnings("", range: "[10, 600]").isEmpty)
    #expect(warnings("events: [{ at: '+1h', fingerstick: { value: 12.5 } }]").count == 1)
    #expect(warnings("events: [{ at: '+1h', fingerstick: { value: 20 } }]").isEmpty)
    let written = "events: [{ at: '+1h', healthStore: { write: { glucose: 95 } } }]"
    #expect(warnings(written, unit: "mmol/L").count == 1)
    #expect(warnings(written).isEmpty)
  }

  @Test(
    "A bound or a condition that every glucose fulfils is told",
    arguments: [
      ("mg/dL", "series: 'glucose.true', never: { below: 3.9 }", "3.9 is no limit in it", "70"),
      ("mg/dL", "series: 'glucose.cgm', always: { above: 4 }", "4 is no limit in it", "72"),
      ("mg/dL", "series: 'delay(glucose.cgm, 5m)', never: { below: 3 }", "3 is no limit", "54"),
      ("mg/dL", "metric: 'minGlucose', min: 3.9", "3.9 is no limit in it", "70"),
      ("mmol/L", "series: 'glucose.true', never: { above: 180 }", "180 is no limit in it", "10"),
      ("mmol/L", "metric: 'mean', max: 154", "154 is no limit in it", "8.5"),
    ])
  func bounds(unit: String, expectation: String, words: String, likely: String) {
    let found = warnings("expect: [{ id: 'x', \(expectation) }]", unit: unit)
    #expect(
      found.count == 1 && found[0].contains(words) && found[0].contains("Did you mean \(likely)?"),
      "\(found)")
  }

  @Test(
    "Bounds that may be meant are left alone",
    arguments: [
      "series: 'glucose.true', never: { below: 10 }", "metric: 'minGlucose', max: 14.5",
      "series: 'glucose.true', never: { below: 0 }", "series: 'iob.app', never: { below: 3.9 }",
      "series: 'abs(glucose.cgm - glucose.true)', never: { below: 5 }", "metric: 'sd', max: 10",
      "series: 'rate(glucose.true)', never: { below: 3 }", "metric: 'minGlucose', min: 54",
      "metric: 'below(20)', max: 0", "metric: 'lows(10,5m)', max: 0",
      "metric: 'tir(20,70)', min: 1",
    ])
  func possible(expectation: String) {
    #expect(warnings("expect: [{ id: 'x', \(expectation) }]") == [])
  }

  @Test("A condition in the other unit is told")
  func conditions() {
    func found(_ condition: String, _ unit: String) -> Int {
      warnings("events: [{ at: '+1h', if: '\(condition)', bolus: { units: 1 } }]", unit: unit).count
    }
    #expect(found("glucose.cgm < 4", "mg/dL") == 1)
    #expect(found("glucose.cgm > 10", "mg/dL") == 1)
    #expect(found("glucose.cgm > 180", "mmol/L") == 1)
    #expect(found("glucose.cgm < 4", "mmol/L") == 0)
    #expect(found("glucose.cgm < 70", "mg/dL") == 0)
    #expect(found("iob.app > 4", "mg/dL") == 0)
  }

  @Test("What a condition found is told in the file's unit")
  func unmet() throws {
    // 3.88 mmol/L is 69.9 mg/dL, which an ideal sensor shows as 70: 3.89 mmol/L.
    func told(_ glucose: String, _ limit: String, unit: String) throws -> [String] {
      let run = try BehaviourFixture.result(
        """
        { format: 'loopsim/1', glucoseUnit: '\(unit)', clock: { duration: '1h' },
          patient: { model: 'tidepool-simple', initialGlucose: \(glucose), needs: {
            basal: [['00:00', 1]], sensitivity: [['00:00', \(unit == "mg/dL" ? 45 : 2.5)]],
            carbRatio: [['00:00', 10]] } },
          app: { closedLoop: false },
          events: [{ at: '+30m', if: 'glucose.cgm < \(limit)', bolus: { units: 1 } }] }
        """)
      return run.happenings(.note).map(\.text)
    }
    #expect(
      try told("3.88", "3.8", unit: "mmol/L") == ["bolus-1 does not happen: glucose.cgm is 3.89."])
    #expect(try told("70", "65", unit: "mg/dL") == ["bolus-1 does not happen: glucose.cgm is 70."])
  }
}
