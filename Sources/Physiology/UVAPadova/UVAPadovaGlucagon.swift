/// Whether, and with which figures, glucagon answers hypoglycaemia in the UVA/Padova model of 2013.
public enum GlucagonResponse: String, Hashable, Sendable, CaseIterable {
  /// Not at all, as in most adults with type 1 diabetes of long standing.
  case none
  /// With the figures of LoopInsightT1, which says that they are not from the literature. While
  /// there is much insulin they secrete next to nothing.
  case lt1
}

/// The answer of glucagon to a falling and to a low glucose.
///
/// Equations: C. Dalla Man et al., J. Diabetes Sci. Technol. 8, 2014, with the one branch of
/// lt1.org's LoopInsightT1 (`UvaPadova_T1DMS.ts`) in place of the two of the paper, whose figures
/// are not public.
struct UVAPadovaGlucagon: Hashable, Sendable {
  /// Glucagon in plasma, in pg/mL; its static secretion, in pg/mL/min; its delayed action on
  /// production, in pg/mL.
  struct State: Hashable, Sendable {
    var plasma = 0.0
    var secretion = 0.0
    var action = 0.0
  }

  /// The fasting concentration, in pg/mL, and the clearance, per minute.
  private static let basal = 60.0
  private static let clearance = 0.2
  /// The gains of static secretion, on glucose below fasting, and of secretion while glucose falls.
  private static let staticGain = 0.2
  private static let dynamicGain = 0.1
  /// How fast static secretion and the action follow, per minute.
  private static let secretionRate = 0.5
  private static let actionRate = 0.1
  /// What the action adds to production, in mg/kg/min per pg/mL.
  private static let potency = 0.01

  /// The fasting glucose, in mg/dL, and the fasting insulin, in pmol/L.
  let gb: Double
  let ib: Double

  /// The static secretion that a glucose (mg/dL) and an insulin (pmol/L) lead to.
  private func secretion(glucose: Double, insulin: Double) -> Double {
    let restraint = 1 + max(insulin - ib, 0)
    return max(Self.staticGain / restraint * (gb - glucose) + Self.clearance * Self.basal, 0)
  }

  /// The state that a glucose and an insulin hold.
  func steady(glucose: Double, insulin: Double) -> State {
    let secretion = secretion(glucose: glucose, insulin: insulin)
    let plasma = secretion / Self.clearance
    return State(plasma: plasma, secretion: secretion, action: max(plasma - Self.basal, 0))
  }

  /// What glucagon adds to the production of glucose, in mg/kg/min.
  func production(_ state: State) -> Double { Self.potency * state.action }

  /// The change per minute, while glucose changes by `slope` mg/dL per minute.
  func change(of state: State, glucose: Double, slope: Double, insulin: Double) -> State {
    let target = secretion(glucose: glucose, insulin: insulin)
    return State(
      plasma: state.secretion + Self.dynamicGain * max(-slope, 0) - Self.clearance * state.plasma,
      secretion: Self.secretionRate * (target - state.secretion),
      action: Self.actionRate * (max(state.plasma - Self.basal, 0) - state.action))
  }
}
