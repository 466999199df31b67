import Expectations
import Quantities
import StructuredText
import Testing

@testable import Reports

@Suite("Results for CI")
struct ContinuousIntegrationTests {
  static let suites = [
    ExpectationSuite(
      name: "late-bolus", file: "Scenarios/late-bolus.json5",
      properties: [.init("seed", "7"), .init("version", "1 & \"two\"")],
      results: [
        .init(
          .passed, expectation: "lbgi", run: "late-bolus/auto", file: "Scenarios/late-bolus.json5"),
        .init(
          .failed, expectation: "no-low", run: "late-bolus/auto",
          file: "Scenarios/late-bolus.json5", line: 12, column: 5,
          message: "glucose.true 41.3 < 54, first of 7", body: "02:10  41.3\n\n<look closer>"),
        .init(
          .failed, expectation: "soft", run: "late-bolus/auto", file: "Scenarios/late-bolus.json5",
          isWarning: true, message: "a little low"),
        .init(
          .skipped, expectation: "other", run: "late-bolus/auto",
          file: "Scenarios/late-bolus.json5", message: "no such series"),
        .init(
          .error, expectation: "golden", run: "late-bolus/auto",
          file: "Scenarios/late-bolus.json5", message: "100% broken\nin two lines\\u{1}"),
      ])
  ]

