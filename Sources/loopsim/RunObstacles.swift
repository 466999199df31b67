import RunPlans
import StructuredText

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

  /// Divides the problems that keep a file from being run, in their order, among its runs.
  init(_ problems: [TextProblem], of runs: [ExpandedRun]) {
    self.problems = problems
    places = Set(problems.map(\.position))
    for run in runs {
      let set = found(in: run.assignments.map(\.value))
      ofRuns.formUnion(set)
      guard ofVariants[run.variant ?? ""] == nil else { continue }
      let own = found(in: [run.tree]).subtracting(set)
      ofVariants[run.variant ?? ""] = own
      ofRuns.formUnion(own)
    }
  }

  /// The first problem of a run, or of the file as a whole; of a run that has none, the first of
  /// all, and that it is another's.
  func obstacle(of run: ExpandedRun) -> (problem: TextProblem?, isOwn: Bool) {
    let own = found(in: run.assignments.map(\.value)).union(ofVariants[run.variant ?? ""] ?? [])
    let first = problems.first { own.contains($0.position) || !ofRuns.contains($0.position) }
    return (first ?? problems.first, first != nil)
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
