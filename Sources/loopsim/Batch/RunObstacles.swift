import RunPlans
import StructuredText

/// What keeps a run from being carried out, in the order of the file's lines.
struct RunObstacle: Sendable {
  /// The most problems that are told of one run; of the others their number is.
  static let most = 20

  private let problems: [TextProblem]
  private let rest: Int
  private let isOwn: Bool

  /// Keeps what is told of problems.
  ///
  /// - Parameters:
  ///   - problems: What is wrong; where nothing is, the scenario cannot be built.
  ///   - isOwn: Whether it is about the run itself, or its whole file; not, where it is about
  ///     other runs.
  init(_ problems: [TextProblem], isOwn: Bool = true) {
    self.problems = Array(problems.prefix(Self.most))
    rest = problems.count - self.problems.count
    self.isOwn = isOwn
  }

  /// Where the first problem is.
  var position: TextPosition? { problems.first?.position }

  /// The first problem.
  var sentence: String {
    let words = problems.first?.description ?? "The scenario cannot be built."
    return isOwn ? words : "Not carried out, as another run of the file is wrong: \(words)"
  }

  /// The problems after the first, and how many are left out.
  var others: [String] {
    problems.dropFirst().map(\.description) + (rest > 0 ? ["… and \(rest) more"] : [])
  }
}

/// What stands in the way of each run of a file of which nothing is carried out.
///
/// A problem that stands at a value which only some of the runs have, such as a cell of a cohort's
/// table, a point of a sweep or a variant, is theirs. The others are told that it is not their own.
struct RunObstacles {
  private let problems: [TextProblem]
  /// The places of the problems.
  private let places: Set<TextPosition>
  /// The places of problems that stand in the trees of some runs, by the variant of these.
  private var ofVariants: [String: Set<TextPosition>] = [:]
  /// The places of problems that stand in some run.
  private var ofRuns: Set<TextPosition> = []
  /// What stands in the way of the runs of a variant that have no problem at a value of their own.
  private var alone: [String: RunObstacle] = [:]
  /// What is wrong with the file as a whole; where that is nothing, what is wrong with some runs.
  private(set) var ofFile: RunObstacle

  /// Divides the problems that keep a file from being run, in their order, among its runs.
  init(_ problems: [TextProblem], of runs: [ExpandedRun]) {
    self.problems = problems
    ofFile = RunObstacle(problems)
    places = Set(problems.map(\.position))
    for run in runs {
      let set = found(in: run.assignments.map(\.value))
      ofRuns.formUnion(set)
      guard ofVariants[run.variant ?? ""] == nil else { continue }
      let own = found(in: [run.tree]).subtracting(set)
      ofVariants[run.variant ?? ""] = own
      ofRuns.formUnion(own)
    }
    for (variant, own) in ofVariants { alone[variant] = obstacle(at: own) }
    ofFile = obstacle(at: [])
  }

  /// The problems of a run and of the file as a whole; of a run that has none, all problems, and
  /// that they are others'.
  func obstacle(of run: ExpandedRun) -> RunObstacle {
    let set = found(in: run.assignments.map(\.value))
    if set.isEmpty { return alone[run.variant ?? ""] ?? ofFile }
    return obstacle(at: set.union(ofVariants[run.variant ?? ""] ?? []))
  }

  private func obstacle(at own: Set<TextPosition>) -> RunObstacle {
    let told = problems.filter { own.contains($0.position) || !ofRuns.contains($0.position) }
    return told.isEmpty ? RunObstacle(problems, isOwn: false) : RunObstacle(told)
  }

  /// The places of problems at values, and at the keys and values within these.
  private func found(in nodes: [JSONNode]) -> Set<TextPosition> {
    var rest = nodes
    var found: Set<TextPosition> = []
    while let node = rest.popLast() {
      if places.contains(node.position) { found.insert(node.position) }
      for member in node.members ?? [] {
        if places.contains(member.keyPosition) { found.insert(member.keyPosition) }
        rest.append(member.value)
      }
      rest += node.items ?? []
    }
    return found
  }
}