  @Test("JUnit XML counts, escapes and nests as CI servers expect")
  func writesJUnit() {
    let text = JUnitReport.text(Self.suites)
    #expect(
      text.contains(
        "<testsuite name=\"late-bolus\" file=\"Scenarios/late-bolus.json5\" tests=\"5\" "
          + "failures=\"1\" errors=\"1\" skipped=\"1\">"))
    #expect(text.contains("<property name=\"version\" value=\"1 &amp; &quot;two&quot;\"/>"))
    #expect(
      text.contains(
        "<failure message=\"glucose.true 41.3 &lt; 54, first of 7\" type=\"expectation\">"
          + "02:10  41.3\n\n&lt;look closer&gt;</failure>"))
    #expect(text.contains("<error message=\"100% broken&#10;in two lines\\u{1}\" type=\"run\">"))
    #expect(text.contains("<skipped message=\"no such series\"/>"))
    #expect(text.contains("<system-out>warning: a little low\n</system-out>"))
  }

  @Test("An expectation that only warns is no error for CI where a run has no result")
  func warnsWithoutResult() {
    let suite = ExpectationSuite(
      name: "late-bolus", file: "late-bolus.json5",
      results: [
        .init(
          .error, expectation: "soft", run: "late-bolus", file: "late-bolus.json5",
          isWarning: true, message: "the run late-bolus/s1 came to no result")
      ])
    let text = JUnitReport.text([suite])
    #expect(text.contains(" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">"), "\(text)")
    #expect(
      text.contains(
        "<system-out>warning: the run late-bolus/s1 came to no result\n</system-out>"))
    #expect(!text.contains("<error"))
    #expect(TAPReport.text([suite]).contains("\nok 1 - late-bolus · soft\n"))
  }

  @Test("TAP numbers the points, and a warning is no failure")
  func writesTAP() {
    let lines = TAPReport.text(Self.suites).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(2) == ["TAP version 13", "1..5"])
    #expect(lines.contains("ok 1 - late-bolus/auto · lbgi"))
    #expect(lines.contains("not ok 2 - late-bolus/auto · no-low"))
    #expect(lines.contains("ok 3 - late-bolus/auto · soft"))
    #expect(lines.contains("ok 4 - late-bolus/auto · other # SKIP no such series"))
    #expect(lines.contains("  at: \"Scenarios/late-bolus.json5:12\""))
    #expect(lines.contains("    <look closer>"))
  }

  @Test("GitHub shows a failure at its line, with the characters of commands escaped")
  func annotates() {
    let lines = GitHubAnnotations.text(Self.suites).split(separator: "\n")
    #expect(lines.count == 4)
    let place = "file=Scenarios/late-bolus.json5,line=12,col=5"
    let title = "title=late-bolus/auto · no-low"
    let line = "::error \(place),\(title)::glucose.true 41.3 < 54, first of 7"
    #expect(lines.first.map(String.init) == line)
    #expect(lines.last?.hasSuffix("::100%25 broken%0Ain two lines\\u{1}") == true)
  }

  @Test("What was not looked at is told in every form, whether the rest holds or not")
  func holdsInPart() {
    func result(_ outcome: ExpectationResult.Outcome, _ id: String) -> ExpectationResult {
      var result = ExpectationResult(
        outcome, expectation: id, run: "b/x", file: "b.json5", line: 3, column: 10,
        message: outcome == .passed ? "" : "0 < 5")
      result.remark = "not compared: 12 moments of this run alone"
      return result
    }
    let suite = ExpectationSuite(
      name: "b", file: "b.json5", results: [result(.passed, "cmp"), result(.failed, "cmpf")])
    let junit = JUnitReport.text([suite])
    let remark = "not compared: 12 moments of this run alone"
    #expect(junit.contains("<system-out>holds in part: \(remark)</system-out>"))
    #expect(
      junit.contains("<failure message=\"0 &lt; 5\" type=\"expectation\">\(remark)</failure>"))
    let tap = TAPReport.text([suite])
    #expect(tap.contains("ok 1 - b/x · cmp\n# b/x · cmp holds in part: \(remark)\nnot ok 2"))
    #expect(tap.contains("  detail: |\n    \(remark)\n"))
    #expect(
      GitHubAnnotations.text([suite])
        == "::notice file=b.json5,line=3,col=10,title=b/x · cmp::\(remark)\n"
        + "::error file=b.json5,line=3,col=10,title=b/x · cmpf::0 < 5; \(remark)\n")
  }

  @Test("What several runs say of one place is one annotation, and of two places are two")
  func annotatesOnce() {
    func result(_ run: String, line: Int, _ message: String) -> ExpectationResult {
      ExpectationResult(
        .error, expectation: "scenario", run: run, file: "a.json5", line: line, message: message)
    }
    let suite = ExpectationSuite(
      name: "a", file: "a.json5",
      results: [
        result("a/1", line: 4, "unknown key"), result("a/2", line: 4, "unknown key"),
        result("a/2", line: 5, "unknown key"), result("a/3", line: 4, "unknown key"),
        result("a/3", line: 4, "no number"),
      ])
    let lines = GitHubAnnotations.text([suite]).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "::error file=a.json5,line=4,title=a/1 · scenario and 2 more::unknown key",
        "::error file=a.json5,line=5,title=a/2 · scenario::unknown key",
        "::error file=a.json5,line=4,title=a/3 · scenario::no number",
      ])
  }

  @Test("What else is wrong with a scenario that is refused follows its first problem everywhere")
  func tellsOthers() {
    func result(_ run: String, _ others: [String]) -> ExpectationResult {
      var result = ExpectationResult(
        .error, expectation: "scenario", run: run, file: "a.json5", line: 4, message: "no key")
      result.others = others
      return result
    }
    let suite = ExpectationSuite(
      name: "a", file: "a.json5",
      results: [result("a/1", ["a < b", "c"]), result("a/2", ["a < b", "c"]), result("a/3", [])])
    let annotations = GitHubAnnotations.text([suite]).split(separator: "\n").map(String.init)
    #expect(
      annotations == [
        "::error file=a.json5,line=4,title=a/1 · scenario and 1 more::no key%0Aa < b%0Ac",
        "::error file=a.json5,line=4,title=a/3 · scenario::no key",
      ])
    #expect(
      JUnitReport.text([suite]).contains(
        "<error message=\"no key\" type=\"run\">no key\na &lt; b\nc</error>"))
    #expect(
      TAPReport.text([suite]).contains("  detail: |\n    no key\n    a < b\n    c\n  ...\n"))
  }

  @Test("The first line of a detail in TAP is indented no more than another")
  func indentation() {
    let suite = ExpectationSuite(
      name: "a", file: "a.json5",
      results: [
        .init(
          .failed, expectation: "s", run: "a", file: "a.json5", message: "163 > 150",
          body: "  01:30  148\n> 01:35  163")
      ])
    #expect(
      TAPReport.text([suite]).contains(
        "  detail: |\n    a · s\n      01:30  148\n    > 01:35  163\n  ...\n"))
  }

  @Test("No suites give empty but complete documents")
  func writesNothing() {
    #expect(TAPReport.text([]) == "TAP version 13\n1..0\n")
    #expect(GitHubAnnotations.text([]).isEmpty)
    #expect(JUnitReport.text([]).hasSuffix("</testsuites>\n"))
    #expect(Self.suites[0].count(.failed) == 2)
  }
}
