import Foundation
import Reports
import Testing

@testable import loopsim

@Suite("What a result holds")
struct OutputGuideTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every table of a run has the columns that the guide lists, in their order")
  func tablesAreDescribed() throws {
    let file = Self.root.path + "/Scenarios/basal-reporting/site-trouble-day.json5"
    let finished = ScenarioBatch.carryOut(
      try RunSelection(nil, in: file).planned, seed: nil)
    let tables = RunFolder.files(of: finished).filter { $0.name.hasSuffix(".csv") }
    #expect(tables.count == 9)
    for table in tables {
      let described = try #require(
        OutputGuide.files.first { $0.name == table.name }, "\(table.name)")
      let header = table.text.prefix { !$0.isNewline }
      #expect(header == described.columns.map(\.name).joined(separator: ","))
    }
    let report = try #require(finished.report)
    let row = try #require(BatchRow(report, hasFailed: false))
    let runs = BatchTables.runs([row]).prefix { !$0.isNewline }
    let described = try #require(OutputGuide.files.first { $0.name == "runs.csv" })
    #expect(runs == described.columns.map(\.name).joined(separator: ","))
  }

  @Test("Scenarios/OUTPUT.md is what the program prints")
  func isGenerated() throws {
    let file = Self.root.appendingPathComponent("Scenarios/OUTPUT.md")
    #expect(try String(contentsOf: file, encoding: .utf8) == OutputGuide.markdown)
  }

  @Test("A temp basal whose end a stopped app did not see is mutable to the end of the run")
  func mutable() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 's', clock: { start: '2026-01-15T08:00:00', duration: '4h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        events: [
          { at: '09:47', basal: { rate: 2, duration: '1h' } }, { at: '10:02', phone: 'off' },
        ] }
      """, to: scratch.file("s.json5"))
    let words = ["run", scratch.file("s.json5"), "--quiet", "--out", scratch.file("out")]
    let run = await program(words)
    #expect(run.code == 0, "\(run.error)")
    // It counts as it was programmed, 2 U/h for an hour; the schedule before it was closed.
    let rows = try scratch.text(of: "out/s/insulin-delivery.csv").split(separator: "\n")
    #expect(rows.count == 3)
    #expect(rows[1].contains(",basal,1.7500,1.00,yes,no,"), "\(rows[1])")
    #expect(
      rows[2].hasPrefix(
        "2026-01-15T09:47:00Z,2026-01-15T10:47:00Z,tempBasal,2.0000,1.00,yes,yes,"), "\(rows[2])")
  }
}
