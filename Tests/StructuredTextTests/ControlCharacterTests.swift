import Testing

@testable import StructuredText

@Suite("Control characters in XML")
struct ControlCharacterTests {
  @Test(
    "XML 1.0 allows tab, line feed and carriage return only, wherever they stand",
    arguments: (0 as UInt8)..<0x20, ["<a b='%'/>", "<a>%</a>", "<!-- % --><a/>"])
  func controls(byte: UInt8, pattern: String) throws {
    let bytes = pattern.utf8.map { $0 == UInt8(ascii: "%") ? byte : $0 }
    var scanner = XMLScanner(Array("<!-- x -->\n".utf8) + bytes, file: "f.xml")
    let place = try #require(pattern.utf8.firstIndex(of: UInt8(ascii: "%")))
    let column = pattern.utf8.distance(from: pattern.utf8.startIndex, to: place) + 1
    do {
      while try scanner.next() != nil {}
      #expect([9, 10, 13].contains(byte))
    } catch {
      #expect(![9, 10, 13].contains(byte))
      #expect(
        error.description
          == "f.xml:2:\(column): error: XML cannot hold the control character with the number "
          + "\(byte).")
    }
  }

  @Test("The first of several is told, beyond the first piece that is looked at")
  func first() {
    var bytes = [UInt8]("<a>".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
    bytes[9_000] = 1
    bytes[9_500] = 0xff
    var scanner = XMLScanner(bytes + Array("</a>".utf8), file: "f.xml")
    #expect { while try scanner.next() != nil {} } throws: { error in
      "\(error)".hasPrefix("f.xml:1:9001: ")
    }
  }
}
