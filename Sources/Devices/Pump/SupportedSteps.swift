/// The values a pump accepts, as bands of whole thousandths with a step each.
///
/// For rates a thousandth is a milliunit per hour, for volumes a milliunit. Everything is compared
/// in integers: a table of doubles loses a step when the wanted value is a sum such as 0.05 + 0.35.
public struct SupportedSteps: Hashable, Sendable {
  /// Values from `lower` through `upper`, `step` apart.
  public struct Band: Hashable, Sendable {
    /// The least value, in thousandths.
    public let lower: Int64
    /// The greatest value, in thousandths.
    public let upper: Int64
    /// The distance of two values, in thousandths.
    public let step: Int64

    /// Creates a band.
    ///
    /// - Precondition: The step is more than nothing, and the band does not end before it starts.
    public init(_ lower: Int64, _ upper: Int64, step: Int64) {
      precondition(step > 0 && lower <= upper && lower >= 0, "A band of values ascends in steps.")
      self.lower = lower
      self.upper = upper
      self.step = step
    }
  }

  /// The bands, lowest first.
  public let bands: [Band]

  /// Whether zero is accepted although no band starts there.
  public let acceptsZero: Bool

  /// Creates a `SupportedSteps` from its parts; see the properties.
  public init(_ bands: [Band], acceptsZero: Bool = false) {
    assert(
      zip(bands, bands.dropFirst()).allSatisfy { $0.lower < $1.lower }, "Bands of values ascend.")
    self.bands = bands
    self.acceptsZero = acceptsZero
  }

  /// Creates one band.
  public init(_ lower: Int64, _ upper: Int64, step: Int64, acceptsZero: Bool = false) {
    self.init([Band(lower, upper, step: step)], acceptsZero: acceptsZero)
  }

  /// The greatest value.
  public var maximum: Int64 { bands.last?.upper ?? 0 }

  /// The smallest value above zero.
  public var smallest: Int64 {
    guard let first = bands.first else { return 0 }
    return first.lower > 0 ? first.lower : first.step
  }

  /// The step that holds at a value.
  public func step(at value: Int64) -> Int64 {
    (bands.last { $0.lower <= value } ?? bands.first)?.step ?? 1
  }

  /// Whether the pump accepts a value.
  public func contains(_ value: Int64) -> Bool {
    if value == 0, acceptsZero { return true }
    return bands.contains {
      value >= $0.lower && value <= $0.upper && (value - $0.lower) % $0.step == 0
    }
  }

  /// The same range in other steps, from one step on; zero is accepted where it was.
  ///
  /// - Precondition: The step is more than nothing.
  public func inSteps(of step: Int64) -> Self {
    Self(step, max(step, maximum - maximum % step), step: step, acceptsZero: contains(0))
  }

  /// The greatest accepted value that is not above `value`; zero when there is none.
  public func floor(_ value: Int64) -> Int64 {
    guard let band = bands.last(where: { $0.lower <= value }) else { return 0 }
    assert(value >= band.lower, "A band is that in which a value lies.")
    let inside = min(value, band.upper)
    return inside - (inside - band.lower) % band.step
  }

  /// The greatest accepted value that is not above a number of whole units; zero when there is
  /// none.
  ///
  /// A value within a millionth of a thousandth below a step counts as that step, because it was
  /// computed in binary fractions. A number that is not finite gives zero.
  public func floor(units: Double) -> Int64 {
    guard units.isFinite, units > 0 else { return 0 }
    let thousandths = min(units, 1e9) * 1_000
    return floor(Int64((thousandths + 1e-6).rounded(.down)))
  }
}
