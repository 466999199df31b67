public import Quantities

/// A patient of the UVA/Padova model S2008.
///
/// The meal model of C. Dalla Man, R. A. Rizza, C. Cobelli, IEEE Trans. Biomed. Eng. 54, 2007, with
/// the subcutaneous insulin of C. Dalla Man et al., J. Diabetes Sci. Technol. 1, 2007, in the
/// public variant of jxx123/simglucose. It knows no exercise and no glucagon;
/// ``UVAPadovaExtendedPatient`` knows exercise.
public struct UVAPadovaPatient: Patient {
  private var body: Body<UVAPadovaEquations>
  /// The patient's parameters.
  public var parameters: UVAPadovaParameters { body.model.parameters }
  /// The basal rate that held the patient up to its start, in U/h.
  public let steadyBasalRate: Double

  /// Creates a patient in steady state.
  ///
  /// From then on the patient has only the insulin it receives: the steady state lasts when
  /// ``steadyBasalRate`` does.
  ///
  /// - Parameters:
  ///   - parameters: Who it is.
  ///   - start: The first instant of its life.
  ///   - glucose: The glucose it is held at; its fasting glucose when left out.
  ///   - memory: How the stomach knows the size of a meal.
  ///   - integration: How the equations are solved.
  /// - Throws: ``PatientError/infeasibleStart(patient:glucose:lowest:highest:)`` when no basal rate
  ///   holds that glucose.
  public init(
    _ parameters: UVAPadovaParameters, at start: Instant, glucose: GlucoseConcentration? = nil,
    memory: MealMemory = .minuteByMinute, integration: Integration = .production
  ) throws(PatientError) {
    let steady = try UVAPadovaSteadyState(
      of: parameters, at: glucose ?? .mgdL(parameters.gb))
    steadyBasalRate = steady.basalRate * 60
    body = Body(
      model: UVAPadovaEquations(parameters, memory: memory), state: steady.state, now: start,
      integration: integration)
  }

  public var now: Instant { body.now }

  public var glucose: GlucoseConcentration { .mgdL(max(0, computedGlucose.mgdL)) }

  public var computedGlucose: GlucoseConcentration { .mgdL(body.state.gp / parameters.vg) }

  public var modelRange: ModelRange { .compartments }

  public var sensedGlucose: GlucoseConcentration { .mgdL(max(0, body.state.gs / parameters.vg)) }

  public var insulinOnBoard: Double? {
    (body.state.isc1 + body.state.isc2) * parameters.bodyWeight / 6_000 + body.unreleased
  }

  /// The insulin in plasma, in pmol/L.
  public var plasmaInsulin: Double { body.state.ip / parameters.vi }

  /// The insulin that has left the skin since the start, in U.
  public var insulinAbsorbed: Double {
    body.state.insulinAbsorbed * parameters.bodyWeight / 6_000
  }

  /// The carbohydrate in stomach and gut, in grams.
  public var carbohydrateInGut: Double {
    (body.state.qsto1 + body.state.qsto2 + body.state.qgut) / 1_000
  }

  /// The carbohydrate that has left the gut since the start, in grams, a tenth of it unused.
  public var carbohydrateAbsorbed: Double { body.state.glucoseAbsorbed / 1_000 }

  var state: UVAPadovaState { body.state }

  mutating func wasHeld(by absorption: InsulinAbsorption) {
    let quick = absorption.quickShare
    // Of the first compartment a part goes to plasma by itself.
    body.state.isc2 += quick * body.state.isc1 * parameters.ka1 / parameters.ka2
    body.state.isc1 *= 1 - quick
    body.fillDepot(at: steadyBasalRate / 60, absorption)
  }

  public mutating func advance(to instant: Instant) { body.advance(to: instant) }

  public mutating func receive(_ insulin: InsulinInput) {
    let perUnit = 6_000 / parameters.bodyWeight
    switch (insulin.course, insulin.route) {
    case (.rate(let unitsPerHour), _): body.insulinRate = unitsPerHour / 60
    case (.pulse(let units), .subcutaneous):
      if body.takesSlowly(units, insulin.absorption) { return }
      let quick = insulin.absorption.quickShare
      body.state.isc1 += units * (1 - quick) * perUnit
      body.state.isc2 += units * quick * perUnit
    case (.pulse(let units), .intravenous): body.state.ip += units * perUnit
    }
  }

  public mutating func eat(_ meal: MealInput) { body.eat(meal) }

  public mutating func apply(_ condition: BodyCondition) -> Bool {
    body.model.condition.take(condition)
  }
}
