import Expectations
import Foundation
import Testing

@Suite("The invariants in the guide")
struct InvariantGuideTests {
  @Test("The guide says of every invariant what must hold")
  func table() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scenarios/GUIDE.md")
    let guide = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(guide.components(separatedBy: "<!-- invariants -->\n").last)
    let table = try #require(begin.components(separatedBy: "<!-- end of invariants -->").first)
    let rows = table.split(separator: "\n").dropFirst(2).map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows.map { $0[0] } == Invariant.allCases.map { "`\($0.rawValue)`" })
    for row in rows { #expect(row.count == 2 && !row[1].isEmpty, "\(row)") }
  }
}
