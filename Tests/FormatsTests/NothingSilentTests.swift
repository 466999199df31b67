import StructuredText
import Testing

@testable import Formats

/// Values that an import once left out, or replaced by usual ones, without a word.
@Suite("Imports say what they cannot read")
struct NothingSilentTests {
  private func problem(_ outcome: ImportOutcome, _ text: String) -> TextProblem? {
    outcome.problems.first { $0.sentence.contains(text) }
  }

  @Test(
    "What is no object in a list of entries, and a setting of the wrong kind, are errors",
    arguments: [
      (#""patient": {"pump": {"bolus_entries": [7]}}"#, "bolus_entries[0]"),
      (#""patient": {"patient_model": {"carb_entries": ["x"]}}"#, "carb_entries[0]"),
      (#""patient": {"pump": {"target_range": 7}}"#, "target_range"),
      (
        #""patient": {"sensor": {"type": "NoisySensor", "parameters": {"std_dev": "4"}}}"#,
        "std_dev"
      ),
      (#""patient": {"sensor": {"type": "NoisySensor", "parameters": 4}}"#, "parameters"),
      (
        #""patient": {"sensor": {"type": "NoisySensor", "parameters": "#
          + #"{"spurious_prob": 0.1, "random_seed": -1}}}"#, "random_seed"
      ),
      (
        #""controller": {"settings": {"use_mid_absorption_isf": "true"}}"#, "use_mid_absorption_isf"
      ),
      (#""controller": {"settings": {"includePositiveVelocityAndRC": 1}}"#, "includePositive"),
      (#""controller": {"settings": {"max_active_insulin_modifier": "3"}}"#, "max_active_insulin"),
      (#""controller": {"automation_control_timeline": [true]}"#, "automation_control_timeline[0]"),
    ])
  func wrongKinds(override: String, name: String) {
    let outcome = TidepoolFixtures.outcome("{\"sim_id\": \"a\", \(override)}")
    #expect(outcome.scenario == nil)
    #expect(outcome.problems.contains { $0.severity == .error && $0.sentence.contains(name) })
  }

  @Test(
    "A run that is longer than the readings for which faults are drawn is named",
    arguments: [(250, false), (251, true)])
  func longNoise(hours: Int, isNamed: Bool) {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "duration_hours": \(hours), "patient": {"sensor": {"type": "NoisySensor",
        "parameters": {"spurious_prob": 0.01}}}}
      """)
    let found = problem(outcome, "are drawn for the first 250h of the run")
    #expect((found?.severity == .warning) == isNamed)
  }

  @Test("A simulation whose name is that of a remark is run, under another one")
  func nameOfRemark() {
    let outcome = TidepoolFixtures.outcome(#"{"sim_id": "x-one"}, {"sim_id": "two"}"#)
    #expect(outcome.runs == 2)
    #expect(outcome.lostRuns == 0)
    #expect(outcome.scenario?.at("variants", "sim-x-one") != nil)
  }

  @Test("A long name that is that of a remark, or of letters of many parts, is run twice too")
  func longNames() {
    for name in ["x-" + String(repeating: "a", count: 60), String(repeating: "🇩🇪", count: 60)] {
      let outcome = TidepoolFixtures.outcome(
        #"{"sim_id": "\#(name)"}, {"sim_id": "\#(name)"}"#)
      #expect(outcome.runs == 2 && outcome.lostRuns == 0)
    }
  }

  @Test("Only a name that stands twice is said to stand twice")
  func namesAlike() {
    let outcome = TidepoolFixtures.outcome(
      #"{"sim_id": "a b"}, {"sim_id": "a/b"}, {"sim_id": "a b"}"#)
    #expect(outcome.runs == 3)
    #expect(problem(outcome, #"The simulation "a/b" is called "a-b#2" here"#) != nil)
    #expect(problem(outcome, #"The name "a b" is used twice"#) != nil)
    #expect(problem(outcome, #"The name "a/b" is used twice"#) == nil)
  }

  @Test("Glucose in a unit that is none is an error")
  func unit() {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {"sensor": {"glucose_history":
        [{"datetime": "2/3/2021 8:00:00", "value": 1.1, "units": "g/L"}]}}}
      """)
    #expect(outcome.scenario == nil)
    #expect(problem(outcome, "mg/dL or mmol/L, not \"g/L\"") != nil)
  }

  @Test("Usual absorption times that are not the original's are named")
  func absorptionTimes() {
    func outcome(_ times: String, _ durations: [String]) -> ImportOutcome {
      let kept = TidepoolTableTests.rows.map { row in
        row[0] == "carb_absorption_times" ? [row[0], ""] + durations : row
      }
      return TidepoolTableTests.outcome(kept + [["default_absorption_times", times]])
    }
    let name = "default_absorption_times"
    #expect(problem(outcome("[120.0, 180.0, 240.0]", []), name) == nil)
    #expect(problem(outcome("[60, 90, 120]", ["180"]), name)?.severity == .warning)
    #expect(problem(outcome("[60, 90, 120]", ["180", "180"]), name)?.severity == .note)
  }

  @Test("An edit that cannot be read is an error, and one of an entry before the start is named")
  func edits() {
    func outcome(_ hour: Int, _ edit: String) -> ImportOutcome {
      TidepoolFixtures.outcome(
        """
        {"sim_id": "a", "patient": {"pump": {"carb_entries": [
          {"start_time": "2/3/2021 \(hour):00:00",
          "value": 20, "edits": [\(edit)]}]}}}
        """)
    }
    let time = #""edit_time": "2/3/2021 9:30:00""#
    let right = outcome(9, "{\(time), \"value\": 25, \"operation\": \"update\"}")
    #expect(right.scenario?.at("events", "0", "entry", "edits", "0", "grams") == 25)
    for wrong in [#""value": "25""#, #""start_time": 7"#, #""operation": "remove""#] {
      #expect(outcome(9, "{\(time), \(wrong)}").scenario == nil)
    }
    let early = outcome(7, "{\(time), \"value\": 25}")
    #expect(early.scenario != nil)
    #expect(problem(early, "\"edits\" of an entry before the start are left out") != nil)
  }

  @Test("A setting of a table that is no number is an error, and not left out")
  func tableSetting() {
    let rows = TidepoolTableTests.rows.map { $0[0] == "max_bolus" ? ["max_bolus", "3O"] : $0 }
    let outcome = TidepoolTableTests.outcome(rows)
    #expect(outcome.scenario == nil)
    #expect(problem(outcome, "max_bolus") != nil)
  }

  @Test("An empty cell of a table moves no value to another time")
  func emptyCells() throws {
    let changed = TidepoolTableTests.rows.map { row in
      switch row[0] {
      case "carb_values": [row[0], "", "", "40"]
      case "glucose_values": [row[0], "", "", "90"]
      default: row
      }
    }
    let outcome = TidepoolTableTests.outcome(changed)
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("events", "0", "meal", "grams") == 30)
    #expect(scenario.at("events", "0", "entry") == false)
    #expect(scenario.at("events", "2", "at") == "d0 08:15")
    #expect(scenario.at("events", "2", "entry", "grams") == 40)
    #expect(scenario.at("faults", "0", "cgm", "stuck", "value") == 90)
    #expect(problem(outcome, "of \"carb_values\"") != nil)
    let lost = TidepoolTableTests.rows.map { $0[0] == "carb_dates" ? [$0[0], "", "", $0[3]] : $0 }
    #expect(TidepoolTableTests.outcome(lost).scenario == nil)
  }

  @Test("Keys of a Loop scenario that nothing reads are named")
  func unknownKeys() throws {
    let text = """
      {"glucoseValues": [{"mgdlValue": 100, "dateOffset": 0, "unit": "x"}], "basalDoses": [],
       "bolusDoses": [{"unitsValue": 2, "dateOffset": 600, "deliveryDuration": 80, "type": "y"}],
       "carbEntries": [{"gramValue": 20, "dateOffset": 600, "absorptionTime": 10800,
         "foodType": "z"}], "therapySettings": {}}
      """
    let outcome = try LoopScenarioTests.outcome(text)
    #expect(outcome.scenario != nil)
    for key in ["unit", "type", "foodType", "therapySettings"] {
      let place = try #require(problem(outcome, "\"\(key)\" is not known here"))
      #expect(place.position.line > 0)
    }
    let wrong = try LoopScenarioTests.outcome(
      #"{"glucoseValues": [], "basalDoses": [], "bolusDoses": [7], "carbEntries": []}"#)
    #expect(wrong.scenario == nil)
  }

  @Test(
    "Keys beside and within a simulation that nothing reads are named",
    arguments: [
      (
        #""controller": {"automation_control_timeline": [{"time": "2/3/2021 9:00:00", "#
          + #""dosing_enabled": false, "why": "x"}]}"#, "\"why\" is not known here"
      ),
      (
        #""patient": {"patient_model": {"physical_activity_entries": [{"start_time": "#
          + #""2/3/2021 9:00:00", "activity_ref": "walk"}]}}"#, "\"activity_ref\" is not known here"
      ),
      (
        #""patient": {"pump": {"carb_entries": [{"start_time": "2/3/2021 9:00:00", "value": 20, "#
          + #""edits": [{"edit_time": "2/3/2021 9:30:00", "value": 9, "reason": "x"}]}]}}"#,
        "\"reason\" is not known here"
      ),
      (
        #""patient": {"pump": {"bolus_entries": [{"time": "2/3/2021 9:00:00", "value": 2, "#
          + #""type": "square"}]}}"#, "takes this \"square\" for a bolus"
      ),
      (
        #""patient": {"patient_model": {"carb_entries": [{"start_time": "2/3/2021 9:00:00", "#
          + #""value": 2, "type": "protein"}]}}"#, "takes this \"protein\" for a carb"
      ),
      (#""patient": {"patient_model": {"patient_class": "child"}}"#, "\"patient_class\" has no"),
      (#""offset_applied_to_dates": 3"#, "\"offset_applied_to_dates\" has no effect"),
    ])
  func unknownParts(override: String, words: String) throws {
    let outcome = TidepoolFixtures.outcome("{\"sim_id\": \"a\", \(override)}")
    #expect(outcome.scenario != nil, "\(outcome.problems.map(\.sentence))")
    #expect(problem(outcome, words)?.severity == .warning)
    #expect(problem(TidepoolFixtures.outcome(#"{"sim_id": "a"}"#), words) == nil)
  }

  @Test(
    "A key beside the simulations, one of a schedule, and settings of no noisy sensor are named")
  func unknownBeside() {
    let base = TidepoolFixtures.base
      .replacing(#""reusable.metabolism_settings.walker","#, with: TidepoolFixtures.body + ",")
      .replacing(#""values": [0.6]"#, with: #""values": [0.6], "step": 30"#)
      .replacing(#""parameters": {}"#, with: #""parameters": {"std_dev": 7}"#)
    let file = TidepoolFixtures.file(#"{"sim_id": "a"}"#, base: base)
      .replacing(#"{"metadata""#, with: #"{"author": "x", "metadata""#)
    let outcome = TidepoolFixtures.importing(file)
    #expect(outcome.scenario != nil, "\(outcome.problems.map(\.sentence))")
    for words in [
      "\"author\" is not known here", "\"step\" is not known here",
      "\"parameters\" have no effect on a sensor that is no NoisySensor",
    ] {
      #expect(problem(outcome, words)?.severity == .warning, "\(words)")
    }
  }

  @Test("Of two multipliers of active insulin the one that does not count is named")
  func multipliers() throws {
    let outcome = TidepoolFixtures.outcome(
      #"{"sim_id": "a", "controller": {"settings": {"max_active_insulin_multiplier": 2.5}}}"#)
    // The file's own settings have a modifier of 3 and a largest bolus of 8 U.
    #expect(outcome.scenario?.at("app", "maxActiveInsulin") == 20)
    #expect(problem(outcome, "and not the latter's 3")?.severity == .note)
  }

  @Test(
    "What stands in the wrong place of a table is named",
    arguments: [
      (["max_bolus", "9", "7"], "what stands after it is left out", ImportReason.lost),
      (["carb_values", "5", "40", "40"], "what stands in the second", .lost),
      (["carb_absorption_times", "", "180", "180", "240"], "that of no entry", .lost),
      (
        ["offset_applied_to_dates", "", "7"], "\"offset_applied_to_dates\" has no effect", .ignored
      ),
    ])
  func misplacedCells(row: [String], words: String, reason: ImportReason) {
    let rows = TidepoolTableTests.rows.filter { $0[0] != row[0] } + [row]
    let outcome = TidepoolTableTests.outcome(rows)
    #expect(outcome.scenario != nil, "\(outcome.problems.map(\.sentence))")
    #expect(problem(outcome, words)?.code == reason.rawValue)
  }

  @Test("A row that is there twice, and a unit in which the numbers are not read, are errors")
  func unreadableTables() {
    let twice = TidepoolTableTests.outcome(TidepoolTableTests.rows + [["max_bolus", "4"]])
    #expect(twice.scenario == nil)
    #expect(problem(twice, "\"max_bolus\" is there a second time; the first is in line 5") != nil)
    for (row, unit, isRight) in [
      ("sensitivity_ratio_value_units", "mmol/L/U", false), ("basal_rate_units", "U/min", false),
      ("target_range_value_units", "mmol/L", false), ("dose_value_units", "U or U/hr", true),
      ("basal_rate_units", "U/hr", true), ("sensitivity_ratio_value_units", "mg/dL/U", true),
    ] {
      let outcome = TidepoolTableTests.outcome(TidepoolTableTests.rows + [[row, "", unit]])
      #expect((outcome.scenario != nil) == isRight, "\(row) \(unit)")
      #expect((problem(outcome, "\"\(row)\" is \"\(unit)\"") == nil) == isRight)
    }
  }

  @Test("A key of a Loop scenario that need not be there may be null")
  func nullKeys() throws {
    let outcome = try LoopScenarioTests.outcome(
      """
      {"glucoseValues": [{"mgdlValue": 100, "dateOffset": 0}], "basalDoses": [],
       "bolusDoses": [], "carbEntries": [{"gramValue": 20, "dateOffset": 600,
         "absorptionTime": 10800, "enteredAtOffset": null}], "deviceActions": null,
       "reloadManager": null}
      """)
    let scenario = try #require(outcome.scenario, "\(outcome.problems.map(\.sentence))")
    #expect(scenario.at("events", "0", "meal", "grams") == 20)
    #expect(scenario.at("events", "0", "entry") == nil)
    #expect(scenario.at("x-loop") == ["futureGlucose": [["+0m", 100]]])
    #expect(problem(outcome, "1 reading lies at the start, where the body begins") != nil)
    #expect(problem(outcome, "kept as a remark") == nil)
  }

  @Test("What a Loop scenario's bolus, early entry and late readings become is told")
  func changedParts() throws {
    let outcome = try LoopScenarioTests.outcome(
      """
      {"glucoseValues": [{"mgdlValue": 100, "dateOffset": 300}], "basalDoses": [],
       "bolusDoses": [{"unitsValue": 2, "dateOffset": 600, "deliveryDuration": 3600}],
       "carbEntries": [{"gramValue": 20, "dateOffset": 1800, "absorptionTime": 10800,
         "enteredAtOffset": -600}]}
      """)
    #expect(outcome.scenario != nil)
    for words in [
      "1 bolus states how long delivery takes; the pump takes its own time",
      "1 carb entry is made before the start for a later meal; the app is told of it at the start",
      "Loop shows no reading at all where none is at or before the reference date",
    ] {
      #expect(problem(outcome, words)?.severity == .note, "\(words)")
    }
  }

  @Test("What the app was not told stays behind with its place")
  func exports() throws {
    func lost(_ text: String) throws -> [String] {
      let problems = ProblemList()
      let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
      _ = LoopScenarioExporter(problems: problems).exporting(root)
      return problems.problems.map(\.sentence)
    }
    for part in [
      "history: { doses: [{ at: '-2h', bolus: 3, reported: 2 }] }",
      "history: { carbs: [{ at: '-2h', grams: 20, eaten: false }] }",
      "history: { observed: { csv: 'a.csv' } }",
      "events: [{ at: '+1h', meal: { grams: 60 }, entry: { grams: 45 } }]",
      "events: [{ at: '+1h', meal: { grams: 60, absorption: '2h' }, entry: { absorption: '3h' } }]",
      "events: [{ at: '+1h', bolus: { units: 1, by: 'quick' } }]",
    ] {
      #expect(try lost("{ \(part) }").count == 1, "\(part)")
    }
    for part in [
      "history: { doses: [{ at: '-2h', bolus: 2, reported: 2 }] }",
      "events: [{ at: '+1h', meal: { grams: 60 }, entry: { grams: 60, absorption: '3h' } }]",
      "events: [{ at: '+1h', bolus: { units: 1, by: 'user' } }]",
      "events: [{ at: '+1h', bolus: { units: 1, by: 'pump' } }]",
      "events: [{ at: '+1h', entry: { grams: 45, absorption: '2h' } }]",
    ] {
      #expect(try lost("{ \(part) }").isEmpty, "\(part)")
    }
  }
}
