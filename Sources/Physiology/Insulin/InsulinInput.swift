/// Insulin as it enters a body.
public struct InsulinInput: Hashable, Sendable {
  /// How the insulin comes.
  public enum Course: Hashable, Sendable {
    /// An amount in U at one instant: a pulse of a pump, or an injection; below 0 what is never
    /// given of a bolus that entered whole when it began, seconds or minutes before.
    case pulse(units: Double)
    /// A continuous inflow in U/h that holds until another is given; 0 ends it.
    case rate(unitsPerHour: Double)
  }

  /// Where the insulin enters.
  public enum Route: Hashable, Sendable {
    /// Under the skin.
    case subcutaneous
    /// Into a vein.
    case intravenous
  }

  /// At once, or at a rate.
  public var course: Course
  /// How the insulin gets into blood, where it is given under the skin.
  public var absorption: InsulinAbsorption
  /// Where it enters.
  public var route: Route

  /// Creates a `InsulinInput` from its parts; see the properties.
  public init(
    _ course: Course, absorption: InsulinAbsorption = .rapid,
    route: Route = .subcutaneous
  ) {
    self.course = course
    self.absorption = absorption
    self.route = route
  }

  /// An amount of insulin at one instant, in U.
  public static func pulse(
    units: Double, absorption: InsulinAbsorption = .rapid, route: Route = .subcutaneous
  ) -> Self {
    Self(.pulse(units: units), absorption: absorption, route: route)
  }

  /// A continuous inflow of insulin that holds until another is given, in U/h.
  public static func rate(unitsPerHour: Double) -> Self { Self(.rate(unitsPerHour: unitsPerHour)) }
}
