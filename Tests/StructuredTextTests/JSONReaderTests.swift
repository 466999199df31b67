import StructuredText
import Testing

@Suite("JSON with comments")
struct JSONReaderTests {
  static func value(_ text: String) throws -> JSONValue {
    let reading = JSONReader.read(text: text, file: "a.json5")
    #expect(reading.problems.isEmpty)
    return JSONValue(try #require(reading.root))
  }

  static func problems(_ text: String) -> [String] {
    JSONReader.read(text: text, file: "a.json5").problems.map(\.description)
  }

  @Test(
    "What people write by hand is understood",
    arguments: [
      ("{}", .object([])), ("[]", .array([])), (" null ", .null), ("\u{FEFF}true", true),
      (
        "// a\n{ a: 1, /* b\n */ 'b': \"c\", $d_1: [1, 2,], }", ["a": 1, "b": "c", "$d_1": [1, 2]]
      ),
      ("{ größe: 1 }", ["größe": 1]), ("[0x1F, +5, -0x10]", [31, 5, -16]),
      ("[.5, 5., 1e3, -2.5E-1]", [0.5, 5.0, 1000.0, -0.25]),
      ("'it\\'s \\x41\\u00e9\\uD83D\\uDE00 \\\r\nend\\q'", "it's Aé😀 endq"),
      ("\"tab\\tnul\\0\"", "tab\tnul\0"), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(0x1p63)),
      ("-0", .number(-0.0)), ("0", 0), ("\u{a0}1\u{2028}", 1),
    ] as [(String, JSONValue)])
  func understands(text: String, value: JSONValue) throws {
    #expect(try Self.value(text) == value)
  }

  @Test(
    "Numbers are rounded correctly",
    arguments: [
      "0.1", "0.3", "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308",
      "9007199254740993", "123456789012345678901234567890", "0.000001", "1e22", "1e23", "8.41e-21",
      "179769313486231580793728971405301e276",
    ])
  func roundsNumbers(text: String) throws {
    let node = try #require(JSONReader.read(text: text, file: "").root)
    #expect(node.double == Double(text))
  }

  @Test("However many zeros a number has, its exponent counts as it stands")
  func longNumbers() throws {
    let zeros = String(repeating: "0", count: 99_999)
    #expect(try Self.value("0.\(zeros)1e100001") == .number(10))
    #expect(try Self.value("1\(zeros)e-99998") == .number(10))
  }

  @Test(
    "A problem is located and says what to do",
    arguments: [
      ("", "a.json5:1:1: error: The file is empty"),
      (
        "{ a: 1,\n  a: 2 }",
        "a.json5:2:3: error: The key \"a\" is repeated; it is already at line 1"
      ),
      ("{ a: NaN }", "a.json5:1:6: error: NaN is not a finite number"),
      ("[-Infinity]", "a.json5:1:2: error: Infinity is not a finite number"),
      ("[1e999]", "a.json5:1:2: error: The number is beyond what a double can hold"),
      ("{ d: 5m }", "a.json5:1:6: error: A number is followed by something else. Put quotes"),
      ("{ t: 18:30 }", "a.json5:1:6: error: A number is followed by something else. Put quotes"),
      ("[1 2]", "a.json5:1:4: error: A comma is missing"),
      ("[1,,2]", "a.json5:1:4: error: There are two commas"),
      ("{ a: [1 }", "a.json5:1:9: error: \"}\" cannot stand here: the list opened at line 1"),
      ("{ a: 1", "a.json5:1:7: error: The file ends before the object opened at line 1, column 1"),
      ("{ a-b: 1 }", "a.json5:1:4: error: The key that starts with \"a\" needs quotes"),
      (
        "{ a: -10,25 }",
        "a.json5:1:12: error: A comma ends a value, and \"10,25\" has one between digits. Write "
          + "decimals with a point: 10.25."
      ),
      ("{ a: 1.5,2: 3 }", "a.json5:1:11: error: The key that starts with \"2\" needs quotes"),
      ("{ a: 1,2: 3 }", "a.json5:1:9: error: The key that starts with \"2\" needs quotes"),
      ("{ a: 1.5,2 }", "a.json5:1:11: error: The key that starts with \"2\" needs quotes"),
      ("{ a: 1, 2: 3 }", "a.json5:1:10: error: The key that starts with \"2\" needs quotes"),
      ("{ a: 1,2b: 3 }", "a.json5:1:10: error: The key that starts with \"2b\" needs quotes"),
      ("{ \"ä\": 'x }", "a.json5:1:8: error: The text that starts here is not closed"),
      ("/* \n", "a.json5:1:1: error: This comment is never closed"),
      ("01", "a.json5:1:1: error: A number does not start with 0"),
      ("'\\uD800'", "a.json5:1:2: error: This escape is half of a surrogate pair"),
      ("True", "a.json5:1:1: error: The word True is not a value. Put quotes around a text. Did"),
      ("1 2", "a.json5:1:3: error: The file goes on after its value"),
      ("{ : 1 }", "a.json5:1:3: error: A key is expected here, not \":\""),
      ("+", "a.json5:1:2: error: Digits must follow"),
      ("0x", "a.json5:1:1: error: Hexadecimal digits must follow 0x"),
    ])
  func locates(text: String, expected: String) throws {
    let problem = try #require(Self.problems(text).first)
    #expect(problem.hasPrefix(expected), "\(problem)")
  }

