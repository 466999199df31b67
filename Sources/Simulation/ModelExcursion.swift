internal import Physiology
public import Quantities

/// A stretch of a run in which the body's glucose lay outside the range of its model.
///
/// The trace goes on as the equations give it; what it shows there is arithmetic, not physiology.
public struct ModelExcursion: Hashable, Sendable {
  /// When glucose was first seen outside the range.
  public var start: Instant
  /// When it was back inside, or the end of the run.
  public var end: Instant
  /// The least and the greatest glucose that the equations gave.
  public var lowest: GlucoseConcentration
  public var highest: GlucoseConcentration
  /// Whether the equations gave less than no glucose, which the trace shows as zero.
  public var isClipped: Bool

  /// How long glucose was outside.
  public var duration: TimeSpan { end - start }
}

/// Whether the body is where its model holds: looked at whenever anything is due, from the start of
/// the part that counts on.
extension Run {
  /// Notes that glucose has left the model's range, how far it went, and that it is back.
  mutating func watchModel() {
    guard state.now >= setup.start else { return }
    let range = state.body.modelRange
    let computed = state.body.computedGlucose
    let isClipped = computed.mgdL < 0 && state.body.glucose.mgdL >= 0
    let isOutside = !range.contains(computed)
    guard let last = state.modelExcursions.indices.last, state.isOutsideModel else {
      if isOutside { leaveModel(at: computed, range, isClipped: isClipped) }
      return
    }
    state.modelExcursions[last].end = state.now
    guard isOutside else {
      state.isOutsideModel = false
      let span = state.modelExcursions[last].duration
      note(
        .model, "back",
        "Glucose is \(tenths(computed)), within the model's range again after \(span).")
      return
    }
    let excursion = state.modelExcursions[last]
    if computed.mgdL < excursion.lowest.mgdL { state.modelExcursions[last].lowest = computed }
    if computed.mgdL > excursion.highest.mgdL { state.modelExcursions[last].highest = computed }
    if isClipped, !excursion.isClipped {
      state.modelExcursions[last].isClipped = true
      note(
        .model, "clipped", "The equations give less than no glucose; \(words(.mgdL(0))) is shown.")
    }
  }

  private mutating func leaveModel(
    at glucose: GlucoseConcentration, _ range: ModelRange, isClipped: Bool
  ) {
    state.isOutsideModel = true
    state.modelExcursions.append(
      ModelExcursion(
        start: state.now, end: state.now, lowest: glucose, highest: glucose,
        isClipped: isClipped))
    let shown = isClipped ? ", and 0 is shown" : ""
    note(
      .model, "left",
      "The equations give \(tenths(glucose))\(shown), outside the model's range of "
        + "\(number(range.lowest)) to \(words(range.highest)): the model "
        + "\(range.omission).")
  }

  /// A glucose that the equations gave, to a tenth of the unit of the run's sentences.
  private func tenths(_ glucose: GlucoseConcentration) -> String {
    let value = glucose.mgdL / setup.glucoseUnit.mgdL
    let number = value.magnitude < 1e15 ? whole((value * 10).rounded() / 10) : "\(value)"
    return "\(number) \(setup.glucoseUnit.rawValue)"
  }
}
