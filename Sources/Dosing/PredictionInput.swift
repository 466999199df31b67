public import Quantities

/// Which effects a prediction is made of.
///
/// Raw values are those of the original's JSON (`algorithmEffectsOptions`).
public struct AlgorithmEffectsOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let carbs = Self(rawValue: 1)
  public static let insulin = Self(rawValue: 2)
  public static let momentum = Self(rawValue: 4)
  public static let retrospection = Self(rawValue: 8)
  public static let all: Self = [.carbs, .insulin, .momentum, .retrospection]
}

/// How a prediction is made.
public struct PredictionOptions: Hashable, Sendable {
  public var effects: AlgorithmEffectsOptions
  /// Whether retrospective correction is integral rather than standard.
  public var isIntegral: Bool
  public var includePositiveVelocityAndRC: Bool
  public var useMidAbsorptionISF: Bool
  public var carbAbsorptionModel: CarbAbsorptionModel
  /// mg/dL.
  public var gradualTransitionsThreshold: Double
  /// The older app knows no gates on jumps of glucose.
  public var generation: LoopGeneration

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
  public var start: Instant
  public var glucoseHistory: [AlgorithmInput.GlucoseSample]
  public var doses: [AlgorithmInput.InsulinDose]
  public var carbEntries: [AlgorithmInput.CarbEntry]
  public var basal: [AlgorithmInput.ScheduleEntry]
  public var sensitivity: [AlgorithmInput.ScheduleEntry]
  public var carbRatio: [AlgorithmInput.ScheduleEntry]
  public var options: PredictionOptions

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
  public var glucose: [PredictedGlucose]
  public var effects: AlgorithmEffects
  public var dosesRelativeToBasal: [RelativeDose]
  /// U.
  public var activeInsulin: Double
  /// g.
  public var activeCarbs: Double

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
