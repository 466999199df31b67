/// The words of JSON with comments: takes space, keys, texts, numbers and literals from a source.
///
/// It stands behind what it has taken, and has noted every problem with that. It goes on after a
/// problem until there are as many as may be noted; how words make a value is the matter of
/// ``JSONParser``.
struct JSONScanner {
  /// Reading cannot go on; the reason is in the list of problems.
  struct Stop: Error {}

  var source: TextSource
  /// The problems so far.
  var problems: [TextProblem] = []
  /// What the source is, for sentences.
  let subject: JSONReader.Subject
  private let mostProblems: Int
  private var warningCount = 0

  init(source: TextSource, subject: JSONReader.Subject, mostProblems: Int) {
    self.source = source
    self.subject = subject
    self.mostProblems = mostProblems
  }

  /// Notes what leaves the value readable, up to the limit of problems; reading always goes on.
  mutating func warn(at position: TextPosition, _ sentence: String) {
    warningCount += 1
    if warningCount <= mostProblems {
      problems.append(TextProblem(.warning, at: position, sentence))
    } else if warningCount == mostProblems + 1 {
      problems.append(
        TextProblem(
          .note, at: position, code: ProblemList.omissionCode,
          "There are more warnings from here on than the \(mostProblems) that are told."))
    }
  }

  /// Notes an error after which reading goes on, up to the limit of problems.
  mutating func report(at position: TextPosition, _ sentence: String) throws(Stop) {
    problems.append(TextProblem(at: position, sentence))
    guard problems.count(where: { $0.severity == .error }) >= mostProblems else { return }
    problems.append(
      TextProblem(
        .note, at: position, code: ProblemList.omissionCode,
        "Reading stops here, after \(mostProblems) problems; there may be more."))
    throw Stop()
  }

  /// Notes a problem at the current place and gives what is to be thrown.
  mutating func stop(_ sentence: String) -> Stop {
    problems.append(TextProblem(at: source.position(), sentence))
    return Stop()
  }
}
