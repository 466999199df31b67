internal import Scenarios

/// The answer of a study in one sentence: the verdict, harm, and the effect with its interval.
public struct StudySentence {
  private let analysis: StudyAnalysis

  /// Takes the answer of a study.
  public init(_ analysis: StudyAnalysis) { self.analysis = analysis }

  /// The sentence; of several comparisons it counts those that meet their goals.
  public var text: String {
    let design = analysis.study.design
    if design.sampled != nil {
      return analysis.sensitivity.first.map { SensitivitySentence($0).text }
        ?? "The study has no end point."
    }
    let comparisons = analysis.comparisons
    guard comparisons.count > 1 else {
      return comparisons.first.map { ComparisonSentence($0).text } ?? "The study compares nothing."
    }
    let harmed = comparisons.filter { $0.lethalRuns.treatment > $0.lethalRuns.control }
    let met = comparisons.count { comparison in
      comparison.results.contains {
        $0.endPoint.role == .primary && $0.verdict != nil
      }
        && comparison.results.allSatisfy {
          $0.endPoint.role != .primary || $0.verdict == .met
        }
    }
    let what = design.controlPoint == nil ? "comparisons" : "points"
    let start =
      harmed.isEmpty
      ? "" : "Harm: more runs ended in death at \(harmed.count) of \(comparisons.count) \(what). "
    return start + "\(met) of \(comparisons.count) \(what) meet every primary goal against "
      + "\(comparisons[0].control), at "
      + "\(StudyNumber.fixed(analysis.goalConfidence, 1)) % confidence each."
  }
}
