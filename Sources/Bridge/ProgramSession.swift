internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Quantities
public import Scenarios
public import Simulation
internal import StructuredText

/// One run's talk with a program that decides, or is the body.
public struct ProgramSession {
  private let lines: any ProgramLines
  /// What the scenario says of the program.
  public let spec: ProgramSpec
  /// How sentences name the program: `The controller "python3 pid.py"`.
  private let subject: String
  private let version: String
  private var writer = QuestionWriter()
  /// The questions without an answer in time, which may come while another is asked.
  private var missed: Set<Int> = []
  /// What the program has said of itself.
  public private(set) var greeting = ProgramGreeting()
  /// Who recommends boluses to people; `nil` where the scenario does not say it, and the program
  /// cannot.
  public private(set) var manualBolus: BolusAdviser?

  /// Begins to talk with a program that runs.
  ///
  /// - Parameters:
  ///   - lines: The program.
  ///   - command: The words that started it, for sentences.
  ///   - spec: What the scenario says of it.
  ///   - version: The version of loopsim.
  public init(_ lines: any ProgramLines, command: String, spec: ProgramSpec, version: String) {
    self.lines = lines
    self.spec = spec
    subject = "The \(spec.role.rawValue) \"\(command)\""
    self.version = version
  }

  /// The talk about another run with a program that has been told that the last is over.
  ///
  /// - Parameters:
  ///   - lines: The program.
  ///   - command: The words that started it, for sentences.
  ///   - spec: What the scenario of this run says of the program: it takes the same seat.
  ///   - version: The version of loopsim.
  ///   - greeting: What the program said of itself before its first run.
  /// - Throws: ``ProgramFailure`` where the program cannot do what this run asks of it.
  public init(
    _ lines: any ProgramLines, command: String, spec: ProgramSpec, version: String,
    greeting: ProgramGreeting
  ) throws(ProgramFailure) {
    self.init(lines, command: command, spec: spec, version: version)
    self.greeting = greeting
    try prepare()
  }

  /// Exchanges greetings; where the scenario does not say it, a program that decides says in which
  /// seat it sits.
  public mutating func greet() throws(ProgramFailure) {
    var members: [JSONValue.Member] = [
      .init("type", "hello"), .init("protocol", .integer(BridgeProtocol.version)),
      .init("loopsim", .string(version)), .init("role", .string(spec.role.rawValue)),
    ]
    if let seat = spec.seat { members.append(.init("seat", .string(Self.word(seat)))) }
    members.append(.init("line", .integer(Int64(BridgeProtocol.longestRequest))))
    var bytes = try ask(
      BridgeProtocol.line(.object(members)), within: spec.startTimeout, whileIn: "at its start")
    var banners = 0
    while !Self.isMessage(bytes), banners < Self.mostBanners {
      // Some programs say who they are before they speak to anybody.
      banners += 1
      bytes = try hello(after: bytes)
    }
    let field = try message(from: bytes, of: ["hello"], whileIn: "hello")
    var known = ["type", "protocol", "name", "version", "role", "can", "line"]
    if spec.role == .controller { known += ["seat", "history"] }
    field.allowOnly(known)
    field.checkIntroduction()
    if field["role"].exists, let role = field["role"].text(), role != spec.role.rawValue {
      field["role"].error(
        "\"role\" must be \"\(spec.role.rawValue)\", as the scenario wants it.")
    }
    if field.required("protocol").integer() != BridgeProtocol.version {
      field["protocol"].error("\"protocol\" must be \(BridgeProtocol.version).")
    }
    greeting.name = field["name"].node?.string ?? ""
    greeting.version = field["version"].node?.string ?? ""
    var asked: ControllerSeat?
    if field["seat"].exists {
      asked =
        field["seat"].choice(of: ["controller", "algorithm"]) == "algorithm"
        ? .algorithm : .controller
    }
    if field["history"].exists, let history = field["history"].choice(QuestionHistory.self) {
      greeting.history = history
    }
    let can = field["can"].exists ? field["can"].items() ?? [] : []
    let abilities = can.compactMap { $0.choice(of: Self.abilities) }
    try refuse(field, "hello")
    greeting.recommendsBoluses = abilities.contains("bolus")
    greeting.canBeReused = abilities.contains("reuse")
    try prepare()
    if let asked, let own = spec.seat, asked != own {
      throw ProgramFailure(
        .program,
        "\(subject) takes the seat '\(Self.word(asked))', and the scenario says "
          + "'\(Self.word(own))'. Make them agree.")
    }
    greeting.seat = spec.seat ?? asked ?? .controller
  }

