public import Quantities

/// The settings of a superposition patient: those of its therapy, as they truly are.
public struct SuperpositionParameters: Hashable, Sendable {
  /// What people call the patient.
  public var identifier: String
  /// The basal rate that balances the patient's own glucose production, in U/h.
  public var basalRate: DailySchedule<Double>
  /// How far a unit lowers glucose, in mg/dL.
  public var insulinSensitivity: DailySchedule<Double>
  /// The grams a unit covers.
  public var carbRatio: DailySchedule<Double>
  /// The clock on which the schedules run.
  public var clock: WallClock
  /// What the patient's own pancreas still does.
  public var secretion: Secretion

  /// Insulin of the patient's own, as in type 2 diabetes.
  public struct Secretion: Hashable, Sendable {
    /// Units per minute for each mg/dL above the basal glucose.
    public var perGlucose: Double
    /// Units per minute for each mg/dL of the basal glucose, at any glucose.
    public var basalProduction: Double
    /// The glucose above which more is secreted, in mg/dL.
    public var basalGlucose: Double

    /// Creates a `Secretion` from its parts; see the properties.
    public init(perGlucose: Double, basalProduction: Double, basalGlucose: Double) {
      self.perGlucose = perGlucose
      self.basalProduction = basalProduction
      self.basalGlucose = basalGlucose
    }

    /// No secretion: type 1 diabetes.
    public static let none = Self(perGlucose: 0, basalProduction: 0, basalGlucose: 100)
  }

  /// Creates a `SuperpositionParameters` from its parts; see the properties.
  public init(
    identifier: String, basalRate: DailySchedule<Double>,
    insulinSensitivity: DailySchedule<Double>, carbRatio: DailySchedule<Double>,
    clock: WallClock = .utc, secretion: Secretion = .none
  ) {
    self.identifier = identifier
    self.basalRate = basalRate
    self.insulinSensitivity = insulinSensitivity
    self.carbRatio = carbRatio
    self.clock = clock
    self.secretion = secretion
  }

  /// Checks that every figure is one the equations can use.
  func check() throws(PatientError) {
    for entry in basalRate.entries where !(entry.value >= 0 && entry.value.isFinite) {
      throw unusable("basalRate", entry.value, "0 U/h or more")
    }
    for entry in insulinSensitivity.entries where !(entry.value > 0 && entry.value.isFinite) {
      throw unusable("insulinSensitivity", entry.value, "more than 0 mg/dL per U")
    }
    for entry in carbRatio.entries where !(entry.value > 0 && entry.value.isFinite) {
      throw unusable("carbRatio", entry.value, "more than 0 g/U")
    }
    let own = [secretion.perGlucose, secretion.basalProduction, secretion.basalGlucose]
    for value in own where !(value >= 0 && value.isFinite) {
      throw unusable("secretion", value, "0 or more")
    }
  }

  private func unusable(_ name: String, _ value: Double, _ allowed: String) -> PatientError {
    .unusableParameter(patient: identifier, name: name, value: value, allowed: allowed)
  }
}
