/// One of the 30 public virtual patients of the UVA/Padova model S2008: its free parameters.
///
/// Symbols and units are those of C. Dalla Man, R. A. Rizza, C. Cobelli, "Meal Simulation Model of
/// the Glucose-Insulin System", IEEE Trans. Biomed. Eng. 54, 2007. Four parameters are the same in
/// all patients and are constants here.
public struct UVAPadovaParameters: Hashable, Sendable {
  /// The group and the number within it, such as `adult#001`.
  public var identifier: String
  /// Age in years.
  public var age: Double
  /// Body weight in kg.
  public var bodyWeight: Double
  /// Fasting glucose in mg/dL and fasting insulin in pmol/L, at which the patient was described.
  public var gb, ib: Double
  /// Endogenous glucose production when fasting, in mg/kg/min.
  public var egpb: Double
  /// Distribution volume of glucose, in dL/kg.
  public var vg: Double
  /// Exchange of glucose between fast and slow tissues, per minute.
  public var k1, k2: Double
  /// Effect of glucose (per minute) and of insulin (mg/kg/min per pmol/L) on production.
  public var kp2, kp3: Double
  /// Delay of insulin action on the liver, per minute.
  public var ki: Double
  /// Insulin-dependent glucose use: slope (mg/kg/min per pmol/L) and half-saturation (mg/kg).
  public var vmx, km0: Double
  /// Delay of insulin action on peripheral tissues, per minute.
  public var p2u: Double
  /// Absorption from the gut, and the fastest and slowest emptying of the stomach, per minute.
  public var kabs, kmax, kmin: Double
  /// The shares of a meal left in the stomach at which emptying slows and recovers.
  public var b, d: Double
  /// Distribution volume of insulin, in L/kg.
  public var vi: Double
  /// Exchange of insulin between plasma and liver, per minute.
  public var m1, m2: Double
  /// Absorption of insulin from under the skin, per minute.
  public var ka1, ka2, kd: Double
  /// Delay between plasma and interstitial glucose, per minute.
  public var ksc: Double
  /// The therapy figures published or computed for this patient.
  public var therapy: Therapy

  /// Settings a clinic would start this patient with; the sources differ much (see the fields).
  public struct Therapy: Hashable, Sendable {
    /// Total daily insulin of the public table, in U.
    public var totalDailyInsulin: Double
    /// Carb ratio (g/U) and correction factor (mg/dL per U) of the public table.
    public var tableCarbRatio, tableCorrectionFactor: Double
    /// The largest fall after a bolus of 2 % of the daily insulin, in mg/dL per U, by simulation.
    public var simulatedCorrectionFactor: Double
    /// The carb ratio that returns glucose to its start 5 h after a meal, in g/U, by simulation.
    public var simulatedCarbRatio: Double
  }

  /// The share of ingested glucose that reaches plasma.
  static let bioavailability = 0.9
  /// Renal excretion: rate per minute, and threshold in mg/kg.
  static let ke1 = 0.0005
  static let ke2 = 339.0
  /// Insulin-independent glucose use, in mg/kg/min.
  static let fcns = 1.0
  /// The share of insulin the liver extracts.
  static let hepaticExtraction = 0.6

  /// The 30 public patients: ten adolescents, ten adults and ten children.
  public static let cohort: [UVAPadovaParameters] = figures.map { entry in
    UVAPadovaParameters(identifier: entry.identifier, row: entry.row)
  }

  /// The public patient with this identifier, such as `adult#001`; nothing when there is none.
  public static func named(_ identifier: String) -> UVAPadovaParameters? {
    cohort.first { $0.identifier == identifier }
  }

  private init(identifier: String, row: [Double]) {
    self.identifier = identifier
    precondition(row.count == 31, "A patient of the table has 31 figures.")
    (age, bodyWeight, gb, ib) = (row[0], row[1], row[2], row[3])
    (egpb, vg, k1, k2) = (row[4], row[5], row[6], row[7])
    (kp2, kp3, ki, vmx) = (row[8], row[9], row[10], row[11])
    (km0, p2u, kabs, kmax) = (row[12], row[13], row[14], row[15])
    (kmin, b, d, vi) = (row[16], row[17], row[18], row[19])
    (m1, m2, ka1, ka2) = (row[20], row[21], row[22], row[23])
    (kd, ksc) = (row[24], row[25])
    therapy = Therapy(
      totalDailyInsulin: row[26], tableCarbRatio: row[27], tableCorrectionFactor: row[28],
      simulatedCorrectionFactor: row[29], simulatedCarbRatio: row[30])
  }
}

extension UVAPadovaParameters {
  /// `adolescent`, `adult` or `child`.
  public var group: String { String(identifier.prefix { $0 != "#" }) }

  /// The basal rate that holds the patient at its fasting glucose, in U/h.
  public var fastingBasalRate: Double {
    let plasma = ib * vi
    let liver = m2 * plasma / (m1 + m30)
    return (plasma * (m2 + m4) - m1 * liver) * bodyWeight / 100
  }

  /// Checks that every figure is one the equations can use.
  func check() throws(PatientError) {
    let positive = [
      ("BW", bodyWeight), ("Gb", gb), ("Ib", ib), ("EGPb", egpb), ("Vg", vg), ("k1", k1),
      ("k2", k2), ("kp2", kp2), ("kp3", kp3), ("ki", ki), ("Vmx", vmx), ("Km0", km0), ("p2u", p2u),
      ("kabs", kabs), ("kmax", kmax), ("kmin", kmin), ("b", b), ("d", d), ("Vi", vi), ("m1", m1),
      ("m2", m2), ("ka1", ka1), ("ka2", ka2), ("kd", kd), ("ksc", ksc),
    ]
    func refuse(_ name: String, _ value: Double, _ allowed: String) -> PatientError {
      .unusableParameter(patient: identifier, name: name, value: value, allowed: allowed)
    }
    for (name, value) in positive where !(value > 0 && value.isFinite) {
      throw refuse(name, value, "more than 0")
    }
    if b >= 1 { throw refuse("b", b, "below 1") }
    if egpb <= Self.fcns { throw refuse("EGPb", egpb, "above \(Self.fcns) mg/kg/min") }
    if gtb <= 0 {
      throw refuse("EGPb", egpb, "so low that glucose is left in slow tissues when fasting")
    }
  }

  var m30: Double { Self.hepaticExtraction * m1 / (1 - Self.hepaticExtraction) }
  var m4: Double { 0.4 * m2 }
  /// Glucose in slow tissues when fasting, in mg/kg.
  var gtb: Double { (Self.fcns - egpb + k1 * gb * vg) / k2 }
  /// Insulin-dependent glucose use at basal insulin, in mg/kg/min.
  var vm0: Double { (egpb - Self.fcns) * (km0 + gtb) / gtb }
  /// Endogenous production without glucose and insulin, in mg/kg/min.
  var kp1: Double { egpb + kp2 * gb * vg + kp3 * ib }
}
