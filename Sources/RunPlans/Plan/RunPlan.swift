public import ScenarioLanguage
public import StructuredText

/// All runs of a scenario: every variant, point of the sweep, patient and replicate.
///
/// Runs are made one by one when asked for, so that a plan of a million costs little.
public struct RunPlan: Sendable {
  /// How many runs a scenario may have unless its budget says otherwise.
  public static let defaultMaximumRuns = 10_000

  /// The scenario.
  public let document: ScenarioDocument
  /// The axes of the sweep, the slowest first.
  public let axes: [SweepAxis]
  /// The sweep, where its points are drawn from laws; it is the only axis then.
  public let sampled: SampledSweep?
  /// The patients; nothing when the scenario has only its own.
  public let cohort: Cohort?
  /// How many times each run is repeated with other random numbers.
  public let replicates: Int
  /// How many runs there are.
  public let count: Int

  /// How many seconds of real time all runs together may take; nothing when that is not limited.
  public var maximumSeconds: Double? { BudgetBlock(of: document.tree).maximumSeconds }

  /// What the runs are to show together; `nil` where the scenario is no study.
  public private(set) var study: StudyDesign?

  /// The variants, each with the whole scenario as it sets it; one without a name where there are
  /// none.
  package let variants: [(name: String?, tree: JSONNode)]

  /// Works out the runs of a scenario; what is wrong with its sweep, cohort or budget is reported.
  ///
  /// Makes nothing when the runs cannot be told; what is wrong with the block `study` leaves them.
  ///
  /// - Parameters:
  ///   - document: The scenario.
  ///   - reader: What read it, for the cohort's table.
  ///   - insulinEvents: The keys of events by which people give insulin or change what is given.
  ///     Arms of a study may differ in them, for that is treatment.
  ///   - insulinKeys: The keys of amounts and rates of insulin, such as `events[].bolus.units`.
  ///   - problems: Where what is wrong is reported.
  public init?(
    _ document: ScenarioDocument, reader: ScenarioReader, insulinEvents: [String],
    insulinKeys: Set<String>, problems: ProblemList
  ) {
    self.document = document
    let tree = document.tree
    let random = RandomBlock(of: tree)
    replicates = random.replicates
    let seed = UInt64(random.seed)
    let before = problems.problems.count
    let insulin = InsulinPaths(keys: insulinKeys)
    sampled = SampledSweep.read(
      tree["sweep"], seed: seed, insulin: insulin, problems: problems)
    axes =
      SampledSweep.Method.key(of: tree["sweep"]) == nil
      ? SweepAxis.axes(of: tree["sweep"], seed: seed, insulin: insulin, problems: problems)
      : sampled.map { [$0.axis] } ?? []
    cohort = Cohort.read(of: document, with: reader, problems: problems)
    variants = Self.variants(of: document, problems: problems)
    let factors =
      [variants.count, cohort?.members.count ?? 1, replicates] + axes.map(\.points.count)
    var product = 1
    for factor in factors {
      let (next, overflowed) = product.multipliedReportingOverflow(by: factor)
      product = overflowed ? .max : next
    }
    count = product
    checkBudget(problems)
    checkPaths(problems)
    checkOverwriting(problems)
    // What is wrong with the study takes nothing away from its runs, which are checked as well.
    let failed =
      problems.problems.dropFirst(before).contains { $0.severity == .error }
      // What is wrong with its keys may have been told before.
      || cohort == nil && tree["cohort"] != nil
    if let design = StudyReader(self, problems: problems).design() {
      study = design
      StudyRules(plan: self, design: design, insulinEvents: insulinEvents, problems: problems)
        .check()
    }
    if failed || count < 1 { return nil }
  }

  /// The run with the given place in the plan.
  ///
  /// - Precondition: The place is from 0 to ``count`` - 1.
  public func run(at place: Int) -> ExpandedRun {
    precondition((0..<count).contains(place), "A plan has no run beyond its count.")
    var rest = place
    let replicate = rest % replicates
    rest /= replicates
    let patients = cohort?.members.count ?? 1
    let patient = cohort?.members[rest % patients]
    rest /= patients
    let points = axes.reduce(1) { $0 * $1.points.count }
    let point = rest % points
    let variant = variants[rest / points]
    let settings = settings(at: point)
    let assignments = settings + (patient?.assignments ?? [])
    var run = ExpandedRun(
      document: document, variant: variant.name, point: axes.isEmpty ? nil : point,
      patient: patient?.id, replicate: replicate, hasReplicates: replicates > 1,
      assignments: assignments, tree: Self.applying(assignments, to: variant.tree))
    run.index = place
    run.writtenPatient = patient?.writtenID
    run.sweptCount = settings.count
    if study?.isPaired == false {
      run.chanceArm = armName(variant: rest / points, point: point)
    }
    return run
  }

