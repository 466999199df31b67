/// A length of time, in whole milliseconds.
///
/// Everything a device or a schedule counts in time is an integer, so that adding up segments never
/// leaves a remainder. A span may be negative: it is the difference of two instants.
public struct TimeSpan: Hashable, Sendable {
  /// The length in milliseconds.
  public var milliseconds: Int64

  /// Creates a span from milliseconds.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static let zero = Self(milliseconds: 0)

  /// A span of so many milliseconds.
  public static func milliseconds(_ count: Int64) -> Self { Self(milliseconds: count) }

  /// A span of so many seconds.
  public static func seconds(_ count: Int64) -> Self { Self(milliseconds: count * 1_000) }

  /// A span of so many minutes.
  public static func minutes(_ count: Int64) -> Self { Self(milliseconds: count * 60_000) }

  /// A span of so many hours.
  public static func hours(_ count: Int64) -> Self { Self(milliseconds: count * 3_600_000) }

  /// A span of so many times 24 hours, whatever a wall clock does.
  public static func days(_ count: Int64) -> Self { Self(milliseconds: count * 86_400_000) }

  /// The length in seconds, for numerical work.
  public var seconds: Double { Double(milliseconds) / 1_000 }

  /// The length in minutes, for numerical work.
  public var minutes: Double { Double(milliseconds) / 60_000 }

  /// The length in hours, for numerical work.
  public var hours: Double { Double(milliseconds) / 3_600_000 }

  /// The length without its sign.
  public var magnitude: Self { Self(milliseconds: abs(milliseconds)) }

  /// The whole number of times `part` fits into this span, rounded down.
  ///
  /// - Precondition: `part` is longer than nothing.
  public func quotient(by part: Self) -> Int64 {
    precondition(part > .zero, "A span can only be divided by a part longer than nothing.")
    let (quotient, remainder) = milliseconds.quotientAndRemainder(
      dividingBy: part.milliseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The nearest span to a number of seconds; ties away from zero.
  ///
  /// Returns nothing when the number is not finite or lies outside ±100,000 years.
  public init?(roundingSeconds seconds: Double) {
    guard seconds.isFinite, seconds.magnitude < 3.2e12 else { return nil }
    // Rounded by hand, since the processor has no such instruction everywhere.
    let milliseconds = seconds * 1_000
    var whole = Int64(milliseconds)
    let rest = milliseconds - Double(whole)
    if rest >= 0.5 { whole += 1 } else if rest <= -0.5 { whole -= 1 }
    self.init(milliseconds: whole)
  }
}

extension TimeSpan: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }
}

extension TimeSpan: AdditiveArithmetic {
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(milliseconds: lhs.milliseconds + rhs.milliseconds)
  }

  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(milliseconds: lhs.milliseconds - rhs.milliseconds)
  }

  /// The span in the other direction.
  public static prefix func - (span: Self) -> Self { Self(milliseconds: -span.milliseconds) }

  /// The span that is so many times as long.
  public static func * (span: Self, factor: Int64) -> Self {
    Self(milliseconds: span.milliseconds * factor)
  }
}

extension TimeSpan {
  /// The span for a sentence: the nearest whole second, half a one away from zero.
  ///
  /// What is shorter than a second stays as it is.
  public var roundedToSecond: Self {
    guard magnitude >= .seconds(1) else { return self }
    let whole = (magnitude.milliseconds + 500) / 1_000
    return .seconds(self < .zero ? -whole : whole)
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The span as a scenario file writes it, such as `1h30m`, `45s`, `-5m` or `0s`.
  public var description: String { ASCIIText { $0.append(self) }.text }
}
