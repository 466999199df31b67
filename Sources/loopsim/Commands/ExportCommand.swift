import Arguments
import Formats
import RunPlans
import StructuredText

/// Groups the formats to which scenarios can be exported.
struct ExportCommand: Command {
  static let name = "export"
  static let abstract = "Write a scenario in the format of another program."
  static let subcommands: [any Command.Type] = [ExportLoopScenarioCommand.self]
}

/// Writes a run's scenario as a testing scenario of the Loop app.
struct ExportLoopScenarioCommand: Command {
  static let name = "loop-scenario"
  static let abstract = "Write a run's scenario as a testing scenario of the Loop app."
  static let discussion = """
    Only data goes over: the history, meals with their entries, boluses of stated units and temp \
    basals, as offsets from the start. Such a file has no place for body, settings and devices, \
    which stay behind. What else of history, events, faults and chance cannot go over is told \
    with its place, and --strict writes nothing then. What was imported from such a file comes \
    out equal.
    """

  var file = ""
  var only: String?
  var out: String?
  var isStrict = false
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The scenario file.")
    it.option("run", \.only, valueName: "id", help: "The run; needed where there are several.")
    it.output(
      "out", short: "o", \.out, valueName: "file",
      help: "The file to write; standard output for -, and unless given.")
    it.flag("strict", \.isStrict, help: "Write nothing when something cannot go over.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func run(to console: any Console) async throws {
    let selection = try RunSelection(only, in: file, allowsOutside: allowsOutside)
    try selection.keepFiles(apartFrom: [out])
    // What no run can be made of is no scenario to hand on.
    _ = try selection.build()
    let problems = ProblemList()
    let exported = LoopScenarioExporter(problems: problems).exporting(selection.planned.run.tree)
    console.note(problems.sorted)
    if problems.hasErrors || isStrict && problems.hasErrorsOrWarnings {
      throw CommandLineError.exit(.badInput)
    }
    let text = JSONWriter().text(exported)
    if let out {
      try Files.write(text, to: out)
    } else {
      console.write(text, to: .output)
    }
  }
}
