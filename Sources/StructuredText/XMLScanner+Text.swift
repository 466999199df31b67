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
      return text(of: attribute)
    }
    return nil
  }

  private func text(of attribute: Attribute) -> String {
    attribute.hasReferences ? decoded(attribute.value) ?? "" : source.text(attribute.value)
  }

  /// The bytes of the decoded value of an attribute of the element that starts.
  public func bytes(of name: StaticString) -> ArraySlice<UInt8>? {
    for attribute in attributes where equals(attribute.name, name) {
      guard attribute.hasReferences else { return source.bytes[attribute.value] }
      var bytes: [UInt8] = []
      return decode(attribute.value, into: &bytes) ? bytes[...] : nil
    }
    return nil
  }

  /// The start tag that was found last, to be kept.
  public var tag: XMLTag {
    var tag = XMLTag(position: tagPosition)
    if let last = attributes.last {
      tag.reserve(attributes.count, bytes: last.value.upperBound - attributes[0].name.lowerBound)
    }
    for attribute in attributes {
      tag.append(source.bytes[attribute.name]) { bytes in
        if attribute.hasReferences {
          _ = decode(attribute.value, into: &bytes)
        } else {
          bytes += source.bytes[attribute.value]
        }
      }
    }
    return tag
  }

  /// All attributes of the element that starts, in their order.
  public var allAttributes: [(name: String, value: String)] {
    attributes.map { (source.text($0.name), text(of: $0)) }
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
    switch source.byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      throw problem("A name cannot start like this.")
    default: source.pass(while: Self.isOfName)
    }
    guard source.offset > start || source.isAtEnd else { throw problem("A name is expected here.") }
    return start..<source.offset
  }

  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = source.offset
    while Self.isSpace(source.byte) { source.pass() }
    return source.offset > start
  }

  // MARK: - Kinds of bytes

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  /// Whether a byte in the value of an attribute ends neither a line nor the value, and begins no
  /// reference.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x0a, 0x0d, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: "&"):
      false
    default: true
    }
  }

  // MARK: - Text

  /// Consumes text up to the next tag; says whether there is more than white space.
  mutating func takeText() throws(TextProblem) -> Bool {
    let mark = source.mark
    let start = source.offset
    skipSpace()
    guard !source.isAtEnd, source.byte != UInt8(ascii: "<") else { return false }
    while !source.isAtEnd, source.byte != UInt8(ascii: "<") { source.pass() }
    guard !open.isEmpty else {
      throw TextProblem(
        at: source.position(of: mark), "Text cannot stand outside the root element.")
    }
    try checkReferences(in: start..<source.offset, at: mark)
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

  func checkReferences(
    in range: Range<Int>, at mark: TextSource.Mark
  ) throws(TextProblem) {
    guard decoded(range) == nil else { return }
    throw TextProblem(
      at: source.position(of: mark),
      """
      This holds a reference that is not one of &lt; &gt; &amp; &quot; &apos; and no character \
      reference. Write &amp; for a plain "&".
      """)
  }

  /// The text of a range with references replaced; nothing when one is unknown.
  func decoded(_ range: Range<Int>) -> String? {
    var bytes: [UInt8] = []
    return decode(range, into: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Appends the bytes of a range with references replaced; says whether all are known.
  func decode(_ range: Range<Int>, into text: inout [UInt8]) -> Bool {
    var start = range.lowerBound
    while let mark = source.first(UInt8(ascii: "&"), in: start..<range.upperBound) {
      text += source.bytes[start..<mark]
      let limit = min(mark + 12, range.upperBound)
      guard let end = source.first(UInt8(ascii: ";"), in: mark..<limit),
        let scalar = scalar(of: mark + 1..<end), let bytes = UTF8.encode(scalar)
      else { return false }
      text += bytes
      start = end + 1
    }
    text += source.bytes[start..<range.upperBound]
    return true
  }

  /// The character of the reference whose name, or number with its sign, is in a range.
  private func scalar(of range: Range<Int>) -> UnicodeScalar? {
    if equals(range, "lt") { return "<" }
    if equals(range, "gt") { return ">" }
    if equals(range, "amp") { return "&" }
    if equals(range, "quot") { return "\"" }
    if equals(range, "apos") { return "'" }
    let reference = source.text(range)
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
