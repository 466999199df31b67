public import Quantities

/// Everything one evaluation of the Loop algorithm may know.
///
/// The algorithm is a pure function of this value: it sees no clock and no store. Arrays are sorted
/// by start, earliest first; ``LoopAlgorithm/run(_:)`` refuses others.
///
/// Source: LoopKit/LoopAlgorithm, `AlgorithmInput.swift` and `AlgorithmInputFixture.swift`.
public struct AlgorithmInput: Hashable, Sendable {
  /// "Now": the time of the dosing decision.
  public var predictionStart: Instant
  /// Glucose samples, earliest first.
  public var glucoseHistory: [GlucoseSample]
  /// Reconciled insulin doses, earliest first; the algorithm adds up whatever it is given.
  public var doses: [InsulinDose]
  /// Carbohydrate entries, earliest first; future ones are allowed.
  public var carbEntries: [CarbEntry]
  /// The scheduled basal rate, in U/h.
  public var basal: [ScheduleEntry]
  /// The insulin sensitivity (ISF), in mg/dL per U.
  public var sensitivity: [ScheduleEntry]
  /// The carbohydrate ratio, in g per U.
  public var carbRatio: [ScheduleEntry]
  /// The correction range.
  public var target: [TargetEntry]
  /// The glucose below which insulin is suspended; without one, the lower bound of the correction
  /// range in force at ``predictionStart``.
  public var suspendThreshold: GlucoseConcentration?
  /// The largest bolus, in U.
  public var maximumBolus: Double
  /// The largest basal rate, in U/h.
  public var maximumBasalRate: Double
  /// The limit of insulin on board for automatic dosing, as a multiple of ``maximumBolus``;
  /// 2 when there is none.
  public var maximumActiveInsulinMultiplier: Double?
  /// Whether retrospective correction is integral rather than standard.
  public var useIntegralRetrospectiveCorrection: Bool
  /// Whether momentum and retrospective correction that raise the prediction are used.
  public var includePositiveVelocityAndRC: Bool
  /// Whether each stretch of a dose's action uses the ISF in force then, rather than the one in
  /// force when the dose started.
  public var useMidAbsorptionISF: Bool
  /// The curve by which carbohydrate is forecast to be absorbed.
  public var carbAbsorptionModel: CarbAbsorptionModel
  /// The insulin the recommendation is for.
  public var recommendationInsulinModel: InsulinModel
  /// The kind of recommendation asked for.
  public var recommendationType: RecommendationType
  /// The part of a correction an automatic bolus gives at once; 0.4 when there is none.
  public var automaticBolusApplicationFactor: Double?
  /// The part of ``maximumBolus`` that an automatic bolus is at most; not part of the original's
  /// JSON.
  ///
  /// When there is none it is ``automaticBolusApplicationFactor``.
  public var automaticBolusLimitFactor: Double?
  /// The largest change between neighbouring samples with which retrospective correction is used.
  public var gradualTransitionsThreshold: GlucoseChange
  /// Whose dose math is used; not part of the original's JSON.
  ///
  /// The older one has no gates on jumps, and takes the correction range of each predicted moment.
  public var generation: LoopGeneration

  /// Creates an input; what is not given has the default of the original's JSON decoder.
  public init(
    predictionStart: Instant,
    glucoseHistory: [GlucoseSample],
    doses: [InsulinDose] = [],
    carbEntries: [CarbEntry] = [],
    basal: [ScheduleEntry],
    sensitivity: [ScheduleEntry],
    carbRatio: [ScheduleEntry],
    target: [TargetEntry],
    suspendThreshold: GlucoseConcentration? = nil,
    maximumBolus: Double,
    maximumBasalRate: Double,
    maximumActiveInsulinMultiplier: Double? = nil,
    useIntegralRetrospectiveCorrection: Bool = false,
    includePositiveVelocityAndRC: Bool = true,
    useMidAbsorptionISF: Bool = false,
    carbAbsorptionModel: CarbAbsorptionModel = .piecewiseLinear,
    recommendationInsulinModel: InsulinModel = .rapidActingAdult,
    recommendationType: RecommendationType = .automaticBolus,
    automaticBolusApplicationFactor: Double? = nil,
    automaticBolusLimitFactor: Double? = nil,
    gradualTransitionsThreshold: GlucoseChange = .init(mgdL: 40),
    generation: LoopGeneration = .current
  ) {
    self.predictionStart = predictionStart
    self.glucoseHistory = glucoseHistory
    self.doses = doses
    self.carbEntries = carbEntries
    self.basal = basal
    self.sensitivity = sensitivity
    self.carbRatio = carbRatio
    self.target = target
    self.suspendThreshold = suspendThreshold
    self.maximumBolus = maximumBolus
    self.maximumBasalRate = maximumBasalRate
    self.maximumActiveInsulinMultiplier = maximumActiveInsulinMultiplier
    self.useIntegralRetrospectiveCorrection = useIntegralRetrospectiveCorrection
    self.includePositiveVelocityAndRC = includePositiveVelocityAndRC
    self.useMidAbsorptionISF = useMidAbsorptionISF
    self.carbAbsorptionModel = carbAbsorptionModel
    self.recommendationInsulinModel = recommendationInsulinModel
    self.recommendationType = recommendationType
    self.automaticBolusApplicationFactor = automaticBolusApplicationFactor
    self.automaticBolusLimitFactor = automaticBolusLimitFactor
    self.gradualTransitionsThreshold = gradualTransitionsThreshold
    self.generation = generation
  }
}

/// What kind of recommendation the algorithm is asked for.
///
/// Raw values are those of the original's JSON.
public enum RecommendationType: String, Hashable, Sendable, CaseIterable {
  /// A bolus for a person to confirm.
  case manualBolus
  /// A bolus given by itself, with basal no higher than scheduled.
  case automaticBolus
  /// A temp basal.
  case tempBasal

  /// Whether the recommendation is enacted without a person.
  public var isAutomatic: Bool { self != .manualBolus }
}
