import Arguments
import RunPlans
import StructuredText
import Studies

extension StudyPlanning {
  /// The plan with as many patients as a pilot says, where the study leaves that to one.
  ///
  /// The pilot's patients are the first of the cohort and are never analysed, so that the intervals
  /// of the study keep their confidence.
  func afterPilot(
    with programs: StudyPrograms, to console: any Console
  ) async throws -> StudyPlanning {
    let problems = ProblemList()
    guard let study = StudyProtocol(plan, digest: "", problems: problems) else {
      throw Failure(problems.sorted)
    }
    guard let precision = study.design.precision else { return self }
    var small = plan
    small.patients = precision.pilot
    guard let pilot = StudyProtocol(small, digest: "", problems: problems) else {
      throw Failure(problems.sorted)
    }
    let units = Array(0..<small.units)
    let known = programs.knowing(plan)
    let rows = try await units.concurrentMap { unit in
      try pilot.cases(ofUnit: unit).compactMap {
        try pilot.carryOut($0, programs: known.live) { StudyWork.stop.isRequested }
      }
    }.flatMap(\.self)
    guard rows.count == small.runs else { throw StudyWork.stopped }
    let bytes = CaseRow.table(rows, header: CaseRow.header(study.design), withHeader: true)
    // The first end point has a goal, whose intervals share the error among all comparisons.
    let confidence = study.goalConfidence
    func size(
      _ comparison: StudyComparison
    ) -> (deviation: Double, count: Int, countForSkew: Int)? {
      guard let differences = comparison.results.first?.differences,
        let deviation = differences.standardDeviation,
        let wanted = StudySize.count(
          forHalfWidth: precision.halfWidth, pilot: differences, confidence: confidence)
      else { return nil }
      return (deviation, wanted.count, differences.countWantedBySkew)
    }
    let table = CaseTable(bytes, file: "pilot.cases.csv", study: pilot, problems: problems)
    let comparisons = table.map { StudyAnalysis($0, of: pilot).comparisons } ?? []
    let sizes = comparisons.compactMap(size)
    guard sizes.count == comparisons.count,
      let largest = sizes.max(by: { $0.count < $1.count })
    else {
      throw Failure(
        .badInput, "The pilot's differences do not tell how many patients are needed.")
    }
    guard precision.pilot + largest.count <= plan.patients else {
      // What the skew asks for no half width makes less.
      let isOfSkew = precision.pilot + largest.countForSkew > plan.patients
      throw Failure(
        .badInput,
        "The pilot of \(WordList.counted(precision.pilot, "patient")) asks for "
          + "\(largest.count) more; the cohort has \(plan.patients). Enlarge it"
          + (isOfSkew
            ? ": the skew of the pilot's differences asks for \(largest.countForSkew), whatever "
              + "study.precision.halfWidth is (25 × skewness²)."
            : ", or widen study.precision.halfWidth."))
    }
    var sized = plan
    sized.firstPatient = precision.pilot
    sized.patients = largest.count
    sized.pilot = .init(
      patients: precision.pilot, deviation: largest.deviation, halfWidth: precision.halfWidth,
      rowsDigest: StudyPlan.digest(of: bytes))
    console.note(
      "pilot  \(WordList.counted(precision.pilot, "patient")), standard deviation "
        + "\(StudyNumber.fixed(largest.deviation, 4)): "
        + WordList.counted(largest.count, "patient"))
    Self.tellMargins(of: comparisons, to: console)
    var planning = self
    planning.plan = sized
    return planning
  }

  /// Tells how large the margins are beside what the pilot measured under the control.
  private static func tellMargins(of comparisons: [StudyComparison], to console: any Console) {
    var told: Set<String> = []
    for margin in comparisons.flatMap(\.marginSentences)
    where told.insert(margin.sentence).inserted {
      console.note("\(margin.isLarge ? "warning" : "pilot"): \(margin.sentence)")
    }
  }
}