  /// Gets ready for a run, of which the program has been told nothing.
  private mutating func prepare() throws(ProgramFailure) {
    writer = QuestionWriter(history: greeting.history)
    manualBolus = spec.rules.manualBolus ?? (greeting.recommendsBoluses ? .program : nil)
    guard manualBolus != .program || greeting.recommendsBoluses else {
      throw ProgramFailure(
        .program,
        "\(subject) is to recommend boluses (manualBolus: 'program') and does not say that it can: "
          + "\"can\":[\"bolus\"]. Write manualBolus: 'loop' to take the built-in algorithm's.")
    }
  }

  /// Tells the program which run begins.
  public mutating func begin(_ setup: Setup) throws(ProgramFailure) {
    let begin =
      spec.role == .body
      ? BeginMessage.body(setup, spec)
      : BeginMessage.value(setup, parameters: spec.parameters, scenario: setup.id)
    let line = BridgeProtocol.line(begin)
    let answer = try ask(line, within: spec.startTimeout, whileIn: "before the first question")
    _ = try message(from: answer, of: ["ready"], whileIn: "begin")
  }

  /// Asks the program.
  ///
  /// - Returns: Its answer; that none came where the scenario goes on without one.
  public mutating func answer(
    _ question: Question, _ content: QuestionContent
  ) throws(ProgramFailure) -> Answer {
    let line = BridgeProtocol.line(writer.message(question, content))
    let place = "at \(question.instant) (question \(question.number))"
    try refuseUnasked(place)
    let bytes: [UInt8]
    do throws(LineFailure) {
      bytes = try fresh(line)
    } catch {
      guard error == .timedOut, !spec.failsOnTimeout, spec.role == .controller else {
        throw failure(error, spec.timeout, place)
      }
      missed.insert(question.number)
      return .missing("The controller did not answer within \(spec.timeout).")
    }
    let type = spec.role == .body ? "lived" : question.isForBolus ? "boluses" : "act"
    let named = "answer \(question.number) at \(question.instant)"
    let field = try message(from: bytes, of: [type], whileIn: named)
    let read =
      spec.role == .body
      ? AnswerReader.lived(field, number: question.number)
      : question.isForBolus
        ? AnswerReader.bolus(field, number: question.number)
        : AnswerReader.answer(field, seat: greeting.seat, number: question.number)
    if !missed.isEmpty, field["n"].node?.integer == nil {
      throw ProgramFailure(
        .program,
        "\(subject), \(named): an answer was late before, and this one has no \"n\", so that "
          + "nobody can say which question it answers. Send the question's \"n\" back.")
    }
    guard let answer = read else {
      throw wrong(MessageProblem(field.problems), named)
    }
    return answer
  }

  /// Holds the program to one line for each question, when no other will be asked.
  public mutating func close() throws(ProgramFailure) {
    try refuseUnasked("at the end of the run")
  }

  /// Tells the program that the run is over.
  public func end(_ reason: String, digest: String?) {
    var members: [JSONValue.Member] = [
      .init("type", "end"), .init("reason", .string(reason)),
    ]
    if let digest { members.append(.init("digest", .string(digest))) }
    // Whether it hears that makes no difference to the run.
    try? lines.send(BridgeProtocol.line(.object(members)))
  }

  // MARK: - Lines

  /// What a program may say that it can; `fork` is for clients.
  static let abilities = ["bolus", "fork", "reuse"]
  /// How many lines of text may come before the first message.
  private static let mostBanners = 100

