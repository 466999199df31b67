/// A moment in absolute time: whole milliseconds since 1 January 1970, 00:00 UTC.
///
/// An instant has no time zone. What a clock on the wall shows is the business of ``WallClock``.
public struct Instant: Hashable, Sendable {
  /// The time since 1 January 1970, 00:00 UTC, in milliseconds.
  public var millisecondsSince1970: Int64

  /// Creates an instant from whole milliseconds since 1 January 1970, 00:00 UTC.
  public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// Creates an instant from whole seconds since 1 January 1970, 00:00 UTC.
  public init(secondsSince1970 seconds: Int64) { self.init(millisecondsSince1970: seconds * 1_000) }

  /// The time since 1 January 1970, 00:00 UTC in seconds, for numerical work.
  public var secondsSince1970: Double { Double(millisecondsSince1970) / 1_000 }

  /// The latest multiple of `step` since 1970 that is not after this instant.
  ///
  /// - Precondition: `step` is longer than nothing.
  public func floored(to step: TimeSpan) -> Self {
    let span = TimeSpan(milliseconds: millisecondsSince1970)
    return Self(millisecondsSince1970: span.quotient(by: step) * step.milliseconds)
  }

  /// The earliest multiple of `step` since 1970 that is not before this instant.
  ///
  /// - Precondition: `step` is longer than nothing.
  public func ceiled(to step: TimeSpan) -> Self {
    let floor = floored(to: step)
    return floor == self ? floor : floor + step
  }
}

extension Instant: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.millisecondsSince1970 < rhs.millisecondsSince1970
  }
}

extension Instant {
  /// The instant that is later by a span.
  public static func + (lhs: Self, rhs: TimeSpan) -> Self {
    Self(millisecondsSince1970: lhs.millisecondsSince1970 + rhs.milliseconds)
  }

  /// The instant that is earlier by a span.
  public static func - (lhs: Self, rhs: TimeSpan) -> Self {
    Self(millisecondsSince1970: lhs.millisecondsSince1970 - rhs.milliseconds)
  }

  /// The span from one instant to another; negative when the first is earlier.
  public static func - (lhs: Self, rhs: Self) -> TimeSpan {
    TimeSpan(milliseconds: lhs.millisecondsSince1970 - rhs.millisecondsSince1970)
  }

  /// Moves an instant later.
  public static func += (lhs: inout Self, rhs: TimeSpan) { lhs = lhs + rhs }
  /// Moves an instant earlier.
  public static func -= (lhs: inout Self, rhs: TimeSpan) { lhs = lhs - rhs }
}

extension Instant {
  /// The years 0 to 9999 in UTC: as far as dates reach that are written with a year of four digits.
  package static let yearsOfFourDigits =
    Instant(secondsSince1970: -62_167_219_200)..<Instant(secondsSince1970: 253_402_300_800)
}

extension Instant: CustomStringConvertible {
  /// The instant in UTC, ISO 8601, such as `2026-03-08T10:00:00Z`.
  public var description: String { WallClock.utc.iso8601(self) }
}
