/// A unit in which people write glucose.
public enum GlucoseUnit: String, Hashable, Sendable, CaseIterable {
  case milligramsPerDecilitre = "mg/dL"
  case millimolesPerLitre = "mmol/L"

  /// How many milligrams per decilitre one of this unit is.
  public var mgdL: Double {
    self == .milligramsPerDecilitre ? 1 : GlucoseConcentration.mgdLPerMmolL
  }
}
