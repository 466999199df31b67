import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("What is entered of food that was eaten long before, and what no app takes")
struct LateEntryTests {
  /// The rows of carbohydrates that a client is told, with the minute of their question.
  private static func told(_ events: String) throws -> [(minute: Double, row: JSONValue)] {
    let scenario = BridgeFixture.scenario(
      "controller: { command: ['none'], history: '1h' }", events: events)
    var session = BridgeFixture.session(["s.json5": scenario])
    var message = session.ask(["type": "reset", "scenario": "s.json5"]).last
    var told: [(minute: Double, row: JSONValue)] = []
    while let question = message, question.text("type") == "decide" {
      let minute = (question.number("seconds") ?? .nan) / 60
      told += (question["carbs"]?.items ?? []).map { (minute, $0) }
      message =
        session.ask([
          "type": "act", "run": question["run"] ?? .null, "n": question["n"] ?? .null,
        ]).last
    }
    #expect(message?.text("type") == "end", "\(message ?? .null)")
    return told
  }

  @Test("An entry is told when it is typed, also where its food was eaten before the window")
  func late() throws {
    let told = try Self.told("{ at: '+10m', meal: { grams: 20 }, entry: { at: '+100m' } }")
    #expect(told.map(\.minute) == [110])
    #expect(told.first?.row.number("grams") == 20)
    // What becomes too old is not gone; what is deleted is.
    let deleted = try Self.told(
      """
      { at: '+10m', meal: { grams: 20 },
        entry: { at: '+100m', edits: [{ at: '+130m', delete: true }] } }
      """)
    #expect(deleted.map(\.minute) == [110, 140], "\(deleted)")
    #expect(deleted.last?.row["removed"] == true)
  }

  /// The grams that a member of a batch sees as entered, by the minute of the step.
  private static func entered(_ event: String, _ environment: String) throws -> [Int: Double] {
    var session = BridgeFixture.session([
      "s.json5": BridgeFixture.scenario(events: event)
    ])
    let batch = session.ask([
      "type": "batch", "scenario": "s.json5", "members": 1, "environment": .string(environment),
    ]).first
    try #require(batch?.text("type") == "batch", "\(batch ?? .null)")
    var seen = session.ask(["type": "batchReset", "batch": "b1", "seeds": ["1"]]).first
    var entered: [Int: Double] = [:]
    for step in 0..<40 {
      let grams = seen?.numbers("observations")?.last ?? .nan
      if grams != 0 { entered[step * 5] = grams }
      seen = session.ask(["type": "batchStep", "batch": "b1", "actions": [-1, 0]]).first
    }
    return entered
  }

  @Test(
    "A batch sees what the app takes, when it is typed",
    arguments: ["scenario", "patient"])
  func batches(environment: String) throws {
    let late = "{ at: '+10m', meal: { grams: 20 }, entry: { at: '+100m' } }"
    #expect(try Self.entered(late, environment) == [110: 20])
    // The app takes food of at most 250 g, which takes from half an hour to 8 hours.
    let quick = "{ at: '+40m', meal: { grams: 20, absorption: '15m' } }"
    #expect(try Self.entered(quick, environment) == [:])
    #expect(try Self.entered("{ at: '+40m', meal: { grams: 300 } }", environment) == [:])
    #expect(try Self.entered("{ at: '+40m', meal: { grams: 250 } }", environment) == [40: 250])
  }
}
