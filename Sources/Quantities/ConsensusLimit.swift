/// The limits of glucose of the international consensus, which has each of them in both units.
///
/// 3.9 mmol/L stands for 70 mg/dL and is no limit of its own: converted it would be 70.26 mg/dL,
/// and a reading of 70, which a sensor shows as 3.9, would lie below it. Any other limit is
/// converted.
///
/// T. Battelino and others, Diabetes Care 42 (2019) 1593–1603; 7.8 mmol/L in T. Battelino and
/// others, Lancet Diabetes Endocrinol 11 (2023) 42–57.
public enum ConsensusLimit {
  /// The limits in both units, the least first.
  public static let inBothUnits: [(mgdL: Double, mmolL: Double)] = [
    (54, 3), (70, 3.9), (140, 7.8), (180, 10), (250, 13.9),
  ]

  /// Glucose in mg/dL nearer than this is the same but for arithmetic.
  private static let smallestDifference = 1e-3

  /// Whether glucose is above a limit, both in mg/dL.
  ///
  /// A reading that is written as a limit of the consensus in mmol/L is at that limit: 10.0 mmol/L
  /// is in range, where converted it would be 180.16 mg/dL and above 180. At the lower limits there
  /// is no such question, as 3.9 mmol/L is not below 70 mg/dL.
  public static func isExceeded(_ limit: Double, by mgdL: Double) -> Bool {
    mgdL > limit && !isWritten(limit, as: mgdL)
  }

  /// Whether glucose is what a limit of the consensus in mg/dL is written as in mmol/L.
  public static func isWritten(_ limit: Double, as mgdL: Double) -> Bool {
    guard let both = inBothUnits.first(where: { $0.mgdL == limit }) else { return false }
    return (mgdL - GlucoseConcentration.mmolL(both.mmolL).mgdL).magnitude < smallestDifference
  }

  /// A limit that is written in mmol/L, in mg/dL.
  public static func mgdL(_ mmolL: Double) -> Double {
    inBothUnits.first { $0.mmolL == mmolL }?.mgdL ?? GlucoseConcentration.mmolL(mmolL).mgdL
  }

  /// A limit in mg/dL as it is written in mmol/L; a number that came from text is the same again.
  public static func mmolL(_ mgdL: Double) -> Double {
    inBothUnits.first { $0.mgdL == mgdL }?.mmolL
      ?? (mgdL / GlucoseConcentration.mgdLPerMmolL * 1e6).rounded() / 1e6
  }
}
