/// Reads rows of comma-separated values, as RFC 4180 describes them.
///
/// Fields may be quoted, with doubled quotes for a quote; a quoted field may hold separators and
/// line ends. Lines end with LF, CR LF or CR; a byte order mark is skipped; empty lines are
/// skipped. Reading never traps, whatever the bytes.
public struct CSVReader: Sendable {
  /// A field of a row, with the place of its first character.
  public struct Field: Hashable, Sendable {
    /// The text, without quotes.
    public var text: String
    /// Where its first character stands.
    public var position: TextPosition
  }

  /// The largest file that is read, in bytes.
  public static let maximumBytes = 512 * 1_024 * 1_024

  /// What was wrong so far; all are errors.
  public private(set) var problems: [TextProblem] = []

  private var source: TextSource
  private let separator: UInt8

  /// Creates a reader at the beginning of a file.
  ///
  /// `separator` is the byte between fields, such as a tab (`0x09`).
  public init(_ bytes: [UInt8], file: String, separator: UInt8 = UInt8(ascii: ",")) {
    source = TextSource(bytes: bytes, file: file)
    self.separator = separator
    if bytes.count > Self.maximumBytes {
      problems.append(
        TextProblem(
          at: TextPosition(file: file, line: 1, column: 1),
          "The file has \(bytes.count) bytes; at most \(Self.maximumBytes) are read. Split it."))
      source.offset = bytes.count
    } else if let invalid = source.firstInvalidByte() {
      problems.append(
        TextProblem(
          at: source.positionAhead(of: invalid),
          "This byte is not UTF-8 text. Save the file as UTF-8, or check that it is not damaged."))
      source.offset = bytes.count
    }
    if source.starts(with: "\u{FEFF}") { source.offset = 3 }
  }

  /// The next row that is not an empty line; nothing at the end.
  public mutating func next() -> [Field]? {
    while source.byte == 0x0a || source.byte == 0x0d { source.passLineEnd() }
    guard !source.isAtEnd else { return nil }
    var row: [Field] = []
    while true {
      row.append(takeField())
      if source.byte == separator, !source.isAtEnd {
        source.offset += 1
        continue
      }
      source.passLineEnd()
      return row
    }
  }

  private mutating func takeField() -> Field {
    let position = source.position()
    guard source.byte == UInt8(ascii: "\""), !source.isAtEnd else {
      return Field(text: takePlain(), position: position)
    }
    source.offset += 1
    var text = ""
    var start = source.offset
    while true {
      if source.isAtEnd {
        problems.append(
          TextProblem(at: position, "The quote that opens this field is never closed."))
        return Field(text: text + source.text(start..<source.offset), position: position)
      }
      guard source.byte == UInt8(ascii: "\"") else {
        source.pass()
        continue
      }
      text += source.text(start..<source.offset)
      source.offset += 1
      if source.byte == UInt8(ascii: "\"") {
        text += "\""
        source.offset += 1
        start = source.offset
        continue
      }
      let after = source.position()
      let rest = takePlain()
      if !rest.isEmpty {
        problems.append(
          TextProblem(
            at: after,
            "A separator or a line end must follow a closing quote. Double a quote within a field.")
        )
      }
      return Field(text: text + rest, position: position)
    }
  }

  /// Consumes up to the next separator or line end.
  private mutating func takePlain() -> String {
    let start = source.offset
    while !source.isAtEnd {
      let byte = source.byte
      if byte == separator || byte == 0x0a || byte == 0x0d { break }
      source.offset += 1
    }
    return source.text(start..<source.offset)
  }
}
