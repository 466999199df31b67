import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("What a batch sees of its members")
struct BatchViewTests {
  private static let person = """
    patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
      sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } }, cgm: { model: 'ideal' }
    """

  /// The observations of the only member at its first questions, from its reset on.
  private static func observations(
    _ text: String, _ environment: String, steps: Int
  ) throws -> [[Double]] {
    var session = BridgeFixture.session()
    let batch = try #require(
      session.ask([
        "type": "batch", "text": .string(text), "members": 1, "environment": .string(environment),
      ]).first)
    try #require(batch.text("type") == "batch", "\(batch)")
    let first = session.ask(["type": "batchReset", "batch": "b1", "seeds": ["1"]]).first
    var seen = [first?.numbers("observations") ?? []]
    for _ in 0..<steps {
      let next = session.ask(["type": "batchStep", "batch": "b1", "actions": [-1, 0]]).first
      seen.append(next?.numbers("observations") ?? [])
    }
    return seen
  }

  @Test("A reading that is too old for the window is as old as it is, also after a pause")
  func age() throws {
    // The last reading is of 00:30. The phone is off from 01:42 to 02:12, and asks next at 02:15.
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '3h' }, \(Self.person),
        faults: [{ during: ['00:32', '3h'], cgm: { dropout: {} } },
          { during: ['01:42', '30m'], phone: { off: {} } }] }
      """
    let seen = try Self.observations(text, "scenario", steps: 25)
    let ages = seen.filter { $0.count == 10 && $0[6] >= 90 }.map { [$0[6], $0[1]] }
    #expect(
      ages.prefix(5) == [[90, 60], [95, 65], [100, 70], [135, 105], [140, 110]], "\(ages)")
  }

  @Test(
    "Food that was entered before the run is not just entered", arguments: ["scenario", "patient"])
  func foodBefore(environment: String) throws {
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '30m', preRoll: '3h' }, \(Self.person),
        events: [{ at: '-2h', meal: { grams: 30 } }, { at: '-20m', meal: { grams: 20 } },
          { at: '+0m', meal: { grams: 10 } }, { at: '+7m', meal: { grams: 5 } }] }
      """
    let seen = try Self.observations(text, environment, steps: 2)
    #expect(seen.map { $0.last ?? -1 } == [10, 0, 5])
  }

  @Test(
    "Food of before the run is no news by any clock of the phone",
    arguments: [
      ("-3h", "+210m", "1h"), ("-3h", "+210m", "-1h"), ("-3h", "+175m", "1h"),
      ("-3h", "+175m", "-1h"), ("-10m", "+40m", "-3h"), ("-10m", "+40m", "3h"),
    ])
  func foodBeforeByWrongClock(since: String, lasting: String, by: String) throws {
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '30m', preRoll: '3h' }, \(Self.person),
        faults: [{ during: ['\(since)', '\(lasting)'], app: { clockJump: '\(by)' } }],
        events: [{ at: '-20m', meal: { grams: 20 } },
          { at: '+0m', meal: { grams: 10 } }, { at: '+7m', meal: { grams: 5 } }] }
      """
    let seen = try Self.observations(text, "scenario", steps: 2)
    #expect(seen.map { $0.last ?? -1 } == [10, 0, 5])
  }

  @Test("Food of before the run is marked, and no news when a clock that goes back shows it first")
  func foodBeforeTheWindow() throws {
    // The window of a batch is an hour: the food of 70 minutes before is in it from 00:10 on, when
    // the phone's clock goes back by an hour.
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '30m', preRoll: '3h' }, \(Self.person),
        faults: [{ during: ['+8m', '3h'], app: { clockJump: '-1h' } }],
        controller: { history: '1h' },
        events: [{ at: '-70m', meal: { grams: 30 } }, { at: '-20m', meal: { grams: 20 } },
          { at: '+0m', meal: { grams: 10 } }, { at: '+12m', meal: { grams: 5 } }] }
      """
    let seen = try Self.observations(text, "scenario", steps: 4)
    #expect(seen.map { $0.last ?? -1 } == [10, 0, 0, 5, 0])

    var session = BridgeFixture.session()
    var message = session.ask(["type": "reset", "text": .string(text)]).last
    var told: [[String]] = []
    for n in 0..<4 {
      told.append(
        (message?["carbs"]?.items ?? []).map { row in
          "\(row.number("grams") ?? -1) \(row["before"].map { "\($0)" } ?? "-")"
        })
      message = session.ask(["type": "act", "run": "r1", "n": .integer(Int64(n))]).last
    }
    let yes = "\(JSONValue.bool(true))"
    #expect(told == [["20.0 \(yes)", "10.0 -"], [], ["30.0 \(yes)"], ["5.0 -"]])
  }
}
