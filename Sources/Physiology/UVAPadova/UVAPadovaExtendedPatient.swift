public import Quantities

/// A patient of the UVA/Padova model with the public part of its additions of 2013, and exercise.
///
/// The parameters are those of the public patients of 2008: the patients of 2013, the figures of
/// their glucagon and their joint law are not public. Uptake that rises in hypoglycaemia deepens
/// lows; the glucagon that would counter it is missing, as it is in most adults with long-standing
/// type 1 diabetes, unless ``GlucagonResponse`` asks for it.
public struct UVAPadovaExtendedPatient: Patient {
  private var body: Body<UVAPadovaExtendedEquations>
  /// The parameters of the patient.
  public var parameters: UVAPadovaParameters { body.model.core.parameters }
  /// The basal rate that held the patient up to its start, in U/h.
  public let steadyBasalRate: Double
  private let heartRateReserve: Double
  private var rest = RestBetweenBouts()

  /// Creates a patient in steady state.
  ///
  /// - Parameters:
  ///   - parameters: Who it is.
  ///   - start: The first instant of its life.
  ///   - glucose: The glucose it is held at; its fasting glucose when left out.
  ///   - amplifiesUptakeInLows: Whether hypoglycaemia raises the uptake of glucose.
  ///   - glucagon: Whether glucagon answers hypoglycaemia.
  ///   - restingHeartRate: The heart rate at rest, in beats per minute.
  ///   - maximumHeartRate: The highest heart rate, in beats per minute.
  ///   - memory: How the stomach knows the size of a meal.
  ///   - integration: How the equations are solved.
  /// - Throws: ``PatientError`` when a heart rate or a parameter is unusable, or when no basal rate
  ///   holds that glucose.
  public init(
    _ parameters: UVAPadovaParameters, at start: Instant, glucose: GlucoseConcentration? = nil,
    amplifiesUptakeInLows: Bool = true, glucagon: GlucagonResponse = .none,
    restingHeartRate: Double = 60, maximumHeartRate: Double = 180,
    memory: MealMemory = .minuteByMinute, integration: Integration = .production
  ) throws(PatientError) {
    guard restingHeartRate > 0 else {
      throw .unusableParameter(
        patient: parameters.identifier, name: "restingHeartRate", value: restingHeartRate,
        allowed: "more than 0")
    }
    guard maximumHeartRate > restingHeartRate, maximumHeartRate < 400 else {
      throw .unusableParameter(
        patient: parameters.identifier, name: "maximumHeartRate", value: maximumHeartRate,
        allowed: "above the resting heart rate of \(restingHeartRate) and below 400")
    }
    guard parameters.gb > 1 else {
      // Uptake in lows has a power of its logarithm.
      throw .unusableParameter(
        patient: parameters.identifier, name: "Gb", value: parameters.gb,
        allowed: "above 1 mg/dL")
    }
    var additions = UVAPadovaAdditions()
    additions.amplifiesUptakeInLows = amplifiesUptakeInLows
    additions.restingHeartRate = restingHeartRate
    if glucagon == .lt1 {
      additions.glucagon = UVAPadovaGlucagon(gb: parameters.gb, ib: parameters.ib)
    }
    let glucose = glucose ?? .mgdL(parameters.gb)
    let steady = try UVAPadovaSteadyState(of: parameters, at: glucose, additions)
    var state = UVAPadovaExtendedState(core: steady.state)
    if let response = additions.glucagon {
      state.glucagon = response.steady(glucose: glucose.mgdL, insulin: steady.state.i1)
    }
    steadyBasalRate = steady.basalRate * 60
    heartRateReserve = maximumHeartRate - restingHeartRate
    body = Body(
      model: UVAPadovaExtendedEquations(
        core: UVAPadovaEquations(parameters, memory: memory), additions: additions),
      state: state, now: start, integration: integration)
  }

  public var now: Instant { body.now }

  public var glucose: GlucoseConcentration { .mgdL(max(0, computedGlucose.mgdL)) }

  public var computedGlucose: GlucoseConcentration { .mgdL(body.state.core.gp / parameters.vg) }

  public var modelRange: ModelRange { .compartments }

  public var sensedGlucose: GlucoseConcentration {
    .mgdL(max(0, body.state.core.gs / parameters.vg))
  }

  public var insulinOnBoard: Double? {
    let skin = body.state.core.isc1 + body.state.core.isc2
    return skin * parameters.bodyWeight / 6_000 + body.unreleased
  }

  /// The insulin that has left the skin since the start, in U.
  public var insulinAbsorbed: Double {
    body.state.core.insulinAbsorbed * parameters.bodyWeight / 6_000
  }

  /// The carbohydrate in stomach and gut, in grams, and that which has left the gut.
  public var carbohydrateInGut: Double {
    (body.state.core.qsto1 + body.state.core.qsto2 + body.state.core.qgut) / 1_000
  }
  /// What has been absorbed since the beginning, in grams.
  public var carbohydrateAbsorbed: Double { body.state.core.glucoseAbsorbed / 1_000 }

  mutating func wasHeld(by absorption: InsulinAbsorption) {
    let quick = absorption.quickShare
    // Of the first compartment a part goes to plasma by itself.
    body.state.core.isc2 += quick * body.state.core.isc1 * parameters.ka1 / parameters.ka2
    body.state.core.isc1 *= 1 - quick
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
      body.state.core.isc1 += units * (1 - quick) * perUnit
      body.state.core.isc2 += units * quick * perUnit
    case (.pulse(let units), .intravenous): body.state.core.ip += units * perUnit
    }
  }

  public mutating func eat(_ meal: MealInput) { body.eat(meal) }

  /// Takes up exercise as a share of the heart-rate reserve, and the factors any body knows.
  public mutating func apply(_ condition: BodyCondition) -> Bool {
    guard case .exercise(let intensity) = condition else {
      return body.model.core.condition.take(condition)
    }
    guard (0...1).contains(intensity) else { return false }
    // The beats of an earlier bout no longer count when a new one begins after rest.
    if rest.beginsBout(at: now, from: body.model.additions.heartRateAbove, to: intensity) {
      body.state.w = 0
    }
    body.model.additions.heartRateAbove = intensity * heartRateReserve
    return true
  }
}
