public import Quantities

/// Which effects a prediction is made of.
///
/// Raw values are those of the original's JSON (`algorithmEffectsOptions`).
public struct AlgorithmEffectsOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Carbohydrate.
  public static let carbs = Self(rawValue: 1)
  /// Insulin.
  public static let insulin = Self(rawValue: 2)
  /// Momentum.
  public static let momentum = Self(rawValue: 4)
  /// Retrospective correction.
  public static let retrospection = Self(rawValue: 8)
  /// Every effect.
  public static let all: Self = [.carbs, .insulin, .momentum, .retrospection]
}

/// How a prediction is made.
public struct PredictionOptions: Hashable, Sendable {
  /// Which effects it is made of.
  public var effects: AlgorithmEffectsOptions
  /// Whether retrospective correction is integral rather than standard.
  public var isIntegral: Bool
  /// Whether rising momentum and retrospective correction count.
  public var includePositiveVelocityAndRC: Bool
  /// Whether sensitivity is that of the middle of absorption.
  public var useMidAbsorptionISF: Bool
  /// By which curve carbohydrate is absorbed.
  public var carbAbsorptionModel: CarbAbsorptionModel
  /// mg/dL.
  public var gradualTransitionsThreshold: Double
  /// The older app knows no gates on jumps of glucose.
  public var generation: LoopGeneration

  /// Creates a `PredictionOptions` from its parts; see the properties.
  public init(
    effects: AlgorithmEffectsOptions = .all, isIntegral: Bool = false,
    includePositiveVelocityAndRC: Bool = true, useMidAbsorptionISF: Bool = false,
    carbAbsorptionModel: CarbAbsorptionModel = .piecewiseLinear,
    gradualTransitionsThreshold: Double = 40, generation: LoopGeneration = .current
  ) {
    self.effects = effects
    self.isIntegral = isIntegral
    self.includePositiveVelocityAndRC = includePositiveVelocityAndRC
    self.useMidAbsorptionISF = useMidAbsorptionISF
    self.carbAbsorptionModel = carbAbsorptionModel
    self.gradualTransitionsThreshold = gradualTransitionsThreshold
    self.generation = generation
  }
}

/// What a prediction without a dosing decision is made from.
///
/// Arrays are sorted by start, earliest first.
///
/// Source: LoopKit/LoopAlgorithm, `LoopPredictionInput.swift`.
public struct PredictionInput: Hashable, Sendable {
  /// When the prediction starts.
  public var start: Instant
  /// Glucose, earliest first.
  public var glucoseHistory: [AlgorithmInput.GlucoseSample]
  /// Doses, earliest first.
  public var doses: [AlgorithmInput.InsulinDose]
  /// Entries of carbohydrate, earliest first.
  public var carbEntries: [AlgorithmInput.CarbEntry]
  /// The basal schedule, in U/h.
  public var basal: [AlgorithmInput.ScheduleEntry]
  /// The insulin sensitivities, in mg/dL per U.
  public var sensitivity: [AlgorithmInput.ScheduleEntry]
  /// The carbohydrate ratios, in grams per U.
  public var carbRatio: [AlgorithmInput.ScheduleEntry]
  /// How the prediction is made.
  public var options: PredictionOptions

  /// Creates a `PredictionInput` from its parts; see the properties.
  public init(
    start: Instant, glucoseHistory: [AlgorithmInput.GlucoseSample],
    doses: [AlgorithmInput.InsulinDose] = [], carbEntries: [AlgorithmInput.CarbEntry] = [],
    basal: [AlgorithmInput.ScheduleEntry], sensitivity: [AlgorithmInput.ScheduleEntry],
    carbRatio: [AlgorithmInput.ScheduleEntry], options: PredictionOptions = .init()
  ) {
    self.start = start
    self.glucoseHistory = glucoseHistory
    self.doses = doses
    self.carbEntries = carbEntries
    self.basal = basal
    self.sensitivity = sensitivity
    self.carbRatio = carbRatio
    self.options = options
  }
}

/// A prediction and the parts of which it is made.
///
/// Source: LoopKit/LoopAlgorithm, `LoopPrediction.swift`.
public struct LoopPrediction: Hashable, Sendable {
  /// The prediction, five minutes apart.
  public var glucose: [PredictedGlucose]
  /// The effects of which it is made.
  public var effects: AlgorithmEffects
  /// The doses, set against the scheduled basal.
  public var dosesRelativeToBasal: [RelativeDose]
  /// U.
  public var activeInsulin: Double
  /// g.
  public var activeCarbs: Double

  /// Creates a `LoopPrediction` from its parts; see the properties.
  public init(
    glucose: [PredictedGlucose], effects: AlgorithmEffects, dosesRelativeToBasal: [RelativeDose],
    activeInsulin: Double, activeCarbs: Double
  ) {
    self.glucose = glucose
    self.effects = effects
    self.dosesRelativeToBasal = dosesRelativeToBasal
    self.activeInsulin = activeInsulin
    self.activeCarbs = activeCarbs
  }
}
