import Quantities

extension EngineState {
  /// Decides on the prediction.
  mutating func decide(
    _ input: AlgorithmInput, _ now: Double, targetNow: Int, scheduledBasalRate: Double
  ) throws(AlgorithmError) -> CycleResult {
    let prediction = outlook.prediction
    let math = CorrectionMath(
      now: now, target: target, targetNow: targetNow, suspendThreshold: suspendThreshold,
      model: input.recommendationInsulinModel, axis: axis, generation: input.generation)
    if options.useMidAbsorptionISF {
      math.segments(sensitivity, into: &segments)
    } else {
      let span = try dosingSpan(sensitivity, at: now, prediction, math.activity)
      segments.removeAll(keepingCapacity: true)
      segments.append(math.segment(span))
    }
    let correction = try math.correction(prediction, segments)
    let limits = DoseLimits(
      scheduledBasalRate: scheduledBasalRate, maximumBolus: input.maximumBolus,
      maximumBasalRate: input.maximumBasalRate,
      activeInsulinLimit: input.maximumBolus * (input.maximumActiveInsulinMultiplier ?? 2),
      activeInsulin: activeInsulin,
      applicationFactor: input.automaticBolusApplicationFactor ?? 0.4,
      generation: input.generation)
    let last = glucose[glucose.count - 1]
    let isBelow = target.closestPrior(to: last.start).map { last.value < target[$0].lower }
    let decision = CorrectionMath.decide(
      input.recommendationType, correction, prediction, limits: limits,
      currentIsBelowTarget: isBelow ?? false)
    self.decision = decision
    self.limits = limits
    return try result(decision, prediction)
  }

  private func result(
    _ decision: CompactDecision, _ prediction: Prediction
  ) throws(AlgorithmError) -> CycleResult {
    let eventual = prediction.values[prediction.count - 1]
    guard activeInsulin.isFinite, activeCarbs.isFinite, eventual.isFinite,
      carbs.values.allSatisfy(\.isFinite)
    else { throw .notFinite }
    let last = glucose[glucose.count - 1]
    let current = PredictedGlucose(
      startDate: axis.instant(last.start), quantity: .mgdL(last.value))
    return CycleResult(
      recommendation: .success(Recommendation(decision, prediction, current: current, axis)),
      correction: InsulinCorrection(decision.correction, prediction, axis),
      activeInsulin: activeInsulin, activeCarbs: activeCarbs, eventualGlucose: .mgdL(eventual))
  }

  /// Everything the last cycle found, as the full evaluation lists it.
  func output(for input: AlgorithmInput) -> AlgorithmOutput {
    guard let decision, let limits else { return LoopAlgorithm.run(input) }
    var evaluation = Evaluation(PredictionInput(input), axis)
    evaluation.activeInsulin = activeInsulin
    if let extent {
      evaluation.elements = parts.map(\.element)
      evaluation.insulin = insulin.sliced(extent)
    }
    evaluation.velocities = velocities
    evaluation.records = records
    evaluation.carbs = carbs
    evaluation.activeCarbs = activeCarbs
    evaluation.outlook = outlook
    let output = AlgorithmOutput(
      evaluation, decision, limits, suspendThreshold: suspendThreshold)
    return output.isFinite ? output : AlgorithmOutput(recommendation: .failure(.notFinite))
  }
}
