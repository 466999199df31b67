import Physiology
import Quantities
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import Bridge

@Suite("A program is the body of a run")
struct BodySessionTests {
  /// A program that keeps a body of ours, and knows of its run what the lines say.
  private final class Keeper: ProgramLines {
    var body: any Patient
    /// What it says in place of its answer to a question.
    var instead: [Int64: String] = [:]
    private(set) var begin: JSONValue = .null
    private(set) var questions: [JSONValue] = []

    init(_ body: any Patient) { self.body = body }

    /// Another keeper, of a body that is as this one is now.
    func copy() -> Keeper { Keeper(body) }

    func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8] {
      Array(answer(line).utf8)
    }

    func send(_ line: String) throws(LineFailure) {}

    private func answer(_ line: String) -> String {
      guard let message = JSONReader.read(text: line, file: "").root.map({ JSONValue($0) }) else {
        return ""
      }
      switch message.text("type") {
      case "hello": return "{\"type\":\"hello\",\"protocol\":1,\"role\":\"body\"}"
      case "begin":
        begin = message
        return "{\"type\":\"ready\"}"
      default:
        questions.append(message)
        if let n = message.whole("n"), let words = instead[n] { return words }
        return BridgeProtocol.line(lived(message))
      }
    }

    /// Lives by a message.
    func lived(_ message: JSONValue) -> JSONValue {
      let rows = ["insulin", "carbs", "conditions"].flatMap { message[$0]?.items ?? [] }
      var unknown: [JSONValue] = []
      for row in rows.sorted(by: { ($0.text("at") ?? "") < ($1.text("at") ?? "") }) {
        if let at = Instant(iso8601: row.text("at") ?? "") { body.advance(to: at) }
        if let units = row.number("units") {
          body.receive(.pulse(units: units, absorption: .rapid))
        } else if let rate = row.number("rate") {
          body.receive(.rate(unitsPerHour: rate))
        } else if let grams = row.number("grams") {
          let absorption = row.number("absorption").map { TimeSpan.seconds(Int64($0)) }
          body.eat(MealInput(grams: grams, absorption: absorption))
        } else if let kind = row.text("kind"), !body.apply(.exercise(intensity: 0.5)) {
          unknown.append(.string(kind))
        }
      }
      if let to = Instant(iso8601: message.text("to") ?? "") { body.advance(to: to) }
      var answer: [JSONValue.Member] = [
        .init("type", "lived"), .init("n", message["n"] ?? .null),
        .init("glucose", .number(body.glucose.mgdL)),
        .init("iob", body.insulinOnBoard.map { .number($0) } ?? .null),
      ]
      if !unknown.isEmpty { answer.append(.init("unknown", .array(unknown))) }
      return .object(answer)
    }
  }

  /// The evening of the fixture with its own body, and with one outside.
  private static let ours = BridgeFixture.scenario(more)
  private static let outside = ours.replacing("'tidepool-simple'", with: "'external'")
  private static let more = "pump: { model: 'omnipodDASH' }"

  /// Lives through the evening with a body outside.
  private static func live(
    _ text: String = outside, instead: [Int64: String] = [:]
  ) throws -> (result: RunResult, transcript: Transcript, keeper: Keeper) {
    let own = try #require(
      BridgeFixture.built(text.replacing("'external'", with: "'tidepool-simple'")))
    let built = try #require(BridgeFixture.built(text))
    let spec = try #require(built.body)
    let keeper = Keeper(own.setup.patient)
    keeper.instead = instead
    var session = ProgramSession(keeper, command: "body", spec: spec, version: "test")
    try session.greet()
    try session.begin(built.setup)
    var transcript = Transcript(
      Transcript.Header(
        run: built.setup.id, scenario: built.scenarioDigest, seed: built.setup.seed,
        version: "test", seat: .controller, role: .body, isPrivileged: false))
    var run = Run(built.setup)
    while let question = run.nextQuestion() {
      let content = QuestionContent(question)
      let answer = try session.answer(question, content)
      transcript.add(question, asked: content.asked, answer)
      try run.answer(answer)
    }
    let result = run.finish()
    transcript.digest = String(result.digest, radix: 16)
    return (result, transcript, keeper)
  }

  @Test(
    "A body outside with the equations of ours gives the glucose of ours",
    arguments: [
      more, "pump: { model: 'continuous' }",
    ])
  func sameAsOurs(pump: String) throws {
    let ours = BridgeFixture.scenario(pump)
    let built = try #require(BridgeFixture.built(ours))
    var run = Run(built.setup)
    while run.step() {}
    let expected = run.finish()
    let (result, _, keeper) = try Self.live(
      ours.replacing("'tidepool-simple'", with: "'external'"))
    #expect(result.trace.rows.count == expected.trace.rows.count)
    for (one, other) in zip(expected.trace.rows, result.trace.rows) {
      #expect(abs(one.trueGlucose.mgdL - other.trueGlucose.mgdL) <= 1e-9)
      #expect(one.reading == other.reading)
    }
    #expect(result.pulses == expected.pulses)
    #expect(
      keeper.begin["initialGlucose"] == .number(170) || keeper.begin.whole("initialGlucose") == 170)
    // It learns what enters the body, and nothing of what the app believes.
    let keys = ["type", "n", "from", "to", "seconds", "insulin", "carbs", "conditions"]
    for question in keeper.questions {
      guard case .object(let members) = question else { continue }
      #expect(members.map(\.key) == keys)
    }
  }

  @Test("A run is repeated from its record, and a changed record is found by line and part")
  func records() throws {
    let (result, transcript, _) = try Self.live()
    let built = try #require(BridgeFixture.built(Self.outside))
    func replay(_ text: String) throws -> RunResult {
      let problems = ProblemList()
      let kept = try #require(
        Transcript.read(Array(text.utf8), file: "lived.ndjson", problems: problems),
        "\(problems.problems)")
      #expect(kept.header.role == .body)
      var answers = TranscriptReplay(kept, file: "lived.ndjson", remedy: "Again.")
      var run = Run(built.setup)
      while let question = run.nextQuestion() {
        try run.answer(try answers.answer(question, asked: QuestionContent(question).asked))
      }
      return run.finish()
    }
    #expect(transcript.fileName == "lived.ndjson")
    #expect(try replay(transcript.text).digest == result.digest)
    let place = try #require(
      transcript.entries.firstIndex { $0.instant == built.setup.start + .minutes(65) })
    let asked = transcript.entries[place].asked
    #expect(asked.hasSuffix(".00000000.00000000.00000000"))
    var parts = asked.split(separator: ".")
    parts[1] = "deadbeef"
    var lines = transcript.text.split(separator: "\n").map(String.init)
    lines[place + 1] = lines[place + 1].replacing(asked, with: parts.joined(separator: "."))
    let failure = #expect(throws: ProgramFailure.self) {
      try replay(lines.joined(separator: "\n"))
    }
    #expect(failure?.kind == .replay)
    #expect(failure?.description.contains("lived.ndjson:\(place + 2): question \(place)") == true)
    #expect(failure?.description.contains("food differs") == true)
  }

  @Test(
    "What a body says wrongly is a sentence with the time and the question",
    arguments: [
      ("{\"type\":\"lived\",\"n\":3}", "\"glucose\" is missing"),
      ("{\"type\":\"lived\",\"n\":4,\"glucose\":100}", "\"n\" must be 3"),
      ("{\"type\":\"lived\",\"glucose\":-1}", "from 0 to 2000"),
      ("{\"type\":\"lived\",\"glucose\":2001}", "from 0 to 2000"),
      ("{\"type\":\"lived\",\"glucose\":1e999}", "beyond what a double"),
      ("{\"type\":\"lived\",\"glucose\":NaN}", "allow_nan=False"),
      ("{\"type\":\"lived\",\"glucose\":\"high\"}", "\"glucose\" must be a number"),
      ("{\"type\":\"lived\",\"glucose\":100,\"sensed\":-5}", "from 0 to 2000"),
      ("{\"type\":\"lived\",\"glucose\":100,\"unknown\":[\"sport\"]}", "exercise"),
      ("{\"type\":\"lived\",\"glucose\":100,\"glocuse\":1}", "glocuse"),
      ("{\"type\":\"act\"}", "lived"),
      ("thinking", "printed text where a message was due"),
    ])
  func wrongAnswers(answer: String, words: String) throws {
    let failure = #expect(throws: ProgramFailure.self) { try Self.live(instead: [3: answer]) }
    #expect(failure?.kind == .program)
    let text = failure?.description ?? ""
    #expect(text.hasPrefix("The body \"body\", answer 3 at 2026-01-05T"), "\(text)")
    #expect(text.contains(words), "\(text)")
  }

  @Test("A program with another part in mind is refused by its greeting")
  func wrongRole() throws {
    struct Other: ProgramLines {
      func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8] {
        Array("{\"type\":\"hello\",\"protocol\":1,\"role\":\"controller\"}".utf8)
      }
      func send(_ line: String) throws(LineFailure) {}
    }
    let spec = try #require(BridgeFixture.built(Self.outside)?.body)
    var session = ProgramSession(Other(), command: "other", spec: spec, version: "test")
    let failure = #expect(throws: ProgramFailure.self) { try session.greet() }
    #expect(failure?.description.contains("\"role\" must be \"body\"") == true)
  }

  // MARK: - A client as the body

  @Test("A client of serve lives for the body, and gives the digest of a program")
  func served() throws {
    let files = ["s.json5": Self.outside, "ours.json5": Self.ours]
    var session = BridgeFixture.session(files)
    let expected = try Self.live().result
    let built = try #require(BridgeFixture.built(Self.ours))
    let keeper = Keeper(built.setup.patient)
    let answers: JSONValue = ["body"]
    let first = session.ask(["type": "reset", "scenario": "s.json5", "answers": answers])
    #expect(first.first?["body"]?.text("type") == "begin")
    var message = try #require(first.last)
    let run = message["run"] ?? .null
    let act = session.ask(["type": "act", "run": run, "n": 0])
    #expect(act.first?.text("text")?.contains("\"lived\"") == true)
    let fork = session.ask(["type": "fork", "run": run])
    #expect(fork.first?.text("text")?.contains("lives outside") == true)
    while message.text("type") == "live" {
      guard case .object(let members) = keeper.lived(message) else { break }
      message = session.ask(.object(members + [.init("run", run)])).last ?? .null
    }
    #expect(message.text("type") == "end")
    let digest = message["summary"]?.text("digest")
    #expect(digest?.hasSuffix(String(expected.digest, radix: 16)) == true)
  }

  @Test("A client that copies its body copies the run, and both go on to the same bytes")
  func copied() throws {
    var session = BridgeFixture.session(["s.json5": Self.outside])
    let hello: JSONValue = ["type": "hello", "protocol": 1, "can": ["fork"]]
    #expect(session.ask(hello).first?.text("type") == "hello")
    let built = try #require(BridgeFixture.built(Self.ours))
    var keepers: [String: Keeper] = ["r1": Keeper(built.setup.patient)]
    let answers: JSONValue = ["body"]
    let begin = session.ask(["type": "reset", "scenario": "s.json5", "answers": answers])
    var messages: [String: JSONValue] = ["r1": try #require(begin.last)]
    var digests: [String: String] = [:]
    var count = 0
    while let (run, message) = messages.min(by: { $0.key < $1.key }) {
      guard message.text("type") == "live", case .object(let lived)? = keepers[run]?.lived(message)
      else {
        digests[run] = message["summary"]?.text("digest")
        messages[run] = nil
        continue
      }
      messages[run] = session.ask(.object(lived + [.init("run", .string(run))])).last
      count += 1
      if count == 20 {
        let copy = session.ask(["type": "fork", "run": .string(run)]).first?.text("run")
        let other = try #require(copy)
        keepers[other] = keepers[run]?.copy()
        messages[other] = messages[run]
      }
    }
    #expect(digests.count == 2)
    #expect(Set(digests.values).count == 1)
    let alone = try Self.live().result
    #expect(digests["r1"]?.hasSuffix(String(alone.digest, radix: 16)) == true)
  }

  @Test("Who answers for the body must fit the scenario")
  func servedWrongly() throws {
    var session = BridgeFixture.session(["s.json5": Self.outside, "ours.json5": Self.ours])
    let none: JSONValue = []
    let unasked = session.ask(["type": "reset", "scenario": "s.json5", "answers": none])
    #expect(unasked.first?.text("text")?.contains("is a program") == true)
    let body: JSONValue = ["body"]
    let surplus = session.ask(["type": "reset", "scenario": "ours.json5", "answers": body])
    #expect(surplus.first?.text("text")?.contains("is one of loopsim's") == true)
    let batch = session.batch(Array("{\"scenario\":\"s.json5\"}".utf8), members: 2)
    guard case .refused(let line) = batch else {
      Issue.record("A batch was made.")
      return
    }
    #expect(line.contains("bodies of ours"))
  }
}
