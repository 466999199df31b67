internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import Simulation
internal import StructuredText

extension StateSections {
  /// The decimals of the algorithm's figures.
  ///
  /// The loop adds up effects from cycle to cycle, and the algorithm run on the input alone adds
  /// them in another order; the two agree far beyond these digits.
  static let decisionDecimals = 6

  /// The last decision of the loop: what was predicted, what was recommended, what was sent.
  var decision: Section {
    guard let decision = state.app.lastDecision else {
      return Section(
        key: "decision", title: "Last decision", rows: [word("time", "cycle", nil)])
    }
    let predicted = decision.predictedGlucose
    let rows = [
      Row("time", "cycle", time(decision.instant), clock(decision.instant)),
      word("refusal", "refusal", decision.refusal.map { "\($0)" }),
      computed(
        "insulin_on_board_U", "insulin on board", decision.insulinOnBoard, "U", decimals: 4),
      computed("carbs_on_board_g", "carbs on board", decision.carbsOnBoard, "g", decimals: 2),
      Row(
        "recommendation", "recommended", recommendation(decision.recommendation),
        recommendationText(decision.recommendation)),
      // Without commands nothing was enacted, as in open loop.
      Row(
        "outcome", decision.commands.isEmpty ? "decided" : "enacted",
        .string(decision.summary), decision.summary),
      Row(
        "commands", "commands", .array(decision.commands.map { .string("\($0)") }),
        decision.commands.isEmpty
          ? "none" : decision.commands.map { "\($0)" }.joined(separator: ", ")),
      Row(
        "predicted_glucose",
        "predicted",
        .array(
          predicted.map {
            ["time": time($0.startDate), "mgdL": figure($0.quantity.mgdL)]
          }),
        predictionText(predicted)),
    ]
    return Section(key: "decision", title: "Last decision\(byPhoneThen)", rows: rows)
  }

  /// Whose clock the times of the decision are of, where the phone's was wrong then, and how far
  /// where that has changed since.
  private var byPhoneThen: String {
    let error = state.app.clockErrorOfDecision
    guard error != .zero else { return "" }
    guard error != state.app.clockError else { return ", by the phone's clock" }
    return ", by the phone's clock, then \(error.magnitude) \(error > .zero ? "ahead" : "behind")"
  }

  private func figure(_ value: Double?) -> JSONValue { .rounded(value, Self.decisionDecimals) }

  private func computed(
    _ key: String, _ label: String, _ value: Double?, _ unit: String, decimals: Int
  ) -> Row {
    Row(key, label, figure(value), value.map { "\(decimal($0, decimals)) \(unit)" } ?? "unknown")
  }

  private func predictionText(_ predicted: [PredictedGlucose]) -> String {
    guard let last = predicted.last,
      let lowest = predicted.min(by: { $0.quantity < $1.quantity })
    else { return "none" }
    return "\(words(last.quantity, decimals: 1)) at \(clock(last.startDate)), lowest "
      + "\(words(lowest.quantity, decimals: 1)) at \(clock(lowest.startDate))"
  }

  private func recommendation(_ recommendation: Recommendation?) -> JSONValue {
    switch recommendation {
    case nil: return .null
    case .manual(let bolus): return ["bolus_U": figure(bolus.amount)]
    case .automatic(let dose):
      return [
        "rate_U_per_h": figure(dose.basalAdjustment.unitsPerHour),
        "duration_seconds": .number(dose.basalAdjustment.duration.seconds),
        "bolus_U": figure(dose.bolusUnits),
      ]
    }
  }

  private func recommendationText(_ recommendation: Recommendation?) -> String {
    switch recommendation {
    case nil: return "nothing"
    case .manual(let bolus): return "a bolus of \(decimal(bolus.amount, 4)) U"
    case .automatic(let dose):
      let rate = dose.basalAdjustment.unitsPerHour
      let basal = "\(decimal(max(0, rate), 4)) U/h"
      let bolus = dose.bolusUnits.map { " and a bolus of \(decimal($0, 4)) U" } ?? ""
      // Insulin on board above its limit leads the algorithm to such a number.
      let own = rate < 0 ? " (for \(decimal(rate, 4)) U/h: no pump takes insulin back)" : ""
      return "\(basal) for \(dose.basalAdjustment.duration)\(bolus)\(own)"
    }
  }
}
