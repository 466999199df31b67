public import StructuredText

/// What both sides of the bridge agree on.
public enum BridgeProtocol {
  /// The version of the messages.
  public static let version: Int64 = 1
  /// The version of loopsim, which the program says and the library for C as well.
  public static let loopsim = "0.1.0"
  /// The longest line that is read of a program that answers, in bytes.
  public static let longestAnswer = 1 << 20
  /// The longest line that is read of a program that asks, in bytes.
  public static let longestRequest = 16 << 20

  /// A message as one line, without its end.
  public static func line(_ message: JSONValue) -> String {
    var writer = JSONWriter()
    writer.isCompact = true
    return writer.line(message)
  }

  /// Reads a line as one JSON object.
  ///
  /// - Returns: The object, or what is wrong, with its place in the line.
  static func read(_ line: [UInt8], limit: Int) -> Result<JSONField, MessageProblem> {
    guard line.count <= limit else {
      return .failure(
        MessageProblem("The line has more than \(limit) bytes, the most that are read of one."))
    }
    var limits = JSONReader.Limits()
    limits.depth = 64
    limits.subject = .message
    let reading = JSONReader.read(line, file: "message", limits: limits)
    if let problem = reading.problems.first(where: { $0.severity == .error }) {
      return .failure(
        MessageProblem(
          problem.sentence + Self.remark(on: problem), column: problem.position.column))
    }
    guard let root = reading.root, root.members != nil else {
      return .failure(MessageProblem("A message is one JSON object on one line."))
    }
    return .success(JSONField(root, problems: ProblemList(limit: 20)))
  }

  /// What helps where a line has a number that JSON has no word for.
  private static func remark(on problem: TextProblem) -> String {
    let words = ["NaN", "Infinity"]
    guard words.contains(where: { problem.sentence.hasPrefix("\($0) is not") }) else { return "" }
    return " JSON has neither NaN nor Infinity; Python's json.dumps writes them unless it is told "
      + "allow_nan=False."
  }
}

/// What is wrong with a message, in sentences.
public struct MessageProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentences, the first thing that is wrong first.
  public var sentences: [String]
  /// Where the line breaks the rules of JSON, from 1; `nil` where it does not.
  public var column: Int?

  /// Creates a problem of one sentence, and where in the line it is if it is of the text itself.
  public init(_ sentence: String, column: Int? = nil) {
    sentences = [sentence]
    self.column = column
  }

  init(_ problems: ProblemList) {
    sentences = problems.sorted.filter { $0.severity == .error }.map(\.sentence)
  }

  /// The sentences, after the column.
  public var description: String {
    (column.map { "Column \($0): " } ?? "") + sentences.joined(separator: " ")
  }
}

/// Why a run with a program cannot go on.
public struct ProgramFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What has failed.
  public enum Kind: Hashable, Sendable {
    /// The program: it cannot be started, ended, hangs, or answers what cannot be read.
    case program
    /// The record of its answers: a question is not the one that was answered.
    case replay
    /// What was asked for: a setting that cannot be followed.
    case input
  }

  /// What has failed.
  public var kind: Kind
  public var description: String
  /// Whether the program could not be started or did not greet: it can be no part of any run.
  public var isAtStart: Bool

  /// Creates a `ProgramFailure` from its parts; see the properties.
  public init(_ kind: Kind, _ description: String, isAtStart: Bool = false) {
    self.kind = kind
    self.description = description
    self.isAtStart = isAtStart
  }
}
