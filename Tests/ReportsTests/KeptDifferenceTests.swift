import Reports
import Testing

@Suite("What is told of a kept file that differs")
struct KeptDifferenceTests {
  private func sentences(_ kept: String, _ found: String, of file: String) -> [String] {
    ReplayOutcome.differences(of: file, kept: kept, found: found).map(\.sentence)
  }

  @Test("Two long lines are shown where they part")
  func longLines() {
    let row = (0..<60).map { "\(100 + $0)" }.joined(separator: ",")
    #expect(
      sentences("a\n\(row)\n", "a\n\(row)0\n", of: "t.csv") == [
        "t.csv line 2: kept \"…\(row.suffix(60))\", found \"…\(row.suffix(60))0\""
      ])
    let other = "9" + row.dropFirst()
    #expect(
      sentences(row, other, of: "t.csv") == [
        "t.csv line 1: kept \"\(row.prefix(120))\", found \"\(other.prefix(120))\""
      ])
    #expect(
      sentences("a,b\n", "a,b,c\n", of: "t.csv") == [
        "t.csv line 1: kept \"a,b\", found \"a,b,c\""
      ])
  }

  @Test("Carriage returns are told by their line, and so are bytes that make the same characters")
  func lineEnds() {
    let found = "a\nb\nc\n"
    #expect(
      sentences("a\nb\r\nc\n", found, of: "t.csv") == [
        "t.csv line 2: kept \"b\r\", found \"b\""
      ])
    let all = ReplayOutcome.differences(of: "t.csv", kept: "a\r\nb\r\nc\r\n", found: found)
    #expect(all.first?.line == 1 && all.first?.count == 3)
    #expect(!sentences("caf\u{e9}\n", "cafe\u{301}\n", of: "t.csv").isEmpty)
  }

  @Test("A row that one side lacks is one row that differs, and those after it are the same")
  func rowsThatDiffer() {
    func count(_ kept: String, _ found: String) -> Int? {
      ReplayOutcome.differences(of: "t.csv", kept: kept, found: found).first?.count
    }
    #expect(count("a\nb\nd\ne\nf\n", "a\nb\nc\nd\ne\nf\n") == 1)
    #expect(count("a\nb\nd\ne\nf\n", "a\nx\nc\nd\ne\nf\n") == 2)
    #expect(count("a\nb\n", "b\na\n") == 1)
  }

  @Test("A summary with a line more does not say that the scenario's text has changed")
  func lineMore() {
    let kept = """
      {
        "id": "a",
        "scenario_digest": "00e7629e6699b882",
        "digest": "915f982f02d321af"
      }
      """
    let more = kept.replacing("  \"scenario", with: "  \"note\": 1,\n  \"scenario")
    #expect(
      sentences(more, kept, of: "summary.json") == [
        "summary.json line 3: kept \"  \"note\": 1,\", "
          + "found \"  \"scenario_digest\": \"00e7629e6699b882\",\""
      ])
    let other = kept.replacing("00e7", with: "00e8")
    #expect(
      sentences(other, kept, of: "summary.json") == [
        "summary.json: the scenario's text has changed"
      ])
    let both = sentences(more, other, of: "summary.json")
    #expect(both.count == 2 && both.first?.contains("note") == true, "\(both)")
    let damaged = kept.replacing("scenario_digest", with: "scenario_dogest")
    #expect(sentences(damaged, kept, of: "summary.json").first?.contains("dogest") == true)
  }
}
