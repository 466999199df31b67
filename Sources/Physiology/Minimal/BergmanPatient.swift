public import Quantities

/// A patient of Bergman's minimal model: transparent enough to check by hand.
///
/// R. N. Bergman et al., Am. J. Physiol. 236, 1979, with the subcutaneous insulin, gut and exercise
/// of McGillDiabetesLab/artificial-pancreas-simulator. Plasma insulin follows what leaves the skin
/// at once. Carbohydrate passes two compartments of one time constant, as in ``KanderianPatient``.
public struct BergmanPatient: Patient {
  private var body: Body<BergmanEquations>
  /// The parameters of the patient.
  public var parameters: BergmanParameters { body.model.parameters }
  /// The basal rate that held the patient up to its start, in U/h.
  public let steadyBasalRate: Double
  private var rest = RestBetweenBouts()

  /// Creates a patient in steady state at a glucose concentration.
  ///
  /// From then on the patient has only the insulin it receives.
  ///
  /// - Throws: ``PatientError`` when a parameter is unusable or no basal rate holds the glucose.
  public init(
    _ parameters: BergmanParameters, at start: Instant, glucose: GlucoseConcentration,
    integration: Integration = .production
  ) throws(PatientError) {
    try parameters.check()
    let p = parameters
    let action = p.action(holding: glucose.mmolL)
    guard glucose.mgdL > 0, action >= 0 else {
      throw .infeasibleStart(
        patient: p.identifier, glucose: glucose, lowest: .mgdL(0), highest: .mmolL(p.gb))
    }
    // What leaves the skin, in U/min, has this action in the end.
    let flow = action * p.p2 / p.p3 / p.insulinPerFlow
    var state = BergmanState()
    state.x = action
    state.isub = flow * p.tauI
    state.ipl = state.isub
    state.g = glucose.mmolL
    state.gs = glucose.mmolL
    steadyBasalRate = flow * 60
    body = Body(
      model: BergmanEquations(p), state: state, now: start, integration: integration)
  }

  public var now: Instant { body.now }
  public var glucose: GlucoseConcentration { .mgdL(max(0, computedGlucose.mgdL)) }
  public var computedGlucose: GlucoseConcentration { .mmolL(body.state.g) }
  public var modelRange: ModelRange { .compartments }
  public var sensedGlucose: GlucoseConcentration { .mmolL(max(0, body.state.gs)) }

  /// The insulin under the skin, in U.
  public var insulinOnBoard: Double? { body.state.isub + body.state.ipl + body.unreleased }

  /// The insulin in plasma, in mU/L.
  public var plasmaInsulin: Double {
    let absorption = body.model.condition.insulinAbsorption / parameters.tauI
    return body.state.ipl * absorption * parameters.insulinPerFlow
  }

  /// The insulin that has left the skin since the start, in U.
  public var insulinAbsorbed: Double { body.state.insulinAbsorbed }

  /// The carbohydrate in the gut, in grams.
  public var carbohydrateInGut: Double { body.state.meals.grams }
  /// What has been absorbed since the beginning, in grams.
  public var carbohydrateAbsorbed: Double { body.state.meals.absorbed }

  var state: BergmanState { body.state }

  mutating func wasHeld(by absorption: InsulinAbsorption) {
    body.state.isub *= 1 - absorption.quickShare
    body.fillDepot(at: steadyBasalRate / 60, absorption)
  }

  public mutating func advance(to instant: Instant) { body.advance(to: instant) }

  /// Takes insulin; given into a vein it begins to act at once, as plasma has no compartment.
  public mutating func receive(_ insulin: InsulinInput) {
    switch (insulin.course, insulin.route) {
    case (.rate(let unitsPerHour), _): body.insulinRate = unitsPerHour / 60
    case (.pulse(let units), .subcutaneous):
      if body.takesSlowly(units, insulin.absorption) { return }
      let quick = insulin.absorption.quickShare
      body.state.isub += units * (1 - quick)
      body.state.ipl += units * quick
    case (.pulse(let units), .intravenous):
      body.state.x += body.model.onset(in: body.state) * units * parameters.insulinPerFlow
    }
  }

  public mutating func eat(_ meal: MealInput) { body.eat(meal) }

  /// Takes up exercise, whose effect grows the longer it lasts, and the factors any body knows.
  public mutating func apply(_ condition: BodyCondition) -> Bool {
    guard case .exercise(let intensity) = condition else {
      return body.model.condition.take(condition)
    }
    guard (0...1).contains(intensity) else { return false }
    if rest.beginsBout(at: now, from: body.model.intensity, to: intensity) { body.state.hours = 0 }
    body.model.intensity = intensity
    return true
  }
}
