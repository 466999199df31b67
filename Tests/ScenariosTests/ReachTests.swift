import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

@Suite("The files that a scenario may name")
struct ReachTests {
  @Test(
    "No path of a scenario leaves its folder unless that is allowed",
    arguments: [
      "golden: '/abs/x.csv'", "golden: '../../x.csv'", "golden: '../x.csv'",
      "compare: { metric: 'mean', other: '../x.csv' }, difference: { max: 1 }",
    ])
  func outside(expectation: String) throws {
    let text = """
      { format: 'loopsim/1', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        expect: [{ id: 'e', \(expectation) }] }
      """
    for allowsOutside in [false, true] {
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MemoryFiles(["Scenarios/a.json5": text]), allowsOutside: allowsOutside)
      let read = ScenarioCheck.plan("Scenarios/a.json5", reader: &reader, problems: problems)
      let plan = try #require(read)
      _ = RunBuilder.build(plan.run(at: 0), problems: problems)
      let isRefused = problems.sorted.contains { $0.sentence.contains("lies outside the folder") }
      #expect(isRefused == !allowsOutside)
    }
  }
}
