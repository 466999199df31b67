internal import Outcomes
internal import ScenarioLanguage
internal import StructuredText

extension StudyReader {
  /// Warns of a half width that is more likely in the other unit of glucose.
  func warnOfUnits(_ precision: StudyDesign.Precision?, of metric: Metric, in item: Field) {
    guard let precision, metric.unit == .glucose else { return }
    item["halfWidth"].warnOfMarginInOtherUnit(precision.halfWidth, called: "a half width")
  }

  /// Warns where a patient counts as harmed by what is good.
  func warnOfHarm(
    _ harm: StudyEndPoint.Harm?, of metric: Metric, where better: BetterDirection, in item: Field
  ) {
    // Of a mean either end may harm; of a share of time only that which is not good.
    let isShare = metric.name.isShareOfTime
    switch (harm, better) {
    case (.more?, .higher):
      item["harm"]["more"].warning(Self.contrary("more", .higher, instead: "below"))
    case (.above?, .higher) where isShare:
      item["harm"]["above"].warning(Self.contrary("more", .higher, instead: "below"))
    case (.below?, .lower) where isShare:
      item["harm"]["below"].warning(Self.contrary("less", .lower, instead: "above"))
    default: break
    }
  }

  private static func contrary(
    _ amount: String, _ better: BetterDirection, instead key: String
  ) -> String {
    "Who has \(amount) is harmed by this, and better: '\(better.rawValue)' says that \(amount) is "
      + "good. Write { \(key): x }, or correct \"better\"."
  }

  /// Warns of a margin or a limit of harm that no share of time reaches, and of a margin that is
  /// more likely a fraction.
  func warnOfShares(
    _ goal: Goal?, _ harm: StudyEndPoint.Harm?, of metric: Metric, in item: Field
  ) {
    guard metric.name.isShareOfTime else { return }
    if let goal {
      let margin = JSONField.shortText(goal.margin)
      if goal.margin >= 100 {
        item[goal.word].warnOfNoEffect(
          "\(metric) is in percent, and no two arms differ by more than 100 points: this goal is "
            + "\(goal.kind == .superior ? "never met." : "met whatever happens.")")
      } else if metric.name == .tir, goal.kind != .superior, goal.margin <= 0.1 {
        // Margins of time in range are points, in trials 3 to 10.
        item[goal.word].warning(
          code: "W-PERCENT",
          "\(metric) is in percent, so that a margin of \(margin) is next to nothing. Did you mean "
            + "\(JSONField.shortText(goal.margin * 100))?")
      }
    }
    let isReached =
      switch harm {
      case .above(let limit)?, .more(let limit)?: limit < 100
      case .below(let limit)?: limit > 0
      case nil: true
      }
    guard !isReached else { return }
    item["harm"].warnOfNoEffect(
      "\(metric) is in percent, from 0 to 100: nobody counts as harmed by this.")
  }

  /// Warns of a margin or a limit of harm that is more likely in the other unit of glucose.
  func warnOfUnits(
    _ goal: Goal?, _ harm: StudyEndPoint.Harm?, of metric: Metric, in item: Field
  ) {
    if metric.unit == .glucose, let goal, goal.kind != .superior {
      item[goal.word].warnOfMarginInOtherUnit(goal.margin)
    }
    if metric.unit == .glucose, case .more(let difference)? = harm {
      // Somebody's highest glucose may well be 5 mmol/L higher.
      item["harm"]["more"].warnOfMarginInOtherUnit(difference, called: "a difference", from: 10)
    }
    guard metric.name.isLevelOfGlucose else { return }
    switch harm {
    case .above(let limit)?: item["harm"].warnOfLimitInOtherUnit(limit)
    case .below(let limit)?: item["harm"].warnOfLimitInOtherUnit(limit, isFloor: true)
    case .more?, nil: break
    }
  }
}
