internal import WorkCounting

/// Predicted values with their times, in order.
protocol PredictedSeries {
  var values: [Double] { get }
  /// The grid step of `values[1]`, where the values follow the grid.
  var gridStep: Int? { get }
  /// The index of the last value on the grid, where they follow it.
  var lastOnGrid: Int { get }
  /// Seconds on the evaluation's axis.
  func time(_ index: Int) -> Double
}

extension Prediction: PredictedSeries {
  var gridStep: Int? { firstStep }
  var lastOnGrid: Int { end == nil ? values.count - 1 : values.count - 2 }
}

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
  var type = RecommendationType.automaticBolus

  var activity: InsulinActivity { .of(model) }

  /// The time from which a dose counts: now, and that of the last glucose, with which a prediction
  /// begins, where the older app doses without a person.
  ///
  /// Source of the older app: LoopKit/Loop (`dev`), `LoopDataManager.swift`, whose automatic doses
  /// are asked for `at: predictedGlucose[0].startDate`, and boluses to confirm `at: now()`.
  func origin(of prediction: some PredictedSeries) -> Double {
    generation == .older && type.isAutomatic ? prediction.time(0) : now
  }

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
    let duration = model.effectDuration
    assert(target.indices.contains(targetNow), "A correction range holds now.")
    assert(duration > 0, "Insulin acts for some time.")
    // The older app looks only at what lies within the action.
    let isOlder = generation == .older
    let now = origin(of: prediction)
    guard isOlder || prediction.time(values.count - 1) >= now + duration else {
      throw .predictionTooShort
    }
    var search = Search()
    if let first = indexOfNow(prediction, segments) {
      searchOnGrid(values, from: first, segments[0], &search)
    } else {
      try searchAnywhere(prediction, segments, from: now, &search)
    }
    if let low = search.low { return .suspend(minimum: low) }
    let minimum = search.minimum
    let eventual = search.eventual
    guard minimum.index >= 0 else { throw .predictionTooShort }
    let rangeAtMinimum = range(at: prediction.time(minimum.index))
    let rangeAtEnd = range(at: prediction.time(eventual))
    let eventualValue = values[eventual]
    if minimum.value < rangeAtMinimum.lower, eventualValue < rangeAtEnd.lower {
      let units = (minimum.value - rangeAtMinimum.middle) / max(.ulpOfOne, minimum.sensitivity)
      return .entirelyBelowRange(
        minimum: minimum.index, minimumTarget: rangeAtMinimum.lower, units: units)
    }
    if eventualValue > rangeAtEnd.upper, search.candidate.index >= 0 {
      return .aboveRange(
        minimum: minimum.index, correcting: search.candidate.index, minimumTarget: rangeAtEnd.lower,
        units: search.candidate.units)
    }
    return .inRange
  }

  /// What a walk through the predicted values finds.
  private struct Search {
    /// The first value below the suspend threshold, where the walk ends.
    var low: Int?
    var minimum = (index: -1, value: Double.infinity, sensitivity: 0.0)
    /// The value that needs the least insulin above none.
    var candidate = (index: -1, units: Double.infinity)
    /// The last value looked at.
    var eventual = 0

    @inline(__always)
    mutating func look(at index: Int, _ value: Double, target: Double, sensitivity: Double) {
      eventual = index
      if value < minimum.value || minimum.index < 0 { minimum = (index, value, sensitivity) }
      guard value > target else { return }
      let units = (value - target) / max(.ulpOfOne, sensitivity)
      if units > 0, units < candidate.units || candidate.index < 0 { candidate = (index, units) }
    }
  }

  /// Walks through values that may lie at any times.
  private func searchAnywhere(
    _ prediction: some PredictedSeries, _ segments: [Segment], from now: Double,
    _ search: inout Search
  ) throws(AlgorithmError) {
    let values = prediction.values
    let duration = model.effectDuration
    let high = target[targetNow].middle
    // Entries that end before now are not there, where glucose may lie.
    let sensitivityThen = (segments.last { $0.start <= now } ?? segments.first)?.value ?? 0
    let isOlder = generation == .older
    var lattice = Lattice(of: model)
    Work.compute(points: values.count)
    for index in values.indices {
      let time = prediction.time(index)
      guard time >= now else { continue }
      if isOlder, time > now + duration { break }
      let value = values[index]
      if value < suspendThreshold {
        search.low = index
        return
      }
      let x = time - now
      let end = isOlder ? range(at: time).middle : high
      let remaining = lattice.remaining(x)
      let sensitivity =
        isOlder
        ? (1 - remaining) * sensitivityThen
        : try effective(segments, at: time, remaining: remaining)
      search.look(
        at: index, value, target: target(at: x / duration, high: end), sensitivity: sensitivity)
      if time >= now + duration { break }
    }
  }

  /// Walks through values on the grid from one that lies at now: everything that depends on time
  /// alone stands in a table, and is the same to the bit.
  private func searchOnGrid(
    _ list: [Double], from first: Int, _ segment: Segment, _ search: inout Search
  ) {
    let high = target[targetNow].middle
    let table = ActivityTables.of(model).steps
    let values = list.span
    let steps = table.span
    Work.compute(points: steps.count)
    for step in 0..<steps.count {
      let value = values[first + step]
      if value < suspendThreshold {
        search.low = first + step
        return
      }
      search.look(
        at: first + step, value, target: target(at: steps[step].share, high: high),
        sensitivity: 0.0 + (segment.remainingAtStart - steps[step].remaining) * segment.value)
    }
  }

  /// The index of the value at now, where the walk can follow the grid: now lies on it, and one ISF
  /// holds while a dose given now acts.
  private func indexOfNow(_ prediction: some PredictedSeries, _ segments: [Segment]) -> Int? {
    guard generation == .current, segments.count == 1, let firstStep = prediction.gridStep,
      segments[0].start <= now, now + model.effectDuration <= segments[0].end
    else { return nil }
    let step = TimeAxis.floorStep(now)
    let index = step - firstStep + 1
    guard Double(step) * TimeAxis.step == now, index >= 0,
      index + Int(model.effectDuration / TimeAxis.step) <= prediction.lastOnGrid
    else { return nil }
    // The first value is the current glucose, wherever that lies.
    return index > 0 || prediction.time(0) == now ? index : nil
  }

  /// The target at a fraction of the dose's action.
  @inline(__always)
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
