/// What may be chosen of a body beside its parameters.
public struct PatientOptions: Hashable, Sendable {
  /// How the equations are solved.
  public var integration = Integration.production
  /// How the stomach of the UVA/Padova models knows the size of a meal.
  public var mealMemory = MealMemory.minuteByMinute
  /// Whether hypoglycaemia raises the uptake of glucose in the UVA/Padova model of 2013.
  public var amplifiesUptakeInLows = true
  /// Whether glucagon answers hypoglycaemia in the UVA/Padova model of 2013.
  public var glucagon = GlucagonResponse.none
  /// The heart rates of the body; `nil` leaves the patient's own.
  public var heartRates: HeartRates?

  /// Creates options that change nothing.
  public init() {}
}

/// The heart rates of a body at rest and at most, in beats per minute.
public struct HeartRates: Hashable, Sendable {
  /// At rest, in beats per minute.
  public var resting: Double
  /// At most, in beats per minute.
  public var maximum: Double

  /// Creates a `HeartRates` from its parts; see the properties.
  public init(resting: Double, maximum: Double) {
    self.resting = resting
    self.maximum = maximum
  }
}
