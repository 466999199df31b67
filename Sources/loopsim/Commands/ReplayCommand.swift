import Arguments
import ClosedLoop
import Dosing
import Interchange
import Quantities
import Reports
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText

/// Lives through a run up to an instant and shows everything as it is then.
struct ReplayCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue { case text, json, input }

  static let name = "replay"
  static let abstract = "Show the whole state of a run at an instant, and the algorithm's input."
  static let discussion = """
    TIME is written as in scenarios: '18:30' is the next such time after the start, 'd1 07:15' a \
    time on the day after it, '+1h30m' counts from the start, and ISO 8601 is absolute; a time \
    of the pre-roll (clock.preRoll) is written --at=-10m. Everything that is due at that instant \
    has happened.

    The format "input" prints the algorithm's input alone, the JSON that loopsim predict takes. \
    Where a cycle of the loop falls on the instant it is the input of that cycle, otherwise what \
    the app would give the algorithm then.

    loopsim is not a medical device.
    """

  var file = ""
  var only: String?
  var time = ""
  var seed: UInt64?
  var inputFile: String?
  var format = Format.text
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The scenario file.")
    it.option("run", \.only, valueName: "id", help: "The run; needed where there are several.")
    it.option("at", \.time, help: "The instant; it must be given.")
    it.option("seed", short: "s", \.seed, help: "A seed in place of the scenario's own.")
    it.destination(
      "input", \.inputFile, valueName: "file", help: "Write the algorithm's input to this file.")
    it.option("format", \.format, help: "How to print the state, or only the input.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws {
    if time.isEmpty { throw Failure(.usage, "Say when, such as --at '+1h30m'.") }
  }

  func run(to console: any Console) async throws {
    let selection = try RunSelection(only, in: file, allowsOutside: allowsOutside)
    try selection.keepFiles(apartFrom: [inputFile])
    console.note(selection.problems)
    let built = try selection.build(seed: seed)
    guard built.setup.hasApp || (inputFile == nil && format != .input) else {
      throw Failure(
        .badInput, "The scenario has no app (app: 'none'), and no algorithm that is given an input."
      )
    }
    let instant = try instant(in: selection.planned.run, built.setup, console)
    var setup = built.setup
    let programs = try ProgramDesk.ofRecords().programs(for: built, &setup, file: file)
    var run = Run(setup)
    run.advance(through: instant)
    while run.question != nil {
      try programs.answer(&run)
      run.advance(through: instant)
    }
    let state = run.snapshot
    if let end = state.lethalEnd, end.instant < instant {
      console.note(
        "The run ended as lethal at \(built.setup.clock.iso8601(end.instant)); this is how it was "
          + "then.")
    }
    // Before its end the run may still ask for them.
    if instant == setup.end || state.lethalEnd != nil { console.note(programs.unusedAnswers) }
    if instant == setup.end, state.lethalEnd == nil, setup.hasApp {
      console.note(
        "The run ends now. Its results hold one more look at pump and sensor, with what the app "
          + "writes then; this is how it was before.")
    }
    let input = AlgorithmInputFile.text(state.app.input)
    if inputFile != nil || format == .input, !(state.app.isCycle && state.instant == instant) {
      console.note(
        "No cycle of the loop falls on this instant; the input is what the app would give the "
          + "algorithm with what it knows.")
    }
    if let inputFile { try Files.write(input, to: inputFile) }
    switch format {
    case .text: for line in StateReport(state, of: built.setup).lines { console.print(line) }
    case .json:
      console.printJSON(StateReport(state, of: built.setup).json)
    case .input: console.write(input, to: .output)
    }
  }

  /// The words that show a run at a time, ready for a shell.
  static func line(
    _ file: String, run: String, at time: String, seed: UInt64?, allowsOutside: Bool = false
  ) -> String {
    let words = ["loopsim", name, file, "--run", run, "--at", time]
    let options =
      (seed.map { ["--seed", "\($0)"] } ?? []) + (allowsOutside ? ["--allow-outside"] : [])
    return ShellWord.line(words + options)
  }

  /// The instant that the word means in the run.
  private func instant(
    in run: ExpandedRun, _ setup: Setup, _ console: any Console
  ) throws -> Instant {
    guard let text = TimeText(time) else {
      throw Failure(.usage, "\"\(time)\" is not a time. Write \(TimeText.forms).")
    }
    let context = ReadingContext(of: run.tree, problems: ProblemList())
    let resolution = text.resolved(
      from: context.start, start: context.start, on: context.wallClock)
    if let note = resolution.note { console.note(note) }
    if resolution.lacksSecond {
      throw Failure(.usage, "The clock shows \(time) only once that day. Remove '~2'.")
    }
    let instant = resolution.instant
    guard setup.beginning <= instant, instant <= setup.end else {
      let clock = context.wallClock
      throw Failure(
        .badInput,
        "\"\(time)\" is \(clock.iso8601(instant)), outside the run from "
          + "\(clock.iso8601(setup.beginning)) to \(clock.iso8601(setup.end)).")
    }
    return instant
  }
}
