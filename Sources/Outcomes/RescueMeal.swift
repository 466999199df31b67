public import Quantities

/// Carbohydrate that a person ate against a low.
public struct RescueMeal: Hashable, Sendable {
  /// When it was eaten.
  public var instant: Instant
  /// Carbohydrate, in grams.
  public var grams: Double

  /// Creates a `RescueMeal` from its parts; see the properties.
  public init(at instant: Instant, grams: Double) {
    self.instant = instant
    self.grams = grams
  }
}
