import Bridge
import Foundation
import Processes
import Quantities
import Scenarios
import Simulation
import StructuredText

/// Who answers the questions of one run: a program, or the record of one.
final class RunController {
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
  ///   - setup: The run, whose seat becomes the program's.
  ///   - digest: The digest of the scenario.
  /// - Returns: The one who answers.
  /// - Throws: ``ControllerFailure`` where the program cannot be started or does not greet.
  static func starting(
    _ words: [String], in folder: String, spec: ControllerSpec, setup: inout Setup,
    digest: String
  ) throws(ControllerFailure) -> RunController {
    let command = ShellWord.line(words)
    let child: ChildProcess
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(
        words, in: folder, environment: environment(spec),
        lineLimit: BridgeProtocol.longestAnswer)
    } catch {
      throw Self.placed(
        ControllerFailure(.program, "The controller \"\(command)\" \(error)."), spec)
    }
    var session = ProgramSession(
      ChildLines(child: child), command: command, spec: spec, version: Loopsim.version ?? "")
    do throws(ControllerFailure) {
      try session.greet()
      setup.controller = session.seat
      setup.controllerRules = spec.rules
      try session.begin(setup)
    } catch {
      throw Self.withError(error, of: child, spec)
    }
    let transcript = Transcript(
      Transcript.Header(
        run: setup.id, scenario: digest, seed: setup.seed, version: Loopsim.version ?? "",
        program: session.program.name, programVersion: session.program.version,
        seat: session.seat, isPrivileged: spec.rules.isPrivileged))
    return RunController(.program(session, child), transcript)
  }

  /// Takes the answers of a run from a record.
  static func replaying(
    _ transcript: Transcript, file: String, remedy: String, spec: ControllerSpec,
    setup: inout Setup
  ) -> RunController {
    setup.controller = transcript.header.seat
    setup.controllerRules = spec.rules
    return RunController(
      .record(TranscriptReplay(transcript, file: file, remedy: remedy)),
      Transcript(transcript.header))
  }

  /// Answers the question at which a run stands.
  func answer(_ run: inout Run) throws(ControllerFailure) {
    guard let question = run.question else { return }
    let content = QuestionContent(question)
    let asked = content.asked
    let answer: Answer
    switch source {
    case .program(var session, let child):
      do throws(ControllerFailure) {
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
      throw ControllerFailure(.program, "\(error)")
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
    _ failure: ControllerFailure, of child: ChildProcess, _ spec: ControllerSpec
  ) -> ControllerFailure {
    let failure = placed(failure, spec)
    child.kill()
    let lines = child.lastError.split(separator: "\n").suffix(6).joined(separator: "\n  ")
    guard !lines.isEmpty else { return failure }
    return ControllerFailure(failure.kind, "\(failure) It last wrote:\n  \(lines)")
  }

  /// The failure with the place at which a scenario names the program.
  private static func placed(
    _ failure: ControllerFailure, _ spec: ControllerSpec
  ) -> ControllerFailure {
    guard !spec.command.isEmpty else { return failure }
    return ControllerFailure(failure.kind, "\(spec.place): \(failure)")
  }

  /// The variables of a program.
  private static func environment(_ spec: ControllerSpec) -> [String] {
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
