import Determinism
internal import WorkCounting

/// The change of glucose by insulin in each step of the five-minute grid.
///
/// The original's effect timeline is the running sum of these increments:
///
///     fixed ISF:            e(t) = −u·f·E(t − s), with f in force at the dose's start
///     mid-absorption ISF:   Δe over [α, β] = −u·f·(E(β − s) − E(α − s)), with f in force then
///
/// All grid times of one dose lie on a lattice `t₀ + 300k`, so a dose needs one exponential, and
/// its increments vanish once it has acted: a finished dose is never touched again.
///
/// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `glucoseEffects` and
/// `glucoseEffectsMidAbsorptionISF`.
struct InsulinEffectGrid: Sendable {
  /// The step `increments[0]` belongs to; step `j` is the interval from `300(j − 1)` to `300j`.
  private(set) var firstStep: Int
  private(set) var increments: [Double]
  /// The steps that doses have been added to or taken from since somebody looked.
  private(set) var touched: [ClosedRange<Int>] = []
  /// How the doses rise that were added last.
  private var rises = DoseRises()

  init(over grid: ClosedRange<Int>) {
    firstStep = grid.lowerBound
    increments = Array(repeating: 0, count: grid.count)
  }

  /// Renumbers the steps.
  mutating func shift(by steps: Int) { firstStep += steps }

  /// Forgets the first increments; the first one left becomes the timeline's beginning.
  mutating func removeFirst(_ count: Int) {
    precondition(count <= increments.count, "No more steps are dropped than there are.")
    increments.removeFirst(count)
    firstStep += count
    if !increments.isEmpty { increments[0] = 0 }
  }

  /// The increments of some steps; the first is the timeline's beginning.
  func sliced(_ steps: ClosedRange<Int>) -> Self {
    var result = Self(over: steps)
    for step in steps.dropFirst() {
      result.increments[step - steps.lowerBound] = increment(at: step)
    }
    return result
  }

  /// Makes room for all steps of a range; steps far before it are forgotten.
  mutating func cover(_ steps: ClosedRange<Int>) {
    if steps.lowerBound > lastStep || steps.upperBound < firstStep {
      increments.removeAll(keepingCapacity: true)
      firstStep = steps.lowerBound
      touch(.min ... .max)
    }
    if steps.lowerBound < firstStep {
      let count = firstStep - steps.lowerBound
      increments.insert(contentsOf: repeatElement(0, count: count), at: 0)
      firstStep = steps.lowerBound
    }
    let spare = steps.lowerBound - firstStep
    if spare > Self.spareSteps {
      touch(firstStep...(steps.lowerBound - 1))
      increments.removeFirst(spare)
      firstStep = steps.lowerBound
    }
    let missing = steps.upperBound - lastStep
    for _ in 0..<max(0, missing) { increments.append(0) }
    assert(
      firstStep <= steps.lowerBound && lastStep >= steps.upperBound,
      "A grid covers the steps that it is to cover.")
  }

  /// How many steps before the range in use are kept, so that they are not moved every cycle.
  static let spareSteps = 48

  /// Sets the increments of some steps to nothing.
  mutating func clear(_ steps: ClosedRange<Int>) {
    let lower = max(firstStep, steps.lowerBound)
    let upper = min(lastStep, steps.upperBound)
    guard lower <= upper else { return }
    touch(lower...upper)
    for step in lower..<(upper + 1) { increments[step - firstStep] = 0 }
  }

  /// Notes that steps are touched; where there are many stretches, all between them counts.
  private mutating func touch(_ steps: ClosedRange<Int>) {
    guard touched.count >= Self.mostTouched else { return touched.append(steps) }
    var hull = steps
    for range in touched {
      hull =
        min(hull.lowerBound, range.lowerBound)...max(hull.upperBound, range.upperBound)
    }
    touched.removeAll(keepingCapacity: true)
    touched.append(hull)
  }

  /// How many stretches are told apart: more than an ordinary cycle touches.
  private static let mostTouched = 16

  /// Forgets which steps were touched: somebody has looked at them.
  mutating func forgetTouched() { touched.removeAll(keepingCapacity: true) }

  var lastStep: Int { firstStep + increments.count - 1 }

  func increment(at step: Int) -> Double {
    let index = step - firstStep
    return index >= 0 && index < increments.count ? increments[index] : 0
  }

  /// Adds a dose that acts with one ISF, to all steps or to some.
  ///
  /// `units` are the dose's net units, with the other sign to take the dose back.
  mutating func add(
    _ element: DoseElement, _ lattice: DoseLattice, units: Double, sensitivity: Double,
    within steps: ClosedRange<Int>? = nil
  ) {
    guard units != 0, let range = overlap(lattice, steps) else { return }
    let table = rises.rise(of: element, lattice)
    touch(range)
    let amplitude = units * -sensitivity
    let shift = firstStep - lattice.begin
    let first = range.lowerBound - firstStep
    let last = range.upperBound - firstStep
    let rise = table.span
    Work.compute(points: range.count)
    assert(first + shift >= 0 && last + shift < rise.count, "A dose acts within its lattice.")
    var changes = increments.mutableSpan
    for index in first..<(last + 1) { changes[index] += amplitude * rise[index + shift] }
  }

