import Interchange
import StructuredText
import Testing

@testable import Formats

/// What files of the published library have that once refused them or changed their meaning.
@Suite("Imports of unusual files")
struct RepairedImportTests {
  private func sentence(_ outcome: ImportOutcome, _ reason: ImportReason) -> String {
    outcome.problems.first { $0.code == reason.rawValue }?.sentence ?? ""
  }

  /// Boluses of the patient and of the pump, each a time with an amount.
  private func boluses(_ given: String, _ reported: String) -> String {
    """
    {"sim_id": "a", "patient": {"patient_model": {"bolus_entries": [\(given)]},
      "pump": {"bolus_entries": [\(reported)]}}}
    """
  }

  private func bolus(_ time: String, _ units: Double) -> String {
    "{\"time\": \"2/3/2021 \(time)\", \"value\": \(units)}"
  }

  @Test("More remarks than are kept refuse no file, and the rest is counted")
  func manyRemarks() throws {
    let meals = (0..<250).map {
      "{\"start_time\": \"2/3/2021 9:\(10 + $0 % 50):\(10 + $0 / 50)\", \"value\": 1}"
    }
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {"patient_model": {
        "carb_entries": [\(meals.joined(separator: ","))]}}}
      """)
    #expect(outcome.runs == 1)
    #expect(try #require(outcome.scenario?.at("events")).count == 250)
  }

  @Test("A reading without a value is a gap in the history")
  func missingReadings() throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\", \"patient\": {\"sensor\": {\"glucose_history\": "
        + "\"reusable.glucose.warming\"}}}")
    let rows = try #require(outcome.scenario?.at("history", "glucose"))
    #expect(rows == [["-15m", 104], ["-5m", 104]])
    #expect(outcome.problems.contains { $0.sentence.hasPrefix("1 reading before the start has") })
  }

  @Test("Of a repeated key the last value counts, with a warning", arguments: ImportMode.allCases)
  func repeatedKeys(mode: ImportMode) throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\", \"duration_hours\": 3, \"duration_hours\": 4}", mode: mode)
    #expect(outcome.scenario?.at("clock", "duration") == "4h")
    #expect(sentence(outcome, .duplicate).contains("repeated"))
  }

  @Test("A suspend threshold of 0 mg/dL is none")
  func noThreshold() throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\", \"controller\": {\"settings\": {\"suspend_threshold\": 0}}}")
    #expect(outcome.scenario?.at("therapy", "suspendThreshold") == "none")
  }

  @Test("A scheduled rate above the maximum is imported, as the original runs it")
  func rateAboveTheMaximum() throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\", \"controller\": {\"settings\": {\"max_basal_rate\": 0.3}}}")
    #expect(outcome.scenario?.at("therapy", "maxBasal") == 0.3)
  }

  @Test("An amount is rounded to thousandths with a remark, and the difference is named")
  func roundedAmounts() throws {
    let outcome = TidepoolFixtures.outcome(
      boluses(bolus("9:00:00", 3.4875), bolus("9:00:00", 3.4875)))
    #expect(outcome.scenario?.at("events", "0", "bolus", "units") == 3.488)
    #expect(sentence(outcome, .decided).contains("3.4875 U is rounded to 3.488 U"))
    #expect(outcome.problems.contains { $0.sentence.contains("no whole number of the pump's") })
    let change = try #require(outcome.account.changes.first { $0.quantity == .bolusGiven })
    #expect(change.amount.description == "0.0005")
    #expect(outcome.account.unexplained(of: .bolusGiven) == .zero)
  }

  @Test("A simulation that cannot be run is named, and takes no other with it")
  func badArm() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "good"},
      {"sim_id": "bad", "patient": {"pump": {"target_range": {"upper_values": [450]}}}},
      {"sim_id": ""}
      """)
    #expect(outcome.runs == 2)
    #expect(outcome.lostRuns == 1)
    #expect(sentence(outcome, .refused).hasPrefix("The simulation \"bad\" cannot be run here: "))
    #expect(outcome.scenario?.at("variants", "simulation-3") != nil)
  }

  @Test("Without an app a bolus is given on the pump, whole, also where it is a large one")
  func bolusOnThePump() throws {
    let large = boluses(bolus("9:00:00", 33.25), bolus("9:00:00", 33.25))
      .replacing("{\"sim_id\": \"a\",", with: "{\"sim_id\": \"a\", \"controller\": null,")
    let outcome = TidepoolFixtures.outcome(large)
    let scenario = try #require(outcome.scenario)
    #expect(
      scenario.at("events", "0", "bolus")
        == .object([.init("units", 33.25), .init("by", "pump")]))
    #expect(scenario.at("pump", "model") == "continuous")
    #expect(sentence(outcome, .decided).hasPrefix("A bolus of 33.25 U is more than"))
    #expect(outcome.problems.allSatisfy { $0.code != "W-LIMITS" })
  }

  @Test(
    "A basal rate above what the usual pump runs is one of the continuous pump",
    arguments: [(30.0, false), (30.05, true), (32, true), (0.625, true)])
  func rateAboveTheUsualPump(rate: Double, isContinuous: Bool) throws {
    // The usual pump runs 0 to 30 U/h in steps of 0.05 U/h.
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "controller": null, "patient": {"pump": {"metabolism_settings":
        {"basal_rate": {"start_times": ["0:00:00"], "values": [\(rate)]}}}}}
      """)
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("pump", "model") == (isContinuous ? "continuous" : nil))
    #expect(outcome.lostRuns == 0)
  }

  @Test(
    "A bolus that the body got is whole, also where the app takes less: it is given on the pump",
    arguments: [(8.0, false), (8.05, true)])
  func bolusAboveTheLimit(units: Double, isOnPump: Bool) throws {
    // The fixture's max_bolus is 8 U.
    let outcome = TidepoolFixtures.outcome(
      boluses(bolus("9:00:00", units), bolus("9:00:00", units)))
    let given = try #require(outcome.scenario?.at("events", "0", "bolus"))
    #expect(given["by"] == (isOnPump ? "pump" : nil))
    let words = "A bolus of 8.05 U is more than the app takes (8 U); it is given on the pump itself"
    #expect(outcome.problems.contains { $0.sentence.hasPrefix(words) } == isOnPump)
  }

  @Test("Of several boluses of one moment each goes with the report that says the same")
  func pairsOfOneMoment() throws {
    for hour in ["7:00:00", "9:00:00"] {
      let outcome = TidepoolFixtures.outcome(
        boluses(
          bolus(hour, 2) + "," + bolus(hour, 3), bolus(hour, 3) + "," + bolus(hour, 2)))
      let scenario = try #require(outcome.scenario)
      let doses = [scenario.at("history", "doses"), scenario.at("events")].compactMap(\.self)
        .first { $0.count > 0 }
      #expect(doses?.count == 2)
      for index in ["0", "1"] {
        let dose = try #require(doses?.at(index))
        #expect((dose.at("reported") ?? dose.at("bolus", "reported")) == nil)
      }
    }
    // The report that goes with no other is that of the bolus of another amount.
    let other = TidepoolFixtures.outcome(
      boluses(
        bolus("7:00:00", 2) + "," + bolus("7:00:00", 3),
        bolus("7:00:00", 3) + "," + bolus("7:00:00", 1)))
    let doses = try #require(other.scenario?.at("history", "doses"))
    #expect(doses.at("0") == ["at": "-1h", "bolus": 2, "reported": 1])
    #expect(doses.at("1") == ["at": "-1h", "bolus": 3])
  }

  @Test("What lies in the eight hours before the start is history; the original only tells Loop")
  func historyBeforeTheStart() throws {
    let override = boluses(
      bolus("7:00:00", 2),
      bolus("7:00:00", 2) + "," + bolus("7:30:00", 1) + ","
        + bolus("7:00:01", 0))
    let intended = TidepoolFixtures.outcome(override)
    let doses = try #require(intended.scenario?.at("history", "doses"))
    #expect(doses.count == 2)
    #expect(doses.at("0") == ["at": "-1h", "bolus": 2])
    #expect(doses.at("1") == ["at": "-30m", "bolus": 0, "reported": 1])
    let literal = TidepoolFixtures.outcome(override, mode: .literal)
    let told = try #require(literal.scenario?.at("history", "doses"))
    #expect(told.at("0") == ["at": "-1h", "bolus": 0, "reported": 2])
    for outcome in [intended, literal] {
      for total in outcome.account.totals {
        #expect(outcome.account.unexplained(of: total.quantity) == .zero)
      }
    }
  }

  @Test("Carbohydrate before the start may be eaten, entered, or both")
  func mealsBeforeTheStart() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {
        "patient_model": {"carb_entries": [{"start_time": "2/3/2021 7:00:00", "value": 20}]},
        "pump": {"carb_entries": [{"start_time": "2/3/2021 7:30:00", "value": 9}]}}}
      """)
    let carbs = try #require(outcome.scenario?.at("history", "carbs"))
    #expect(carbs.at("0") == ["at": "-1h", "grams": 20, "absorption": "3h", "entered": false])
    #expect(carbs.at("1") == ["at": "-30m", "grams": 9, "absorption": "3h", "eaten": false])
  }

  @Test("Food before the start that is told with another absorption time keeps both")
  func absorptionBeforeTheStart() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {
        "patient_model": {"carb_entries": [
          {"start_time": "2/3/2021 7:00:00", "value": 30, "duration": 180}]},
        "pump": {"carb_entries": [
          {"start_time": "2/3/2021 7:00:00", "value": 30, "duration": 240}]}}}
      """)
    let carbs = try #require(outcome.scenario?.at("history", "carbs"))
    #expect(carbs.count == 2)
    #expect(carbs.at("0") == ["at": "-1h", "grams": 30, "absorption": "3h", "entered": false])
    #expect(carbs.at("1") == ["at": "-1h", "grams": 30, "absorption": "4h", "eaten": false])
    for total in outcome.account.totals {
      #expect(outcome.account.unexplained(of: total.quantity) == .zero)
    }
  }

  @Test("A key that is not known is named with its place")
  func unknownKeys() {
    let outcome = TidepoolFixtures.importing(
      TidepoolFixtures.file(
        "{\"sim_id\": \"a\"}",
        base: TidepoolFixtures.base
          .replacing("\"duration_hours\"", with: "\"weather\": \"wet\", \"duration_hours\"")))
    #expect(outcome.runs == 1)
    #expect(sentence(outcome, .lost).hasPrefix("\"weather\" is not known here"))
  }

  @Test("An insulin that no pump here can hold is named")
  func unknownInsulin() {
    let body = TidepoolFixtures.body.replacing(
      "{\"basal_rate\"", with: "{\"patient_insulin_type\": \"glargine\", \"basal_rate\"")
    let outcome = TidepoolFixtures.importing(
      TidepoolFixtures.file(
        "{\"sim_id\": \"a\", \"patient\": {\"patient_model\": {\"metabolism_settings\": \(body)}}}")
    )
    #expect(outcome.problems.contains { $0.sentence.contains("\"glargine\"") })
  }

  @Test("Exercise is said to have no effect on the model that the import names")
  func exerciseWithoutEffect() {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {"patient_model": {
        "physical_activity_entries": "reusable.physical_activities.profiles.ride"}}}
      """)
    let problem = outcome.problems.first { $0.sentence.hasPrefix("Exercise has no effect") }
    #expect(problem?.severity == .warning)
  }

  @Test("Every simulation that is lost is named in its own file")
  func namesLostSimulations() {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\", \"patient\": {\"sensor\": {\"glucose_history\": "
        + "\"reusable.glucose.wordy\"}}}")
    #expect(outcome.scenario == nil)
    #expect(
      outcome.problems.contains {
        $0.position.file == "suite/one.json" && $0.severity == .error
      })
  }

  // MARK: - Loop

  private func loop(_ basals: String, glucose: Double = 120) throws -> ImportOutcome {
    let text = """
      {"glucoseValues": [{"mgdlValue": \(glucose), "dateOffset": -300}], "basalDoses": [\(basals)],
       "bolusDoses": [{"unitsValue": 1.25, "dateOffset": -600, "deliveryDuration": 30}],
       "carbEntries": []}
      """
    return try #require(LoopScenarioImporter(start: "2026-01-05T12:00:00"))
      .importing(Array(text.utf8), file: "long.json")
  }

  @Test("A temp basal of sixty hours is divided into parts that a scenario can hold")
  func longBasal() throws {
    let outcome = try loop(
      "{\"unitsPerHourValue\": 0.8, \"dateOffset\": -216000, \"duration\": 216000}")
    let doses = try #require(outcome.scenario?.at("history", "doses"))
    #expect(doses.at("0") == ["at": "-60h", "basal": 0.8, "duration": "24h"])
    #expect(doses.at("2") == ["at": "-12h", "basal": 0.8, "duration": "12h"])
    #expect(outcome.runs == 1)
  }

  @Test("A testing scenario that the check refuses is not imported")
  func refusedTestingScenario() throws {
    let outcome = try loop("", glucose: 0.0001)
    #expect(outcome.scenario == nil)
    #expect(outcome.count(.refused) > 0)
  }
}
