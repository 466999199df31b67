import Arguments
import Reports
import StructuredText

/// Leaves out problems that were told before.
///
/// Building a run finds again what the check of its file found, in other words, and the runs of a
/// file find the same things one after the other.
struct ProblemFilter {
  private var seen: Set<TextProblem> = []
  private var broken: Set<TextPosition> = []
  private var coded: Set<TextPosition> = []
  private var alike: [Kind: Int] = [:]
  private var manyAlike: [Kind] = []
  private var inPlace: [Place: Int] = [:]
  private var manyInPlace: [Place] = []

  /// Problems that say the same of several places in a file.
  private struct Kind: Hashable {
    var file: String
    var severity: TextProblem.Severity
    var sentence: String
  }

  /// Problems of one place that say the same with other numbers, as those of a sweep's points do.
  private struct Place: Hashable {
    var position: TextPosition
    var severity: TextProblem.Severity
    var words: String
  }

  /// How many places are told of which the same is said.
  private static let most = 3

  /// The problems that say something new, in their order.
  mutating func fresh(_ problems: [TextProblem]) -> [TextProblem] {
    problems.filter { isFresh($0) }
  }

  /// The problems that say something new, as lines for people.
  ///
  /// A wrong column of a table is wrong in every row, and what a sweep draws is off the pump's grid
  /// at every point: of many problems that say the same, only the first are told, and ``rest`` says
  /// how many more there are.
  mutating func lines(_ problems: [TextProblem]) -> [String] {
    fresh(problems).compactMap { problem in
      let kind = Kind(
        file: problem.position.file, severity: problem.severity, sentence: problem.sentence)
      let count = (alike[kind] ?? 0) + 1
      alike[kind] = count
      if count == Self.most + 1 { manyAlike.append(kind) }
      return count <= Self.most && isOneOfFewInItsPlace(problem) ? problem.description : nil
    }
  }

  /// Whether a problem is an error, or one of the first remarks of its place that say the same.
  private mutating func isOneOfFewInItsPlace(_ problem: TextProblem) -> Bool {
    // What stops a run is told of each key.
    guard problem.severity != .error else { return true }
    let place = Place(
      position: problem.position, severity: problem.severity,
      words: AlikeCause.withoutNumbers(problem.sentence))
    let count = (inPlace[place] ?? 0) + 1
    inPlace[place] = count
    if count == Self.most + 1 { manyInPlace.append(place) }
    return count <= Self.most
  }

  /// A line for each problem of which ``lines(_:)`` has left places out.
  var rest: [String] {
    manyAlike.map { kind in
      let more = (alike[kind] ?? 0) - Self.most
      return InertText.line(
        "\(kind.file): \(kind.severity.rawValue): \(WordList.counted(more, "more place")) with: "
          + kind.sentence)
    }
      + manyInPlace.map { place in
        let more = (inPlace[place] ?? 0) - Self.most
        return InertText.line(
          "\(place.position): \(place.severity.rawValue): \(more) more here "
            + "\(more == 1 ? "says" : "say") the same with other numbers.")
      }
  }

  private mutating func isFresh(_ problem: TextProblem) -> Bool {
    guard seen.insert(problem).inserted else { return false }
    // An object may lack several keys.
    if problem.severity == .error {
      broken.insert(problem.position)
      return true
    }
    guard !broken.contains(problem.position) else { return false }
    if problem.code != nil { return coded.insert(problem.position).inserted }
    return true
  }
}

extension Console {
  /// Tells of problems; of many that say the same of several places only the first are told.
  func note(_ problems: [TextProblem]) {
    var filter = ProblemFilter()
    for line in filter.lines(problems) + filter.rest { note(line) }
  }
}

extension TextProblem.Severity {
  /// Whether a scenario with such a problem is not run.
  func stops(_ isStrict: Bool) -> Bool { self == .error || isStrict && self == .warning }
}
