import Bridge
import FoundationEssentials
import Processes
import Scenarios
import Simulation
import StructuredText

/// How a program is started.
///
/// Two runs that start theirs alike may have the same one after the other.
struct ProgramStart: Hashable {
  let words: [String]
  let folder: String
  /// The variables, as `name=value`.
  let environment: [String]
  private let role: ProgramRole
  private let seat: ControllerSeat?

  /// How the program of a run is started.
  ///
  /// - Parameters:
  ///   - words: The words of the command.
  ///   - folder: The folder in which it runs.
  ///   - spec: What the scenario says of it.
  init(_ words: [String], in folder: String, _ spec: ProgramSpec) {
    self.words = words
    self.folder = folder
    (role, seat) = (spec.role, spec.seat)
    var variables = ProcessInfo.processInfo.environment
    if spec.environment != nil {
      variables = variables.filter { ["PATH", "HOME", "TMPDIR"].contains($0.key) }
    }
    let always = [
      // An unflushed print is the commonest reason for an answer that never comes.
      "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "LOOPSIM": "1",
    ]
    variables.merge(always) { $1 }
    // What a scenario states holds in place of all of them.
    for (name, value) in spec.environment ?? [] { variables[name] = value }
    environment = variables.map { "\($0)=\($1)" }.sorted()
  }
}

/// A program whose run is over, and that can live through another.
struct WaitingProgram: Sendable {
  let start: ProgramStart
  let child: ChildProcess
  let greeting: ProgramGreeting
}

/// A program that runs and has greeted.
struct StartedProgram {
  let start: ProgramStart
  private(set) var session: ProgramSession
  let child: ChildProcess

  /// Starts a program, and greets it.
  ///
  /// - Throws: ``ProgramFailure`` where it cannot be started or does not greet; nothing is left of
  ///   it then.
  init(_ start: ProgramStart, _ spec: ProgramSpec) throws(ProgramFailure) {
    let command = ShellWord.line(start.words)
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(
        start.words, in: start.folder, environment: start.environment,
        lineLimit: BridgeProtocol.longestAnswer)
    } catch {
      let sentence = "The \(spec.role.rawValue) \"\(command)\" \(error)."
      throw Self.placed(ProgramFailure(.program, sentence, isAtStart: true), spec)
    }
    self.start = start
    session = ProgramSession(
      ChildLines(child: child), command: command, spec: spec, version: Loopsim.version ?? "")
    do throws(ProgramFailure) {
      try session.greet()
    } catch {
      var failure = Self.withError(error, of: child, spec)
      failure.isAtStart = true
      throw failure
    }
  }

  /// Takes a program that waits for another run; `nil` where it cannot take part in this one.
  init?(_ waiting: WaitingProgram, _ spec: ProgramSpec) {
    let session = try? ProgramSession(
      ChildLines(child: waiting.child), command: ShellWord.line(waiting.start.words), spec: spec,
      version: Loopsim.version ?? "", greeting: waiting.greeting)
    guard let session else { return nil }
    (start, child) = (waiting.start, waiting.child)
    self.session = session
    child.forgetErrors()
  }

  /// The program as one that waits; `nil` where it lives through one run only.
  var waiting: WaitingProgram? {
    guard session.greeting.canBeReused else { return nil }
    return WaitingProgram(start: start, child: child, greeting: session.greeting)
  }

  /// Begins a run, whose seat becomes that of a program that decides.
  ///
  /// - Throws: ``ProgramFailure`` where the program does not begin it; the program is ended then.
  mutating func begin(_ setup: inout Setup) throws(ProgramFailure) {
    if session.spec.role == .controller {
      setup.controller = session.greeting.seat
      setup.controllerRules = session.spec.rules
      setup.controllerRules.manualBolus = session.manualBolus
    }
    do throws(ProgramFailure) {
      try session.begin(setup)
    } catch {
      throw Self.withError(error, of: child, session.spec)
    }
  }

  /// The program's answer to a question.
  ///
  /// - Throws: ``ProgramFailure`` where none comes or it cannot be read; the program is ended then.
  mutating func answer(
    _ question: Question, _ content: QuestionContent
  ) throws(ProgramFailure) -> Answer {
    do throws(ProgramFailure) {
      return try session.answer(question, content)
    } catch {
      throw Self.withError(error, of: child, session.spec)
    }
  }

  /// Holds the program to one line for each question, now that there is no other.
  ///
  /// - Throws: ``ProgramFailure`` where it said more; the program is ended then.
  mutating func close() throws(ProgramFailure) {
    do throws(ProgramFailure) {
      try session.close()
    } catch {
      throw Self.withError(error, of: child, session.spec)
    }
  }

  /// The failure with the last that the program wrote to standard error; the program is ended.
  private static func withError(
    _ failure: ProgramFailure, of child: ChildProcess, _ spec: ProgramSpec
  ) -> ProgramFailure {
    var failure = placed(failure, spec)
    child.kill()
    let lines = lastWords(of: child.lastError).joined(separator: "\n  ")
    if !lines.isEmpty { failure.description += " It last wrote:\n  \(lines)" }
    return failure
  }

  /// The last lines of what a program wrote to standard error.
  ///
  /// JavaScript and Java name the error before the calls that led to it, of which there may be
  /// many: the first of them says where it is.
  static func lastWords(of text: String) -> [Substring] {
    func isCall(_ line: Substring) -> Bool {
      line.first?.isWhitespace == true
        && line.trimmingPrefix(while: \.isWhitespace).hasPrefix("at ")
    }
    var lines: [Substring] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if isCall(line), let before = lines.last, isCall(before) { continue }
      lines.append(line)
    }
    return lines.suffix(6)
  }

  /// The failure with the place at which a scenario names the program.
  private static func placed(_ failure: ProgramFailure, _ spec: ProgramSpec) -> ProgramFailure {
    // A program that is killed, or not started any more, as the process is being ended has not
    // failed, nor has its run.
    PartialOutput.waitWhereEnding()
    var failure = failure
    if !spec.command.isEmpty { failure.description = "\(spec.place): \(failure.description)" }
    return failure
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

  func unasked() throws(LineFailure) -> [UInt8]? {
    do throws(ChildProcess.Failure) {
      return try child.unaskedLine()
    } catch {
      throw .failed("\(error)")
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
