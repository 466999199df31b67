import Determinism

/// What the UVA/Padova model gained after 2008, as far as it is public, and exercise.
///
/// Risk: uptake rises in hypoglycaemia (C. Dalla Man et al., J. Diabetes Sci. Technol. 8, 2014),
/// with the population figures of ReplayBG. Exercise: M. D. Breton 2008 and C. Dalla Man et al.
/// 2009, whose figures are second-hand and give a small acute and a large late effect. The virtual
/// patients of 2013 are not public and are not here.
struct UVAPadovaAdditions: Hashable, Sendable {
  /// Whether hypoglycaemia raises the uptake of glucose.
  var amplifiesUptakeInLows = true
  /// Heart rate at rest, and above it now, in beats per minute.
  var restingHeartRate = 60.0
  var heartRateAbove = 0.0
  /// The answer of glucagon, where there is one.
  var glucagon: UVAPadovaGlucagon?

  private static let gain = 1.4407
  private static let exponent = 0.8124
  private static let threshold = 60.0

  static let heartRateDelay = 5.0
  static let onset = 1.0
  static let recovery = 600.0
  static let sensitivityGain = 3e-4
  static let directGain = 0.01
  static let affinityGain = 1e-7
  /// The largest share by which exercise lowers the glucose of half use.
  ///
  /// The published term goes below nothing in hours of exercise with much insulin, where use
  /// becomes infinite. The figure is this package's choice.
  static let mostAffinityGain = 0.9
  static let halfIntensity = 0.1

  /// The factor on insulin-dependent uptake above basal, at a glucose in mg/dL.
  func uptake(at glucose: Double, fasting gb: Double) -> Double {
    guard amplifiesUptakeInLows, glucose < gb else { return 1 }
    assert(gb > 1, "The logarithm of the fasting glucose is more than nothing.")
    let size = PortableMath.log(max(glucose, Self.threshold))
    let own = PortableMath.pow(PortableMath.log(gb), Self.exponent)
    let f = PortableMath.pow(size, Self.exponent) - own
    return 1 + Self.gain * 10 * f * f
  }
}

/// The compartments of the UVA/Padova model with exercise and glucagon.
struct UVAPadovaExtendedState: CompartmentState, Hashable {
  var core = UVAPadovaState()
  /// Heart rate above rest as the body follows it; its lasting effect; and beats since it began.
  var y = 0.0
  var z = 0.0
  var w = 0.0
  var glucagon = UVAPadovaGlucagon.State()

  func adding(_ o: Self, times h: Double) -> Self {
    Self(
      core: core.adding(o.core, times: h), y: y + h * o.y, z: z + h * o.z, w: w + h * o.w,
      glucagon: UVAPadovaGlucagon.State(
        plasma: glucagon.plasma + h * o.glucagon.plasma,
        secretion: glucagon.secretion + h * o.glucagon.secretion,
        action: glucagon.action + h * o.glucagon.action))
  }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    max(
      UVAPadovaState.worstShare(of: e.core, from: a.core, to: b.core, tolerance: t),
      errorShare(e.y, a.y, b.y, t), errorShare(e.z, a.z, b.z, t), errorShare(e.w, a.w, b.w, t),
      errorShare(e.glucagon.plasma, a.glucagon.plasma, b.glucagon.plasma, t),
      errorShare(e.glucagon.secretion, a.glucagon.secretion, b.glucagon.secretion, t),
      errorShare(e.glucagon.action, a.glucagon.action, b.glucagon.action, t))
  }

  mutating func clearTraces() {
    core.clearTraces()
    clearTrace(&y)
    clearTrace(&z)
    clearTrace(&glucagon.plasma)
    clearTrace(&glucagon.secretion)
    clearTrace(&glucagon.action)
  }

  @inline(__always)
  mutating func refillPools() { core.refillPools() }
}

/// The equations of the UVA/Padova model with its public additions, exercise and glucagon.
struct UVAPadovaExtendedEquations: CompartmentModel {
  var core: UVAPadovaEquations
  var additions: UVAPadovaAdditions
  /// The factor on insulin-dependent use above basal in the deepest low.
  private let mostUse: Double

  init(core: UVAPadovaEquations, additions: UVAPadovaAdditions) {
    self.core = core
    self.additions = additions
    mostUse = additions.uptake(at: 0, fasting: core.parameters.gb)
  }

  mutating func beginBite(_ bite: Plate.Bite, state: UVAPadovaExtendedState) {
    core.beginBite(bite, state: state.core)
  }

  func change(of s: UVAPadovaExtendedState, inflow: Inflow) -> UVAPadovaExtendedState {
    let p = core.parameters
    var action = usage(of: s)
    var d = UVAPadovaExtendedState()
    let above = additions.heartRateAbove
    if above != 0 || s.y != 0 || s.z != 0 {
      typealias Constants = UVAPadovaAdditions
      d.y = (above - s.y) / Constants.heartRateDelay
      assert(additions.restingHeartRate > 0, "A heart beats.")
      let ratio = max(s.y, 0) / (Constants.halfIntensity * additions.restingHeartRate)
      let power = (ratio * ratio) * (ratio * ratio)
      let effort = power / (1 + power)
      d.z = effort - (effort / Constants.onset + 1 / Constants.recovery) * s.z
      d.w = above
    }
    guard let glucagon = additions.glucagon else {
      d.core = core.change(of: s.core, inflow: inflow, action: action)
      return d
    }
    action.production = glucagon.production(s.glucagon)
    d.core = core.change(of: s.core, inflow: inflow, action: action)
    d.glucagon = glucagon.change(
      of: s.glucagon, glucose: s.core.gp / p.vg, slope: d.core.gp / p.vg,
      insulin: s.core.ip / p.vi)
    return d
  }

  /// What lows and exercise change in the use of glucose.
  @inline(__always)
  private func usage(of s: UVAPadovaExtendedState) -> UVAPadovaEquations.Additions {
    typealias Constants = UVAPadovaAdditions
    var action = UVAPadovaEquations.Additions.fasting
    action.use = additions.uptake(at: s.core.gp / core.parameters.vg, fasting: core.parameters.gb)
    guard additions.heartRateAbove != 0 || s.y != 0 || s.z != 0 else { return action }
    action.basalUse = 1 + Constants.directGain * s.y
    action.exerciseSlope = Constants.sensitivityGain * s.z * s.w
    action.exerciseAffinity = Constants.affinityGain * s.z * s.w
    let insulin = s.core.x + core.ib
    if action.exerciseAffinity * insulin > Constants.mostAffinityGain {
      action.exerciseAffinity = Constants.mostAffinityGain / insulin
    }
    return action
  }

  /// After hours of exercise, and in a low with very much insulin, slow tissues can empty within
  /// seconds.
  func longestStep(at s: UVAPadovaExtendedState) -> Double {
    guard additions.heartRateAbove != 0 || s.z > 0 else {
      guard core.isUseQuick(s.core, factor: mostUse) else { return core.longestStep }
      return core.longestStep(at: s.core, action: usage(of: s))
    }
    let rate = core.emptyingOfTissues(s.core, action: usage(of: s))
    return min(core.longestStep, StableStep.reach / max(rate, 1e-3))
  }
}
