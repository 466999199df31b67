import Quantities

/// The original's checks of its input, in its order, and what they find on the way.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`, `run(input:)`.
struct InputCheck {
  let target: [TargetSpan]
  /// The index of the correction range in force now.
  let targetNow: Int
  let suspendThreshold: Double
  /// U/h.
  let scheduledBasalRate: Double

  init(_ input: AlgorithmInput, _ axis: TimeAxis) throws(AlgorithmError) {
    let start = axis.seconds(input.predictionStart)
    scheduledBasalRate = try Self.checkData(input, DoseExtent(input.doses), axis, start)
    target = axis.spans(input.target)
    (targetNow, suspendThreshold) = try Self.checkTarget(target, input, start)
  }

  /// Checks everything but the target; returns the scheduled basal rate, in U/h.
  static func checkData(
    _ input: AlgorithmInput, _ doses: DoseExtent, _ axis: TimeAxis, _ start: Double
  ) throws(AlgorithmError) -> Double {
    guard let last = input.glucoseHistory.last else { throw .missingGlucose }
    guard start - axis.seconds(last.date) < Self.recency else { throw .glucoseTooOld }
    if input.recommendationType.isAutomatic, let end = doses.latestBasalEnd,
      end > input.predictionStart
    {
      throw .futureBasalNotAllowed
    }
    let needed = try doses.neededSensitivity(input, axis, start)
    guard let first = input.sensitivity.first,
      axis.seconds(first.startDate) <= Double(needed.lowerBound) * TimeAxis.step
    else { throw .sensitivityTimelineStartsTooLate }
    guard let end = input.sensitivity.last.map({ axis.seconds($0.endDate) }),
      end >= Double(needed.upperBound) * TimeAxis.step
    else { throw .sensitivityTimelineEndsTooEarly }
    guard let basal = input.basal.last(where: { $0.startDate <= input.predictionStart }) else {
      throw .basalTimelineIncomplete
    }
    return basal.value
  }

  /// Checks the target; returns the index of the range in force now, and the suspend threshold.
  static func checkTarget(
    _ target: [TargetSpan], _ input: AlgorithmInput, _ start: Double
  ) throws(AlgorithmError) -> (now: Int, suspendThreshold: Double) {
    let now = target.closestPrior(to: start)
    guard let threshold = input.suspendThreshold?.mgdL ?? now.map({ target[$0].lower }) else {
      throw .missingSuspendThreshold
    }
    guard let now else { throw .targetTimelineIncomplete }
    return (now, threshold)
  }

  /// Glucose must be newer than this, in seconds.
  static let recency = 900.0
}

extension DoseExtent {
  /// The grid steps over which an ISF is needed: while insulin acts, and from the first glucose.
  ///
  /// There must be a glucose sample.
  fileprivate func neededSensitivity(
    _ input: AlgorithmInput, _ axis: TimeAxis, _ now: Double
  ) throws(AlgorithmError) -> ClosedRange<Int> {
    let glucose = axis.seconds(input.glucoseHistory[0].date)
    let first = earliestStart.map { axis.seconds($0) } ?? glucose
    let last = effectEnd.map { axis.seconds($0) } ?? glucose
    return try TimeAxis.grid(
      from: min(first, glucose, now),
      to: max(last, glucose, now + input.recommendationInsulinModel.effectDuration))
  }
}

extension Evaluation {
  /// The ISF timeline that a dose given now is worked out with.
  ///
  /// With mid-absorption ISF it is the input's; otherwise one entry holds throughout.
  ///
  /// Throws `sensitivityMissingAtStart` when no entry contains the time from which it counts.
  func dosingSensitivity(_ math: CorrectionMath) throws(AlgorithmError) -> [ScheduleSpan] {
    guard !options.useMidAbsorptionISF else { return sensitivity }
    return [try math.dosingSpan(sensitivity, prediction)]
  }
}

extension CorrectionMath {
  /// The ISF entry in force when a dose begins to count, held throughout.
  ///
  /// It reaches at least to the prediction's end, where the original stops with some inputs.
  ///
  /// Throws `sensitivityMissingAtStart` when no entry contains that time.
  func dosingSpan(
    _ sensitivity: [ScheduleSpan], _ prediction: Prediction
  ) throws(AlgorithmError) -> ScheduleSpan {
    let time = origin(of: prediction)
    let found =
      generation == .older
      ? sensitivity.closestPrior(to: time)
      : sensitivity.firstIndex { $0.start <= time && time <= $0.end }
    guard let found, sensitivity[found].end >= time else { throw .sensitivityMissingAtStart }
    var span = sensitivity[found]
    span.end = max(prediction.time(prediction.count - 1), now + activity.effectDuration)
    return span
  }
}
