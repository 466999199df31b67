import Quantities

extension PredictionInput {
  /// What a dosing input says about the prediction.
  init(_ input: AlgorithmInput) {
    self.init(
      start: input.predictionStart, glucoseHistory: input.glucoseHistory, doses: input.doses,
      carbEntries: input.carbEntries, basal: input.basal, sensitivity: input.sensitivity,
      carbRatio: input.carbRatio, options: PredictionOptions(input))
  }
}

extension PredictionOptions {
  init(_ input: AlgorithmInput) {
    self.init(
      isIntegral: input.useIntegralRetrospectiveCorrection,
      includePositiveVelocityAndRC: input.includePositiveVelocityAndRC,
      useMidAbsorptionISF: input.useMidAbsorptionISF,
      carbAbsorptionModel: input.carbAbsorptionModel,
      gradualTransitionsThreshold: input.gradualTransitionsThreshold.mgdL,
      generation: input.generation)
  }
}

extension Evaluation {
  init(_ input: PredictionInput, _ axis: TimeAxis) {
    self.axis = axis
    start = axis.seconds(input.start)
    glucose = axis.points(input.glucoseHistory)
    doses = input.doses
    entries = input.carbEntries
    basal = axis.spans(input.basal)
    sensitivity = axis.spans(input.sensitivity)
    carbRatio = axis.spans(input.carbRatio)
    options = input.options
  }

  var predictedGlucose: [PredictedGlucose] {
    (0..<prediction.count).map { prediction.glucose(at: $0, axis) }
  }

  /// Every effect, as the output lists it.
  var effects: AlgorithmEffects {
    var effects = AlgorithmEffects()
    if let insulin { effects.insulin = insulin.cumulative(axis) }
    effects.carbs = carbs.timeline(axis)
    effects.carbStatus = zip(records, entries).map { CarbStatus($0, of: $1, axis) }
    effects.retrospectiveCorrection = outlook.retrospection.timeline(axis)
    if let momentum = outlook.momentum {
      effects.momentum = momentum.steps.map {
        GlucoseEffect(startDate: axis.instant(step: $0), quantity: momentum.effect(at: $0))
      }
    }
    effects.insulinCounteraction = velocities.map { GlucoseEffectVelocity($0, axis) }
    effects.retrospectiveGlucoseDiscrepancies = outlook.discrepancies.indices.map {
      let summed = sum(outlook.discrepancies, endingAt: $0)
      return GlucoseDiscrepancy(
        startDate: axis.instant(summed.start), endDate: axis.instant(summed.end),
        mgdL: summed.value)
    }
    effects.totalRetrospectiveCorrectionEffect = outlook.correction.map {
      GlucoseChange(mgdL: $0.total)
    }
    return effects
  }
}

extension PredictedSeries {
  func glucose(at index: Int, _ axis: TimeAxis) -> PredictedGlucose {
    PredictedGlucose(startDate: axis.instant(time(index)), quantity: .mgdL(values[index]))
  }
}

extension Prediction.Effects {
  func timeline(_ axis: TimeAxis) -> [GlucoseEffect] {
    values.enumerated().map {
      GlucoseEffect(startDate: axis.instant(step: firstStep + $0.offset), quantity: $0.element)
    }
  }
}

extension InsulinEffectGrid {
  /// The running sum of the increments, which is the original's effect timeline.
  func cumulative(_ axis: TimeAxis) -> [GlucoseEffect] {
    var sum = 0.0
    return increments.enumerated().map {
      sum += $0.element
      return GlucoseEffect(startDate: axis.instant(step: firstStep + $0.offset), quantity: sum)
    }
  }
}

extension LoopPrediction {
  init(_ evaluation: Evaluation) {
    self.init(
      glucose: evaluation.predictedGlucose, effects: evaluation.effects,
      dosesRelativeToBasal: evaluation.elements.map { RelativeDose($0, evaluation.axis) },
      activeInsulin: evaluation.activeInsulin, activeCarbs: evaluation.activeCarbs)
  }

  var isFinite: Bool {
    activeInsulin.isFinite && activeCarbs.isFinite
      && glucose.allSatisfy { $0.quantity.mgdL.isFinite } && effects.isFinite
  }
}

extension AlgorithmEffects {
  /// Whether every number can be written to a file.
  var isFinite: Bool {
    carbs.allSatisfy { $0.quantity.isFinite } && insulin.allSatisfy { $0.quantity.isFinite }
      && carbStatus.allSatisfy {
        $0.remaining.isFinite && $0.estimatedTimeRemaining.isFinite
          && $0.timeToAbsorbObservedCarbs.isFinite
          && ($0.observedTimeline == nil || $0.observed.isFinite)
      } && insulinCounteraction.allSatisfy { $0.mgdLPerSecond.isFinite }
      && retrospectiveCorrection.allSatisfy { $0.quantity.isFinite }
      && retrospectiveGlucoseDiscrepancies.allSatisfy { $0.mgdL.isFinite }
  }
}

