/// A number with its unit.
///
/// HealthKit: `HKQuantity`.
///
/// The number stays in the unit it was given in, so that reading it back in that unit gives the
/// same bits.
public struct HealthQuantity: Sendable {
  /// The number, in ``unit``.
  public var value: Double
  /// The unit.
  public var unit: HealthUnit

  /// Creates a quantity of a number and a unit.
  public init(_ value: Double, _ unit: HealthUnit) {
    self.value = value
    self.unit = unit
  }

  /// Whether the quantity can be expressed in a unit.
  ///
  /// HealthKit: `is(compatibleWith:)`.
  public func isCompatible(with unit: HealthUnit) -> Bool { self.unit.isCompatible(with: unit) }

  /// The number in a unit; nothing when the units measure different things.
  ///
  /// HealthKit: `doubleValue(for:)`, which raises an exception for units that do not fit.
  public func converted(to unit: HealthUnit) -> Double? { self.unit.convert(value, to: unit) }

  /// The number in a unit.
  ///
  /// HealthKit: `doubleValue(for:)`, which raises an exception instead.
  public func value(in unit: HealthUnit) throws(HealthStoreError) -> Double {
    guard let value = converted(to: unit) else {
      throw .invalidArgument(.incompatibleUnits(self.unit, unit))
    }
    return value
  }
}

extension HealthQuantity: Hashable {
  /// Whether both say the same number in the same unit.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.value.bitPattern == rhs.value.bitPattern && lhs.unit == rhs.unit
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(value.bitPattern)
    hasher.combine(unit)
  }
}

extension HealthQuantity {
  /// Compares two quantities by what they measure: negative, zero or positive like `lhs - rhs`.
  ///
  /// Returns nothing when the units are not compatible. HealthKit: `compare(_:)`.
  public func compare(with other: HealthQuantity) -> Int? {
    guard let value = other.converted(to: unit) else { return nil }
    return self.value < value ? -1 : (self.value > value ? 1 : 0)
  }
}

extension HealthQuantity: CustomStringConvertible {
  /// The number and the unit, such as `0.85 IU/hr`.
  public var description: String { "\(Self.text(of: value)) \(unit)" }

  /// A number in the fewest digits that read back as the same number; whole ones without a point.
  public static func text(of value: Double) -> String {
    let isWhole = value == value.rounded() && value.magnitude < 1e15
    return isWhole ? "\(Int64(value))" : "\(value)"
  }
}
