import Arguments
import ClosedLoop
import Dosing
import FoundationEssentials
import HealthStore
import Quantities
import Records
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText

/// Runs the algorithm over a real record.
struct BacktestCommand: Command {
  static let name = "backtest"
  static let abstract = "Run the algorithm over a person's record, and judge its predictions."
  static let discussion = """
    At every reading that would start a cycle of the app the algorithm gets what the record held \
    at that time and a stated therapy; its predictions are held against what glucose then did. \
    The therapy is that of a scenario file: its blocks 'therapy' and 'app'; each of its variants \
    is a therapy of its own, so that \
    settings can be compared. Where a file holds Nightscout's devicestatus, the loop's own figures \
    are compared. What glucose might have been under each therapy is a linear estimate, for at \
    most six hours at a time, and says nothing about what people would have done otherwise. Not a \
    medical device.
    """

  enum Format: String, ArgumentValue, CaseIterable { case text, json }

  var files: [String] = []
  var record = RecordArguments()
  var therapy: String?
  var format = Format.text
  var output: String?
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files,
      help: "The files of the record; devicestatus of Nightscout may be among them.")
    RecordArguments.describe(&it, \.record)
    it.option(
      "therapy", \.therapy, valueName: "file",
      help: "The scenario file with the therapy; each variant is one.")
    it.option("format", \.format, help: "What is printed.")
    it.destination(
      "out", short: "o", \.output, valueName: "folder",
      help: "The folder for tables of the cycles and of the estimate of each therapy, by its name.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws {
    guard therapy != nil else {
      throw ValidationError("Name the scenario file with the therapy: --therapy FILE.")
    }
  }

  func run(to console: any Console) async throws {
    let therapies = try Self.therapies(therapy ?? "", allowsOutside: allowsOutside)
    let tables = therapies.flatMap { [place(of: $0.name), place(of: $0.name, "-estimate")] }
    try Files.keep(files.filter { $0 != "-" } + [therapy ?? ""], apartFrom: tables)
    var places: Set<String> = []
    if let twice = tables.compactMap(\.self).first(where: { !places.insert($0).inserted }) {
      throw Failure(
        .badInput,
        "\(therapy ?? ""): two therapies would have their tables in \(twice). Rename a variant.")
    }
    var figures: [LoopFigures] = []
    var untimed: [String] = []
    let (samples, read, zones) = try record.samples(of: files) { file, document in
      let found = Self.figures(file, document)
      figures += found.figures
      if let note = found.note { untimed.append(note) }
    }
    let notes = read + untimed
    for note in notes { console.note(note) }
    let reading = RecordArguments.reading(notes)
    guard samples.contains(where: { $0.sample.type == .bloodGlucose }) else {
      throw Failure(.badInput, "\(files.joined(separator: ", ")): there is no glucose to replay.")
    }
    try record.checkPerson(samples, of: files)
    let zone = record.zone(
      of: samples, named: zones, therapy: therapies.lazy.compactMap(\.zone).first)
    let remark = zone.sentence("schedules and hours of day are by the clock of")
    let twice = BacktestText.twice(Audit.copies(in: samples))
    let span = try record.span(on: zone.clock, notes: console)
    let backtests = therapies.map { therapy in
      Backtest(
        therapy.name, samples: samples, therapy: therapy.settings,
        generation: therapy.generation, clock: zone.clock, from: span.from, to: span.to,
        figures: figures)
    }
    guard backtests.contains(where: { !$0.rows.isEmpty }) else {
      throw Failure(
        .badInput,
        "\(files.joined(separator: ", ")): there is no glucose to replay"
          + "\(record.spanWords(on: zone.clock)).")
    }
    for backtest in backtests {
      let tables = [
        ("", BacktestText.table(backtest)), ("-estimate", BacktestText.estimateTable(backtest)),
      ]
      for (ending, table) in tables {
        if let file = place(of: backtest.name, ending) {
          try Files.makeFolder(of: file)
          try Files.write(to: file) { part in try part(table) }
        }
      }
    }
    switch format {
    case .text:
      let remarks = [twice, remark].compactMap(\.self)
      let unit = try record.glucoseUnit(of: files, read: samples)
      for line in BacktestText.lines(backtests, in: unit, remarks: remarks, reading: reading) {
        console.print(line)
      }
    case .json:
      let stated = BacktestText.Zone(zone.name, from: zone.origin.rawValue, remark: remark)
      let json = BacktestText.json(backtests, stated, twice: twice, reading: reading)
      console.printJSON(json)
    }
  }

  /// The file of a table of a therapy; `nil` where none is asked for.
  private func place(of therapy: String, _ ending: String = "") -> String? {
    output.map { "\($0)/\(therapy)\(ending).csv" }
  }

  /// What the loop said of its own cycles, where a dump of Nightscout holds it.
  ///
  /// The note is on documents that do not say when.
  private static func figures(
    _ file: String, _ root: JSONNode
  ) -> (figures: [LoopFigures], note: String?) {
    let figures = LoopFigures.read(root)
    let rest = LoopFigures.count(in: root) - figures.count
    guard rest > 0 else { return (figures, nil) }
    let documents = WordList.counted(rest, "document", "says")
    return (
      figures,
      "\(file): \(documents) what a loop thought, and not when in a form that is read; it is not "
        + "compared."
    )
  }

  /// A therapy, and the time zone that its file names.
  private struct Therapy {
    var name: String
    var settings: TherapySettings
    var generation: LoopGeneration
    var zone: String?
  }

  /// The most therapies of one file.
  private static let mostTherapies = 64

  /// The therapies of a scenario file, one for each of its runs, by their names without that of
  /// the scenario: those of variants, of points of a sweep and of people.
  private static func therapies(
    _ path: String, allowsOutside: Bool
  ) throws -> [Therapy] {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MachineFiles(), allowsOutside: allowsOutside)
    let plan = ScenarioCheck.plan(path, reader: &reader, problems: problems)
    func refuseErrors() throws {
      guard problems.hasErrors else { return }
      throw Failure(problems.sorted.filter { $0.severity == .error })
    }
    // What is built of a file with errors would tell them again, in other words.
    try refuseErrors()
    var found: [Therapy] = []
    if let count = plan?.count, count > mostTherapies {
      throw Failure(
        .badInput,
        "\(path) has \(count) runs, each of them a therapy. A backtest takes at most "
          + "\(mostTherapies): name fewer variants, points of the sweep or people.")
    }
    for place in 0..<(plan?.count ?? 0) {
      guard let run = plan?.run(at: place) else { continue }
      if let built = RunBuilder.build(run, problems: problems) {
        let parts = run.id.split(separator: "/")
        let name = parts.count > 1 ? parts.dropFirst().joined(separator: "/") : run.id
        found.append(
          Therapy(
            name: name, settings: built.setup.app.configuration.therapy,
            generation: built.setup.app.configuration.generation,
            zone: run.tree["clock"]?["timeZone"]?.string))
      }
    }
    try refuseErrors()
    guard !found.isEmpty else { throw Failure(.badInput, "\(path) has no run, and no therapy.") }
    return found
  }
}
