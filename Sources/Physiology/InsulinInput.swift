/// Insulin as it enters a body.
public struct InsulinInput: Hashable, Sendable {
  /// How the insulin comes.
  public enum Course: Hashable, Sendable {
    /// An amount in U at one instant: a pulse of a pump, or an injection.
    case pulse(units: Double)
    /// A continuous inflow in U/h that holds until another is given; 0 ends it.
    case rate(unitsPerHour: Double)
  }

  /// Where the insulin enters.
  public enum Route: Hashable, Sendable {
    case subcutaneous
    case intravenous
  }

  public var course: Course
  /// The preparation, which decides how fast the insulin leaves the skin.
  public var formulation: InsulinFormulation
  public var route: Route

  public init(
    _ course: Course, formulation: InsulinFormulation = .rapidActing,
    route: Route = .subcutaneous
  ) {
    self.course = course
    self.formulation = formulation
    self.route = route
  }

  /// An amount of insulin at one instant, in U.
  public static func pulse(
    units: Double, formulation: InsulinFormulation = .rapidActing, route: Route = .subcutaneous
  ) -> Self {
    Self(.pulse(units: units), formulation: formulation, route: route)
  }

  /// A continuous inflow of insulin that holds until another is given, in U/h.
  public static func rate(unitsPerHour: Double) -> Self { Self(.rate(unitsPerHour: unitsPerHour)) }
}

/// A preparation of insulin, by how fast it leaves the skin.
public enum InsulinFormulation: String, Hashable, Sendable, CaseIterable {
  /// Lispro, aspart and glulisine: the preparation every model's own parameters describe.
  case rapidActing
  /// Faster aspart and lispro-aabc.
  case ultraRapid
  /// Human regular insulin.
  case regular
  /// Isophane insulin (NPH).
  case intermediate
  /// Glargine 100 U/mL and detemir.
  case longActing
  /// Degludec and glargine 300 U/mL.
  case ultraLong
}
