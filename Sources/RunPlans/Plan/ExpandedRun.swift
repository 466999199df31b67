public import ScenarioLanguage
public import StructuredText

/// One run of a scenario, with nothing left to choose.
public struct ExpandedRun: Sendable {
  /// The run's name: `id[/variant][/sweep point][/patient][/replicate]`.
  ///
  /// It is the same on every machine and at every time, and a path that every file system takes.
  public let id: String
  /// The scenario's own name.
  public let scenario: String
  /// The file of the scenario.
  public let file: String
  /// The variant; nothing when the scenario has none.
  public let variant: String?
  /// The place in the sweep; nothing when there is no sweep.
  public let point: Int?
  /// The patient of the cohort; nothing when there is no cohort.
  public let patient: String?
  /// The patient's name in the table where the run's is another; `nil` where they are the same.
  public var writtenPatient: String?
  /// The number of the replicate, from 0; where there is just one, it may say which it is.
  public var replicate: Int {
    hasReplicates ? repetition : RandomBlock(of: tree).replicate ?? repetition
  }
  /// The number of the replicate in its plan, from 0.
  private let repetition: Int
  /// Whether there are several, of which the scenario may not say which it is.
  package let hasReplicates: Bool
  /// What the sweep and the cohort set, the sweep first.
  public private(set) var assignments: [(path: ScenarioPath, value: JSONNode)]
  /// Which one it is of its plan, as it was asked for there.
  package var index = 0
  /// How many of the assignments are the sweep's.
  var sweptCount = 0
  /// The whole scenario of this run, every value with the place where it was written.
  public private(set) var tree: JSONNode
  /// Which files the run may name.
  package let reach: FileReach
  /// The arm whose chance the run has, where arms do not share it; `nil` where they do.
  public internal(set) var chanceArm: String?
  /// The seed of the run itself, where its result states it; `nil` where it is drawn from the
  /// scenario's, as ``RunSeed`` says.
  public var statedSeed: UInt64?
  /// Whether the body gets a twin with finer steps, so that the result says what that changes.
  public var checksStep = false
  /// Whether the scenario has a block `study`.
  package let isOfStudy: Bool

  init(
    document: ScenarioDocument, variant: String?, point: Int?, patient: String?, replicate: Int,
    hasReplicates: Bool, assignments: [(path: ScenarioPath, value: JSONNode)], tree: JSONNode
  ) {
    assert(replicate >= 0, "Replicates are counted from 0.")
    var parts = [document.id]
    if let variant { parts.append(variant) }
    if let point { parts.append("s\(point)") }
    if let patient { parts.append(patient) }
    if hasReplicates { parts.append("r\(replicate)") }
    id = parts.joined(separator: "/")
    scenario = document.id
    file = document.file
    reach = document.reach
    isOfStudy = document.tree["study"] != nil
    self.variant = variant
    self.point = point
    self.patient = patient
    repetition = replicate
    self.hasReplicates = hasReplicates
    self.assignments = assignments
    self.tree = tree
  }

  /// What the sweep sets at the run's point; nothing when there is no sweep.
  public var settings: ArraySlice<(path: ScenarioPath, value: JSONNode)> {
    assignments.prefix(sweptCount)
  }

  /// The same run with values set at paths, as a sweep sets them.
  public func setting(
    _ assignments: [(path: ScenarioPath, value: JSONNode)]
  ) throws(ScenarioPath.Trouble) -> ExpandedRun {
    var run = self
    for (path, value) in assignments { run.tree = try path.setting(value, in: run.tree) }
    run.assignments += assignments
    return run
  }

  /// The patient whose chance the run has; `nil` where it has the scenario's own.
  ///
  /// With `random.patients: 'same'` all patients of a cohort live one and the same day. A single
  /// run that was taken out of a cohort says whose chance it has as `random.patient`; where arms do
  /// not share it, the arm's name follows the patient's.
  public var chanceOf: String? {
    let random = RandomBlock(of: tree)
    guard let patient else { return random.patient }
    if random.isShared { return nil }
    return chanceArm.map { "\(patient)/\($0)" } ?? patient
  }

  /// Whether the run's seed is another than the scenario's own.
  public var drawsSeed: Bool { replicate > 0 || chanceOf != nil }

  /// The seed that the file states, 0 when it states none.
  public var seed: UInt64 { UInt64(RandomBlock(of: tree).seed) }
}
