internal import RunPlans
internal import ScenarioLanguage

/// A treatment against its control.
public struct StudyComparison: Sendable {
  /// The arm that stands for what is usual.
  public let control: String
  /// The arm that is compared with it.
  public let treatment: String
  /// What the sweep sets at the treatment's point; empty without a sweep.
  public let settings: [(path: String, value: String)]
  /// The point of the sweep.
  let point: Int
  /// What was found of each end point.
  public let results: [EndPointResult]
  /// Lethal runs under control and treatment.
  public let lethalRuns: (control: Int, treatment: Int)
  /// The runs of both arms, and whether they are the same.
  public let runs: ComparedRuns
  /// The patients who died under one arm alone.
  let deaths: ChangedPatients
  /// How long the sensors showed readings, where that is to be told.
  let wear: SensorWear?
  /// Every patient's day under both, in one order; empty where there are many comparisons.
  public let patterns: (control: [PatientPattern], treatment: [PatientPattern])

  /// The treatment as it is told beside others: with the settings of its point of the sweep, where
  /// these are not its name.
  public var name: String {
    let point = StudyProtocol.name(of: settings.map(\.value))
    return point == treatment ? treatment : StudyProtocol.name(of: treatment, at: point)
  }

  /// The end points with a rule of harm.
  public var harms: [EndPointResult] { results.filter { $0.endPoint.harm != nil } }

  /// Who is harmed under one arm alone by any rule; `nil` where the study has no rule.
  public var harmed: HarmedPatients? { HarmedPatients(harms) }

  /// Whether the first primary goal is met at the shared level and no run more was lethal.
  public var isSafe: Bool {
    results.first?.test?.isMet == true && lethalRuns.treatment <= lethalRuns.control
  }

  /// Compares two cells of a study.
  ///
  /// - Parameters:
  ///   - cells: The cells, control and treatment.
  ///   - rows: The rows of the whole study.
  ///   - study: What was asked.
  ///   - goalConfidence: The confidence at which goals are tested, in percent.
  ///   - hasPatterns: Whether the days of all patients are kept.
  init(
    _ cells: ComparedCells, _ rows: [CaseRow], of study: StudyProtocol, goalConfidence: Double,
    hasPatterns: Bool
  ) {
    let arms = study.plan.arms
    func name(_ cell: Int) -> String {
      study.design.controlPoint == nil ? arms[cell % arms.count] : study.name(ofPoint: cell)
    }
    control = name(cells.control)
    treatment = name(cells.treatment)
    point = cells.treatment / arms.count
    settings = study.settings(at: point).map {
      ($0.path.description, StudyNumber.setting($0.value))
    }
    results = Self.results(cells, rows, study, goalConfidence: goalConfidence)
    runs = ComparedRuns(cells, rows, of: study)
    wear = SensorWear(cells, rows, of: study)
    (lethalRuns, deaths) = Self.deaths(cells, rows, study)
    patterns =
      hasPatterns
      ? (
        PatientPattern.all(rows, of: study, cell: cells.control),
        PatientPattern.all(rows, of: study, cell: cells.treatment)
      ) : ([], [])
  }

  /// Every end point by itself, then the verdicts of the goals among one another.
  private static func results(
    _ cells: ComparedCells, _ rows: [CaseRow], _ study: StudyProtocol, goalConfidence: Double
  ) -> [EndPointResult] {
    let points = study.design.endPoints
    var results = points.indices.map { index in
      EndPointResult(
        rows, of: study, endPoint: index, control: cells.control, treatment: cells.treatment,
        confidence: points[index].goal == nil ? study.design.confidence : goalConfidence)
    }
    let goals = results.indices.filter { results[$0].endPoint.goal != nil }
    let primary = goals.filter { results[$0].endPoint.role == .primary }
    let secondary = goals.filter { results[$0].endPoint.role == .secondary }
    let verdicts = study.design.multiplicity.verdicts(
      primary: primary.map { results[$0].test }, secondary: secondary.map { results[$0].test },
      confidence: goalConfidence)
    for (index, verdict) in zip(primary, verdicts.primary) { results[index].verdict = verdict }
    for (index, verdict) in zip(secondary, verdicts.secondary) {
      results[index].verdict = verdict
    }
    if study.design.multiplicity == .holm, verdicts.primary.allSatisfy({ $0 == .met }) {
      let adjusted = Multiplicity.holmP(secondary.map { results[$0].test })
      for (index, p) in zip(secondary, adjusted) { results[index].holmP = p }
    }
    return results
  }

  private static func deaths(
    _ cells: ComparedCells, _ rows: [CaseRow], _ study: StudyProtocol
  ) -> (runs: (control: Int, treatment: Int), patients: ChangedPatients) {
    let plan = study.plan
    var runs = (control: 0, treatment: 0)
    var newly = 0
    var spared = 0
    for patient in 0..<plan.patients {
      var died = (control: false, treatment: false)
      for replicate in 0..<plan.replicates {
        let base = (patient * plan.replicates + replicate) * plan.runsPerUnit
        if rows[base + cells.control].status == .lethal {
          runs.control += 1
          died.control = true
        }
        if rows[base + cells.treatment].status == .lethal {
          runs.treatment += 1
          died.treatment = true
        }
      }
      if died.treatment, !died.control { newly += 1 }
      if died.control, !died.treatment { spared += 1 }
    }
    return (runs, ChangedPatients(newly: newly, spared: spared))
  }
}

/// Two cells of a study that are compared; a cell is an arm at a point of the sweep.
struct ComparedCells {
  let control: Int
  let treatment: Int

  /// The pairs of a study in the order in which they are told; none of a sampled sweep.
  static func all(of study: StudyProtocol) -> [ComparedCells] {
    if study.design.sampled != nil { return [] }
    let arms = study.plan.arms.count
    if let point = study.design.controlPoint {
      return (0..<study.plan.points).filter { $0 != point }
        .map { ComparedCells(control: point, treatment: $0) }
    }
    let control = study.design.controlVariant
    return (0..<study.plan.points).flatMap { point in
      (0..<arms).filter { $0 != control }.map {
        ComparedCells(control: point * arms + control, treatment: point * arms + $0)
      }
    }
  }
}
