public import Quantities

/// How much of a correction an automatic bolus gives at once.
///
/// Source: LoopKit/Loop (`tidepool-merge`), `Models/ConstantApplicationFactorStrategy.swift` and
/// `Models/GlucoseBasedApplicationFactorStrategy.swift`.
public enum ApplicationFactor: Hashable, Sendable {
  /// The same part whatever the glucose.
  case constant(Double)
  /// From 0.2 just above the correction range to 0.8 at 200 mg/dL.
  case glucoseBased

  /// The default, 0.4 of the correction.
  public static let standard = Self.constant(0.4)

  /// The factor at a glucose, given the lower bound of the correction range in force.
  ///
  ///     f = min(0.2 + max(G − m, 0)·(0.8 − 0.2)/(200 − m), 0.8),  m = lower bound + 10 mg/dL
  ///
  /// Up to m it is 0.2 whatever m is. Where m is 200 mg/dL that is a decision of ours: the app's
  /// formula has 0/0 there, and from below, the safer side, it leads to 0.2.
  ///
  /// The current app takes the scheduled range, before overrides; the older one the effective
  /// range.
  public func factor(
    at glucose: GlucoseConcentration, rangeLowerBound: GlucoseConcentration
  ) -> Double {
    switch self {
    case .constant(let factor):
      return factor
    case .glucoseBased:
      let minimum = rangeLowerBound.mgdL + Self.margin
      guard glucose.mgdL > minimum else { return 0.20 }
      let fraction = (0.80 - 0.20) / (Self.top - minimum)
      return min(0.20 + (glucose.mgdL - minimum) * fraction, 0.80)
    }
  }

  /// The glucose of the greatest factor, in mg/dL.
  private static let top = 200.0
  /// How far above the range's lower bound the factor begins to rise, in mg/dL.
  private static let margin = 10.0

  /// Whether the factor that is based on glucose rises with it: the lower bound is below 190 mg/dL.
  ///
  /// Loop takes no range that begins higher. At 190 mg/dL its formula leaps from 0.2 to 0.8, and
  /// beyond it falls below 0, of which no bolus comes.
  public static func isRising(from range: GlucoseRange) -> Bool {
    range.lower.mgdL + margin < top
  }

  /// By how much the older app reduces the factor when it loops more often than every 5 minutes.
  public static func olderScale(at now: Instant, lastCompletedLoop: Instant?) -> Double {
    guard let lastCompletedLoop else { return 1 }
    return max(0, min(1, (now - lastCompletedLoop).seconds / 300))
  }
}

extension AlgorithmInput {
  /// Completes an input that has all else with the share of a correction that an automatic bolus
  /// gives at the latest glucose; one without glucose stays as it is.
  ///
  /// The older app gives less of it when it loops more often than every 5 minutes, but its limit,
  /// a share of the maximum bolus, stays (LoopKit/Loop, branch `dev`, `LoopDataManager.swift`,
  /// `updatePredictedGlucoseAndRecommendedDose`).
  ///
  /// - Parameters:
  ///   - strategy: How large the share is at a glucose.
  ///   - range: The correction range by which it is told.
  ///   - lastCompletedLoop: When the last cycle was completed; `nil` before the first.
  package mutating func completeShare(
    _ strategy: ApplicationFactor, from range: GlucoseRange, lastCompletedLoop: Instant?
  ) {
    guard let latest = glucoseHistory.last?.quantity else { return }
    let factor = strategy.factor(at: latest, rangeLowerBound: range.lower)
    automaticBolusApplicationFactor = factor
    guard generation == .older else { return }
    let scale = ApplicationFactor.olderScale(
      at: predictionStart, lastCompletedLoop: lastCompletedLoop)
    guard scale < 1 else { return }
    automaticBolusApplicationFactor = factor * scale
    automaticBolusLimitFactor = factor
  }
}
