import Expectations
import Pages
import Reports
import StructuredText
import Testing

@Suite("What two results say is compared")
struct ComparedSentencesTests {
  @Test("The numbers of what went wrong, and of how records differ, are compared, and said once")
  func numbersOfSentences() {
    func run(_ ledgerUnits: Double, until end: String) -> RecordedRun {
      func differences(_ units: Double) -> JSONValue {
        [
          "records": [
            "differences": [
              [
                "severity": "check", "kind": "misstatedDose", "records": ["app"], "start": "10:00",
                "end": "10:00", "units": .number(units), "text": "Loop says 2.00 U.",
              ]
            ]
          ]
        ]
      }
      var run = RecordedRun(tables: [], documents: ["ledger.json", "summary.json"])
      run.read(ledger: differences(ledgerUnits))
      run.read(summary: differences(-1))
      run.read(
        summary: [
          "troubles": [
            ["kind": "refused", "start": "11:00", "end": .string(end), "count": 1, "text": "No."]
          ]
        ])
      return run
    }
    let first = run(-1, until: "12:00")
    #expect(first.statements.count == 2)
    let changed = RunComparison(
      first, run(-2, until: "13:00"), tolerances: ColumnTolerances(), ignoring: [],
      figuresDecide: true)
    #expect(!changed.isSame)
    let lines = changed.lines("A", "B", listsEqualFigures: false)
    #expect(lines.contains("only A says: refused from 11:00 until 12:00: No."))
    #expect(lines.contains("only B says: refused from 11:00 until 13:00: No."))
    #expect(
      lines.contains(
        "only B says: check, misstatedDose from 10:00, -2.0 U in app: Loop says 2.00 U."))
    let pair = ComparePage.Pair(
      name: "", left: first, right: run(-2, until: "13:00"), comparison: changed)
    let html = ComparePage("a", "b", [pair], version: "1").html
    #expect(html.contains("from 10:00, −2.0 U in app"))
  }

  @Test(
    "What stands in lists of a summary is compared: lengths, laws, and glucose beyond the model")
  func lists() {
    func run(seconds: Double, law time: String, lowest: Double, mightSee: Bool) -> RecordedRun {
      var run = RecordedRun(tables: [], documents: ["summary.json"])
      run.read(
        summary: [
          "troubles": [
            [
              "kind": "sensorGap", "start": "11:00", "end": "12:00", "seconds": .number(seconds),
              "count": 2, "text": "No reading came.",
            ]
          ], "violations": [["law": "whole-pulses", "time": .string(time), "text": "No."]],
          "outside_model": [
            "stretches": [
              [
                "from": "11:00", "to": "11:30", "lowest_mgdL": .number(lowest),
                "highest_mgdL": 39.5,
              ]
            ]
          ], "privileged": .bool(mightSee),
        ])
      return run
    }
    let first = run(seconds: 900, law: "11:05", lowest: 17, mightSee: false)
    let other = run(seconds: 960, law: "11:10", lowest: 18, mightSee: true)
    let comparison = RunComparison(
      first, other, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true)
    #expect(!comparison.isSame)
    let lines = comparison.lines("A", "B", listsEqualFigures: false)
    for line in [
      "sensorGap from 11:00 until 12:00, 960.0 s in all: No reading came. (2 times)",
      "law whole-pulses at 11:10: No.",
      "outside the body's model from 11:00 until 11:30, 18.0 to 39.5 mg/dL",
      "a program that decided might see the truth",
    ] { #expect(lines.contains("only B says: \(line)"), "\(lines)") }
  }

  @Test("The axis of a comparison has a minus before a number below nothing")
  func axis() throws {
    func run(_ last: String) throws -> RecordedRun {
      let text = "seconds,iob_U\n0,1.5\n300,\(last)\n"
      let table = CSVTable(Array(text.utf8), file: "timeline.csv", problems: ProblemList())
      return RecordedRun(tables: [.init("timeline.csv", try #require(table))])
    }
    let (left, right) = (try run("-0.5"), try run("0"))
    let pair = ComparePage.Pair(
      name: "", left: left, right: right,
      comparison: RunComparison(
        left, right, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true))
    let html = ComparePage("a", "b", [pair], version: "1").html
    #expect(html.contains("<i style=\"top:95%\">−0.5</i>"))
  }

  @Test("The ends of an axis are told apart, also where two rates differ by a thousandth of a unit")
  func axisOfThousandths() throws {
    func run(_ rate: String) throws -> RecordedRun {
      let text = "time,seconds,programmed_rate_U_per_h\na,0,\(rate)\nb,300,\(rate)\n"
      let table = CSVTable(Array(text.utf8), file: "timeline.csv", problems: ProblemList())
      return RecordedRun(tables: [.init("timeline.csv", try #require(table))])
    }
    let (left, right) = (try run("0.425"), try run("0.4"))
    let pair = ComparePage.Pair(
      name: "", left: left, right: right,
      comparison: RunComparison(
        left, right, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true))
    let html = ComparePage("a", "b", [pair], version: "1").html
    #expect(html.contains("<i style=\"top:5%\">0.425</i>"))
    #expect(html.contains("<i style=\"top:95%\">0.400</i>"))
  }

  @Test("The ends of an axis of rates are rates that were programmed")
  func axisOfRates() throws {
    func run(_ rates: [String]) throws -> RecordedRun {
      let rows = rates.enumerated().map { "a,\($0 * 300),\($1)\n" }.joined()
      let text = "time,seconds,programmed_rate_U_per_h\n\(rows)"
      let table = CSVTable(Array(text.utf8), file: "timeline.csv", problems: ProblemList())
      return RecordedRun(tables: [.init("timeline.csv", try #require(table))])
    }
    // One decimal would make 1.4 of the higher one.
    let (left, right) = (try run(["1.45", "0"]), try run(["1.45", "0.725"]))
    let pair = ComparePage.Pair(
      name: "", left: left, right: right,
      comparison: RunComparison(
        left, right, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true))
    let html = ComparePage("a", "b", [pair], version: "1").html
    #expect(html.contains("<i style=\"top:5%\">1.45</i>"))
    #expect(html.contains("<i style=\"top:95%\">0</i>"))
  }

  @Test("Every column of one result alone is told, on the page too")
  func columnsOfOneResult() throws {
    func run(_ text: String) throws -> RecordedRun {
      let table = try #require(CSVTable(Array(text.utf8), file: "t.csv", problems: ProblemList()))
      return RecordedRun(tables: [.init("timeline.csv", table)])
    }
    let (left, right) = (try run("time,v,w\n"), try run("time,y\n"))
    let comparison = RunComparison(
      left, right, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true)
    let lines = comparison.lines("A", "B", listsEqualFigures: false)
    for word in ["v is only in A", "w is only in A", "y is only in B"] {
      #expect(lines.contains("timeline.csv: the column \(word)"), "\(lines)")
    }
    let pair = ComparePage.Pair(name: "", left: left, right: right, comparison: comparison)
    let html = ComparePage("a", "b", [pair], version: "1").html
    #expect(html.contains("their columns: timeline.csv: the column v is only in A"), "\(html)")
    #expect(!html.contains("part at ,"))
  }
}
