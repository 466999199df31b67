import Bridge
import HealthStore
import HealthStoreSQLite
import Pages
import Quantities
import Reports
import Scenarios
import Simulation
import StructuredText

/// The folder of results that a run leaves.
enum RunFolder {
  /// The name of a run's page in its folder.
  static let page = "report.html"
  /// The name of a run's summary in its folder.
  static let summaryName = OutputSelection.summaryName

  /// Writes every file of a run into a folder of its own, which appears whole or not at all.
  static func write(
    _ run: FinishedRun, into folder: String, withPage: Bool = false,
    and more: [(name: String, text: String)] = []
  ) throws {
    try written(run, into: folder, withPage: withPage, and: more)?.finish()
  }

  /// Writes every file of a run into a folder that is not in its place yet; `nil` if there is no
  /// result.
  ///
  /// With `hidesFormulas` cells of tables that a spreadsheet would execute are made text, and with
  /// `withPage` the page of the run is written too.
  static func written(
    _ run: FinishedRun, into folder: String, hidesFormulas: Bool = false, withPage: Bool = false,
    and more: [(name: String, text: String)] = []
  ) throws -> OutputFolder? {
    guard let result = run.result else { return nil }
    let output: OutputFolder
    let store: SideWork?
    if let begun = run.begun, let taken = begun.take() {
      output = taken
      store = begun.store
    } else {
      output = try OutputFolder(at: folder)
      // The database takes as long as all tables together, and so it is written beside them.
      let isKept = run.output.files.contains(.healthStore)
      store = isKept ? writingStore(result.store, in: output) : nil
    }
    defer { store?.wait() }
    for file in files(of: run) {
      switch file.content {
      case .table(let table) where !hidesFormulas:
        try output.write(table(), named: file.name)
      case .table(let table):
        try output.write(CSVWriter.withoutFormulas(table().text), named: file.name)
      case .text(let text):
        try output.write(text(), named: file.name)
      }
    }
    for file in more { try output.write(file.text, named: file.name) }
    if let store {
      try store.finish()
      try output.add(OutputSelection.File.healthStore.fileName)
    }
    if withPage, let report = run.report {
      try output.write(RunPage(report).html, named: Self.page)
    }
    try LoopInputFolder.write(run, in: output)
    return output
  }

  /// A file of a run, which is made only when it is written.
  struct File {
    enum Content {
      case text(() -> String)
      case table(() -> CSVRows)
    }

    var name: String
    var content: Content

    /// All of it.
    var text: String {
      switch content {
      case .text(let text): text()
      case .table(let table): table().text
      }
    }
  }

  /// The files of a run that are text: its summary, and those that its scenario keeps.
  static func files(of run: FinishedRun) -> [File] {
    guard let result = run.result, let summary = run.summary else { return [] }
    let kept = OutputSelection.File.allCases.filter(run.output.files.contains)
    let isWhole = run.output.hasWholePredictions
    func table(_ file: OutputSelection.File, _ rows: @escaping () -> CSVRows) -> File {
      File(name: file.fileName, content: .table(rows))
    }
    func text(_ name: String, _ text: @escaping () -> String) -> File {
      File(name: name, content: .text(text))
    }
    var own = [text(summaryName) { JSONWriter().text(summary.json) }]
    let seen = run.observation
    if let seen, isWhole || kept.contains(.predictions) {
      own.append(table(.predictions) { RunTables.predictions(result, seen, isWhole: isWhole) })
    }
    own += run.transcripts.map { transcript in text(transcript.fileName) { transcript.text } }
    let series = run.output.series
    return own
      + kept.compactMap { file in
        switch file {
        case .timeline: table(file) { RunTables.timeline(result, series: series) }
        case .basalSegments: table(file) { RunTables.basalSegments(result) }
        case .eventHistory: table(file) { eventHistory(of: run, result) }
        case .insulinDelivery: table(file) { RunTables.insulinDelivery(result) }
        case .happenings: table(file) { RunTables.happenings(result) }
        case .ledger: text(file.fileName) { JSONWriter().text(LedgerJSON.value(result)) }
        case .doses: seen.map { seen in table(file) { RunTables.doses(result, seen) } }
        case .pulses: table(file) { RunTables.pulses(result) }
        case .cycles: seen.map { seen in table(file) { RunTables.cycles(result, seen) } }
        case .settings:
          run.report(withDoses: false).map { report in
            text(file.fileName) { JSONWriter().text(RunTables.settings(report)) }
          }
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
        (OutputSelection.File.basalSegments.fileName, RunTables.basalSegments(result).text),
        (OutputSelection.File.eventHistory.fileName, eventHistory(of: run, result).text),
      ] : []
    return decisions + [
      (summaryName, writer.text(summary.json)),
      (
        OutputSelection.File.timeline.fileName,
        RunTables.timeline(result, every: .minutes(30)).text
      ),
    ] + ofApp + [(OutputSelection.File.ledger.fileName, writer.text(LedgerJSON.value(result)))]
  }

  private static func eventHistory(of run: FinishedRun, _ result: RunResult) -> CSVRows {
    RunTables.eventHistory(result, deleted: run.observation?.deletedEvents ?? [])
  }

  /// Writes a health store into a file of the folder, which is closed when the work is done.
  static func writingStore(
    _ store: InMemoryHealthStore, in output: borrowing OutputFolder
  ) -> SideWork {
    let (folder, working) = (output.path, output.workingPath)
    return SideWork {
      do {
        try SQLiteBackend(
          path: "\(working)/\(OutputSelection.File.healthStore.fileName)",
          durability: .unpublished, isChecked: false
        ).mirror(store)
      } catch {
        throw Failure(.inputOutput, "\(error)".replacing(working, with: folder))
      }
    }
  }
}
