import StructuredText
import Testing

@Suite("Reading fields of a document")
struct JSONFieldTests {
  enum Colour: String, CaseIterable { case red, green }

  static func root(_ text: String) throws -> JSONField {
    JSONField(
      try #require(JSONReader.read(text: text, file: "d.json5").root), problems: ProblemList())
  }

  static func sentences(_ field: JSONField) -> [String] { field.problems.sorted.map(\.description) }

  @Test("Values are read, and missing ones are nothing")
  func reads() throws {
    let root = try Self.root("{ a: { t: 'x', n: 2, b: true, l: [1, 2.0], c: 'red' } }")
    let a = root.required("a")
    #expect(a["t"].text() == "x")
    #expect(a["n"].number(in: 0...5) == 2)
    #expect(a["b"].bool() == true)
    #expect(a["l"].items()?.map { $0.integer() } == [1, 2])
    #expect(a["l"][1].path == "a.l[1]")
    #expect(a["c"].choice(Colour.self) == .red)
    #expect(a["z"].text() == nil)
    #expect(a["z"]["y"].required("x").number() == nil)
    #expect(root.problems.problems.isEmpty)
  }

  @Test("What has no keys where some are needed is said once, and null is absent")
  func noObject() throws {
    let root = try Self.root("{ a: [7, null], b: null }")
    for item in root.required("a").items() ?? [] {
      #expect(item.required("t").text() == nil)
      #expect(item.required("n").number() == nil)
    }
    #expect(root["b"].required("t").text() == nil)
    #expect(
      Self.sentences(root) == [
        "d.json5:1:7: error: \"a[0]\" must be an object in braces, not 7."
      ])
  }

  @Test("A mark of the byte order moves no column", arguments: ["", "\u{FEFF}"])
  func byteOrderMark(mark: String) throws {
    let json = JSONReader.read(text: mark + "{ a: }", file: "d.json5")
    #expect(json.problems.map(\.position.column) == [6])
    let problems = ProblemList()
    let table = try #require(CSVTable(Array("\(mark)a,b\n1,2".utf8), file: "t", problems: problems))
    #expect(table.header.map(\.position.column) == [1, 3])
    #expect(table.rows[0].map(\.position.column) == [1, 3])
  }

  @Test("What is missing or unusable is said once, with its path and what was expected")
  func reports() throws {
    let root = try Self.root("{ a: { t: 5, n: 9,\n c: 'gren' } }")
    let a = root.required("a")
    _ = a["t"].text()
    _ = a["t"].bool()
    _ = a["n"].number(in: 0...5, unit: "g")
    _ = a["c"].choice(Colour.self)
    _ = a.required("q").integer(in: 1...3)
    #expect(
      Self.sentences(a) == [
        "d.json5:1:6: error: \"a.q\" is missing; it must be a whole number from 1 to 3.",
        "d.json5:1:11: error: \"a.t\" must be a text in quotes, not 5.",
        "d.json5:1:17: error: \"a.n\" must be a number from 0 to 5 (g), not 9.",
        "d.json5:2:5: error: \"gren\" is not a value of \"a.c\"; it must be one of \"red\", "
          + "\"green\". Did you mean \"green\"?",
      ])
  }

  @Test("Of a list with the wrong values it is not said that it should be a list, and is one")
  func wrongList() throws {
    let root = try Self.root("{ l: [1] }")
    root["l"].reportUnusable(expected: "a list of two values")
    root["l"][0].reportUnusable(expected: "a list of two values")
    #expect(
      Self.sentences(root) == [
        "d.json5:1:6: error: \"l\" must be a list of two values; this list is not one.",
        "d.json5:1:7: error: \"l[0]\" must be a list of two values, not 1.",
      ])
  }

  @Test("Unknown keys are reported with the nearest known one; remarks are carried")
  func unknownKeys() throws {
    let root = try Self.root("{ meal: { carb: 1, note: 'x', 'x-y': 2, zzz: 3 } }")
    root["meal"].allowOnly(["carbs", "name"])
    #expect(
      Self.sentences(root) == [
        "d.json5:1:11: error: \"carb\" is not a known key in \"meal\". Did you mean \"carbs\"?",
        "d.json5:1:41: error: \"zzz\" is not a known key in \"meal\". Known keys: carbs, name.",
      ])
  }

  @Test("The list of problems is limited and holds none twice")
  func limits() {
    let list = ProblemList(limit: 2)
    let place = TextPosition(file: "f", line: 1, column: 1)
    for number in [1, 1, 2, 3, 4] { list.warning(at: place, code: "W", "Problem \(number).") }
    #expect(
      list.problems.map(\.description) == [
        "f:1:1: warning: Problem 1. [W]", "f:1:1: warning: Problem 2. [W]",
      ])
    #expect(
      list.sorted.last?.description
        == "f:1:1: note: More warnings and notes were found than the 2 that are shown, "
        + "this one among them. [N-MORE]")
    #expect(list.sorted.count == 3)
  }

  @Test("Of more errors than are kept the first that is not shown has a note in its place")
  func omittedErrors() {
    let list = ProblemList(limit: 2)
    func place(_ line: Int) -> TextPosition { TextPosition(file: "f", line: line, column: 1) }
    for line in [1, 5, 3, 7] { list.error(at: place(line), "Wrong.") }
    list.warning(at: place(2), "Odd.")
    #expect(
      list.sorted.map(\.description) == [
        "f:1:1: error: Wrong.",
        "f:2:1: warning: Odd.",
        "f:3:1: note: More errors were found than the 2 that are shown, this one among them. "
          + "[N-MORE]",
        "f:5:1: error: Wrong.",
      ])
    let whole = ProblemList(limit: 2)
    for line in [1, 5] { whole.error(at: place(line), "Wrong.") }
    #expect(whole.sorted.count == 2)
    // An error that is there already is none more.
    whole.error(at: place(5), "Wrong.")
    #expect(!whole.omitsErrors)
    #expect(list.omitsErrors)
  }
}

