import Quantities
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Bridge

extension ServeSessionTests {
  @Test("A privileged run is told the truth, may be copied, and says so")
  func privileged() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let reset: [JSONValue.Member] = [
      .init("scenario", "s.json5"), .init("privileged", true),
    ]
    let begin = session.ask(.object([.init("type", "reset")] + reset))
    #expect(begin.last?["truth"]?["glucose"] != nil)
    let copy = session.ask(["type": "fork", "run": begin.first?["run"] ?? .null])
    #expect(copy.first?.text("run") == "r2")
    let end = Self.live(&session, reset, act: [])
    #expect(end?["summary"]?["privileged"] == true)
    #expect(end?["summary"]?.text("title")?.contains("truth") == true)
  }

  @Test(
    "All that is eaten and given is told once, whenever it is asked",
    arguments: ["", ", loopJitter: '10s'"])
  func sumsOfTruth(jitter: String) throws {
    let scenario = BridgeFixture.scenario(
      // What was given before the start is no part of it.
      "history: { doses: [{ at: '-2h', bolus: 1 }, { at: '-3h', bolus: 3, insulin: 'degludec' }] }",
      events: """
        { at: '+1h2m', meal: { grams: 30 } }, { at: '+1h2m', bolus: { take: 'recommended' } },
        { at: '+1h3m', meal: { grams: 7 } }, { at: '+1h33m', meal: { grams: 20 } },
        { at: '+1h4m', injection: { units: 2, insulin: 'humalog' } }
        """
    ).replacing("duration: '4h'", with: "duration: '4h'\(jitter)")
    var session = BridgeFixture.session(["s.json5": scenario])
    var message = session.ask([
      "type": "reset", "scenario": "s.json5", "privileged": true, "answers": ["decision", "bolus"],
    ]).last
    var (eaten, given) = (0.0, 0.0)
    while let question = message, let truth = question["truth"] {
      eaten += truth.number("carbsEaten") ?? .nan
      given += truth.number("insulinReachedBody") ?? .nan
      let opening: [JSONValue.Member] = [
        .init("run", question["run"] ?? .null), .init("n", question["n"] ?? .null),
      ]
      let answer: [JSONValue.Member] =
        question.text("type") == "decide"
        ? [.init("type", "act")] : [.init("type", "boluses"), .init("units", 1.5)]
      message = session.ask(.object(answer + opening)).last
    }
    #expect(message?.text("type") == "end", "\(message ?? .null)")
    #expect(abs(eaten - 57) < 1e-9)
    // 1 U/h for four hours, the bolus and the pen; two pulses may come after the last question.
    #expect(abs(given - (4 + 1.5 + 2)) < 0.1001, "\(given)")
  }

  /// The lines that a client sees of a run, without their run's name.
  private static func lines(_ scenario: String) -> [String] {
    var session = BridgeFixture.session(["s.json5": scenario])
    let reset =
      "{\"type\":\"reset\",\"scenario\":\"s.json5\",\"answers\":[\"decision\",\"bolus\"]}"
    var lines = session.reply(to: Array(reset.utf8))
    var all: [String] = []
    while let last = lines.last, last.contains("\"n\":") {
      let isForBolus = last.hasPrefix("{\"type\":\"recommendBolus\"")
      let n = all.count { $0.contains("\"n\":") }
      all += lines
      let answer =
        isForBolus
        ? "{\"type\":\"boluses\",\"run\":\"r1\",\"n\":\(n),\"units\":1}"
        : "{\"type\":\"act\",\"run\":\"r1\",\"n\":\(n),\"tempBasal\":{\"rate\":1.2}}"
      lines = session.reply(to: Array(answer.utf8))
    }
    return all
  }

  @Test("Two bodies behind one recorded glucose ask the same, byte by byte")
  func theWall() {
    func scenario(_ patient: String) -> String {
      """
      { format: 'loopsim/1', id: 'wall', clock: { duration: '6h' },
        patient: \(patient),
        therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] },
        cgm: { model: 'trace', trace: [['+0m', 120], ['+3h', 180], ['+6h', 140]] },
        events: [{ at: '+1h', meal: { grams: 30 } }, { at: '+2h', bolus: { units: 1 } },
          { at: '+2h30m', bolus: { take: 'recommended' } },
          { at: '+4h20m', bolus: { take: 'recommended' } }],
        faults: [{ during: ['+3h', '30m'], cgm: { dropout: {} } },
          { during: ['+4h', '30m'], pump: { occlusion: {} } }] }
      """
    }
    let needs =
      "needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]], "
      + "carbRatio: [['00:00', 10]] }"
    let one = Self.lines(
      scenario("{ model: 'tidepool-simple', initialGlucose: 120, \(needs) }"))
    let other = Self.lines(
      scenario(
        "{ model: 'tidepool-simple', initialGlucose: 240, "
          + needs.replacing("45", with: "80") + " }"))
    #expect(one.count > 60)
    #expect(one.count { $0.hasPrefix("{\"type\":\"recommendBolus\"") } == 2)
    #expect(one == other)
  }
}
