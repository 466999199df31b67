import Bridge
import Foundation
import Processes
import Quantities
import Scenarios
import Simulation
import StructuredText

/// Who answers the questions of one run to its controller or to its body: a program, or the record
/// of one.
final class RunProgram {
  private enum Source {
    case program(ProgramSession, ChildProcess)
    case record(TranscriptReplay)
  }

  private var source: Source
  /// The questions so far with their answers.
  private(set) var transcript: Transcript

  private init(_ source: Source, _ transcript: Transcript) {
    self.source = source
    self.transcript = transcript
  }

  /// Starts the program of a run, and greets it.
  ///
  /// - Parameters:
  ///   - words: The words of the command.
  ///   - folder: The folder in which it runs.
  ///   - spec: What the scenario says of it.
  ///   - setup: The run, whose seat becomes that of a program that decides.
  ///   - digest: The digest of the scenario.
  /// - Returns: The one who answers.
  /// - Throws: ``ProgramFailure`` where the program cannot be started or does not greet.
  static func starting(
    _ words: [String], in folder: String, spec: ProgramSpec, setup: inout Setup,
    digest: String
  ) throws(ProgramFailure) -> RunProgram {
    let command = ShellWord.line(words)
    let child: ChildProcess
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(
        words, in: folder, environment: environment(spec),
        lineLimit: BridgeProtocol.longestAnswer)
    } catch {
      throw Self.placed(
        ProgramFailure(.program, "The \(spec.role.rawValue) \"\(command)\" \(error)."), spec)
    }
    var session = ProgramSession(
      ChildLines(child: child), command: command, spec: spec, version: Loopsim.version ?? "")
    do throws(ProgramFailure) {
      try session.greet()
      if spec.role == .controller {
        setup.controller = session.seat
        setup.controllerRules = spec.rules
        setup.controllerRules.manualBolus = session.manualBolus
      }
      try session.begin(setup)
    } catch {
      throw Self.withError(error, of: child, spec)
    }
    let transcript = Transcript(
      Transcript.Header(
        run: setup.id, scenario: digest, seed: setup.seed, version: Loopsim.version ?? "",
        program: session.program.name, programVersion: session.program.version,
        seat: session.seat, role: spec.role, isPrivileged: spec.rules.isPrivileged,
        manualBolus: session.manualBolus))
    return RunProgram(.program(session, child), transcript)
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

  /// Answers the question at which a run stands.
  func answer(_ run: inout Run) throws(ProgramFailure) {
    guard let question = run.question else { return }
    let content = QuestionContent(question)
    let asked = content.asked
    let answer: Answer
    switch source {
    case .program(var session, let child):
      do throws(ProgramFailure) {
        answer = try session.answer(question, content)
      } catch {
        throw Self.withError(error, of: child, session.spec)
      }
      source = .program(session, child)
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

  /// Tells the program that its run is over, and ends it.
  func end(_ result: RunResult, digest: String) {
    transcript.digest = digest
    guard case .program(let session, let child) = source else { return }
    session.end(result.lethalEnd == nil ? "over" : "lethal", digest: digest)
    child.end()
  }

  /// Ends the program of a run that broke off.
  func abandon() {
    if case .program(_, let child) = source { child.kill() }
  }

  // MARK: - Programs

  /// The failure with the last that the program wrote to standard error; the program is ended.
  private static func withError(
    _ failure: ProgramFailure, of child: ChildProcess, _ spec: ProgramSpec
  ) -> ProgramFailure {
    let failure = placed(failure, spec)
    child.kill()
    let lines = child.lastError.split(separator: "\n").suffix(6).joined(separator: "\n  ")
    guard !lines.isEmpty else { return failure }
    return ProgramFailure(failure.kind, "\(failure) It last wrote:\n  \(lines)")
  }

  /// The failure with the place at which a scenario names the program.
  private static func placed(
    _ failure: ProgramFailure, _ spec: ProgramSpec
  ) -> ProgramFailure {
    guard !spec.command.isEmpty else { return failure }
    return ProgramFailure(failure.kind, "\(spec.place): \(failure)")
  }

  /// The variables of a program.
  private static func environment(_ spec: ProgramSpec) -> [String] {
    var variables = ProcessInfo.processInfo.environment
    if let own = spec.environment {
      variables = variables.filter { ["PATH", "HOME", "TMPDIR"].contains($0.key) }
      for (name, value) in own { variables[name] = value }
    }
    let always = [
      // An unflushed print is the commonest reason for an answer that never comes.
      "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "LOOPSIM": "1",
    ]
    return variables.merging(always) { $1 }.map { "\($0)=\($1)" }.sorted()
  }
}

/// A child process as the bridge talks with it.
private struct ChildLines: ProgramLines {
  let child: ChildProcess

  func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8] {
    do throws(ChildProcess.Failure) {
      return try child.exchangeLine(line, within: limit)
    } catch {
      throw error == .timedOut ? .timedOut : .failed("\(error)")
    }
  }

  func send(_ line: String) throws(LineFailure) {
    do throws(ChildProcess.Failure) {
      try child.sendLine(line, within: .seconds(2))
    } catch {
      throw error == .timedOut ? .timedOut : .failed("\(error)")
    }
  }
}
