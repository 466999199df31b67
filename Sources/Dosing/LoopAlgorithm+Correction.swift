public import Quantities

extension LoopAlgorithm {
  /// Finds the insulin correction for any prediction.
  ///
  /// Throws `predictionTooShort` unless the prediction reaches to the end of the insulin's action,
  /// `targetTimelineIncomplete` when no range is in force at `now`, and
  /// `sensitivityMissingInPrediction` where the ISF timeline has a gap.
  ///
  /// Source: LoopKit/LoopAlgorithm, `DoseMath.swift`, `insulinCorrection`.
  public static func insulinCorrection(
    for prediction: [PredictedGlucose], at now: Instant, target: [AlgorithmInput.TargetEntry],
    suspendThreshold: GlucoseConcentration? = nil, sensitivity: [AlgorithmInput.ScheduleEntry],
    insulinModel: InsulinModel = .rapidActingAdult
  ) throws(AlgorithmError) -> InsulinCorrection {
    let axis = TimeAxis(near: now)
    let spans = axis.spans(target)
    let time = axis.seconds(now)
    guard !prediction.isEmpty else { throw .predictionTooShort }
    guard let targetNow = spans.closestPrior(to: time) else { throw .targetTimelineIncomplete }
    let math = CorrectionMath(
      now: time, target: spans, targetNow: targetNow,
      suspendThreshold: suspendThreshold?.mgdL ?? spans[targetNow].lower,
      model: insulinModel, axis: axis)
    var segments: [CorrectionMath.Segment] = []
    math.segments(axis.spans(sensitivity), into: &segments)
    let series = FreeSeries(prediction, axis)
    return InsulinCorrection(try math.correction(series, segments), series, axis)
  }
}

/// A prediction whose times may lie anywhere.
struct FreeSeries: PredictedSeries {
  let values: [Double]
  private let times: [Double]

  init(_ prediction: [PredictedGlucose], _ axis: TimeAxis) {
    values = prediction.map(\.quantity.mgdL)
    times = prediction.map { axis.seconds($0.startDate) }
  }

  var gridStep: Int? { nil }
  var lastOnGrid: Int { 0 }

  func time(_ index: Int) -> Double { times[index] }
}
