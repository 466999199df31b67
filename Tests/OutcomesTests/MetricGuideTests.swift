import Foundation
import Testing

@testable import Outcomes

@Suite("The metrics in the guide")
struct MetricGuideTests {
  @Test("The guide lists every metric as it is written, in its order and with its unit")
  func table() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scenarios/GUIDE.md")
    let guide = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(guide.components(separatedBy: "<!-- metrics -->\n").last)
    let table = try #require(begin.components(separatedBy: "<!-- end of metrics -->").first)
    let rows = table.split(separator: "\n").dropFirst(2).map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows.map { $0[0] } == Metric.Name.allCases.map { "`\($0.signature)`" })
    #expect(rows.map { $0[1] } == Metric.Name.allCases.map(\.unit.rawValue))
    for row in rows { #expect(row.count == 3 && !row[2].isEmpty, "\(row)") }
  }
}
