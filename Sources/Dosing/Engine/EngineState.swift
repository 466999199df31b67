import Quantities

/// What a ``DosingEngine`` keeps between cycles, and how a cycle goes on from it.
struct EngineState: Sendable {
  let axis: TimeAxis
  /// Whether everything below belongs together; false while a cycle changes it, and before the
  /// first.
  private var isConsistent = false
  private var options = PredictionOptions()
  private var settings: EngineSettings
  private var insulin: EngineInsulin
  private var glucose: EngineGlucose
  private var carbs: EngineCarbs

  // What each cycle makes anew.
  /// U.
  private var activeInsulin = 0.0
  private(set) var outlook = Outlook()
  private var segments: [CorrectionMath.Segment] = []
  private var decision: CompactDecision?
  private var limits: DoseLimits?
  private var suspendThreshold = 0.0

  init(near instant: Instant, isMidAbsorption: Bool = false) {
    axis = TimeAxis(near: instant)
    settings = EngineSettings(axis: axis)
    insulin = EngineInsulin(axis: axis, isMidAbsorption: isMidAbsorption)
    glucose = EngineGlucose(axis: axis)
    carbs = EngineCarbs(axis: axis)
  }

  /// Whether the input can be brought up to date from this state.
  func fits(_ input: AlgorithmInput) -> Bool {
    let limit = Double(TimeAxis.maximumSteps) * TimeAxis.step / 4
    return isConsistent && axis.seconds(input.predictionStart).magnitude < limit
      && options.useMidAbsorptionISF == input.useMidAbsorptionISF
  }

  /// Runs one cycle: brings everything up to date, predicts, decides.
  mutating func cycle(
    _ input: AlgorithmInput, _ known: AlgorithmInput.Continuation
  ) throws(AlgorithmError) -> CycleResult {
    let now = axis.seconds(input.predictionStart)
    let basalRate = try InputCheck.checkData(input, known.extent, axis, now)
    settings.takeTarget(input)
    let (targetNow, threshold) = try InputCheck.checkTarget(settings.target, input, now)
    isConsistent = false
    options = PredictionOptions(input)
    if settings.takeSchedules(input) {
      insulin.forgetDoses(whereDifferent: settings.formerBasal, and: settings.basal)
    }
    glucose.take(input.glucoseHistory, known.glucose)
    if hasInsulin(input, now) {
      try insulin.takeDoses(
        input.doses, known.doses, known.extent, at: now, settings, over: glucose.times)
      activeInsulin = insulin.onBoard(at: now)
      if let extent = insulin.extent {
        glucose.takeCounteraction(of: insulin.grid, over: extent)
        insulin.forgetTouched()
      }
    } else {
      insulin.leaveOut()
      glucose.leaveCounteractionOut()
      activeInsulin = 0
    }
    try carbs.take(input.carbEntries, settings, observedBy: glucose)
    try carbs.computeEffect(at: now, options.carbAbsorptionModel)
    isConsistent = true
    outlook.lookBack(
      from: glucose.last, glucose.velocities, carbs.effects, isIntegral: options.isIntegral,
      isWhole: false)
    outlook.predict(
      at: now, glucose.points, carbs: carbs.effects,
      insulin: insulin.extent == nil ? nil : insulin.grid,
      insulinLastStep: insulin.extent?.upperBound, options)
    suspendThreshold = threshold
    do throws(AlgorithmError) {
      return try decide(input, now, targetNow: targetNow, scheduledBasalRate: basalRate)
    } catch {
      // Whoever knows how the next input continues the last one counts this one not as taken.
      isConsistent = false
      throw error
    }
  }

  /// Whether insulin counts: the basal schedule starts at or before the first dose.
  private func hasInsulin(_ input: AlgorithmInput, _ now: Double) -> Bool {
    let firstDose = input.doses.first.map { axis.seconds($0.startDate) } ?? now
    return settings.basal.first.map { $0.start <= firstDose } ?? false
  }

  // MARK: - Deciding

  /// Decides on the prediction.
  private mutating func decide(
    _ input: AlgorithmInput, _ now: Double, targetNow: Int, scheduledBasalRate: Double
  ) throws(AlgorithmError) -> CycleResult {
    assert(isConsistent, "A decision follows from input that was taken whole.")
    let prediction = outlook.prediction
    let math = CorrectionMath(
      now: now, target: settings.target, targetNow: targetNow, suspendThreshold: suspendThreshold,
      model: input.recommendationInsulinModel, axis: axis, generation: input.generation,
      type: input.recommendationType)
    if options.useMidAbsorptionISF {
      math.segments(settings.sensitivity, into: &segments)
    } else {
      let span = try math.dosingSpan(settings.sensitivity, prediction)
      segments.removeAll(keepingCapacity: true)
      segments.append(math.segment(span))
    }
    let correction = try math.correction(prediction, segments)
    let limits = DoseLimits(
      input, scheduledBasalRate: scheduledBasalRate, activeInsulin: activeInsulin)
    let decision = CorrectionMath.decide(
      input.recommendationType, correction, prediction, limits: limits,
      currentIsBelowTarget: math.isBelowTarget(glucose.last))
    self.decision = decision
    self.limits = limits
    return try result(decision, prediction)
  }

  private func result(
    _ decision: CompactDecision, _ prediction: Prediction
  ) throws(AlgorithmError) -> CycleResult {
    let eventual = prediction.values[prediction.count - 1]
    guard activeInsulin.isFinite, carbs.onBoard.isFinite, eventual.isFinite,
      carbs.effects.values.allSatisfy(\.isFinite),
      // It grows to its end, and is listed even where it does not count.
      outlook.retrospection.values.last?.isFinite ?? true,
      // What was absorbed when is no number where an ISF of nothing explains a rise.
      carbs.records.allSatisfy({ $0.observed != .infinity })
    else { throw .notFinite }
    let last = glucose.last
    let current = PredictedGlucose(
      startDate: axis.instant(last.start), quantity: .mgdL(last.value))
    return CycleResult(
      recommendation: .success(Recommendation(decision, prediction, current: current, axis)),
      correction: InsulinCorrection(decision.correction, prediction, axis),
      activeInsulin: activeInsulin, activeCarbs: carbs.onBoard, eventualGlucose: .mgdL(eventual))
  }

  /// Everything the last cycle found, as the full evaluation lists it.
  func output(for input: AlgorithmInput) -> AlgorithmOutput {
    guard let decision, let limits else { return LoopAlgorithm.run(input) }
    var evaluation = Evaluation(PredictionInput(input), axis)
    evaluation.activeInsulin = activeInsulin
    if let extent = insulin.extent {
      evaluation.elements = insulin.parts.map(\.element)
      evaluation.insulin = insulin.grid.sliced(extent)
    }
    evaluation.velocities = Array(glucose.velocities)
    evaluation.records = carbs.records
    evaluation.carbs = carbs.effects
    evaluation.activeCarbs = carbs.onBoard
    evaluation.outlook = outlook
    evaluation.outlook.lookBack(
      from: glucose.last, glucose.velocities, carbs.effects, isIntegral: options.isIntegral,
      isWhole: true)
    let output = AlgorithmOutput(
      evaluation, decision, limits, suspendThreshold: suspendThreshold)
    return output.isFinite ? output : AlgorithmOutput(recommendation: .failure(.notFinite))
  }
}
