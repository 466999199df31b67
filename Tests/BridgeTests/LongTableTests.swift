import StructuredText
import Testing

@testable import Bridge

@Suite("Tables of more rows than one answer has")
struct LongTableTests {
  @Test("An identifier of digits is a text, and an amount that no row has is a number")
  func types() throws {
    // Of the pump's first event the identifier is 0000000100000001, and the next ones end with a.
    let text = BridgeFixture.scenario("app: { closedLoop: false },")
      .replacing("app: { dosing: 'tempBasal' },", with: "")
      .replacing("events: [", with: "events: [{ at: '+30m', bolus: { units: 1 } }, ")
    var session = BridgeFixture.session(["short.json5": text])
    _ = session.ask(["type": "reset", "scenario": "short.json5", "answers": []])
    _ = session.ask(["type": "advance", "run": "r1", "through": "2100-01-01T00:00:00Z"])
    let answer = session.ask(["type": "records", "run": "r1", "table": "event-history"]).first
    let records = try #require(answer)
    #expect(records["columns"]?["identifier"]?.items == ["0000000100000001"], "\(records)")
    #expect(records["columns"]?["delivered_U"]?.items == [1.0])
    #expect(records["types"]?["rate_U_per_h"] == "number")
    #expect(records["columns"]?["rate_U_per_h"]?.items == [.null])
    #expect(records["types"]?["deleted_at"] == "text")
  }

  @Test("A long table is made once, given in parts, and given up with the last of them")
  func parts() throws {
    // Two weeks and a day have 4,321 rows, five minutes apart; an answer has 4,096.
    let text = BridgeFixture.scenario("app: 'none',")
      .replacing("app: { dosing: 'tempBasal' },", with: "").replacing("'4h'", with: "'15d'")
    var session = BridgeFixture.session(["long.json5": text])
    _ = session.ask(["type": "reset", "scenario": "long.json5", "answers": []])
    _ = session.ask(["type": "advance", "run": "r1", "through": "2100-01-01T00:00:00Z"])
    func part(from row: Int64) throws -> JSONValue {
      try #require(
        session.ask(["type": "records", "run": "r1", "table": "timeline", "from": .integer(row)])
          .first)
    }
    func count(_ part: JSONValue) -> Int? { part["columns"]?["time"]?.items?.count }
    let first = try part(from: 0)
    #expect(count(first) == 4_096 && first.whole("next") == 4_096, "\(first.text("text") ?? "")")
    let kept = try session.runs.run("r1").table
    #expect(kept?.name == "timeline" && kept?.columns.count == 4_321)
    let rest = try part(from: 4_096)
    #expect(count(rest) == 225 && rest.whole("next") == nil)
    #expect(try session.runs.run("r1").table == nil)
    for row in [4_321, 4_322, Int64.max] {
      let none = try part(from: row)
      #expect(count(none) == 0 && none.whole("next") == nil)
    }
    // Another table in between is another table, and the first one begins anew.
    _ = try part(from: 0)
    let other = session.ask(["type": "records", "run": "r1", "table": "pulses"]).first
    #expect(other?["columns"]?["channel"] != nil)
    #expect(try part(from: 0) == first)
    #expect(try part(from: 4_096) == rest)
  }
}
