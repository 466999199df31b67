import Quantities
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("A client lives through runs")
struct ServeSessionTests {
  /// Lives through a run and answers every question with the same commands.
  static func live(
    _ session: inout ServeSession, _ reset: [JSONValue.Member], act: [JSONValue.Member]
  ) -> JSONValue? {
    var message = session.ask(.object([.init("type", "reset")] + reset)).last
    while let question = message, question.text("type") == "decide" {
      message =
        session.ask(
          .object(
            [
              .init("type", "act"), .init("run", question["run"] ?? .null),
              .init("n", question["n"] ?? .null),
            ] + act)
        ).last
    }
    return message
  }

  @Test("The keys of scenarios are described from the one table")
  func describes() throws {
    var session = BridgeFixture.session([:])
    let all = try #require(session.ask(["type": "describe", "id": 7]).first)
    #expect(all.text("type") == "description" && all.whole("id") == 7)
    #expect(all["keys"] == SchemaTable().json["keys"])
    let one = try #require(session.ask(["type": "describe", "path": "app.dosing"]).first)
    #expect(one["keys"] == .array(SchemaTable().rows(at: "app.dosing").map(\.json)))
    let found = SchemaTable().rows(at: "app").map(\.path)
    #expect(found.first == "app" && found.contains("app.dosing"))
    #expect(found.allSatisfy { $0 == "app" || $0.hasPrefix("app.") })
    let none = try #require(session.ask(["type": "describe", "path": "app.dosin"]).first)
    #expect(
      none.text("text") == "A scenario has no key \"app.dosin\". Did you mean \"app.dosing\"?")
    let other = try #require(session.ask(["type": "describe", "path": "zzzz"]).first)
    #expect(other.text("text") == "A scenario has no key \"zzzz\".")
  }

  @Test("What nothing reads of an input is told beside its prediction, and that there is none")
  func predictsWithProblems() throws {
    var session = BridgeFixture.session([:])
    let dates = #""startDate":"2024-06-01T06:00:00Z","endDate":"2024-06-02T06:00:00Z""#
    func answer(_ more: String) throws -> JSONValue {
      try #require(
        session.ask(
          line: """
            {"type":"predict","input":{"predictionStart":"2024-06-01T12:02:30Z","doses":[],\
            "glucoseHistory":[{"date":"2024-06-01T12:00:00Z","value":155}],"carbEntries":[],\
            "basal":[{\(dates),"value":1}],"sensitivity":[{\(dates),"value":50}],\
            "carbRatio":[{\(dates),"value":10}],"maxBolus":5,"maxBasalRate":4,\(more)\
            "target":[{\(dates),"lowerBound":100,"upperBound":110}],"suspendThreshold":75}}
            """
        ).first)
    }
    let plain = try answer("")
    #expect(plain.text("type") == "prediction" && plain["problems"] == nil, "\(plain)")
    let told = try answer("\"maxBolusUnits\":3,")
    #expect(told["output"] == plain["output"])
    #expect("\(told["problems"] ?? .null)".contains("Did you mean"), "\(told)")
    let without = session.ask(["type": "predict"])[0].text("text")
    #expect(without == "\"input\" is missing; it must be an input of LoopAlgorithm's runner.")
  }

  @Test("What breaks the rules of JSON is told with its column in the line")
  func namesColumns() throws {
    var session = BridgeFixture.session([:])
    for (line, place) in [
      ("{\"type\":\"hello\",\"protocol\":NaN}", "Column 28: NaN is not a finite number."),
      ("{\"type\":\"hello\",\"type\":1}", "Column 17: The key \"type\" is repeated"),
    ] {
      let answer = try #require(session.ask(line: line).first)
      #expect(answer.text("text")?.hasPrefix(place) == true, "\(answer)")
    }
  }

  @Test("A wrong key or value is told with its path")
  func tellsPaths() throws {
    var session = BridgeFixture.session([:])
    for (request, path) in [
      (#"{"type":"nonsense"}"#, "$.type"), (#"{"type":"hello","protocol":2}"#, "$.protocol"),
      (#"{"type":"describe","paht":"app"}"#, "$.paht"),
      (#"{"type":"hello","protocol":1,"can":["fork",[]]}"#, "$.can[1]"),
      (#"{"type":"hello","protocol":1,"name":5,"version":1.5,"role":[]}"#, "$.name"),
      (#"{"type":"batch","members":0}"#, "$.members"),
      (#"{"type":"reset","text":"{}","answers":[],"seat":"algorithm"}"#, "$.seat"),
      (#"{"type":"reset","text":"{}","answers":["body"],"seat":"pilot"}"#, "$.seat"),
    ] {
      let answer = try #require(session.ask(line: request).first)
      #expect(answer.text("type") == "error" && answer.text("path") == path, "\(answer)")
    }
    // The message lacks something, and no key of it is at fault.
    let missing = try #require(session.ask(line: #"{"id":1}"#).first)
    #expect(missing.text("type") == "error" && missing["path"] == nil)
  }

  @Test("A request to close a run beside a batch that is not there closes nothing")
  func closesBothOrNone() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let begin = try #require(
      session.ask(["type": "reset", "scenario": "s.json5", "answers": []]).first)
    let run = begin["run"] ?? .null
    let refused = session.ask(["type": "close", "run": run, "batch": "b7"]).first
    #expect(refused?.text("text") == "There is no batch \"b7\".")
    let state = session.ask([
      "type": "advance", "run": run, "through": "2026-01-05T01:00:00Z",
    ])
    #expect(state.first?.text("type") == "state")
  }

  @Test("Loop decides by itself, and gives the digest of the run")
  func loopDecides() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let begin = try #require(
      session.ask(["type": "reset", "id": 1, "scenario": "s.json5", "answers": []]).first)
    #expect(begin.text("type") == "begin")
    #expect(begin.whole("id") == 1)
    let name = try #require(begin["run"])
    let state = session.ask(["type": "advance", "run": name, "through": "2026-01-05T01:00:00Z"])
    #expect(state.first?["state"]?.text("mode") == "closedLoop")
    let last = try #require(begin["end"])
    let end = session.ask(["type": "advance", "run": name, "through": last])
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    var run = Run(built.setup)
    while run.step() {}
    let digest = String(run.finish().digest, radix: 16)
    #expect(end.first?["summary"]?.text("digest")?.hasSuffix(digest) == true)
  }

  @Test(
    "A run in stretches shows the cycles and predictions of a run in one, the first among them",
    arguments: Extent.of([97, 86_400], whole: [60, 97, 300, 86_400]) as [Int64])
  func stretches(seconds: Int64) throws {
    // A body of equations that are solved in steps.
    let scenario = BridgeFixture.scenario()
      .replacing("'tidepool-simple'", with: "'uva-padova-s2008', name: 'adult#001'")
    let built = try #require(BridgeFixture.built(scenario))
    var run = Run(built.setup)
    var whole = RunObservation(run, keepsValuesBetween: false)
    while run.step() { whole.observe(run) }
    #expect(whole.cycles.first?.instant == built.setup.start)

    var session = BridgeFixture.session(["s.json5": scenario])
    _ = session.ask(["type": "reset", "scenario": "s.json5", "answers": []])
    var now = built.setup.start
    while now < built.setup.end {
      now = min(built.setup.end, now + .seconds(seconds))
      _ = session.ask(["type": "advance", "run": "r1", "through": .string("\(now)")])
    }
    let served = try session.runs.run("r1").served
    // To the last bit, wherever the client stopped.
    #expect(served.finished?.result.digest == run.finish().digest)
    #expect(served.observation.cycles == whole.cycles)
    #expect(served.observation.predictions == whole.predictions)
  }

  @Test("A client that stops between two instants is told where it stopped, and never goes back")
  func stops() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    _ = session.ask(["type": "reset", "scenario": "s.json5", "answers": []])
    for (through, at) in [("00:07:13", "00:07:13"), ("00:05:00", "00:07:13")] {
      let answer = session.ask([
        "type": "advance", "run": "r1", "through": .string("2026-01-05T\(through)Z"),
      ]).first
      #expect(answer?.text("at") == "2026-01-05T\(at)Z")
      #expect(answer?["state"]?.text("time") == "2026-01-05T00:05:00Z")
    }
  }

  @Test("The questions come by number, and the end has the summary")
  func decides() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let tempBasal: JSONValue = ["rate": 9, "duration": 1_800]
    let end = try #require(
      Self.live(
        &session, [.init("scenario", "s.json5")], act: [.init("tempBasal", tempBasal)]))
    #expect(end.text("type") == "end")
    let summary = try #require(end["summary"])
    #expect((summary["guards"]?.whole("maxBasal") ?? 0) > 40)
    #expect(summary["privileged"] == nil)
    let table = session.ask([
      "type": "records", "run": end["run"] ?? .null, "table": "timeline",
    ])
    #expect(table.first?["columns"]?["glucose_true_mgdL"]?.items?.count == 49)
  }

  @Test("A client recommends boluses where it says that it answers for them")
  func boluses() throws {
    let text = BridgeFixture.scenario(events: BridgeFixture.mealWithBolus)
    var session = BridgeFixture.session(["s.json5": text])
    var message = session.ask([
      "type": "reset", "scenario": "s.json5", "answers": ["decision", "bolus"],
    ]).last
    var asked = 0
    while let question = message, question.text("type") != "end" {
      let isForBolus = question.text("type") == "recommendBolus"
      let n = question["n"] ?? .null
      let act: JSONValue = ["type": "act", "run": "r1", "n": n]
      let boluses: JSONValue = ["type": "boluses", "run": "r1", "n": n, "units": 1.5]
      // The other kind of answer is refused, and nothing has changed.
      let wrong = session.ask(isForBolus ? act : boluses).first
      #expect(wrong?.text("type") == "error")
      #expect(wrong?.text("path") == "$.type")
      let words =
        isForBolus ? "for a bolus; answer with \"boluses\"" : "for a decision; answer with \"act\""
      for other: JSONValue in [
        ["type": "lived", "run": "r1", "n": n, "glucose": 100],
        ["type": "advance", "run": "r1", "through": "2026-01-05T01:00:00Z"],
      ] {
        #expect(session.ask(other).first?.text("text") == "The run asks \(words).")
      }
      let several: JSONValue = [
        "type": isForBolus ? "boluses" : "act", "run": "r1", "n": n, "units": 1.5,
        "recommendation": ["manual": ["amount": 1]],
      ]
      #expect(session.ask(several).first?.text("type") == "error")
      asked += isForBolus ? 1 : 0
      message = session.ask(isForBolus ? boluses : act).last
    }
    #expect(asked == 1)
    let served = try session.runs.run("r1").served
    #expect(served.finished?.result.boluses.map(\.asked.units) == [1.5])
    let alone = session.ask(["type": "reset", "scenario": "s.json5", "answers": ["bolus"]]).last
    #expect(alone?.text("type") == "error")
    let must = session.ask([
      "type": "reset", "scenario": "s.json5",
      "overrides": ["controller.manualBolus": "program"],
    ]).last
    #expect(must?.text("path") == "$.answers")
  }

  @Test("Nobody decides in place of an app that there is not, but for body and pump alone")
  func hasNoApp() {
    let text = """
      { format: 'loopsim/1', clock: { duration: '2h' }, app: 'none',
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """
    var session = BridgeFixture.session(["s.json5": text])
    let decides = session.ask([
      "type": "reset", "scenario": "s.json5", "answers": ["decision"],
    ]).last
    #expect(decides?.text("path") == "$.answers")
    #expect(decides?.text("text")?.contains("no app (app: 'none')") == true)
    let watched = session.ask(["type": "reset", "scenario": "s.json5", "answers": []]).last
    #expect(watched?.text("type") != "error")
    let batch = session.ask(["type": "batch", "scenario": "s.json5", "members": 2]).last
    #expect(batch?.text("path") == "$.environment")
    let patients = session.ask([
      "type": "batch", "scenario": "s.json5", "members": 2, "environment": "patient",
    ]).last
    #expect(patients?.text("type") == "batch")
  }

  @Test("Whether questions repeat the past makes no difference to what was asked")
  func historyIsOnlyForm() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let act: [JSONValue.Member] = [.init("tempBasal", ["rate": 1.3])]
    let changes = Self.live(&session, [.init("scenario", "s.json5")], act: act)
    let whole = Self.live(
      &session, [.init("scenario", "s.json5"), .init("history", "whole")], act: act)
    #expect(changes?["summary"]?.text("digest") == whole?["summary"]?.text("digest"))
    let asked = try ["r1", "r2"].map { id in
      try session.runs.run(id).served.transcript?.entries.map(\.asked) ?? []
    }
    #expect(asked[0] == asked[1])
    #expect(asked[0].count == 49)
  }

  @Test("Overrides and a seed make another run of the same scenario")
  func overrides() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    func digest(_ more: [JSONValue.Member]) -> String? {
      Self.live(&session, [.init("scenario", "s.json5")] + more, act: [])?["summary"]?
        .text("digest")
    }
    let plain = digest([])
    #expect(plain != nil)
    #expect(digest([]) == plain)
    #expect(digest([.init("seed", "18446744073709551615")]) != plain)
    #expect(digest([.init("overrides", ["patient.initialGlucose": 90])]) != plain)
  }

  @Test("Every wrong request is answered, and nothing has changed")
  func wrongRequests() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let begin = session.ask(["type": "reset", "scenario": "s.json5"])
    let run = try #require(begin.first?["run"])
    let before = try #require(begin.last)
    let deep = String(repeating: "[", count: 10_000)
    let wrong = [
      "", "nonsense", "[1]", "{\"type\":\"act\"", "{\"type\":\"fly\"}", "{\"typ\":\"act\"}", deep,
      "{\"type\":\"act\",\"run\":\"r9\",\"n\":0}",
      "{\"type\":\"act\",\"run\":\"r1\"}", "{\"type\":\"act\",\"run\":\"r1\",\"n\":7}",
      "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\"bolus\":NaN}",
      "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\"bolus\":1e999}",
      "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\"bolus\":1,\"bolus\":2}",
      "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\"tempBasal\":{\"rate\":\"abc\"}}",
      "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\"tempbasal\":\"cancel\"}",
      "{\"type\":\"fork\",\"run\":\"r1\"}", "{\"type\":\"records\",\"run\":\"r1\"}",
      "{\"type\":\"reset\",\"scenario\":\"none.json5\"}", "{\"type\":\"reset\"}",
      "{\"type\":\"reset\",\"scenario\":\"s.json5\",\"overrides\":{\"a..b\":1}}",
    ]
    for line in wrong {
      let answer = session.ask(line: line)
      #expect(answer.count == 1)
      #expect(answer.first?.text("type") == "error", "\(line.prefix(60))")
      #expect(answer.first?.text("text")?.isEmpty == false)
    }
    let cut = session.reply(to: Array("{\"type\":\"act\",\"run\":\"r".utf8) + [0xC3])
    #expect(cut.first?.contains("\"error\"") == true)
    let answer = session.ask(["type": "act", "run": run, "n": before["n"] ?? .null])
    #expect(answer.first?.whole("n") == 1)
    let text = session.ask(line: wrong[13]).first?.text("text")
    #expect(text?.contains("tempBasal.rate") == true)
  }

  @Test("A wrong scenario is told with its place")
  func wrongScenario() throws {
    var session = BridgeFixture.session([
      "s.json5": "{ format: 'loopsim/1',\n  patient: { model: 'tidepool-simpel' } }"
    ])
    let error = try #require(session.ask(["type": "reset", "scenario": "s.json5"]).first)
    #expect(error.text("file") == "s.json5")
    #expect(error.whole("line") == 2)
    #expect(error["problems"]?.items?.isEmpty == false)
    let check = session.ask(["type": "check", "scenario": "s.json5"]).first
    #expect(check?["problems"]?.items?.isEmpty == false)
  }

  /// More runs than are checked one by one.
  @Test("A check names all runs of a scenario, and says where they are too many to be named")
  func namesOfRuns() throws {
    func runs(_ replicates: Int) throws -> (names: [JSONValue], problems: [JSONValue]) {
      let text = BridgeFixture.scenario("budget: { maxRuns: 1000000 },")
        .replacing("random: { seed: 3 }", with: "random: { seed: 3, replicates: \(replicates) }")
      var session = BridgeFixture.session(["s.json5": text])
      let check = try #require(session.ask(["type": "check", "scenario": "s.json5"]).first)
      return (check["runs"]?.items ?? [], check["problems"]?.items ?? [])
    }
    let all = try runs(2_001)
    #expect(all.names.count == 2_001 && all.names.last == "evening/r2000", "\(all.problems)")
    let none = try runs(200_001)
    #expect(none.names.isEmpty)
    let sentences = none.problems.filter { $0.text("severity") == "error" }.map { $0.text("text") }
    #expect(
      sentences == [
        "This scenario has 200001 runs, and an answer names at most 200000. Divide it among "
          + "several files."
      ])
  }

  @Test("A wrong override is told with its place in the message")
  func wrongOverride() throws {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    let line = """
      {"type":"reset","scenario":"s.json5","overrides":{"clock":{"long":1}}}
      """
    let error = try #require(session.ask(line: line).first)
    #expect(error.text("file") == "message")
    // The key begins there, counted from 1.
    #expect(error.text("text")?.hasPrefix("message:1:60: error: \"long\" is not a") == true)
    #expect(error["column"] == .integer(60))
  }
}
