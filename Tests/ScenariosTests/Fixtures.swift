import Quantities
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

  /// The value at an address of the merged tree.
  func value(_ path: String) throws -> JSONValue? {
    let tree = try #require(document).tree
    return try ScenarioPath(path).value(in: tree).map { JSONValue($0) }
  }

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

/// A field that holds one value, read against a clock.
func field(
  _ text: String, unit: GlucoseUnit = .milligramsPerDecilitre,
  start: String = "2026-03-07T18:00:00",
  zone: String = "America/Los_Angeles"
) throws -> Field {
  let problems = ProblemList()
  let clock =
    "{ glucoseUnit: '\(unit.rawValue)', clock: { start: '\(start)', timeZone: '\(zone)' } }"
  let context = ReadingContext(
    of: try #require(JSONReader.read(text: clock, file: "clock").root), problems: problems)
  let tree = try #require(JSONReader.read(text: "{ v: \(text) }", file: "f").root)
  return Field(tree, in: context, problems: problems).required("v")
}
