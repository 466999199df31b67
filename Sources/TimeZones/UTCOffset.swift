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
    let digits = String(text.dropFirst().filter { $0 != ":" })
    guard text.utf8.count - 1 == (text.contains(":") ? 5 : 4), digits.utf8.count == 4,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits),
      number / 100 <= 18, number % 100 < 60
    else { return nil }
    let span = TimeSpan.minutes(number / 100 * 60 + number % 100)
    self = sign == "-" ? -span : span
  }
}
