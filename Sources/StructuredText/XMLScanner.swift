/// Reads XML piece by piece, without building a tree.
///
/// Prolog, document type, comments and processing instructions are skipped; CDATA is text. Elements
/// must be nested properly and attributes must be unique per element. The five predefined entities
/// and character references are decoded; others are an error, so that nothing can be expanded
/// without bound. Names and attributes are ranges of the file and become text only when asked for.
///
///     var scanner = XMLScanner(bytes, file: "export.xml")
///     while let piece = try scanner.next() {
///       if piece == .start, scanner.isNamed("Record") { … scanner.attribute("type") … }
///     }
///
/// A file too large for the memory is given in parts; see ``wantsMore``.
public struct XMLScanner: Sendable {
  /// What was found.
  public enum Piece: Hashable, Sendable {
    /// A start tag; its name and attributes can be asked for until the next piece.
    case start
    /// The end of the element that ``XMLScanner/name`` names; follows at once on `<x/>`.
    case end
    /// Text between tags; white space alone is left out.
    case text
  }

  /// The deepest nesting that is read.
  public static let maximumDepth = 256

  /// The most attributes of one element that are read.
  public static let maximumAttributes = 256

  /// Where an attribute stands.
  struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
    let hasReferences: Bool
  }

  var source: TextSource
  var open: [Range<Int>] = []
  var attributes: [Attribute] = []
  var nameRange = 0..<0
  var textContent = ""
  /// The place of the start tag that was found last.
  public private(set) var tagPosition: TextPosition
  private var closesAtOnce = false
  private var hasBegun = false
  private var hasRoot = false
  /// Up to where the bytes are known to be UTF-8.
  private var checkedEnd = 0
  private var isComplete = true

  /// Creates a scanner at the beginning of a file.
  public init(_ bytes: [UInt8], file: String) {
    source = TextSource(bytes: bytes, file: file)
    tagPosition = TextPosition(file: file, line: 1, column: 1)
  }

  /// Creates a scanner of a file that is given in parts.
  public init(file: String) {
    source = TextSource(bytes: [], file: file)
    tagPosition = TextPosition(file: file, line: 1, column: 1)
    isComplete = false
  }

  /// The next piece; nothing at the end of a complete document.
  public mutating func next() throws(TextProblem) -> Piece? {
    if !hasBegun {
      hasBegun = true
      source.passByteOrderMark()
    }
    try checkEncoding()
    guard !isComplete else { return try takeNext() }
    let start = source.mark
    do {
      return try takeNext()
    } catch {
      guard source.isAtEnd, !isComplete else { throw error }
      throw TextProblem(
        at: source.position(of: start),
        "What begins here is longer than the \(Self.margin >> 20) MiB that are read.")
    }
  }

  private mutating func takeNext() throws(TextProblem) -> Piece? {
    if closesAtOnce {
      closesAtOnce = false
      if let last = open.popLast() { nameRange = last }
      return .end
    }
    while !source.isAtEnd {
      guard source.byte == UInt8(ascii: "<") else {
        if try takeText() { return .text }
        continue
      }
      if source.starts(with: "<!--") {
        try skip(past: "-->", from: 4, what: "comment")
      } else if source.starts(with: "<![CDATA[") {
        let start = source.offset + 9
        try skip(past: "]]>", from: 9, what: "CDATA section")
        guard !open.isEmpty else { throw problem("Text cannot stand outside the root element.") }
        textContent = source.text(start..<(source.offset - 3))
        return .text
      } else if source.starts(with: "<?") {
        try skip(past: "?>", from: 2, what: "processing instruction")
      } else if source.starts(with: "<!") {
        try skipDocumentType()
      } else if source.byte(ahead: 1) == UInt8(ascii: "/") {
        return try takeEnd()
      } else {
        return try takeStart()
      }
    }
    if let last = open.last {
      throw problem("The file ends before the element <\(source.text(last))> is closed.")
    }
    guard hasRoot else { throw problem("The file holds no XML element.") }
    return nil
  }

  private mutating func takeEnd() throws(TextProblem) -> Piece {
    let start = source.mark
    source.offset += 2
    nameRange = try takeName()
    skipSpace()
    guard source.byte == UInt8(ascii: ">") else { throw problem("\">\" must end this tag.") }
    source.offset += 1
    guard let expected = open.popLast() else {
      throw TextProblem(
        at: source.position(of: start), "</\(name)> closes an element that was never opened.")
    }
    guard source.areEqual(expected, nameRange) else {
      throw TextProblem(
        at: source.position(of: start),
        "</\(name)> stands where </\(source.text(expected))> must come first.")
    }
    return .end
  }

  private mutating func takeStart() throws(TextProblem) -> Piece {
    guard !open.isEmpty || !hasRoot else {
      throw problem("A second root element cannot follow the first.")
    }
    guard open.count < Self.maximumDepth else {
      throw problem("Elements are nested more than \(Self.maximumDepth) deep here.")
    }
    tagPosition = source.position()
    source.offset += 1
    nameRange = try takeName()
    attributes.removeAll(keepingCapacity: true)
    while true {
      let hadSpace = skipSpace()
      switch source.byte {
      case UInt8(ascii: ">"): source.offset += 1
      case UInt8(ascii: "/") where source.byte(ahead: 1) == UInt8(ascii: ">"):
        source.offset += 2
        closesAtOnce = true
      default:
        guard hadSpace else { throw problem("White space must precede an attribute.") }
        try takeAttribute()
        continue
      }
      open.append(nameRange)
      hasRoot = true
      return .start
    }
  }

  private mutating func takeAttribute() throws(TextProblem) {
    let mark = source.mark
    let name = try takeName()
    skipSpace()
    guard source.byte == UInt8(ascii: "=") else {
      throw problem("\"=\" and a value must follow the attribute \(source.text(name)).")
    }
    source.offset += 1
    skipSpace()
    let quote = source.byte
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw problem("The value of the attribute \(source.text(name)) needs quotes.")
    }
    source.offset += 1
    let start = source.offset
    var hasReferences = false
    while true {
      source.pass(while: Self.isPlain)
      guard !source.isAtEnd else {
        throw TextProblem(
          at: source.position(of: mark), "The value of this attribute is never closed.")
      }
      if source.byte == quote { break }
      guard source.byte != UInt8(ascii: "<") else {
        throw problem("\"<\" cannot stand in an attribute. Write &lt; instead.")
      }
      if source.byte == UInt8(ascii: "&") { hasReferences = true }
      source.pass()
    }
    let value = start..<source.offset
    source.offset += 1
    for other in attributes where source.areEqual(other.name, name) {
      throw TextProblem(
        at: source.position(of: mark), "The attribute \(source.text(name)) is there twice.")
    }
    guard attributes.count < Self.maximumAttributes else {
      throw TextProblem(
        at: source.position(of: mark),
        "An element has at most \(Self.maximumAttributes) attributes.")
    }
    if hasReferences { try checkReferences(in: value, at: mark) }
    attributes.append(Attribute(name: name, value: value, hasReferences: hasReferences))
  }
}

