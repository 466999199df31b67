import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("What a client sets of a run, and what of a scenario its run cannot be held to")
struct OverrideTests {
  /// The first answer to a reset without decisions.
  private static func begin(
    _ text: String, overrides: JSONValue = .object([])
  ) throws -> JSONValue {
    var session = BridgeFixture.session(["s.json5": text])
    return try #require(
      session.ask([
        "type": "reset", "scenario": "s.json5", "answers": [], "overrides": overrides,
      ]).first)
  }

  @Test(
    "What all runs of a file have in common is no override",
    arguments: [
      "id", "extends", "sweep", "variants", "cohort.take", "random.replicates",
    ])
  func ofTheFile(path: String) throws {
    let answer = try Self.begin(
      BridgeFixture.scenario(), overrides: .object([.init(path, .integer(2))]))
    #expect(
      answer.text("text") == "\"\(path)\" belongs to the file as a whole; no override sets it.")
    #expect(answer.text("path") == "$.overrides")
  }

  @Test("Several repetitions within a block are no override, and the rest of the block is one")
  func blocks() throws {
    let refused = try Self.begin(
      BridgeFixture.scenario(), overrides: ["random": ["seed": 4, "replicates": 2]])
    #expect(refused.text("path") == "$.overrides", "\(refused)")
    let four = BridgeFixture.scenario().replacing(
      "random: { seed: 3 }", with: "random: { seed: 4 }")
    let taken = try Self.begin(BridgeFixture.scenario(), overrides: ["random": ["seed": 4]])
    #expect(try taken.text("seed") == Self.begin(four).text("seed"))
  }

  @Test("Which of the repetitions a run is may be set, and is what a file says")
  func replicate() throws {
    let plain = try Self.begin(BridgeFixture.scenario())
    let second = BridgeFixture.scenario().replacing("seed: 3", with: "seed: 3, replicate: 2")
    let said = try Self.begin(second).text("seed")
    let set = try Self.begin(BridgeFixture.scenario(), overrides: ["random.replicate": 2])
    #expect(said != nil && said != plain.text("seed"))
    #expect(set.text("seed") == said)
  }

  @Test("Which of several repetitions a run is cannot be set, be it alone or with its block")
  func oneOfSeveral() throws {
    let text = BridgeFixture.scenario().replacing("seed: 3", with: "seed: 3, replicates: 2")
    for overrides in [["random.replicate": 1], ["random": ["seed": 3, "replicate": 1]]]
      as [JSONValue]
    {
      var session = BridgeFixture.session(["s.json5": text])
      let answer = try #require(
        session.ask([
          "type": "reset", "scenario": "s.json5", "of": "evening/r0", "answers": [],
          "overrides": overrides,
        ]).first)
      #expect(
        answer["problems"]?.items?.map { $0.text("text") } == [
          "\"random.replicate\" has no effect beside several replicates."
        ], "\(answer)")
    }
  }

  @Test("An expectation that looks at several runs is told not to be judged of one")
  func joined() throws {
    let text = BridgeFixture.scenario(
      """
      expect: [{ id: 'own', metric: 'tir(70,180)', min: 0 },
        { id: 'joint', metric: 'tir(70,180)', min: 0, across: 'mean' }]
      """)
    let problems = try Self.begin(text)["problems"]?.items ?? []
    #expect(
      problems.map { $0.text("text") } == [
        "The expectation \"joint\" looks at several runs of the scenario, and is not judged of "
          + "one alone; \"judge\" judges it of all."
      ])
    #expect(problems.first?.text("severity") == "warning")
    #expect(problems.first?.text("file") == "s.json5")
  }

  @Test("The files with which a scenario compares its run are read where it came from")
  func compared() throws {
    let text = BridgeFixture.scenario(
      """
      history: { observed: { csv: 'night.csv' } },
      expect: [{ id: 'seen', compare: { metric: 'mean', other: 'observed' },
          difference: { min: -500, max: 500 } },
        { id: 'kept', golden: 'kept.csv' }]
      """)
    var session = BridgeFixture.session([
      "s.json5": text, "night.csv": "time,glucose\n+0m,170\n+2h,150\n", "kept.csv": "nonsense\n",
    ])
    _ = session.ask(["type": "reset", "scenario": "s.json5", "answers": []])
    let end = session.ask([
      "type": "advance", "run": "r1", "through": "2099-01-01T00:00:00Z",
    ]).first
    let verdicts = end?["summary"]?["expectations"]?.items ?? []
    #expect(verdicts.map { $0.text("outcome") } == ["passed", "failed"])
    #expect(
      verdicts.last?.text("message") == "kept.csv: the column nonsense is only in kept",
      "\(verdicts)")
  }
}
