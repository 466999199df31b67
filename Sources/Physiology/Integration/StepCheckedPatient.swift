public import Quantities

/// What halving the step of a body's equations changes.
public enum StepCheck: Hashable, Sendable {
  /// The model is not integrated: its effects have closed forms, and there is no step.
  case noStep
  /// The largest difference of plasma glucose, in mg/dL, and when it was first reached.
  case largestDifference(mgdL: Double, instant: Instant)
}

/// A body beside its own twin, whose equations are solved with ``Integration/refined`` steps.
///
/// Everything that enters the body enters the twin, so that they differ by the step alone. The body
/// itself lives exactly as it would without its twin.
public struct StepCheckedPatient: Patient {
  private var base: any Patient
  private var twin: (any Patient)?
  private var largest = -1.0
  private var instant: Instant

  /// What has been found up to ``now``.
  public var stepCheck: StepCheck {
    twin == nil ? .noStep : .largestDifference(mgdL: max(0, largest), instant: instant)
  }

  /// Puts a body beside its twin; nothing where the model has no step.
  public init(_ base: any Patient, twin: (any Patient)?) {
    self.base = base
    self.twin = twin
    instant = base.now
    compare()
  }

  public var now: Instant { base.now }
  public var glucose: GlucoseConcentration { base.glucose }
  public var computedGlucose: GlucoseConcentration { base.computedGlucose }
  public var modelRange: ModelRange { base.modelRange }
  public var sensedGlucose: GlucoseConcentration { base.sensedGlucose }
  public var insulinOnBoard: Double? { base.insulinOnBoard }

  public mutating func advance(to instant: Instant) {
    base.advance(to: instant)
    twin?.advance(to: instant)
    compare()
  }

  public mutating func receive(_ insulin: InsulinInput) {
    base.receive(insulin)
    twin?.receive(insulin)
  }

  public mutating func eat(_ meal: MealInput) {
    base.eat(meal)
    twin?.eat(meal)
  }

  public mutating func apply(_ condition: BodyCondition) -> Bool {
    _ = twin?.apply(condition)
    return base.apply(condition)
  }

  private mutating func compare() {
    guard let twin else { return }
    assert(twin.now == base.now, "A twin lives as long as the body that it checks.")
    let difference = (base.glucose.mgdL - twin.glucose.mgdL).magnitude
    guard difference > largest else { return }
    largest = difference
    instant = base.now
  }
}
