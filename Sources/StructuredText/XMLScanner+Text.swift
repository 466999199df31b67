extension XMLScanner {
  /// The name of the element that starts or ends.
  public var name: String { source.text(nameRange) }

  /// Whether the element that starts or ends has a name; makes no text of it.
  public func isNamed(_ name: StaticString) -> Bool { equals(nameRange, name) }

  /// The decoded text of a piece of text.
  public var text: String { textContent }

  /// The place where the next piece starts.
  public var position: TextPosition {
    var copy = source
    return copy.position()
  }

  /// How many elements are open.
  public var depth: Int { open.count }

  /// The decoded value of an attribute of the element that starts; nothing when it has none.
  public func attribute(_ name: StaticString) -> String? {
    for attribute in attributes where equals(attribute.name, name) {
      return decoded(attribute.value)
    }
    return nil
  }

  /// All attributes of the element that starts, in their order.
  public var allAttributes: [(name: String, value: String)] {
    attributes.map { (source.text($0.name), decoded($0.value) ?? "") }
  }

  /// Leaves out the rest of the element that has just started, with everything in it.
  public mutating func skipElement() throws(TextProblem) {
    let outside = open.count - 1
    while open.count > outside {
      guard try next() != nil else { return }
    }
  }

  private func equals(_ range: Range<Int>, _ name: StaticString) -> Bool {
    guard range.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { expected in
      for index in 0..<range.count
      where unsafe expected[index] != source.bytes[range.lowerBound + index] { return false }
      return true
    }
  }

  // MARK: - Parts

  mutating func takeName() throws(TextProblem) -> Range<Int> {
    let start = source.offset
    while !source.isAtEnd {
      switch source.byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
        source.offset += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        guard source.offset > start else { throw problem("A name cannot start like this.") }
        source.offset += 1
      default:
        guard source.offset > start else { throw problem("A name is expected here.") }
        return start..<source.offset
      }
    }
    return start..<source.offset
  }

  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = source.offset
    while [0x20, 0x09, 0x0a, 0x0d].contains(source.byte), !source.isAtEnd { source.pass() }
    return source.offset > start
  }

  /// Consumes text up to the next tag; says whether there is more than white space.
  mutating func takeText() throws(TextProblem) -> Bool {
    let position = source.position()
    let start = source.offset
    var isBlank = true
    while !source.isAtEnd, source.byte != UInt8(ascii: "<") {
      if ![0x20, 0x09, 0x0a, 0x0d].contains(source.byte) { isBlank = false }
      source.pass()
    }
    guard !isBlank else { return false }
    guard !open.isEmpty else {
      throw TextProblem(at: position, "Text cannot stand outside the root element.")
    }
    try checkReferences(in: start..<source.offset, at: position)
    textContent = decoded(start..<source.offset) ?? ""
    return true
  }

  mutating func skip(
    past mark: StaticString, from count: Int, what: StaticString
  ) throws(TextProblem) {
    let position = source.position()
    source.offset += count
    while !source.starts(with: mark) {
      guard !source.isAtEnd else {
        throw TextProblem(at: position, "This \(what) is never closed.")
      }
      source.pass()
    }
    source.offset += mark.utf8CodeUnitCount
  }

  /// Skips a document type with its internal subset.
  mutating func skipDocumentType() throws(TextProblem) {
    let position = source.position()
    var brackets = 0
    var quote: UInt8 = 0
    while !source.isAtEnd {
      let byte = source.byte
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if brackets > 0, source.starts(with: "<!--") {
        try skip(past: "-->", from: 4, what: "comment")
        continue
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["): brackets += 1
        case UInt8(ascii: "]"): brackets -= 1
        case UInt8(ascii: ">") where brackets <= 0:
          source.pass()
          return
        default: break
        }
      }
      source.pass()
    }
    throw TextProblem(at: position, "This declaration is never closed.")
  }

  mutating func problem(_ sentence: String) -> TextProblem {
    TextProblem(at: source.position(), sentence)
  }

  // MARK: - References

  func checkReferences(in range: Range<Int>, at position: TextPosition) throws(TextProblem) {
    guard source.bytes[range].contains(UInt8(ascii: "&")), decoded(range) == nil else { return }
    throw TextProblem(
      at: position,
      """
      This holds a reference that is not one of &lt; &gt; &amp; &quot; &apos; and no character \
      reference. Write &amp; for a plain "&".
      """)
  }

  /// The text of a range with references replaced; nothing when one is unknown.
  func decoded(_ range: Range<Int>) -> String? {
    guard source.bytes[range].contains(UInt8(ascii: "&")) else { return source.text(range) }
    var text = ""
    var start = range.lowerBound
    while let mark = source.bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) {
      text += source.text(start..<mark)
      let limit = min(mark + 12, range.upperBound)
      guard let end = source.bytes[mark..<limit].firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.scalar(of: source.text((mark + 1)..<end))
      else { return nil }
      text.unicodeScalars.append(scalar)
      start = end + 1
    }
    return text + source.text(start..<range.upperBound)
  }

  private static func scalar(of reference: String) -> UnicodeScalar? {
    switch reference {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard reference.hasPrefix("#") else { return nil }
    let isHexadecimal = reference.hasPrefix("#x")
    let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.utf8.first != UInt8(ascii: "+"),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = UnicodeScalar(number), XMLWriter.isAllowed(scalar)
    else { return nil }
    return scalar
  }
}
