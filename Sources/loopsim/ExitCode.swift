import Arguments
import ScenarioLanguage
import StructuredText

/// What the program's exit code says to the script that started it.
enum ExitCode: Int32 {
  case success = 0
  /// An expectation of a scenario, or a replay, failed.
  case expectationFailed = 1
  /// A study is incomplete: shards are missing.
  case incomplete = 3
  /// The words on the command line are wrong.
  case usage = 64
  /// The content of a file is wrong, or the file is not there.
  case badInput = 65
  /// A program that decides in a run cannot be started, ended, or answers what cannot be read.
  case programFailed = 69
  /// The mistake is ours.
  case softwareFault = 70
  /// Reading or writing failed.
  case inputOutput = 74
  /// Another process has the health store open, or the work was stopped on request and nothing is
  /// lost.
  case storeInUse = 75

  /// The code for an error that a command threw.
  ///
  /// An error that nobody classified is one that nobody expected: our fault.
  init(classifying error: any Error) {
    self = (error as? any ClassifiedError)?.exitCode ?? .softwareFault
  }

  /// The code for what is wrong with files: the system's failure to read one comes first.
  init(of problems: [TextProblem]) {
    self = problems.contains { $0.code == FileTrouble.readCode } ? .inputOutput : .badInput
  }
}

/// An error that knows which exit code it leads to.
///
/// Library errors are given this conformance beside the command that meets them.
protocol ClassifiedError: Error {
  var exitCode: ExitCode { get }
}

/// A reason to stop, in one sentence that ends with what to do.
struct Failure: ClassifiedError, CustomStringConvertible {
  let exitCode: ExitCode
  let description: String

  init(_ exitCode: ExitCode, _ description: String) {
    self.exitCode = exitCode
    self.description = description
  }

  /// What is wrong with files that were read.
  init(_ problems: [TextProblem]) {
    self.init(ExitCode(of: problems), problems.map(\.description).joined(separator: "\n"))
  }
}

extension CommandLineError {
  /// Ends a command that has already printed what there is to say.
  static func exit(_ code: ExitCode) -> Self { .exitCode(code.rawValue) }
}
