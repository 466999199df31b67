public import Dosing
import Quantities
import StructuredText

/// Explains a decision of the algorithm to a person.
///
/// Says what is recommended, what is on board, where glucose is predicted to go, how much each
/// effect has to do with it, and which rule decided.
public enum DecisionExplanation {
  /// The explanation, over several lines with a line end.
  public static func text(_ input: AlgorithmInput, _ output: AlgorithmOutput) -> String {
    var lines = ["Decision at \(input.predictionStart.iso8601Seconds)", ""]
    switch output.recommendation {
    case .failure(let error):
      lines.append("No recommendation: \(error) [\(error.name)]")
    case .success(let recommendation):
      lines.append("Recommended: \(sentence(recommendation)).")
      lines += ["", "Now"] + state(input, output)
      lines += ["", "Predicted"] + prediction(output)
      lines += ["", "What moves glucose (mg/dL)"] + shares(output)
      if let reasoning = output.reasoning {
        lines += ["", "Why"] + rules(reasoning, input) + belowNothing(recommendation)
      }
    }
    lines += ["", "Not a medical device: this explains a simulation, not a therapy."]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func decimal(_ value: Double, _ decimals: Int) -> String {
    FixedDecimal.text(value, decimals: decimals)
  }

  private static func row(_ label: String, _ value: String) -> String {
    "  " + label + String(repeating: " ", count: max(1, 26 - label.count)) + value
  }

  private static func sentence(_ recommendation: Recommendation) -> String {
    switch recommendation {
    case .manual(let bolus):
      return "a bolus of \(decimal(bolus.amount, 2)) U, for a person to confirm"
    case .automatic(let dose):
      let rate = "\(decimal(max(0, dose.basalAdjustment.unitsPerHour), 2)) U/h"
      let basal = "a basal rate of \(rate) for \(dose.basalAdjustment.duration)"
      guard let bolus = dose.bolusUnits else { return "\(basal) (\(dose.direction.rawValue))" }
      return "a bolus of \(decimal(bolus, 2)) U, and \(basal) (\(dose.direction.rawValue))"
    }
  }

  private static func state(_ input: AlgorithmInput, _ output: AlgorithmOutput) -> [String] {
    var lines: [String] = []
    if let last = input.glucoseHistory.last {
      let age = input.predictionStart - last.date
      let when = age < .zero ? "\(-age) after the decision" : "\(age) old"
      lines.append(row("glucose", "\(decimal(last.quantity.mgdL, 1)) mg/dL, \(when)"))
    }
    if let iob = output.activeInsulin {
      let limit = output.reasoning.map { " of at most \(decimal($0.activeInsulinLimit, 2)) U" }
      lines.append(row("insulin on board", "\(decimal(iob, 2)) U\(limit ?? "")"))
    }
    if let cob = output.activeCarbs {
      lines.append(row("carbs on board", "\(decimal(cob, 1)) g"))
    }
    return lines
  }

  private static func prediction(_ output: AlgorithmOutput) -> [String] {
    guard let last = output.predictedGlucose.last,
      let lowest = output.predictedGlucose.min(by: { $0.quantity < $1.quantity })
    else { return [] }
    return [row("minimum", at(lowest)), row("eventual", at(last))]
  }

  private static func at(_ glucose: PredictedGlucose) -> String {
    "\(decimal(glucose.quantity.mgdL, 1)) mg/dL at \(glucose.startDate.iso8601Seconds)"
  }

  /// How much each effect changes glucose from now to the prediction's end.
  private static func shares(_ output: AlgorithmOutput) -> [String] {
    guard let first = output.predictedGlucose.first, let last = output.predictedGlucose.last else {
      return []
    }
    let effects = output.effects
    let insulin = change(effects.insulin, since: first.startDate)
    let carbs = change(effects.carbs, since: first.startDate)
    let usesCorrection = output.reasoning?.usesRetrospectiveCorrection ?? false
    var absence: MomentumAbsence? = .notAsked
    if let reasoning = output.reasoning { absence = reasoning.momentumAbsence }
    let correction =
      usesCorrection ? change(effects.retrospectiveCorrection, since: first.startDate) : 0
    let total = last.quantity.mgdL - first.quantity.mgdL
    // Momentum takes the others' place in its first minutes: its share is what they leave.
    let momentum = total - insulin - carbs - correction
    return [
      row("carbs", signed(carbs)), row("insulin", signed(insulin)),
      row("retrospective correction", usesCorrection ? signed(correction) : "not used"),
      row("momentum", absence.map { "not used: \($0)" } ?? signed(momentum)),
      row("together", signed(total)),
    ]
  }

  private static func signed(_ value: Double) -> String {
    let text = decimal(value, 1)
    return (text.hasPrefix("-") ? "" : "+") + text
  }

  /// The change of a cumulative effect from the last grid time at or before a date to its end.
  private static func change(_ effects: [GlucoseEffect], since date: Instant) -> Double {
    guard let last = effects.last else { return 0 }
    let before = effects.last { $0.startDate <= date } ?? effects.first
    return last.quantity - (before?.quantity ?? 0)
  }

  private static func rules(_ reasoning: DosingReasoning, _ input: AlgorithmInput) -> [String] {
    var lines = ["  " + sentence(reasoning)]
    if reasoning.applicationFactor != 1 {
      lines.append(
        "  Of a correction, \(decimal(reasoning.applicationFactor, 2)) is given at once.")
    }
    return lines + reasoning.limits.map { "  " + sentence($0, reasoning, input) }
  }

  /// What a rate below 0 means, which the limit of insulin on board leads to.
  ///
  /// A rate is at least 0, and after that at most what the limit leaves room for, which may be
  /// less (LoopKit/LoopAlgorithm, `recommendTempBasal` and `asTempBasal`).
  private static func belowNothing(_ recommendation: Recommendation) -> [String] {
    guard case .automatic(let dose) = recommendation, dose.basalAdjustment.unitsPerHour < 0
    else { return [] }
    return [
      "  The algorithm's own number is \(decimal(dose.basalAdjustment.unitsPerHour, 2)) U/h, as "
        + "insulin on board is above that limit. No pump takes insulin back: it gives 0 U/h."
    ]
  }

  /// The greatest correction that is told as an amount, in U.
  ///
  /// In the ten minutes before insulin acts, what glucose lacks is divided by nearly nothing.
  private static let mostTold = 1_000.0

  private static func sentence(_ reasoning: DosingReasoning) -> String {
    switch reasoning.correction {
    case .inRange:
      "The prediction ends in the correction range, or no dose is both needed and safe: nothing "
        + "to correct."
    case .suspend(let minimum):
      "The prediction falls to \(at(minimum)), below the suspend threshold of "
        + "\(decimal(reasoning.suspendThreshold.mgdL, 0)) mg/dL: insulin stops."
    case .entirelyBelowRange(let minimum, _, let units):
      "The prediction falls to \(at(minimum)) and ends below the range: "
        + (-units > mostTold
          ? "insulin that is given now hardly acts by then, and no amount is small enough."
          : "\(decimal(-units, 2)) U fewer are needed.")
    case .aboveRange(_, let correcting, _, let units):
      "The prediction ends above the range: "
        + (units > mostTold
          ? "no amount is too much, as insulin that is given now hardly acts by the time of"
          : "\(decimal(units, 2)) U are needed, the least dose that meets the target, for")
        + " \(at(correcting))."
    }
  }

  private static func sentence(
    _ limit: DosingReasoning.Limit, _ reasoning: DosingReasoning, _ input: AlgorithmInput
  ) -> String {
    switch limit {
    case .maximumBasalRate:
      "Limit: the maximum basal rate of \(decimal(input.maximumBasalRate, 2)) U/h."
    case .maximumBolus: maximumBolus(reasoning, input)
    case .activeInsulin:
      "Limit: insulin on board, at most \(decimal(reasoning.activeInsulinLimit, 2)) U."
    case .predictedLowFirst:
      "Limit: the prediction dips below the range first, so nothing is added to the basal."
    case .nothingLessThanZero: "Limit: a dose cannot be less than nothing."
    case .scheduledBasal:
      "Limit: beside automatic boluses the basal rate stays at the scheduled "
        + "\(decimal(reasoning.scheduledBasalRate, 2)) U/h at most."
    }
  }

  /// The limit of a bolus: of an automatic one it is a part of the maximum bolus.
  private static func maximumBolus(
    _ reasoning: DosingReasoning, _ input: AlgorithmInput
  ) -> String {
    let most = "the maximum bolus of \(decimal(input.maximumBolus, 2)) U"
    guard input.recommendationType == .automaticBolus else { return "Limit: \(most)." }
    let part = input.generation.largestPartOfMaximumBolus(
      stated: input.automaticBolusLimitFactor ?? reasoning.applicationFactor)
    return "Limit: an automatic bolus is at most \(decimal(part, 2)) of \(most)."
  }
}
