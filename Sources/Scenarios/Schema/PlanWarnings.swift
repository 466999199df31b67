public import RunPlans
internal import ScenarioLanguage
public import StructuredText
internal import Synchronization

/// Tells warnings of what has an effect in no run of a plan, is refused in each, or lies beyond a
/// limit in each, from those of what is merely so in one of its runs.
///
/// What stands in a file once may act in one variant and be idle in another, where that is meant:
/// noise has no effect on the exact sensor that it is compared with, a bolus is refused while the
/// phone of one variant is off, and cut by the limit of another. A setting of which some run makes
/// use is no mistake of the file. It must be the very same in that run, with all that is within it:
/// what a variant changed may be what is wrong.
///
/// Runs are built only where something is warned of, and each once.
public final class PlanWarnings: Sendable {
  /// The code of a warning that something has no effect.
  static let code = "W-NOEFFECT"
  /// The code of a warning that something is refused when its time comes.
  static let refused = "W-REFUSED"
  /// The code of a warning that a run lacks something, or has what no app has, whatever others do.
  static let ofRun = "W-RUN"

  /// Up to so many runs all are looked at; in a larger plan those that differ in one respect.
  private static let fewRuns = 64
  /// In a larger plan, how many other variants, values of an axis, patients and replicates.
  private static let mostAlike = 16

  private let plan: RunPlan
  /// Where settings without effect, or refused, stand in the runs that were built, by the run's
  /// place; nothing for a run that has errors, which shows nothing.
  private let idle = Mutex<[Int: Set<TextPosition>?]>([:])

  /// Keeps what is found in the runs of a plan.
  public init(of plan: RunPlan) { self.plan = plan }

  /// The problems of a run without the warnings of what has an effect in another run.
  ///
  /// - Parameters:
  ///   - problems: What the check of one run, or its building, has found.
  ///   - run: The run, one of the plan.
  /// - Returns: All others, in their order.
  public func holding(_ problems: [TextProblem], of run: ExpandedRun) -> [TextProblem] {
    problems.filter { holds($0, of: run) }
  }

  /// Whether a problem of a run is one of its file.
  public func holds(_ problem: TextProblem, of run: ExpandedRun) -> Bool {
    guard plan.count > 1, Self.saysIdle(problem),
      let setting = run.tree.value(at: problem.position)
    else { return true }
    return !others(of: run.index).contains { other in
      // What patients have each of their own is looked for before any run is built for it.
      let tree = plan.run(at: other).tree
      guard tree.value(at: problem.position) == setting,
        let idle = idlePlaces(of: other), !idle.contains(problem.position)
      else { return false }
      // A run that expects refusals does not warn of them, and does not show that there are none.
      return problem.code == Self.code
        || !RefusalRules(root: Field(tree, problems: ProblemList())).isMeant
    }
  }

  /// Whether a problem is a warning that nothing, or less than is written, comes of a setting in a
  /// run.
  private static func saysIdle(_ problem: TextProblem) -> Bool {
    problem.severity == .warning
      && [code, refused, LimitWords.code].contains { $0 == problem.code }
  }

  /// The runs in which a setting of a run may have an effect.
  private func others(of place: Int) -> [Int] {
    guard plan.count > Self.fewRuns else { return (0..<plan.count).filter { $0 != place } }
    return plan.neighbours(of: place, most: Self.mostAlike)
  }

  private func idlePlaces(of place: Int) -> Set<TextPosition>? {
    if let known = idle.withLock({ $0[place] }) { return known }
    let problems = ProblemList()
    let run = plan.run(at: place)
    ScenarioCheck.check(run, of: plan.document, problems: problems)
    let built = RunBuilder.build(run, problems: problems)
    let places = problems.problems.lazy.filter(Self.saysIdle).map(\.position)
    let found = built == nil || problems.hasErrors ? nil : Set(places)
    idle.withLock { $0[place] = .some(found) }
    return found
  }
}

extension RunPlan {
  /// The places of runs that differ from one in its variant, in one axis of the sweep, in its
  /// patient or in its replicate, at most so many of each.
  func neighbours(of place: Int, most: Int) -> [Int] {
    let factors =
      [replicates, patientCount] + axes.reversed().map(\.points.count) + [variants.count]
    var places: [Int] = []
    var stride = 1
    for factor in factors {
      let own = place / stride % factor
      places += (0..<factor).lazy.filter { $0 != own }.prefix(most)
        .map { place + ($0 - own) * stride }
      stride *= factor
    }
    return places
  }
}

extension JSONNode {
  /// The value that stands at a place, or whose key does; nothing where that is not in the tree.
  fileprivate func value(at place: TextPosition) -> JSONNode? {
    if position == place { return self }
    for member in members ?? [] {
      if member.keyPosition == place { return member.value }
      if let found = member.value.value(at: place) { return found }
    }
    for item in items ?? [] {
      if let found = item.value(at: place) { return found }
    }
    return nil
  }
}
