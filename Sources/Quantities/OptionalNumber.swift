/// Keeps a number that may be missing in eight bytes, where an optional takes sixteen.
///
/// What is kept for every cycle of a run is made of it. Two are equal where the optional numbers
/// are. One pattern of bits, which is no number and which nobody outside sees, stands for a number
/// that is missing.
@propertyWrapper
public struct OptionalNumber: Hashable, Sendable {
  private static let missing = UInt64.max
  private var bits: UInt64

  /// Keeps a number, or that it is missing.
  public init(wrappedValue: Double?) {
    bits = wrappedValue?.bitPattern ?? Self.missing
    assert(wrappedValue == nil || bits != Self.missing, "A number that is there is a number.")
  }

  /// The number; `nil` if it is missing.
  public var wrappedValue: Double? {
    get { bits == Self.missing ? nil : Double(bitPattern: bits) }
    set { self = Self(wrappedValue: newValue) }
  }

  public static func == (one: Self, other: Self) -> Bool { one.wrappedValue == other.wrappedValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// Keeps an instant that may be missing in eight bytes, where an optional takes sixteen.
///
/// The earliest instant that can be written stands for one that is missing, which nobody outside
/// sees.
@propertyWrapper
public struct OptionalInstant: Hashable, Sendable {
  private static let missing = Instant(millisecondsSince1970: .min)
  private var instant: Instant

  /// Keeps an instant, or that it is missing.
  public init(wrappedValue: Instant?) {
    instant = wrappedValue ?? Self.missing
    assert(wrappedValue != Self.missing, "The earliest instant stands for none.")
  }

  /// The instant; `nil` if it is missing.
  public var wrappedValue: Instant? {
    get { instant == Self.missing ? nil : instant }
    set { self = Self(wrappedValue: newValue) }
  }
}
