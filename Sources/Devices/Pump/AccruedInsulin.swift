public import Quantities

/// Insulin that a rate has earned over time, exact: milliunits per hour times milliseconds.
///
/// One milliunit is 3,600,000 of these. Rates are whole milliunits per hour and times whole
/// milliseconds, so that any program held for any time is an integer and nothing is lost to
/// rounding. A rate of 100 U/h held for a hundred years stays far inside 64 bits.
public struct AccruedInsulin: Hashable, Sendable {
  /// The amount in milliunits per hour times milliseconds.
  public var milliunitMillisecondsPerHour: Int64

  /// Creates a `AccruedInsulin` from its parts; see the properties.
  public init(milliunitMillisecondsPerHour: Int64) {
    self.milliunitMillisecondsPerHour = milliunitMillisecondsPerHour
  }

  /// What a rate earns over a span of time.
  public init(_ rate: InsulinRate, for span: TimeSpan) {
    self.init(milliunitMillisecondsPerHour: rate.milliunitsPerHour * span.milliseconds)
  }

  /// An amount that can be delivered, in this finer unit.
  public init(_ amount: InsulinAmount) {
    self.init(milliunitMillisecondsPerHour: amount.milliunits * Self.perMilliunit)
  }

  /// The amount in units (U), for people and for numerical work.
  public var units: Double { Double(milliunitMillisecondsPerHour) / 3_600_000_000 }

  /// The amount in milliunits, for people: a fraction of a pulse is not always a whole milliunit.
  public var milliunits: Double { Double(milliunitMillisecondsPerHour) / 3_600_000 }

  static let perMilliunit: Int64 = 3_600_000
}

extension AccruedInsulin: AdditiveArithmetic, Comparable {
  public static let zero = Self(milliunitMillisecondsPerHour: 0)

  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(
      milliunitMillisecondsPerHour: lhs.milliunitMillisecondsPerHour
        + rhs.milliunitMillisecondsPerHour)
  }

  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(
      milliunitMillisecondsPerHour: lhs.milliunitMillisecondsPerHour
        - rhs.milliunitMillisecondsPerHour)
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.milliunitMillisecondsPerHour < rhs.milliunitMillisecondsPerHour
  }
}
