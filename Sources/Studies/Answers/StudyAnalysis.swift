internal import Outcomes
internal import ScenarioLanguage
internal import Scenarios

/// What a whole study found: computed from the bytes of its cases alone.
public struct StudyAnalysis: Sendable {
  /// What became of the runs.
  public struct Flow: Sendable {
    /// How many runs the plan has.
    public var planned = 0
    /// How many runs came to their end.
    public var ok = 0
    /// How many runs ended with the death of the body.
    public var lethal = 0
    /// How many runs could not be carried out.
    public var failed = 0
    /// Why runs failed, with how many, the most frequent first.
    public var reasons: [(reason: String, count: Int)] = []
    /// Patients whose control is outside what the models were made for.
    public var implausible: [String] = []
  }

  /// A treatment against its control.
  public struct Comparison: Sendable {
    /// The arm that stands for what is usual.
    public var control: String
    /// The arm that is compared with it.
    public var treatment: String
    /// What the sweep sets at the treatment's point; empty without a sweep.
    public var settings: [(path: String, value: String)]
    /// The point of the sweep.
    public var point: Int
    /// What was found of each end point.
    public var results: [EndPointResult]
    /// Lethal runs under control and treatment, and the patients who changed.
    public var lethalRuns: (control: Int, treatment: Int)
    /// The patients who died under one arm alone.
    public var deaths: ChangedPatients
    /// The first primary result without implausible patients; `nil` where there are none.
    public var plausible: EndPointResult?
    /// Every patient's day under both, in one order.
    public var patterns: (control: [PatientPattern], treatment: [PatientPattern]) = ([], [])

    /// The end points with a rule of harm.
    public var harms: [EndPointResult] { results.filter { $0.endPoint.harm != nil } }
  }

  /// What was asked.
  public let study: StudyProtocol
  /// What became of the runs.
  public let flow: Flow
  /// The comparisons, in the order of the arms; none where a sweep is sampled, as its points are
  /// not compared one by one.
  public let comparisons: [Comparison]
  /// How much the settings of a sampled sweep matter to each end point; empty without one.
  public let sensitivity: [SensitivityResult]
  /// The confidence at which goals are tested, in percent: all comparisons share the error.
  public let goalConfidence: Double

  /// The most comparisons for which the days of all patients are kept.
  private static let mostPatterns = 4

  /// Analyses a table of cases.
  public init(_ table: CaseTable, of study: StudyProtocol) {
    self.study = study
    let pairs = Self.pairs(study)
    goalConfidence = Multiplicity.confidence(study.design.confidence, arms: max(1, pairs.count))
    sensitivity = Self.sensitivity(table.rows, study)
    let flow = Self.flow(table.rows, study)
    self.flow = flow
    let confidence = goalConfidence
    // Of many points of a sweep no days are drawn.
    let hasPatterns = pairs.count <= Self.mostPatterns
    comparisons = pairs.map { pair in
      var comparison = Self.comparison(pair, table.rows, study, goalConfidence: confidence)
      if hasPatterns {
        comparison.patterns = (
          Self.patterns(table.rows, study, cell: pair.control),
          Self.patterns(table.rows, study, cell: pair.treatment)
        )
      }
      return comparison
    }
  }

  /// The cells that are compared: control and treatment, each a point and an arm.
  static func pairs(_ study: StudyProtocol) -> [(control: Int, treatment: Int)] {
    if study.design.sampled != nil { return [] }
    let arms = study.plan.arms.count
    if let point = study.design.controlPoint {
      return (0..<study.plan.points).filter { $0 != point }.map { (point, $0) }
    }
    return (0..<study.plan.points).flatMap { point in
      (0..<arms).filter { $0 != study.design.controlVariant }.map {
        (point * arms + study.design.controlVariant, point * arms + $0)
      }
    }
  }

  private static func comparison(
    _ pair: (control: Int, treatment: Int), _ rows: [CaseRow], _ study: StudyProtocol,
    goalConfidence: Double
  ) -> Comparison {
    let points = study.design.endPoints
    var results = points.indices.map { index in
      EndPointResult(
        rows, of: study, endPoint: index, control: pair.control, treatment: pair.treatment,
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
    let deaths = Self.deaths(pair, rows, study)
    let arms = study.plan.arms
    let point = pair.treatment / arms.count
    let settings = study.settings(at: point).map {
      ($0.path.description, StudyNumber.setting($0.value))
    }
    func name(_ cell: Int) -> String {
      if study.design.controlPoint == nil { return arms[cell % arms.count] }
      return study.settings(at: cell).map { StudyNumber.setting($0.value) }
        .joined(separator: " × ")
    }
    return Comparison(
      control: name(pair.control), treatment: name(pair.treatment), settings: settings,
      point: point, results: results, lethalRuns: deaths.runs, deaths: deaths.patients)
  }

  private static func deaths(
    _ pair: (control: Int, treatment: Int), _ rows: [CaseRow], _ study: StudyProtocol
  ) -> (runs: (Int, Int), patients: ChangedPatients) {
    let plan = study.plan
    var runs = (control: 0, treatment: 0)
    var newly = 0
    var spared = 0
    for patient in 0..<plan.patients {
      var died = (control: false, treatment: false)
      for replicate in 0..<plan.replicates {
        let base = (patient * plan.replicates + replicate) * plan.runsPerUnit
        if rows[base + pair.control].status == .lethal {
          runs.control += 1
          died.control = true
        }
        if rows[base + pair.treatment].status == .lethal {
          runs.treatment += 1
          died.treatment = true
        }
      }
      if died.treatment, !died.control { newly += 1 }
      if died.control, !died.treatment { spared += 1 }
    }
    return (runs, ChangedPatients(newly: newly, spared: spared))
  }

  private static func flow(_ rows: [CaseRow], _ study: StudyProtocol) -> Flow {
    var flow = Flow(planned: rows.count)
    var reasons: [String: Int] = [:]
    for row in rows {
      switch row.status {
      case .ok: flow.ok += 1
      case .lethal: flow.lethal += 1
      case .failed:
        flow.failed += 1
        reasons[row.reason, default: 0] += 1
      }
    }
    flow.reasons = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, $0.value) }
    let first = study.design.endPoints.count
    func column(_ name: String) -> Int {
      first + (StandardFigure.all.firstIndex { $0.name == name } ?? 0)
    }
    let (most, least, range) = (column("max_true"), column("min_true"), column("tir"))
    // Of a sampled sweep any point may be the one at which a patient is beyond the model.
    let controls =
      study.design.sampled == nil
      ? Set(pairs(study).map(\.control)) : Set(0..<study.plan.runsPerUnit)
    for row in rows {
      let cell = row.number % study.plan.runsPerUnit
      guard controls.contains(cell), flow.implausible.last != row.patient else { continue }
      let isOutside =
        (row.values[most] ?? 0) > 600 || (row.values[least] ?? 100) < 20
        || (row.values[range] ?? 100) < 20
      if isOutside { flow.implausible.append(row.patient) }
    }
    return flow
  }
}

/// Numbers as a study prints them.
public enum StudyNumber {
  /// A number without a needless fraction.
  public static func text(_ value: Double) -> String { CaseRow.text(value) }
}