extension AlgorithmOutput {
  init(
    _ evaluation: Evaluation, _ decision: CompactDecision, _ limits: DoseLimits,
    suspendThreshold: Double
  ) {
    let prediction = LoopPrediction(evaluation)
    let last = evaluation.lastGlucose
    let current = PredictedGlucose(
      startDate: evaluation.axis.instant(last.start), quantity: .mgdL(last.value))
    self.init(
      recommendation: .success(
        Recommendation(decision, evaluation.prediction, current: current, evaluation.axis)),
      predictedGlucose: prediction.glucose, effects: prediction.effects,
      dosesRelativeToBasal: prediction.dosesRelativeToBasal,
      activeInsulin: prediction.activeInsulin, activeCarbs: prediction.activeCarbs,
      reasoning: DosingReasoning(
        correction: InsulinCorrection(
          decision.correction, evaluation.prediction, evaluation.axis),
        scheduledBasalRate: limits.scheduledBasalRate,
        suspendThreshold: .mgdL(suspendThreshold),
        activeInsulinLimit: limits.activeInsulinLimit,
        applicationFactor: decision.type == .automaticBolus ? limits.applicationFactor : 1,
        limits: decision.acted.limits, momentumAbsence: evaluation.outlook.momentumAbsence,
        usesRetrospectiveCorrection: evaluation.outlook.correction != nil
          && evaluation.outlook.usesRetrospection))
  }

  var isFinite: Bool {
    guard let activeInsulin, let activeCarbs, activeInsulin.isFinite, activeCarbs.isFinite else {
      return false
    }
    return predictedGlucose.allSatisfy { $0.quantity.mgdL.isFinite } && effects.isFinite
  }
}

extension InsulinCorrection {
  init(
    _ correction: CorrectionMath.Correction, _ prediction: some PredictedSeries, _ axis: TimeAxis
  ) {
    switch correction {
    case .inRange: self = .inRange
    case .suspend(let minimum): self = .suspend(minimum: prediction.glucose(at: minimum, axis))
    case .aboveRange(let minimum, let correcting, let target, let units):
      self = .aboveRange(
        minimum: prediction.glucose(at: minimum, axis),
        correcting: prediction.glucose(at: correcting, axis), minimumTarget: .mgdL(target),
        units: units)
    case .entirelyBelowRange(let minimum, let target, let units):
      self = .entirelyBelowRange(
        minimum: prediction.glucose(at: minimum, axis), minimumTarget: .mgdL(target),
        units: units)
    }
  }
}

extension CorrectionMath.Correction {
  var direction: AutomaticDoseRecommendation.Direction {
    switch self {
    case .inRange: .neutral
    case .aboveRange: .increase
    case .entirelyBelowRange, .suspend: .decrease
    }
  }
}

extension Recommendation {
  init(
    _ decision: CompactDecision, _ prediction: some PredictedSeries, current: PredictedGlucose,
    _ axis: TimeAxis
  ) {
    guard let rate = decision.basalRate else {
      let notice = decision.notice.map {
        BolusRecommendationNotice($0, prediction, current: current, axis)
      }
      self = .manual(.init(amount: decision.bolus ?? 0, notice: notice))
      return
    }
    self = .automatic(
      .init(
        basalAdjustment: .init(unitsPerHour: rate, duration: .minutes(30)),
        direction: decision.correction.direction, bolusUnits: decision.bolus))
  }
}

extension BolusRecommendationNotice {
  init(
    _ notice: CompactDecision.Notice, _ prediction: some PredictedSeries, current: PredictedGlucose,
    _ axis: TimeAxis
  ) {
    switch notice {
    case .glucoseBelowSuspendThreshold(let index):
      self = .glucoseBelowSuspendThreshold(minimum: prediction.glucose(at: index, axis))
    case .currentGlucoseBelowTarget: self = .currentGlucoseBelowTarget(glucose: current)
    case .predictedGlucoseBelowTarget(let index):
      self = .predictedGlucoseBelowTarget(minimum: prediction.glucose(at: index, axis))
    case .predictedGlucoseInRange: self = .predictedGlucoseInRange
    case .allGlucoseBelowTarget(let index):
      self = .allGlucoseBelowTarget(minimum: prediction.glucose(at: index, axis))
    }
  }
}
