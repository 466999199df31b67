import StructuredText
import Testing

@testable import Formats

@Suite("Import of Tidepool scenarios")
struct TidepoolImporterTests {
  @Test("A bare override is the base unchanged")
  func importsTheBase() throws {
    let outcome = TidepoolFixtures.outcome("{\"sim_id\": \"only\"}")
    let scenario = try #require(outcome.scenario)
    #expect(outcome.id == "suite-one")
    #expect(outcome.runs == 1)
    #expect(scenario.at("format") == "loopsim/1")
    #expect(scenario.at("title") == "A risk")
    #expect(scenario.at("references", "0") == "TLR-1")
    #expect(scenario.at("clock", "start") == "2021-02-03T08:00:00")
    #expect(scenario.at("clock", "duration") == "10h")
    #expect(scenario.at("patient", "model") == "tidepool-simple")
    #expect(scenario.at("patient", "initialGlucose") == 108)
    #expect(scenario.at("patient", "needs", "sensitivity") == [["00:00", 48], ["06:00", 42.5]])
    #expect(scenario.at("therapy", "target") == [["00:00", [95, 115]]])
    #expect(scenario.at("therapy", "maxBasal") == 3)
    #expect(scenario.at("app", "dosing") == "automaticBolus")
    #expect(scenario.at("history", "glucose") == [["-10m", 104], ["-5m", 106]])
    #expect(scenario.at("variants", "only") == .object([]))
  }

