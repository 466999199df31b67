import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("What a client is told that asks too much")
struct AfterTheEndTests {
  /// A session in which a run was lived to its end, and that run's last answer.
  private func ended(_ answers: JSONValue) throws -> (ServeSession, JSONValue) {
    var session = BridgeFixture.session(["evening.json5": BridgeFixture.scenario()])
    var message = session.ask(
      ["type": "reset", "scenario": "evening.json5", "answers": answers]
    ).last
    while let question = message, question.text("type") == "decide" {
      message = session.ask(["type": "act", "run": "r1", "n": question["n"] ?? .null]).last
    }
    if message?.text("type") == "begin" {
      message =
        session.ask(["type": "advance", "run": "r1", "through": "2100-01-01T00:00:00Z"]).last
    }
    let end = try #require(message)
    try #require(end.text("type") == "end", "\(end)")
    return (session, end)
  }

  @Test("A run that is over has no question, and ends again for who lives on")
  func over() throws {
    for answers in [["decision"], []] as [JSONValue] {
      var (session, end) = try ended(answers)
      #expect(
        session.ask(["type": "advance", "run": "r1", "through": "2026-01-05T00:30:00Z"]) == [end])
      for type in ["act", "boluses", "lived"] as [JSONValue] {
        let refused = try #require(session.ask(["type": type, "run": "r1", "n": 1]).first)
        #expect(refused.text("text") == "The run is over, and asks no more.")
      }
    }
  }

  @Test("Where Loop decides there is nothing to answer")
  func loopDecides() throws {
    var session = BridgeFixture.session(["evening.json5": BridgeFixture.scenario()])
    _ = session.ask(["type": "reset", "scenario": "evening.json5", "answers": []])
    let refused = try #require(session.ask(["type": "act", "run": "r1", "n": 0]).first)
    #expect(refused.text("text") == "In this run Loop decides; live on with \"advance\".")
  }

  @Test("A line that is too long is told by the limit, as no more is read of it")
  func tooLong() throws {
    var session = BridgeFixture.session([:])
    let line = [UInt8](repeating: 0x20, count: BridgeProtocol.longestRequest + 1)
    let answer = try #require(session.reply(to: line).first)
    #expect(
      answer.contains("The line has more than 16777216 bytes, the most that are read of one."))
  }
}
