internal import RunPlans
internal import StructuredText

/// The answer of one comparison.
struct ComparisonSentence {
  private let comparison: StudyComparison

  /// Takes the answer of a comparison.
  init(_ comparison: StudyComparison) { self.comparison = comparison }

  /// The sentence.
  var text: String {
    let (failed, count) = (comparison.runs.failed, comparison.runs.count)
    return answer + seen
      + (failed > 0 ? "; \(failed) of \(WordList.counted(count, "run")) failed." : ".")
  }

  /// That the sensor showed too little for an answer by it.
  private var seen: String {
    let arms = comparison.scarcelySeen
    return arms.isEmpty
      ? ""
      : "; the sensor showed readings for less than \(StudyComparison.enoughWear) of the time "
        + "with " + arms.joined(separator: " and with ")
  }

  /// The sentence without what is said of missing readings and of failed runs.
  private var answer: String {
    guard let first = comparison.results.first else { return "The study has no end point" }
    let deaths = comparison.lethalRuns
    if deaths.treatment > deaths.control {
      return
        "Harm: \(WordList.counted(deaths.treatment, "run")) ended in death with "
        + "\(comparison.treatment), "
        + "\(deaths.control) with \(comparison.control)"
    }
    if comparison.runs.areEqual {
      return "\(comparison.treatment) and \(comparison.control) are equal in every run"
        + (comparison.runs.failed > 0 ? " that did not fail" : "")
    }
    return verdict(first) + "; " + harm + effect(first) + others(besides: first) + deathsUnderBoth
  }

  /// The primary end points after the first that go against the treatment: those that are worse
  /// and, where the first meets its goal, those that do not meet theirs.
  private func others(besides first: EndPointResult) -> String {
    let told = comparison.results.dropFirst().filter { result in
      guard result.endPoint.role == .primary else { return false }
      return switch result.verdict {
      case .worse: true
      case .notMet, .notEstimable: first.verdict == .met
      case .met, .notTested, nil: false
      }
    }
    return told.map { result in
      let arm = comparison.treatment
      let name = EndPointWords(result.endPoint).name
      let words =
        switch result.verdict {
        case .worse: "\(arm) is worse than \(comparison.control) in \(name)"
        case .notEstimable: "whether \(arm) meets its goal in \(name) cannot be told"
        case .met, .notMet, .notTested, nil: verdict(result)
        }
      return "; but \(words): \(effect(result))"
    }.joined()
  }

  private func verdict(_ result: EndPointResult) -> String {
    let (arm, control) = (comparison.treatment, comparison.control)
    let words = EndPointWords(result.endPoint)
    let name = words.name
    let margin = words.difference(StudyNumber.text(result.endPoint.goal?.margin ?? 0))
    guard let goal = result.endPoint.goal else { return "\(arm) against \(control)" }
    switch (goal, result.verdict) {
    case (_, .notEstimable), (_, nil): return "Whether \(arm) meets its goal cannot be told"
    case (.superior(let by), .met):
      return "\(arm) is better than \(control) in \(name)"
        + (by > 0 ? " by more than \(margin)" : "")
    case (.superior, .worse): return "\(arm) is worse than \(control) in \(name)"
    case (.superior(let by), _):
      return "\(arm) was not shown to be better than \(control) in \(name)"
        + (by > 0 ? " by more than \(margin)" : "")
    case (.noninferior, .worse), (.equivalent, .worse):
      return "\(arm) is worse than \(control) in \(name)"
        + (result.test?.isWorseByMargin == true
          ? " by more than \(margin)" : ", and was not shown to keep within \(margin)")
    case (.noninferior, .met): return "\(arm) is not worse than \(control) by \(margin) in \(name)"
    case (.noninferior, _):
      return "\(arm) was not shown to keep within \(margin) of \(control) in \(name)"
    case (.equivalent, .met):
      return "\(arm) and \(control) differ by less than \(margin) in \(name)"
    case (.equivalent, _):
      return "\(arm) was not shown to keep within \(margin) of \(control) in \(name)"
    }
  }

  /// Deaths where the treatment has no more of them than the control.
  private var deathsUnderBoth: String {
    let deaths = comparison.lethalRuns
    guard deaths.control > 0 else { return "" }
    return "; \(WordList.counted(deaths.control, "run")) ended in death with "
      + "\(comparison.control), \(deaths.treatment) with \(comparison.treatment)"
  }

  private var harm: String {
    guard let harmed = comparison.harmed else { return "" }
    if harmed.count == 0 { return "whom it harmed is not known; " }
    let any = harmed.newly == 0 ? "any" : "at least one"
    let rules = harmed.rules > 1 ? " by \(any) of \(harmed.rules) rules" : ""
    let partly =
      harmed.partly > 0 ? " (not every rule can judge \(harmed.partly) of the patients)" : ""
    return "it newly harmed \(harmed.newly) of \(WordList.counted(harmed.count, "patient"))"
      + "\(rules) and spared \(harmed.spared)\(partly); "
  }

  private func effect(_ result: EndPointResult) -> String {
    guard let differences = result.differences, let interval = result.toldInterval else {
      return "no patient has a difference"
    }
    let words = EndPointWords(result.endPoint)
    let decimals = words.decimals
    let amount = StudyNumber.fixed(differences.mean.magnitude, decimals)
    let isNone = amount.allSatisfy { $0 == "0" || $0 == "." }
    let word = isNone ? "changed" : differences.mean > 0 ? "rose" : "fell"
    return "\(words.name) \(word) by \(words.difference(amount)) "
      + "[\(StudyNumber.fixed(interval.lower, decimals)), "
      + "\(StudyNumber.fixed(interval.upper, decimals))]"
      + (result.missing > 0 ? " in \(result.countOfAll)" : "")
  }
}
