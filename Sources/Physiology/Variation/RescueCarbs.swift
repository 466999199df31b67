public import Quantities

/// How a person treats a low: at which glucose, with how much, and how soon again.
///
/// The default is the hypo-treatment rule of ReplayBG (gcappon/py_replay_bg): 15 g below 70 mg/dL,
/// and none for 15 minutes after.
public struct RescueCarbs: Hashable, Sendable {
  /// The glucose below which the person eats.
  public var threshold: GlucoseConcentration
  /// How much the person eats, in grams.
  public var grams: Double
  /// How long the person waits before eating again.
  public var pause: TimeSpan
  /// How fast it is absorbed, for models that take it from the meal.
  public var absorption: TimeSpan
  private var last: Instant?

  /// Creates a `RescueCarbs` from its parts; see the properties.
  public init(
    threshold: GlucoseConcentration = .mgdL(70), grams: Double = 15,
    pause: TimeSpan = .minutes(15), absorption: TimeSpan = .minutes(30)
  ) {
    self.threshold = threshold
    self.grams = grams
    self.pause = pause
    self.absorption = absorption
  }

  /// What the person eats on seeing a glucose; nothing when none is needed, or some was just eaten.
  public mutating func treat(_ glucose: GlucoseConcentration, at instant: Instant) -> MealInput? {
    guard glucose < threshold, grams > 0 else { return nil }
    if let last, instant - last < pause { return nil }
    last = instant
    return MealInput(grams: grams, absorption: absorption)
  }
}
