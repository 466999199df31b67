public import Quantities

/// Food as it is eaten.
public struct MealInput: Hashable, Sendable {
  /// How long the eating takes.
  public enum Pace: Hashable, Sendable {
    /// Grams of carbohydrate per minute, until the plate is empty.
    case gramsPerMinute(Double)
    /// The whole meal over this time.
    case over(TimeSpan)
  }

  /// The carbohydrate, in grams.
  public var grams: Double
  /// How long the carbohydrate takes to be absorbed, for models that take it from the meal.
  public var absorption: TimeSpan?
  /// How fast it is eaten.
  public var pace: Pace

  /// Creates a meal; without a pace it is eaten at 5 g/min, as in the public simulators.
  public init(
    grams: Double, absorption: TimeSpan? = nil, pace: Pace = .gramsPerMinute(5)
  ) {
    self.grams = grams
    self.absorption = absorption
    self.pace = pace
  }
}

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
