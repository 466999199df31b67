import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Reports
import Simulation
import StructuredText

/// The folder of results that a run leaves.
enum RunFolder {
  /// Writes every file of a run; the folder appears whole or not at all.
  static func write(_ run: FinishedRun, below folder: String, replacing: Bool) throws {
    guard let result = run.result, let summary = run.summary else { return }
    let output = try OutputFolder(at: "\(folder)/\(run.id)", replacing: replacing)
    let writer = JSONWriter()
    try output.write(writer.text(summary.json), named: "summary.json")
    try output.write(RunTables.timeline(result), named: "timeline.csv")
    try output.write(RunTables.basalSegments(result), named: "basal-segments.csv")
    try output.write(RunTables.eventHistory(result), named: "event-history.csv")
    try output.write(RunTables.insulinDelivery(result), named: "insulin-delivery.csv")
    try output.write(RunTables.happenings(result), named: "happenings.csv")
    try output.write(writer.text(LedgerJSON.value(result)), named: "ledger.json")
    try writeStore(result.store, to: "\(output.workingPath)/health.sqlite")
    try output.finish()
  }

  /// The files of a run that are kept as its reference result: small, and readable as text.
  static func reference(_ run: FinishedRun) -> [(name: String, text: String)] {
    guard let result = run.result, let summary = run.summary else { return [] }
    let writer = JSONWriter()
    return [
      ("summary.json", writer.text(summary.json)),
      ("timeline.csv", RunTables.timeline(result, every: .minutes(30))),
      ("basal-segments.csv", RunTables.basalSegments(result)),
      ("event-history.csv", RunTables.eventHistory(result)),
      ("ledger.json", writer.text(LedgerJSON.value(result))),
    ]
  }

  private static func writeStore(_ store: InMemoryHealthStore, to path: String) throws {
    do {
      // The file is closed when the backend goes, before the folder gets its final name.
      try SQLiteBackend(path: path, isChecked: false).mirror(store)
    } catch {
      throw Failure(.inputOutput, "\(path): cannot be written: \(error)")
    }
  }
}
