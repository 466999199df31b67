internal import RunPlans
internal import ScenarioLanguage
internal import Scenarios
internal import StructuredText

/// Reads the scenarios that requests name or hold.
struct ScenarioRequests: Sendable {
  /// Where scenarios come from.
  let files: any ScenarioFiles

  /// The most overrides of one request.
  private static let maximumOverrides = 4_096
  /// The name under which a scenario's text is read that came without one.
  private static let textName = "scenario.json5"

  /// The plan of the scenario that a request names or holds.
  private func plan(
    _ field: JSONField, problems: ProblemList
  ) throws(RequestError) -> (plan: RunPlan?, file: String) {
    let (named, held) = (field["scenario"], field["text"])
    guard named.exists != held.exists else {
      throw RequestError("Give \"scenario\", a path, or \"text\", what the file would say.")
    }
    guard let words = named.exists ? named.text() : held.text() else { throw RequestError(field) }
    let path = named.exists ? words : Self.textName
    let source: any ScenarioFiles =
      named.exists ? files : TextAmongFiles(words, at: path, among: files)
    var reader = ScenarioReader(files: source)
    return (ScenarioCheck.plan(path, reader: &reader, problems: problems), path)
  }

  /// Says what is wrong with a scenario, and which runs it has.
  func check(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "scenario", "text"])
    try RequestError.check(field)
    let problems = ProblemList()
    let plan = try plan(field, problems: problems).plan
    if let plan { ScenarioCheck.build(runs(of: plan), of: plan, problems: problems) }
    let all = plan.map { names(of: $0, problems) } ?? []
    return [
      .init("type", "problems"), .init("problems", .array(problems.sorted.map(RequestError.value))),
      .init("runs", .array(all.map { .string($0) })),
    ]
  }

  /// The most runs that are named in an answer, as many as `loopsim run` plans at once.
  private static let maximumNames = 200_000

  /// The names of all runs of a plan, however few of them are checked; none where they are too
  /// many, which is an error.
  private func names(of plan: RunPlan, _ problems: ProblemList) -> [String] {
    guard plan.count <= Self.maximumNames else {
      problems.error(
        at: plan.document.tree.position,
        "This scenario has \(plan.count) runs, and an answer names at most "
          + "\(Self.maximumNames). Divide it among several files.")
      return []
    }
    return (0..<plan.count).map { plan.run(at: $0).id }
  }

  /// The runs of a plan that are checked one by one.
  private func runs(of plan: RunPlan) -> [ExpandedRun] {
    (0..<min(plan.count, ScenarioCheck.maximumRuns)).map(plan.run(at:))
  }

  /// The run that a request names, with its overrides, and what the runs of its plan share.
  func wanted(
    _ field: JSONField, problems: ProblemList
  ) throws(RequestError) -> (source: ExpandedRun, siblings: RunSiblings) {
    let (plan, file) = try plan(field, problems: problems)
    guard let plan, !problems.hasErrors else {
      if let plan { ScenarioCheck.build(runs(of: plan), of: plan, problems: problems) }
      throw RequestError(problems.sorted)
    }
    var source = try chosen(field, of: plan)
    let overrides = try overrides(field["overrides"])
    if !overrides.isEmpty {
      do throws(ScenarioPath.Trouble) {
        source = try source.setting(overrides)
      } catch {
        throw RequestError("\(error)", path: "overrides")
      }
      ScenarioCheck.check(source, of: plan.document, problems: problems)
    }
    let siblings = RunSiblings(
      file: file, tree: plan.document.tree,
      overrides: overrides.isEmpty
        ? .null : field["overrides"].node.map { JSONValue($0) } ?? .null,
      count: plan.count)
    return (source, siblings)
  }

  private func chosen(_ field: JSONField, of plan: RunPlan) throws(RequestError) -> ExpandedRun {
    guard field["of"].exists else {
      guard plan.count == 1 else {
        throw RequestError(
          "The scenario has \(plan.count) runs. Say which with \"of\"; \"check\" lists them.",
          path: "of")
      }
      return plan.run(at: 0)
    }
    guard let wanted = field["of"].text() else { throw RequestError(field) }
    for place in 0..<plan.count {
      let run = plan.run(at: place)
      if run.id == wanted { return run }
    }
    throw RequestError("The scenario has no run \"\(wanted)\".", path: "of")
  }

  private func overrides(
    _ field: JSONField
  ) throws(RequestError) -> [(path: ScenarioPath, value: JSONNode)] {
    guard field.exists else { return [] }
    guard let members = field.node?.members else {
      throw RequestError("\"overrides\" must be an object of paths and values.", path: "overrides")
    }
    guard members.count <= Self.maximumOverrides else {
      throw RequestError(
        "\(members.count) overrides; at most \(Self.maximumOverrides) are taken.",
        path: "overrides")
    }
    var found: [(path: ScenarioPath, value: JSONNode)] = []
    for member in members {
      do throws(ScenarioPath.Trouble) {
        found.append((try ScenarioPath(member.key), member.value))
      } catch {
        throw RequestError("\(error)", path: "overrides")
      }
      guard let last = found.last, !RunPlan.isOfTheFile(last.path, set: [last.value]) else {
        throw RequestError(
          "\"\(member.key)\" belongs to the file as a whole; no override sets it.",
          path: "overrides")
      }
    }
    return found
  }
}
