package import StructuredText

extension JSONValue {
  /// A number with so many decimals; null for one that is missing or not finite.
  package static func rounded(_ value: Double?, _ decimals: Int) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return Double(FixedDecimal.text(value, decimals: decimals)).map { .number($0) } ?? .null
  }

  /// A sum of decimal amounts in U, rounded to a microunit so that the last bits of the sum do not
  /// show; nothing is 0, and not -0.
  static func amount(_ units: Double) -> JSONValue { .number((units * 1e6).rounded() / 1e6 + 0) }
}
