public import Quantities

/// A patient of the Hovorka (Cambridge) model.
///
/// R. Hovorka et al., Physiol. Meas. 25, 2004. Exercise follows M. Rashid et al. 2019 through the
/// heart rate: a given share of the heart-rate reserve.
public struct HovorkaPatient: Patient {
  private var body: Body<HovorkaEquations>
  /// The parameters of the patient.
  public var parameters: HovorkaParameters { body.model.parameters }
  /// The basal rate that held the patient up to its start, in U/h.
  public let steadyBasalRate: Double

  /// Creates a patient in steady state at a glucose concentration.
  ///
  /// From then on the patient has only the insulin it receives.
  ///
  /// - Throws: ``PatientError`` when a parameter is unusable or no basal rate holds the glucose.
  public init(
    _ parameters: HovorkaParameters, at start: Instant, glucose: GlucoseConcentration,
    integration: Integration = .production
  ) throws(PatientError) {
    try parameters.check()
    guard let insulin = parameters.insulin(holding: glucose.mmolL) else {
      // With nearly no glucose next to nothing is used, which any production makes up for.
      var inside = 0.1
      while parameters.insulin(holding: inside) == nil, inside > 1e-30 { inside /= 10 }
      let bounds = FeasibleGlucose.bounds(inside: inside) {
        parameters.insulin(holding: $0) != nil
      }
      throw .infeasibleStart(
        patient: parameters.identifier, glucose: glucose, lowest: .mmolL(bounds.lowest),
        highest: .mmolL(bounds.highest))
    }
    let p = parameters
    let supply = p.ke * p.insulinVolume * insulin
    var state = HovorkaState()
    state.q1 = glucose.mmolL * p.glucoseVolume
    state.i = insulin
    state.s1 = supply * p.tmaxI
    state.s2 = state.s1
    state.x1 = p.sit * insulin
    state.x2 = p.sid * insulin
    state.x3 = p.sie * insulin
    state.q2 = state.q1 * state.x1 / (p.k12 + state.x2)
    state.c = glucose.mmolL
    state.te = HovorkaEquations.recoveryAtRest
    steadyBasalRate = supply * 60 / 1_000
    body = Body(
      model: HovorkaEquations(parameters), state: state, now: start, integration: integration)
  }

  public var now: Instant { body.now }

  public var glucose: GlucoseConcentration { .mgdL(max(0, computedGlucose.mgdL)) }

  public var computedGlucose: GlucoseConcentration {
    .mmolL(body.state.q1 / parameters.glucoseVolume)
  }

  public var modelRange: ModelRange { .compartments }

  public var sensedGlucose: GlucoseConcentration { .mmolL(max(0, body.state.c)) }

  public var insulinOnBoard: Double? { (body.state.s1 + body.state.s2) / 1_000 + body.unreleased }

  /// The insulin in plasma, in mU/L.
  public var plasmaInsulin: Double { body.state.i }

  /// The insulin that has left the skin since the start, in U.
  public var insulinAbsorbed: Double { body.state.insulinAbsorbed / 1_000 }

  /// The usable carbohydrate in stomach and gut, in grams.
  public var carbohydrateInGut: Double { (body.state.d1 + body.state.d2) * 0.180_156 }
  /// What has been absorbed from the gut since the beginning, in grams.
  public var carbohydrateAbsorbed: Double { body.state.glucoseAbsorbed * 0.180_156 }

  var state: HovorkaState { body.state }

  mutating func wasHeld(by absorption: InsulinAbsorption) {
    body.state.s1 *= 1 - absorption.quickShare
    body.fillDepot(at: steadyBasalRate / 60, absorption)
  }

  public mutating func advance(to instant: Instant) { body.advance(to: instant) }

  public mutating func receive(_ insulin: InsulinInput) {
    switch (insulin.course, insulin.route) {
    case (.rate(let unitsPerHour), _): body.insulinRate = unitsPerHour / 60
    case (.pulse(let units), .subcutaneous):
      if body.takesSlowly(units, insulin.absorption) { return }
      let quick = insulin.absorption.quickShare
      body.state.s1 += units * (1 - quick) * 1_000
      body.state.s2 += units * quick * 1_000
    case (.pulse(let units), .intravenous):
      body.state.i += units * 1_000 / parameters.insulinVolume
    }
  }

  public mutating func eat(_ meal: MealInput) { body.eat(meal) }

  public mutating func apply(_ condition: BodyCondition) -> Bool {
    guard case .exercise(let intensity) = condition else {
      return body.model.condition.take(condition)
    }
    guard (0...1).contains(intensity) else { return false }
    let reserve = parameters.maximumHeartRate - parameters.restingHeartRate
    body.model.heartRateReserveUsed = intensity * reserve
    return true
  }
}
