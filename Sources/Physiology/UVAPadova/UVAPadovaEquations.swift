import Determinism
internal import LargeValues

/// How the stomach knows the size of a meal, on which its emptying depends.
public enum MealMemory: String, Hashable, Sendable, CaseIterable {
  /// What was in the stomach at the first bite and what was eaten since, minute by minute: the
  /// public variant.
  case minuteByMinute
  /// What was in the stomach at the first bite and the whole meal, known at once: as the licensed
  /// simulator T1DMS is said to do it.
  case wholeMeal
  /// Milligrams in the stomach plus *grams* eaten: the error of simglucose up to version 0.2.2, to
  /// reproduce tables published with it.
  case legacy
}

/// The equations of the UVA/Padova model S2008.
///
/// Public variant: C. Dalla Man et al. 2006 (gut, IEEE Trans. Biomed. Eng. 53), 2007 (meal model,
/// IEEE Trans. Biomed. Eng. 54; subcutaneous insulin, J. Diabetes Sci. Technol. 1), as implemented
/// and parametrised in jxx123/simglucose.
struct UVAPadovaEquations: CompartmentModel {
  private let mark = PassedByAddress()

  let parameters: UVAPadovaParameters
  let memory: MealMemory
  let ib: Double

  // Constants of the equations, with the factors of the patient's condition multiplied in.
  private var kmax = 0.0
  private var kmin = 0.0
  private var kabs = 0.0
  private var ka1 = 0.0
  private var ka2 = 0.0
  private var kd = 0.0
  private var kp1 = 0.0
  private var kp3 = 0.0
  private var vmx = 0.0
  private let vm0: Double
  private let m1m30: Double
  private let m2m4: Double
  private let perVi: Double
  private let insulinPerUnit: Double
  private let raPerQgut: Double
  /// The longest step, in minutes, with which these constants can be solved.
  private(set) var longestStep = Double.infinity

  var condition = ConditionFactors() {
    didSet { applyCondition() }
  }

  /// Stomach content at the first bite and grams eaten since; `D` of the paper, in mg.
  private var qm = 0.0
  private var eaten = 0.0
  private var meal = 0.0
  private var alpha2 = 0.0
  private var beta2 = 0.0

  init(_ p: UVAPadovaParameters, memory: MealMemory) {
    parameters = p
    self.memory = memory
    ib = p.ib
    assert(p.vi > 0 && p.bodyWeight > 0, "A body has some volume and weight.")
    vm0 = p.vm0
    m1m30 = p.m1 + p.m30
    m2m4 = p.m2 + p.m4
    perVi = 1 / p.vi
    insulinPerUnit = 6_000 / p.bodyWeight
    raPerQgut = UVAPadovaParameters.bioavailability / p.bodyWeight
    applyCondition()
  }

  private mutating func applyCondition() {
    let p = parameters
    kmax = p.kmax * condition.gastricEmptying
    kmin = p.kmin * condition.gastricEmptying
    kabs = p.kabs * condition.gastricEmptying
    ka1 = p.ka1 * condition.insulinAbsorption
    ka2 = p.ka2 * condition.insulinAbsorption
    kd = p.kd * condition.insulinAbsorption
    kp1 = p.kp1 * condition.glucoseProduction
    kp3 = p.kp3 * condition.insulinSensitivity
    vmx = p.vmx * condition.insulinSensitivity
    // Plasma and liver exchange insulin: the larger root of their equations.
    let (half, apart) = ((m2m4 + m1m30) / 2, (m2m4 - m1m30) / 2)
    let exchange = half + (apart * apart + p.m1 * p.m2).squareRoot()
    longestStep = StableStep.longest(
      fastestRate: max(
        kmax, kmin, kabs, ka1 + kd, ka2,
        max(exchange, p.ki, p.p2u, p.ksc, p.k1 + p.k2 + p.kp2 + vm0 / p.km0)))
  }

  func longestStep(at state: UVAPadovaState) -> Double {
    guard isUseQuick(state, factor: 1) else { return longestStep }
    return longestStep(at: state, action: .fasting)
  }

  /// Whether very much insulin may use glucose faster than anything else happens, where it works
  /// so many times as well.
  func isUseQuick(_ state: UVAPadovaState, factor: Double) -> Bool {
    vmx * state.x * factor > parameters.km0
  }

  /// The longest step near a state in which insulin works in a way.
  func longestStep(at state: UVAPadovaState, action: Additions) -> Double {
    min(longestStep, StableStep.longest(fastestRate: emptyingOfTissues(state, action: action)))
  }

