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
  /// The highest glucose of the stretch.
  public var highest: GlucoseConcentration
  /// Whether the equations left no glucose, or less than none, which the trace shows as zero.
  public var isClipped: Bool

  /// How long glucose was outside.
  public var duration: TimeSpan { end - start }
}

/// The stretches of a run outside the range of the patient model.
///
/// The body is looked at whenever anything is due, from the start of the part that counts on.
struct ModelWatch: Sendable {
  /// What is new at an instant.
  private enum Change {
    case left
    /// Glucose is back within the range, after so long.
    case back(TimeSpan)
    /// The equations leave no glucose for the first time in the stretch.
    case clipped
  }

  private(set) var excursions: [ModelExcursion] = []
  /// Whether the last of them goes on.
  private var isOutside = false
  private let start: Instant
  /// The unit of glucose in sentences.
  private let unit: GlucoseUnit

  init(beginning setup: Setup) {
    start = setup.start
    unit = setup.glucoseUnit
  }

  /// Looks at the body, and notes that glucose has left the model's range, how far it went, and
  /// that it is back.
  mutating func look(at body: Body, now: Instant, noting trace: inout Trace) {
    guard now >= start else { return }
    let range = body.modelRange
    let computed = body.computedGlucose
    // A body whose pools are held at nothing gives exactly 0, and others less.
    let isClipped = computed.mgdL <= 0 && body.glucose.mgdL >= 0
    switch look(
      at: computed, isOutside: !range.contains(computed), isClipped: isClipped, now: now)
    {
    case nil: break
    case .left:
      let shown = isClipped ? ", and 0 is shown" : ""
      trace.note(
        .model, "left",
        "The equations give \(unit.sentence(of: computed, outside: range, shown)): the model "
          + "\(range.omission).", at: now)
    case .back(let span):
      trace.note(
        .model, "back",
        "Glucose is \(unit.tenths(computed)), within the model's range again after \(span).",
        at: now)
    case .clipped:
      trace.note(
        .model, "clipped",
        "The equations leave no glucose; \(unit.words(.mgdL(0))) is shown.", at: now)
    }
  }

  /// Looks at the glucose that the equations give; `nil` if nothing is new.
  private mutating func look(
    at glucose: GlucoseConcentration, isOutside isNowOutside: Bool, isClipped: Bool,
    now: Instant
  ) -> Change? {
    guard let last = excursions.indices.last, isOutside else {
      guard isNowOutside else { return nil }
      isOutside = true
      excursions.append(
        ModelExcursion(
          start: now, end: now, lowest: glucose, highest: glucose, isClipped: isClipped))
      return .left
    }
    assert(excursions[last].end <= now, "Glucose is looked at forward in time.")
    excursions[last].end = now
    guard isNowOutside else {
      isOutside = false
      return .back(excursions[last].duration)
    }
    if glucose.mgdL < excursions[last].lowest.mgdL { excursions[last].lowest = glucose }
    if glucose.mgdL > excursions[last].highest.mgdL { excursions[last].highest = glucose }
    guard isClipped, !excursions[last].isClipped else { return nil }
    excursions[last].isClipped = true
    return .clipped
  }
}
