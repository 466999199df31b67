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
