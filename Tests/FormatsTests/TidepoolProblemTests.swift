import StructuredText
import Testing

@testable import Formats

@Suite("Problems of imported files")
struct TidepoolProblemTests {
  private func found(_ outcome: ImportOutcome, _ reason: ImportReason) -> TextProblem? {
    outcome.problems.first { $0.code == reason.rawValue }
  }

  @Test(
    "A file that cannot be carried gives a located reason",
    arguments: [
      ("", ImportReason.syntax), ("   \n", .syntax), ("{\"metadata\": {", .syntax), ("[1]", .value),
      ("{\"metadata\": {}}", .key), ("\u{0}\u{1}", .syntax), ("{\"base_config\": 5}", .value),
      ("{\"base_config\": \"reusable.simulations.plane\", \"override_config\": [{}]}", .pointer),
      ("{\"base_config\": \"reusable.ring.a\", \"override_config\": [{}]}", .pointer),
      ("{\"base_config\": \"reusable.broken.half\", \"override_config\": [{}]}", .pointer),
      ("{\"base_config\": \"reusable.simulations.plain\", \"override_config\": []}", .value),
    ])
  func refusesWithAReason(text: String, reason: ImportReason) throws {
    let outcome = TidepoolFixtures.importing(text)
    #expect(outcome.scenario == nil)
    let problem = try #require(found(outcome, reason))
    #expect(problem.severity == .error)
    #expect(["suite/one.json", "reusable/ring/b.json"].contains(problem.position.file))
    #expect(problem.position.line >= 1)
  }

  @Test(
    "A document of another form is told with the command that reads it",
    arguments: [
      ("{\"glucoseValues\": []}", "testing scenario of Loop, for 'loopsim import loop-scenario'."),
      ("{\"predictionStart\": \"\"}", "It is an input of LoopAlgorithm, for 'loopsim predict'."),
      ("{format: 'loopsim/1'}", "It is a scenario of loopsim already, for 'loopsim run'."),
      ("[{\"eventType\": \"Note\"}]", "It is a record of Nightscout, for 'loopsim audit' or"),
      ("[{\"_type\": \"Bolus\"}]", "It is a record of oref, for 'loopsim audit' or"),
      ("{\"metadata\": {}}", "a scenario of Tidepool's simulator has one."),
    ])
  func otherForms(text: String, sentence: String) throws {
    let tidepool = TidepoolFixtures.importing(text).problems.filter { $0.severity == .error }
    #expect(tidepool.count == 1, "\(tidepool)")
    #expect(tidepool.first?.sentence.contains(sentence) == true, "\(tidepool)")
  }

