/// What must hold for an event to happen: a comparison, such as `glucose.cgm < 70`.
public struct EventCondition: Hashable, Sendable {
  /// What is compared, by its name among the series of a run.
  public enum Series: String, Hashable, Sendable, CaseIterable {
    /// True glucose, in mg/dL.
    case trueGlucose = "glucose.true"
    /// The app's latest reading, in mg/dL.
    case reading = "glucose.cgm"
    /// The insulin on board that the app believes in, in U.
    case insulinOnBoard = "iob.app"
    /// The net insulin on board by what really entered the body, in U.
    case trueInsulinOnBoard = "iob.true"
    /// The carbohydrates on board of the app's last cycle, in grams.
    case carbsOnBoard = "cob.app"

    /// Whether it is glucose, which has two units.
    public var isGlucose: Bool { self == .trueGlucose || self == .reading }

    /// Whether it is of the body itself, and not of what an app or a sensor shows.
    var isOfBody: Bool { self == .trueGlucose || self == .trueInsulinOnBoard }
  }

  /// How it is compared.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    /// The series is less than the value.
    case below = "<"
    /// The series is not more than the value.
    case atMost = "<="
    /// The series is more than the value.
    case above = ">"
    /// The series is not less than the value.
    case atLeast = ">="
  }

  /// The event that stands under the condition, so that it is decided once.
  public var name: String
  /// What is compared.
  public var series: Series
  /// How it is compared.
  public var comparison: Comparison
  /// The number compared with, in the unit of the series.
  public var value: Double

  /// Creates a `EventCondition` from its parts; see the properties.
  public init(name: String, series: Series, comparison: Comparison, value: Double) {
    self.name = name
    assert(value.isFinite, "A series is compared with a number.")
    self.series = series
    self.comparison = comparison
    self.value = value
  }

  /// Whether a value fulfils it.
  public func isFulfilled(by found: Double) -> Bool {
    switch comparison {
    case .below: found < value
    case .atMost: found <= value
    case .above: found > value
    case .atLeast: found >= value
    }
  }
}
