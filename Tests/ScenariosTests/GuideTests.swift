import Foundation
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

@Suite("The guide to writing scenarios")
struct GuideTests {
  static let guide: String = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scenarios/GUIDE.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  @Test("Its tables are those of the schema")
  func tables() throws {
    let parts = Self.guide.components(separatedBy: "<!-- keys -->\n")
    let table = try #require(parts.last?.components(separatedBy: "<!-- end of keys -->").first)
    let written = table.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = SchemaTable().markdown.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, want) in zip(written, wanted) where line != want {
      Issue.record("Write \"\(want)\" in place of \"\(line)\" (loopsim schema --format markdown).")
      return
    }
    #expect(written.count == wanted.count)
  }

  @Test("Each of its examples is a scenario without errors and warnings")
  func examples() {
    let examples = Self.guide.components(separatedBy: "```json5\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(examples.count >= 4)
    for example in examples {
      let (plan, sentences) = CheckTests.check(["guide.json5": example], "guide.json5")
      #expect(plan != nil)
      #expect(sentences == [])
    }
  }

  @Test("Each key is described once, in one line")
  func keys() {
    let rows = SchemaTable().rows
    #expect(rows.count > 250)
    for row in rows {
      #expect(row.meaning.hasSuffix(".") && !row.meaning.contains("\n"), "\(row.path)")
    }
    // One path may stand beside several keys, with a meaning of its own beside each.
    let places = rows.map { [$0.path, $0.beside ?? ""] }
    #expect(Set(places).count == places.count)
    #expect(places.contains(["events[].entry.at", "injection"]))
    for path in [
      "clock.duration", "events[].meal.grams", "faults[].pump.occlusion.backlog", "expect[].metric",
    ] {
      #expect(rows.contains { $0.path == path })
    }
  }
}
