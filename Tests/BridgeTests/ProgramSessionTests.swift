import ClosedLoop
import Dosing
import Interchange
import Quantities
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("A program decides in a run")
struct ProgramSessionTests {
  /// A program that is a function from a line to a line.
  private struct Function: ProgramLines {
    let body: (String) -> Result<String, LineFailure>

    func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8] {
      Array(try body(line).get().utf8)
    }

    func send(_ line: String) throws(LineFailure) {}
  }

  private static let hello = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"test\"}"

  /// Answers as a program that says the same at every question.
  private static func saying(
    _ act: String, hello: String = hello
  ) -> (String) -> Result<String, LineFailure> {
    { line in
      if line.hasPrefix("{\"type\":\"hello\"") { return .success(hello) }
      if line.hasPrefix("{\"type\":\"begin\"") { return .success("{\"type\":\"ready\"}") }
      return .success(act)
    }
  }

  /// Lives through a run with a program, and keeps the record of it.
  private static func live(
    _ built: BuiltRun, spec: ProgramSpec = .standard,
    with body: @escaping (String) -> Result<String, LineFailure>
  ) throws -> (result: RunResult, transcript: Transcript, observation: RunObservation) {
    var session = ProgramSession(
      Function(body: body), command: "test", spec: spec, version: "test")
    try session.greet()
    var setup = built.setup
    setup.controller = session.greeting.seat
    setup.controllerRules.manualBolus = session.manualBolus
    try session.begin(setup)
    var transcript = Transcript(
      Transcript.Header(
        run: setup.id, scenario: built.scenarioDigest, seed: setup.seed, version: "test",
        seat: session.greeting.seat, isPrivileged: false, manualBolus: session.manualBolus))
    var run = Run(setup)
    var observation = RunObservation(run)
    while let question = run.nextQuestion() {
      observation.observe(run)
      let content = QuestionContent(question)
      let answer = try session.answer(question, content)
      transcript.add(question, asked: content.asked, answer)
      try run.answer(answer)
      observation.observe(run)
    }
    observation.end(run)
    let result = run.finish()
    transcript.digest = String(result.digest, radix: 16)
    return (result, transcript, observation)
  }

  /// Repeats a run from the text of a record.
  private static func replay(_ built: BuiltRun, _ text: String) throws -> RunResult {
    let problems = ProblemList()
    let transcript = try #require(
      Transcript.read(Array(text.utf8), file: "decisions.ndjson", problems: problems),
      "\(problems.problems)")
    var setup = built.setup
    setup.controller = transcript.header.seat
    setup.controllerRules.manualBolus = transcript.header.manualBolus
    var replay = TranscriptReplay(transcript, file: "decisions.ndjson", remedy: "Again.")
    var run = Run(setup)
    while let question = run.nextQuestion() {
      try run.answer(try replay.answer(question, asked: QuestionContent(question).asked))
    }
    #expect(replay.unusedAnswers == nil)
    return run.finish()
  }

  /// What the runner of LoopAlgorithm would print for the input of a question.
  private static func runner(_ line: String) -> Result<String, LineFailure> {
    if line.hasPrefix("{\"type\":\"hello\"") {
      return .success(
        "{\"type\":\"hello\",\"protocol\":1,\"seat\":\"algorithm\",\"can\":[\"bolus\"]}")
    }
    if line.hasPrefix("{\"type\":\"begin\"") { return .success("{\"type\":\"ready\"}") }
    guard let start = line.firstRange(of: "\"input\":") else { return .failure(.timedOut) }
    let input = AlgorithmInputFile.read(
      Array(line[start.upperBound...].dropLast().utf8), file: "input")
    guard let input = input.input else { return .failure(.timedOut) }
    let output = AlgorithmOutputFile.text(LoopAlgorithm.run(input))
    let type = line.hasPrefix("{\"type\":\"recommendBolus\"") ? "boluses" : "act"
    return .success("{\"type\":\"\(type)\"," + output.dropFirst().filter { $0 != "\n" })
  }

  @Test(
    "The runner's own JSON in the seat of the algorithm gives the built-in digest",
    arguments: Extent.some(of: ["automaticBolus", "tempBasal"], every: 2))
  func algorithm(dosing: String) throws {
    // Half the hours hold the meal and its bolus too.
    let text = BridgeFixture.scenario(dosing: dosing, events: BridgeFixture.mealWithBolus)
      .replacing("duration: '4h'", with: "duration: '\(Extent.of(2, whole: 4))h'")
    let built = try #require(BridgeFixture.built(text))
    var builtIn = Run(built.setup)
    var seen = RunObservation(builtIn)
    repeat { seen.observe(builtIn) } while builtIn.step()
    let (result, transcript, observation) = try Self.live(built, with: Self.runner)
    let digest = builtIn.finish().digest
    #expect(result.digest == digest)
    #expect(result.boluses.contains { !$0.isAutomatic })
    #expect(transcript.entries.count(where: \.isForBolus) == 1)
    #expect(observation.predictions.map(\.instant) == seen.predictions.map(\.instant))
    let repeated = try Self.replay(built, transcript.text)
    #expect(repeated.digest == digest)
  }

  @Test("A program that can recommends the boluses that people take; the record has them")
  func boluses() throws {
    let text = BridgeFixture.scenario(events: BridgeFixture.mealWithBolus)
    let built = try #require(BridgeFixture.built(text))
    let can = String(Self.hello.dropLast()) + ",\"can\":[\"bolus\"]}"
    var questions: [String] = []
    let (result, transcript, _) = try Self.live(built) { line in
      if line.hasPrefix("{\"type\":\"hello\"") { return .success(can) }
      if line.hasPrefix("{\"type\":\"begin\"") { return .success("{\"type\":\"ready\"}") }
      guard line.hasPrefix("{\"type\":\"recommendBolus\"") else {
        return .success("{\"type\":\"act\"}")
      }
      questions.append(line)
      return .success("{\"type\":\"boluses\",\"units\":2.25}")
    }
    #expect(questions.count == 1)
    #expect(questions.first?.contains("\"grams\":30") == true)
    #expect(result.boluses.map(\.asked.units) == [2.25])
    #expect(transcript.text.contains("\"for\":\"bolus\""))
    #expect(try Self.replay(built, transcript.text).digest == result.digest)
    let other = transcript.text.replacing("\"for\":\"bolus\",", with: "")
      .replacing("{\"units\":2.25}", with: "{}")
    let failure = #expect(throws: ProgramFailure.self) { try Self.replay(built, other) }
    #expect(failure?.description.contains("asked for a decision") == true)
  }

  @Test("A program that cannot leaves them to Loop, unless the scenario says that it must")
  func cannot() throws {
    let text = BridgeFixture.scenario(events: BridgeFixture.mealWithBolus)
    let built = try #require(BridgeFixture.built(text))
    let (result, _, _) = try Self.live(built, with: Self.saying("{\"type\":\"act\"}"))
    #expect(result.boluses.count == 1)
    #expect(result.trace.happenings.contains { $0.text.hasSuffix("are Loop's.") })
    var spec = ProgramSpec.standard
    spec.rules.manualBolus = .program
    let failure = #expect(throws: ProgramFailure.self) {
      try Self.live(built, spec: spec, with: Self.saying("{\"type\":\"act\"}"))
    }
    #expect(failure?.description.contains("\"can\":[\"bolus\"]") == true)
  }

  @Test("A run is repeated from its record, and a changed record is found by line and part")
  func records() throws {
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    let act = "{\"type\":\"act\",\"tempBasal\":{\"rate\":1.35},\"note\":\"ours\"}"
    let (result, transcript, _) = try Self.live(built, with: Self.saying(act))
    #expect(result.trace.rows.contains { $0.recommendation == "ours" })
    let text = transcript.text
    let repeated = try Self.replay(built, text)
    #expect(repeated.digest == result.digest)
    var lines = text.split(separator: "\n").map(String.init)
    let asked = try #require(transcript.entries.dropFirst(6).first?.asked)
    let first = asked.hasPrefix("0") ? "1" : "0"
    lines[7] = lines[7].replacing(asked, with: first + asked.dropFirst())
    let changed = lines.joined(separator: "\n")
    let failure = #expect(throws: ProgramFailure.self) { try Self.replay(built, changed) }
    #expect(failure?.kind == .replay)
    #expect(failure?.description.contains("decisions.ndjson:8: question 6") == true)
    #expect(failure?.description.contains("glucose differs") == true)
    let short = lines.prefix(3).joined(separator: "\n")
    let broken = #expect(throws: ProgramFailure.self) { try Self.replay(built, short) }
    #expect(broken?.description.contains("breaks off") == true)
  }

  /// Why a talk with a program fails.
  private static func failure(
    _ spec: ProgramSpec = .standard,
    of body: @escaping (String) -> Result<String, LineFailure>
  ) throws -> String {
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    do {
      _ = try live(built, spec: spec, with: body)
      return ""
    } catch let failure as ProgramFailure {
      #expect(failure.kind == .program)
      return failure.description
    }
  }

  @Test("What a program does wrong is a sentence with the time and the question")
  func wrongPrograms() throws {
    let hello = Self.hello
    func says(_ act: String, hello: String = hello) throws -> String {
      try Self.failure(of: Self.saying(act, hello: hello))
    }
    #expect(try says("{\"type\":\"act\",\"bolus\":\"abc\"}").contains("\"bolus\" must be a number"))
    for wrong in ["{\"type\":\"act\",\"bolus\":\"abc\"}", "{\"type\":\"act\"", "loading"] {
      #expect(try says(wrong).contains("answer 0 at 2026-01-05T00:00:00Z: "))
    }
    #expect(try says("{\"type\":\"act\",\"n\":5}").contains("\"n\" must be 0"))
    #expect(try says("{\"type\":\"act\",\"bolus\":NaN}").contains("allow_nan=False"))
    #expect(try says("{\"type\":\"act\",\"bolus\":-Infinity}").contains("allow_nan=False"))
    // A text with the word is no number.
    let comma = try says("{\"type\":\"act\",\"note\":\"NaN\" \"bolus\":1}")
    #expect(comma.contains("A comma is missing before this.") && !comma.contains("allow_nan"))
    #expect(try says("loading").contains("printed text where a message was due"))
    for empty in ["", "  "] {
      #expect(try says(empty).contains("it printed an empty line where a message was due."))
    }
    #expect(try says("{\"type\":\"ready\"}").contains("act"))
    #expect(try says("{\"type\":\"error\",\"text\":\"No model.\"}").contains("No model."))
    #expect(
      try says("", hello: "{\"type\":\"hello\",\"protocol\":2}").contains("must be 1"))
    for key in ["name", "version", "role"] {
      let hello = "{\"type\":\"hello\",\"protocol\":1,\"\(key)\":3}"
      #expect(try says("", hello: hello).contains("\"\(key)\" must be a text in quotes, not 3."))
    }
    let gone = try Self.failure { line in
      line.contains("\"decide\"")
        ? .failure(.failed("ended with exit status 3"))
        : Self.saying("")(line)
    }
    #expect(gone.contains("ended with exit status 3 at 2026-01-05T00:00:00Z (question 0)"))
    let late = try Self.failure { line in
      line.contains("\"decide\"") ? .failure(.timedOut) : Self.saying("")(line)
    }
    #expect(late.contains("flush standard output"))
  }

  @Test("A late answer fails the cycle where the scenario says so, and the record knows")
  func skips() throws {
    var spec = ProgramSpec.standard
    spec.failsOnTimeout = false
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    let (result, transcript, _) = try Self.live(built, spec: spec) { line in
      line.contains("\"n\":7,") ? .failure(.timedOut) : Self.numbered(line)
    }
    let failures = result.cycleOutcomes.filter { $0.failure != nil }
    #expect(failures.count == 1)
    #expect(failures.first?.failure?.contains("did not answer within 30s") == true)
    let repeated = try Self.replay(built, transcript.text)
    #expect(repeated.digest == result.digest)
  }

  /// Answers with the number of the question.
  private static func numbered(_ line: String) -> Result<String, LineFailure> {
    let number = JSONReader.read(text: line, file: "").root?["n"]?.integer ?? 0
    return saying("{\"type\":\"act\",\"n\":\(number)}")(line)
  }

  @Test("After a late answer one without its number is refused, as nobody knows whose it is")
  func lateWithoutNumber() throws {
    var spec = ProgramSpec.standard
    spec.failsOnTimeout = false
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    let failure = #expect(throws: ProgramFailure.self) {
      try Self.live(built, spec: spec) { line in
        line.contains("\"n\":7,") ? .failure(.timedOut) : Self.saying("{\"type\":\"act\"}")(line)
      }
    }
    #expect(
      failure?.description.contains(
        "answer 8 at 2026-01-05T00:40:00Z: an answer was late before, and this one has no \"n\"")
        == true, "\(failure?.description ?? "")")
  }

  /// A program whose lines come when they come.
  private final class Queue: ProgramLines {
    var waiting: [String] = []
    /// The lines with which it answers one.
    let body: (String) -> [String]?

    init(_ body: @escaping (String) -> [String]?) { self.body = body }

    func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8] {
      if !line.isEmpty {
        guard let lines = body(line) else { throw .timedOut }
        waiting += lines
      }
      guard !waiting.isEmpty else { throw .timedOut }
      return Array(waiting.removeFirst().utf8)
    }

    func unasked() throws(LineFailure) -> [UInt8]? {
      waiting.isEmpty ? nil : Array(waiting.removeFirst().utf8)
    }

    func send(_ line: String) throws(LineFailure) {}
  }

  @Test("A second line for a question is refused at the next one, or at the end of the run")
  func twoLines() throws {
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    func failure(doubling numbers: ClosedRange<Int>, questions: Int) throws -> String? {
      let queue = Queue { line in
        guard let answer = try? Self.numbered(line).get() else { return nil }
        let isDouble = numbers.contains { answer.contains("\"n\":\($0)}") }
        return isDouble ? [answer, answer] : [answer]
      }
      var session = ProgramSession(queue, command: "test", spec: .standard, version: "test")
      do {
        try session.greet()
        var setup = built.setup
        setup.controller = session.greeting.seat
        try session.begin(setup)
        var run = Run(setup)
        for _ in 0..<questions {
          guard let question = run.nextQuestion() else { break }
          try run.answer(try session.answer(question, QuestionContent(question)))
        }
        try session.close()
      } catch let failure as ProgramFailure {
        return failure.description
      }
      return nil
    }
    let said = #"The controller "test" said more than it was asked ("{"type":"act","n":2}"): "#
    let rest = "a question has one answer, in one line, at "
    #expect(
      try failure(doubling: 2...9, questions: 9)
        == "\(said)\(rest)2026-01-05T00:15:00Z (question 3).")
    #expect(try failure(doubling: 2...2, questions: 3) == "\(said)\(rest)the end of the run.")
    #expect(try failure(doubling: 20...20, questions: 9) == nil)
  }

  @Test("A late answer is put aside by its number, before and after the next one")
  func lateWithNumber() throws {
    var spec = ProgramSpec.standard
    spec.failsOnTimeout = false
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    var late: [String] = []
    let queue = Queue { line in
      guard let answer = try? Self.numbered(line).get() else { return nil }
      if answer.contains("\"n\":3}") || answer.contains("\"n\":5}") {
        late.append(answer)
        return nil
      }
      defer { late = [] }
      return answer.contains("\"n\":4}") ? late + [answer] : [answer] + late
    }
    var session = ProgramSession(queue, command: "test", spec: spec, version: "test")
    try session.greet()
    var setup = built.setup
    setup.controller = session.greeting.seat
    try session.begin(setup)
    var run = Run(setup)
    var missing: [Int] = []
    for number in 0..<10 {
      guard let question = run.nextQuestion() else { break }
      let answer = try session.answer(question, QuestionContent(question))
      if case .missing = answer { missing.append(number) }
      try run.answer(answer)
    }
    try session.close()
    #expect(missing == [3, 5])
  }

  @Test("Lines of text before the first message are banners")
  func banners() throws {
    var left = 3
    let built = try #require(BridgeFixture.built(BridgeFixture.scenario()))
    let (result, _, _) = try Self.live(built) { line in
      if left > 0, line.isEmpty || line.hasPrefix("{\"type\":\"hello\"") {
        left -= 1
        // Some programs begin what they write in UTF-8 with a mark.
        return .success(left == 0 ? "\u{FEFF}" + Self.hello : "MATLAB is starting …")
      }
      return Self.saying("{\"type\":\"act\"}")(line)
    }
    #expect(result.cycles.completed == result.cycles.due)
  }
}
