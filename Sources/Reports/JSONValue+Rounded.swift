internal import StructuredText

extension JSONValue {
  /// A number with so many decimals; null for one that is missing or not finite.
  static func rounded(_ value: Double?, _ decimals: Int) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return Double(FixedDecimal.text(value, decimals: decimals)).map { .number($0) } ?? .null
  }
}
