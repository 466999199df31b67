internal import ClosedLoop
internal import Dosing
internal import Interchange
internal import Quantities
public import ScenarioLanguage
internal import Scenarios
internal import Simulation
public import StructuredText

/// A client's talk with the engine: one line in, one line out.
///
/// A request that is wrong is answered with an error, and nothing has changed.
public struct ServeSession {
  /// How many runs may be open at once.
  public static let maximumRuns = 10_000

  let scenarios: ScenarioRequests
  let version: String
  /// Writes the files of a run into a folder, and gives warnings of what was left out of them.
  private let write: (ServedResult, String) throws -> [TextProblem]
  var runs = OpenRuns()
  private var batches: OpenBatches

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - files: Where scenarios come from.
  ///   - version: The version of loopsim.
  ///   - write: Writes the files of a run that is over into a folder, and gives warnings of what
  ///     was left out of them.
  public init(
    files: any ScenarioFiles, version: String,
    write: @escaping (ServedResult, String) throws -> [TextProblem]
  ) {
    scenarios = ScenarioRequests(files: files)
    batches = OpenBatches(scenarios)
    self.version = version
    self.write = write
  }

  /// What is answered to a line: lines without their ends, two where a run begins.
  public mutating func reply(to line: [UInt8]) -> [String] {
    answer(to: line).map(BridgeProtocol.line)
  }

  private mutating func answer(to line: [UInt8]) -> [JSONValue] {
    let field: JSONField
    switch BridgeProtocol.read(line, limit: BridgeProtocol.longestRequest) {
    case .failure(let problem): return [RequestError("\(problem)").value(id: nil)]
    case .success(let found): field = found
    }
    var id: JSONValue?
    if let node = field["id"].node {
      switch node.value {
      case .integer(let number): id = .integer(number)
      case .string(let text) where text.utf8.count <= 64: id = .string(text)
      default:
        let problem = RequestError(
          "\"id\" must be a whole number, or text of at most 64 bytes.", path: "id")
        return [problem.value(id: nil)]
      }
    }
    do throws(RequestError) {
      return try answer(to: field).map { members in
        guard let id else { return .object(members) }
        return .object(members.prefix(1) + [.init("id", id)] + members.dropFirst())
      }
    } catch {
      return [error.value(id: id)]
    }
  }

  /// The requests in the order of the description.
  static let requests = [
    "hello", "describe", "check", "reset", "act", "boluses", "lived", "advance", "fork", "snapshot",
    "restore", "records", "judge", "write", "predict", "batch", "batchReset", "batchStep", "close",
  ]

  private mutating func answer(
    to field: JSONField
  ) throws(RequestError) -> [[JSONValue.Member]] {
    let type = field.required("type").choice(of: Self.requests)
    guard let type else { throw RequestError(field) }
    let members: [JSONValue.Member]
    switch type {
    case "hello": members = try greet(field)
    case "describe": members = try describe(field)
    case "check": members = try scenarios.check(field)
    case "reset": return try reset(field)
    case "act", "boluses": members = try act(field, .controller)
    case "lived": members = try act(field, .body)
    case "advance": members = try advance(field)
    case "fork", "snapshot": members = try runs.copy(field)
    case "restore": members = try runs.restore(field)
    case "records": members = try FinishedRecords(of: runs.open(field).run).part(field)
    case "judge": members = try judge(field)
    case "write": members = try writeFiles(field)
    case "predict": members = try predict(field)
    case "batch": members = try batches.open(field)
    case "batchReset": members = try batches.reset(field)
    case "batchStep": members = try batches.step(field)
    default: members = try close(field)
    }
    return [members]
  }

  // MARK: - Small requests

