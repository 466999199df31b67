/// The grammar of ``JSONReader``: how the words that a scanner takes make a value.
struct JSONParser {
  private typealias Stop = JSONScanner.Stop

  private var scanner: JSONScanner
  private let limits: JSONReader.Limits

  init(source: TextSource, limits: JSONReader.Limits) {
    scanner = JSONScanner(
      source: source, subject: limits.subject, mostProblems: limits.problems)
    self.limits = limits
  }

  /// The problems so far.
  var problems: [TextProblem] { scanner.problems }

  /// The keys so far of which a later value counts.
  private(set) var repeatedKeys: [JSONReader.RepeatedKey] = []
  private var placesOfRepeatedKeys: [String: Int] = [:]

  private mutating func note(repeated key: String, at position: TextPosition) {
    if let place = placesOfRepeatedKeys[key] {
      repeatedKeys[place].count += 1
    } else {
      placesOfRepeatedKeys[key] = repeatedKeys.count
      repeatedKeys.append(JSONReader.RepeatedKey(key: key, count: 1, first: position))
    }
  }

  private var subject: String { limits.subject.rawValue }

  /// What is to be done with a text in another encoding.
  private var saved: String {
    switch limits.subject {
    case .file: "Save the file"
    case .message: "Write the message"
    }
  }

  /// Where a value begins that is spoken of elsewhere: the line of a file, the column of a message.
  private func line(of position: TextPosition) -> String {
    switch limits.subject {
    case .file: "line \(position.line)"
    case .message: "column \(position.column)"
    }
  }

  private func place(of position: TextPosition) -> String {
    switch limits.subject {
    case .file: "line \(position.line), column \(position.column)"
    case .message: "column \(position.column)"
    }
  }

  /// Reads a whole file; `nil` where it holds no value, or reading could not go on.
  mutating func parseFile() -> JSONNode? {
    let start = TextPosition(file: scanner.source.file, line: 1, column: 1)
    guard scanner.source.bytes.count <= limits.bytes else {
      scanner.problems.append(
        TextProblem(
          at: start,
          """
          The \(subject) has \(scanner.source.bytes.count) bytes; at most \(limits.bytes) are \
          read. Split it.
          """))
      return nil
    }
    if let invalid = scanner.source.firstInvalidByte() {
      scanner.problems.append(
        TextProblem(
          at: scanner.source.positionAhead(of: invalid),
          "This byte is not UTF-8 text. \(saved) as UTF-8, or check that it is not damaged."))
      return nil
    }
    do throws(Stop) {
      if scanner.source.starts(with: "\u{FEFF}") { scanner.source.offset = 3 }
      try scanner.skipSpace()
      guard !scanner.source.isAtEnd else {
        throw scanner.stop(
          "The \(subject) is empty; it must hold a JSON value, such as an object in braces.")
      }
      let root = try parseValue(depth: 0)
      try scanner.skipSpace()
      guard scanner.source.isAtEnd else {
        throw scanner.stop(
          "The \(subject) goes on after its value has ended. Remove the rest, from here on.")
      }
      return root
    } catch {
      return nil
    }
  }

  // MARK: - Values

  private mutating func parseValue(depth: Int) throws(Stop) -> JSONNode {
    let position = scanner.source.position()
    switch scanner.source.byte {
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      return JSONNode(.object(try parseMembers(depth: depth, opened: position)), at: position)
    case UInt8(ascii: "["):
      try checkDepth(depth)
      return JSONNode(.array(try parseItems(depth: depth, opened: position)), at: position)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return JSONNode(.string(try scanner.takeString()), at: position)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      return JSONNode(try scanner.takeNumber(at: position), at: position)
    default:
      return JSONNode(try scanner.takeLiteral(at: position), at: position)
    }
  }

  private mutating func parseItems(
    depth: Int, opened: TextPosition
  ) throws(Stop) -> [JSONNode] {
    scanner.source.offset += 1
    var items: [JSONNode] = []
    while true {
      try scanner.skipSpace()
      if scanner.source.isAtEnd { throw unclosed("list", "]", opened) }
      if scanner.source.byte == UInt8(ascii: "]") {
        scanner.source.offset += 1
        return items
      }
      items.append(try parseValue(depth: depth + 1))
      try parseSeparator(closing: UInt8(ascii: "]"), in: "list", opened: opened)
    }
  }

  private mutating func parseMembers(
    depth: Int, opened: TextPosition
  ) throws(Stop) -> [JSONMember] {
    scanner.source.offset += 1
    var members: [JSONMember] = []
    var places: [String: TextPosition] = [:]
    while true {
      try scanner.skipSpace()
      if scanner.source.isAtEnd { throw unclosed("object", "}", opened) }
      if scanner.source.byte == UInt8(ascii: "}") {
        scanner.source.offset += 1
        return members
      }
      let position = scanner.source.position()
      let key = try scanner.takeKey()
      try scanner.skipSpace()
      guard scanner.source.byte == UInt8(ascii: ":") else {
        throw scanner.stop("A colon must follow the key \"\(key)\".")
      }
      scanner.source.offset += 1
      try scanner.skipSpace()
      if scanner.source.isAtEnd { throw unclosed("object", "}", opened) }
      let value = try parseValue(depth: depth + 1)
      if let first = places.updateValue(position, forKey: key) {
        places[key] = first
        if limits.repeatedKeys == .lastCounts {
          scanner.warn(
            at: position,
            "The key \"\(key)\" is repeated; this value replaces that at \(line(of: first)).")
          note(repeated: key, at: position)
          members.removeAll { $0.key == key }
          members.append(JSONMember(key: key, keyPosition: position, value: value))
        } else {
          try scanner.report(
            at: position,
            "The key \"\(key)\" is repeated; it is already at \(line(of: first)). Remove one of "
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
    try scanner.skipSpace()
    if scanner.source.isAtEnd {
      throw unclosed(what, String(UnicodeScalar(closing)), opened)
    }
    switch scanner.source.byte {
    case UInt8(ascii: ","):
      scanner.source.offset += 1
      try scanner.skipSpace()
      if scanner.source.byte == UInt8(ascii: ",") {
        try scanner.report(
          at: scanner.source.position(),
          "There are two commas with nothing between. Remove one.")
        while scanner.source.byte == UInt8(ascii: ",") {
          scanner.source.offset += 1
          try scanner.skipSpace()
        }
      }
    case closing: break
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
      throw scanner.stop(
        """
        "\(Character(UnicodeScalar(scanner.source.byte)))" cannot stand here: the \(what) opened \
        at \(line(of: opened)) is closed with "\(Character(UnicodeScalar(closing)))".
        """)
    default:
      try scanner.report(at: scanner.source.position(), "A comma is missing before this.")
    }
  }

  private mutating func checkDepth(_ depth: Int) throws(Stop) {
    guard depth < limits.depth else {
      throw scanner.stop(
        "Lists and objects are nested more than \(limits.depth) deep here; that is the limit.")
    }
  }

  private mutating func unclosed(_ what: String, _ mark: String, _ opened: TextPosition) -> Stop {
    scanner.stop(
      """
      The \(subject) ends before the \(what) opened at \(place(of: opened)) is closed. Add \
      "\(mark)".
      """)
  }
}
