import Determinism

/// What the UVA/Padova model gained after 2008, as far as it is public, and exercise.
///
/// Risk: uptake rises in hypoglycaemia (C. Dalla Man et al., J. Diabetes Sci. Technol. 8, 2014),
/// with the population figures of ReplayBG. Exercise: M. D. Breton 2008 and C. Dalla Man et al.
/// 2009, whose figures are second-hand and give a small acute and a large late effect. The virtual
/// patients of 2013 and the glucagon figures are not public and are not here.
struct UVAPadovaAdditions: Hashable, Sendable {
  /// Whether hypoglycaemia raises the uptake of glucose.
  var amplifiesUptakeInLows = true
  /// Heart rate at rest, and above it now, in beats per minute.
  var restingHeartRate = 60.0
  var heartRateAbove = 0.0

  private static let gain = 1.4407
  private static let exponent = 0.8124
  private static let threshold = 60.0

  static let heartRateDelay = 5.0
  static let onset = 1.0
  static let recovery = 600.0
  static let sensitivityGain = 3e-4
  static let directGain = 0.01
  static let affinityGain = 1e-7
  static let halfIntensity = 0.1

  /// The factor on insulin-dependent uptake above basal, at a glucose in mg/dL.
  func uptake(at glucose: Double, fasting gb: Double) -> Double {
    guard amplifiesUptakeInLows, glucose < gb else { return 1 }
    let size = PortableMath.log(max(glucose, Self.threshold))
    let own = PortableMath.pow(PortableMath.log(gb), Self.exponent)
    let f = PortableMath.pow(size, Self.exponent) - own
    return 1 + Self.gain * 10 * f * f
  }
}

/// The compartments of the UVA/Padova model with exercise.
struct UVAPadovaExerciseState: CompartmentState, Hashable {
  var core = UVAPadovaState()
  /// Heart rate above rest as the body follows it; its lasting effect; and beats since it began.
  var y = 0.0
  var z = 0.0
  var w = 0.0

  func adding(_ o: Self, times h: Double) -> Self {
    Self(core: core.adding(o.core, times: h), y: y + h * o.y, z: z + h * o.z, w: w + h * o.w)
  }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    max(
      UVAPadovaState.worstShare(of: e.core, from: a.core, to: b.core, tolerance: t),
      errorShare(e.y, a.y, b.y, t), errorShare(e.z, a.z, b.z, t), errorShare(e.w, a.w, b.w, t))
  }
}

/// The equations of the UVA/Padova model with its public additions and exercise.
struct UVAPadovaExtendedEquations: CompartmentModel {
  var core: UVAPadovaEquations
  var additions: UVAPadovaAdditions

  mutating func beginBite(_ bite: Plate.Bite, state: UVAPadovaExerciseState) {
    core.beginBite(bite, state: state.core)
  }

  func change(of s: UVAPadovaExerciseState, inflow: Inflow) -> UVAPadovaExerciseState {
    let p = core.parameters
    var action = UVAPadovaEquations.Additions.fasting
    action.use = additions.uptake(at: s.core.gp / p.vg, fasting: p.gb)
    var d = UVAPadovaExerciseState()
    let above = additions.heartRateAbove
    if above != 0 || s.y != 0 || s.z != 0 {
      typealias Constants = UVAPadovaAdditions
      d.y = (above - s.y) / Constants.heartRateDelay
      let ratio = max(s.y, 0) / (Constants.halfIntensity * additions.restingHeartRate)
      let power = (ratio * ratio) * (ratio * ratio)
      let effort = power / (1 + power)
      d.z = effort - (effort / Constants.onset + 1 / Constants.recovery) * s.z
      d.w = above
      action.basalUse = 1 + Constants.directGain * s.y
      action.exerciseSlope = Constants.sensitivityGain * s.z * s.w
      action.exerciseAffinity = Constants.affinityGain * s.z * s.w
    }
    d.core = core.change(of: s.core, inflow: inflow, action: action)
    return d
  }
}
