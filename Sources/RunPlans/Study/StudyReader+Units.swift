internal import Outcomes
internal import ScenarioLanguage

extension StudyReader {
  /// Warns of a margin or a limit of harm that is more likely in the other unit of glucose.
  func warnOfUnits(
    _ goal: Goal?, _ harm: StudyEndPoint.Harm?, of metric: Metric, in item: Field
  ) {
    if metric.unit == .glucose, let goal, goal.kind != .superior {
      item[goal.word].warnOfMarginInOtherUnit(goal.margin)
    }
    guard metric.name.isLevelOfGlucose else { return }
    switch harm {
    case .above(let limit)?: item["harm"].warnOfLimitInOtherUnit(limit)
    case .below(let limit)?: item["harm"].warnOfLimitInOtherUnit(limit, isFloor: true)
    case .more?, nil: break
    }
  }
}
