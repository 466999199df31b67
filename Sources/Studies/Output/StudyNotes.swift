internal import RunPlans
internal import StructuredText

/// What is to be known beside the figures of a study, in one wording for its text and its page.
extension StudyComparison {
  /// That the sensors of the two arms did not show readings for as long, or showed few; `nil` where
  /// they did and showed enough.
  public var wearSentence: String? {
    wear.map { wear in
      let why =
        (wear.differs ? ["is not the same time"] : [])
        + (wear.isScarce
          ? ["leaves out more than the consensus allows, which asks for \(Self.enoughWear)"] : [])
      return "the sensor showed readings for \(StudyNumber.fixed(wear.control, 1)) % of the time "
        + "under \(control) and \(StudyNumber.fixed(wear.treatment, 1)) % under \(treatment): what "
        + "is measured on it (@cgm) \(why.joined(separator: ", and "))."
    }
  }

  /// The share of the time for which the consensus asks readings, with its unit.
  static let enoughWear = "\(StudyNumber.text(SensorWear.enough)) %"

  /// That intervals take the patients as one group although the study has groups; `nil` where none
  /// does.
  public var ungroupedSentence: String? {
    let ids = results.filter { $0.differences?.hasUnusableStrata == true }.map(\.endPoint.id)
    guard !ids.isEmpty else { return nil }
    return "\(WordList.text(ids, atMost: Self.mostNamed)): the interval takes all patients as one "
      + "group, since a group of \"strata\" has a single patient, or none differs within its group."
  }

  /// The most end points that are named.
  private static var mostNamed: Int { 8 }

  /// How large the margin of each goal is beside the mean under the control, and whether it is
  /// larger than that: a margin of 2 points at a mean of 0.3 allows nearly eight times as much.
  public var marginSentences: [(sentence: String, isLarge: Bool)] {
    results.compactMap { result in
      guard let goal = result.endPoint.goal, goal.kind != .superior,
        let mean = result.control?.mean.magnitude
      else { return nil }
      let words = EndPointWords(result.endPoint)
      let isLarge = goal.margin > mean
      let ratio = mean > 0 ? goal.margin / mean : .infinity
      let times =
        ratio < 1e6
        ? "\(StudyNumber.fixed(ratio, 2)) times the mean" : "beside a mean of next to nothing"
      return (
        "\(words.name): the margin of \(words.difference(StudyNumber.text(goal.margin))) is "
          + "\(times) under \(control)"
          + (isLarge ? "; the mean itself is less" : ""), isLarge
      )
    }
  }
}

extension StudyAnalysis {
  /// How wide the first interval has become, beside what was wished for; `nil` without a pilot.
  public var precisionSentence: String? {
    guard let pilot = study.plan.pilot, let first = comparisons.first?.results.first
    else { return nil }
    let finer = EndPointWords(first.endPoint).decimals + 1
    let isWider = reachedHalfWidth.map { $0 > pilot.halfWidth } ?? true
    let which = comparisons.count > 1 ? "widest interval" : "interval"
    return "the \(which) of \(first.endPoint.id) reaches "
      + "\(StudyNumber.fixed(reachedHalfWidth, finer)) to each side, "
      + "\(isWider ? "more than" : "within") the \(StudyNumber.text(pilot.halfWidth)) wished for "
      + "by a pilot of \(WordList.counted(pilot.patients, "patient"))"
  }
}
