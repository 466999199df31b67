import Quantities

/// A state in which a basal rate holds a patient, and that rate.
struct UVAPadovaSteadyState {
  var state: UVAPadovaState
  /// The basal rate in U/min.
  var basalRate: Double

  /// The steady state at a glucose concentration, in mg/dL.
  ///
  /// All equations but one give their compartment at once for a plasma insulin; the last, the
  /// balance of glucose use, falls as insulin rises and is solved by bisection between no insulin
  /// and twenty times the fasting one. The additions of 2013 have a part in it where there are any.
  init(
    of p: UVAPadovaParameters, at glucose: GlucoseConcentration,
    _ additions: UVAPadovaAdditions? = nil
  ) throws(PatientError) {
    try p.check()
    guard let insulin = Self.insulin(holding: glucose.mgdL, p, additions) else {
      throw .infeasibleStart(
        patient: p.identifier, glucose: glucose,
        lowest: .mgdL(Self.bound(p, feasibleAbove: false, additions)),
        highest: .mgdL(Self.bound(p, feasibleAbove: true, additions)))
    }
    let plasma = insulin * p.vi
    let liver = p.m2 * plasma / (p.m1 + p.m30)
    let appearance = max(0, plasma * (p.m2 + p.m4) - p.m1 * liver)
    var s = UVAPadovaState()
    s.gp = glucose.mgdL * p.vg
    s.gt = Self.slowGlucose(s.gp, insulin: insulin, additions?.glucagon, p)
    s.ip = plasma
    s.il = liver
    s.x = insulin - p.ib
    s.i1 = insulin
    s.xl = insulin
    s.isc1 = appearance / (p.kd + p.ka1)
    s.isc2 = p.kd * s.isc1 / p.ka2
    s.gs = s.gp
    state = s
    basalRate = appearance * p.bodyWeight / 6_000
  }

  /// The plasma insulin, in pmol/L, that holds a glucose concentration; nothing when none does.
  private static func insulin(
    holding glucose: Double, _ p: UVAPadovaParameters, _ additions: UVAPadovaAdditions?
  ) -> Double? {
    let gp = glucose * p.vg
    guard glucose > 0, glucose.isFinite else { return nil }
    if glucose == p.gb { return p.ib }
    let factor = additions?.uptake(at: glucose, fasting: p.gb) ?? 1
    let glucagon = additions?.glucagon
    var low = 0.0
    var high = 20 * p.ib
    guard surplus(gp, insulin: low, factor, glucagon, p) >= 0,
      surplus(gp, insulin: high, factor, glucagon, p) <= 0
    else { return nil }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      guard middle > low, middle < high else { break }
      if surplus(gp, insulin: middle, factor, glucagon, p) >= 0 {
        low = middle
      } else {
        high = middle
      }
    }
    guard slowGlucose(gp, insulin: low, glucagon, p) > 0 else { return nil }
    return low
  }

  /// Production less every loss, in mg/kg/min, when fast and slow tissues are in balance.
  private static func surplus(
    _ gp: Double, insulin: Double, _ factor: Double, _ glucagon: UVAPadovaGlucagon?,
    _ p: UVAPadovaParameters
  ) -> Double {
    let gt = slowGlucose(gp, insulin: insulin, glucagon, p)
    let use = (p.vm0 + p.vmx * (insulin - p.ib) * factor) * gt / (p.km0 + gt)
    return net(gp, insulin: insulin, glucagon, p) - use
  }

  private static func slowGlucose(
    _ gp: Double, insulin: Double, _ glucagon: UVAPadovaGlucagon?, _ p: UVAPadovaParameters
  ) -> Double {
    max(0, (p.k1 * gp - net(gp, insulin: insulin, glucagon, p)) / p.k2)
  }

  /// Production less insulin-independent use and excretion, in mg/kg/min.
  private static func net(
    _ gp: Double, insulin: Double, _ glucagon: UVAPadovaGlucagon?, _ p: UVAPadovaParameters
  ) -> Double {
    let own = p.kp1 - p.kp2 * gp - p.kp3 * insulin
    let driven =
      glucagon.map { $0.production($0.steady(glucose: gp / p.vg, insulin: insulin)) } ?? 0
    let production = max(0, own + driven)
    let excretion = max(0, UVAPadovaParameters.ke1 * (gp - UVAPadovaParameters.ke2))
    return production - UVAPadovaParameters.fcns - excretion
  }

  /// The highest or lowest glucose that can be held, to a tenth of a mg/dL.
  private static func bound(
    _ p: UVAPadovaParameters, feasibleAbove: Bool, _ additions: UVAPadovaAdditions?
  ) -> Double {
    var inside = p.gb
    var outside = feasibleAbove ? 2_000.0 : 0.0
    while abs(outside - inside) > 0.05 {
      let middle = (inside + outside) / 2
      if insulin(holding: middle, p, additions) != nil { inside = middle } else { outside = middle }
    }
    return inside
  }
}
