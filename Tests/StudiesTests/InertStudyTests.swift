import StructuredText
import Testing

@testable import Studies

/// Texts of a scenario in the answer of its study: each stays on its line, and none is obeyed.
@Suite("Texts of files in the answer of a study")
struct InertStudyTests {
  private static let title = "A \u{1B}[31mred\u{1B}[0m\n::error::study \u{202E}abc"
  private static let shown =
    "A \\u{1B}[31mred\\u{1B}[0m\\n::error::study \\u{202E}abc"

  /// A study with that title, of whose runs one failed for a reason of two lines.
  private func analysis() throws -> StudyAnalysis {
    var files = Fixture.scenario(patients: 10, Fixture.arms + Fixture.goals)
    let escaped = "A \\u001b[31mred\\u001b[0m\\n::error::study \\u202eabc"
    files["study.json5"] = files["study.json5"]?.replacing("A small study", with: escaped)
    return try Fixture.analysis(of: Fixture.study(files)) { item in
      item.number == 3
        ? ["status": "failed", "reason": "it\nbroke", "digest": ""]
        : ["mean": "\(100 + item.patient)", "range": "90", "low": "0"]
    }
  }

  @Test("The text of a study shows a title, and lets it begin no line")
  func text() throws {
    let lines = StudyText(try analysis()).lines
    let whole = lines.joined(separator: " ")
    #expect(whole.contains("\(Self.shown): 10 patients"))
    #expect(whole.contains("it\\nbroke"))
    #expect(lines.allSatisfy { InertText.line($0) == $0 })
  }

  @Test("So does the list for its reader, which is Markdown")
  func checklist() throws {
    let analysis = try analysis()
    let digest = StudyDigest(plan: "p", cases: "c", summary: "s")
    let text = StudyChecklist(analysis, digest: digest).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "# \(Self.shown)")
    #expect(lines.contains("  * 1 × it\\nbroke"))
    #expect(lines.allSatisfy { InertText.line($0) == $0 })
    #expect(lines.contains("## Flow"))
  }
}
