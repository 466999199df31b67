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
    guard let last = input.glucoseHistory.last else { throw .missingGlucose }
    guard start - axis.seconds(last.date) < Self.recency else { throw .glucoseTooOld }
    if input.recommendationType.isAutomatic,
      input.doses.contains(where: { $0.type == .basal && $0.endDate > input.predictionStart })
    {
      throw .futureBasalNotAllowed
    }
    let needed = try Self.neededSensitivity(input, axis, start)
    guard let first = input.sensitivity.first,
      axis.seconds(first.startDate) <= Double(needed.lowerBound) * TimeAxis.step
    else { throw .sensitivityTimelineStartsTooLate }
    guard let end = input.sensitivity.last.map({ axis.seconds($0.endDate) }),
      end >= Double(needed.upperBound) * TimeAxis.step
    else { throw .sensitivityTimelineEndsTooEarly }
    guard let basal = input.basal.last(where: { $0.startDate <= input.predictionStart }) else {
      throw .basalTimelineIncomplete
    }
    target = axis.spans(input.target)
    let targetNow = target.closestPrior(to: start)
    guard
      let threshold = input.suspendThreshold?.mgdL
        ?? targetNow.map({ [target] in target[$0].lower })
    else { throw .missingSuspendThreshold }
    guard let targetNow else { throw .targetTimelineIncomplete }
    self.targetNow = targetNow
    suspendThreshold = threshold
    scheduledBasalRate = basal.value
  }

  /// Glucose must be newer than this, in seconds.
  static let recency = 900.0

  /// The grid steps over which an ISF is needed: while insulin acts, and from the first glucose.
  ///
  /// - Precondition: There is a glucose sample.
  private static func neededSensitivity(
    _ input: AlgorithmInput, _ axis: TimeAxis, _ start: Double
  ) throws(AlgorithmError) -> ClosedRange<Int> {
    let firstGlucose = axis.seconds(input.glucoseHistory[0].date)
    var from = input.doses.first.map { axis.seconds($0.startDate) } ?? firstGlucose
    var to = input.doses.first.map { axis.seconds($0.endDate) } ?? firstGlucose
    for dose in input.doses {
      from = min(from, axis.seconds(dose.startDate))
      to = max(to, axis.seconds(dose.endDate) + dose.insulinModel.effectDuration)
    }
    from = min(from, firstGlucose, start)
    to = max(to, firstGlucose, start + input.recommendationInsulinModel.effectDuration)
    return try TimeAxis.grid(from: from, to: to)
  }
}

extension Evaluation {
  /// The ISF timeline that a dose given now is worked out with.
  ///
  /// With mid-absorption ISF it is the input's. Otherwise the entry in force now holds throughout;
  /// it reaches at least to the prediction's end, where the original stops with some inputs.
  ///
  /// Throws `sensitivityMissingAtStart` when no entry contains now.
  func dosingSensitivity(_ activity: InsulinActivity) throws(AlgorithmError) -> [ScheduleSpan] {
    guard !options.useMidAbsorptionISF else { return sensitivity }
    guard let now = sensitivity.first(where: { $0.start <= start && start <= $0.end }) else {
      throw .sensitivityMissingAtStart
    }
    let end = prediction.time(prediction.count - 1)
    return [
      ScheduleSpan(
        start: now.start, end: max(end, start + activity.effectDuration), value: now.value)
    ]
  }
}
