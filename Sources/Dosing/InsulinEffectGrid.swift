import Determinism

/// The change of glucose by insulin in each step of the five-minute grid.
///
/// The original's effect timeline is the running sum of these increments:
///
///     fixed ISF:            e(t) = −u·f·E(t − s), with f in force at the dose's start
///     mid-absorption ISF:   Δe over [α, β] = −u·f·(E(β − s) − E(α − s)), with f in force then
///
/// All grid times of one dose lie on a lattice `t₀ + 300k`, so a dose needs one exponential, and its
/// increments vanish once it has acted: a finished dose is never touched again.
///
/// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `glucoseEffects` and
/// `glucoseEffectsMidAbsorptionISF`.
struct InsulinEffectGrid: Sendable {
  /// The step `increments[0]` belongs to; step `j` is the interval from `300(j − 1)` to `300j`.
  private(set) var firstStep: Int
  private(set) var increments: [Double]
  /// The last dose's fraction acted at once on the lattice, and its rise per step.
  private var acted: [Double] = []
  private var rise: [Double] = []

  init(over grid: ClosedRange<Int>) {
    firstStep = grid.lowerBound
    increments = Array(repeating: 0, count: grid.count)
  }

  /// Renumbers the steps.
  mutating func shift(by steps: Int) { firstStep += steps }

  /// Forgets the first increments; the first one left becomes the timeline's beginning.
  mutating func removeFirst(_ count: Int) {
    increments.removeFirst(count)
    firstStep += count
    if !increments.isEmpty { increments[0] = 0 }
  }

  var lastStep: Int { firstStep + increments.count - 1 }

  func increment(at step: Int) -> Double {
    let index = step - firstStep
    return index >= 0 && index < increments.count ? increments[index] : 0
  }

  /// Adds a dose that acts with one ISF; returns the steps it changed.
  ///
  /// `units` are the dose's net units, with the other sign to take the dose back.
  @discardableResult
  mutating func add(
    _ element: DoseElement, units: Double, sensitivity: Double
  ) -> ClosedRange<Int>? {
    guard units != 0 else { return nil }
    let begin = computeRise(of: element)
    guard let range = overlap(begin) else { return nil }
    let amplitude = units * -sensitivity
    for step in range { increments[step - firstStep] += amplitude * rise[step - begin] }
    return range
  }

  /// Adds a dose that acts with the ISF in force at each moment; returns the steps it changed.
  @discardableResult
  mutating func add(
    _ element: DoseElement, units: Double, sensitivity: StepSensitivity
  ) -> ClosedRange<Int>? {
    guard units != 0 else { return nil }
    let begin = computeRise(of: element)
    guard let range = overlap(begin) else { return nil }
    let shift = firstStep - sensitivity.firstStep
    if range.lowerBound - sensitivity.firstStep >= 0,
      range.upperBound - sensitivity.firstStep < sensitivity.whole.count
    {
      for step in range {
        let index = step - firstStep
        increments[index] += units * -sensitivity.whole[index + shift] * rise[step - begin]
      }
    } else {
      for step in range {
        increments[step - firstStep] +=
          units * -sensitivity.value(throughout: step) * rise[step - begin]
      }
    }
    addPieces(of: sensitivity, in: range, element, units: units)
    return range
  }

  private mutating func addPieces(
    of sensitivity: StepSensitivity, in range: ClosedRange<Int>, _ element: DoseElement,
    units: Double
  ) {
    guard !sensitivity.pieces.isEmpty else { return }
    let activity = InsulinActivity.of(element.model)
    let duration = element.end - element.start
    for piece in sensitivity.pieces where range.contains(piece.step) {
      let acted =
        activity.fractionActed(piece.end - element.start, over: duration)
        - activity.fractionActed(piece.start - element.start, over: duration)
      increments[piece.step - firstStep] += units * -piece.value * acted
    }
  }

