import Quantities
public import RunPlans
public import ScenarioLanguage
import Scenarios
public import StructuredText

/// A study that is ready to be carried out: its plan, with the scenario read from it.
public struct StudyProtocol: Sendable {
  /// The plan.
  public let plan: StudyPlan
  /// The digest of the plan's file.
  public let digest: String
  /// What is asked.
  public let design: StudyDesign
  let runs: RunPlan

  /// Reads the scenario from the plan; what is wrong is reported, and `nil` is returned.
  ///
  /// Nothing but the plan is read.
  public init?(_ plan: StudyPlan, digest: String, problems: ProblemList) {
    var reader = ScenarioReader(files: plan.files.reading, root: nil, allowsOutside: true)
    let own = ProblemList()
    let runs = ScenarioCheck.plan(plan.file, reader: &reader, problems: own)
    problems.add(own.problems.filter { $0.severity == .error })
    guard let runs, !own.hasErrors, let design = runs.study else { return nil }
    let arms = runs.variantNames.map { $0 ?? "" }
    guard arms == plan.arms, runs.pointCount == plan.points, runs.replicates == plan.replicates,
      plan.firstPatient + plan.patients <= runs.patientCount
    else {
      problems.error(
        at: TextPosition(file: plan.file, line: 1, column: 1),
        "The plan's arms, points and patients are not those of its files: it is damaged.")
      return nil
    }
    self.plan = plan
    self.digest = digest
    self.design = design
    self.runs = runs
  }

  /// A case: one run of the study.
  public struct Case: Hashable, Sendable {
    /// The number of the case.
    public let number: Int
    /// The number of its unit: a patient and a replicate.
    public let unit: Int
    /// The place of the patient in the cohort.
    public let patient: Int
    /// The number of the replicate, from 0.
    public let replicate: Int
    /// The point of the sweep.
    public let point: Int
    /// The place of the arm.
    public let arm: Int
  }

  /// The cases of a unit: points in the order of the sweep, arms within each in that of the file.
  public func cases(ofUnit unit: Int) -> [Case] {
    (0..<plan.runsPerUnit).map { self.case(unit * plan.runsPerUnit + $0) }
  }

  /// The case with a number.
  public func `case`(_ number: Int) -> Case {
    let (unit, cell) = number.quotientAndRemainder(dividingBy: plan.runsPerUnit)
    return Case(
      number: number, unit: unit, patient: plan.firstPatient + unit / plan.replicates,
      replicate: unit % plan.replicates, point: cell / plan.arms.count,
      arm: cell % plan.arms.count)
  }

  /// The run of a case.
  public func run(of item: Case) -> ExpandedRun {
    runs.run(
      variant: item.arm, point: item.point, patient: item.patient, replicate: item.replicate)
  }

  /// The name of a patient, and the group that the table gives.
  public func patient(_ place: Int) -> (id: String, group: String?) {
    runs.patient(place)
  }

  /// What the sweep sets at a point, in the order of its paths.
  public func settings(at point: Int) -> [(path: ScenarioPath, value: JSONNode)] {
    runs.settings(at: point)
  }

  /// The name of a cell, an arm at a point of the sweep: `high`, `2 × 70`, or `high at 2 × 70`.
  ///
  /// A point that is drawn has its number.
  func name(ofCell cell: Int) -> String {
    let (point, arm) = cell.quotientAndRemainder(dividingBy: plan.arms.count)
    let values = design.sampled != nil ? "point \(point)" : name(ofPoint: point)
    return Self.name(of: plan.arms[arm], at: values)
  }

  /// The name of a point of the sweep, from what is set there: `2 × 70`; empty without a sweep.
  func name(ofPoint point: Int) -> String {
    Self.name(of: settings(at: point).map { StudyNumber.setting($0.value) })
  }

  /// The name of a point of a sweep at which these values are set.
  static func name(of values: [String]) -> String { values.joined(separator: " × ") }

  /// The name of an arm at a point of a sweep: `high at 2 × 70`, or the one that is not empty.
  static func name(of arm: String, at point: String) -> String {
    [arm, point].filter { !$0.isEmpty }.joined(separator: " at ")
  }

  /// The paths of the sweep.
  public var sweptPaths: [String] { runs.axes.flatMap { $0.paths.map(\.path.description) } }

