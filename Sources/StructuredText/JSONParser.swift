/// The grammar of ``JSONReader``.
struct JSONParser {
  /// Reading cannot go on; the reason is in the list of problems.
  struct Stop: Error {}

  var source: TextSource
  let limits: JSONReader.Limits
  var problems: [TextProblem] = []

  init(source: TextSource, limits: JSONReader.Limits) {
    self.source = source
    self.limits = limits
  }

  mutating func parseFile() -> JSONNode? {
    let start = TextPosition(file: source.file, line: 1, column: 1)
    guard source.bytes.count <= limits.bytes else {
      problems.append(
        TextProblem(
          at: start,
          """
          The file has \(source.bytes.count) bytes; at most \(limits.bytes) are read. Split it.
          """))
      return nil
    }
    if let invalid = source.firstInvalidByte() {
      problems.append(
        TextProblem(
          at: source.positionAhead(of: invalid),
          "This byte is not UTF-8 text. Save the file as UTF-8, or check that it is not damaged."))
      return nil
    }
    do throws(Stop) {
      if source.starts(with: "\u{FEFF}") { source.offset = 3 }
      try skipSpace()
      guard !source.isAtEnd else {
        throw stop("The file is empty; it must hold a JSON value, such as an object in braces.")
      }
      let root = try parseValue(depth: 0)
      try skipSpace()
      guard source.isAtEnd else {
        throw stop("The file goes on after its value has ended. Remove the rest, from here on.")
      }
      return root
    } catch {
      return nil
    }
  }

  // MARK: - Values

  private mutating func parseValue(depth: Int) throws(Stop) -> JSONNode {
    let position = source.position()
    switch source.byte {
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      return JSONNode(.object(try parseMembers(depth: depth, opened: position)), at: position)
    case UInt8(ascii: "["):
      try checkDepth(depth)
      return JSONNode(.array(try parseItems(depth: depth, opened: position)), at: position)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return JSONNode(.string(try parseString()), at: position)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      return JSONNode(try parseNumber(at: position), at: position)
    default:
      return JSONNode(try parseWord(at: position), at: position)
    }
  }

  private mutating func parseItems(
    depth: Int, opened: TextPosition
  ) throws(Stop) -> [JSONNode] {
    source.offset += 1
    var items: [JSONNode] = []
    while true {
      try skipSpace()
      if source.isAtEnd { throw unclosed("list", "]", opened) }
      if source.byte == UInt8(ascii: "]") {
        source.offset += 1
        return items
      }
      items.append(try parseValue(depth: depth + 1))
      try parseSeparator(closing: UInt8(ascii: "]"), in: "list", opened: opened)
    }
  }

  private mutating func parseMembers(
    depth: Int, opened: TextPosition
  ) throws(Stop) -> [JSONMember] {
    source.offset += 1
    var members: [JSONMember] = []
    var places: [String: TextPosition] = [:]
    while true {
      try skipSpace()
      if source.isAtEnd { throw unclosed("object", "}", opened) }
      if source.byte == UInt8(ascii: "}") {
        source.offset += 1
        return members
      }
      let position = source.position()
      let key = try parseKey()
      try skipSpace()
      guard source.byte == UInt8(ascii: ":") else {
        throw stop("A colon must follow the key \"\(key)\".")
      }
      source.offset += 1
      try skipSpace()
      if source.isAtEnd { throw unclosed("object", "}", opened) }
      let value = try parseValue(depth: depth + 1)
      if let first = places.updateValue(position, forKey: key) {
        places[key] = first
        if limits.repeatedKeys == .lastCounts {
          try report(
            .warning, at: position,
            "The key \"\(key)\" is repeated; this value replaces that at line \(first.line).")
          members.removeAll { $0.key == key }
          members.append(JSONMember(key: key, keyPosition: position, value: value))
        } else {
          try report(
            at: position,
            "The key \"\(key)\" is repeated; it is already at line \(first.line). Remove one of "
              + "them.")
        }
      } else {
        members.append(JSONMember(key: key, keyPosition: position, value: value))
      }
      try parseSeparator(closing: UInt8(ascii: "}"), in: "object", opened: opened)
    }
  }

  /// Consumes a comma, or looks at the closing bracket; goes on where a comma was forgotten.
  private mutating func parseSeparator(
    closing: UInt8, in what: String, opened: TextPosition
  ) throws(Stop) {
    try skipSpace()
    if source.isAtEnd {
      throw unclosed(what, String(UnicodeScalar(closing)), opened)
    }
    switch source.byte {
    case UInt8(ascii: ","):
      source.offset += 1
      try skipSpace()
      if source.byte == UInt8(ascii: ",") {
        try report(at: source.position(), "There are two commas with nothing between. Remove one.")
        while source.byte == UInt8(ascii: ",") {
          source.offset += 1
          try skipSpace()
        }
      }
    case closing: break
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
      throw stop(
        """
        "\(Character(UnicodeScalar(source.byte)))" cannot stand here: the \(what) opened at \
        line \(opened.line) is closed with "\(Character(UnicodeScalar(closing)))".
        """)
    default:
      try report(at: source.position(), "A comma is missing before this.")
    }
  }

  private mutating func checkDepth(_ depth: Int) throws(Stop) {
    guard depth < limits.depth else {
      throw stop(
        "Lists and objects are nested more than \(limits.depth) deep here; that is the limit.")
    }
  }
}

// MARK: - Problems

extension JSONParser {
  /// Notes a problem after which reading goes on, up to the limit of problems.
  mutating func report(
    _ severity: TextProblem.Severity = .error, at position: TextPosition, _ sentence: String
  ) throws(Stop) {
    problems.append(TextProblem(severity, at: position, sentence))
    if problems.count >= limits.problems { throw Stop() }
  }

  /// Notes a problem at the current place and gives what is to be thrown.
  mutating func stop(_ sentence: String) -> Stop {
    problems.append(TextProblem(at: source.position(), sentence))
    return Stop()
  }

  private mutating func unclosed(_ what: String, _ mark: String, _ opened: TextPosition) -> Stop {
    stop(
      """
      The file ends before the \(what) opened at line \(opened.line), column \(opened.column) is \
      closed. Add "\(mark)".
      """)
  }
}
