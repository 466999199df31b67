public import Quantities

/// What the algorithm recommends.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithmDoseRecommendation.swift`.
public enum Recommendation: Hashable, Sendable {
  /// What to do without asking a person.
  case automatic(AutomaticDoseRecommendation)
  /// A bolus for a person to confirm.
  case manual(ManualBolusRecommendation)
}

/// A basal rate to run instead of the schedule for a while.
public struct TempBasalRecommendation: Hashable, Sendable {
  /// The rate, in U/h.
  ///
  /// It is below zero when insulin on board is far above its limit, as in the original; rounding to
  /// what a pump supports turns that into zero.
  public var unitsPerHour: Double
  /// For how long.
  public var duration: TimeSpan

  /// Creates a `TempBasalRecommendation` from its parts; see the properties.
  public init(unitsPerHour: Double, duration: TimeSpan) {
    self.unitsPerHour = unitsPerHour
    self.duration = duration
  }
}

/// What to do without asking a person: a basal rate, and perhaps a bolus.
///
/// Source: LoopKit/LoopAlgorithm, `AutomaticDoseRecommendation.swift`.
public struct AutomaticDoseRecommendation: Hashable, Sendable {
  /// Which way the correction goes, whatever limits made of it.
  public enum Direction: String, Hashable, Sendable {
    /// Less insulin than scheduled.
    case decrease
    /// As much as scheduled.
    case neutral
    /// More insulin than scheduled.
    case increase
  }

  /// The rate to run instead of the schedule.
  public var basalAdjustment: TempBasalRecommendation
  /// Which way the correction goes.
  public var direction: Direction
  /// U, for an automatic bolus (possibly 0); nothing where only temp basals are asked for.
  public var bolusUnits: Double?

  /// Creates a `AutomaticDoseRecommendation` from its parts; see the properties.
  public init(
    basalAdjustment: TempBasalRecommendation, direction: Direction, bolusUnits: Double? = nil
  ) {
    self.basalAdjustment = basalAdjustment
    self.direction = direction
    self.bolusUnits = bolusUnits
  }
}

/// A bolus for a person to confirm.
///
/// Source: LoopKit/LoopAlgorithm, `ManualBolusRecommendation.swift`.
public struct ManualBolusRecommendation: Hashable, Sendable {
  /// U, not rounded to what a pump can deliver.
  public var amount: Double
  /// What the person should know; `nil` for nothing.
  public var notice: BolusRecommendationNotice?

  /// Creates a `ManualBolusRecommendation` from its parts; see the properties.
  public init(amount: Double, notice: BolusRecommendationNotice? = nil) {
    self.amount = amount
    self.notice = notice
  }
}

/// What a person should know about a recommended bolus.
public enum BolusRecommendationNotice: Hashable, Sendable {
  /// Glucose is, or will be, below the suspend threshold.
  case glucoseBelowSuspendThreshold(minimum: PredictedGlucose)
  /// Glucose is below the correction range now.
  case currentGlucoseBelowTarget(glucose: PredictedGlucose)
  /// Glucose will be below the correction range.
  case predictedGlucoseBelowTarget(minimum: PredictedGlucose)
  /// Glucose will be within the correction range.
  case predictedGlucoseInRange
  /// Glucose is and stays below the correction range.
  case allGlucoseBelowTarget(minimum: PredictedGlucose)
}

/// A glucose value at a moment, measured or predicted.
public struct PredictedGlucose: Hashable, Sendable {
  /// When it is so.
  public var startDate: Instant
  /// The glucose.
  public var quantity: GlucoseConcentration

  /// Creates a `PredictedGlucose` from its parts; see the properties.
  public init(startDate: Instant, quantity: GlucoseConcentration) {
    self.startDate = startDate
    self.quantity = quantity
  }
}

/// What insulin would bring the prediction to the target, and how the prediction lies to it.
///
/// Source: LoopKit/LoopAlgorithm, `DoseMath.swift`.
public enum InsulinCorrection: Hashable, Sendable {
  /// The prediction ends in the correction range, or no correction is both safe and needed.
  case inRange
  /// The prediction ends above the range; `units` is the smallest dose that meets the target curve
  /// at one of the predicted values, `correcting`.
  case aboveRange(
    minimum: PredictedGlucose, correcting: PredictedGlucose,
    minimumTarget: GlucoseConcentration, units: Double)
  /// Lowest and last predicted values are below the range; `units` is negative.
  case entirelyBelowRange(
    minimum: PredictedGlucose, minimumTarget: GlucoseConcentration, units: Double)
  /// A predicted value, the first such, is below the suspend threshold.
  case suspend(minimum: PredictedGlucose)

  /// The correction in U; none when in range or suspending.
  public var units: Double {
    switch self {
    case .aboveRange(_, _, _, let units), .entirelyBelowRange(_, _, let units): units
    case .inRange, .suspend: 0
    }
  }

  /// The way insulin delivery goes.
  public var direction: AutomaticDoseRecommendation.Direction {
    switch self {
    case .inRange: .neutral
    case .aboveRange: .increase
    case .entirelyBelowRange, .suspend: .decrease
    }
  }
}
