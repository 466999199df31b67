/// Spans of time as files write them: `90s`, `5m`, `1.5h`, `2d`, `1h30m`, `-20m`.
public enum SpanText {
  /// The longest span, in milliseconds: 100 years.
  static let longest: Int64 = 36_525 * 86_400_000

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// The span in milliseconds; nothing for text that is not a span.
  ///
  /// Parts go from long to short units, each at most once. The span must be a whole number of
  /// milliseconds and at most 100 years.
  public static func milliseconds(of text: String) -> Int64? {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    var total: Int64 = 0
    var nextUnit = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      rest = rest[number.endIndex...]
      let name = rest.prefix { ("a"..."z").contains($0) }
      rest = rest[name.endIndex...]
      guard let unit = units.firstIndex(where: { $0.name == name }), unit >= nextUnit,
        let part = product(number, units[unit].milliseconds)
      else { return nil }
      nextUnit = unit + 1
      total += part
      guard total <= longest else { return nil }
    }
    return isNegative ? -total : total
  }

  /// A decimal number of units in milliseconds, exactly; nothing when a fraction is left.
  private static func product(_ number: Substring, _ unit: Int64) -> Int64? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.count <= 13,
      let whole = Int64(parts[0])
    else { return nil }
    let (product, overflowed) = whole.multipliedReportingOverflow(by: unit)
    guard !overflowed, product <= longest else { return nil }
    guard parts.count == 2 else { return product }
    guard (1...9).contains(parts[1].utf8.count), let digits = Int64(parts[1]) else { return nil }
    let scale = (0..<parts[1].utf8.count).reduce(Int64(1)) { scale, _ in scale * 10 }
    // At most 10^9 × 86,400,000, which fits 64 bits.
    guard digits * unit % scale == 0 else { return nil }
    return product + digits * unit / scale
  }
}
