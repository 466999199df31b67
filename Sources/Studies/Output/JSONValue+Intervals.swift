internal import StructuredText

extension JSONValue {
  /// A number; null for one that is missing.
  static func optional(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

  /// The ends of an interval.
  static func ends(of interval: ClosedRange<Double>) -> JSONValue {
    .array([.number(interval.lowerBound), .number(interval.upperBound)])
  }

  /// The ends of an interval; "none" for an end that it does not have, and null for no interval.
  static func ends(of interval: IntervalOfMean?) -> JSONValue {
    guard let interval else { return .null }
    return .array([
      interval.lower.map { .number($0) } ?? "none", interval.upper.map { .number($0) } ?? "none",
    ])
  }
}
