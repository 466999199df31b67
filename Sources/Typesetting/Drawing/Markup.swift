/// A piece of HTML or SVG; text that is put into it is escaped.
///
/// A literal is markup, and what is interpolated is text, so that a scenario's title cannot become
/// an element whatever it holds:
///
///     let cell: Markup = "<td>\(scenario.title)</td>"
///
/// Other markup is interpolated as it is.
public struct Markup: Hashable, Sendable {
  /// The characters of the piece.
  public private(set) var text: String

  /// Creates an empty piece.
  public init() { text = "" }

  /// Text, with every character that means something to a parser escaped.
  public init(text: String) { self.text = Self.escaped(text) }

  /// Characters that are markup already, such as a style sheet of our own.
  public init(trusted text: String) { self.text = text }

  /// Whether there is nothing in the piece.
  public var isEmpty: Bool { text.isEmpty }

  /// Markup after markup.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(trusted: lhs.text + rhs.text) }
  /// Appends markup.
  public static func += (lhs: inout Self, rhs: Self) { lhs.text += rhs.text }

  /// Escapes text for content and for attributes in double quotes.
  ///
  /// Control characters that neither HTML nor XML can hold become U+FFFD. The characters that turn
  /// the direction of writing are made visible: a name could otherwise reorder the line around it.
  static func escaped(_ text: String) -> String {
    // Most pieces are numbers and words of a page's own, which cost ten times as much by scalars.
    if isHarmless(text.utf8Span.span) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t", "\r": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}":
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether there are only letters of ASCII of which none means anything to a parser.
  private static func isHarmless(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        return false
      case 0x20...0x7E: continue
      default: return false
      }
    }
    return true
  }
}

extension Markup: ExpressibleByStringInterpolation {
  /// Collects literals as they are and everything else escaped.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text: String

    public init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }
    /// Appends markup as it is.
    public mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    /// Appends text, escaped.
    public mutating func appendInterpolation(_ text: String) { self.text += Markup.escaped(text) }
    /// Appends a number.
    public mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    /// Appends a number.
    public mutating func appendInterpolation(_ number: Int64) { text += "\(number)" }
  }

  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  public init(stringLiteral value: String) { text = value }
}

extension Sequence<Markup> {
  /// The pieces one after the other.
  public func joined(separator: Markup = "") -> Markup {
    Markup(trusted: map(\.text).joined(separator: separator.text))
  }
}
