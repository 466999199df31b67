public import Quantities

/// The parameters of an identifiable virtual patient.
///
/// S. S. Kanderian et al., "Identification of Intraday Metabolic Profiles during Closed-Loop
/// Glucose Control in Individuals with Type 1 Diabetes", J. Diabetes Sci. Technol. 3, 2009. Its
/// variation over the day is not public and is not here.
public struct KanderianParameters: Hashable, Sendable {
  /// The name of the patient.
  public var identifier: String
  /// Body weight in kg, which the equations do not need.
  public var bodyWeight: Double
  /// The patient's daily insulin, in U, which the equations do not need.
  public var totalDailyInsulin: Double
  /// Insulin clearance, in mL/min.
  public var ci: Double
  /// Time constants of insulin absorption and of its passage to plasma, in minutes.
  public var tau1, tau2: Double
  /// Distribution volume of glucose, in dL.
  public var vg: Double
  /// Delay of insulin action, per minute.
  public var p2: Double
  /// Glucose production, in mg/dL/min.
  public var egp: Double
  /// Effect of glucose at zero insulin, per minute.
  public var gezi: Double
  /// Insulin sensitivity, in mL/µU/min.
  public var si: Double
  /// Delay of interstitial glucose, in minutes.
  public var sensorDelay = 10.0
  /// Time to the peak of a meal that states no absorption time, in minutes.
  public var mealTimeConstant = 40.0

  /// The ten identified subjects of the paper.
  public static let cohort: [KanderianParameters] = figures.enumerated().map { index, row in
    KanderianParameters(
      identifier: "ivp#" + (index < 9 ? "00" : "0") + "\(index + 1)", bodyWeight: row[0],
      totalDailyInsulin: row[1], ci: row[2], tau1: row[3], tau2: row[4], vg: row[5], p2: row[6],
      egp: row[7], gezi: row[8], si: row[9])
  }

  private static let figures: [[Double]] = [
    [89, 50, 2_010, 49, 47, 253, 0.0106, 1.33, 0.0022, 0.000811],
    [63, 43, 1_281, 41, 10, 261, 0.0116, 0.6, 0.00438, 0.0000964],
    [65, 30, 909, 71, 70, 199, 0.0233, 1.07, 0.0035, 0.000463],
    [116, 65, 1_813, 91, 70, 337, 0.00814, 0.98, 0.0000164, 0.000377],
    [64, 42, 1_535, 46, 46, 188, 0.00963, 0.6, 0.00433, 0.000205],
    [51, 21, 588, 68, 30, 104, 0.00915, 0.603, 0.00101, 0.000412],
    [77, 40, 1_806, 60, 60, 263, 0.0101, 1.11, 0.0023, 0.000816],
    [65, 30, 540, 95, 37, 137, 0.0103, 1.3, 0.00000001, 0.000368],
    [100, 50, 875, 131, 21, 193, 0.0103, 1.27, 0.00639, 0.000256],
    [64, 34, 1_309, 53, 53, 204, 0.0102, 0.611, 0.00104, 0.000603],
  ]
}

/// The compartments of the identifiable virtual patient.
struct KanderianState: CompartmentState, Hashable {
  /// Insulin under the skin and in plasma, in µU/mL, and its effect per minute.
  var isc = 0.0
  var ip = 0.0
  var ieff = 0.0
  /// Plasma and interstitial glucose, in mg/dL.
  var g = 0.0
  var gisf = 0.0
  var meals = MealChains()

  func adding(_ o: Self, times h: Double) -> Self {
    Self(
      isc: isc + h * o.isc, ip: ip + h * o.ip, ieff: ieff + h * o.ieff, g: g + h * o.g,
      gisf: gisf + h * o.gisf, meals: meals.adding(o.meals, times: h))
  }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    max(
      errorShare(e.isc, a.isc, b.isc, t), errorShare(e.ip, a.ip, b.ip, t),
      // The effect is far below one; its tolerance is absolute and must be finer.
      max(1_000 * errorShare(e.ieff, a.ieff, b.ieff, t), errorShare(e.g, a.g, b.g, t)),
      errorShare(e.gisf, a.gisf, b.gisf, t),
      MealChains.worstShare(of: e.meals, from: a.meals, to: b.meals, tolerance: t))
  }

  mutating func clearTraces() {
    clearTrace(&isc)
    clearTrace(&ip)
    clearTrace(&ieff)
    meals.clearTraces()
  }
}

/// The equations of the identifiable virtual patient.
struct KanderianEquations: CompartmentModel {
  let parameters: KanderianParameters
  var condition = ConditionFactors()
  var speeds: MealChainSpeeds

  init(_ parameters: KanderianParameters) {
    assert(parameters.vg > 0 && parameters.tau1 > 0, "A body has some volume, and delays.")
    self.parameters = parameters
    speeds = MealChainSpeeds(ownTimeConstant: parameters.mealTimeConstant)
  }

  mutating func beginBite(_ bite: Plate.Bite, state: KanderianState) {
    speeds.choose(for: bite, in: state.meals)
  }

  func longestStep(at state: KanderianState) -> Double {
    let p = parameters
    return StableStep.longest(
      fastestRate: max(
        speeds.fastestRate(emptying: condition.gastricEmptying),
        condition.insulinAbsorption / p.tau1, 1 / p.tau2, p.p2, 1 / p.sensorDelay,
        p.gezi + state.ieff))
  }

