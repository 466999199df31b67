public import Quantities

/// Doses annotated, and perhaps their effect computed, once for many predictions.
///
/// For back-testing every 5 minutes over days, or sweeping sensitivities: the insulin part of a
/// prediction is the same whenever one asks, only doses after a prediction's start are then known
/// in advance.
///
/// Source: LoopKit/LoopAlgorithm, `PrecomputedInsulinInput.swift`.
public struct PrecomputedInsulin: Sendable {
  let axis: TimeAxis
  let elements: [DoseElement]
  let effect: InsulinEffectGrid?

  /// What one prediction takes of it.
  struct Slice {
    var elements: [DoseElement]
    var effect: InsulinEffectGrid?
  }

  /// Sets doses against the basal schedule; that does not depend on the ISF.
  ///
  /// Throws `notSorted` for a schedule that is not sorted.
  public static func annotate(
    doses: [AlgorithmInput.InsulinDose], basal: [AlgorithmInput.ScheduleEntry]
  ) throws(AlgorithmError) -> Self {
    if let index = basal.firstUnsorted(by: \.startDate) { throw .notSorted(.basal, index: index) }
    let axis = TimeAxis(
      near: doses.first?.startDate ?? basal.first?.startDate ?? Instant(secondsSince1970: 0))
    let spans = axis.spans(basal)
    var elements: [DoseElement] = []
    elements.reserveCapacity(doses.count)
    for dose in doses {
      annotate(dose, spans, axis, into: &elements)
    }
    return Self(axis: axis, elements: elements, effect: nil)
  }

  private static func annotate(
    _ dose: AlgorithmInput.InsulinDose, _ basal: [ScheduleSpan], _ axis: TimeAxis,
    into elements: inout [DoseElement]
  ) {
    Dosing.annotate(
      type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
      volume: dose.volume, model: dose.insulinModel, basal: basal, into: &elements)
  }

  /// Computes the insulin effect.
  ///
  /// The bounds must cover the first glucose of the first prediction and 6 h 10 min beyond the
  /// last; without them, they are the action of the doses that are not nothing.
  ///
  /// Throws what makes the effect impossible to compute.
  public func withEffects(
    sensitivity: [AlgorithmInput.ScheduleEntry], from: Instant? = nil, to: Instant? = nil,
    useMidAbsorptionISF: Bool = false
  ) throws(AlgorithmError) -> Self {
    if let index = sensitivity.firstUnsorted(by: \.startDate) {
      throw .notSorted(.sensitivity, index: index)
    }
    let acting = elements.filter { $0.netUnits != 0 }
    guard let first = acting.first else { return self }
    var start = first.start
    var end = first.start
    for element in acting {
      start = min(start, element.start)
      end = max(end, element.end + InsulinModel.longestEffectDuration)
    }
    // The effect starts with the first dose, so that a later bound only leaves out.
    let lower = from.map(axis.seconds) ?? start
    let upper = to.map(axis.seconds) ?? end
    let grid = try TimeAxis.grid(from: min(lower, start), to: max(upper, lower))
    var effect = try InsulinEffectGrid(
      of: acting, over: grid, sensitivity: axis.spans(sensitivity),
      isMidAbsorption: useMidAbsorptionISF, axis: axis)
    effect.drop(before: TimeAxis.floorStep(lower))
    return Self(axis: axis, elements: elements, effect: effect)
  }

  /// Both steps at once.
  public static func build(
    doses: [AlgorithmInput.InsulinDose], basal: [AlgorithmInput.ScheduleEntry],
    sensitivity: [AlgorithmInput.ScheduleEntry], from: Instant? = nil, to: Instant? = nil,
    useMidAbsorptionISF: Bool = false
  ) throws(AlgorithmError) -> Self {
    try annotate(doses: doses, basal: basal).withEffects(
      sensitivity: sensitivity, from: from, to: to, useMidAbsorptionISF: useMidAbsorptionISF)
  }

  /// The doses that lie within an interval, or reach into it; the effect stays whole.
  public func sliced(from: Instant, to: Instant) -> Self {
    let lower = axis.seconds(from)
    let upper = axis.seconds(to)
    return Self(
      axis: axis, elements: elements.filter { $0.start < upper && $0.end > lower },
      effect: effect)
  }

  /// The doses, set against the scheduled basal.
  public var dosesRelativeToBasal: [RelativeDose] { elements.map { RelativeDose($0, axis) } }

  /// The cumulative insulin effect, from its first grid time on; nothing before it is computed.
  public var insulinEffect: [GlucoseEffect]? { effect?.cumulative(axis) }

  /// The same on another axis.
  func slice(on other: TimeAxis) -> Slice {
    let shift = other.seconds(axis.origin)
    let moved = elements.map { element in
      var element = element
      element.start += shift
      element.end += shift
      return element
    }
    let steps = Int((shift / TimeAxis.step).rounded())
    assert(Double(steps) * TimeAxis.step == shift, "All axes lie on one grid.")
    return Slice(elements: moved, effect: effect?.moved(by: steps))
  }
}

extension InsulinEffectGrid {
  /// Leaves out what happened before a step, whose own increment becomes nothing.
  mutating func drop(before step: Int) {
    let count = min(max(0, step - firstStep), increments.count - 1)
    guard count > 0 else { return }
    removeFirst(count)
  }

  func moved(by steps: Int) -> Self {
    var result = self
    result.shift(by: steps)
    return result
  }
}