  /// The run of a variant, a point of the sweep, a patient and a replicate, each by its place.
  ///
  /// - Precondition: Each is below its count.
  public func run(variant: Int, point: Int, patient: Int, replicate: Int) -> ExpandedRun {
    assert(
      variants.indices.contains(variant) && (0..<pointCount).contains(point),
      "The plan has the arm.")
    assert(
      (0..<patientCount).contains(patient) && (0..<replicates).contains(replicate),
      "The plan has the patient, and has it so often.")
    return run(
      at: ((variant * pointCount + point) * patientCount + patient) * replicates + replicate)
  }

  /// The names of the variants; one `nil` where there are none.
  public var variantNames: [String?] { variants.map(\.name) }
  /// How many points there are: 1 without a sweep.
  public var pointCount: Int { axes.reduce(1) { $0 * $1.points.count } }
  /// How many patients there are: 1 without a cohort.
  public var patientCount: Int { cohort?.members.count ?? 1 }

  /// The name of a patient in run names, and the group that the table gives.
  public func patient(_ place: Int) -> (id: String, group: String?) {
    assert(place >= 0 && place < patientCount, "A plan has no patient beyond its cohort.")
    guard let member = cohort?.members[place] else { return (document.id, nil) }
    return (member.id, member.group)
  }

  /// The name of an arm for its chance, where arms do not share it: variant and point.
  func armName(variant: Int, point: Int) -> String {
    [variants[variant].name, axes.isEmpty ? nil : "s\(point)"].compactMap(\.self)
      .joined(separator: "/")
  }

  /// What the sweep sets at one of its points.
  public func settings(at point: Int) -> [(path: ScenarioPath, value: JSONNode)] {
    assert((0..<pointCount).contains(point), "The sweep has the point.")
    var rest = point
    var parts: [[(path: ScenarioPath, value: JSONNode)]] = []
    for axis in axes.reversed() {
      precondition(!axis.points.isEmpty, "An axis of a sweep has a value or more.")
      let values = axis.points[rest % axis.points.count]
      rest /= axis.points.count
      parts.append(zip(axis.paths, values).map { ($0.path, $1) })
    }
    return parts.reversed().flatMap(\.self)
  }

  /// The tree with values set; an address that leads nowhere was reported when the plan was made.
  static func applying(
    _ assignments: [(path: ScenarioPath, value: JSONNode)], to tree: JSONNode
  ) -> JSONNode {
    assignments.reduce(tree) { tree, assignment in
      (try? assignment.path.setting(assignment.value, in: tree)) ?? tree
    }
  }

  // MARK: - Making the plan

  private static func variants(
    of document: ScenarioDocument, problems: ProblemList
  ) -> [(name: String?, tree: JSONNode)] {
    var base = document.tree
    base.value = .object((base.members ?? []).filter { !expansionKeys.contains($0.key) })
    guard let node = document.tree["variants"] else { return [(nil, base)] }
    guard let members = node.statedMembers else {
      JSONField(node, at: "variants", problems: problems)
        .reportUnusable(expected: "an object of names and overlays")
      return [(nil, base)]
    }
    node.reportEntryCalledNote(to: problems)
    guard !members.isEmpty else {
      problems.error(
        at: node.position, "\"variants\" names no variant. Write one, or remove the key.")
      return [(nil, base)]
    }
    let overlay = Overlay(problems: problems)
    return members.compactMap { member in
      guard RunName.isSafe(member.key) else {
        problems.error(
          at: member.keyPosition,
          "A variant's name consists of at most \(RunName.maximumLength) letters, digits, \"-\", "
            + "\"_\", \"#\" and \".\", the first of them no \".\"; \"\(member.key)\" does not."
        )
        return nil
      }
      guard let changes = member.value.members else {
        problems.error(
          at: member.value.position,
          "A variant is an object that is laid over the file, not \(member.value.quoted).")
        return nil
      }
      for change in changes where keysOfTheFile.contains(change.key) {
        problems.error(
          at: change.keyPosition,
          "\"\(change.key)\" belongs to the file as a whole and cannot stand in a variant.")
      }
      let repetitions = changes.first { $0.key == "random" }?.value.members ?? []
      for change in repetitions where change.key == "replicates" {
        problems.error(
          at: change.keyPosition,
          "\"random.replicates\" belongs to the file as a whole and cannot stand in a variant.")
      }
      return (member.key, overlay.merged(base, member.value) ?? base)
    }
  }

  private func checkBudget(_ problems: ProblemList) {
    let node = document.tree["budget"]?["maxRuns"]
    let limit = BudgetBlock(of: document.tree).maximumRuns
    guard count > limit else { return }
    var factors: [String] = []
    if variants.count > 1 { factors.append("\(variants.count) variants") }
    for axis in axes {
      factors.append("\(WordList.counted(axis.points.count, "value")) of \(axis.paths[0].path)")
    }
    if let cohort { factors.append(WordList.counted(cohort.members.count, "patient")) }
    if replicates > 1 { factors.append("\(replicates) replicates") }
    problems.error(
      at: node?.position ?? document.tree.position,
      """
      The scenario expands to \(count) runs (\(factors.joined(separator: " × "))), above the \
      budget \
      of \(limit). Narrow it, or raise budget.maxRuns.
      """)
  }
}
