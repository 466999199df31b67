import StructuredText
import Testing

@testable import ScenarioLanguage

@Suite("Scenario files built from one another")
struct DocumentTests {
  static let base = """
    { format: 'loopsim/1', id: 'base', clock: { duration: '24h', timeZone: 'UTC' },
      events: [{ id: 'a', at: '07:00', meal: { grams: 10 } }, { id: 'b', at: '08:00' }], tags: \
    ['x'] }
    """

  static func read(_ overlay: String) -> Read {
    Read([
      "Scenarios/base/b.json5": base,
      "Scenarios/a.json5": "{ format: 'loopsim/1', extends: 'base/b.json5', \(overlay) }",
    ])
  }

  @Test("Objects merge key by key, and other values replace what is inherited")
  func merges() throws {
    let read = Self.read("clock: { duration: '1h' }, tags: ['y'], patient: { model: 'm' }")
    #expect(read.sentences == [])
    #expect(try read.value("clock") == ["duration": "1h", "timeZone": "UTC"])
    #expect(try read.value("tags") == ["y"])
    #expect(try read.value("patient.model") == "m")
    #expect(read.document?.id == "a")
    #expect(read.document?.sources == ["Scenarios/a.json5", "Scenarios/base/b.json5"])
  }

  @Test(
    "A scenario without an id has the name of its file, without the extension and with no dots",
    arguments: [
      ("isf-1.1.json5", "isf-1-1"), ("Day_2.json", "day_2"), ("a/meal.json5", "meal"),
      ("day", "day"), (".json5", "scenario"),
    ])
  func namedByFile(path: String, id: String) {
    let read = Read([path: "{ format: 'loopsim/1' }"], path)
    #expect(read.document?.id == id)
  }

  @Test("Every value keeps the place where it was written")
  func origins() throws {
    let tree = try #require(Self.read("clock: { duration: '1h' }").document).tree
    let duration = try ScenarioPath("clock.duration").value(in: tree)
    let zone = try ScenarioPath("clock.timeZone").value(in: tree)
    #expect(duration?.position.file == "Scenarios/a.json5")
    #expect(zone?.position == TextPosition(file: "Scenarios/base/b.json5", line: 1, column: 72))
  }

