/// A unit in which people write glucose.
public enum GlucoseUnit: String, Hashable, Sendable, CaseIterable {
  /// Milligrams per decilitre.
  case milligramsPerDecilitre = "mg/dL"
  /// Millimoles per litre.
  case millimolesPerLitre = "mmol/L"

  /// How many milligrams per decilitre one of this unit is.
  public var mgdL: Double {
    self == .milligramsPerDecilitre ? 1 : GlucoseConcentration.mgdLPerMmolL
  }

  /// The unit that is not this one.
  public var other: Self {
    self == .milligramsPerDecilitre ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  /// What was probably meant by a limit of glucose that is none in this unit.
  ///
  /// No sensor shows 54 mmol/L (973 mg/dL), and no body lives at 25 mg/dL (1.4 mmol/L). What
  /// glucose is not to fall below may be as little as nobody survives, so that of it less than 7
  /// mg/dL must be meant otherwise. Less than 2 is no limit in mmol/L either.
  ///
  /// - Parameters:
  ///   - written: The limit in this unit.
  ///   - isFloor: Whether glucose is not to fall below it.
  /// - Returns: The limit converted from the other unit, in which it was probably written; `nil`
  ///   where it may be a limit in this one.
  public func meaning(ofImpossibleLimit written: Double, isFloor: Bool = false) -> Double? {
    switch self {
    case .millimolesPerLitre:
      written >= 54 ? (written / GlucoseConcentration.mgdLPerMmolL * 10).rounded() / 10 : nil
    case .milligramsPerDecilitre:
      written >= 2 && written < (isFloor ? 7 : 25)
        ? (written * GlucoseConcentration.mgdLPerMmolL).rounded() : nil
    }
  }
}
