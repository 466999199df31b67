public import Quantities
public import Simulation
public import StructuredText

/// The record of a run's questions and of what a program answered, one line each.
///
/// With it the run is repeated without the program: each question is compared with the one that was
/// answered.
public struct Transcript: Sendable {
  /// The version of the format.
  public static let format: Int64 = 1
  /// The name of its file in a run's folder.
  public static func fileName(of role: ProgramRole) -> String {
    role == .body ? "lived.ndjson" : "decisions.ndjson"
  }

  /// The name of this one's file in a run's folder.
  public var fileName: String { Self.fileName(of: header.role) }

  /// What a transcript says of the run before its first question.
  public struct Header: Hashable, Sendable {
    /// The run's identifier.
    public var run: String
    /// The digest of the scenario.
    public var scenario: String
    /// The seed of the run.
    public var seed: UInt64
    /// The version of loopsim.
    public var version: String
    /// The program's own name.
    public var program: String
    /// The program's own version.
    public var programVersion: String
    /// The seat of the program.
    public var seat: ControllerSeat
    /// Whether it decided, or was the body.
    public var role: ProgramRole
    /// Whether the program is told the truth about the body.
    public var isPrivileged: Bool
    /// Who recommends boluses to people, as `ControllerRules.manualBolus` has it.
    public var manualBolus: BolusAdviser?

    /// Creates a `Header` from its parts; see the properties.
    public init(
      run: String, scenario: String, seed: UInt64, version: String, program: String = "",
      programVersion: String = "", seat: ControllerSeat, role: ProgramRole = .controller,
      isPrivileged: Bool, manualBolus: BolusAdviser? = nil
    ) {
      self.run = run
      self.scenario = scenario
      self.seed = seed
      self.version = version
      self.program = program
      self.programVersion = programVersion
      self.seat = seat
      self.role = role
      self.isPrivileged = isPrivileged
      self.manualBolus = manualBolus
    }
  }

  /// A question with its answer.
  public struct Entry: Sendable {
    /// The number of the question, from 0.
    public var number: Int
    /// When it was asked, by the phone's clock; a body in true time.
    public var instant: Instant
    /// The digests of what was asked; see ``QuestionContent/asked``.
    public var asked: String
    /// Whether a bolus was asked for, which a person waited for.
    public var isForBolus: Bool
    /// What was answered.
    public var answer: Answer
    /// The line of the file, from 1.
    public var line: Int
  }

  /// What is said of the run.
  public var header: Header
  /// The questions with their answers, in order.
  public private(set) var entries: [Entry] = []
  /// The digest of the result; `nil` where the run broke off.
  public var digest: String?

  /// Begins a transcript.
  public init(_ header: Header) { self.header = header }

  /// Keeps a question and its answer.
  public mutating func add(_ question: Question, asked: String, _ answer: Answer) {
    assert(question.number == entries.count, "Questions are numbered from 0 without a gap.")
    assert(!asked.isEmpty, "A question is known by its digests.")
    entries.append(
      Entry(
        number: question.number, instant: question.instant, asked: asked,
        isForBolus: question.isForBolus, answer: answer, line: entries.count + 2))
  }

  // MARK: - Text

  /// The file: a line for the run, one for each question, and one for the end.
  public var text: String {
    var lines = [BridgeProtocol.line(headerValue)]
    for entry in entries { lines.append(BridgeProtocol.line(Self.value(entry))) }
    if let digest {
      lines.append(
        BridgeProtocol.line([
          "answers": .integer(Int64(entries.count)), "digest": .string(digest),
        ]))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headerValue: JSONValue {
    let seat = header.seat == .algorithm ? "algorithm" : "controller"
    var program: [JSONValue.Member] = [
      .init("name", .string(header.program)), .init("version", .string(header.programVersion)),
      .init("seat", .string(header.role == .body ? "body" : seat)),
    ]
    if let adviser = header.manualBolus {
      program.append(.init("manualBolus", .string(adviser.rawValue)))
    }
    return [
      "transcript": .integer(Self.format), "run": .string(header.run),
      "scenario": .string(header.scenario), "seed": .string("\(header.seed)"),
      "loopsim": .string(header.version), "program": .object(program),
      "privileged": .bool(header.isPrivileged),
    ]
  }

  private static func value(_ entry: Entry) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("n", .integer(Int64(entry.number))), .init("at", .time(entry.instant)),
    ]
    if entry.isForBolus { members.append(.init("for", "bolus")) }
    members += [
      .init("asked", .string(entry.asked)), .init("answer", AnswerWriter.value(entry.answer)),
    ]
    if case .missing(let reason) = entry.answer { members.append(.init("why", .string(reason))) }
    return .object(members)
  }

