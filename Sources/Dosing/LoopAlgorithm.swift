import Quantities

/// The Loop dosing algorithm as a pure function.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`.
public enum LoopAlgorithm {
  /// Recommends a dose.
  ///
  /// Checks come in the original's order; the first that fails is the output's error, and
  /// everything else is then empty. Input on which the original ends the process is an error as
  /// well.
  public static func run(_ input: AlgorithmInput) -> AlgorithmOutput {
    do {
      return try output(for: input)
    } catch {
      return AlgorithmOutput(recommendation: .failure(error))
    }
  }

  /// Predicts glucose without recommending a dose.
  ///
  /// Throws what makes a prediction impossible; `missingGlucose` where there is no sample.
  ///
  /// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`, `generatePrediction`.
  public static func generatePrediction(
    _ input: PredictionInput
  ) throws(AlgorithmError) -> LoopPrediction {
    try prediction(input, insulin: nil)
  }

  /// Predicts glucose from doses that have been annotated, or whose effect is known, already.
  public static func generatePrediction(
    _ input: PredictionInput, insulin: PrecomputedInsulin
  ) throws(AlgorithmError) -> LoopPrediction {
    try prediction(input, insulin: insulin)
  }

  private static func prediction(
    _ input: PredictionInput, insulin: PrecomputedInsulin?
  ) throws(AlgorithmError) -> LoopPrediction {
    guard !input.glucoseHistory.isEmpty else { throw .missingGlucose }
    try checkOrder(
      input.glucoseHistory, input.carbEntries, input.basal, input.sensitivity, input.carbRatio)
    let axis = TimeAxis(near: input.start)
    var evaluation = Evaluation(input, axis)
    try evaluation.run(given: insulin?.slice(on: axis))
    let output = LoopPrediction(evaluation)
    guard output.isFinite else { throw .notFinite }
    return output
  }

  private static func output(for input: AlgorithmInput) throws(AlgorithmError) -> AlgorithmOutput {
    try checkSoundness(input)
    let axis = TimeAxis(near: input.predictionStart)
    let check = try InputCheck(input, axis)
    var evaluation = Evaluation(PredictionInput(input), axis)
    try evaluation.run()
    let math = CorrectionMath(
      now: evaluation.start, target: check.target, targetNow: check.targetNow,
      suspendThreshold: check.suspendThreshold,
      model: input.recommendationInsulinModel, axis: axis, generation: input.generation,
      type: input.recommendationType)
    var segments: [CorrectionMath.Segment] = []
    try math.segments(evaluation.dosingSensitivity(math), into: &segments)
    let correction = try math.correction(evaluation.prediction, segments)
    let limits = DoseLimits(
      input, scheduledBasalRate: check.scheduledBasalRate,
      activeInsulin: evaluation.activeInsulin)
    let decision = CorrectionMath.decide(
      input.recommendationType, correction, evaluation.prediction, limits: limits,
      currentIsBelowTarget: math.isBelowTarget(evaluation.lastGlucose))
    let output = AlgorithmOutput(
      evaluation, decision, limits, suspendThreshold: check.suspendThreshold)
    guard output.isFinite else { throw .notFinite }
    return output
  }

  /// Refuses what no stage can work with: unsorted arrays, and limits that are no numbers.
  ///
  /// The first glucose samples are known to be sorted.
  static func checkSoundness(
    _ input: AlgorithmInput, sortedGlucose: Int = 0
  ) throws(AlgorithmError) {
    try checkOrder(
      input.glucoseHistory, input.carbEntries, input.basal, input.sensitivity, input.carbRatio,
      sortedGlucose: sortedGlucose)
    if let index = input.target.firstUnsorted(by: \.startDate) {
      throw .notSorted(.target, index: index)
    }
    guard input.maximumBolus.isFinite, input.maximumBasalRate.isFinite else { throw .notFinite }
  }

  /// Refuses arrays that are not sorted by start.
  private static func checkOrder(
    _ glucoseHistory: [AlgorithmInput.GlucoseSample], _ carbEntries: [AlgorithmInput.CarbEntry],
    _ basal: [AlgorithmInput.ScheduleEntry], _ sensitivity: [AlgorithmInput.ScheduleEntry],
    _ carbRatio: [AlgorithmInput.ScheduleEntry], sortedGlucose: Int = 0
  ) throws(AlgorithmError) {
    if let index = glucoseHistory.firstUnsorted(after: sortedGlucose, by: \.date) {
      throw .notSorted(.glucoseHistory, index: index)
    }
    if let index = carbEntries.firstUnsorted(by: \.date) {
      throw .notSorted(.carbEntries, index: index)
    }
    if let index = basal.firstUnsorted(by: \.startDate) {
      throw .notSorted(.basal, index: index)
    }
    if let index = sensitivity.firstUnsorted(by: \.startDate) {
      throw .notSorted(.sensitivity, index: index)
    }
    if let index = carbRatio.firstUnsorted(by: \.startDate) {
      throw .notSorted(.carbRatio, index: index)
    }
  }
}

extension Array {
  /// The index of the first element that comes before the one ahead of it, where the first
  /// `sorted` elements are in order.
  func firstUnsorted(after sorted: Int = 0, by key: (Element) -> Instant) -> Int? {
    let start = Swift.max(1, sorted)
    guard start < count else { return nil }
    var last = key(self[start - 1])
    for index in start..<count {
      let next = key(self[index])
      if next < last { return index }
      last = next
    }
    return nil
  }
}