  mutating func beginBite(_ bite: Plate.Bite, state: UVAPadovaState) {
    assert(bite.grams > 0 && bite.gramsLeft >= 0, "A bite is more than nothing.")
    if bite.startsEpisode {
      qm = state.qsto1 + state.qsto2
      eaten = 0
    }
    eaten += bite.grams
    meal =
      switch memory {
      case .minuteByMinute: qm + 1_000 * eaten
      case .wholeMeal: qm + 1_000 * (eaten + bite.gramsLeft)
      case .legacy: qm + eaten
      }
    alpha2 = 5 / (meal * (1 - parameters.b))
    beta2 = 5 / (meal * parameters.d)
  }

  /// The rate at which the stomach empties, per minute.
  ///
  /// With E = exp 2z, tanh z = 1 − 2 / (E + 1): the two hyperbolic tangents of the paper cost two
  /// exponentials and one division.
  @inline(__always)
  private func emptying(_ q: Double) -> Double {
    guard meal > 0 else { return kmax }
    let (first, second) = PortableMath.exp(
      min(alpha2 * (q - parameters.b * meal), 300), min(beta2 * (q - parameters.d * meal), 300))
    let a = first + 1
    let b = second + 1
    return kmin + (kmax - kmin) * (1 + (a - b) / (a * b))
  }

  func change(of s: UVAPadovaState, inflow: Inflow) -> UVAPadovaState {
    change(of: s, inflow: inflow, action: .fasting)
  }

  /// What the additions of 2013 and exercise change in the equations.
  struct Additions {
    /// Production driven by glucagon, in mg/kg/min.
    var production: Double
    /// Factors of insulin-dependent use, and of use at basal insulin.
    var use: Double
    var basalUse: Double
    /// The share of exercise that raises both the slope and the affinity of glucose use.
    var exerciseSlope: Double
    var exerciseAffinity: Double

    static let fasting = Self(
      production: 0, use: 1, basalUse: 1, exerciseSlope: 0, exerciseAffinity: 0)
  }

  @inline(__always)
  func change(of s: UVAPadovaState, inflow: Inflow, action: Additions) -> UVAPadovaState {
    let p = parameters
    var d = UVAPadovaState()
    let emptied = emptying(s.qsto1 + s.qsto2) * s.qsto2
    let ground = kmax * s.qsto1
    let absorbed = kabs * s.qgut
    d.qsto1 = 1_000 * inflow.carbohydrate - ground
    d.qsto2 = ground - emptied
    d.qgut = emptied - absorbed
    d.glucoseAbsorbed = absorbed

    let insulin = s.ip * perVi
    let skin = ka1 * s.isc1 + ka2 * s.isc2
    let inhaled = insulinPerUnit * inflow.plasmaInsulin
    d.ip = p.m1 * s.il + skin - m2m4 * s.ip + inhaled
    d.il = p.m2 * s.ip - m1m30 * s.il
    d.x = p.p2u * (insulin - ib - s.x)
    d.i1 = p.ki * (insulin - s.i1)
    d.xl = p.ki * (s.i1 - s.xl)
    d.isc1 = insulinPerUnit * inflow.insulin - (ka1 + kd) * s.isc1
    d.isc2 = kd * s.isc1 - ka2 * s.isc2
    d.insulinAbsorbed = skin + inhaled

    let production = max(0, kp1 - p.kp2 * s.gp - kp3 * s.xl + action.production)
    let excretion =
      s.gp > UVAPadovaParameters.ke2
      ? UVAPadovaParameters.ke1 * (s.gp - UVAPadovaParameters.ke2) : 0
    let (slope, affinity) = tissueUse(of: s, action)
    let use = slope * s.gt / (affinity + s.gt)
    let exchange = p.k1 * s.gp - p.k2 * s.gt
    d.gp =
      production + raPerQgut * absorbed - UVAPadovaParameters.fcns - excretion - exchange
    d.gt = exchange - use
    // A pool that is empty cannot be emptied further.
    if s.gp <= 0 && d.gp < 0 { d.gp = 0 }
    if s.gt <= 0 && d.gt < 0 { d.gt = 0 }
    d.gs = p.ksc * (s.gp - s.gs)
    return d
  }

  /// The most glucose that insulin-dependent use takes, in mg/kg/min, and the glucose in slow
  /// tissues with which it takes half of that, in mg/kg.
  @inline(__always)
  private func tissueUse(
    of s: UVAPadovaState, _ action: Additions
  ) -> (slope: Double, affinity: Double) {
    let total = s.x + ib
    return (
      vm0 * action.basalUse + vmx * (s.x * action.use + action.exerciseSlope * total),
      parameters.km0 * (1 - action.exerciseAffinity * total)
    )
  }

  /// The rate, per minute, at which insulin-dependent use empties slow tissues that are nearly
  /// empty.
  func emptyingOfTissues(_ s: UVAPadovaState, action: Additions) -> Double {
    let (slope, affinity) = tissueUse(of: s, action)
    assert(affinity > 0, "Use is half of the most with some glucose.")
    return slope / affinity
  }
}
