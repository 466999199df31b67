internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The runs that are open in a session, by name.
struct OpenRuns {
  private var all: [String: OpenRun] = [:]
  private var opened = 0
  /// Whether the client, where it is the body, copies it with a run.
  var copiesBodies = false

  /// The run that a request names.
  func open(_ field: JSONField) throws(RequestError) -> (id: String, run: OpenRun) {
    guard let id = field.required("run").text() else { throw RequestError(field) }
    return (id, try run(id))
  }

  /// The run of a name, which stands at a path of the request.
  func run(_ id: String, at path: String = "run") throws(RequestError) -> OpenRun {
    guard let run = all[id] else {
      throw RequestError("There is no run \"\(id)\".", path: path)
    }
    return run
  }

  /// Keeps a run under a new name.
  mutating func keep(
    _ run: ServedRun
  ) throws(RequestError) -> (id: String, run: OpenRun) {
    guard all.count < ServeSession.maximumRuns else {
      throw RequestError(
        "\(ServeSession.maximumRuns) runs are open, the most there may be. Close some.")
    }
    opened += 1
    let (id, open) = ("r\(opened)", OpenRun(run))
    all[id] = open
    return (id, open)
  }

  /// Closes the run that a request names.
  mutating func close(_ field: JSONField) throws(RequestError) { all[try open(field).id] = nil }

  /// Closes all runs.
  mutating func closeAll() { all = [:] }

  // MARK: - Copies

  /// Copies a run under a new name.
  mutating func copy(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run"])
    let run = try open(field).run.served
    try RequestError.check(field)
    try refuseBody(of: run)
    guard run.showsTruth else {
      throw RequestError(
        "A copy shows the future, which only a privileged run may: reset with "
          + "\"privileged\":true.", path: "run")
    }
    return [.init("type", "copy"), .init("run", .string(try keep(run).id))]
  }

  /// Refuses to copy a run whose body lives outside, unless the client copies its body itself: the
  /// copy of the run would share that one body.
  private func refuseBody(of served: ServedRun) throws(RequestError) {
    guard served.run.setup.isBodyAsked, !copiesBodies else { return }
    throw RequestError(
      "The body of this run lives outside and cannot be copied with it. Use a patient of "
        + "loopsim's, begin another run, or say in hello that you copy the body: "
        + "\"can\":[\"fork\"].", path: "run")
  }

  /// Puts a copy of another run in the place of a run.
  mutating func restore(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "from"])
    let (id, _) = try open(field)
    guard let from = field.required("from").text(), let source = all[from]?.served else {
      throw RequestError("There is no run to restore from.", path: "from")
    }
    try RequestError.check(field)
    try refuseBody(of: source)
    guard source.showsTruth else {
      throw RequestError("Only a privileged run can be restored.", path: "from")
    }
    all[id] = OpenRun(source)
    return [.init("type", "copy"), .init("run", .string(id))]
  }
}
