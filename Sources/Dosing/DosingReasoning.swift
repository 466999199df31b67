public import Quantities

/// Why a recommendation is what it is: the correction, and the limits that acted on it.
///
/// Not part of the original; every number in it is one the original computes on its way.
public struct DosingReasoning: Hashable, Sendable {
  /// A rule that changed a dose from what the correction alone asks for.
  public enum Limit: String, Hashable, Sendable, CaseIterable {
    /// A temp basal is cut to the maximum basal rate.
    case maximumBasalRate
    /// A bolus is cut to the maximum bolus (times the application factor, for an automatic one).
    case maximumBolus
    /// Insulin on board would rise above its limit.
    case activeInsulin
    /// The prediction dips below the correction range first, so nothing is added to the basal.
    case predictedLowFirst
    /// A rate or a bolus cannot be below zero.
    case nothingLessThanZero
    /// With automatic boluses, basal is never raised above the schedule.
    case scheduledBasal
  }

  /// What the prediction asked for.
  public var correction: InsulinCorrection
  /// The scheduled basal rate in force, in U/h.
  public var scheduledBasalRate: Double
  /// The glucose below which basal is suspended.
  public var suspendThreshold: GlucoseConcentration
  /// The most insulin on board automatic dosing may lead to, in U.
  public var activeInsulinLimit: Double
  /// The part of the correction given at once; 1 for a manual bolus or a temp basal.
  public var applicationFactor: Double
  /// The limits that acted, in the order in which they did.
  public var limits: [Limit]
  /// Why the prediction is made without momentum; `nil` where it is made with it.
  public var momentumAbsence: MomentumAbsence?
  /// Whether retrospective correction was among the effects.
  public var usesRetrospectiveCorrection: Bool

  /// Creates a `DosingReasoning` from its parts; see the properties.
  public init(
    correction: InsulinCorrection, scheduledBasalRate: Double,
    suspendThreshold: GlucoseConcentration, activeInsulinLimit: Double,
    applicationFactor: Double, limits: [Limit], momentumAbsence: MomentumAbsence?,
    usesRetrospectiveCorrection: Bool
  ) {
    self.correction = correction
    self.scheduledBasalRate = scheduledBasalRate
    self.suspendThreshold = suspendThreshold
    self.activeInsulinLimit = activeInsulinLimit
    self.applicationFactor = applicationFactor
    self.limits = limits
    self.momentumAbsence = momentumAbsence
    self.usesRetrospectiveCorrection = usesRetrospectiveCorrection
  }
}