  @Test("Lists are edited by operators")
  func edits() throws {
    #expect(
      try Self.read("tags: { $append: ['y'], $prepend: ['w'] }").value("tags") == ["w", "x", "y"])
    #expect(try Self.read("tags: { $remove: true }").value("tags") == nil)
    let merged = Self.read(
      "events: { $merge: { byKey: 'id', items: [{ id: 'a', meal: { grams: 20 } }, "
        + "{ id: 'b', $remove: true }, { id: 'c', at: '09:00' }] } }")
    #expect(merged.sentences == [])
    #expect(
      try merged.value("events") == [
        ["id": "a", "at": "07:00", "meal": ["grams": 20]], ["id": "c", "at": "09:00"],
      ])
  }

  /// Events with edits of them by their ids.
  private static func merged(_ items: String, _ edits: String) -> Read {
    Read([
      "Scenarios/b.json5": "{ format: 'loopsim/1', events: [\(items)] }",
      "Scenarios/a.json5": """
      { format: 'loopsim/1', extends: 'b.json5',
        events: { $merge: { byKey: 'id', items: [\(edits)] } } }
      """,
    ])
  }

  @Test("Of items with one name the first is matched, and the next once that is gone")
  func mergesFirst() throws {
    let items = "{ id: 'a', v: 1 }, { id: 'b' }, { id: 'a', v: 2 }"
    let edits = "{ id: 'a', $remove: true }, { id: 'a', w: 3 }, { id: 'c' }, { id: 'c', v: 4 }"
    let read = Self.merged(items, edits)
    #expect(read.sentences == [])
    #expect(
      try read.value("events") == [["id": "b"], ["id": "a", "v": 2, "w": 3], ["id": "c", "v": 4]])
  }

  @Test("Thousands of items are merged at once", .timeLimit(.minutes(1)))
  func mergesMany() throws {
    let count = 20_000
    let items = (0..<count).map { "{ id: 'e\($0)', v: 1 }" }.joined(separator: ",")
    let edits = (0..<count).map { "{ id: 'e\($0)', v: 2 }" }.joined(separator: ",")
    let read = Self.merged(items, edits)
    #expect(read.sentences == [])
    #expect(try read.value("events[\(count - 1)]") == ["id": "e\(count - 1)", "v": 2])
  }

  @Test(
    "A wrong edit is located",
    arguments: [
      ("tags: { $apend: ['y'] }", "\"$apend\" is not an edit of an inherited value"),
      (
        "clock: { $append: ['y'] }",
        "\"$append\" edits a list, but the inherited value is an object"
      ),
      ("tags: { $append: 'y' }", "\"$append\" must hold a list of items"),
      ("tags: { $append: ['y'], more: 1 }", "\"more\" cannot stand beside an edit"),
      ("tags: { $remove: 1 }", "\"$remove\" stands alone and is true"),
      (
        "events: { $merge: { byKey: 'id', items: [], itmes: [] } }",
        "\"itmes\" is not a known key in \"$merge\". Did you mean \"items\"?"
      ),
      ("events: { $merge: { items: [] } }", "\"$merge\" must hold the key to match by"),
      ("events: { $merge: { byKey: 'id', items: [{ at: 1 }] } }", "This item needs \"id\""),
      ("events: [{ $remove: true }]", "\"$remove\" cannot stand in a list that replaces"),
      ("pump: { $remove: true }", "warning: Nothing is inherited here"),
    ])
  func wrongEdits(overlay: String, sentence: String) {
    let sentences = Self.read(overlay).sentences
    #expect(sentences.count == 1)
    #expect(sentences.first?.contains(sentence) == true, "\(sentences)")
  }

  @Test("Rows beside the name of a table are refused, of which one alone would be read")
  func rowsBesideTable() {
    for (body, word) in [
      ("cgm: { trace: { csv: 'no.csv', rows: [] } }", "csv"),
      ("history: { glucose: { rows: [], csv: 'no.csv' } }", "csv"),
      ("expect: [{ timeline: 't', matches: 'no.csv', rows: [] }]", "matches"),
    ] {
      let told = Read(body).sentences
      #expect(
        told.count == 1 && told.allSatisfy { $0.contains("remove \"rows\" or \"\(word)\".") },
        "\(told)")
    }
  }

  @Test("Circles, missing files and files outside the folder are reported where they are named")
  func extending() {
    let circle = Read([
      "Scenarios/a.json5": "{ format: 'loopsim/1', extends: 'b.json5' }",
      "Scenarios/b.json5": "{ format: 'loopsim/1', extends: ['./a.json5'] }",
    ])
    #expect(
      circle.sentences.first?.contains(
        "b.json5:1:34: error: Files extend one another in a circle: a.json5 → b.json5 → a.json5")
        == true, "\(circle.sentences)")
    #expect(
      Read("extends: 'c.json5'").sentences == [
        "Scenarios/a.json5:1:33: error: There is no file \"Scenarios/c.json5\". Check its name; "
          + "paths are relative to the file that names them."
      ])
    #expect(
      Read("extends: '../../etc/x'").sentences.first?.contains(
        "lies outside the folder of the scenarios (\"Scenarios\")") == true)
    #expect(
      Read("extends: [3]").sentences.first?.contains("\"extends\" must be a path in quotes") == true
    )
  }

  @Test("The format is checked first, and an id is a slug")
  func identity() {
    #expect(
      Read(["Scenarios/a.json5": "{}"]).sentences.first?.contains("\"format\" is missing") == true)
    #expect(
      Read(["Scenarios/a.json5": "{ format: 'loopsim/2' }"]).sentences.first?.contains(
        "reads only 'loopsim/1'") == true)
    #expect(Read("id: 'A b'").sentences.first?.contains("lower-case letters") == true)
    #expect(Read("id: '-x'").sentences.first?.contains("not begin with a hyphen") == true)
    #expect(
      Read(["x/My File.v2.json5": "{ format: 'loopsim/1' }"], "x/My File.v2.json5").document?.id
        == "my-file-v2")
    #expect(
      Read(["a": "[1]"], "a").sentences == [
        "a:1:1: error: A scenario must be an object in braces, not a list."
      ])
  }

  @Test("An address is read and written alike, and one that leads nowhere says why")
  func paths() throws {
    for text in ["a", "a.b[0][1].c", "events[dinner].entry.grams"] {
      #expect(try ScenarioPath(text).description == text)
    }
    for text in ["", ".a", "a.", "a[", "a[]", "[0]", "a]b", "a..b", "a[0]b"] {
      #expect(throws: ScenarioPath.Trouble.self, "\(text)") { try ScenarioPath(text) }
    }
    let tree = try #require(Self.read("").document).tree
    let value = JSONNode(.integer(1), at: tree.position)
    let changed = try ScenarioPath("events[a].meal.grams").setting(value, in: tree)
    #expect(try ScenarioPath("events[0].meal.grams").value(in: changed)?.integer == 1)
    let made = try ScenarioPath("pump.pulse.size").setting(value, in: tree)
    #expect(try ScenarioPath("pump.pulse.size").value(in: made)?.integer == 1)
    for (text, sentence) in [
      ("events[x].at", "names an item with the id \"x\""),
      ("events[9].at", "names an item beyond the 2"),
      ("tags.y", "looks for the key \"y\" in a list"),
      ("clock[0]", "looks for an item in an object"),
      // What is not there is no object.
      ("faults[0].at", "names an item of \"faults\", which nothing states."),
      ("pump.x[0][1]", "names an item of \"pump.x\", which nothing states."),
      ("event[a].at", "which nothing states. Did you mean \"events\"?"),
    ] {
      let trouble = #expect(throws: ScenarioPath.Trouble.self) {
        try ScenarioPath(text).setting(value, in: tree)
      }
      #expect(trouble?.description.contains(sentence) == true)
    }
  }

  @Test("An id of digits alone is a place in an address, which is told where it is another's")
  func idsOfDigits() throws {
    let tree = try #require(
      Read("events: [{ id: '1', at: '06:00' }, { at: '07:00' }, { id: '2', at: '08:00' }]")
        .document
    ).tree
    let value = JSONNode(.string("09:00"), at: tree.position)
    let trouble = #expect(throws: ScenarioPath.Trouble.self) {
      try ScenarioPath("events[1].at").setting(value, in: tree)
    }
    #expect(
      trouble?.description == "The path \"events[1].at\" names the item at place 1, and that at "
        + "place 0 has the id \"1\". Give it an id with a letter in it.")
    let changed = try ScenarioPath("events[2].at").setting(value, in: tree)
    #expect(changed["events"]?.items?[2]["at"]?.string == "09:00")
    let items = try #require(tree["events"]?.items)
    for (place, item) in items.enumerated() {
      #expect(ScenarioPath.part(of: item, at: place) == .index(place))
    }
  }

  @Test("The rows of a table are not those of another that takes its place")
  func tables() throws {
    let problems = ProblemList()
    var reader = ScenarioReader(
      files: MemoryFiles([
        "d/a.csv": "time,glucose\n+5m,150\n", "d/b.csv": "time,glucose\n+5m,250\n",
        "d/s.json5": """
        { format: 'loopsim/1', cgm: { trace: { csv: 'a.csv' } },
          sweep: { 'cgm.trace': [{ csv: 'a.csv' }, { csv: 'b.csv' }] } }
        """,
      ]))
    let read = reader.read("d/s.json5", problems: problems)
    let tree = try #require(read, "\(problems.sorted)").tree
    func glucose(_ node: JSONNode?) -> Double? { node?["rows"]?.items?[0].items?[1].double }
    #expect(glucose(tree["cgm"]?["trace"]) == 150)
    let swept = tree["sweep"]?["cgm.trace"]?.items ?? []
    #expect(swept.map { glucose($0) } == [150, 250])
    let path = try ScenarioPath("cgm.trace.csv")
    func named(_ name: String) throws -> JSONNode? {
      let value = JSONNode(.string(name), at: tree.position)
      return try ScenarioPath("cgm.trace").value(in: path.setting(value, in: tree))
    }
    #expect(glucose(try named("a.csv")) == 150)
    let other = try #require(try named("b.csv"))
    #expect(other["csv"]?.string == "b.csv" && other["rows"] == nil)
  }

  @Test("A file that is extended in many ways is laid over its bases once")
  func diamond() throws {
    var files = ["Scenarios/x40.json5": "{ format: 'loopsim/1', tags: ['deep'] }"]
    for level in 0..<40 {
      let next = "x\(level + 1).json5"
      files["Scenarios/x\(level).json5"] =
        "{ format: 'loopsim/1', extends: ['\(next)', '\(next)', './\(next)'] }"
    }
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let read = reader.read("Scenarios/x0.json5", problems: problems)
    let document = try #require(read)
    #expect(document.tags == ["deep"])
    #expect(reader.mergedFiles == 41)
  }
}
