package import Quantities

extension TimeSpan {
  /// Reads an offset from UTC: `Z`, `+02:00`, `-0730`; `nil` for other text and for more than 18
  /// hours.
  package init?(utcOffset text: some StringProtocol) {
    if text == "Z" || text == "z" {
      self = .zero
      return
    }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let bytes = Array(text.utf8.dropFirst())
    // A colon stands between hours and minutes, and nowhere else.
    let hasColon = bytes.count == 5 && bytes[2] == UInt8(ascii: ":")
    let digits = hasColon ? bytes[..<2] + bytes[3...] : bytes[...]
    guard digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1) - 0x30 }
    let span = TimeSpan.minutes(number / 100 * 60 + number % 100)
    guard number % 100 < 60, span <= .hours(18) else { return nil }
    self = sign == "-" ? -span : span
  }
}
