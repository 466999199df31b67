internal import Determinism
internal import Outcomes
internal import Quantities
internal import RunPlans
public import Scenarios
public import Simulation
internal import StructuredText

/// What becomes of the run of a case.
public enum CaseCourse: Sendable {
  /// It was lived through.
  case over(RunResult)
  /// It broke off, for a reason that is kept in its row.
  case failed(String)
  /// It was asked to stop, and has no row.
  case stopped
}

extension StudyProtocol {
  /// How often a run that is under way is asked whether to stop, in steps.
  private static let stepsBetweenLooks = 32

  /// Carries out one case and keeps its row; `nil` when it was asked to stop.
  ///
  /// Nothing but the row outlives the run.
  ///
  /// - Parameters:
  ///   - item: The case.
  ///   - programs: Who lives through runs in which programs have a part.
  ///   - shouldStop: Asked now and then.
  /// - Returns: Its row.
  /// - Throws: What `programs` throws.
  public func carryOut<Trouble: Error>(
    _ item: Case, programs: (BuiltRun) throws(Trouble) -> CaseCourse,
    shouldStop: () -> Bool = { false }
  ) throws(Trouble) -> CaseRow? {
    let expanded = run(of: item)
    let problems = ProblemList()
    let built = RunBuilder.build(expanded, problems: problems)
    let seed = built?.setup.seed ?? expanded.seed
    var row = CaseRow(item, of: self, run: expanded, seed: seed)
    guard let built else {
      row.reason =
        problems.sorted.first { $0.severity == .error }?.sentence ?? "It cannot be built."
      return row
    }
    let course =
      built.programs.isEmpty ? Self.course(of: built, shouldStop) : try programs(built)
    let result: RunResult
    switch course {
    case .over(let whole): result = whole
    case .failed(let reason):
      row.reason = reason
      return row
    case .stopped: return nil
    }
    row.ended = result.clock.iso8601(result.end)
    row.days = (result.end - result.start).hours / 24
    row.digest = RunningDigest.hexadecimal(of: result.digest)
    if let violation = result.violations.first {
      row.reason = violation.text
      return row
    }
    guard result.trace.rows.allSatisfy({ $0.trueGlucose.mgdL.isFinite }) else {
      row.reason = "The body's glucose is no number."
      return row
    }
    row.status = result.lethalEnd == nil ? .ok : .lethal
    let measurement = CaseMeasurement(result, plannedEnd: built.setup.end)
    row.values =
      design.endPoints.map { measurement.value(of: $0.metric, daily: $0.daily) }
      + StandardFigure.all.map { figure -> Double? in
        figure.name == StandardFigure.differences
          ? Double(result.agreement.differences.count) : measurement.value(of: figure)
      }
    row.hours = HourlyFigures(measurement.pattern)
    return row
  }

  /// Carries out one case in which no program has a part.
  public func carryOut(_ item: Case, shouldStop: () -> Bool = { false }) -> CaseRow? {
    carryOut(
      item, programs: { .failed("\($0.programs[0].sentence), and none may be started here.") },
      shouldStop: shouldStop)
  }

  /// Lives through a run without programs.
  private static func course(of built: BuiltRun, _ shouldStop: () -> Bool) -> CaseCourse {
    var run = Run(built.setup)
    var steps = 0
    while run.step() {
      steps += 1
      if steps.isMultiple(of: stepsBetweenLooks), shouldStop() { return .stopped }
    }
    var result = (consume run).finish()
    result.releaseStore()
    return .over(result)
  }
}
