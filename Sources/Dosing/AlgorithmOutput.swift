public import Quantities

/// Everything one evaluation of the Loop algorithm found.
///
/// After an error every array is empty and insulin and carbs on board are unknown.
///
/// Source: LoopKit/LoopAlgorithm, `AlgorithmOutput.swift`.
public struct AlgorithmOutput: Hashable, Sendable {
  /// What is recommended, or why nothing is.
  public var recommendation: Result<Recommendation, AlgorithmError>
  /// From the current glucose to the end of every effect, and at least 6 h 10 min ahead.
  public var predictedGlucose: [PredictedGlucose]
  /// The effects of which the prediction is made.
  public var effects: AlgorithmEffects
  /// The doses, set against the scheduled basal.
  public var dosesRelativeToBasal: [RelativeDose]
  /// Net insulin on board at the prediction's start, in U; may be negative.
  public var activeInsulin: Double?
  /// Carbs on board at the prediction's start, in g.
  public var activeCarbs: Double?
  /// How the prediction lay to the target, and which limits acted; not part of the original.
  public var reasoning: DosingReasoning?

  /// Creates a `AlgorithmOutput` from its parts; see the properties.
  public init(
    recommendation: Result<Recommendation, AlgorithmError>,
    predictedGlucose: [PredictedGlucose] = [], effects: AlgorithmEffects = .init(),
    dosesRelativeToBasal: [RelativeDose] = [], activeInsulin: Double? = nil,
    activeCarbs: Double? = nil, reasoning: DosingReasoning? = nil
  ) {
    self.recommendation = recommendation
    self.predictedGlucose = predictedGlucose
    self.effects = effects
    self.dosesRelativeToBasal = dosesRelativeToBasal
    self.activeInsulin = activeInsulin
    self.activeCarbs = activeCarbs
    self.reasoning = reasoning
  }
}

/// The parts of which a prediction is made.
public struct AlgorithmEffects: Hashable, Sendable {
  /// Cumulative change of glucose by net insulin.
  public var insulin: [GlucoseEffect] = []
  /// Cumulative change of glucose by carbohydrate.
  public var carbs: [GlucoseEffect] = []
  /// How each carbohydrate entry is being absorbed.
  public var carbStatus: [CarbStatus] = []
  /// Absolute values from the current glucose on, listed even where not used.
  public var retrospectiveCorrection: [GlucoseEffect] = []
  /// Change of glucose by its present trend, listed even where not used.
  public var momentum: [GlucoseEffect] = []
  /// What glucose did beyond what insulin explains.
  public var insulinCounteraction: [GlucoseEffectVelocity] = []
  /// Summed differences between what glucose did and what insulin and carbs explain.
  public var retrospectiveGlucoseDiscrepancies: [GlucoseDiscrepancy] = []
  /// The correction, in mg/dL; nothing where there is no effect.
  public var totalRetrospectiveCorrectionEffect: GlucoseChange?

  /// Creates effects of nothing.
  public init() {}
}

/// A change of glucose (or, for retrospective correction, a value) at a moment.
public struct GlucoseEffect: Hashable, Sendable {
  /// When it is so.
  public var startDate: Instant
  /// mg/dL.
  public var quantity: Double

  /// Creates a `GlucoseEffect` from its parts; see the properties.
  public init(startDate: Instant, quantity: Double) {
    self.startDate = startDate
    self.quantity = quantity
  }
}

/// A rate of change of glucose over an interval.
public struct GlucoseEffectVelocity: Hashable, Sendable {
  /// When the interval begins.
  public var startDate: Instant
  /// When it ends.
  public var endDate: Instant
  /// mg/dL per second.
  public var mgdLPerSecond: Double

  /// Creates a `GlucoseEffectVelocity` from its parts; see the properties.
  public init(startDate: Instant, endDate: Instant, mgdLPerSecond: Double) {
    self.startDate = startDate
    self.endDate = endDate
    self.mgdLPerSecond = mgdLPerSecond
  }
}

