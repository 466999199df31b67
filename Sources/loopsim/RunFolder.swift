import Bridge
import HealthStore
import HealthStoreSQLite
import Quantities
import Reports
import Scenarios
import Simulation
import StructuredText

/// The folder of results that a run leaves.
enum RunFolder {
  /// The name of a run's page in its folder.
  static let page = "report.html"

  /// Writes every file of a run; the folder appears whole or not at all.
  ///
  /// With `hidesFormulas` cells of tables that a spreadsheet would execute are made text, and with
  /// `withPage` the page of the run is written too.
  static func write(
    _ run: FinishedRun, below folder: String, replacing: Bool, hidesFormulas: Bool = false,
    withPage: Bool = false
  ) throws {
    guard run.result != nil else { return }
    try write(
      run, into: "\(folder)/\(run.id)", replacing: replacing, hidesFormulas: hidesFormulas,
      withPage: withPage)
  }

  /// Writes every file of a run into a folder of its own, which appears whole or not at all.
  static func write(
    _ run: FinishedRun, into folder: String, replacing: Bool = true, hidesFormulas: Bool = false,
    withPage: Bool = false, and more: [(name: String, text: String)] = []
  ) throws {
    guard let result = run.result else { return }
    let output = try OutputFolder(at: folder, replacing: replacing)
    for file in texts(run) + more {
      let isTable = hidesFormulas && file.name.hasSuffix(".csv")
      try output.write(
        isTable ? CSVWriter.withoutFormulas(file.text) : file.text, named: file.name)
    }
    if run.output.files.contains(.healthStore) {
      try writeStore(result.store, in: output)
    }
    if withPage, let report = run.report {
      try output.write(RunPage(report).html, named: Self.page)
    }
    try LoopInputFolder.write(run, below: output.workingPath)
    try output.finish()
  }

  /// The files of a run that are text: its summary, and those that its scenario keeps.
  static func texts(_ run: FinishedRun) -> [(name: String, text: String)] {
    guard let result = run.result, let summary = run.summary else { return [] }
    let kept = OutputSelection.File.allCases.filter(run.output.files.contains)
    let isWhole = run.output.hasWholePredictions
    let ofReport: [OutputSelection.File] = [.doses, .pulses, .cycles, .predictions, .settings]
    let report =
      isWhole || kept.contains(where: ofReport.contains)
      ? run.report(withDoses: kept.contains(.doses)) : nil
    var own = [("summary.json", JSONWriter().text(summary.json))]
    if let report, isWhole || kept.contains(.predictions) {
      own.append(("predictions.csv", RunTables.predictions(report, isWhole: isWhole)))
    }
    own += run.transcripts.map { ($0.fileName, $0.text) }
    return own
      + kept.compactMap { file in
        switch file {
        case .timeline: ("timeline.csv", RunTables.timeline(result, series: run.output.series))
        case .basalSegments: ("basal-segments.csv", RunTables.basalSegments(result))
        case .eventHistory: ("event-history.csv", eventHistory(of: run, result))
        case .insulinDelivery: ("insulin-delivery.csv", RunTables.insulinDelivery(result))
        case .happenings: ("happenings.csv", RunTables.happenings(result))
        case .ledger: ("ledger.json", JSONWriter().text(LedgerJSON.value(result)))
        case .doses: report.map { ("doses.csv", RunTables.doses($0)) }
        case .pulses: report.map { ("pulses.csv", RunTables.pulses($0)) }
        case .cycles: report.map { ("cycles.csv", RunTables.cycles($0)) }
        case .settings: report.map { ("settings.json", JSONWriter().text(RunTables.settings($0))) }
        case .healthStore, .predictions: nil
        }
      }
  }

  /// The files of a run that are kept as its reference result: small, and readable as text.
  static func reference(_ run: FinishedRun) -> [(name: String, text: String)] {
    guard let result = run.result, var summary = run.summary else { return [] }
    // Where a run comes from is said by the place of its reference result.
    summary.coordinates = nil
    let writer = JSONWriter()
    let decisions = run.transcripts.map { ($0.fileName, $0.text) }
    let ofApp =
      result.hasApp
      ? [
        ("basal-segments.csv", RunTables.basalSegments(result)),
        ("event-history.csv", eventHistory(of: run, result)),
      ] : []
    return decisions + [
      ("summary.json", writer.text(summary.json)),
      ("timeline.csv", RunTables.timeline(result, every: .minutes(30))),
    ] + ofApp + [("ledger.json", writer.text(LedgerJSON.value(result)))]
  }

  private static func eventHistory(of run: FinishedRun, _ result: RunResult) -> String {
    RunTables.eventHistory(result, deleted: run.observation?.deletedEvents ?? [])
  }

  private static func writeStore(
    _ store: InMemoryHealthStore, in output: borrowing OutputFolder
  ) throws {
    let name = "health.sqlite"
    do {
      // The file is closed when the backend goes, before it is added.
      try SQLiteBackend(
        path: "\(output.workingPath)/\(name)", durability: .unpublished, isChecked: false
      ).mirror(store)
    } catch {
      let place = "\(error)".replacing(output.workingPath, with: output.path)
      throw Failure(.inputOutput, place)
    }
    try output.add(name)
  }
}
