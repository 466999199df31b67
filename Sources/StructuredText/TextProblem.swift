/// Something wrong, or worth knowing, at a place in a file.
public struct TextProblem: Error, Hashable, Sendable {
  /// How much a problem matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The file cannot be used.
    case error
    /// The file can be used, but says something that has no effect or is probably a mistake.
    case warning
    /// Something was decided for the author, who may want to know.
    case note
  }

  /// Where it is.
  public var position: TextPosition
  /// How much it matters.
  public var severity: Severity
  /// A short name of the kind of problem, such as `W-NOEFFECT`, where people filter by it.
  public var code: String?
  /// What is wrong and what was expected, in one or two full sentences.
  public var sentence: String

  /// Creates a `TextProblem` from its parts; see the properties.
  public init(
    _ severity: Severity = .error, at position: TextPosition, code: String? = nil,
    _ sentence: String
  ) {
    assert(!sentence.isEmpty, "A problem says what is wrong.")
    self.position = position
    self.severity = severity
    self.code = code
    self.sentence = sentence
  }
}

extension TextProblem: CustomStringConvertible {
  /// The problem as compilers write it: `dinner.json5:12:9: error: …`, with the code at the end.
  public var description: String {
    InertText.line("\(position): \(severity.rawValue): \(sentence)")
      + (code.map { " [\($0)]" } ?? "")
  }
}

/// The problems found so far in one or more files.
///
/// A class, because all the fields of one document report to the same list. The list keeps at most
/// ``limit`` errors and as many warnings and notes, so that a hostile file cannot fill the memory
/// and many remarks never hide an error; ``sorted`` says that there are others.
public final class ProblemList {
  /// The most errors that are kept, and the most warnings and notes.
  public let limit: Int
  /// The code of a note which says that there are more problems than are shown.
  public static let omissionCode = "N-MORE"
  /// The problems in the order in which they were found; no two are equal.
  public private(set) var problems: [TextProblem] = []
  private var seen: Set<TextProblem> = []
  private var errorCount = 0
  /// Where the first error beyond the limit is.
  private var omittedError: TextPosition?
  /// Where the first warning or note beyond the limit is.
  private var omittedRemark: TextPosition?
  private var omitsWarnings = false
  /// Which problems are added; all where nothing is said.
  private var isWanted: ((TextProblem) -> Bool)?

  /// Creates an empty list, of so many problems at most.
  public init(limit: Int = 1_000) { self.limit = limit }

  /// Adds a problem, unless the same one is there already.
  public func add(_ problem: TextProblem) {
    if let isWanted, !seen.contains(problem), !isWanted(problem) { return }
    let isError = problem.severity == .error
    let count = isError ? errorCount : seen.count - errorCount
    guard count < limit else {
      guard !seen.contains(problem) else { return }
      if isError {
        omittedError = omittedError ?? problem.position
      } else {
        omittedRemark = omittedRemark ?? problem.position
        omitsWarnings = omitsWarnings || problem.severity == .warning
      }
      return
    }
    guard seen.insert(problem).inserted else { return }
    problems.append(problem)
    if isError { errorCount += 1 }
  }

  /// Adds several problems in their order.
  public func add(_ problems: [TextProblem]) {
    for problem in problems { add(problem) }
  }

  /// Adds of what is found meanwhile only what is wanted, and what is there already.
  public func add(
    where isWanted: @escaping (TextProblem) -> Bool, whileFinding find: () -> Void
  ) {
    assert(self.isWanted == nil, "One asks for less at a time.")
    self.isWanted = isWanted
    defer { self.isWanted = nil }
    find()
  }

  /// Adds an error.
  public func error(at position: TextPosition, code: String? = nil, _ sentence: String) {
    add(TextProblem(.error, at: position, code: code, sentence))
  }

  /// Adds a warning.
  public func warning(at position: TextPosition, code: String? = nil, _ sentence: String) {
    add(TextProblem(.warning, at: position, code: code, sentence))
  }

  /// Adds a note.
  public func note(at position: TextPosition, code: String? = nil, _ sentence: String) {
    add(TextProblem(.note, at: position, code: code, sentence))
  }

  /// Whether errors are beyond ``limit`` already, so that one more changes nothing.
  public var omitsErrors: Bool { omittedError != nil }

  /// Whether any problem is an error.
  public var hasErrors: Bool { errorCount > 0 }

  /// Whether any problem is an error or a warning: what a strict check refuses.
  public var hasErrorsOrWarnings: Bool {
    errorCount > 0 || omitsWarnings || problems.contains { $0.severity == .warning }
  }

  /// The problems by file and place, those at one place in the order in which they were found.
  ///
  /// Where some are beyond ``limit``, a note at the first of them says so; its code is
  /// ``omissionCode``.
  public var sorted: [TextProblem] {
    (problems + omissions).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
  }

  private var omissions: [TextProblem] {
    [(omittedError, "errors"), (omittedRemark, "warnings and notes")].compactMap { place, kind in
      place.map {
        TextProblem(
          .note, at: $0, code: Self.omissionCode,
          "More \(kind) were found than the \(limit) that are shown, this one among them.")
      }
    }
  }
}
