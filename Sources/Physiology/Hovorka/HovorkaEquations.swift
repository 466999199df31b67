/// The compartments of the Hovorka model, with the names of the paper.
struct HovorkaState: CompartmentState, Hashable {
  /// Glucose in the accessible and the other compartment, in mmol.
  var q1 = 0.0
  var q2 = 0.0
  /// Insulin under the skin, in mU, and in plasma, in mU/L.
  var s1 = 0.0
  var s2 = 0.0
  var i = 0.0
  /// Actions of insulin on transport and disposal (1/min) and on production.
  var x1 = 0.0
  var x2 = 0.0
  var x3 = 0.0
  /// Glucose in stomach and gut, in mmol.
  var d1 = 0.0
  var d2 = 0.0
  /// Interstitial glucose, in mmol/L.
  var c = 0.0
  /// Exercise: its short-term and long-term state, and the time constant of recovery in minutes.
  var e1 = 0.0
  var e2 = 0.0
  var te = 0.0
  /// Glucose that has left the gut (mmol) and insulin that has left the skin (mU).
  var glucoseAbsorbed = 0.0
  var insulinAbsorbed = 0.0

  func adding(_ o: Self, times h: Double) -> Self {
    Self(
      q1: q1 + h * o.q1, q2: q2 + h * o.q2, s1: s1 + h * o.s1, s2: s2 + h * o.s2,
      i: i + h * o.i, x1: x1 + h * o.x1, x2: x2 + h * o.x2, x3: x3 + h * o.x3,
      d1: d1 + h * o.d1, d2: d2 + h * o.d2, c: c + h * o.c, e1: e1 + h * o.e1,
      e2: e2 + h * o.e2, te: te + h * o.te,
      glucoseAbsorbed: glucoseAbsorbed + h * o.glucoseAbsorbed,
      insulinAbsorbed: insulinAbsorbed + h * o.insulinAbsorbed)
  }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    let glucose = max(
      errorShare(e.q1, a.q1, b.q1, t), errorShare(e.q2, a.q2, b.q2, t), errorShare(e.c, a.c, b.c, t)
    )
    let gut = max(errorShare(e.d1, a.d1, b.d1, t), errorShare(e.d2, a.d2, b.d2, t))
    let insulin = max(
      errorShare(e.s1, a.s1, b.s1, t), errorShare(e.s2, a.s2, b.s2, t), errorShare(e.i, a.i, b.i, t)
    )
    // Actions are far below one; their tolerance is absolute and must be finer.
    let action = max(
      100 * errorShare(e.x1, a.x1, b.x1, t), 100 * errorShare(e.x2, a.x2, b.x2, t),
      errorShare(e.x3, a.x3, b.x3, t))
    let exercise = max(
      errorShare(e.e1, a.e1, b.e1, t), errorShare(e.e2, a.e2, b.e2, t),
      errorShare(e.te, a.te, b.te, t))
    return max(glucose, gut, insulin, action, exercise)
  }

  mutating func clearTraces() {
    clearTrace(&s1)
    clearTrace(&s2)
    clearTrace(&i)
    clearTrace(&x1)
    clearTrace(&x2)
    clearTrace(&x3)
    clearTrace(&d1)
    clearTrace(&d2)
    clearTrace(&e1)
    clearTrace(&e2)
  }

  /// Leaves nothing in the second pool, from which exercise takes glucose at a rate of its own.
  ///
  /// A step that passes the moment at which the pool is empty would leave it below nothing, and so
  /// take glucose from the first for as long as exercise lasts.
  @inline(__always)
  mutating func refillPools() {
    if q2 < 0 { q2 = 0 }
  }
}

/// The equations of the Hovorka model, with exercise by heart rate.
///
/// R. Hovorka et al. 2004; exercise as in M. Rashid et al., J. Diabetes Sci. Technol. 2019, with
/// the constants of its public implementations.
struct HovorkaEquations: CompartmentModel {
  let parameters: HovorkaParameters
  var condition = ConditionFactors() {
    didSet { findLongestStep() }
  }
  /// Heart rate above the resting one, in beats per minute.
  var heartRateReserveUsed = 0.0

  private let perGlucoseVolume: Double
  private let perInsulinVolume: Double
  private let e0: Double
  /// Glucose in mmol for each gram of carbohydrate that is absorbed.
  private let glucosePerGram: Double
  /// The longest step, in minutes, with which these constants can be solved.
  private var longestStep = Double.infinity

