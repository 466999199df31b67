/// The compartments of Bergman's minimal model.
struct BergmanState: CompartmentState, Hashable {
  /// Insulin in the two compartments under the skin, in U, and what has left them.
  var isub = 0.0
  var ipl = 0.0
  var insulinAbsorbed = 0.0
  /// The action of insulin, per minute.
  var x = 0.0
  /// Plasma and interstitial glucose, in mmol/L.
  var g = 0.0
  var gs = 0.0
  /// How long the exercise has lasted, in hours.
  var hours = 0.0
  var meals = MealChains()

  func adding(_ o: Self, times h: Double) -> Self {
    Self(
      isub: isub + h * o.isub, ipl: ipl + h * o.ipl,
      insulinAbsorbed: insulinAbsorbed + h * o.insulinAbsorbed, x: x + h * o.x, g: g + h * o.g,
      gs: gs + h * o.gs, hours: hours + h * o.hours, meals: meals.adding(o.meals, times: h))
  }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    max(
      errorShare(e.isub, a.isub, b.isub, t), errorShare(e.ipl, a.ipl, b.ipl, t),
      // The action is far below one; its tolerance is absolute and must be finer.
      max(1_000 * errorShare(e.x, a.x, b.x, t), errorShare(e.g, a.g, b.g, t)),
      errorShare(e.gs, a.gs, b.gs, t),
      MealChains.worstShare(of: e.meals, from: a.meals, to: b.meals, tolerance: t))
  }

  mutating func clearTraces() {
    clearTrace(&isub)
    clearTrace(&ipl)
    clearTrace(&x)
    meals.clearTraces()
  }
}

/// The equations of Bergman's minimal model, with the insulin, gut and exercise that go with them.
struct BergmanEquations: CompartmentModel {
  let parameters: BergmanParameters
  var condition = ConditionFactors()
  var speeds: MealChainSpeeds
  /// The intensity of exercise, from 0 to 1.
  var intensity = 0.0

  /// The molar mass of glucose that the source of the parameters uses, in g/mol.
  static let molarMass = 180.1577

  init(_ parameters: BergmanParameters) {
    assert(
      parameters.glucoseVolume > 0 && parameters.tauI > 0, "A body has some volume, and delays.")
    self.parameters = parameters
    speeds = MealChainSpeeds(ownTimeConstant: parameters.tauM)
  }

  mutating func beginBite(_ bite: Plate.Bite, state: BergmanState) {
    speeds.choose(for: bite, in: state.meals)
  }

  func longestStep(at state: BergmanState) -> Double {
    let p = parameters
    return StableStep.longest(
      fastestRate: max(
        speeds.fastestRate(emptying: condition.gastricEmptying),
        condition.insulinAbsorption / p.tauI, p.p2, 1 / p.tauS,
        p.p1 * (1 + p.e1 * intensity) + state.x))
  }

  func change(of s: BergmanState, inflow: Inflow) -> BergmanState {
    let p = parameters
    var d = BergmanState()
    let (meals, appearance) = speeds.change(
      of: s.meals, eating: inflow.carbohydrate, emptying: condition.gastricEmptying)
    d.meals = meals
    let absorption = condition.insulinAbsorption / p.tauI
    let leaving = s.ipl * absorption
    d.isub = inflow.insulin - s.isub * absorption
    d.ipl = s.isub * absorption - leaving
    let appearing = leaving + inflow.plasmaInsulin
    d.insulinAbsorbed = appearing
    d.x = onset(in: s) * appearing * p.insulinPerFlow - p.p2 * s.x
    let own = p.p1 * (1 + p.e1 * intensity)
    let raised =
      p.p1 * p.gb * condition.glucoseProduction
      + p.bioavailability * appearance * 1_000 / Self.molarMass / p.glucoseVolume
    d.g = raised - (own + s.x) * s.g
    d.gs = (s.g - s.gs) / p.tauS
    d.hours = intensity > 0 ? 1.0 / 60 : 0
    return d
  }

  /// The rate at which insulin begins to act, per minute² and mU/L; exercise raises it the more the
  /// longer it lasts.
  @inline(__always)
  func onset(in s: BergmanState) -> Double {
    let exercise = intensity > 0 ? 1 + parameters.e2 * (intensity + s.hours) : 1
    return parameters.p3 * condition.insulinSensitivity * exercise
  }
}
