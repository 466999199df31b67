internal import Quantities
internal import Reports
internal import Scenarios
internal import Simulation
internal import StructuredText
internal import Typesetting

/// Every dose of a run in every record.
struct DosesInRecords {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// How many doses the table shows; those after them are in the results' folder.
  private var mostDoses: Int { report.isLong ? 60 : 200 }

  /// The table.
  var markup: Markup {
    var columns: [PageTable.Column] = [
      .init("From"), .init("To"), .init("Kind"), .init("Rate U/h", number: true, optional: true),
      .init("Asked U", number: true, optional: true),
      .init("Body", number: true, style: "c-b"), .init("Pump", number: true, style: "c-p"),
    ]
    if run.hasApp {
      columns += [
        .init("App", number: true, style: "c-l"), .init("Event"),
        .init("Health", number: true, style: "c-h"), .init("Written", optional: true),
      ]
    }
    columns.append(.init("Difference"))
    var table = PageTable(columns, caption: "Every dose in every record")
    for dose in report.doses.prefix(mostDoses) {
      let links = dose.differences.map { index -> Markup in
        "<a href=\"#d\(report.number(of: index))\">\(report.number(of: index))</a>"
      }.joined(separator: " ")
      let isMissing = dose.differences.contains { report.differences[$0].severity == .fault }
      var cells: [PageTable.Cell] = [
        "\(report.moment(dose.start))",
        "\(report.moment(dose.end, beside: dose.start, isEnd: true))", "\(words(of: dose))",
        .init("\(dose.rate.map { RecordLanes.units($0.unitsPerHour) } ?? "")"),
        .init("\(dose.asked.map { FixedDecimal.text($0, decimals: 3) } ?? "")"),
        number(dose.body), number(dose.pump),
      ]
      if run.hasApp {
        cells += [
          number(dose.app), "\(event(dose))",
          dose.store == nil && isMissing
            ? .init("missing", style: "badt") : number(dose.store),
          .init("\(dose.written.map { report.moment($0, beside: dose.start) } ?? "")"),
        ]
      }
      table.rows.append(cells + [.init(links)])
    }
    return table.markup
      + PageParts.more(
        than: table.rows.count, of: report.doses.count,
        in: OutputSelection.File.doses.fileName)
  }

  private func number(_ units: Double?) -> PageTable.Cell {
    .init(units.map { "\(RecordLanes.units($0))" } ?? "–")
  }

  private func words(of dose: DoseRow) -> String {
    guard dose.kind == .external, let source = dose.source else { return dose.kind.words }
    return "\(dose.kind.words): \(source)"
  }

  private func event(_ dose: DoseRow) -> String {
    if let deleted = dose.deletedFromHistory {
      return "deleted \(report.moment(deleted, beside: dose.start))"
    }
    return dose.isInEventHistory.map { $0 ? "yes" : "no" } ?? "–"
  }

  private var run: RunResult { report.run }
}
