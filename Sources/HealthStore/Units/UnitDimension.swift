/// What a unit measures, as integer exponents over independent base dimensions.
///
/// Two units are compatible exactly when their dimensions are equal. Insulin in international units
/// has a dimension of its own: it can never become a mass.
///
/// HealthKit keeps the dimension of an `HKUnit` to itself.
public struct UnitDimension: Hashable, Sendable {
  /// The independent quantities of which every dimension is a product.
  public enum Base: Int, CaseIterable, Sendable {
    /// A quantity that follows from no other.
    case mass, length, time, temperature, conductance, voltage, pharmacology, hearingLevel
    /// The pressure of sound.
    case soundPressureLevel
  }

  private var exponents: SIMD16<Int8> = .zero

  /// The dimension of a plain number.
  public static let none = Self()

  /// The dimension that is one base raised to a power.
  init(_ base: Base, _ exponent: Int8 = 1) { exponents[base.rawValue] = exponent }

  private init() {}

  /// The exponent of one base.
  public func exponent(of base: Base) -> Int { Int(exponents[base.rawValue]) }

  static func * (lhs: Self, rhs: Self) -> Self {
    var result = Self()
    result.exponents = lhs.exponents &+ rhs.exponents
    return result
  }

  func raised(to power: Int) -> Self {
    var result = Self()
    result.exponents = exponents &* SIMD16(repeating: Int8(truncatingIfNeeded: power))
    return result
  }

  static let mass = Self(.mass)
  static let length = Self(.length)
  static let time = Self(.time)
  static let volume = Self(.length, 3)
  static let energy = Self(.mass) * Self(.length, 2) * Self(.time, -2)
  static let pressure = Self(.mass) * Self(.length, -1) * Self(.time, -2)
}
