import Bridge
import Simulation

/// Who answers the questions of one run: those about insulin, and those to the body.
struct RunPrograms {
  /// `nil` where the app decides by itself.
  var controller: RunProgram?
  /// `nil` where the body is one of ours.
  var body: RunProgram?

  private var all: [RunProgram] { [controller, body].compactMap(\.self) }

  /// The questions with their answers, one record for each.
  var transcripts: [Transcript] { all.map(\.transcript) }

  /// Answers the question at which a run stands.
  func answer(_ run: inout Run) throws(ProgramFailure) {
    guard let question = run.question else { return }
    guard let program = question.role == .body ? body : controller else {
      throw ProgramFailure(.input, "A program has a part in this run, and none was given.")
    }
    try program.answer(&run)
  }

  /// Tells the programs that their run is over, and ends them.
  func end(_ result: RunResult, digest: String) {
    for program in all { program.end(result, digest: digest) }
  }

  /// Ends the programs of a run that broke off.
  func abandon() {
    for program in all { program.abandon() }
  }
}
