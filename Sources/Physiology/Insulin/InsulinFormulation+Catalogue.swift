extension InsulinFormulation {
  /// Every insulin that is known, the quick ones first.
  public static let catalogue: [Self] = [
    .lyumjev, .fiasp, .humalog, .novolog, .apidra, .rapidActingChild, .afrezza, .regular, .nph,
    .glargine, .basaglar, .glargineU300, .detemir, .degludec,
  ]

  /// The insulin with an id; nothing when there is none.
  public static func named(_ id: String) -> Self? { catalogue.first { $0.id == id } }

  /// Insulin lispro.
  public static let humalog = rapid("humalog", "insulin lispro (Humalog)")
  /// Insulin aspart.
  public static let novolog = rapid("novolog", "insulin aspart (NovoLog, NovoRapid)")
  /// Insulin glulisine.
  public static let apidra = rapid("apidra", "insulin glulisine (Apidra)")
  /// Any rapid-acting insulin in a child.
  public static let rapidActingChild = rapid(
    "rapidActingChild", "rapid-acting insulin of a child")
  /// Faster aspart.
  public static let fiasp = rapid("fiasp", "faster insulin aspart (Fiasp)", kind: .ultraRapid)
  /// Ultra-rapid lispro.
  public static let lyumjev = rapid("lyumjev", "ultra-rapid lispro (Lyumjev)", kind: .ultraRapid)

  private static func rapid(_ id: String, _ name: String, kind: Class = .rapid) -> Self {
    Self(id: id, name: name, kind: kind, routes: [.pump, .pen])
  }

  /// Inhaled insulin; the contents of a cartridge are not injected units one to one.
  public static let afrezza = Self(
    id: "afrezza", name: "inhaled human insulin (Afrezza)", kind: .inhaled, routes: [.inhaler])

  /// Regular human insulin.
  ///
  /// The corners of its release are this package's choice, made so that its effect peaks after two
  /// to three hours.
  public static let regular = Self(
    id: "regular", name: "human insulin (Actrapid, Humulin R)", kind: .regular,
    routes: [.pump, .pen],
    release: InsulinRelease(onset: 0, plateauStart: 15, plateauEnd: 60, end: 180))

  // Intermediate and long-acting insulin is released along its activity, which is a trapezoid in
  // the insulin profiles of NightscoutFoundation/xDrip, the same for every dose.

  /// Isophane insulin.
  public static let nph = slow(
    "nph", "isophane insulin (NPH, Insulatard, Humulin N)", kind: .intermediate, 60, 120, 720, 1_440
  )
  /// Glargine of 100 U/mL.
  public static let glargine = slow(
    "glargine", "insulin glargine 100 U/mL (Lantus)", 60, 420, 1_200, 2_160)
  /// Glargine of 100 U/mL by another maker.
  public static let basaglar = slow(
    "basaglar", "insulin glargine 100 U/mL (Basaglar)", 60, 480, 1_140, 1_440)
  /// Glargine of 300 U/mL: slower, and flatter.
  public static let glargineU300 = slow(
    "glargineU300", "insulin glargine 300 U/mL (Toujeo)", 180, 480, 480, 2_160)
  /// Detemir.
  public static let detemir = slow(
    "detemir", "insulin detemir (Levemir)", 60, 180, 840, 1_500)
  /// Degludec.
  public static let degludec = slow(
    "degludec", "insulin degludec (Tresiba)", 90, 120, 2_460, 2_520)

  private static func slow(
    _ id: String, _ name: String, kind: Class = .longActing,
    _ onset: Double, _ plateauStart: Double, _ plateauEnd: Double, _ end: Double
  ) -> Self {
    Self(
      id: id, name: name, kind: kind, routes: [.pen],
      release: InsulinRelease(
        onset: onset, plateauStart: plateauStart, plateauEnd: plateauEnd, end: end))
  }
}
