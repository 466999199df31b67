internal import ClosedLoop
internal import Dosing
internal import Interchange
internal import Quantities
public import ScenarioLanguage
internal import Scenarios
internal import Simulation
internal import StructuredText

/// A client's talk with the engine: one line in, one line out.
///
/// A request that is wrong is answered with an error, and nothing has changed.
public struct ServeSession {
  /// How many runs may be open at once.
  public static let maximumRuns = 10_000

  let files: any ScenarioFiles
  let version: String
  /// Writes the files of a run into a folder.
  let write: (ServedResult, String) throws -> Void
  var runs: [String: OpenRun] = [:]
  var batches: [String: RunBatch] = [:]
  var batchesOpened = 0
  private var opened = 0
  /// Whether the client, where it is the body, copies it with a run.
  private var copiesBodies = false

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - files: Where scenarios come from.
  ///   - version: The version of loopsim.
  ///   - write: Writes the files of a run that is over into a folder.
  public init(
    files: any ScenarioFiles, version: String,
    write: @escaping (ServedResult, String) throws -> Void
  ) {
    self.files = files
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
    "hello", "check", "reset", "act", "boluses", "lived", "advance", "fork", "snapshot",
    "restore", "records", "write", "predict", "batch", "batchReset", "batchStep", "close",
  ]

  private mutating func answer(
    to field: JSONField
  ) throws(RequestError) -> [[JSONValue.Member]] {
    let type = field.required("type").choice(of: Self.requests)
    guard let type else { throw RequestError(field) }
    let members: [JSONValue.Member]
    switch type {
    case "hello": members = try greet(field)
    case "check": members = try check(field)
    case "reset": return try reset(field)
    case "act", "boluses": members = try act(field, .controller)
    case "lived": members = try act(field, .body)
    case "advance": members = try advance(field)
    case "fork", "snapshot": members = try copy(field)
    case "restore": members = try restore(field)
    case "records": members = try records(field)
    case "write": members = try writeFiles(field)
    case "predict": members = try predict(field)
    case "batch": members = try openBatch(field)
    case "batchReset": members = try resetBatch(field)
    case "batchStep": members = try stepBatch(field)
    default: members = try close(field)
    }
    return [members]
  }

  // MARK: - Runs

  /// The run that a request names.
  func open(_ field: JSONField) throws(RequestError) -> (id: String, run: OpenRun) {
    guard let id = field.required("run").text() else { throw RequestError(field) }
    return (id, try run(id))
  }

  /// The run of a name.
  func run(_ id: String) throws(RequestError) -> OpenRun {
    guard let run = runs[id] else {
      throw RequestError("There is no run \"\(id)\".", path: "run")
    }
    return run
  }

  /// Keeps a run under a new name.
  mutating func keep(
    _ run: ServedRun
  ) throws(RequestError) -> (id: String, run: OpenRun) {
    guard runs.count < Self.maximumRuns else {
      throw RequestError("\(Self.maximumRuns) runs are open, the most there may be. Close some.")
    }
    opened += 1
    let (id, open) = ("r\(opened)", OpenRun(run))
    runs[id] = open
    return (id, open)
  }

  // MARK: - Small requests

  private mutating func greet(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "protocol", "name", "version", "role", "can", "line"])
    let asked = field.required("protocol").integer()
    if let asked, asked != BridgeProtocol.version {
      field["protocol"].error("This is protocol \(BridgeProtocol.version), not \(asked).")
    }
    let can = field["can"].exists ? field["can"].items() ?? [] : []
    let abilities = can.compactMap { $0.choice(of: ProgramSession.abilities) }
    try RequestError.check(field)
    copiesBodies = abilities.contains("fork")
    return [
      .init("type", "hello"), .init("protocol", .integer(BridgeProtocol.version)),
      .init("loopsim", .string(version)), .init("can", .array(Self.requests.map { .string($0) })),
      .init("line", .integer(Int64(BridgeProtocol.longestRequest))),
      .init("runs", .integer(Int64(Self.maximumRuns))),
    ]
  }

  private func predict(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "input"])
    guard let node = field.required("input").node else { throw RequestError(field) }
    let bytes = Array(BridgeProtocol.line(JSONValue(node)).utf8)
    let reading = AlgorithmInputFile.read(bytes, file: "input")
    guard let input = reading.input else {
      let first = reading.problems.first { $0.severity == .error }
      throw RequestError(first?.sentence ?? "The input cannot be read.", path: "input")
    }
    let text = AlgorithmOutputFile.text(LoopAlgorithm.run(input))
    let output = JSONReader.read(text: text, file: "").root.map { JSONValue($0) }
    return [.init("type", "prediction"), .init("output", output ?? .null)]
  }

  private mutating func close(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "batch"])
    try RequestError.check(field)
    if field["run"].exists { runs[try open(field).id] = nil }
    if field["batch"].exists { batches[try batch(field).id] = nil }
    if !field["run"].exists, !field["batch"].exists {
      runs = [:]
      batches = [:]
    }
    return [.init("type", "closed")]
  }

  private mutating func copy(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
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

  private mutating func restore(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "from"])
    let (id, _) = try open(field)
    guard let from = field.required("from").text(), let source = runs[from]?.served else {
      throw RequestError("There is no run to restore from.", path: "from")
    }
    try RequestError.check(field)
    try refuseBody(of: source)
    guard source.showsTruth else {
      throw RequestError("Only a privileged run can be restored.", path: "from")
    }
    runs[id] = OpenRun(source)
    return [.init("type", "copy"), .init("run", .string(id))]
  }
}

/// Why a request is refused; nothing has changed.
struct RequestError: Error {
  var text: String
  var code: Int64 = 65
  var path: String?
  var problems: [TextProblem] = []

  init(_ text: String, code: Int64 = 65, path: String? = nil) {
    self.text = text
    self.code = code
    self.path = path
  }

  /// What is wrong with a message.
  init(_ field: JSONField) { self.init("\(MessageProblem(field.problems))") }

  /// What is wrong with a scenario, each with its place.
  init(_ problems: [TextProblem]) {
    let errors = problems.filter { $0.severity == .error }
    text = errors.first.map { "\($0)" } ?? "The scenario cannot be run."
    self.problems = problems
  }

  /// Refuses a message of which something was reported.
  static func check(_ field: JSONField) throws(RequestError) {
    if field.problems.hasErrors { throw RequestError(field) }
  }

  func value(id: JSONValue?) -> JSONValue {
    var members: [JSONValue.Member] = [.init("type", "error")]
    if let id { members.append(.init("id", id)) }
    members += [.init("text", .string(text)), .init("code", .integer(code))]
    if let path { members.append(.init("path", .string("$.\(path)"))) }
    if let first = problems.first(where: { $0.severity == .error }) {
      members += [
        .init("file", .string(first.position.file)),
        .init("line", .integer(Int64(first.position.line))),
        .init("column", .integer(Int64(first.position.column))),
      ]
    }
    if !problems.isEmpty {
      members.append(.init("problems", .array(problems.map(Self.value))))
    }
    return .object(members)
  }

  /// A problem with its place.
  static func value(_ problem: TextProblem) -> JSONValue {
    [
      "file": .string(problem.position.file), "line": .integer(Int64(problem.position.line)),
      "column": .integer(Int64(problem.position.column)),
      "severity": .string(problem.severity.rawValue), "text": .string(problem.sentence),
    ]
  }
}
