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
}
