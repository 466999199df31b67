internal import Expectations
internal import Reports
internal import RunPlans
internal import ScenarioLanguage
internal import StructuredText

/// What the runs of one plan share, so that they can be held to something together: the scenario,
/// what was set in it, and the seed.
struct RunSiblings: Hashable, Sendable {
  let file: String
  /// The scenario, before one of its runs was chosen.
  let tree: JSONNode
  /// What the request set, without places in its line.
  let overrides: JSONValue
  /// The seed that took the place of the scenario's; `nil` where none did.
  var seed: UInt64?
  /// How many there are.
  let count: Int
}

/// Judging what looks at several runs of a scenario, once a client has lived through all of them.
extension ServeSession {
  /// What came of the expectations over the runs that a request names.
  func judge(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "runs"])
    let names = (field.required("runs").items() ?? []).map { $0.text() ?? "" }
    try RequestError.check(field)
    var members: [Int: (name: String, result: ServedResult)] = [:]
    var first: RunSiblings?
    for (place, name) in names.enumerated() {
      let path = "runs[\(place)]"
      let served = try runs.run(name, at: path).served
      guard let result = served.finished else {
        throw RequestError("The run \"\(name)\" is not over yet.", path: path)
      }
      let siblings = served.siblings
      guard first == nil || first == siblings else {
        throw RequestError(
          "\"\(name)\" is a run of another scenario than \"\(names[0])\", or has other overrides "
            + "or another seed; what several runs come to is judged of one plan.", path: path)
      }
      first = siblings
      let own = (name, result)
      if let (other, _) = members.updateValue(own, forKey: result.source.index) {
        throw RequestError(
          "\"\(other)\" and \"\(name)\" are the same run of the scenario, \(result.source.id).",
          path: path)
      }
    }
    guard let first else {
      throw RequestError("\"runs\" is empty; name all runs of a scenario.", path: "runs")
    }
    guard members.count == first.count else {
      throw RequestError(
        "The scenario has \(first.count) runs, of which \(members.count) "
          + "\(WordList.verb("is", of: members.count)) named; what several runs come to is judged "
          + "of all.", path: "runs")
    }
    var joint = JointExpectations(file: first.file)
    for (_, member) in members.sorted(by: { $0.key < $1.key }) {
      joint.take(member.result.contributions)
    }
    return [
      .init("type", "judged"),
      .init("expectations", .array(joint.results().map { $0.json(named: true) })),
    ]
  }
}
