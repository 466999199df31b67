/// The number by which an expectation was decided, and what it was held against.
public struct ExpectationMeasure: Hashable, Sendable {
  /// What was found; `nil` where the run has no such value.
  ///
  /// Of a series it is the first value that breaks the law, otherwise the value nearest to it.
  public var value: Double?
  /// The unit of the value and its bounds, such as `mg/dL` or `%`; `nil` for a pure number.
  public var unit: String?
  /// The least that is allowed; `nil` for no limit.
  public var minimum: Double?
  /// The most that is allowed; `nil` for no limit.
  public var maximum: Double?
  /// The value that passes, with the distance from it that passes too.
  public var equals: Double?
  /// How far from `equals` it may be; `nil` without one.
  public var tolerance: Double?

  /// Creates a `ExpectationMeasure` from its parts; see the properties.
  public init(
    _ value: Double?, unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil,
    equals: Double? = nil, tolerance: Double? = nil
  ) {
    self.value = value
    self.unit = unit
    self.minimum = minimum
    self.maximum = maximum
    self.equals = equals
    self.tolerance = tolerance
  }
}
