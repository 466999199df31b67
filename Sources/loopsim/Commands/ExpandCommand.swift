import Arguments
import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText

/// Shows the runs of a scenario after merging, with the origin of each value.
struct ExpandCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case text
    case json
  }

  static let name = "expand"
  static let abstract = "Show every run of a scenario after merging, sweep and cohort."
  static let discussion = """
    Each value stands beside the place where it was written: in the file, in one that it \
    extends, in a variant, in the sweep, or in a row of the cohort's table. What the format's \
    defaults fill in is not shown; see loopsim schema.
    """

  var file = ""
  var only: String?
  var listsOnly = false
  var format = Format.text
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The scenario file.")
    it.option("run", \.only, valueName: "id", help: "Only the run with this id.")
    it.flag("list", \.listsOnly, help: "Only the ids of the runs.")
    it.option("format", \.format, help: "How to print the runs.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func run(to console: any Console) async throws {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MachineFiles(), allowsOutside: allowsOutside)
    let plan = reader.read(file, problems: problems)
      .flatMap { RunPlan($0, reader: reader, problems: problems) }
    console.note(problems.sorted)
    guard let plan else { throw CommandLineError.exit(ExitCode(of: problems.sorted)) }
    var count = 0
    var others: [String] = []
    for place in 0..<plan.count {
      let run = plan.run(at: place)
      guard only == nil || run.id == only else {
        others.append(run.id)
        continue
      }
      // One document, with a run in each line.
      if format == .json { console.write(count == 0 ? "[\n" : ",\n", to: .output) }
      count += 1
      print(run, to: console)
    }
    if format == .json, count > 0 { console.write("\n]\n", to: .output) }
    if count == 0 { throw RunSelection.noRun(only ?? "", in: file, among: others) }
    // What there is shows what is wrong, and cannot be run all the same.
    if problems.hasErrors { throw CommandLineError.exit(ExitCode(of: problems.sorted)) }
  }

  private func print(_ run: ExpandedRun, to console: any Console) {
    if listsOnly {
      format == .json
        ? console.write(JSONWriter().line(.string(run.id)), to: .output) : console.print(run.id)
      return
    }
    switch format {
    case .text:
      let writer = JSONWriter(style: .json5)
      var text = "\(run.id)\n"
      for origin in run.origins {
        text += "  \(origin.path): \(writer.line(origin.value))  ← \(origin.position)\n"
      }
      console.print(text)
    case .json:
      let origins = run.origins.map { origin -> JSONValue in
        [
          "path": .string(origin.path), "value": origin.value,
          "file": .string(origin.position.file), "line": .integer(Int64(origin.position.line)),
          "column": .integer(Int64(origin.position.column)),
        ]
      }
      let patient = run.writtenPatient ?? run.patient
      let line = JSONWriter().line([
        "run": .string(run.id), "patient": patient.map { .string($0) } ?? .null,
        "seed": .integer(Int64(clamping: run.seed)),
        "replicate": .integer(Int64(run.replicate)), "values": .array(origins),
      ])
      console.write(InertText.json(line), to: .output)
    }
  }
}
