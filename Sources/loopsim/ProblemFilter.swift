import StructuredText

/// Leaves out problems that were told before.
///
/// Building a run finds again what the check of its file found, in other words, and the runs of a
/// file find the same things one after the other.
struct ProblemFilter {
  private var seen: Set<TextProblem> = []
  private var broken: Set<TextPosition> = []
  private var coded: Set<TextPosition> = []

  /// The problems that say something new, in their order.
  mutating func fresh(_ problems: [TextProblem]) -> [TextProblem] {
    problems.filter { isFresh($0) }
  }

  private mutating func isFresh(_ problem: TextProblem) -> Bool {
    guard seen.insert(problem).inserted, !broken.contains(problem.position) else { return false }
    if problem.severity == .error { broken.insert(problem.position) }
    if problem.code != nil { return coded.insert(problem.position).inserted }
    return true
  }
}

extension TextProblem.Severity {
  /// Whether a scenario with such a problem is not run.
  func stops(_ isStrict: Bool) -> Bool { self == .error || isStrict && self == .warning }
}
