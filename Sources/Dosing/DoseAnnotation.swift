/// Sets a dose against the scheduled basal, appending its parts.
///
/// A basal dose over `[s, e]` is cut where the schedule changes, each part with its share of the
/// volume; parts without length, where the dose only touches an entry of the schedule, are kept as
/// in the original. A basal dose no entry overlaps vanishes.
///
/// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `annotated(with:)`, and
/// `RelativeDelivery.swift`.
func annotate(
  type: AlgorithmInput.DeliveryType, start s: Double, end e: Double, volume: Double,
  model: InsulinModel, basal: [ScheduleSpan], into elements: inout [DoseElement]
) {
  guard type == .basal else {
    elements.append(
      DoseElement(start: s, end: e, volume: volume, scheduledRate: nil, model: model))
    return
  }
  if basal.count == 1 {
    let whole = element(
      type: type, start: s, end: e, volume: volume, model: model, rate: basal[0])
    if let whole { elements.append(whole) }
    return
  }
  // Sorted entries that do not overlap: those with end ≥ s and start ≤ e are neighbours.
  var index = max(0, (basal.closestPrior(to: s) ?? 0))
  while index > 0, basal[index - 1].end >= s { index -= 1 }
  while index < basal.count, basal[index].end < s { index += 1 }
  guard index < basal.count, basal[index].start <= e else { return }
  var from = s
  while true {
    let next = index + 1
    let isLast = next >= basal.count || basal[next].start > e
    let to = isLast ? e : basal[next].start
    let partStart = max(from, s)
    let partEnd = max(from, min(to, e))
    assert(e < s || (s <= partStart && partEnd <= e), "A part lies within its dose.")
    let share = e - s > 0 ? volume * ((partEnd - partStart) / (e - s)) : 0
    elements.append(
      DoseElement(
        start: partStart, end: partEnd, volume: share, scheduledRate: basal[index].value,
        model: model))
    if isLast { return }
    from = basal[next].start
    index = next
  }
}

/// A dose set against the one scheduled rate there is; `nil` for basal that it does not overlap.
///
/// The dose stays whole, as ``annotate(type:start:end:volume:model:basal:into:)`` has it.
@inline(__always)
func element(
  type: AlgorithmInput.DeliveryType, start: Double, end: Double, volume: Double,
  model: InsulinModel, rate: ScheduleSpan
) -> DoseElement? {
  guard type == .basal else {
    return DoseElement(start: start, end: end, volume: volume, scheduledRate: nil, model: model)
  }
  guard rate.end >= start, rate.start <= end else { return nil }
  return DoseElement(
    start: start, end: max(start, end), volume: end - start > 0 ? volume : 0,
    scheduledRate: rate.value, model: model)
}

/// Net insulin on board at a time, summed dose by dose.
///
/// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `insulinOnBoard(at:)`.
struct InsulinOnBoardSum {
  /// U.
  private(set) var units = 0.0
  private let time: Double
  private var model = InsulinModel.rapidActingAdult
  private var table = ActivityTables.of(.rapidActingAdult).onBoard

  init(at time: Double) { self.time = time }

  /// Adds what is on board of a dose; nothing where it comes later.
  @inline(__always)
  mutating func add(_ element: DoseElement) {
    let x = time - element.start
    guard x >= 0 else { return }
    use(element.model)
    let duration = element.end - element.start
    let fraction = table.fraction(x, of: duration) ?? Self.fraction(of: model, x, duration)
    units += element.netUnits * fraction
  }

  /// Adds what is on board of net units that were given over whole steps, whole steps after their
  /// start.
  @inline(__always)
  mutating func add(_ netUnits: Double, of model: InsulinModel, atStep step: Int, of count: Int) {
    use(model)
    units += netUnits * table.fraction(atStep: step, of: count)
  }

  @inline(__always)
  private mutating func use(_ model: InsulinModel) {
    guard model != self.model else { return }
    self.model = model
    table = ActivityTables.of(model).onBoard
  }

  /// What the table does not have, apart from the loop over doses, which would carry all terms of
  /// the activity along.
  @inline(never)
  private static func fraction(of model: InsulinModel, _ x: Double, _ duration: Double) -> Double {
    InsulinActivity.of(model).fractionOnBoard(x, of: duration)
  }
}

/// Net insulin on board at a time, in U: the sum over all doses.
func insulinOnBoard(_ elements: [DoseElement], at time: Double) -> Double {
  var sum = InsulinOnBoardSum(at: time)
  for element in elements { sum.add(element) }
  return sum.units
}