  /// The steps of the grid that the computed rise touches.
  private func overlap(_ begin: Int) -> ClosedRange<Int>? {
    let lower = max(firstStep, begin)
    let upper = min(lastStep, begin + rise.count - 1)
    return lower <= upper ? lower...upper : nil
  }

  /// Computes by how much a dose's fraction acted rises in each step; returns the first such step.
  ///
  /// With `w_k = 1 − R` on the lattice and `m = ⌊D/300⌋`, a delivery of more than 315 s rises by
  /// `(300/D)(w_k − w_{k−m}) + (D/300 − m)(300/D)(w_{k−m} − w_{k−m−1})` in step `k`.
  private mutating func computeRise(of element: DoseElement) -> Int {
    let activity = InsulinActivity.of(element.model)
    let step = TimeAxis.step
    let origin = element.start + activity.delay
    let begin = TimeAxis.floorStep(origin) + 1
    let first = Double(begin) * step - origin
    tabulate(activity, from: first)
    let duration = element.end - element.start
    rise.removeAll(keepingCapacity: true)
    let n = acted.count
    guard duration > InsulinActivity.momentary else {
      rise.append(acted[0])
      for k in 1..<n { rise.append(acted[k] - acted[k - 1]) }
      return begin
    }
    let m = min(Int((duration / step).rounded(.down)), 2 * TimeAxis.maximumSteps)
    let whole = step / duration
    let part = (duration - Double(m) * step) / duration
    for k in 0..<(n + m) {
      let now = k < n ? acted[k] : 1
      let before = k < m ? 0 : acted[k - m]
      let earlier = k <= m ? 0 : acted[k - m - 1]
      rise.append(whole * (now - before) + part * (before - earlier))
    }
    return begin
  }

  /// Tabulates `w_k = 1 − R` at `first + 300k` seconds after the delay, up to the first 1.
  private mutating func tabulate(_ activity: InsulinActivity, from first: Double) {
    acted.removeAll(keepingCapacity: true)
    let start = PortableMath.exp(-first / activity.tau)
    var t = first
    var k = 0
    while t < activity.actionDuration {
      acted.append(activity.absorbed(t, start * activity.decay[k]))
      k += 1
      t = first + Double(k) * TimeAxis.step
    }
    acted.append(1)
  }
}

extension InsulinEffectGrid {
  /// Computes the effect of all doses over a grid.
  ///
  /// Throws `sensitivityMissingAtDose` when, with fixed ISF, none is in force where a dose starts.
  init(
    of elements: [DoseElement], over grid: ClosedRange<Int>, sensitivity: [ScheduleSpan],
    isMidAbsorption: Bool, axis: TimeAxis
  ) throws(AlgorithmError) {
    self.init(over: grid)
    guard isMidAbsorption else {
      for element in elements {
        let value = try fixedSensitivity(at: element.start, sensitivity, axis: axis)
        add(element, units: element.netUnits, sensitivity: value)
      }
      return
    }
    let steps = try StepSensitivity(sensitivity, over: grid, axis: axis)
    for element in elements { add(element, units: element.netUnits, sensitivity: steps) }
  }

  /// The change of glucose from one step to a later one, in mg/dL.
  func change(from start: Int, to end: Int) -> Double {
    var sum = 0.0
    var step = start + 1
    while step <= end {
      sum += increment(at: step)
      step += 1
    }
    return sum
  }
}

/// The ISF a dose acts with when it is fixed: the entry in force where the dose starts.
///
/// Throws when none starts at or before the dose, or the last one ends before it.
func fixedSensitivity(
  at start: Double, _ sensitivity: [ScheduleSpan], axis: TimeAxis
) throws(AlgorithmError) -> Double {
  guard let index = sensitivity.closestPrior(to: start), sensitivity[index].end >= start else {
    throw .sensitivityMissingAtDose(axis.instant(start))
  }
  return sensitivity[index].value
}
