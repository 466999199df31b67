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

  @Test("A record of answers is read from where a scenario may read, and from nowhere else")
  func records() throws {
    let needs =
      "needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }"
    let own = "patient: { model: 'tidepool-simple', \(needs) }"
    func isRefused(_ rest: String, allowsOutside: Bool = false) throws -> Bool {
      let text = "{ format: 'loopsim/1', clock: { duration: '1h' }, \(rest) }"
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MemoryFiles(["Scenarios/a.json5": text]), allowsOutside: allowsOutside)
      let read = ScenarioCheck.plan("Scenarios/a.json5", reader: &reader, problems: problems)
      _ = RunBuilder.build(try #require(read).run(at: 0), problems: problems)
      return problems.sorted.contains { $0.sentence.contains("lies outside the folder") }
    }
    for name in ["/etc/hosts", "../x.ndjson"] {
      let controller = "\(own), controller: { transcript: '\(name)' }"
      #expect(try isRefused(controller))
      #expect(try !isRefused(controller, allowsOutside: true))
      #expect(try isRefused("patient: { model: 'external', transcript: '\(name)', \(needs) }"))
    }
    #expect(try !isRefused("\(own), controller: { transcript: 'kept/decisions.ndjson' }"))
  }
}
