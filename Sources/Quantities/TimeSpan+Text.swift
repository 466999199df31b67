extension TimeSpan {
  /// Reads a span with its units, such as `90s`, `5m`, `1.5h`, `2d`, `1h30m` or `-10m`.
  ///
  /// Units are `d`, `h`, `m`, `s` and `ms`, each at most once and from long to short. Nothing comes
  /// back for a number without a unit, for less than a millisecond, and beyond 100,000 years.
  public init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var units = Self.units[...]
    var total: Int64 = 0
    while !rest.isEmpty {
      guard let amount = Self.decimal(&rest), let size = Self.unit(&rest, among: &units),
        let part = Self.product(amount, size)
      else { return nil }
      total += part
      guard total <= Self.readingLimit else { return nil }
    }
    self.init(milliseconds: isNegative ? -total : total)
  }

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// 100,000 years of 365.25 days.
  private static let readingLimit: Int64 = 36_525_000 * 86_400_000

  /// A decimal number as whole billionths, so that `1.5h` is exact.
  private static func decimal(_ rest: inout ArraySlice<UInt8>) -> (whole: Int64, billionths: Int64)?
  {
    let whole = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest[whole.endIndex...]
    guard (1...16).contains(whole.count) else { return nil }
    guard rest.first == UInt8(ascii: ".") else { return (integer(whole), 0) }
    rest.removeFirst()
    let fraction = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest[fraction.endIndex...]
    guard (1...9).contains(fraction.count) else { return nil }
    var billionths = integer(fraction)
    for _ in fraction.count..<9 { billionths *= 10 }
    return (integer(whole), billionths)
  }

  private static func integer(_ digits: ArraySlice<UInt8>) -> Int64 {
    digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// The size of the unit that follows, which must be shorter than those before.
  private static func unit(
    _ rest: inout ArraySlice<UInt8>,
    among units: inout ArraySlice<(name: String, milliseconds: Int64)>
  ) -> Int64? {
    let letters = rest.prefix { (0x61...0x7A).contains($0) }
    guard let index = units.firstIndex(where: { Array($0.name.utf8) == Array(letters) })
    else { return nil }
    rest = rest[letters.endIndex...]
    let size = units[index].milliseconds
    units = units[(index + 1)...]
    return size
  }

  private static func product(_ amount: (whole: Int64, billionths: Int64), _ size: Int64) -> Int64?
  {
    let (whole, overflows) = amount.whole.multipliedReportingOverflow(by: size)
    let (fraction, remainder) = (amount.billionths * size).quotientAndRemainder(
      dividingBy: 1_000_000_000)
    guard !overflows, whole <= readingLimit, remainder == 0 else { return nil }
    return whole + fraction
  }
}
