/// Telling a scenario from other documents, for who names it where a record or an input is wanted.
enum ScenarioText {
  /// Whether a file is a scenario: whether it has `format: 'loopsim/…'` in its beginning.
  static func isOne(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning.prefix(1 << 12), as: UTF8.self)
    return text.ranges(of: "format").contains { range in
      let rest = text[range.upperBound...].drop { "\"':".contains($0) || $0.isWhitespace }
      return rest.hasPrefix("loopsim/")
    }
  }
}
