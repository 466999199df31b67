internal import Quantities

/// The limits of glucose of the international consensus, which has each of them in both units.
///
/// 3.9 mmol/L stands for 70 mg/dL and is no limit of its own: converted it would be 70.26 mg/dL,
/// and a reading of 70, which a sensor shows as 3.9, would lie below it. Any other limit is
/// converted.
///
/// T. Battelino and others, Diabetes Care 42 (2019) 1593–1603; 7.8 mmol/L in T. Battelino and
/// others, Lancet Diabetes Endocrinol 11 (2023) 42–57.
enum ConsensusLimit {
  static let inBothUnits: [(mgdL: Double, mmolL: Double)] = [
    (54, 3), (70, 3.9), (140, 7.8), (180, 10), (250, 13.9),
  ]

  /// The limits that what is low lies below, in mg/dL; what is high lies above the others.
  static let lowerLimits = 54.0...70.0

  /// A limit that is written in mmol/L, in mg/dL.
  static func mgdL(_ mmolL: Double) -> Double {
    inBothUnits.first { $0.mmolL == mmolL }?.mgdL ?? GlucoseConcentration.mmolL(mmolL).mgdL
  }

  /// A limit in mg/dL as it is written in mmol/L; a number that came from text is the same again.
  static func mmolL(_ mgdL: Double) -> Double {
    inBothUnits.first { $0.mgdL == mgdL }?.mmolL
      ?? (mgdL / GlucoseConcentration.mgdLPerMmolL * 1e6).rounded() / 1e6
  }
}
