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
}
