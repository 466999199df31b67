import Arguments
import Bridge
import FoundationEssentials
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText

/// Writes a run down as a scenario in which nothing is left to chance.
struct FreezeCommand: Command {
  static let name = "freeze"
  static let abstract = "Write a run down as a scenario with everything random fixed."
  static let discussion = """
    Meals, boluses and reactions of the behaviour block, faults that come by chance, jittered \
    times and slips of the person become ordinary events and faults. The seed is kept, so that \
    sensor and body vary as they did. The frozen scenario is run before it is written: it gives \
    the same rows and records.

    Tables are written into it, and paths are rewritten as they are seen from it. An expectation \
    that looks at other runs is left out with a warning; golden files, and comparisons with files \
    and with what was observed, are kept. No program is started: a run in which one decides, or is \
    the body, takes its answers from the record that the scenario names.
    """

  var file = ""
  var only: String?
  var seed: UInt64?
  var output: String?
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The scenario file.")
    it.option(
      "run", \.only, valueName: "id", help: "The run to freeze, where the scenario has several.")
    it.option("seed", short: "s", \.seed, help: "A seed in place of the scenario's own.")
    it.output(
      "output", short: "o", \.output,
      help: "The file to write; standard output for -, and unless given.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws {
    if let seed, Int64(exactly: seed) == nil {
      throw ValidationError("A seed in a scenario is at most \(Int64.max).")
    }
  }

  func run(to console: any Console) async throws {
    let selection = try RunSelection(only, in: file, allowsOutside: allowsOutside)
    try selection.keepFiles(apartFrom: [output])
    console.note(selection.problems)
    let built = try selection.build(seed: seed)
    let run = selection.planned.run
    try Self.refuseProgram(built)
    let (result, unusedAnswers) = try Self.carryOut(built, file)
    console.note(unusedAnswers)
    let folder = output.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let frozen = FrozenScenario(
      run, built: built, result: result, seed: seed, in: folder ?? "",
      from: FileManager.default.currentDirectoryPath)
    console.note(frozen.omissions)
    try Self.check(frozen, in: folder ?? "", repeats: result, to: console)
    guard let output else {
      console.write(frozen.text, to: .output)
      return
    }
    try Files.write(frozen.text, to: output)
    console.note("\(run.id) is written to \(output).")
  }

  /// Refuses a run with a program of which no record is named: the frozen scenario could not
  /// repeat it.
  private static func refuseProgram(_ built: BuiltRun) throws {
    guard let program = built.programs.first(where: { $0.transcript == nil }) else { return }
    let key = program.role == .body ? "patient.transcript" : "controller.transcript"
    throw Failure(
      .badInput,
      "\(program.place): \(program.sentence), so a frozen scenario does not repeat it. Keep the "
        + "record of its answers (\(Transcript.fileName(of: program.role))) and name it as \(key).")
  }

  /// Lives through a run, whose questions the records answer that its scenario names, and tells of
  /// the answers that are left.
  private static func carryOut(
    _ built: BuiltRun, _ file: String
  ) throws -> (RunResult, unusedAnswers: [TextProblem]) {
    var setup = built.setup
    let programs = try ProgramDesk.nobody.programs(for: built, &setup, file: file)
    var run = Run(setup)
    while run.nextQuestion() != nil { try programs.answer(&run) }
    return ((consume run).finish(), programs.unusedAnswers)
  }

  /// Runs the frozen scenario: a copy that does not repeat its original must never be written.
  private static func check(
    _ frozen: FrozenScenario, in folder: String, repeats result: RunResult, to console: any Console
  ) throws {
    let problems = ProblemList()
    let file = FilePath.joined(folder, "frozen.json5")
    // Tables of rows that are expected are read again from where they stand.
    let files = TextAmongFiles(frozen.text, at: file, among: MachineFiles())
    var reader = ScenarioReader(files: files, allowsOutside: true)
    let built = reader.read(file, problems: problems)
      .flatMap { RunPlan($0, reader: reader, problems: problems) }
      .flatMap { RunBuilder.build($0.run(at: 0), problems: problems) }
    guard let built, try carryOut(built, file).0.digest == result.digest else {
      for problem in problems.sorted where problem.severity == .error {
        console.note(problem.description)
      }
      throw Failure(
        .softwareFault,
        "The frozen scenario does not repeat its run, so it is not written. This is a mistake of "
          + "loopsim; please report it with the scenario.")
    }
  }
}