@Suite("The nearest name")
struct NearestNameTests {
  @Test(
    "The distance counts insertions, deletions, replacements and swaps",
    arguments: [
      ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "abc", 0), ("ab", "ba", 1),
      ("ca", "abc", 3),
      ("flaw", "lawn", 2),
    ])
  func distance(first: String, second: String, distance: Int) {
    #expect(NearestName.distance(first, second) == distance)
    #expect(NearestName.distance(second, first) == distance)
  }

  @Test(
    "The nearest word is found by the fewest single-letter changes, and none where none is near",
    arguments: [
      ("kitten", ["sitting", "mitten"], "mitten"),
      ("car", ["grams", "carbs"], "carbs"),
      ("gram", ["gramsPerHour", "grams"], "grams"),
      ("zz", ["sd", "cv"], nil),
      ("verfy", ["verify", "merge"], "verify"),
      ("zzz", ["run", "check"], nil),
      ("x", ["run"], nil),
      ("rnu", ["sum", "run"], "run"),
      ("chekc", ["check"], "check"),
      ("out", ["outcomes"], "outcomes"),
      ("--vers", ["--version"], "--version"),
      ("frob", ["run", "store"], nil),
      ("--frob", ["--run"], nil),
      ("init", ["audit"], nil),
      ("start", ["store"], nil),
      ("--JUNIT", ["--jobs", "--junit"], "--junit"),
      ("EUROPE/BERLIN", ["Europe/Bern", "Europe/Berlin"], "Europe/Berlin"),
      ("insulin", ["Height", "InsulinDelivery"], "InsulinDelivery"),
    ] as [(String, [String], String?)])
  func suggestsNearest(word: String, candidates: [String], expected: String?) {
    #expect(NearestName.nearest(to: word, among: candidates) == expected)
  }

  @Test("A near name is offered, a far one is not")
  func nearest() {
    let names = ["carbs", "grams", "absorption", "closedLoop"]
    #expect(NearestName.nearest(to: "carb", among: names) == "carbs")
    #expect(NearestName.nearest(to: "absorbtion", among: names) == "absorption")
    #expect(NearestName.nearest(to: "closedloop", among: names) == "closedLoop")
    #expect(NearestName.nearest(to: "xyz", among: names) == nil)
    #expect(NearestName.nearest(to: "", among: names) == nil)
    #expect(NearestName.suggestion(for: "gram", among: names) == " Did you mean \"grams\"?")
  }

  @Test("Of 28 words all are named, and of more the first, with their number")
  func manyWords() throws {
    for (count, ending) in [(28, "\"w26\", \"w27\"."), (29, "\"w7\", … (29 in all).")] {
      let field = try JSONFieldTests.root("{ a: 'x' }")["a"]
      #expect(field.choice(of: (0..<count).map { "w\($0)" }) == nil)
      #expect(JSONFieldTests.sentences(field).first?.hasSuffix(ending) == true)
    }
  }
}
