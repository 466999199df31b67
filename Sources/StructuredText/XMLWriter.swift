/// Writes XML with two-space indentation, or on one line.
///
/// Elements close in the reverse of the order in which they were opened; characters that XML 1.0
/// does not allow are written as U+FFFD.
public struct XMLWriter: Sendable {
  /// The document so far, as UTF-8, without what was taken of it.
  public private(set) var bytes: [UInt8] = []
  private var open: [String] = []
  private var hasText = false

  /// Creates a document with its declaration.
  public init() {
    bytes.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  }

  /// The document so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Opens an element.
  public mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    open(name, attributes: attributes.map { ($0.key, $0.value) })
  }

  /// Opens an element, with a list of attributes.
  public mutating func open(_ name: String, attributes: [(String, String)]) {
    start(name, attributes)
    bytes.append(UInt8(ascii: ">"))
    open.append(name)
    hasText = false
  }

  /// Writes an element without content.
  public mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    empty(name, attributes: attributes.map { ($0.key, $0.value) })
  }

  /// Writes an element without content, from a list of attributes.
  public mutating func empty(_ name: String, attributes: [(String, String)]) {
    start(name, attributes)
    bytes.append(contentsOf: "/>".utf8)
    hasText = false
  }

  /// Writes an element that holds a text and nothing else.
  public mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) {
    open(name, attributes)
    self.text(text)
    close()
  }

  /// Writes text into the open element.
  public mutating func text(_ text: String) {
    assert(!open.isEmpty, "Text stands within an element.")
    append(escaped: text, inAttribute: false)
    hasText = true
  }

  /// Closes the element opened last; a document without open elements stays as it is.
  public mutating func close() {
    guard let name = open.popLast() else { return }
    if !hasText { newLine() }
    bytes.append(contentsOf: "</\(name)>".utf8)
    hasText = false
    if open.isEmpty { bytes.append(UInt8(ascii: "\n")) }
  }

  /// What was written since the last call, for a document too large for the memory.
  public mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes.removeAll(keepingCapacity: true)
    return taken
  }

  private mutating func start(_ name: String, _ attributes: [(String, String)]) {
    if !hasText { newLine() }
    assert(!name.isEmpty, "An element has a name.")
    bytes.append(contentsOf: "<\(name)".utf8)
    for (key, value) in attributes {
      bytes.append(contentsOf: " \(key)=\"".utf8)
      append(escaped: value, inAttribute: true)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func newLine() {
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
  }

  private mutating func append(escaped text: String, inAttribute: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes.append(contentsOf: "&amp;".utf8)
      case "<": bytes.append(contentsOf: "&lt;".utf8)
      case ">": bytes.append(contentsOf: "&gt;".utf8)
      case "\"" where inAttribute: bytes.append(contentsOf: "&quot;".utf8)
      case "\n" where inAttribute: bytes.append(contentsOf: "&#10;".utf8)
      case "\t" where inAttribute: bytes.append(contentsOf: "&#9;".utf8)
      case "\r": bytes.append(contentsOf: "&#13;".utf8)
      case "\n", "\t": bytes.append(contentsOf: String(scalar).utf8)
      default: bytes.append(contentsOf: (Self.isAllowed(scalar) ? String(scalar) : "\u{FFFD}").utf8)
      }
    }
  }

  /// Whether XML 1.0 allows a character (production 2, `Char`).
  static func isAllowed(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
    default: false
    }
  }
}
