import Bridge
import Processes
import Quantities
import Scenarios
import Simulation
import StructuredText
import Studies

/// Who answers the questions of one run to its controller or to its body: a program, or the record
/// of one.
final class RunProgram {
  private enum Source {
    case program(StartedProgram, from: ProgramPool?)
    case record(TranscriptReplay)
  }

  private var source: Source
  /// What the question before said.
  private var content: QuestionContent?
  /// The questions so far with their answers.
  private(set) var transcript: Transcript

  private init(_ source: Source, _ transcript: Transcript) {
    self.source = source
    self.transcript = transcript
  }

  /// Starts the program of a run and greets it, or takes one that waits for another run.
  ///
  /// - Parameters:
  ///   - words: The words of the command.
  ///   - folder: The folder in which it runs.
  ///   - spec: What the scenario says of it.
  ///   - setup: The run, whose seat becomes that of a program that decides.
  ///   - digest: The digest of the scenario.
  ///   - pool: The programs that wait; `nil` where every run gets one of its own.
  /// - Returns: The one who answers.
  /// - Throws: ``ProgramFailure`` where the program cannot be started or does not greet.
  static func starting(
    _ words: [String], in folder: String, spec: ProgramSpec, setup: inout Setup,
    digest: String, from pool: ProgramPool?
  ) throws(ProgramFailure) -> RunProgram {
    let start = ProgramStart(words, in: folder, spec)
    var started = pool?.take(start, for: spec)
    if started != nil {
      // One that cannot begin another run is no reason for that run to fail.
      do throws(ProgramFailure) {
        try started?.begin(&setup)
      } catch {
        started = nil
      }
    }
    var program: StartedProgram
    if let started {
      program = started
    } else {
      program = try StartedProgram(start, spec)
      try program.begin(&setup)
    }
    let session = program.session
    let transcript = Transcript(
      Transcript.Header(
        run: setup.id, scenario: digest, seed: setup.seed, version: Loopsim.version ?? "",
        program: session.greeting.name, programVersion: session.greeting.version,
        seat: session.greeting.seat, role: spec.role, isPrivileged: spec.rules.isPrivileged,
        manualBolus: session.manualBolus))
    return RunProgram(.program(program, from: pool), transcript)
  }

  /// Takes the answers of a run from a record.
  static func replaying(
    _ transcript: Transcript, file: String, remedy: String, spec: ProgramSpec,
    setup: inout Setup
  ) -> RunProgram {
    if spec.role == .controller {
      setup.controller = transcript.header.seat
      setup.controllerRules = spec.rules
      setup.controllerRules.manualBolus = spec.rules.manualBolus ?? transcript.header.manualBolus
    }
    return RunProgram(
      .record(TranscriptReplay(transcript, file: file, remedy: remedy)),
      Transcript(transcript.header))
  }

  /// The program as the plan of a study names it; `nil` where a record answers.
  var started: StudyProgram? {
    guard case .program(let program, _) = source else { return nil }
    let spec = program.session.spec
    return StudyProgram(
      role: spec.role, command: program.start.words, name: program.session.greeting.name,
      version: program.session.greeting.version, isPrivileged: spec.rules.isPrivileged)
  }

  /// Answers the question at which a run stands.
  func answer(_ run: inout Run) throws(ProgramFailure) {
    guard let question = run.question else { return }
    let content = QuestionContent(question, after: content)
    self.content = content
    let asked = content.asked
    let answer: Answer
    switch source {
    case .program(var program, let pool):
      answer = try program.answer(question, content)
      source = .program(program, from: pool)
    case .record(var replay):
      answer = try replay.answer(question, asked: asked)
      source = .record(replay)
    }
    do throws(AnswerError) {
      try run.answer(answer)
    } catch {
      throw ProgramFailure(.program, "\(error)")
    }
    transcript.add(question, asked: asked, answer)
  }

  /// Holds the program to one answer for each question of its run.
  func close() throws(ProgramFailure) {
    guard case .program(var program, let pool) = source else { return }
    try program.close()
    source = .program(program, from: pool)
  }

  /// A warning of recorded answers that nobody has asked for; `nil` where a program answers, or
  /// none is left.
  var unusedAnswers: TextProblem? {
    guard case .record(let replay) = source else { return nil }
    return replay.unusedAnswers
  }

  /// Tells the program that its run is over; it waits for another where it can, or ends.
  func end(_ result: RunResult, digest: String) {
    transcript.digest = digest
    guard case .program(let program, let pool) = source else { return }
    program.session.end(result.lethalEnd == nil ? "over" : "lethal", digest: digest)
    guard let pool, let waiting = program.waiting else { return program.child.end() }
    pool.put(waiting)
  }

  /// Ends the program of a run that broke off.
  func abandon() {
    if case .program(let program, _) = source { program.child.kill() }
  }
}
