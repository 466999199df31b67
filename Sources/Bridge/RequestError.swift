internal import ScenarioLanguage
internal import StructuredText

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
  init(_ field: JSONField) {
    let first = field.problems.sorted.first { $0.severity == .error }
    let path = first.flatMap { Self.path(to: $0.position, in: field.node, at: field.path) }
    self.init("\(MessageProblem(field.problems))", path: path)
  }

  /// The path of the value, or of the key, at a place of a message; `nil` for the message itself,
  /// which lacks something.
  private static func path(
    to position: TextPosition, in node: JSONNode?, at path: String
  ) -> String? {
    if !path.isEmpty, node?.position == position { return path }
    for member in node?.members ?? [] {
      let own = path.isEmpty ? member.key : "\(path).\(member.key)"
      if member.keyPosition == position { return own }
      if let found = Self.path(to: position, in: member.value, at: own) { return found }
    }
    for (index, item) in (node?.items ?? []).enumerated() {
      if let found = Self.path(to: position, in: item, at: "\(path)[\(index)]") { return found }
    }
    return nil
  }

  /// What is wrong with a scenario, each with its place.
  init(_ problems: [TextProblem]) {
    let errors = problems.filter { $0.severity == .error }
    text = errors.first.map { "\($0)" } ?? "The scenario cannot be run."
    self.problems = problems
  }

  /// What is wrong with an input of the algorithm: the first sentences, and how many more.
  init(ofInput problems: [TextProblem]) {
    let sentences = problems.filter { $0.severity == .error }.map(\.sentence)
    let rest = sentences.count - Self.mostSentences
    let told = sentences.prefix(Self.mostSentences) + (rest > 0 ? ["… and \(rest) more"] : [])
    self.init(
      told.isEmpty ? "The input cannot be read." : told.joined(separator: " "), path: "input")
  }

  /// The most sentences about an input that are told.
  private static let mostSentences = 20

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
    return .object(members + Self.members(of: problems))
  }

  /// What an answer has of problems; nothing where there are none.
  static func members(of problems: [TextProblem]) -> [JSONValue.Member] {
    problems.isEmpty ? [] : [.init("problems", .array(problems.map(value)))]
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
