import StructuredText
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  @Test("Tables have a line for each row, and keys keep their order")
  func layout() {
    let value: JSONValue = [
      "zeta": 1, "alpha": [1, 2.5, "x"], "rows": [["a": 1, "b": nil], ["a": 2, "b": true]],
      "none": [], "nested": ["deep": ["x": 0.1]],
    ]
    #expect(
      JSONWriter().text(value) == """
        {
          "zeta": 1,
          "alpha": [1, 2.5, "x"],
          "rows": [
            {"a": 1, "b": null},
            {"a": 2, "b": true}
          ],
          "none": [],
          "nested": {
            "deep": {
              "x": 0.1
            }
          }
        }

        """)
    #expect(
      JSONWriter().line(["a": [1, ["b": "c\"\n\u{1}"]]]) == #"{"a": [1, {"b": "c\"\n\u0001"}]}"#)
  }

  @Test("The hand-written style has bare keys, single quotes and a header")
  func json5() {
    let value: JSONValue = ["a": 1, "x-b": ["c": "it's"], "list": [["k": "v"]]]
    #expect(
      JSONWriter(style: .json5).text(value, header: ["From a test."]) == """
        // From a test.
        {
          a: 1,
          'x-b': { c: "it's" },
          list: [
            { k: 'v' },
          ],
        }

        """)
  }

  @Test("What fits takes one line where that is wanted, with remarks above items of lists")
  func joined() {
    var writer = JSONWriter(style: .json5)
    writer.joinsWhatFits = true
    writer.remarks = ["list[1]": "By chance.", "list[9]": "Nowhere."]
    let value: JSONValue = [
      "a": ["b": ["c": [1, [2]]]], "list": [["k": ["l": 1]], ["k": 2]], "long": ["deep": ["x": []]],
    ]
    #expect(
      writer.text(value) == """
        {
          a: { b: { c: [1, [2]] } },
          list: [
            { k: { l: 1 } },
            // By chance.
            { k: 2 },
          ],
          long: { deep: { x: [] } },
        }

        """)
  }

  @Test("A comment ends with its line, whatever it holds")
  func comments() {
    var writer = JSONWriter(style: .json5)
    writer.remarks = ["a[0]": "From x\ry."]
    #expect(
      writer.text(["a": [["b": [1, ["c": 2]]]]], header: ["The file a\nb."]).hasPrefix(
        #"""
        // The file a\nb.
        {
          a: [
            // From x\ry.
        """#))
  }

  @Test("Numbers that are not finite are written as null")
  func notFinite() {
    #expect(JSONWriter().line([.number(.nan), .number(.infinity)]) == "[null, null]")
  }

  @Test("What was written reads back equal, in both styles", arguments: 0..<60 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = Mixer(state: seed)
    let value = Self.value(&generator, depth: 0)
    for style in [JSONWriter.Style.json, .json5] {
      let text = JSONWriter(style: style).text(value)
      let reading = JSONReader.read(text: text, file: "")
      #expect(reading.problems.isEmpty)
      let again = JSONValue(try #require(reading.root))
      #expect(again == value)
      #expect(JSONWriter(style: style).text(again) == text)
    }
  }

  static func value(_ generator: inout Mixer, depth: Int) -> JSONValue {
    switch generator.below(depth > 3 ? 6 : 9) {
    case 0: return .null
    case 1: return .bool(generator.below(2) == 0)
    case 2: return .integer(Int64(truncatingIfNeeded: generator.next()))
    case 3:
      let number = Double(bitPattern: generator.next())
      return .number(number.isFinite ? number : 0.5)
    case 4, 5:
      let pieces = ["a", "ü", "\"", "'", "\\", "\n", "😀", "\u{0}", " ", "\u{2028}", "/"]
      return .string((0..<generator.below(8)).map { _ in pieces[generator.below(11)] }.joined())
    case 6:
      return .object(
        (0..<generator.below(5)).map { .init("k\($0)", value(&generator, depth: depth + 1)) })
    default:
      return .array((0..<generator.below(5)).map { _ in value(&generator, depth: depth + 1) })
    }
  }
}
