import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

@testable import Formats

@Suite("Imported scenarios as runs")
struct ImportedRunTests {
  private static let overrides = """
    {"sim_id": "pre-Loop_NoMitigations_all",
     "patient": {
       "sensor": {"type": "NoisySensor", "parameters": {"std_dev": 4, "spurious_prob": 0.1,
         "spurious_outage_prob": 0.5}},
       "patient_model": {"physical_activity_entries": "reusable.physical_activities.profiles.ride",
         "carb_entries": [{"start_time": "2/3/2021 8:07:30", "value": 30}],
         "bolus_entries": [{"time": "2/3/2021 8:10:00", "value": "accept_recommendation"},
           {"time": "2/3/2021 12:00:00", "value": 1}, {"time": "2/3/2021 13:00:00", "value": 2}]},
       "pump": {"carb_entries": [{"start_time": "2/3/2021 8:07:30", "value": 20},
           {"start_time": "2/3/2021 9:00:00", "value": 10}],
         "bolus_entries": [{"time": "2/3/2021 13:00:00", "value": 1.5}]}},
     "controller": {"automation_control_timeline": [
       {"time": "2/3/2021 10:00:00", "dosing_enabled": false},
       {"time": "2/3/2021 11:00:00", "dosing_enabled": true}]}},
    {"sim_id": "pre-noLoop_all", "controller": null}
    """

  private func runs(of text: String) -> (count: Int, problems: [TextProblem]) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["in.json5": text]))
    guard let document = reader.read("in.json5", problems: problems),
      let plan = RunPlan(document, reader: reader, problems: problems)
    else { return (0, problems.problems) }
    let built = (0..<plan.count).compactMap {
      RunBuilder.build(plan.run(at: $0), problems: problems)
    }
    return (built.count, problems.problems)
  }

  @Test(
    "An imported configuration is a scenario that builds its runs", arguments: ImportMode.allCases)
  func buildsRuns(mode: ImportMode) throws {
    let text = try #require(TidepoolFixtures.outcome(Self.overrides, mode: mode).text())
    let result = runs(of: text)
    #expect(result.count == 2)
    // The body of the imported simulator has no published equations for exercise.
    let others = result.problems.filter { $0.severity != .note && $0.code != "W-NOEFFECT" }
    #expect(others.isEmpty)
  }

  @Test("An imported table is a scenario that builds its run")
  func buildsTables() throws {
    let text = try #require(TidepoolTableTests.outcome(TidepoolTableTests.rows).text())
    let result = runs(of: text)
    #expect(result.count == 1)
    #expect(result.problems.filter { $0.severity != .note }.isEmpty)
  }
}
