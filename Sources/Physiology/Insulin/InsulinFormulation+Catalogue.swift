import Quantities

extension InsulinFormulation {
  /// Every insulin that is known, the quick ones first.
  public static let catalogue: [Self] = [
    .lyumjev, .fiasp, .humalog, .novolog, .apidra, .rapidActingChild, .afrezza, .regular, .nph,
    .glargine, .basaglar, .glargineU300, .detemir, .degludec,
  ]

  /// The insulin with an id; nothing when there is none.
  public static func named(_ id: String) -> Self? { catalogue.first { $0.id == id } }

  /// Insulin lispro: an effect of six hours with a peak at 75 minutes after a delay of ten.
  public static let humalog = rapid("humalog", "insulin lispro (Humalog)", peak: 75)
  /// Insulin aspart, as insulin lispro.
  public static let novolog = rapid("novolog", "insulin aspart (NovoLog, NovoRapid)", peak: 75)
  /// Insulin glulisine, as insulin lispro.
  public static let apidra = rapid("apidra", "insulin glulisine (Apidra)", peak: 75)
  /// Any rapid-acting insulin in a child: a peak at 65 minutes.
  public static let rapidActingChild = rapid(
    "rapidActingChild", "rapid-acting insulin of a child", peak: 65)
  /// Faster aspart: a peak at 55 minutes.
  public static let fiasp = rapid(
    "fiasp", "faster insulin aspart (Fiasp)", peak: 55, kind: .ultraRapid)
  /// Ultra-rapid lispro: a peak at 55 minutes.
  public static let lyumjev = rapid(
    "lyumjev", "ultra-rapid lispro (Lyumjev)", peak: 55, kind: .ultraRapid)

  private static func rapid(
    _ id: String, _ name: String, peak: Int64, kind: Class = .rapid
  ) -> Self {
    Self(
      id: id, name: name, kind: kind, routes: [.pump, .pen],
      action: .fixed(
        .exponential(duration: .minutes(360), peak: .minutes(peak), delay: .minutes(10))),
      source: "LoopAlgorithm, ExponentialInsulinModelPreset")
  }

  /// The effect of one unit; the contents of a cartridge are not injected units one to one.
  public static let afrezza = Self(
    id: "afrezza", name: "inhaled human insulin (Afrezza)", kind: .inhaled,
    routes: [.inhaler],
    action: .fixed(
      .exponential(duration: .minutes(300), peak: .minutes(29), delay: .minutes(10))),
    source: "LoopAlgorithm, ExponentialInsulinModelPreset")

  /// Regular human insulin: a plateau from one to four hours.
  public static let regular = Self(
    id: "regular", name: "human insulin (Actrapid, Humulin R)", kind: .regular,
    routes: [.pump, .pen], action: .fixed(trapezoid(30, 60, 240, 480)),
    source: "NightscoutFoundation/xDrip insulin profiles")

  /// Isophane insulin: its duration grows with the dose for each kilogram.
  public static let nph = Self(
    id: "nph", name: "isophane insulin (NPH, Insulatard, Humulin N)", kind: .intermediate,
    routes: [.pen],
    action: .doseDependent(
      hours: 12, hoursPerUnitAndKilogram: 20, peakDivisor: 3.5,
      otherwise: trapezoid(60, 120, 720, 1_440)),
    source: cgmsim)

  /// Glargine of 100 U/mL: its duration grows with the dose for each kilogram.
  public static let glargine = Self(
    id: "glargine", name: "insulin glargine 100 U/mL (Lantus)", kind: .longActing,
    routes: [.pen],
    action: .doseDependent(
      hours: 22, hoursPerUnitAndKilogram: 12, peakDivisor: 2.5,
      otherwise: trapezoid(60, 420, 1_200, 2_160)),
    source: cgmsim)

  /// Glargine of 100 U/mL by another maker, with a fixed curve.
  public static let basaglar = Self(
    id: "basaglar", name: "insulin glargine 100 U/mL (Basaglar)", kind: .longActing,
    routes: [.pen], action: .fixed(trapezoid(60, 480, 1_140, 1_440)),
    source: "NightscoutFoundation/xDrip insulin profiles")

  /// Glargine of 300 U/mL: slower, and flatter.
  public static let glargineU300 = Self(
    id: "glargineU300", name: "insulin glargine 300 U/mL (Toujeo)", kind: .longActing,
    routes: [.pen],
    action: .doseDependent(
      hours: 24, hoursPerUnitAndKilogram: 14, peakDivisor: 2.5,
      otherwise: trapezoid(180, 480, 480, 2_160)),
    source: cgmsim)

  /// Detemir: its duration grows with the dose for each kilogram.
  public static let detemir = Self(
    id: "detemir", name: "insulin detemir (Levemir)", kind: .longActing, routes: [.pen],
    action: .doseDependent(
      hours: 14, hoursPerUnitAndKilogram: 24, peakDivisor: 3,
      otherwise: trapezoid(60, 180, 840, 1_500)),
    source: cgmsim)

  /// Degludec: 42 hours whatever the dose.
  public static let degludec = Self(
    id: "degludec", name: "insulin degludec (Tresiba)", kind: .longActing, routes: [.pen],
    action: .doseDependent(
      hours: 42, hoursPerUnitAndKilogram: 0, peakDivisor: 3,
      otherwise: trapezoid(90, 120, 2_460, 2_520)),
    source: cgmsim)

  private static let cgmsim =
    "lsandini/cgmsim-lib by dose and weight; without a weight NightscoutFoundation/xDrip"

  private static func trapezoid(
    _ onset: Int64, _ rise: Int64, _ fall: Int64, _ end: Int64
  ) -> InsulinActivityCurve {
    .trapezoid(
      onset: .minutes(onset), peak: .minutes(rise)...(.minutes(fall)), duration: .minutes(end))
  }
}
