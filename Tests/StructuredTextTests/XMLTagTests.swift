import TestSupport
import Testing

@testable import StructuredText

@Suite("Start tags that are kept")
struct XMLTagTests {
  /// What a value may be made of: how it stands in the file, and what it means.
  static let pieces = [
    ("a", "a"), ("-7.25", "-7.25"), (" ", " "), ("\n", "\n"), ("\r\n", "\r\n"), ("'", "'"),
    (">", ">"), ("=", "="), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&quot;", "\""),
    ("&apos;", "'"), ("&#65;", "A"), ("&#x2019;", "\u{2019}"), ("&#x1F600;", "\u{1F600}"),
    ("\u{A0}", "\u{A0}"), ("e\u{301}", "e\u{301}"), ("\u{2019}", "\u{2019}"), ("", ""),
  ]

  @Test("Attributes of any text stay while the scanner goes on, in parts of any size")
  func keepsAttributes() throws {
    var chance = Chance(state: 5)
    for _ in 0..<Chance.cases(orElse: 300) {
      var (text, expected) = ("<root", ["", "", ""])
      for (index, name) in ["type", "value", "unit"].enumerated() {
        var raw = ""
        for _ in 0..<chance.below(12) {
          let piece = Self.pieces[chance.below(Self.pieces.count)]
          raw += piece.0
          expected[index] += piece.1
        }
        text += " \(name)=\"\(raw)\""
      }
      text += "><next/></root>"
      var rest = Array(text.utf8)[...]
      let size = 1 + chance.below(rest.count)
      var scanner = XMLScanner(file: "t.xml")
      func next() throws -> XMLScanner.Piece? {
        while scanner.wantsMore {
          scanner.append(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        return try scanner.next()
      }
      #expect(try next() == .start)
      let tag = scanner.tag
      #expect(scanner.attribute("value") == expected[1])
      #expect(scanner.bytes(of: "value").map(Array.init) == Array(expected[1].utf8))
      #expect(scanner.allAttributes.map(\.value) == expected)
      #expect(try next() == .start && scanner.isNamed("next"))
      #expect([tag["type"], tag["value"], tag["unit"]] == expected)
      #expect(tag.bytes(of: "unit").map(Array.init) == Array(expected[2].utf8))
      #expect(tag["none"] == nil && tag.bytes(of: "uni") == nil)
      #expect(tag.position == TextPosition(file: "t.xml", line: 1, column: 1))
    }
  }

  @Test("The first control character is found wherever it stands")
  func findsControls() {
    var chance = Chance(state: 6)
    for _ in 0..<Chance.cases(orElse: 300) {
      var bytes = (0..<chance.below(9_000)).map { _ in UInt8(0x20 + chance.below(0xe0)) }
      for _ in 0..<chance.below(4) where !bytes.isEmpty {
        bytes[chance.below(bytes.count)] = UInt8(chance.below(0x20))
      }
      let plain = bytes.firstIndex { $0 < 0x20 && ![0x09, 0x0a, 0x0d].contains($0) }
      #expect(XMLScanner.firstControlByte(in: bytes.span) == plain)
    }
  }
}

@Suite("Places in a text")
struct TextSourceTests {
  static let letters = ["a", "\u{E9}", "\u{2019}", "\u{1F600}", "\n", "\r", "\r\n", " "]

  @Test("A mark tells the place that was about to be read")
  func marks() {
    var chance = Chance(state: 7)
    for _ in 0..<Chance.cases(orElse: 300) {
      var text = ""
      for _ in 0..<1 + chance.below(40) { text += Self.letters[chance.below(8)] }
      var source = TextSource(bytes: Array(text.utf8), file: "t")
      var walker = source
      while !source.isAtEnd {
        let mark = source.mark
        for _ in 0...chance.below(3) { walker.pass() }
        #expect(source.position(of: mark) == source.position())
        while source.offset < walker.offset { source.pass() }
      }
    }
  }

  @Test("The first byte that is not UTF-8 is found in any text")
  func findsInvalidBytes() {
    var chance = Chance(state: 8)
    for _ in 0..<Chance.cases(orElse: 300) {
      var text = ""
      for _ in 0..<chance.below(60) { text += Self.letters[chance.below(8)] }
      let bytes = chance.damaged(Array(text.utf8), ["\u{E9}", "\u{1F600}"])
      let place = TextSource(bytes: bytes, file: "t").firstInvalidByte()
      #expect((place == nil) == (String(validating: bytes, as: UTF8.self) != nil))
      if let place {
        #expect(String(validating: bytes[..<place], as: UTF8.self) != nil)
        let end = min(place + 4, bytes.count)
        for stop in place + 1..<max(place + 1, end) {
          #expect(String(validating: bytes[place...stop], as: UTF8.self) == nil)
        }
      }
    }
  }
}