  private mutating func greet(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "protocol", "name", "version", "role", "can", "line"])
    let asked = field.required("protocol").integer()
    if let asked, asked != BridgeProtocol.version {
      field["protocol"].error("This is protocol \(BridgeProtocol.version), not \(asked).")
    }
    field.checkIntroduction()
    if field["role"].exists { _ = field["role"].text() }
    let can = field["can"].exists ? field["can"].items() ?? [] : []
    let abilities = can.compactMap { $0.choice(of: ProgramSession.abilities) }
    try RequestError.check(field)
    runs.copiesBodies = abilities.contains("fork")
    return [
      .init("type", "hello"), .init("protocol", .integer(BridgeProtocol.version)),
      .init("loopsim", .string(version)), .init("can", .array(Self.requests.map { .string($0) })),
      .init("line", .integer(Int64(BridgeProtocol.longestRequest))),
      .init("runs", .integer(Int64(Self.maximumRuns))),
    ]
  }

  /// Says which keys a scenario has, all of them or those at and below a path.
  private func describe(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "path"])
    let path = field["path"].exists ? field["path"].text() : nil
    try RequestError.check(field)
    let table = SchemaTable()
    let rows = path.map(table.rows(at:)) ?? table.rows
    if let path, rows.isEmpty {
      let meant = NearestName.suggestion(for: path, among: table.rows.map(\.path))
      throw RequestError("A scenario has no key \"\(path)\".\(meant)", path: "path")
    }
    return [
      .init("type", "description"), .init("format", .string(ScenarioDocument.format)),
      .init("keys", .array(rows.map(\.json))),
    ]
  }

  private func predict(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "input"])
    guard let node = field["input"].node else {
      throw RequestError("\"input\" is missing; it must be an input of LoopAlgorithm's runner.")
    }
    try RequestError.check(field)
    let bytes = Array(BridgeProtocol.line(JSONValue(node)).utf8)
    let reading = AlgorithmInputFile.read(bytes, file: "input")
    guard let input = reading.input else {
      throw RequestError(ofInput: reading.problems)
    }
    let text = AlgorithmOutputFile.text(LoopAlgorithm.run(input))
    let output = JSONReader.read(text: text, file: "").root.map { JSONValue($0) }
    return [.init("type", "prediction"), .init("output", output ?? .null)]
      + RequestError.members(of: reading.problems)
  }

  private mutating func close(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "batch"])
    try RequestError.check(field)
    // Both are looked up before either is closed: a wrong request changes nothing.
    if field["batch"].exists { _ = try batches.batch(field) }
    if field["run"].exists { try runs.close(field) }
    if field["batch"].exists { try batches.close(field) }
    if !field["run"].exists, !field["batch"].exists {
      runs.closeAll()
      batches.closeAll()
    }
    return [.init("type", "closed")]
  }

  /// Writes the files of a run into a folder.
  private func writeFiles(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "folder", "scenario"])
    guard let folder = field.required("folder").text() else { throw RequestError(field) }
    guard !folder.isEmpty else {
      throw RequestError("\"folder\" is empty; name the folder of the results.", path: "folder")
    }
    var finished = try FinishedRecords.result(of: runs.open(field).run)
    finished.keepsScenario = field["scenario"].exists && field["scenario"].bool() == true
    try RequestError.check(field)
    guard !finished.keepsScenario || Int64(exactly: finished.seed) != nil else {
      throw RequestError(
        "The seed of this run is \(finished.seed), and a seed in a scenario is at most "
          + "\(Int64.max).", path: "scenario")
    }
    let omissions: [TextProblem]
    do {
      omissions = try write(finished, folder)
    } catch {
      throw RequestError("\(error)", code: 74, path: "folder")
    }
    return [.init("type", "written"), .init("folder", .string(folder))]
      + RequestError.members(of: omissions)
  }

  // MARK: - Without messages

  /// The numbers of a column of a run that is over.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The table's name, that of its file without the ending.
  ///   - run: The run's name in this session.
  /// - Returns: The numbers, or why there are none.
  public func column(_ column: String, of table: String, of run: String) -> ColumnAnswer {
    do throws(RequestError) {
      return .numbers(try FinishedRecords(of: runs.run(run)).numbers(column, of: table))
    } catch {
      return .refused(error.text)
    }
  }

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
    field.allowOnly(OpenBatches.keys)
    return try batches.made(field, isPrivileged: true, members: members).batch
  }
}

/// What came of the wish for a batch.
public enum BatchAnswer: Sendable {
  /// The batch.
  case batch(RunBatch)
  /// The line of an error.
  case refused(String)
}
