/// Texts in quotes.
extension JSONScanner {
  mutating func takeString() throws(Stop) -> String {
    let opened = source.position()
    let quote = source.byte
    source.offset += 1
    var text = ""
    var start = source.offset
    while true {
      guard !source.isAtEnd else { throw openText(opened, quote) }
      switch source.byte {
      case quote:
        text += source.text(start..<source.offset)
        source.offset += 1
        return text
      case UInt8(ascii: "\\"):
        text += source.text(start..<source.offset)
        try takeEscape(into: &text)
        start = source.offset
      case 0x0a, 0x0d:
        throw openText(opened, quote)
      case 0..<0x20 where source.byte != 0x09:
        let place = source.position()
        try report(
          at: place, "A text cannot hold \(found). Write an escape such as \\u0000 instead.")
        source.offset += 1
      default:
        source.offset += 1
      }
    }
  }

  private mutating func openText(_ opened: TextPosition, _ quote: UInt8) -> Stop {
    let mark = quote == UInt8(ascii: "'") ? "'" : "\""
    problems.append(
      TextProblem(
        at: opened,
        "The text that starts here is not closed on its line. Add \(mark) where it ends."))
    return Stop()
  }

  /// Reads an escape; the current place is its backslash.
  private mutating func takeEscape(into text: inout String) throws(Stop) {
    let position = source.position()
    source.offset += 1
    let byte = source.byte
    switch byte {
    case UInt8(ascii: "n"): text += "\n"
    case UInt8(ascii: "t"): text += "\t"
    case UInt8(ascii: "r"): text += "\r"
    case UInt8(ascii: "b"): text += "\u{8}"
    case UInt8(ascii: "f"): text += "\u{c}"
    case UInt8(ascii: "v"): text += "\u{b}"
    case UInt8(ascii: "0") where !(0x30...0x39).contains(source.byte(ahead: 1)): text += "\0"
    case UInt8(ascii: "x"):
      source.offset += 1
      guard let value = takeHex(2), let scalar = UnicodeScalar(value) else {
        return try report(at: position, "Two hexadecimal digits must follow \\x.")
      }
      text.unicodeScalars.append(scalar)
      return
    case UInt8(ascii: "u"):
      return try takeUnicodeEscape(into: &text, at: position)
    case 0x0a, 0x0d:
      source.passLineEnd()  // A line continuation stands for nothing.
      return
    case 0xe2 where source.starts(with: "\u{2028}") || source.starts(with: "\u{2029}"):
      source.offset += 3
      return
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      try report(at: position, "A digit cannot follow \\ in a text. Write \\u and four digits.")
    case 0x80...:
      guard let scalar = nextScalar else { return }
      text.unicodeScalars.append(scalar)
      source.offset += String(scalar).utf8.count
      return
    default:
      if source.isAtEnd { return }
      text.unicodeScalars.append(UnicodeScalar(byte))
    }
    source.offset += 1
  }

  private mutating func takeUnicodeEscape(
    into text: inout String, at position: TextPosition
  ) throws(Stop) {
    source.offset += 1
    guard let first = takeHex(4) else {
      return try report(at: position, "Four hexadecimal digits must follow \\u.")
    }
    if let scalar = UnicodeScalar(first) {
      text.unicodeScalars.append(scalar)
      return
    }
    // Half of a surrogate pair: the other half must follow.
    if (0xd800..<0xdc00).contains(first), source.starts(with: "\\u") {
      source.offset += 2
      if let second = takeHex(4), (0xdc00..<0xe000).contains(second),
        let scalar = UnicodeScalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
      {
        text.unicodeScalars.append(scalar)
        return
      }
    }
    try report(at: position, "This escape is half of a surrogate pair; the other half is missing.")
  }

  private mutating func takeHex(_ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for place in 0..<count {
      guard let digit = Self.hexDigit(source.byte(ahead: place)) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    source.offset += count
    return value
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
