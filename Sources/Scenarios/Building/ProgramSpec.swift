public import Quantities
public import Simulation
public import StructuredText

/// What a scenario says of a program that decides, or is the body.
public struct ProgramSpec: Sendable {
  /// What the program is in the run.
  public var role = ProgramRole.controller
  /// The words that start the program; empty where the file names none.
  public var command: [String] = []
  /// The path of the record from which answers are taken, as the file writes it.
  public var transcript: String?
  /// The place in the file of the command or the record.
  public var place = TextPosition(file: "", line: 1, column: 1)
  /// The seat of one that decides; `nil` where the program chooses.
  public var seat: ControllerSeat?
  /// How one that decides does so.
  public var rules = ControllerRules()
  /// Handed over to the program as they stand.
  public var parameters: JSONValue = [:]
  /// The glucose with which a body is to begin; `nil` where that is its own affair.
  public var initialGlucose: GlucoseConcentration?
  /// How long the program may take for an answer.
  public var timeout = TimeSpan.seconds(30)
  /// How long it may take to start.
  public var startTimeout = TimeSpan.seconds(60)
  /// Whether a run fails when an answer does not come in time; otherwise the cycle does.
  public var failsOnTimeout = true
  /// The variables that the program gets beside the usual ones; `nil` for all of this process.
  public var environment: [(name: String, value: String)]?

  /// What holds where a scenario says nothing of a program.
  public static let standard = ProgramSpec()

  /// What the program does in the run, in a sentence.
  public var sentence: String {
    switch role {
    case .controller: "A program decides this run"
    case .body: "A program is the body of this run"
    }
  }
}
