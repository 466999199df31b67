/// Numbers: exact integers where they fit 64 bits, correctly rounded doubles otherwise.
extension JSONScanner {
  mutating func takeNumber(at position: TextPosition) throws(Stop) -> JSONNode.Value {
    var isNegative = false
    if source.byte == UInt8(ascii: "-") || source.byte == UInt8(ascii: "+") {
      isNegative = source.byte == UInt8(ascii: "-")
      source.offset += 1
    }
    if source.starts(with: "Infinity") || source.starts(with: "NaN") {
      let word = takeWord()
      try report(at: position, "\(word) is not a finite number. Write an ordinary number.")
      return .null
    }
    if source.byte == UInt8(ascii: "0"), source.byte(ahead: 1) | 0x20 == UInt8(ascii: "x") {
      return try takeHexadecimal(isNegative: isNegative, at: position)
    }
    let start = source.offset
    var decimal = Decimal()
    takeDigits(into: &decimal, isFraction: false)
    let wholeDigits = source.offset - start
    var isInteger = true
    if source.byte == UInt8(ascii: ".") {
      isInteger = false
      source.offset += 1
      takeDigits(into: &decimal, isFraction: true)
    }
    guard decimal.digits > 0 else {
      source.offset = max(source.offset, start)
      throw stop("Digits must follow the sign or the point of a number.")
    }
    if source.byte | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      guard try takeExponent(into: &decimal, at: position) else { return .null }
    }
    let digits = source.text(start..<source.offset)
    guard try numberEnds(at: position) else { return .null }
    if wholeDigits > 1, source.bytes[start] == UInt8(ascii: "0") {
      try report(at: position, "A number does not start with 0. Remove the leading zeros.")
      return .null
    }
    if isInteger, decimal.fits, !(isNegative && decimal.significand == 0) {
      if let exact = Int64(exactly: decimal.significand) {
        return .integer(isNegative ? -exact : exact)
      }
      if isNegative, decimal.significand == Int64.min.magnitude { return .integer(.min) }
    }
    let magnitude = decimal.simpleValue ?? Double(Self.normalised(digits)) ?? .infinity
    guard magnitude.isFinite else {
      try report(at: position, "The number is beyond what a double can hold (about 1.8e308).")
      return .null
    }
    return .number(isNegative ? -magnitude : magnitude)
  }

  /// The digits of a number seen so far.
  private struct Decimal {
    var significand: UInt64 = 0
    var digits = 0
    var exponent = 0
    /// Whether the significand still holds every digit.
    var fits = true

    mutating func append(_ digit: UInt8, isFraction: Bool) {
      digits += 1
      guard fits else { return }
      let (product, overflowed) = significand.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
      guard !overflowed, !carried else {
        fits = false
        return
      }
      significand = sum
      if isFraction { exponent -= 1 }
    }

    /// The value, where one correctly rounded multiplication or division of exact numbers gives it.
    var simpleValue: Double? {
      guard fits, significand < 1 << 53, (-22...22).contains(exponent) else { return nil }
      let value = Double(significand)
      return exponent < 0
        ? value / FixedDecimal.powersOfTen[-exponent] : value * FixedDecimal.powersOfTen[exponent]
    }
  }

  private mutating func takeDigits(into decimal: inout Decimal, isFraction: Bool) {
    while (0x30...0x39).contains(source.byte) {
      decimal.append(source.byte - 0x30, isFraction: isFraction)
      source.offset += 1
    }
  }

  /// An exponent beyond that of any number, however many zeros stand behind its point.
  private static let largestExponent = 1 << 40

  private mutating func takeExponent(
    into decimal: inout Decimal, at position: TextPosition
  ) throws(Stop) -> Bool {
    source.offset += 1
    let isNegative = source.byte == UInt8(ascii: "-")
    if isNegative || source.byte == UInt8(ascii: "+") { source.offset += 1 }
    var exponent = 0
    var count = 0
    while (0x30...0x39).contains(source.byte) {
      exponent = min(exponent * 10 + Int(source.byte - 0x30), Self.largestExponent)
      count += 1
      source.offset += 1
    }
    guard count > 0 else {
      try report(at: position, "Digits must follow the \"e\" of a number.")
      _ = takeWord()
      return false
    }
    decimal.exponent += isNegative ? -exponent : exponent
    return true
  }

  private mutating func takeHexadecimal(
    isNegative: Bool, at position: TextPosition
  ) throws(Stop) -> JSONNode.Value {
    source.offset += 2
    var value: UInt64 = 0
    var count = 0
    while let digit = Self.hexDigit(source.byte) {
      guard value >> 60 == 0 else {
        try report(at: position, "A hexadecimal number has at most 16 digits.")
        _ = takeWord()
        return .null
      }
      value = value << 4 | UInt64(digit)
      count += 1
      source.offset += 1
    }
    guard count > 0 else {
      try report(at: position, "Hexadecimal digits must follow 0x.")
      _ = takeWord()
      return .null
    }
    guard try numberEnds(at: position) else { return .null }
    if let exact = Int64(exactly: value) { return .integer(isNegative ? -exact : exact) }
    return .number(isNegative ? -Double(value) : Double(value))
  }

  /// Reports letters that follow a number, such as a unit without quotes.
  private mutating func numberEnds(at position: TextPosition) throws(Stop) -> Bool {
    let byte = source.byte
    let isLetter =
      byte >= 0x80
      ? nextScalar?.properties.isIDContinue == true
      : (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    guard isLetter || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") && isClock else {
      return true
    }
    repeat {
      if source.byte == UInt8(ascii: ".") || source.byte == UInt8(ascii: ":") { source.offset += 1 }
    } while !takeWord().isEmpty
    try report(
      at: position, "A number is followed by something else. Put quotes around a text such as '5m'."
    )
    return false
  }

  private var isClock: Bool { (0x30...0x39).contains(source.byte(ahead: 1)) }

  /// The digits in the form the standard library reads: with a digit before and after the point.
  private static func normalised(_ digits: String) -> String {
    var text = digits
    if text.hasPrefix(".") { text = "0" + text }
    if let point = text.firstIndex(of: ".") {
      let next = text.index(after: point)
      if next == text.endIndex || !("0"..."9").contains(text[next]) {
        text.insert("0", at: next)
      }
    }
    return text
  }
}