  // MARK: - Reading

  /// Reads a file; what is wrong is reported with its line.
  public static func read(
    _ bytes: [UInt8], file: String, problems: ProblemList
  ) -> Transcript? {
    var transcript: Transcript?
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      func place(_ column: Int?) -> TextPosition {
        TextPosition(file: file, line: index + 1, column: column ?? 1)
      }
      let field: JSONField
      switch BridgeProtocol.read(Array(line), limit: BridgeProtocol.longestAnswer) {
      case .failure(let problem):
        problems.error(at: place(problem.column), problem.sentences.joined(separator: " "))
        return nil
      case .success(let found): field = found
      }
      if transcript == nil {
        transcript = header(field).map { Transcript($0) }
      } else if transcript?.digest != nil {
        field.error(
          "The transcript has ended in a line before; remove this one, or record it anew.")
      } else if field["digest"].exists {
        let count = transcript?.entries.count ?? 0
        transcript?.digest = end(field, after: count)
      } else if let kept = transcript, let entry = entry(field, kept, index + 1) {
        transcript?.entries.append(entry)
      }
      if let problem = field.problems.sorted.first(where: { $0.severity == .error }) {
        problems.error(at: place(problem.position.column), problem.sentence)
        return nil
      }
    }
    if transcript == nil {
      problems.error(
        at: TextPosition(file: file, line: 1, column: 1), "The transcript is empty.")
    }
    return transcript
  }

  private static func header(_ field: JSONField) -> Header? {
    guard field.required("transcript").integer() == format else {
      field["transcript"].error("This is no transcript of version \(format).")
      return nil
    }
    field.allowOnly([
      "transcript", "run", "scenario", "seed", "loopsim", "program", "privileged",
    ])
    let program = field.required("program")
    program.allowOnly(["name", "version", "seat", "manualBolus"])
    guard let run = field.required("run").text(),
      let scenario = field.required("scenario").text(),
      let seed = seed(field.required("seed")),
      let seat = program.required("seat").choice(of: ["controller", "algorithm", "body"])
    else { return nil }
    func words(_ field: JSONField) -> String { field.exists ? field.text() ?? "" : "" }
    return Header(
      run: run, scenario: scenario, seed: seed, version: words(field["loopsim"]),
      program: words(program["name"]), programVersion: words(program["version"]),
      seat: seat == "algorithm" ? .algorithm : .controller,
      role: seat == "body" ? .body : .controller,
      isPrivileged: field["privileged"].exists ? field["privileged"].bool() ?? false : false,
      manualBolus: program["manualBolus"].exists ? program["manualBolus"].choice() : nil)
  }

  private static func seed(_ field: JSONField) -> UInt64? {
    guard let text = field.text() else { return nil }
    guard let seed = UInt64(digits: text) else {
      field.reportUnusable(expected: "the digits of a whole number from 0 to \(UInt64.max)")
      return nil
    }
    return seed
  }

  /// The digest of the last line, which says how many answers there were.
  private static func end(_ field: JSONField, after count: Int) -> String? {
    field.allowOnly(["answers", "digest"])
    if let said = field.required("answers").integer(), said != Int64(count) {
      field["answers"].error(
        "The transcript has \(count) of \(said) answers: it was changed. Record it anew.")
    }
    return field["digest"].text()
  }

  /// The question of a line, the next one after those of a transcript so far.
  private static func entry(_ field: JSONField, _ kept: Transcript, _ line: Int) -> Entry? {
    field.allowOnly(["n", "at", "for", "asked", "answer", "why"])
    let header = kept.header
    guard let number = field.required("n").integer(in: 0...100_000_000),
      let instant = field.required("at").instant(),
      let asked = field.required("asked").text()
    else { return nil }
    guard number == Int64(kept.entries.count) else {
      field["n"].error(
        "The line has question \(number) in place of question \(kept.entries.count): the record "
          + "was changed. Record it anew.")
      return nil
    }
    let isForBolus = field["for"].exists && field["for"].choice(of: ["bolus"]) != nil
    let kept = field.required("answer")
    let answer: Answer?
    if header.role == .body {
      answer = AnswerReader.lived(kept, number: nil)
    } else if kept.node?.isNull == true {
      answer = .missing(field.required("why").text() ?? "")
    } else if isForBolus {
      answer = AnswerReader.bolus(kept, number: nil)
    } else {
      answer = AnswerReader.answer(kept, seat: header.seat, number: nil)
    }
    return answer.map {
      Entry(
        number: Int(number), instant: instant, asked: asked, isForBolus: isForBolus, answer: $0,
        line: line)
    }
  }
}
