/// An amount of insulin that a device accounts for, in whole milliunits.
///
/// One pulse of a 0.05 U pump is 50 milliunits. Insulin on board is not such an amount: nobody can
/// deliver it, and physiology computes it as a `Double` of units.
public struct InsulinAmount: Hashable, Sendable {
  /// The amount in milliunits; 1,000 are one unit (U).
  public var milliunits: Int64

  /// Creates an amount from milliunits.
  public init(milliunits: Int64) { self.milliunits = milliunits }

  /// An amount of so many milliunits.
  public static func milliunits(_ count: Int64) -> Self { Self(milliunits: count) }

  /// The nearest amount to a number of units; ties away from zero.
  ///
  /// Returns nothing when the number is not finite or lies beyond ± a million units.
  public init?(roundingUnits units: Double) {
    guard units.isFinite, units.magnitude <= 1e6 else { return nil }
    self.init(milliunits: Int64((units * 1_000).rounded()))
  }

  /// The amount in units, for numerical work and for people.
  public var units: Double { Double(milliunits) / 1_000 }

  /// The largest whole multiple of `pulse` that is not above this amount.
  ///
  /// - Precondition: `pulse` is more than nothing, and this amount is not negative.
  public func flooredToMultiple(of pulse: Self) -> Self {
    precondition(pulse > .zero, "A pump pulse must be more than nothing.")
    precondition(milliunits >= 0, "Only an amount that can be delivered is counted in pulses.")
    return Self(milliunits: milliunits - milliunits % pulse.milliunits)
  }
}

extension InsulinAmount: AdditiveArithmetic, Comparable {
  public static let zero = Self(milliunits: 0)

  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(milliunits: lhs.milliunits + rhs.milliunits)
  }

  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(milliunits: lhs.milliunits - rhs.milliunits)
  }

  /// The amount of so many equal amounts.
  public static func * (amount: Self, count: Int64) -> Self {
    Self(milliunits: amount.milliunits * count)
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliunits < rhs.milliunits }
}

extension InsulinAmount: CustomStringConvertible {
  /// The amount in units with the decimals it needs, at least two: `0.60 U`, `0.025 U`.
  public var description: String { "\(decimalThousandths(milliunits)) U" }

  /// The amount in units without the unit's name: `0.60`, `0.025`.
  public var unitsText: String { decimalThousandths(milliunits) }
}

/// A rate of insulin delivery, in whole milliunits per hour.
public struct InsulinRate: Hashable, Sendable {
  /// The rate in milliunits per hour; 1,000 are one unit per hour (U/h).
  public var milliunitsPerHour: Int64

  /// Creates a rate from milliunits per hour.
  public init(milliunitsPerHour: Int64) { self.milliunitsPerHour = milliunitsPerHour }

  /// No delivery.
  public static let zero = Self(milliunitsPerHour: 0)

  /// The nearest rate to a number of units per hour; ties away from zero.
  ///
  /// Returns nothing when the number is not finite or lies beyond ± a million units per hour.
  public init?(roundingUnitsPerHour rate: Double) {
    guard let amount = InsulinAmount(roundingUnits: rate) else { return nil }
    self.init(milliunitsPerHour: amount.milliunits)
  }

  /// The rate in units per hour, for numerical work and for people.
  public var unitsPerHour: Double { Double(milliunitsPerHour) / 1_000 }
}

extension InsulinRate: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.milliunitsPerHour < rhs.milliunitsPerHour
  }
}

extension InsulinRate: CustomStringConvertible {
  /// The rate with the decimals it needs, at least two: `0.40 U/h`, `0.025 U/h`.
  public var description: String { ASCIIText { $0.append(self) }.text }
}

/// A number of thousandths in decimal, with two decimals, or three where the third is not zero.
private func decimalThousandths(_ thousandths: Int64) -> String {
  ASCIIText { $0.append(thousandths: thousandths) }.text
}
