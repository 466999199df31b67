public import Quantities

/// What one cycle of a ``DosingEngine`` decided.
///
/// A value without storage of its own: making one allocates nothing.
public struct CycleResult: Hashable, Sendable {
  /// What is recommended, or why nothing is.
  public var recommendation: Result<Recommendation, AlgorithmError>
  /// How the prediction lies to the target; nothing after an error.
  public var correction: InsulinCorrection?
  /// Net insulin on board, in U.
  public var activeInsulin: Double?
  /// Carbs on board, in g.
  public var activeCarbs: Double?
  /// The prediction's last value.
  public var eventualGlucose: GlucoseConcentration?

  init(
    recommendation: Result<Recommendation, AlgorithmError>, correction: InsulinCorrection? = nil,
    activeInsulin: Double? = nil, activeCarbs: Double? = nil,
    eventualGlucose: GlucoseConcentration? = nil
  ) {
    self.recommendation = recommendation
    self.correction = correction
    self.activeInsulin = activeInsulin
    self.activeCarbs = activeCarbs
    self.eventualGlucose = eventualGlucose
  }
}
