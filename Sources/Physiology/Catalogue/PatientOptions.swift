/// What may be chosen of a body beside its parameters.
public struct PatientOptions: Sendable {
  /// How the equations are solved.
  public var integration = Integration.production
  /// How the stomach of the UVA/Padova models knows the size of a meal.
  public var mealMemory = MealMemory.minuteByMinute
  /// Whether hypoglycaemia raises the uptake of glucose in the UVA/Padova model of 2013.
  public var amplifiesUptakeInLows = true
  /// Whether glucagon answers hypoglycaemia in the UVA/Padova model of 2013.
  public var glucagon = GlucagonResponse.none
  /// The heart rates at rest and at most, in beats per minute; nothing leaves the patient's own.
  public var heartRates: (resting: Double, maximum: Double)?

  public init() {}
}
