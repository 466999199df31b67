internal import RunPlans
internal import ScenarioLanguage
internal import Scenarios
internal import StructuredText

/// Checks a scenario that an importer made, as `loopsim check` would.
///
/// What the check refuses cannot be run, and therefore counts as not imported.
enum ImportCheck {
  /// The errors of a scenario, as sentences; none when it can be run.
  ///
  /// The scenario is read as if it stood at `path`, and what it extends is read among `files`.
  static func obstacles(
    _ scenario: JSONValue, at path: String = "imported.json5",
    files: any ScenarioFiles = MemoryFiles([:])
  ) -> [String] {
    let text = JSONWriter(style: .json5).text(scenario)
    let problems = ProblemList(limit: 20)
    var reader = ScenarioReader(
      files: TextAmongFiles(text, at: path, among: files), root: nil, allowsOutside: true)
    let plan = ScenarioCheck.plan(path, reader: &reader, problems: problems)
    if let plan {
      ScenarioCheck.build(
        (0..<min(plan.count, 64)).map(plan.run(at:)), of: plan, problems: problems)
    }
    let errors = problems.sorted.filter { $0.severity == .error }.map(\.sentence)
    if errors.isEmpty, plan == nil { return ["The runs of the scenario cannot be told."] }
    return errors
  }
}