  /// Whether a line is meant as a message, perhaps behind the mark with which some programs begin
  /// what they write in UTF-8.
  private static func isMessage(_ bytes: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).first == UInt8(ascii: "{")
  }

  /// Refuses what the program has said without being asked.
  ///
  /// Taken for the answer to the next question, it would shift all later ones. Late answers to
  /// questions without which the run went on are put aside.
  private mutating func refuseUnasked(_ place: String) throws(ProgramFailure) {
    do throws(LineFailure) {
      while let bytes = try lines.unasked() {
        guard isLate(bytes) else {
          let said = String(decoding: bytes.prefix(80), as: UTF8.self)
          throw LineFailure.failed(
            "said more than it was asked (\"\(said)\"): a question has one answer, in one line,")
        }
      }
    } catch {
      throw failure(error, spec.timeout, place)
    }
  }

  /// Whether a line is the answer to a question that went without one, by its number.
  private mutating func isLate(_ bytes: [UInt8]) -> Bool {
    guard !missed.isEmpty,
      case .success(let field) = BridgeProtocol.read(bytes, limit: BridgeProtocol.longestAnswer),
      let number = field["n"].node?.integer
    else { return false }
    return missed.remove(Int(number)) != nil
  }

  /// The first line that is no late answer to an earlier question.
  private mutating func fresh(_ line: String) throws(LineFailure) -> [UInt8] {
    var bytes = try lines.exchange(line, within: Self.duration(spec.timeout))
    while isLate(bytes) {
      bytes = try lines.exchange("", within: Self.duration(spec.timeout))
    }
    return bytes
  }

  private func ask(
    _ line: String, within limit: TimeSpan, whileIn place: String
  ) throws(ProgramFailure) -> [UInt8] {
    do throws(LineFailure) {
      return try lines.exchange(line, within: Self.duration(limit))
    } catch {
      throw failure(error, limit, place)
    }
  }

  /// The line after one of text, which stands before the greeting.
  private func hello(after banner: [UInt8]) throws(ProgramFailure) -> [UInt8] {
    do throws(LineFailure) {
      return try lines.exchange("", within: Self.duration(spec.startTimeout))
    } catch {
      guard error == .timedOut else { throw failure(error, spec.startTimeout, "at its start") }
      // It has flushed its output: what is missing is a message.
      throw ProgramFailure(
        .program,
        "\(subject) gave no answer in time (\(spec.startTimeout)) at its start: it printed "
          + "\(Self.words(of: banner)), and no \"hello\" after that. Print logs to standard "
          + "error.")
    }
  }

  /// What a line is that is no message.
  private static func words(of line: [UInt8]) -> String {
    let text = String(decoding: line.prefix(80), as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? "an empty line" : "text (\"\(text)\")"
  }

  private func failure(
    _ error: LineFailure, _ limit: TimeSpan, _ place: String
  ) -> ProgramFailure {
    switch error {
    case .timedOut:
      ProgramFailure(
        .program,
        "\(subject) gave no answer in time (\(limit)) \(place). The usual cause is output that "
          + "waits in a buffer: end each message with a line end, and flush standard output "
          + "after it.")
    case .failed(let words): ProgramFailure(.program, "\(subject) \(words) \(place).")
    }
  }

  private func wrong(_ problem: MessageProblem, _ place: String) -> ProgramFailure {
    ProgramFailure(.program, "\(subject), \(place): \(problem)")
  }

  private func refuse(_ field: JSONField, _ place: String) throws(ProgramFailure) {
    if field.problems.hasErrors { throw wrong(MessageProblem(field.problems), place) }
  }

  private func message(
    from bytes: [UInt8], of types: [String], whileIn place: String
  ) throws(ProgramFailure) -> JSONField {
    let field: JSONField
    switch BridgeProtocol.read(bytes, limit: BridgeProtocol.longestAnswer) {
    case .failure(let problem):
      guard Self.isMessage(bytes) else {
        let text = String(decoding: bytes.prefix(80), as: UTF8.self)
        let what =
          text.allSatisfy(\.isWhitespace)
          ? "an empty line where a message was due" : "text where a message was due: \"\(text)\""
        throw ProgramFailure(
          .program, "\(subject), \(place): it printed \(what). Print logs to standard error.")
      }
      throw wrong(problem, place)
    case .success(let found): field = found
    }
    let type = field["type"].node?.string
    if type == "error" {
      throw ProgramFailure(
        .program, "\(subject), \(place): it says: \(field["text"].node?.string ?? "an error")")
    }
    if type.map(types.contains) != true {
      _ = field.required("type").choice(of: types)
      try refuse(field, place)
    }
    return field
  }

  private static func duration(_ span: TimeSpan) -> Duration { .milliseconds(span.milliseconds) }

  static func word(_ seat: ControllerSeat) -> String {
    seat == .algorithm ? "algorithm" : "controller"
  }
}
