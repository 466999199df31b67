/// White space, comments, words and keys.
extension JSONScanner {
  /// Skips white space and comments.
  mutating func skipSpace() throws(Stop) {
    while true {
      switch source.byte {
      case 0x20, 0x09, 0x0b, 0x0c: source.offset += 1
      case 0x0a, 0x0d: source.passLineEnd()
      case UInt8(ascii: "/"): try skipComment()
      case 0xc2 where source.byte(ahead: 1) == 0xa0: source.offset += 2  // no-break space
      case 0xe2
      where source.byte(ahead: 1) == 0x80 && [0xa8, 0xa9].contains(source.byte(ahead: 2)):
        source.offset += 3  // line and paragraph separators
      case 0xef where source.starts(with: "\u{FEFF}"): source.offset += 3
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Stop) {
    switch source.byte(ahead: 1) {
    case UInt8(ascii: "/"):
      while !source.isAtEnd, source.byte != 0x0a, source.byte != 0x0d { source.offset += 1 }
    case UInt8(ascii: "*"):
      let opened = source.position()
      source.offset += 2
      while !source.starts(with: "*/") {
        guard !source.isAtEnd else {
          problems.append(
            TextProblem(at: opened, "This comment is never closed. Add \"*/\" at its end."))
          throw Stop()
        }
        source.pass()
      }
      source.offset += 2
    default:
      throw stop("\"/\" cannot stand here. A comment starts with \"//\" or \"/*\".")
    }
  }

  mutating func takeKey() throws(Stop) -> String {
    if source.byte == UInt8(ascii: "\"") || source.byte == UInt8(ascii: "'") {
      return try takeString()
    }
    let word = takeWord()
    guard !word.isEmpty else {
      throw stop(
        """
        A key is expected here, not \(found). Write a name, with quotes unless it consists of \
        letters, digits, "_" and "$".
        """)
    }
    if word.unicodeScalars.first.map({ ("0"..."9").contains($0) }) == true
      || source.byte == UInt8(ascii: "-") || source.byte == UInt8(ascii: ".")
      || source.byte == UInt8(ascii: "[")
    {
      if let whole = wholeNumber(before: word) {
        throw stop(
          """
          A comma ends a value, and "\(whole),\(word)" has one between digits. Write decimals \
          with a point: \(whole).\(word).
          """)
      }
      throw stop(
        """
        The key that starts with "\(word)" needs quotes: a bare key starts with a letter and \
        consists of letters, digits, "_" and "$".
        """)
    }
    return word
  }

  /// The whole number to which a word just taken gives decimals by a comma, as in `0,25`.
  private func wholeNumber(before word: String) -> String? {
    func isDigit(_ place: Int) -> Bool { (0x30...0x39).contains(source.bytes[place]) }
    let comma = source.offset - word.utf8.count - 1
    guard comma > 0, source.bytes[comma] == UInt8(ascii: ","), source.byte != UInt8(ascii: ":"),
      (comma + 1..<source.offset).allSatisfy(isDigit)
    else { return nil }
    var start = comma
    while start > 0, isDigit(start - 1) { start -= 1 }
    // What has a point already is a number of its own.
    guard start < comma, start == 0 || source.bytes[start - 1] != UInt8(ascii: ".") else {
      return nil
    }
    return source.text(start..<comma)
  }

  /// Reads `true`, `false` or `null`; reports any other word and takes it for `null`.
  mutating func takeLiteral(at position: TextPosition) throws(Stop) -> JSONNode.Value {
    let word = takeWord()
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "": throw stop("A value is expected here, not \(found).")
    case "NaN", "Infinity", "nan", "inf":
      try report(at: position, "\(word) is not a finite number. Write an ordinary number.")
    default:
      let meant = NearestName.suggestion(for: word, among: ["true", "false", "null"])
      try report(
        at: position, "The word \(word) is not a value. Put quotes around a text.\(meant)")
    }
    return .null
  }

  /// Consumes the letters, digits, `_`, `$` and non-ASCII letters from here on.
  mutating func takeWord() -> String {
    let start = source.offset
    while !source.isAtEnd {
      let byte = source.byte
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
        source.offset += 1
      case 0x80...:
        guard let scalar = nextScalar, scalar.properties.isIDContinue else {
          return source.text(start..<source.offset)
        }
        source.offset += String(scalar).utf8.count
      default:
        return source.text(start..<source.offset)
      }
    }
    return source.text(start..<source.offset)
  }

  /// The character at the current place; the bytes are known to be UTF-8.
  var nextScalar: UnicodeScalar? {
    let end = min(source.offset + 4, source.bytes.count)
    return source.text(source.offset..<end).unicodeScalars.first
  }

  /// What stands at the current place, for a sentence.
  var found: String {
    guard !source.isAtEnd, let scalar = nextScalar else {
      return "the end of the \(subject.rawValue)"
    }
    switch scalar.value {
    case 0x0a, 0x0d: return "the end of the line"
    case 0..<0x20, 0x7f...0x9f:
      return "the control character U+\(String(scalar.value, radix: 16, uppercase: true))"
    default: return scalar == "\"" ? "a quote" : "\"\(scalar)\""
    }
  }
}
