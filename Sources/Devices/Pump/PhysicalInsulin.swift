public import Quantities

/// Insulin that physically moves, in whole microunits.
///
/// What a pump counts is whole pulses; what reaches the body may be any part of one. The finer
/// integer lets every difference between the two be named and added up exactly.
public struct PhysicalInsulin: Hashable, Sendable {
  /// The amount in microunits; 1,000 are one milliunit.
  public var microunits: Int64

  /// Creates a `PhysicalInsulin` from its parts; see the properties.
  public init(microunits: Int64) { self.microunits = microunits }

  /// An amount that a pump counts.
  public init(_ amount: InsulinAmount) { self.init(microunits: amount.milliunits * 1_000) }

  /// The amount in units (U).
  public var units: Double { Double(microunits) / 1_000_000 }

  /// This amount times a factor that is not negative, to the nearest microunit.
  ///
  /// A factor that is not finite, or negative, gives nothing.
  public func scaled(by factor: Double) -> Self {
    guard factor.isFinite, factor > 0 else { return .zero }
    return Self(microunits: Int64((Double(microunits) * min(factor, 1e6)).rounded()))
  }
}

extension PhysicalInsulin: AdditiveArithmetic, Comparable {
  public static let zero = Self(microunits: 0)
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(microunits: lhs.microunits + rhs.microunits)
  }
  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(microunits: lhs.microunits - rhs.microunits)
  }
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.microunits < rhs.microunits }
}