  @Test("A scenario of Tidepool's simulator is told to who takes it for one of Loop")
  func tidepoolForLoop() throws {
    let importer = try #require(LoopScenarioImporter(start: "2026-01-05T12:00:00"))
    let told = importer.importing(Array("{\"base_config\": {}}".utf8), file: "a.json").problems
    #expect(
      told.map(\.sentence) == [
        "\"glucoseValues\" is missing; a testing scenario of Loop has them. It is a scenario of "
          + "Tidepool's simulator, for 'loopsim import tidepool'."
      ])
    // What is nothing that is known has each thing that it lacks told.
    let other = importer.importing(Array("{\"meal\": 5}".utf8), file: "a.json").problems
    #expect(other.filter { $0.severity == .error }.count == 4, "\(other)")
  }

  @Test("A pointer to a name that nearly exists offers that name")
  func suggestsParts() throws {
    let outcome = TidepoolFixtures.outcome("{}", base: "\"reusable.simulations.plian\"")
    #expect(try #require(found(outcome, .pointer)).sentence.contains("Did you mean \"plain\"?"))
  }

  @Test("Of a part that cannot be read it is said why")
  func tellsWhyAPartCannotBeRead() {
    struct Locked: Error, CustomStringConvertible { let description = "It is locked." }
    let parts = ReusableParts(paths: ["simulations/plain.json"]) { _ in throw Locked() }
    let text = TidepoolFixtures.file("{\"sim_id\": \"a\"}")
    let outcome = TidepoolImporter(parts: parts, mode: .asIntended)
      .importing(Array(text.utf8), file: "a.json")
    #expect(
      outcome.problems.contains {
        $0.sentence.contains("reusable/simulations/plain.json cannot be used. It is locked.")
      })
  }

  @Test("Parts are found by other letter case and in other folders, with a warning")
  func findsMovedParts() throws {
    let cased = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\", \"controller\": {\"settings\": "
        + "\"reusable.mitigations.guardrails.NARROW\"}}"
    )
    #expect(cased.scenario != nil)
    #expect(cased.count(.pointerCase) == 1)
    let moved = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {"patient_model":
        {"bolus_entries": "reusable.insulin_doses.old_bolus"}}}
      """)
    #expect(moved.scenario != nil)
    #expect(moved.count(.pointerMoved) == 1)
  }

  @Test("An override of a key that the base lacks is an error at the key, with the nearest one")
  func refusesUnknownKeys() throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a\"},\n{\"sim_id\": \"b\", \"patient\": {\"pump\": {\"carb_entry\": []}}}")
    #expect(outcome.runs == 1)
    #expect(outcome.lostRuns == 1)
    let problem = try #require(found(outcome, .key))
    #expect(problem.sentence.contains("Did you mean \"carb_entries\"?"))
    #expect(problem.position.line == 4)
  }

  @Test("A documented setting that the base lacks is used, but literally refused")
  func usesDocumentedKeys() throws {
    let override =
      "{\"sim_id\": \"a\", \"controller\": {\"settings\": {\"glucose_safety_limit\": 85}}}"
    let intended = TidepoolFixtures.outcome(override)
    #expect(try #require(intended.scenario).at("therapy", "suspendThreshold") == 85)
    #expect(TidepoolFixtures.outcome(override, mode: .literal).scenario == nil)
  }

  @Test("Two simulations of one name are both kept")
  func keepsBothOfAName() throws {
    let outcome = TidepoolFixtures.outcome(
      "{\"sim_id\": \"a b\"}, {\"sim_id\": \"a b\", \"duration_hours\": 4}")
    let variants = try #require(outcome.scenario?.at("variants"))
    #expect(variants.at("a-b") != nil)
    #expect(variants.at("a-b#2", "clock", "duration") == "4h")
    #expect(outcome.count(.duplicate) == 1)
  }

  @Test("A stage that contradicts its controller is named")
  func checksStages() {
    #expect(TidepoolFixtures.outcome("{\"sim_id\": \"pre-noLoop_t\"}").count(.stage) == 1)
    #expect(
      TidepoolFixtures.outcome("{\"sim_id\": \"post_loop_withmitigations_t\"}").count(.stage) == 0)
    // A controller whose name chooses none is no loop.
    let manual = "\"controller\": {\"id\": \"manual\"}"
    #expect(
      TidepoolFixtures.outcome("{\"sim_id\": \"pre-noLoop_t\", \(manual)}").count(.stage) == 0)
    let told = TidepoolFixtures.outcome("{\"sim_id\": \"pre-Loop_NoMitigations_t\", \(manual)}")
      .problems.filter { $0.code == ImportReason.stage.rawValue }
    #expect(
      told.map(\.sentence) == [
        "\"pre-Loop_NoMitigations_t\" is named for the stage pre, but no loop runs in it."
      ])
    #expect(TidepoolStage("pre-LoopNoMitigations_x").tag == "pre")
    #expect(TidepoolStage("anything").tag == nil)
  }

  @Test(
    "A value of the wrong kind loses its simulation and nothing else",
    arguments: [
      "\"duration_hours\": \"long\"", "\"duration_hours\": -1",
      "\"time_to_calculate_at\": \"2/30/2021 8:00:00\"",
      "\"patient\": {\"pump\": {\"metabolism_settings\": {\"basal_rate\": {\"values\": [1, 2]}}}}",
      "\"patient\": {\"pump\": {\"carb_entries\": [{\"start_time\": \"soon\", \"value\": 5}]}}",
      "\"patient\": {\"sensor\": {\"glucose_history\": []}}",
      "\"patient\": {\"pump\": {\"target_range\": {\"lower_values\": [200]}}}",
    ])
  func losesOneSimulation(override: String) throws {
    let outcome = TidepoolFixtures.outcome("{\"sim_id\": \"a\"},\n{\"sim_id\": \"b\", \(override)}")
    #expect(outcome.runs == 1)
    #expect(outcome.lostRuns == 1)
    let errors = outcome.problems.filter { $0.severity == .error }
    #expect(errors.contains { $0.code == ImportReason.value.rawValue })
  }

  @Test("Entries beyond the run are left out and reported")
  func reportsEntriesBeyondTheRun() throws {
    let outcome = TidepoolFixtures.outcome(
      """
      {"sim_id": "a", "patient": {"patient_model": {"carb_entries": [
        {"start_time": "2/2/2021 7:00:00", "value": 5}, {"start_time": "2/4/2021 8:00:00", \
      "value": 5}]}}}
      """)
    #expect(try #require(outcome.scenario?.at("events")).count == 0)
    #expect(outcome.count(.time) == 2)
  }

  @Test("A thousand damaged files give a thousand outcomes", arguments: 0..<20 as Range<UInt64>)
  func survivesDamage(seed: UInt64) {
    let intact = Array(TidepoolFixtures.file("{\"sim_id\": \"a\", \"duration_hours\": 3}").utf8)
    let importer = TidepoolImporter(parts: TidepoolFixtures.parts)
    var state = seed &+ 11
    func draw(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var tally = ImportTally()
    for _ in 0..<50 {
      var bytes = intact
      for _ in 0...draw(3) { bytes[draw(bytes.count)] = UInt8(draw(256)) }
      if draw(4) == 0 { bytes.removeLast(draw(bytes.count)) }
      let outcome = importer.importing(bytes, file: "damaged.json")
      #expect(outcome.scenario != nil || outcome.problems.contains { $0.severity == .error })
      tally.add(outcome)
    }
    #expect(tally.files == 50)
  }
}
