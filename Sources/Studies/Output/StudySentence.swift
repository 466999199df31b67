internal import RunPlans
internal import StructuredText

/// The answer of a study in one sentence: the verdict, harm, and the effect with its interval.
public struct StudySentence {
  private let analysis: StudyAnalysis

  /// Takes the answer of a study.
  public init(_ analysis: StudyAnalysis) { self.analysis = analysis }

  /// The sentence; of several comparisons it counts those that meet their goals.
  public var text: String {
    let design = analysis.study.design
    if design.sampled != nil {
      let answer =
        analysis.sensitivity.first.map { SensitivitySentence($0).text }
        ?? "The study has no end point."
      return answer + deaths + failed
    }
    let comparisons = analysis.comparisons
    guard comparisons.count > 1 else {
      return comparisons.first.map { ComparisonSentence($0).text } ?? "The study compares nothing."
    }
    let deadly = comparisons.count { $0.lethalRuns.treatment > $0.lethalRuns.control }
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
      deadly == 0
      ? "" : "Harm: more runs ended in death at \(deadly) of \(comparisons.count) \(what). "
    return start + "\(met) of \(comparisons.count) \(what) meet every primary goal against "
      + "\(comparisons[0].control), at "
      + "\(StudyNumber.fixed(analysis.goalConfidence, 1)) % confidence each."
      + (deadly == 0 ? deaths : "") + harm(what) + equal + seen(what) + failed
  }

  /// In how many comparisons the sensor showed too little for an answer by it.
  private func seen(_ what: String) -> String {
    let count = analysis.comparisons.count { !$0.scarcelySeen.isEmpty }
    return count == 0
      ? ""
      : " At \(count) of \(analysis.comparisons.count) \(what) the sensor showed readings for "
        + "less than \(StudyComparison.enoughWear) of the time under an arm."
  }

  /// Where patients are newly harmed, and where most are.
  private func harm(_ what: String) -> String {
    let known = analysis.comparisons.compactMap { comparison in
      comparison.harmed.map { (name: comparison.name, harmed: $0) }
    }
    let harming = known.filter { $0.harmed.newly > 0 }
    guard let first = harming.first else {
      let judged = known.count { $0.harmed.count > 0 }
      if judged == 0 { return "" }
      return judged == known.count
        ? " Nobody is newly harmed."
        : " Nobody is newly harmed in \(judged) of \(known.count) \(what); of the others nothing "
          + "is known."
    }
    let most = harming.dropFirst().reduce(first) { $1.harmed.newly > $0.harmed.newly ? $1 : $0 }
    let alike = harming.filter {
      $0.harmed.newly == most.harmed.newly && $0.harmed.count == most.harmed.count
    }.map(\.name)
    return " Patients are newly harmed in \(harming.count) of \(known.count) \(what), most with "
      + "\(WordList.text(alike, atMost: Self.mostNamed)): \(most.harmed.newly) of "
      + "\(most.harmed.count)\(alike.count > 1 ? " each" : "")."
  }

  /// Which treatments have the same runs as their control.
  private var equal: String {
    let names = analysis.comparisons.filter(\.runs.areEqual).map(\.name)
    guard let control = analysis.comparisons.first?.control, !names.isEmpty else { return "" }
    return " Equal to \(control) in every run: \(WordList.text(names, atMost: Self.mostNamed))."
  }

  private var deaths: String {
    let flow = analysis.flow
    return flow.lethal > 0
      ? " \(flow.lethal) of \(WordList.counted(flow.planned, "run")) ended in death." : ""
  }

  private var failed: String {
    let flow = analysis.flow
    return flow.failed > 0
      ? " \(flow.failed) of \(WordList.counted(flow.planned, "run")) failed." : ""
  }

  /// The most treatments that are named.
  private static let mostNamed = 4
}
