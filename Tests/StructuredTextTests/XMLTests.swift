import StructuredText
import Testing

@Suite("XML")
struct XMLTests {
  static func pieces(_ text: String) throws(TextProblem) -> [String] {
    var scanner = XMLScanner(Array(text.utf8), file: "t.xml")
    var found: [String] = []
    while let piece = try scanner.next() {
      switch piece {
      case .start:
        let attributes = scanner.allAttributes.map { " \($0.name)=\($0.value)" }.joined()
        found.append("<\(scanner.name)\(attributes)>")
      case .end: found.append("</\(scanner.name)>")
      case .text: found.append(scanner.text)
      }
    }
    return found
  }

  static let export = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- a remark with > and ] -->
    <!ELEMENT HealthData (Record|Me)*>
    <!ATTLIST Record type CDATA #REQUIRED unit CDATA #IMPLIED>
    ]>
    <HealthData locale='de_DE'>
      <!-- nothing --> <Me/>
      <Record type="a&amp;b" value="&#x41;&#66;"><![CDATA[1 < 2]]></Record>
    </HealthData>
    """

  @Test("Declarations that a health export contains are skipped")
  func skipsDeclarations() throws {
    #expect(
      try Self.pieces(Self.export) == [
        "<HealthData locale=de_DE>", "<Me>", "</Me>", "<Record type=a&b value=AB>", "1 < 2",
        "</Record>", "</HealthData>",
      ])
  }

  @Test(
    "What is not well formed is located",
    arguments: [
      ("<a><b></a>", "t.xml:1:7: error: </a> stands where </b>"),
      ("<a>\n", "t.xml:2:1: error: The file ends before the element <a>"),
      ("", "t.xml:1:1: error: The file holds no"),
      ("<a x=1/>", "t.xml:1:6: error: The value of the attribute x needs quotes"),
      ("<a x='1' x='2'/>", "t.xml:1:10: error: The attribute x is there twice"),
      ("<a>&nbsp;</a>", "t.xml:1:4: error: This holds a reference"),
      ("<a/><b/>", "t.xml:1:5: error: A second root"),
      ("<a/>x", "t.xml:1:5: error: Text cannot stand outside"),
      ("<!-- x", "t.xml:1:1: error: This comment is never"),
      ("</a>", "t.xml:1:1: error: </a> closes an element that was never"),
      ("<a>&#0;</a>", "t.xml:1:4: error: This holds a reference"),
      ("<1/>", "t.xml:1:2: error: A name cannot start"),
      ("<a x='<'/>", "t.xml:1:7: error: \"<\" cannot"),
    ])
  func locates(text: String, expected: String) {
    let problem = #expect(throws: TextProblem.self) { try Self.pieces(text) }
    #expect(problem?.description.hasPrefix(expected) == true, "\(String(describing: problem))")
  }

  @Test(
    "A mark of the byte order moves no column, also of a file that is given in parts",
    arguments: [1, 2, 64])
  func byteOrderMark(size: Int) {
    let bytes = Array("\u{FEFF}<a><b></a>".utf8)
    var rest = bytes[...]
    var scanner = XMLScanner(file: "t.xml")
    do throws(TextProblem) {
      repeat {
        while scanner.wantsMore {
          scanner.append(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
      } while try scanner.next() != nil
      Issue.record("It is not well formed.")
    } catch {
      #expect(error.position.line == 1 && error.position.column == 7, "\(error)")
    }
    let whole = #expect(throws: TextProblem.self) { try Self.pieces("\u{FEFF}<a><b></a>") }
    #expect(whole?.position.column == 7)
  }

  @Test("Deep nesting is refused")
  func depth() {
    #expect(throws: TextProblem.self) { try Self.pieces(String(repeating: "<a>", count: 5_000)) }
  }

  @Test("Whatever is done to a file, reading ends")
  func survivesMutations() {
    var generator = Mixer(state: 3)
    for _ in 0..<2_000 {
      var scanner = XMLScanner(generator.mutated(Array(Self.export.utf8)), file: "m")
      do throws(TextProblem) {
        while try scanner.next() != nil {}
      } catch {
        #expect(error.position.line >= 1 && error.position.column >= 1)
      }
    }
  }

  @Test("What was written is indented and reads back equal")
  func writes() throws {
    var writer = XMLWriter()
    writer.open("suite", ["name": "a<b>\"&\n"])
    writer.empty("case", ["id": "1"])
    writer.element("out", text: "x & \u{1} y\n")
    writer.close()
    #expect(
      writer.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <suite name="a&lt;b&gt;&quot;&amp;&#10;">
          <case id="1"/>
          <out>x &amp; \u{FFFD} y
        </out>
        </suite>

        """)
    #expect(
      try Self.pieces(writer.text) == [
        "<suite name=a<b>\"&\n>", "<case id=1>", "</case>", "<out>", "x & \u{FFFD} y\n", "</out>",
        "</suite>",
      ])
  }
}
