import Bridge
import Simulation
import StructuredText
import Studies

/// Who answers the questions of one run: those about insulin, and those to the body.
struct RunPrograms {
  /// `nil` where the app decides by itself.
  var controller: RunProgram?
  /// `nil` where the body is one of ours.
  var body: RunProgram?

  private var all: [RunProgram] { [controller, body].compactMap(\.self) }

  /// The questions with their answers, one record for each.
  var transcripts: [Transcript] { all.map(\.transcript) }

  /// The programs as the plan of a study names them.
  var started: [StudyProgram] { all.compactMap(\.started) }

  /// What is wrong where a program is none of those that a plan names; `nil` where nothing is.
  func mismatch(with planned: [StudyProgram]) -> String? {
    for program in started where !planned.contains(program) {
      let former = planned.first { $0.role == program.role && $0.command == program.command }
      return former.map {
        "The study was planned with the program \($0.words), and the one that was started is "
          + "\(program.words). Plan the study anew."
      } ?? "The plan of the study does not have the program \(program.words). Plan it anew."
    }
    return nil
  }

  /// Answers the question at which a run stands.
  func answer(_ run: inout Run) throws(ProgramFailure) {
    guard let question = run.question else { return }
    guard let program = question.role == .body ? body : controller else {
      throw ProgramFailure(.input, "A program has a part in this run, and none was given.")
    }
    try program.answer(&run)
  }

  /// Tells the programs that their run is over, and ends them.
  ///
  /// - Throws: ``ProgramFailure`` where one has said more than it was asked; none is ended then.
  func end(_ result: RunResult, digest: String) throws(ProgramFailure) {
    for program in all { try program.close() }
    for program in all { program.end(result, digest: digest) }
  }

  /// Warnings of recorded answers that a run which is over has not asked for.
  var unusedAnswers: [TextProblem] { all.compactMap(\.unusedAnswers) }

  /// Ends the programs of a run that broke off.
  func abandon() {
    for program in all { program.abandon() }
  }
}

extension ProgramFailure: ClassifiedError {
  var exitCode: ExitCode {
    switch kind {
    case .program: .programFailed
    case .replay: .expectationFailed
    case .input: .badInput
    }
  }
}
