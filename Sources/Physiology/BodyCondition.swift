/// Something other than insulin and food that a body meets.
public enum BodyCondition: Hashable, Sendable {
  /// Exercise begins, at a share of the heart-rate reserve from 0 to 1; 0 ends it.
  case exercise(intensity: Double)
  /// Insulin sensitivity is multiplied by a factor until another is given; 1 is the patient's own.
  case insulinSensitivity(factor: Double)
  /// Endogenous glucose production is multiplied by a factor until another is given.
  case glucoseProduction(factor: Double)
  /// The rate at which food leaves stomach and gut is multiplied by a factor.
  case gastricEmptying(factor: Double)
  /// The rate at which insulin leaves the skin is multiplied by a factor.
  case insulinAbsorption(factor: Double)
  /// Something begins to vary, such as an illness; only a ``VaryingPatient`` knows it.
  case variation([Modulator])
  /// Glucagon enters under the skin, in milligrams.
  case glucagon(milligrams: Double)
}