  @Test("One pass reports every problem that leaves no doubt about what follows")
  func reportsAll() {
    let problems = Self.problems("{ a: NaN, a: 1 b: 5m,\n c: '\\u12', d: yes }")
    #expect(problems.count == 6)
    #expect(JSONReader.read(text: "{ a: NaN, b: 2 }", file: "").root?["b"]?.integer == 2)
    // What is left of a number that is none is no word of its own.
    #expect(Self.problems("{ a: 1em, b: 0xgh, c: 1e, d: 0x }").count == 4)
  }

  @Test("Where reading stops after so many problems, that is told")
  func stopsAloud() {
    var limits = JSONReader.Limits()
    limits.problems = 3
    let problems = JSONReader.read(text: "[1 2 3 4 5 6]", file: "a", limits: limits).problems
    #expect(problems.map(\.position.column) == [4, 6, 8, 8])
    #expect(problems.last?.severity == .note)
    #expect(
      problems.last?.sentence == "Reading stops here, after 3 problems; there may be more.")
    #expect(JSONReader.read(text: "[1 2 3]", file: "a", limits: limits).problems.count == 2)
  }

  @Test("However many keys are repeated, reading goes on, and each key is counted")
  func countsRepeatedKeys() throws {
    var limits = JSONReader.Limits()
    limits.repeatedKeys = .lastCounts
    let pairs = Array(repeating: "{\"a\":1,\"a\":2}", count: 300) + ["{\"b\":1,\"b\":2,\"b\":3}"]
    let reading = JSONReader.read(
      text: "[\n\(pairs.joined(separator: ",\n"))]", file: "a", limits: limits)
    let items = try #require(reading.root?.items)
    #expect(items.count == 301)
    #expect(items[299]["a"]?.integer == 2 && items[300]["b"]?.integer == 3)
    #expect(reading.repeatedKeys.map(\.key) == ["a", "b"])
    #expect(reading.repeatedKeys.map(\.count) == [300, 2])
    #expect(reading.repeatedKeys.map(\.first.line) == [2, 302])
    #expect(reading.problems.count == limits.problems + 1)
    #expect(reading.problems.allSatisfy { $0.severity != .error })
    #expect(reading.problems.last?.code == ProblemList.omissionCode)
    let refused = JSONReader.read(
      text: "[\(pairs.prefix(3).joined(separator: ","))]", file: "a", limits: .init())
    #expect(refused.problems.count == 3 && refused.repeatedKeys.isEmpty)
  }

  @Test("Bytes that are not UTF-8 are located")
  func locatesBadBytes() {
    let reading = JSONReader.read(Array("{\n 'ä".utf8) + [0xff, 0x27], file: "a.json5")
    #expect(reading.root == nil)
    #expect(reading.problems.first?.position == TextPosition(file: "a.json5", line: 2, column: 4))
  }

  @Test("Deep nesting and large files are refused")
  func keepsLimits() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(Self.problems(deep).first?.contains("more than 128 deep") == true)
    var limits = JSONReader.Limits()
    limits.bytes = 3
    let reading = JSONReader.read(text: "[1, 2]", file: "a", limits: limits)
    #expect(reading.problems.first?.sentence.contains("at most 3 are read") == true)
  }

  @Test("Every value and key has its place")
  func placesNodes() throws {
    let text = "{\r\n  a: [1,\r  'é', 2] }"
    let root = try #require(JSONReader.read(text: text, file: "f").root)
    let member = try #require(root.members?.first)
    #expect(member.keyPosition == TextPosition(file: "f", line: 2, column: 3))
    let items = try #require(member.value.items)
    #expect(items[1].position == TextPosition(file: "f", line: 3, column: 3))
    #expect(items[2].position == TextPosition(file: "f", line: 3, column: 8))
  }

  @Test("Whatever is done to a file, reading ends and every problem has a place in it")
  func survivesMutations() {
    let seed = Array(
      """
      // a file
      { format: 'loopsim/1', "id": "x\\u00e9\\uD83D\\uDE00", n: [1, -2.5e3, 0x1F, .5, 5., +1],
        /* remark */ deep: { a: { b: [[[true, false, null]]] } }, 'ü': 'it\\'s \\
      on', t: "18:30", }
      """.utf8)
    var generator = Mixer(state: 7)
    for _ in 0..<4_000 {
      let bytes = generator.mutated(seed)
      let reading = JSONReader.read(bytes, file: "m")
      #expect(reading.root != nil || !reading.problems.isEmpty)
      let lines = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
      for problem in reading.problems {
        #expect((1...lines).contains(problem.position.line))
        #expect((1...(bytes.count + 1)).contains(problem.position.column))
      }
    }
  }
}

/// SplitMix64, and damage done with it to a file.
struct Mixer: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// The bytes with one to six of them changed, removed, doubled or cut off.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(6) where !bytes.isEmpty {
      let place = below(bytes.count)
      switch below(6) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("{}[]\"'\\,:/*\n\r0-+.eENI".utf8)[below(21)], at: place)
      case 3: bytes.removeLast(below(bytes.count))
      case 4:
        let end = min(bytes.count, place + below(12))
        bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
      default: bytes[place] = [0x00, 0x7f, 0x80, 0xc2, 0xe2, 0xed, 0xf4, 0xff][below(8)]
      }
    }
    return bytes
  }
}