  @Test("What is written reads back as it was built")
  func writesReadableFiles() throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"one\"}, {\"sim_id\": \"two\", \"controller\": null}")
    let text = try #require(outcome.text(header: ["Imported."]))
    let reading = JSONReader.read(text: text, file: "out.json5")
    #expect(reading.problems.isEmpty)
    let back = try #require(reading.root)
    #expect(JSONWriter(style: .json5).text(JSONValue(back)) == outcome.text())
  }

  @Test("Variants hold only what they do not share")
  func dividesVariants() throws {
    let scenario = try #require(
      TidepoolFixtures.outcome(
        """
        {"sim_id": "pre-Loop_NoMitigations_x"}, {"sim_id": "pre-noLoop_x", "controller": null},
        {"sim_id": "post-Loop-WithMitigations_x",
         "controller": {"settings": "reusable.mitigations.guardrails.narrow"}}
        """
      ).scenario)
    #expect(scenario.at("patient", "initialGlucose") == 108)
    #expect(scenario.at("app") == nil)
    #expect(scenario.at("variants", "pre-Loop_NoMitigations_x", "tags", "1") == "pre")
    #expect(scenario.at("variants", "pre-noLoop_x", "app") == .object([.init("closedLoop", false)]))
    #expect(scenario.at("variants", "pre-noLoop_x", "therapy") == nil)
    #expect(scenario.at("variants", "post-Loop-WithMitigations_x", "therapy", "maxBolus") == 4)
    #expect(scenario.at("variants", "post-Loop-WithMitigations_x", "patient") == nil)
  }

  @Test("Every setting that the original ignores takes effect")
  func honoursIgnoredSettings() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "all",
       "patient": {
         "sensor": {"type": "NoisySensor", "parameters": {"std_dev": 4, "spurious_prob": 0.1,
           "spurious_outage_prob": 0.5, "not_working_time_minutes_range": [15, 30]}},
         "patient_model": {"physical_activity_entries": \
      "reusable.physical_activities.profiles.ride",
           "carb_entries": [{"start_time": "2/3/2021 8:07:30", "value": 30}],
           "bolus_entries": [{"time": "2/3/2021 8:10:00", "value": "accept_recommendation"}]},
         "pump": {"carb_entries": [{"start_time": "2/3/2021 8:07:30", "value": 20}]}},
       "controller": {"automation_control_timeline": [
         {"time": "2/3/2021 10:00:00", "dosing_enabled": false},
         {"time": "2/3/2021 11:00:00", "dosing_enabled": true}]}}
      """)
    let scenario = try #require(outcome.scenario)
    let events = try #require(scenario.at("events"))
    #expect(events.at("0", "at") == "d0 08:07:30")
    #expect(events.at("0", "meal", "grams") == 30)
    #expect(events.at("0", "entry", "grams") == 20)
    #expect(events.at("1", "bolus", "take") == "recommended")
    #expect(events.at("2", "exercise", "heartRate") == 120)
    #expect(events.at("2", "exercise", "duration") == "40m")
    #expect(events.at("2", "x-tidepool", "n") == 20)
    #expect(events.at("3", "closedLoop") == false)
    #expect(events.at("4", "at") == "d0 11:00")
    #expect(scenario.at("app", "maxActiveInsulin") == 24)
    #expect(scenario.at("app", "positiveMomentumAndRC") == true)
    #expect(scenario.at("cgm", "noise", "sd") == 4)
    guard case .array(let faults)? = scenario.at("faults") else {
      Issue.record("There are no faults.")
      return
    }
    let spikes = faults.compactMap { $0.at("cgm", "spike", "delta") }
    let outages = faults.filter { $0.at("cgm", "dropout") != nil }
    // 121 readings, a tenth of them wrong, and after half of those an outage.
    #expect((3...25).contains(spikes.count))
    #expect((1..<spikes.count).contains(outages.count))
    #expect(outages.allSatisfy { $0.at("during")?.count == 2 })
    #expect(outcome.count(.offGrid) == 1)
  }

  @Test("A literal import does what the original does, and says so")
  func importsLiterally() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "all",
       "patient": {
         "patient_model": {"physical_activity_entries": \
      "reusable.physical_activities.profiles.ride",
           "carb_entries": [{"start_time": "2/3/2021 8:07:30", "value": 30}],
           "bolus_entries": [{"time": "2/3/2021 8:10:00", "value": "accept_recommendation"}]},
         "pump": {"carb_entries": [{"start_time": "2/3/2021 8:07:30", "value": 20}]}},
       "controller": {"automation_control_timeline": [
         {"time": "2/3/2021 10:00:00", "dosing_enabled": false}]}}
      """, mode: .literal)
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("events")?.count == 1)
    #expect(scenario.at("events", "0", "meal") == nil)
    #expect(scenario.at("events", "0", "entry", "grams") == 20)
    #expect(scenario.at("app", "maxActiveInsulin") == 16)
    #expect(scenario.at("app", "positiveMomentumAndRC") == false)
    #expect(outcome.count(.ignored) == 5)
    #expect(outcome.count(.offGrid) == 1)
  }

  @Test("Truth and report of a bolus become one event")
  func pairsBoluses() throws {
    let scenario = try #require(
      TidepoolFixtures.outcome(
        """
        {"sim_id": "pairs", "patient": {
          "patient_model": {"bolus_entries": [{"time": "2/3/2021 8:00:00", "value": 2},
            {"time": "2/3/2021 9:00:00", "value": 3}, {"time": "2/3/2021 10:00:00", "value": 1}]},
          "pump": {"bolus_entries": [{"time": "2/3/2021 8:00:00", "value": 2},
            {"time": "2/3/2021 9:00:00", "value": 2.5}, {"time": "2/3/2021 11:00:00", "value": \
        4}]}}}
        """
      ).scenario)
    let events = try #require(scenario.at("events"))
    #expect(events.at("0", "bolus") == .object([.init("units", 2)]))
    #expect(events.at("1", "bolus", "units") == 3)
    #expect(events.at("1", "bolus", "reported", "units") == 2.5)
    #expect(events.at("2", "injection", "units") == 1)
    #expect(events.at("2", "entry") == false)
    #expect(events.at("3", "bolus", "units") == 0)
    #expect(events.at("3", "bolus", "reported", "units") == 4)
  }

  @Test("Meals without entries and entries without meals stay what they are")
  func pairsMeals() throws {
    let scenario = try #require(
      TidepoolFixtures.outcome(
        """
        {"sim_id": "pairs", "patient": {
          "patient_model": {"carb_entries": [{"start_time": "2/3/2021 8:00:00", "value": 20, \
        "duration": 120},
            {"start_time": "2/3/2021 9:00:00", "value": 30}]},
          "pump": {"carb_entries": [{"start_time": "2/3/2021 8:00:00", "value": 20, "duration": 120,
            "id": "Toast", "entry_time": "2/3/2021 8:10:00",
            "edits": [{"edit_time": "2/3/2021 8:30:00", "value": 25, "operation": "update"}]},
            {"start_time": "2/3/2021 9:30:00", "value": 10, "id": "toast!"}]}}}
        """
      ).scenario)
    let events = try #require(scenario.at("events"))
    #expect(events.at("0", "meal", "absorption") == "2h")
    #expect(events.at("0", "entry", "at") == "+10m")
    #expect(events.at("0", "entry", "id") == "toast")
    #expect(events.at("0", "entry", "edits", "0", "grams") == 25)
    #expect(events.at("0", "entry", "edits", "0", "at") == "+30m")
    #expect(events.at("1", "entry") == false)
    #expect(events.at("2", "meal") == nil)
    #expect(events.at("2", "entry", "grams") == 10)
    #expect(events.at("2", "entry", "id") == "toast-2", "An id is that of one entry.")
  }

  @Test("Zero basal while automation is off is a suspension, and literally a schedule")
  func recognisesSuspensions() throws {
    let override = """
      {"sim_id": "off", "patient": {"pump": {"metabolism_settings": {"basal_rate":
        {"start_times": ["0:00:00", "9:00:00", "11:00:00"], "values": [0.6, 0.0, 0.6]}}}},
       "controller": {"automation_control_timeline": [
         {"time": "2/3/2021 9:00:00", "dosing_enabled": false},
         {"time": "2/3/2021 11:00:00", "dosing_enabled": true}]}}
      """
    let intended = try #require(TidepoolFixtures.outcome(override).scenario)
    #expect(intended.at("therapy", "basal") == [["00:00", 0.6]])
    #expect(intended.at("events")?.count == 3)
    #expect(intended.at("events", "1", "suspend", "duration") == "2h")
    let literal = try #require(TidepoolFixtures.outcome(override, mode: .literal).scenario)
    #expect(literal.at("therapy", "basal") == [["00:00", 0.6], ["09:00", 0], ["11:00", 0.6]])
    #expect(literal.at("events")?.count == 0)
  }

  @Test("A run that is said to be open loop stays so: nothing is there to be switched on")
  func switchesNothingWithoutAnApp() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "off", "patient": {"pump": {"metabolism_settings": {"basal_rate":
        {"start_times": ["0:00:00", "9:00:00", "11:00:00"], "values": [0.6, 0.0, 0.6]}}}},
       "controller": {"id": "open", "automation_control_timeline": [
         {"time": "2/3/2021 9:00:00", "dosing_enabled": false},
         {"time": "2/3/2021 11:00:00", "dosing_enabled": true}]}}
      """)
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("app", "closedLoop") == false)
    #expect(scenario.at("events")?.count == 0)
    #expect(scenario.at("therapy", "basal") == [["00:00", 0.6], ["09:00", 0], ["11:00", 0.6]])
    #expect(
      outcome.problems.count { $0.sentence.hasPrefix("This switch is left out: the run is open") }
        == 2)
  }

  @Test(
    "Where no controller recommends a bolus, none is given",
    arguments: ["null", "{\"id\": \"open\"}", "{\"id\": \"manual\"}"])
  func recommendsNothingWithoutAnApp(controller: String) throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "asked", "controller": \(controller), "patient": {"patient_model":
        {"bolus_entries": [{"time": "2/3/2021 8:10:00", "value": "accept_recommendation"}]}}}
      """)
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("events")?.count == 0)
    #expect(
      outcome.problems.contains { $0.sentence.hasPrefix("Nothing recommends a bolus here") })
  }

  @Test("A first reading that is not the truth is a fault of the sensor for one minute")
  func keepsAWrongFirstReading() throws {
    let scenario = try #require(
      TidepoolFixtures.outcome(
        """
        {"sim_id": "wrong", "patient": {"patient_model": {"glucose_history":
          {"datetime": {"0": "2/3/2021 7:55:00", "1": "2/3/2021 8:00:00"},
           "value": {"0": 200, "1": 200}, "units": {"0": "mg/dL", "1": "mg/dL"}}}}}
        """
      ).scenario)
    #expect(scenario.at("patient", "initialGlucose") == 200)
    #expect(scenario.at("faults", "0", "cgm", "stuck", "value") == 108)
  }
}

