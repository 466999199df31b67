/// Text of files as a terminal or a log may get it: shown, and never obeyed.
///
/// A terminal obeys control characters, readers are misled by characters that turn the direction of
/// writing, and the services that run checks obey lines that begin with `::` (GitHub) or with `##`,
/// a word and `[` (Azure, TeamCity). All of these are written as `\u{…}` instead.
///
/// Sources: ECMA-48 for the control characters; Unicode Standard Annex 9 for the direction;
/// GitHub's documentation of workflow commands.
public enum InertText {
  /// Text of one line: line breaks and tabs are shown as well.
  public static func line(_ text: String) -> String {
    isPlain(text, keepsBreaks: false) ? text : shown(text, keepsBreaks: false)
  }

  /// Text of several lines, of which none is an order.
  public static func lines(_ text: String) -> String {
    isPlain(text, keepsBreaks: true) ? text : shown(text, keepsBreaks: true)
  }

  /// JSON of the same meaning, in which nothing can be obeyed.
  ///
  /// What could be stands in texts and keys alone, where an escape means the same.
  public static func json(_ text: String) -> String {
    guard !isPlain(text, keepsBreaks: true) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isActive(scalar), scalar != "\n" {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether nothing in a text can need to be shown, which is told from its bytes.
  private static func isPlain(_ text: String, keepsBreaks: Bool) -> Bool {
    var isAtStart = true
    for byte in text.utf8 {
      switch byte {
      case 0x0a, 0x09: if !keepsBreaks { return false }
      case 0x00..<0x20, 0x7f, 0xc2, 0xd8, 0xe2, 0xef: return false
      case UInt8(ascii: ":"), UInt8(ascii: "#"): if isAtStart { return false }
      default: break
      }
      isAtStart = byte == 0x0a || isAtStart && (byte == 0x20 || byte == 0x09)
    }
    return true
  }

  private static func shown(_ text: String, keepsBreaks: Bool) -> String {
    var result = ""
    for (number, line) in text.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      if number > 0 { result += keepsBreaks ? "\n" : escape("\n") }
      let isOrder = (keepsBreaks || number == 0) && isOrder(line)
      var isEscaped = !isOrder
      for scalar in line {
        if isActive(scalar) && !(keepsBreaks && scalar == "\t") {
          result += escape(scalar)
        } else if !isEscaped, scalar == ":" || scalar == "#" {
          result += escape(scalar)
          isEscaped = true
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Whether a service that runs checks would take a line for an order.
  private static func isOrder(_ line: Substring.UnicodeScalarView.SubSequence) -> Bool {
    let rest = line.drop { $0 == " " || $0 == "\t" }
    if rest.starts(with: "::".unicodeScalars) { return true }
    guard rest.starts(with: "##".unicodeScalars) else { return false }
    let word = rest.dropFirst(2).drop { $0.properties.isAlphabetic }
    return word.first == "["
  }

  /// Whether a terminal or a reader's eye would obey a character.
  private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7f..<0xa0: true
    // Line and paragraph separators, embeddings, overrides and isolates of direction, marks.
    case 0x2028...0x202e, 0x2066...0x2069, 0x061c, 0x200e, 0x200f, 0xfeff, 0xfff9...0xfffb:
      true
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}