/// A change of glucose over an interval.
public struct GlucoseDiscrepancy: Hashable, Sendable {
  /// When the interval begins.
  public var startDate: Instant
  /// When it ends.
  public var endDate: Instant
  /// mg/dL.
  public var mgdL: Double

  /// Creates a `GlucoseDiscrepancy` from its parts; see the properties.
  public init(startDate: Instant, endDate: Instant, mgdL: Double) {
    self.startDate = startDate
    self.endDate = endDate
    self.mgdL = mgdL
  }
}

/// A dose, or a part of one, set against the scheduled basal.
public struct RelativeDose: Hashable, Sendable {
  /// Whether a dose adds to the scheduled basal or stands against it.
  public enum DeliveryType: Hashable, Sendable {
    /// It adds to the scheduled basal.
    case bolus
    /// U/h.
    case basal(scheduledRate: Double)
  }

  /// Whether it adds to the scheduled basal or stands against it.
  public var type: DeliveryType
  /// When it begins.
  public var startDate: Instant
  /// When it ends.
  public var endDate: Instant
  /// U, over the whole interval.
  public var volume: Double
  /// How fast the insulin acts.
  public var insulinModel: InsulinModel

  /// Creates a `RelativeDose` from its parts; see the properties.
  public init(
    type: DeliveryType, startDate: Instant, endDate: Instant, volume: Double,
    insulinModel: InsulinModel
  ) {
    self.type = type
    self.startDate = startDate
    self.endDate = endDate
    self.volume = volume
    self.insulinModel = insulinModel
  }
}

/// How a carbohydrate entry is being absorbed.
public struct CarbStatus: Hashable, Sendable {
  /// Grams absorbed over an interval.
  public struct AbsorbedCarbs: Hashable, Sendable {
    /// When the interval begins.
    public var startDate: Instant
    /// When it ends.
    public var endDate: Instant
    /// What was absorbed, in grams.
    public var grams: Double

    /// Creates a `AbsorbedCarbs` from its parts; see the properties.
    public init(startDate: Instant, endDate: Instant, grams: Double) {
      self.startDate = startDate
      self.endDate = endDate
      self.grams = grams
    }
  }

  /// The entry.
  public var entry: AlgorithmInput.CarbEntry
  /// Grams that counteraction of insulin accounts for.
  public var observed: Double
  /// ``observed``, but neither below the least absorption assumed nor above the whole entry.
  public var clamped: Double
  /// What was entered, in grams.
  public var total: Double
  /// ``total`` less ``clamped``.
  public var remaining: Double
  /// When absorption was first observed.
  public var observedStart: Instant
  /// For how long absorption was observed.
  public var observedDuration: TimeSpan
  /// Seconds until the entry is absorbed, if it goes on as observed.
  public var estimatedTimeRemaining: Double
  /// Seconds the observed carbs would take on the entry's own curve.
  public var timeToAbsorbObservedCarbs: Double
  /// What was absorbed when; nothing when less was observed than is assumed.
  public var observedTimeline: [AbsorbedCarbs]?

  /// Creates a `CarbStatus` from its parts; see the properties.
  public init(
    entry: AlgorithmInput.CarbEntry, observed: Double, clamped: Double, total: Double,
    remaining: Double, observedStart: Instant, observedDuration: TimeSpan,
    estimatedTimeRemaining: Double, timeToAbsorbObservedCarbs: Double,
    observedTimeline: [AbsorbedCarbs]?
  ) {
    self.entry = entry
    self.observed = observed
    self.clamped = clamped
    self.total = total
    self.remaining = remaining
    self.observedStart = observedStart
    self.observedDuration = observedDuration
    self.estimatedTimeRemaining = estimatedTimeRemaining
    self.timeToAbsorbObservedCarbs = timeToAbsorbObservedCarbs
    self.observedTimeline = observedTimeline
  }
}