@Suite("Presets in Tidepool schedules")
struct TidepoolPresetTests {
  private static let window = """
    "start_times": ["0:00:00", "9:00:00", "10:30:00"], "values":
    """

  private func override(carbRatio: Double, more: String = "") -> String {
    """
    {"sim_id": "preset", \(more)"patient": {"pump": {
      "metabolism_settings": {
        "basal_rate": {\(Self.window) [0.6, 0.15, 0.6]},
        "carb_insulin_ratio": {\(Self.window) [12, \(carbRatio), 12]},
        "insulin_sensitivity_factor": {\(Self.window) [50, 200, 50]}},
      "target_range": {"start_times": ["0:00:00", "9:00:00", "10:30:00"],
        "lower_values": [95, 150, 95], "upper_values": [115, 170, 115]}}}}
    """
  }

  @Test("A window in which all settings are scaled alike is a preset with its range")
  func recognisesPresets() throws {
    let outcome = TidepoolFixtures.outcome(override(carbRatio: 48))
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("therapy", "basal") == [["00:00", 0.6]])
    #expect(scenario.at("therapy", "target") == [["00:00", [95, 115]]])
    #expect(scenario.at("events", "0", "at") == "d0 09:00")
    #expect(scenario.at("events", "0", "preset", "insulinNeeds") == 0.25)
    #expect(scenario.at("events", "0", "preset", "target") == [150, 170])
    #expect(scenario.at("events", "0", "duration") == "1h30m")
    #expect(outcome.count(.decided) == 1)
  }

  @Test(
    "Without an app, which alone runs a preset, the window stays one of the pump's schedule",
    arguments: ["null", "{\"id\": \"open\"}"])
  func needsAnApp(controller: String) throws {
    let outcome = TidepoolFixtures.outcome(
      override(carbRatio: 48, more: "\"controller\": \(controller), "))
    let scenario = try #require(outcome.scenario)
    #expect(
      scenario.at("therapy", "basal") == [["00:00", 0.6], ["09:00", 0.15], ["10:30", 0.6]])
    #expect(scenario.at("events")?.count == 0)
    #expect(outcome.count(.decided) == 0)
  }

  @Test("Settings that are scaled differently stay schedules, and so does everything literal")
  func leavesOtherWindows() throws {
    let other = try #require(TidepoolFixtures.outcome(override(carbRatio: 20)).scenario)
    #expect(other.at("events")?.count == 0)
    let literal = try #require(
      TidepoolFixtures.outcome(override(carbRatio: 48), mode: .literal).scenario)
    #expect(literal.at("events")?.count == 0)
    #expect(literal.at("therapy", "basal") == [["00:00", 0.6], ["09:00", 0.15], ["10:30", 0.6]])
  }
}
