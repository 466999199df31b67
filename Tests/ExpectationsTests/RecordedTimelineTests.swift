import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

@testable import Expectations

@Suite("A timeline that was kept, as a run is held against it")
struct RecordedTimelineTests {
  private typealias Joint = JointExpectationTests

  /// What comes of one comparison with a table at `k.csv`.
  private func result(_ subject: String, _ table: String) throws -> ExpectationResult {
    let results = try Joint.results(
      "{ id: 'a', compare: { \(subject), other: 'k.csv' }, difference: { min: -1000, max: 1000 } }",
      files: ["d/k.csv": table])
    return try #require(results.first)
  }

  private func rows(_ header: String, _ cells: [String]) -> String {
    zip(["00:00", "00:05", "00:10"], cells)
      .reduce("time,\(header)\n") { $0 + "2026-01-15T\($1.0):00Z,\($1.1)\n" }
  }

  @Test(
    "Every series is read from its own column, and no other column has to be there",
    arguments: [
      ("glucose.true", "glucose_true_mgdL"), ("glucose.cgm", "glucose_cgm_mgdL"),
      ("rate.scheduled", "scheduled_rate_U_per_h"), ("delivered.basal", "basal_delivered_U"),
      ("carbs.eaten", "carbs_eaten_g"), ("carbs.entered", "carbs_entered_g"),
      ("iob.app", "iob_U"), ("iob.true", "iob_true_U"), ("iob.true.total", "iob_true_total_U"),
      ("cob.app", "cob_g"),
    ])
  func columns(series: String, column: String) throws {
    // Too far from every value of the run.
    let found = try result("series: '\(series)'", rows(column, ["5000", "5000", "5000"]))
    #expect(found.outcome == .failed)
    #expect(found.message.contains("− 5000 (d/k.csv)"), "\(found.message)")
    let other = column == "cob_g" ? "iob_U" : "cob_g"
    let missing = try result("series: '\(series)'", rows(other, ["1", "1", "1"]))
    #expect(missing.message.contains("The table has no column \"\(column)\""))
  }

  @Test(
    "A cell that is no number is an error at its place, whether a series or a metric needs it",
    arguments: ["nan", "abc", "1e400", "-inf", ""])
  func noNumbers(cell: String) throws {
    let table = rows("glucose_true_mgdL,basal_delivered_U", ["100,0", "\(cell),0", "100,\(cell)"])
    for subject in ["series: 'glucose.true'", "metric: 'mean'"] {
      let found = try result(subject, table)
      #expect(found.outcome == .failed)
      #expect(
        found.message.contains(
          "k.csv:3:22: error: \"\(cell)\" in the column \"glucose_true_mgdL\" is not a number."),
        "\(found.message)")
    }
    let basal = try result("series: 'delivered.basal'", table)
    #expect(basal.message.contains("k.csv:4:26: error: \"\(cell)\""), "\(basal.message)")
  }

  @Test("A reading that did not come is no error, and rows out of order are")
  func order() throws {
    let silent = rows("glucose_cgm_mgdL", ["100", "", "100"])
    #expect(try result("series: 'glucose.cgm'", silent).outcome == .passed)
    let table = """
      time,glucose_true_mgdL
      2026-01-15T00:05:00Z,100
      2026-01-15T00:00:00Z,100
      """
    let found = try result("series: 'glucose.true'", table)
    #expect(
      found.message.contains(
        "k.csv:3:1: error: 2026-01-15T00:00:00Z does not come after the time in the row before."),
      "\(found.message)")
  }

  @Test("A golden file of which no row counts does not pass, nor one that does not tell which do")
  func goldenWithoutRows() throws {
    let half = """
      mode,glucose_true_mgdL
      openLoop,110
      openLoop,900
      """
    let results = try Joint.results(
      """
      { id: 'none', golden: 'k.csv', outside: ['00:00..+2h'] },
      { id: 'whole', golden: 'half.csv', between: ['00:00', '00:04'] }
      """,
      files: ["d/k.csv": rows("glucose_true_mgdL", ["1", "1", "1"]), "d/half.csv": half])
    #expect(results.map(\.outcome) == [.failed, .failed])
    #expect(results[0].message == "d/k.csv: no row lies in the part of the run that counts")
    #expect(
      results[1].message
        == "d/half.csv does not begin with the column \"time\", which tells the rows that count.")
  }

  @Test("Times without a day that come again in what was observed are an error, not a replacement")
  func observedTwice() throws {
    let table = "time,glucose\n00:00,110\n00:10,110\n00:00,300\n"
    let results = try Joint.results(
      "{ id: 'max', compare: { metric: 'maxGlucose', other: 'observed' }, difference: { max: 9 } }",
      more: "history: { observed: { csv: 'o.csv' } },", files: ["d/o.csv": table])
    #expect(results[0].outcome == .failed)
    #expect(
      results[0].message.contains("o.csv:4:1: error: 00:00 is the time of line 2 as well."),
      "\(results[0].message)")
  }

  @Test(
    "What the clock did not show, and what is no decimal number, is an error of what was observed",
    arguments: [
      ("00:00~2,110", "o.csv:2:1: error: The clock shows this time only once that day."),
      ("00:00,0x70", "o.csv:2:7: error: \"0x70\" is no glucose value. Write a number."),
    ])
  func observedWrongly(row: String, expected: String) throws {
    let results = try Joint.results(
      "{ id: 'max', compare: { metric: 'maxGlucose', other: 'observed' }, difference: { max: 9 } }",
      more: "history: { observed: { csv: 'o.csv' } },",
      files: ["d/o.csv": "time,glucose\n\(row)\n00:10,110\n"])
    #expect(results[0].outcome == .failed)
    #expect(results[0].message.contains(expected), "\(results[0].message)")
  }

  @Test("What was observed in mmol/L is compared in mmol/L")
  func observedInMolar() throws {
    let compared = "compare: { series: 'glucose.true', other: 'observed' }"
    let results = try Joint.results(
      """
      { id: 'near', \(compared), difference: { min: 0.09, max: 0.11 } },
      { id: 'nearer', \(compared), difference: { max: 0.09 } }
      """, isMolar: true, more: "history: { observed: { csv: 'o.csv' } },",
      files: ["d/o.csv": "time,glucose\n00:00,6\n00:10,6\n"])
    #expect(results.map(\.outcome) == [.passed, .failed], "\(results.map(\.message))")
    #expect(results[1].message.contains("6.1 − 6 (observed) is 0.1 > 0.09"))
  }

  @Test("Insulin is not compared with what was observed, which is glucose")
  func observedBesideInsulin() {
    let text = """
      { format: 'loopsim/1', clock: { duration: '30m' }, history: { observed: { csv: 'o.csv' } },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.4]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        expect: [{ compare: { series: 'glucose.true - iob.app', other: 'observed' },
          difference: { min: 1 } }] }
      """
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text, "o.csv": "time,glucose\n"]))
    let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    if let plan { _ = RunBuilder.build(plan.run(at: 0), problems: problems) }
    #expect(
      problems.sorted.map(\.description).contains {
        $0.contains("s.json5:4:33: error: What was observed is glucose")
      }, "\(problems.sorted)")
  }
}