  /// Constants of exercise.
  static let recoveryAtRest = 100.0
  private static let recoveryGain = 500.0
  private static let recoveryDelay = 200.0
  private static let heartRateDelay = 5.0
  private static let gain = 1.79
  private static let directUse = 0.78
  private static let halfIntensity = 0.77

  init(_ parameters: HovorkaParameters) {
    assert(
      parameters.glucoseVolume > 0 && parameters.insulinVolume > 0, "A body has some volume.")
    self.parameters = parameters
    perGlucoseVolume = 1 / parameters.glucoseVolume
    perInsulinVolume = 1 / parameters.insulinVolume
    e0 = parameters.egp0 * parameters.bodyWeight
    glucosePerGram = parameters.ag * 1_000 / 180.156
    findLongestStep()
  }

  private mutating func findLongestStep() {
    let p = parameters
    longestStep = StableStep.longest(
      fastestRate: max(
        condition.gastricEmptying / p.tmaxG, condition.insulinAbsorption / p.tmaxI, p.ke, p.ka1,
        max(p.ka2, p.ka3, 1 / p.sensorDelay, p.k12, p.renalClearance, p.fastestCentralUse)))
  }

  func longestStep(at s: HovorkaState) -> Double {
    // Very much insulin moves and uses glucose faster than anything else happens.
    let boost = 1 + Self.gain * s.e2 * s.e2
    let fastest = parameters.k12 + boost * max(s.x1, s.x2)
    return min(longestStep, StableStep.longest(fastestRate: fastest))
  }

  func change(of s: HovorkaState, inflow: Inflow) -> HovorkaState {
    let p = parameters
    var d = HovorkaState()
    let glucose = s.q1 * perGlucoseVolume
    let emptying = condition.gastricEmptying / p.tmaxG
    let absorption = condition.insulinAbsorption / p.tmaxI
    let sensitivity = condition.insulinSensitivity

    let appearing = s.d2 * emptying
    d.d1 = glucosePerGram * inflow.carbohydrate - s.d1 * emptying
    d.d2 = s.d1 * emptying - appearing
    d.glucoseAbsorbed = appearing

    let leaving = s.s2 * absorption
    d.s1 = 1_000 * inflow.insulin - s.s1 * absorption
    d.s2 = s.s1 * absorption - leaving
    let intoBlood = leaving + 1_000 * inflow.plasmaInsulin
    d.insulinAbsorbed = intoBlood
    d.i = intoBlood * perInsulinVolume - p.ke * s.i
    d.x1 = p.ka1 * (p.sit * sensitivity * s.i - s.x1)
    d.x2 = p.ka2 * (p.sid * sensitivity * s.i - s.x2)
    d.x3 = p.ka3 * (p.sie * sensitivity * s.i - s.x3)

    exercise(s, &d)
    let boost = 1 + Self.gain * s.e2 * s.e2
    let transport = boost * s.x1 * s.q1
    let production = e0 * condition.glucoseProduction * max(0, 1 - s.x3)
    let use = p.centralUse(at: max(glucose, 0)) + p.excretion(at: glucose)
    d.q1 = production + appearing + p.k12 * s.q2 - use - transport
    d.q2 =
      transport - (p.k12 + boost * s.x2) * s.q2 - Self.directUse * s.e1 / p.restingHeartRate
    if s.q1 <= 0 && d.q1 < 0 { d.q1 = 0 }
    if s.q2 <= 0 && d.q2 < 0 { d.q2 = 0 }
    d.c = (glucose - s.c) / p.sensorDelay
    return d
  }

  /// The states of exercise; at rest they stay where they are.
  @inline(__always)
  private func exercise(_ s: HovorkaState, _ d: inout HovorkaState) {
    guard heartRateReserveUsed != 0 || s.e1 != 0 || s.e2 != 0 else { return }
    assert(s.te > 0, "A body recovers after some time.")
    d.e1 = (heartRateReserveUsed - s.e1) / Self.heartRateDelay
    let ratio = max(s.e1, 0) / (Self.halfIntensity * parameters.restingHeartRate)
    let power = ratio * ratio * ratio
    let effort = power / (1 + power)
    d.te = (Self.recoveryGain * effort + Self.recoveryAtRest - s.te) / Self.recoveryDelay
    let range = Self.recoveryGain + Self.recoveryAtRest
    d.e2 = effort * s.te / range - (effort + 1 / s.te) * s.e2
  }
}
