/// The compartments of the UVA/Padova model S2008, with the names of the paper.
struct UVAPadovaState: CompartmentState, Hashable {
  /// Glucose in the stomach, solid and liquid, and in the gut, in mg.
  var qsto1 = 0.0
  var qsto2 = 0.0
  var qgut = 0.0
  /// Glucose in fast and slow tissues, in mg/kg.
  var gp = 0.0
  var gt = 0.0
  /// Insulin in plasma, in pmol/kg.
  var ip = 0.0
  /// Insulin in interstitial fluid above basal, and delayed insulin at the liver, in pmol/L.
  var x = 0.0
  var i1 = 0.0
  var xl = 0.0
  /// Insulin in the liver, and under the skin (first and second form), in pmol/kg.
  var il = 0.0
  var isc1 = 0.0
  var isc2 = 0.0
  /// Glucose in interstitial fluid, in mg/kg.
  var gs = 0.0
  /// Glucose that has left the gut, in mg, and insulin that has left the skin, in pmol/kg.
  var glucoseAbsorbed = 0.0
  var insulinAbsorbed = 0.0

  func adding(_ other: Self, times h: Double) -> Self {
    Self(
      qsto1: qsto1 + h * other.qsto1, qsto2: qsto2 + h * other.qsto2,
      qgut: qgut + h * other.qgut, gp: gp + h * other.gp, gt: gt + h * other.gt,
      ip: ip + h * other.ip, x: x + h * other.x, i1: i1 + h * other.i1, xl: xl + h * other.xl,
      il: il + h * other.il, isc1: isc1 + h * other.isc1, isc2: isc2 + h * other.isc2,
      gs: gs + h * other.gs, glucoseAbsorbed: glucoseAbsorbed + h * other.glucoseAbsorbed,
      insulinAbsorbed: insulinAbsorbed + h * other.insulinAbsorbed)
  }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    let gut = max(
      errorShare(e.qsto1, a.qsto1, b.qsto1, t), errorShare(e.qsto2, a.qsto2, b.qsto2, t),
      errorShare(e.qgut, a.qgut, b.qgut, t))
    let glucose = max(
      errorShare(e.gp, a.gp, b.gp, t), errorShare(e.gt, a.gt, b.gt, t),
      errorShare(e.gs, a.gs, b.gs, t))
    let insulin = max(
      errorShare(e.ip, a.ip, b.ip, t), errorShare(e.il, a.il, b.il, t),
      errorShare(e.isc1, a.isc1, b.isc1, t), errorShare(e.isc2, a.isc2, b.isc2, t))
    let action = max(
      errorShare(e.x, a.x, b.x, t), errorShare(e.i1, a.i1, b.i1, t),
      errorShare(e.xl, a.xl, b.xl, t))
    return max(gut, glucose, insulin, action)
  }

  mutating func clearTraces() {
    clearTrace(&qsto1)
    clearTrace(&qsto2)
    clearTrace(&qgut)
    clearTrace(&ip)
    clearTrace(&x)
    clearTrace(&i1)
    clearTrace(&xl)
    clearTrace(&il)
    clearTrace(&isc1)
    clearTrace(&isc2)
  }

  /// Leaves nothing in the tissues, from which organs take glucose at a rate of their own.
  ///
  /// A step that passes the moment at which they are empty would leave them below nothing, and what
  /// comes after a low would fill that first.
  @inline(__always)
  mutating func refillPools() {
    if gp < 0 { gp = 0 }
    if gt < 0 { gt = 0 }
  }
}
