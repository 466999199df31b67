/// Writes JSON that people can read and that differs only where the values differ.
///
/// Keys stand in the order of the value, indented by two spaces. A *row*, which is an item of a
/// list that holds nothing but scalars, takes one line, so that a table has a line for each row.
/// Doubles are written in the shortest form that reads back equal.
public struct JSONWriter: Sendable {
  /// How keys and texts are written.
  public enum Style: Hashable, Sendable {
    /// Strict JSON.
    case json
    /// The form in which people write scenario files: bare keys, single quotes.
    case json5
  }

  /// Whether keys have quotes, and how texts are quoted.
  public var style: Style
  /// The longest line on which a list or object of scalars that is no row is written.
  public var width = 100
  /// Whether whatever fits takes one line, lists of objects excepted; as people write by hand.
  public var joinsWhatFits = false
  /// Whether a line has no space between its parts, as for data that only a program reads.
  public var isCompact = false
  /// Lines of comment above items of the outermost lists, by addresses such as `events[3]`, in the
  /// JSON5 style only.
  public var remarks: [String: String] = [:]

  /// Creates a writer.
  public init(style: Style = .json) { self.style = style }

  /// The value over several lines, with a line end at the end.
  ///
  /// The lines of the header are written above it as comments, in the JSON5 style only.
  public func text(_ value: JSONValue, header: [String] = []) -> String {
    String(decoding: bytes(value, header: header), as: UTF8.self)
  }

  /// The value over several lines as UTF-8, with a line end at the end.
  public func bytes(_ value: JSONValue, header: [String] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    if style == .json5 {
      for line in header { appendComment(line, to: &bytes) }
    }
    append(value, key: "", depth: 0, used: 0, isItem: false, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The value on one line without a line end, as for JSON lines.
  public func line(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    appendLine(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Layout

  private func append(
    _ value: JSONValue, key: String, depth: Int, used: Int, isItem: Bool, to bytes: inout [UInt8]
  ) {
    assert(depth >= 0, "Nesting begins at the outermost value.")
    let count: Int
    switch value {
    case .array(let items): count = items.count
    case .object(let members): count = members.count
    default: return appendScalar(value, to: &bytes)
    }
    if count == 0 || isFlat(value) && (isItem || fits(value, used: used))
      || joinsWhatFits && depth > 0 && isJoined(value) && fits(value, used: used)
    {
      return appendLine(value, to: &bytes)
    }
    switch value {
    case .array(let items):
      appendBlock("[", "]", count: items.count, depth: depth, to: &bytes) { index, bytes in
        if style == .json5, depth == 1, let remark = remarks["\(key)[\(index)]"] {
          appendComment(remark, to: &bytes)
          bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth + 2))
        }
        append(
          items[index], key: key, depth: depth + 1, used: 2 * depth + 2, isItem: true, to: &bytes)
      }
    case .object(let members):
      appendBlock("{", "}", count: members.count, depth: depth, to: &bytes) { index, bytes in
        let start = bytes.count
        appendKey(members[index].key, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        append(
          members[index].value, key: members[index].key, depth: depth + 1,
          used: 2 * depth + 2 + bytes.count - start,
          isItem: false, to: &bytes)
      }
    default: break
    }
  }

  private func appendBlock(
    _ open: StaticString, _ close: StaticString, count: Int, depth: Int, to bytes: inout [UInt8],
    _ appendPart: (Int, inout [UInt8]) -> Void
  ) {
    bytes.append(contentsOf: open.description.utf8)
    for index in 0..<count {
      bytes.append(UInt8(ascii: "\n"))
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth + 2))
      appendPart(index, &bytes)
      if index + 1 < count || style == .json5 { bytes.append(UInt8(ascii: ",")) }
    }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    bytes.append(contentsOf: close.description.utf8)
  }

  /// Whether a list or object holds nothing but scalars.
  private func isFlat(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let items): items.allSatisfy(\.isScalar)
    case .object(let members): members.allSatisfy(\.value.isScalar)
    default: true
    }
  }

  /// Whether a value may take one line: a list with objects never does.
  private func isJoined(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let items):
      items.allSatisfy { item in if case .object = item { false } else { isJoined(item) } }
    case .object(let members): members.allSatisfy { isJoined($0.value) }
    default: true
    }
  }

  private func fits(_ value: JSONValue, used: Int) -> Bool {
    if case .object = value, style == .json { return false }
    var line: [UInt8] = []
    appendLine(value, to: &line)
    return used + line.count < width
  }

  private var separator: String { isCompact ? "," : ", " }

  private func appendLine(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .array(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { bytes.append(contentsOf: separator.utf8) }
        appendLine(item, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(contentsOf: style == .json5 && !members.isEmpty ? "{ ".utf8 : "{".utf8)
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(contentsOf: separator.utf8) }
        appendKey(member.key, to: &bytes)
        bytes.append(contentsOf: isCompact ? ":".utf8 : ": ".utf8)
        appendLine(member.value, to: &bytes)
      }
      bytes.append(contentsOf: style == .json5 && !members.isEmpty ? " }".utf8 : "}".utf8)
    default: appendScalar(value, to: &bytes)
    }
  }

  /// A comment, which ends with its line, whatever the text holds: names of files may break lines.
  private func appendComment(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "// \(InertText.line(text))\n".utf8)
  }

  // MARK: - Scalars

  private func appendScalar(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null, .array, .object: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: integer.description.utf8)
    case .number(let number):
      bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
    case .string(let text): appendQuoted(text, to: &bytes)
    }
  }

  private func appendKey(_ key: String, to bytes: inout [UInt8]) {
    if style == .json5, Self.isBareKey(key) {
      bytes.append(contentsOf: key.utf8)
    } else {
      appendQuoted(key, to: &bytes)
    }
  }

  private func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    let single = style == .json5 && !text.utf8.contains(UInt8(ascii: "'"))
    let quote = single ? UInt8(ascii: "'") : UInt8(ascii: "\"")
    bytes.append(quote)
    if Self.standsForItself(text.utf8Span.span, in: quote) {
      bytes.append(contentsOf: text.utf8)
      bytes.append(quote)
      return
    }
    for byte in text.utf8 {
      switch byte {
      case quote, UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: bytes.append(contentsOf: "\\n".utf8)
      case 0x0d: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7f:
        bytes.append(contentsOf: "\\u00".utf8)
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(quote)
  }

  /// Whether each byte of a text stands for itself between quotes, as in nearly every text.
  private static func standsForItself(_ bytes: Span<UInt8>, in quote: UInt8) -> Bool {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") || byte == 0x7f { return false }
    }
    return true
  }

  private static func isBareKey(_ key: String) -> Bool {
    guard let first = key.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return key.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
  }
}