  /// What the values in the names of points are of, such as `a × b` for `2 × 70`; `nil` without a
  /// sweep, and where points are drawn and have no names.
  var sweptWords: String? {
    guard !sweptPaths.isEmpty, design.sampled == nil else { return nil }
    let isOne = sweptPaths.count == 1
    return "\(sweptPaths.joined(separator: " × ")), by whose \(isOne ? "value" : "values") "
      + (design.controlPoint == nil ? "comparisons are told apart" : "arms are named")
  }

  /// The confidence at which goals are tested, in percent: all comparisons share the error.
  public var goalConfidence: Double {
    Multiplicity.confidence(design.confidence, arms: max(1, ComparedCells.all(of: self).count))
  }

  /// To whom random numbers belong, in words.
  public var chanceWords: String {
    "one for each patient" + (design.isPaired ? " and replicate" : ", replicate and arm")
  }

  /// What the arms set differently, with the place in the file.
  public var differences: [ArmDifference] {
    ArmDifference.all(of: runs, control: design.controlVariant)
  }
}

/// A setting in which arms differ.
public struct ArmDifference: Hashable, Sendable {
  /// The address of the setting.
  public var path: String
  /// What each arm has, in their order; `nil` where it says nothing.
  public var values: [String?]
  /// Where it is written: the file and its line.
  public var origin: String
  /// What holds for an arm that says nothing, as the schema has it; `nil` where that has nothing.
  public var standard: String?
  /// The place of the arm that all others are compared with.
  public var control = 0

  /// What each arm has, in words: `'tempBasal' (not stated)` for one that says nothing.
  ///
  /// That of the control comes first, wherever the file has it; the others follow in their order.
  public var words: [String] {
    var words = values.map { $0 ?? standard.map { "\($0) (not stated)" } ?? "not stated" }
    let first = words.remove(at: control)
    return [first] + words
  }

  /// Whether arms differ, and not only in that some state the default.
  private var isReal: Bool {
    values.contains { ($0 ?? standard) != (values[0] ?? standard) }
  }

  /// The settings in which the variants of a scenario differ, by path.
  static func all(of runs: RunPlan, control: Int) -> [ArmDifference] {
    let trees = (0..<runs.variantNames.count).map { variant in
      runs.run(variant: variant, point: 0, patient: 0, replicate: 0).origins
    }
    guard trees.count > 1 else { return [] }
    var values: [String: [String?]] = [:]
    var origins: [String: String] = [:]
    for (arm, tree) in trees.enumerated() {
      for origin in tree {
        let text = JSONWriter(style: .json5).line(origin.value)
        values[origin.path, default: trees.map { _ in nil }][arm] = text
        origins[origin.path] = "\(origin.position.file):\(origin.position.line)"
      }
    }
    let differing = values.keys.sorted().filter { path in
      guard let own = values[path], own.contains(where: { $0 != own[0] }) else { return false }
      guard own.allSatisfy({ $0 == nil || $0 == "{}" || $0 == "[]" }) else { return true }
      // A whole block or list without settings says nothing, and one within another says nothing
      // beside arms that have some in it.
      let isWithin = path.contains { $0 == "." || $0 == "[" }
      return isWithin && !values.keys.contains { $0.hasPrefix(path + ".") }
    }
    guard !differing.isEmpty else { return [] }
    let rows = SchemaTable().rows
    let isMolar =
      runs.document.tree["glucoseUnit"]?.string == GlucoseUnit.millimolesPerLitre.rawValue
    let all = differing.map { path in
      let row = rows.first { $0.path == path && $0.beside == nil }
      return ArmDifference(
        path: path, values: values[path] ?? [], origin: origins[path] ?? "",
        standard: row.flatMap { isMolar ? standardBesideMolar($0) : $0.standard },
        control: control)
    }
    return all.filter(\.isReal)
  }

  /// The default of a key in a file whose glucose is in mmol/L: glucose says that it is in mg/dL.
  private static func standardBesideMolar(_ row: SchemaTable.Row) -> String? {
    let unit = GlucoseUnit.milligramsPerDecilitre.rawValue
    guard let standard = row.standard, row.type.contains(unit), standard.contains(where: \.isNumber)
    else { return row.standard }
    return "\(standard) \(unit)"
  }
}
