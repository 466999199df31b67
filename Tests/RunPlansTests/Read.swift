import RunPlans
import ScenarioLanguage
import StructuredText
import Testing

/// The runs of files kept in memory, and what is wrong with them.
struct Read {
  let plan: RunPlan?
  let problems: ProblemList

  init(_ files: [String: String], insulinEvents: [String] = []) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let document = reader.read("Scenarios/a.json5", problems: problems)
    plan = document.flatMap {
      RunPlan(
        $0, reader: reader, insulinEvents: insulinEvents, insulinKeys: [], problems: problems)
    }
    self.problems = problems
  }

  /// A single file whose body follows the obligatory `format`.
  init(_ body: String, insulinEvents: [String] = []) {
    self.init(
      ["Scenarios/a.json5": "{ format: 'loopsim/1', \(body) }"], insulinEvents: insulinEvents)
  }

  var sentences: [String] { problems.sorted.map(\.description) }

  /// The value at an address of every run.
  func values(_ path: String) throws -> [JSONValue?] {
    let plan = try #require(plan)
    let path = try ScenarioPath(path)
    return (0..<plan.count).map { place in
      path.value(in: plan.run(at: place).tree).map { JSONValue($0) }
    }
  }

  var runs: [String] {
    guard let plan else { return [] }
    return (0..<plan.count).map { plan.run(at: $0).id }
  }
}
