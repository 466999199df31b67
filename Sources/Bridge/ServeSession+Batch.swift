internal import Scenarios
internal import Simulation
internal import StructuredText

extension ServeSession {
  /// Makes a batch of runs of the scenario that a request names.
  ///
  /// - Parameters:
  ///   - request: A JSON object with `scenario` or `text`, and perhaps `of`, `overrides` and
  ///     `environment`, a ``RunBatch/Kind``.
  ///   - members: How many runs there are, from 1 to ``RunBatch/maximumMembers``.
  /// - Returns: The batch, or the line of an error.
  public func batch(_ request: [UInt8], members: Int) -> BatchAnswer {
    guard (1...RunBatch.maximumMembers).contains(members) else {
      let error = RequestError(
        "A batch has from 1 to \(RunBatch.maximumMembers) members.", code: 64)
      return .refused(BridgeProtocol.line(error.value(id: nil)))
    }
    do throws(RequestError) {
      return .batch(try made(request, members: members))
    } catch {
      return .refused(BridgeProtocol.line(error.value(id: nil)))
    }
  }

  private func made(_ request: [UInt8], members: Int) throws(RequestError) -> RunBatch {
    let field: JSONField
    switch BridgeProtocol.read(request, limit: BridgeProtocol.longestRequest) {
    case .failure(let problem): throw RequestError("\(problem)")
    case .success(let found): field = found
    }
    field.allowOnly(Self.batchKeys)
    return try made(field, isPrivileged: true, members: members)
  }

  /// The keys that say what lives in a batch.
  static let batchKeys = ["type", "id", "scenario", "text", "of", "overrides", "environment"]

  /// Makes a batch.
  func made(
    _ field: JSONField, isPrivileged: Bool, members: Int
  ) throws(RequestError) -> RunBatch {
    var kind = RunBatch.Kind.scenario
    if field["environment"].exists {
      kind = field["environment"].choice(RunBatch.Kind.self) ?? .scenario
    }
    try RequestError.check(field)
    let problems = ProblemList()
    let source = try wanted(field, problems: problems).source
    guard !problems.hasErrors, let built = RunBuilder.build(source, problems: problems) else {
      throw RequestError(problems.sorted)
    }
    guard built.body == nil else {
      throw RequestError("The members of a batch have bodies of ours, and this one is a program.")
    }
    guard built.setup.hasApp || kind == .patient else {
      throw RequestError(
        "The scenario has no app (app: 'none'); take the environment \"patient\".",
        path: "environment")
    }
    if kind == .patient, let obstacle = PatientRun.obstacle(in: built.setup) {
      throw RequestError(
        "The environment \"patient\" has no app, and this scenario needs one: \(obstacle) Take the "
          + "environment \"scenario\".", path: "environment")
    }
    return RunBatch(
      source, setup: built.setup, kind: kind, isPrivileged: isPrivileged, members: members)
  }
}

/// What came of the wish for a batch.
public enum BatchAnswer: Sendable {
  /// The batch.
  case batch(RunBatch)
  /// The line of an error.
  case refused(String)
}