  func change(of s: KanderianState, inflow: Inflow) -> KanderianState {
    let p = parameters
    var d = KanderianState()
    let (meals, appearance) = speeds.change(
      of: s.meals, eating: inflow.carbohydrate, emptying: condition.gastricEmptying)
    d.meals = meals
    let absorption = condition.insulinAbsorption / p.tau1
    d.isc = 1e6 * inflow.insulin / (p.ci * p.tau1) - s.isc * absorption
    let inhaled = 1e6 * inflow.plasmaInsulin / p.ci
    d.ip = (s.isc * (absorption * p.tau1) - s.ip + inhaled) / p.tau2
    d.ieff = p.p2 * (p.si * condition.insulinSensitivity * s.ip - s.ieff)
    let raised = p.egp * condition.glucoseProduction + 1_000 * appearance / p.vg
    d.g = raised - (p.gezi + s.ieff) * s.g
    d.gisf = (s.g - s.gisf) / p.sensorDelay
    return d
  }
}

/// An identifiable virtual patient: a small model whose parameters data can determine.
///
/// S. S. Kanderian et al., J. Diabetes Sci. Technol. 3, 2009.
public struct KanderianPatient: Patient {
  private var body: Body<KanderianEquations>
  /// The parameters of the patient.
  public var parameters: KanderianParameters { body.model.parameters }
  /// The basal rate that held the patient up to its start, in U/h.
  public let steadyBasalRate: Double

  /// Creates a patient in steady state at a glucose concentration.
  ///
  /// From then on the patient has only the insulin it receives.
  ///
  /// - Throws: ``PatientError`` when a parameter is unusable or no basal rate holds the glucose.
  public init(
    _ parameters: KanderianParameters, at start: Instant, glucose: GlucoseConcentration,
    integration: Integration = .production
  ) throws(PatientError) {
    let p = parameters
    for (name, value) in [
      ("ci", p.ci), ("tau1", p.tau1), ("tau2", p.tau2), ("vg", p.vg), ("p2", p.p2),
      ("egp", p.egp), ("gezi", p.gezi), ("si", p.si), ("sensorDelay", p.sensorDelay),
      ("mealTimeConstant", p.mealTimeConstant),
    ] where !(value > 0 && value.isFinite) {
      throw .unusableParameter(
        patient: p.identifier, name: name, value: value, allowed: "more than 0")
    }
    let effect = p.egp / glucose.mgdL - p.gezi
    guard glucose.mgdL > 0, effect >= 0 else {
      throw .infeasibleStart(
        patient: p.identifier, glucose: glucose, lowest: .mgdL(0), highest: .mgdL(p.egp / p.gezi))
    }
    var state = KanderianState()
    state.ieff = effect
    state.ip = effect / p.si
    state.isc = state.ip
    state.g = glucose.mgdL
    state.gisf = glucose.mgdL
    steadyBasalRate = p.ci * state.ip * 60 / 1e6
    body = Body(
      model: KanderianEquations(p), state: state, now: start, integration: integration)
  }

  public var now: Instant { body.now }
  public var glucose: GlucoseConcentration { .mgdL(body.state.g) }
  public var computedGlucose: GlucoseConcentration { glucose }
  public var modelRange: ModelRange { .compartments }
  public var sensedGlucose: GlucoseConcentration { .mgdL(body.state.gisf) }

  /// The insulin under the skin, in U.
  public var insulinOnBoard: Double? {
    body.state.isc * parameters.tau1 * parameters.ci / 1e6 + body.unreleased
  }

  /// The insulin in plasma, in µU/mL.
  public var plasmaInsulin: Double { body.state.ip }

  /// The carbohydrate in the gut, in grams.
  public var carbohydrateInGut: Double { body.state.meals.grams }
  /// What has been absorbed since the beginning, in grams.
  public var carbohydrateAbsorbed: Double { body.state.meals.absorbed }

  var state: KanderianState { body.state }

  mutating func wasHeld(by absorption: InsulinAbsorption) {
    body.state.isc *= 1 - absorption.quickShare
    body.fillDepot(at: steadyBasalRate / 60, absorption)
  }

  public mutating func advance(to instant: Instant) { body.advance(to: instant) }

  /// Takes insulin; given into a vein it reaches plasma at once.
  public mutating func receive(_ insulin: InsulinInput) {
    let p = parameters
    switch (insulin.course, insulin.route) {
    case (.rate(let unitsPerHour), _): body.insulinRate = unitsPerHour / 60
    case (.pulse(let units), .subcutaneous):
      if body.takesSlowly(units, insulin.absorption) { return }
      let quick = insulin.absorption.quickShare
      body.state.isc += 1e6 * units * (1 - quick) / (p.ci * p.tau1)
      body.state.ip += 1e6 * units * quick / (p.ci * p.tau2)
    case (.pulse(let units), .intravenous): body.state.ip += 1e6 * units / (p.ci * p.tau2)
    }
  }

  public mutating func eat(_ meal: MealInput) { body.eat(meal) }

  public mutating func apply(_ condition: BodyCondition) -> Bool {
    body.model.condition.take(condition)
  }
}
