internal import WorkCounting

/// Effects on the five-minute grid, and the prediction made of them.
///
/// All effects lie on the grid, so arrays by step take the place of the original's map by date;
/// only the current glucose and an item appended at the end are off it. A value is meant to be used
/// again: its arrays keep their storage.
///
/// Source: LoopKit/LoopAlgorithm, `LoopMath.swift`, `predictGlucose(startingAt:momentum:effects:)`.
struct Prediction: Sendable {
  /// A timeline of cumulative values on the grid.
  struct Effects: Sendable {
    var firstStep = 0
    var values: [Double] = []

    var lastStep: Int { firstStep + values.count - 1 }

    /// The change in a step: nothing in the first one and outside.
    func change(in step: Int) -> Double {
      let index = step - firstStep
      return index >= 1 && index < values.count ? values[index] - values[index - 1] : 0
    }

    /// The change from the first to the last value.
    var net: Double {
      guard let first = values.first, let last = values.last else { return 0 }
      return last - first
    }
  }

  /// Predicted values; the first is the current glucose.
  private(set) var values: [Double] = []
  /// The current glucose's time.
  private(set) var start = 0.0
  /// The grid step of `values[1]`.
  private(set) var firstStep = 0
  /// The time of the last item where that is appended off the grid.
  private(set) var end: Double?

  var count: Int { values.count }

  func time(_ index: Int) -> Double {
    assert(values.indices.contains(index), "A value that is dated is there.")
    if index == 0 { return start }
    if let end, index == values.count - 1 { return end }
    return Double(firstStep + index - 1) * TimeAxis.step
  }

  /// Combines effects: each step's changes are added up, and momentum is blended in so that it
  /// holds fully at first and not at all at its last value.
  ///
  /// `insulinLastStep` is the last step whose increments of `insulin` count.
  mutating func combine(
    from glucose: GlucosePoint, carbs: Effects?, insulin: InsulinEffectGrid?,
    insulinLastStep: Int?, retrospection: Effects?, momentum: Momentum?
  ) {
    values.removeAll(keepingCapacity: true)
    values.append(glucose.value)
    start = glucose.start
    end = nil
    firstStep = TimeAxis.floorStep(glucose.start) + 1
    var last = firstStep - 1
    if let carbs, !carbs.values.isEmpty { last = max(last, carbs.lastStep) }
    if let insulinLastStep { last = max(last, insulinLastStep) }
    if let retrospection, !retrospection.values.isEmpty {
      last = max(last, retrospection.lastStep)
    }
    if let momentum { last = max(last, momentum.steps.upperBound) }
    guard last >= firstStep else { return }
    assert(last >= firstStep, "A prediction goes on from the glucose.")
    // First the change in each step, cause by cause, then their running sum.
    for _ in firstStep..<(last + 1) { values.append(0) }
    Work.compute(points: values.count)
    if let carbs { add(carbs) }
    if let insulin, let insulinLastStep { add(insulin, through: insulinLastStep) }
    if let retrospection { add(retrospection) }
    if let momentum { blend(momentum, through: last) }
    var sums = values.mutableSpan
    var value = glucose.value
    for index in 1..<sums.count {
      value = sums[index] + value
      sums[index] = value
    }
  }

  /// Adds a timeline's change to that of each step.
  private mutating func add(_ effects: Effects) {
    let first = max(firstStep, effects.firstStep + 1)
    let last = min(firstStep + values.count - 2, effects.lastStep)
    guard first <= last else { return }
    let effect = effects.values.span
    let shift = effects.firstStep - firstStep + 1
    var changes = values.mutableSpan
    for index in (first - effects.firstStep)..<(last - effects.firstStep + 1) {
      changes[index + shift] += effect[index] - effect[index - 1]
    }
  }

  /// Adds the change by insulin to that of each step up to one.
  private mutating func add(_ insulin: InsulinEffectGrid, through lastStep: Int) {
    let first = max(firstStep, insulin.firstStep)
    let last = min(firstStep + values.count - 2, insulin.lastStep, lastStep)
    guard first <= last else { return }
    let increments = insulin.increments.span
    let shift = insulin.firstStep - firstStep + 1
    var changes = values.mutableSpan
    for index in (first - insulin.firstStep)..<(last - insulin.firstStep + 1) {
      changes[index + shift] += increments[index]
    }
  }

  /// Blends momentum into the change of each step in which it lasts.
  private mutating func blend(_ momentum: Momentum, through last: Int) {
    assert(values.count == last - firstStep + 2, "There is a value for each step, and the first.")
    let steps = momentum.steps.clamped(to: firstStep...max(firstStep, last))
    for step in steps where momentum.steps.contains(step) {
      let split = Self.split(momentum, at: step, from: start)
      let trend =
        step == momentum.steps.lowerBound
        ? 0 : momentum.effect(at: step) - momentum.effect(at: step - 1)
      let index = step - firstStep + 1
      values[index] = (1 - split) * values[index] + split * trend
    }
  }

  /// Extends the prediction to a time by its last value, where it ends before.
  mutating func extend(to time: Double) {
    guard let last = values.last, self.time(values.count - 1) < time else { return }
    assert(end == nil, "A prediction is extended once.")
    values.append(last)
    end = time
  }

  /// The weight of momentum in a step.
  private static func split(_ momentum: Momentum, at step: Int, from start: Double) -> Double {
    assert(momentum.steps.contains(step), "Momentum is blended in while it lasts.")
    assert(momentum.steps.count > 2, "Momentum lasts for more than two steps.")
    let i = step - momentum.steps.lowerBound
    let n = momentum.steps.count
    let N = Double(n - 2)
    let slope = 1.0 / N
    let first = Double(momentum.steps.lowerBound) * TimeAxis.step
    let offset = (start - first) / TimeAxis.step * slope
    return min(1, max(0, Double(n - i) / N - slope + offset))
  }
}
