internal import Scenarios
internal import Simulation
internal import StructuredText

/// The batches that are open in a session, by name, whose members a client steps together: one line
/// for all of them.
struct OpenBatches {
  private let scenarios: ScenarioRequests
  private var all: [String: RunBatch] = [:]
  private var opened = 0

  init(_ scenarios: ScenarioRequests) { self.scenarios = scenarios }

  /// The keys that say what lives in a batch.
  static let keys = ["type", "id", "scenario", "text", "of", "overrides", "environment"]

  /// Makes a batch, with what the check of its scenario warns of.
  func made(
    _ field: JSONField, isPrivileged: Bool, members: Int
  ) throws(RequestError) -> (batch: RunBatch, problems: [TextProblem]) {
    var kind = RunBatch.Kind.scenario
    if field["environment"].exists {
      kind = field["environment"].choice(RunBatch.Kind.self) ?? .scenario
    }
    try RequestError.check(field)
    let problems = ProblemList()
    let source = try scenarios.wanted(field, problems: problems).source
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
    return (
      RunBatch(
        source, built: built, kind: kind, isPrivileged: isPrivileged, members: members),
      problems.sorted
    )
  }

  /// How many batches may be open at once.
  private static let maximum = 100

  /// Makes a batch and tells what its numbers are.
  mutating func open(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(Self.keys + ["members", "privileged"])
    let members = field.required("members").integer(in: 1...Int64(RunBatch.maximumMembers))
    let isPrivileged = field["privileged"].exists && field["privileged"].bool() == true
    try RequestError.check(field)
    guard let members else { throw RequestError(field) }
    guard all.count < Self.maximum else {
      throw RequestError(
        "\(Self.maximum) batches are open, the most there may be. Close some.")
    }
    let (batch, problems) = try made(field, isPrivileged: isPrivileged, members: Int(members))
    opened += 1
    let id = "b\(opened)"
    all[id] = batch
    return [
      .init("type", "batch"), .init("batch", .string(id)),
      .init("members", .integer(Int64(batch.count))),
      .init("horizon", .integer(Int64(batch.horizon))),
      .init("action", ["rate", "bolus"]),
      .init("observation", .array(RunBatch.observationNames.map { .string($0) })),
      .init("truth", .array(isPrivileged ? RunBatch.truthNames.map { .string($0) } : [])),
    ] + batch.begin + RequestError.members(of: problems)
  }

  /// Begins runs of a batch.
  mutating func reset(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "batch", "members", "seeds"])
    var (id, batch) = try batch(field)
    let chosen =
      field["members"].exists
      ? numbers(field["members"]) { $0.integer(in: 0...Int64(batch.count - 1)).map(Int.init) }
      : Array(0..<batch.count)
    let seeds = numbers(field.required("seeds")) { seed in
      let text = seed.node?.string.flatMap { UInt64(digits: $0) }
      if text == nil { seed.error("\"\(seed.path)\" must be text with a whole number from 0.") }
      return text
    }
    try RequestError.check(field)
    guard chosen.count == seeds.count else {
      throw RequestError(
        "There \(WordList.verb("is", of: seeds.count)) "
          + "\(WordList.counted(seeds.count, "seed")) for "
          + "\(WordList.counted(chosen.count, "member")).", path: "seeds")
    }
    var seen: Set<Int> = []
    if let second = chosen.firstIndex(where: { !seen.insert($0).inserted }) {
      throw RequestError(
        "The member \(chosen[second]) is there twice, and would begin with one of its seeds alone.",
        path: "members[\(second)]")
    }
    all[id] = nil
    for (member, seed) in zip(chosen, seeds) { batch.reset(member, seed: seed) }
    all[id] = batch
    return self.seen(batch)
  }

  /// Acts once in every member of a batch.
  mutating func step(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "batch", "actions"])
    var (id, batch) = try batch(field)
    let actions = numbers(field.required("actions")) { $0.number(in: -1e6...1e6) }
    try RequestError.check(field)
    guard actions.count == batch.count * RunBatch.actionWidth else {
      throw RequestError(
        "\(WordList.counted(batch.count, "member", "takes")) "
          + "\(batch.count * RunBatch.actionWidth) numbers, a rate and a "
          + "bolus for each, not \(actions.count).", path: "actions")
    }
    guard batch.hasBegun else {
      throw RequestError(
        "No run of batch \"\(id)\" has begun; begin them with \"batchReset\".", path: "batch")
    }
    // Taken out for the time being, so that no run is copied.
    all[id] = nil
    for member in 0..<batch.count {
      batch.act(member, rate: actions[2 * member], bolus: actions[2 * member + 1])
    }
    all[id] = batch
    return seen(batch)
  }

  /// The batch that a request names.
  func batch(_ field: JSONField) throws(RequestError) -> (id: String, batch: RunBatch) {
    guard let id = field.required("batch").text() else { throw RequestError(field) }
    guard let batch = all[id] else {
      throw RequestError("There is no batch \"\(id)\".", path: "batch")
    }
    return (id, batch)
  }

  private func numbers<Number>(_ field: JSONField, _ read: (JSONField) -> Number?) -> [Number] {
    (field.items() ?? []).compactMap(read)
  }

  /// What is seen of all members, one after the other.
  private func seen(_ batch: RunBatch) -> [JSONValue.Member] {
    var observations: [JSONValue] = []
    var truth: [JSONValue] = []
    observations.reserveCapacity(batch.count * RunBatch.observationWidth)
    for member in batch.members.indices {
      for number in batch.members[member].observation { observations.append(.number(number)) }
      guard batch.isPrivileged else { continue }
      for number in batch.members[member].truth { truth.append(.number(number)) }
    }
    var members: [JSONValue.Member] = [
      .init("type", "seen"), .init("observations", .array(observations)),
      .init("ends", .array(batch.members.map { .integer(Int64($0.end.rawValue)) })),
    ]
    if batch.isPrivileged { members.append(.init("truth", .array(truth))) }
    return members
  }

  /// Closes the batch that a request names.
  mutating func close(_ field: JSONField) throws(RequestError) { all[try batch(field).id] = nil }

  /// Closes all batches.
  mutating func closeAll() { all = [:] }
}
