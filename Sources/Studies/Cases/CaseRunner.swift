internal import Determinism
internal import Outcomes
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

extension StudyProtocol {
  /// How often a run that is under way is asked whether to stop, in steps.
  private static let stepsBetweenLooks = 32

  /// Carries out one case and keeps its row; `nil` when it was asked to stop.
  ///
  /// Nothing but the row outlives the run.
  public func carryOut(_ item: Case, shouldStop: () -> Bool = { false }) -> CaseRow? {
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
    if let program = built.programs.first {
      row.reason = "\(program.sentence), and a study starts none."
      return row
    }
    var run = Run(built.setup)
    var steps = 0
    while run.step() {
      steps += 1
      if steps.isMultiple(of: Self.stepsBetweenLooks), shouldStop() { return nil }
    }
    let result = run.finish()
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
      + StandardFigure.all.map { figure in
        figure.metric.map { measurement.value(of: $0) }
          ?? Double(result.agreement.differences.count)
      }
    row.hours = HourlyFigures(measurement.pattern)
    return row
  }
}
