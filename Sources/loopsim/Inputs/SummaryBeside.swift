import FoundationEssentials
import Quantities
import Scenarios
import StructuredText

/// What the summary of a run says of the tables beside it.
///
/// A table that was cut off at the end of a row, as by a full disk or a copy that broke off, does
/// not show it by itself.
struct SummaryBeside {
  private let path: String
  private let root: JSONNode

  /// Reads the summary beside a table; `nil` where there is none.
  init?(_ table: String) throws {
    path =
      URL(fileURLWithPath: table).deletingLastPathComponent()
      .appendingPathComponent(OutputSelection.summaryName).path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let reading = JSONReader.read(try Files.read(path), file: path)
    guard let root = reading.root else { throw Failure(reading.problems) }
    self.root = root
  }

  /// Refuses a table of pulses of which the basal is not all that the pump gave.
  func check(basal units: InsulinAmount, in table: CSVTable) throws(Failure) {
    let stated = root["insulin"]?["basal_U"]?.double
    guard let told = stated.flatMap({ InsulinAmount(roundingUnits: $0) }), told != units
    else { return }
    throw failure(
      table,
      "The basal pulses add up to \(JSONField.shortText(units.units)) U, and \(path) tells of "
        + "\(JSONField.shortText(told.units)) U")
  }

  /// Refuses the timeline of a run that goes on where another row would lie.
  ///
  /// A run need not end with a row: it may be no whole multiple of the time between two of them,
  /// which is a day at most.
  func check(timeline table: CSVTable) throws(Failure) {
    guard let told = root["end"]?.string, let end = Instant(iso8601: told),
      let time = table.index(of: "time"), root["glucose"]?["rows"]?.integer != 0
    else { return }
    let ends = [table.rows.prefix(2), table.rows.suffix(1)].map { rows in
      rows.compactMap { Instant(iso8601: $0[time].text) }
    }
    if let first = ends[0].first, let second = ends[0].last, let last = ends[1].first {
      guard last + (second > first ? second - first : .days(1)) <= end else { return }
    } else if !table.rows.isEmpty {
      return
    }
    throw failure(table, "The timeline ends here, and by \(path) the run ends at \(told)")
  }

  private func failure(_ table: CSVTable, _ sentence: String) -> Failure {
    let place = (table.rows.last?.first ?? table.header.first)?.position
    let start = place.map { "\($0): error: " } ?? ""
    return Failure(
      .badInput, "\(start)\(sentence): the table is not whole. Run the scenario again.")
  }
}
