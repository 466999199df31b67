internal import RunPlans

/// What a whole study found: computed from the bytes of its cases alone.
///
/// It holds numbers. What they are told as is made of it by ``StudySentence``, ``StudyText``,
/// ``StudySummary``, ``StudyChecklist`` and ``StudyTables``.
public struct StudyAnalysis: Sendable {
  /// What was asked.
  public let study: StudyProtocol
  /// What became of the runs.
  public let flow: StudyFlow
  /// The comparisons, in the order of the arms; none where a sweep is sampled, as its points are
  /// not compared one by one.
  public let comparisons: [StudyComparison]
  /// How much the settings of a sampled sweep matter to each end point; empty without one.
  public let sensitivity: [SensitivityResult]
  /// How strongly the first end point follows the axes of a sweep.
  let doseResponse: DoseResponse
  /// The confidence at which goals are tested, in percent: all comparisons share the error.
  public let goalConfidence: Double

  /// The confidence of the intervals in words, and that of goals where several share the error.
  public var confidences: String {
    let confidence = study.design.confidence
    let isShared =
      goalConfidence != confidence && study.design.endPoints.contains { $0.goal != nil }
    return "\(StudyNumber.confidence(confidence)) %"
      + (isShared ? ", goals \(StudyNumber.confidence(goalConfidence)) %" : "")
  }

  /// The half width of the interval of the first end point, which `precision` wishes for, of the
  /// widest of several comparisons; `nil` where an end is missing.
  var reachedHalfWidth: Double? {
    let widths = comparisons.map { comparison -> Double? in
      guard let interval = comparison.results.first?.toldInterval, let lower = interval.lower,
        let upper = interval.upper
      else { return nil }
      return (upper - lower) / 2
    }
    let known = widths.compactMap(\.self)
    return known.count == widths.count ? known.max() : nil
  }

  /// On what the study has no answer as too many of its runs failed, a sentence each.
  public var unanswered: [String] {
    if flow.failed == flow.planned { return ["The study has no answer: every run failed."] }
    return comparisons.filter { $0.runs.pairs == 0 }.map {
      "The study has no answer on \($0.name) against \($0.control): no pair of runs is without a "
        + "failed one, and \($0.runs.failed) of \($0.runs.count) failed."
    }
  }

  /// The most comparisons for which the days of all patients are kept.
  private static let mostPatterns = 4

  /// Analyses a table of cases.
  public init(_ table: CaseTable, of study: StudyProtocol) {
    self.study = study
    let pairs = ComparedCells.all(of: study)
    let confidence = study.goalConfidence
    goalConfidence = confidence
    sensitivity = SensitivityResult.all(table.rows, of: study)
    flow = StudyFlow(table.rows, of: study)
    doseResponse = DoseResponse(table.rows, of: study)
    // Of many points of a sweep no days are drawn.
    let hasPatterns = pairs.count <= Self.mostPatterns
    comparisons = pairs.map {
      StudyComparison(
        $0, table.rows, of: study, goalConfidence: confidence, hasPatterns: hasPatterns)
    }
  }
}