  /// Adds a dose that acts with the ISF in force at each moment, to all steps or to some.
  mutating func add(
    _ element: DoseElement, _ lattice: DoseLattice, units: Double, sensitivity: StepSensitivity,
    within steps: ClosedRange<Int>? = nil
  ) {
    guard units != 0, let range = overlap(lattice, steps) else { return }
    let rise = rises.rise(of: element, lattice)
    touch(range)
    Work.compute(points: range.count)
    let begin = lattice.begin
    let shift = firstStep - sensitivity.firstStep
    assert(range.upperBound - begin < rise.count, "A dose acts within its lattice.")
    if range.lowerBound >= sensitivity.firstStep,
      range.upperBound - sensitivity.firstStep < sensitivity.whole.count
    {
      for step in range {
        let index = step - firstStep
        increments[index] +=
          units * -sensitivity.whole[index + shift] * rise[step - begin]
      }
    } else {
      for step in range {
        increments[step - firstStep] +=
          units * -sensitivity.value(throughout: step) * rise[step - begin]
      }
    }
    addPieces(of: sensitivity, in: range, element, units: units)
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

  /// The steps of the grid in which a dose acts.
  private func overlap(_ lattice: DoseLattice, _ steps: ClosedRange<Int>?) -> ClosedRange<Int>? {
    let lower = max(firstStep, lattice.begin, steps?.lowerBound ?? firstStep)
    let upper = min(lastStep, lattice.end, steps?.upperBound ?? lastStep)
    return lower <= upper ? lower...upper : nil
  }
}

/// Where the grid times of a dose lie in its action.
///
/// Source of the arrangement: all grid times are `first + 300k` seconds after the dose's delay, so
/// one exponential, `e^(−first/τ)`, serves them all.
struct DoseLattice: Hashable, Sendable {
  /// The first grid step at which the dose acts.
  let begin: Int
  /// Seconds from the end of the delay to that step: above 0, up to 300.
  let first: Double
  /// `e^(−first/τ)`.
  let exponential: Double
  /// How many grid times fall within the action of what is delivered first.
  let acting: Int
  /// The last step in which the dose acts.
  let end: Int
  /// The step at which the dose starts.
  let startStep: Int
  /// How many steps the dose lasts; -1 where ``OnBoardTable`` has no such dose, or it does not
  /// start at a step.
  let stepCount: Int
  /// The step from which exactly nothing of the dose is on board; never where ``stepCount`` is -1.
  let spentStep: Int

  /// Steps from the start of a dose given at once until nothing of it is on board.
  private static let acting = Int((InsulinModel.longestEffectDuration + 600) / TimeAxis.step)

  init(_ element: DoseElement) {
    let activity = InsulinActivity.of(element.model)
    let origin = element.start + activity.delay
    begin = TimeAxis.floorStep(origin) + 1
    first = Double(begin) * TimeAxis.step - origin
    exponential = activity.exponential(first)
    acting = Int(((activity.actionDuration - first) / TimeAxis.step).rounded(.up))
    assert(acting > 0, "Insulin acts for more than a step.")
    let duration = element.end - element.start
    let slices = duration > InsulinActivity.momentary ? Self.fullSlices(duration) : 0
    end = begin + acting + slices
    startStep = TimeAxis.floorStep(element.start)
    let isOnGrid = Double(startStep) * TimeAxis.step == element.start
    stepCount = isOnGrid ? OnBoardTable.stepCount(of: duration) ?? -1 : -1
    spentStep = stepCount >= 0 ? startStep + Self.acting + stepCount : .max
  }

  /// How many whole steps a delivery lasts.
  static func fullSlices(_ duration: Double) -> Int {
    Int(min((duration / TimeAxis.step).rounded(.down), Double(2 * TimeAxis.maximumSteps)))
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
        add(element, DoseLattice(element), units: element.netUnits, sensitivity: value)
      }
      return
    }
    let steps = try StepSensitivity(sensitivity, over: grid, axis: axis)
    for element in elements {
      add(element, DoseLattice(element), units: element.netUnits, sensitivity: steps)
    }
  }

  /// The change of glucose from one step to a later one, in mg/dL.
  func change(from start: Int, to end: Int) -> Double {
    assert(start <= end, "A change is asked for forward in time.")
    // Mostly one step.
    if end == start + 1 { return 0.0 + increment(at: end) }
    Work.compute(points: end - start)
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