extension XMLScanner {
  /// The longest tag, text or comment that is read of a file given in parts.
  static let margin = 1 << 20

  /// Whether more of the file must be given before the next piece is asked for.
  ///
  ///     while scanner.wantsMore { scanner.append(try read()) }
  ///     let piece = try scanner.next()
  public var wantsMore: Bool {
    !isComplete && source.bytes.count - source.offset < Self.margin
  }

  /// How many bytes of the file are held.
  public var bufferedBytes: Int { source.bytes.count }

  /// Gives the next part of the file; an empty one ends it.
  ///
  /// What was read before is forgotten, and with it the attributes of the last piece.
  public mutating func append(_ part: [UInt8]) {
    guard !part.isEmpty else {
      isComplete = true
      return
    }
    let unchecked = source.bytes.count - checkedEnd
    var names: [UInt8] = []
    for index in open.indices {
      let start = names.count
      names += source.bytes[open[index]]
      open[index] = start..<names.count
    }
    nameRange = 0..<0
    attributes.removeAll(keepingCapacity: true)
    source.refill(keeping: names, appending: part)
    checkedEnd = source.bytes.count - part.count - unchecked
  }

  private mutating func checkEncoding() throws(TextProblem) {
    let end = isComplete ? source.bytes.count : source.endOfWholeCharacters
    guard checkedEnd < end else { return }
    let range = checkedEnd..<end
    checkedEnd = end
    let invalid = source.firstInvalidByte(in: range)
    let control = Self.firstControlByte(in: source.bytes.span.extracting(range)).map {
      range.lowerBound + $0
    }
    guard let place = [invalid, control].compactMap(\.self).min() else { return }
    let position = source.positionAhead(of: place)
    let sentence =
      place == invalid
      ? "This byte is not UTF-8 text. Save the file as UTF-8."
      : "XML cannot hold the control character with the number \(source.bytes[place])."
    source.offset = source.bytes.count
    throw TextProblem(at: position, sentence)
  }

  /// The place of the first control character that XML 1.0, section 2.2, does not allow.
  public static func firstControlByte(in bytes: Span<UInt8>) -> Int? {
    var start = 0
    while start < bytes.count {
      // A piece is looked at whole, in numbers and without a way out, so that many bytes are
      // compared at once.
      let piece = bytes.extracting(start..<min(start + 4_096, bytes.count))
      var found: UInt8 = 0
      for index in piece.indices { found |= forbidden(piece[index]) }
      if found != 0 {
        for index in piece.indices where forbidden(piece[index]) != 0 { return start + index }
      }
      start += piece.count
    }
    return nil
  }

  /// 1 for a control character that is not allowed, else 0.
  private static func forbidden(_ byte: UInt8) -> UInt8 {
    let isAllowed: UInt8 =
      (byte == 0x09 ? 1 : 0) | (byte == 0x0a ? 1 : 0) | (byte == 0x0d ? 1 : 0)
    return (byte < 0x20 ? 1 : 0) & ~isAllowed
  }
}
