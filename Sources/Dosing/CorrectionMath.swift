/// Predicted values with their times, in order.
protocol PredictedSeries {
  var values: [Double] { get }
  /// Seconds on the evaluation's axis.
  func time(_ index: Int) -> Double
}

extension Prediction: PredictedSeries {}

/// Finds the insulin correction for a prediction.
///
/// Source: LoopKit/LoopAlgorithm, `DoseMath.swift`, `insulinCorrection`.
struct CorrectionMath {
  /// The correction with its predicted items as indices into the prediction.
  enum Correction: Hashable, Sendable {
    case inRange
    case aboveRange(minimum: Int, correcting: Int, minimumTarget: Double, units: Double)
    case entirelyBelowRange(minimum: Int, minimumTarget: Double, units: Double)
    case suspend(minimum: Int)

    var units: Double {
      switch self {
      case .aboveRange(_, _, _, let units), .entirelyBelowRange(_, _, let units): units
      case .inRange, .suspend: 0
      }
    }
  }

  /// An ISF entry that overlaps the time from now on, with the fraction remaining at its bounds.
  struct Segment: Hashable, Sendable {
    var start: Double
    var end: Double
    var value: Double
    var remainingAtStart: Double
    var remainingAtEnd: Double
  }

  var now: Double
  var target: [TargetSpan]
  /// The index of the correction range in force now.
  var targetNow: Int
  var suspendThreshold: Double
  var model: InsulinModel
  var axis: TimeAxis
  var generation = LoopGeneration.current

  var activity: InsulinActivity { .of(model) }

  /// Lays out the ISF entries a dose given now would act in.
  func segments(_ sensitivity: [ScheduleSpan], into segments: inout [Segment]) {
    segments.removeAll(keepingCapacity: true)
    for span in sensitivity where span.end >= now {
      segments.append(segment(span))
    }
  }

  func segment(_ span: ScheduleSpan) -> Segment {
    Segment(
      start: span.start, end: span.end, value: span.value,
      remainingAtStart: activity.remaining(max(now, span.start) - now),
      remainingAtEnd: activity.remaining(span.end - now))
  }

  /// Finds the correction.
  ///
  /// For each predicted value from now to the end of the dose's action, a target that rises from
  /// the suspend threshold (until half of the action) to the middle of the range, and the ISF
  /// weighted by activity, `s = Σ (R(α − now) − R(β − now))·f`, give the units `(value −
  /// target)/s`; the least positive ones are the correction.
  ///
  /// - Precondition: The prediction is not empty.
  func correction(
    _ prediction: some PredictedSeries, _ segments: [Segment]
  ) throws(AlgorithmError) -> Correction {
    let values = prediction.values
    let count = values.count
    let duration = model.effectDuration
    assert(target.indices.contains(targetNow), "A correction range holds now.")
    assert(duration > 0, "Insulin acts for some time.")
    let high = target[targetNow].middle
    var minimum = (index: -1, value: Double.infinity, sensitivity: 0.0)
    var candidate = (index: -1, units: Double.infinity)
    let sensitivityNow = segments.last { $0.start <= self.now }?.value ?? 0
    var eventual = 0
    var lattice = Lattice(of: model)
    // The older app counts from the last glucose, and only what lies within the action.
    let isOlder = generation == .older
    let now = isOlder ? prediction.time(0) : self.now
    guard isOlder || prediction.time(count - 1) >= now + duration else {
      throw .predictionTooShort
    }
    for index in 0..<count {
      let time = prediction.time(index)
      guard time >= now else { continue }
      if isOlder, time > now + duration { break }
      let value = values[index]
      if value < suspendThreshold { return .suspend(minimum: index) }
      eventual = index
      let x = time - now
      let end = isOlder ? range(at: time).middle : high
      let target = self.target(at: x / duration, high: end)
      let remaining = lattice.remaining(x)
      let sensitivity =
        isOlder
        ? (1 - remaining) * sensitivityNow
        : try effective(segments, at: time, remaining: remaining)
      if value < minimum.value || minimum.index < 0 { minimum = (index, value, sensitivity) }
      if value > target {
        let units = (value - target) / max(.ulpOfOne, sensitivity)
        if units > 0, units < candidate.units || candidate.index < 0 {
          candidate = (index, units)
        }
      }
      if time >= now + duration { break }
    }
    guard minimum.index >= 0 else { throw .predictionTooShort }
    let rangeAtMinimum = range(at: prediction.time(minimum.index))
    let rangeAtEnd = range(at: prediction.time(eventual))
    let eventualValue = values[eventual]
    if minimum.value < rangeAtMinimum.lower, eventualValue < rangeAtEnd.lower {
      let units = (minimum.value - rangeAtMinimum.middle) / max(.ulpOfOne, minimum.sensitivity)
      return .entirelyBelowRange(
        minimum: minimum.index, minimumTarget: rangeAtMinimum.lower, units: units)
    }
    if eventualValue > rangeAtEnd.upper, candidate.index >= 0 {
      return .aboveRange(
        minimum: minimum.index, correcting: candidate.index, minimumTarget: rangeAtEnd.lower,
        units: candidate.units)
    }
    return .inRange
  }

  /// The target at a fraction of the dose's action.
  private func target(at fraction: Double, high: Double) -> Double {
    assert(fraction >= 0, "A target is asked for what lies ahead.")
    if fraction <= 0.5 { return suspendThreshold }
    if fraction >= 1 { return high }
    let slope = (high - suspendThreshold) / (1 - 0.5)
    return suspendThreshold + slope * (fraction - 0.5)
  }

  /// The range in force at a time that is not before now.
  private func range(at time: Double) -> TargetSpan {
    target[target.closestPrior(to: time) ?? targetNow]
  }

  @inline(__always)
  private func effective(
    _ segments: [Segment], at time: Double, remaining: Double
  ) throws(AlgorithmError) -> Double {
    if segments.count == 1, segments[0].start <= time, time <= segments[0].end {
      // Mostly one holds throughout.
      return 0.0 + (segments[0].remainingAtStart - remaining) * segments[0].value
    }
    return try sum(segments, at: time, remaining: remaining)
  }

  private func sum(
    _ segments: [Segment], at time: Double, remaining: Double
  ) throws(AlgorithmError) -> Double {
    var sum = 0.0
    var end = -Double.infinity
    for segment in segments {
      guard segment.start <= time else { break }
      let left = segment.end < time ? segment.remainingAtEnd : remaining
      sum += (segment.remainingAtStart - left) * segment.value
      end = segment.end
    }
    guard end >= time else { throw .sensitivityMissingInPrediction(axis.instant(time)) }
    return sum
  }
}
