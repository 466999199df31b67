import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

/// What reading files kept in memory gave.
struct Read {
  let document: ScenarioDocument?
  let plan: RunPlan?
  let problems: ProblemList

  init(_ files: [String: String], _ path: String = "Scenarios/a.json5") {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let document = reader.read(path, problems: problems)
    plan = document.flatMap { RunPlan($0, reader: reader, problems: problems) }
    self.document = document
    self.problems = problems
  }

  /// A single file whose body follows the obligatory `format`.
  init(_ body: String) { self.init(["Scenarios/a.json5": "{ format: 'loopsim/1', \(body) }"]) }

  var sentences: [String] { problems.sorted.map(\.description) }
}

/// The root of a scenario as the parts of a run read it, with what they report.
struct WrittenScenario {
  let root: Field
  let problems: ProblemList

  init(_ members: String) throws {
    problems = ProblemList()
    let tree = try #require(JSONReader.read(text: "{ \(members) }", file: "s").root)
    root = Field(tree, problems: problems)
  }

  var sentences: [String] { problems.sorted.map(\.sentence) }
}
