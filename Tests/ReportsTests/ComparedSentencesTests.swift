import Expectations
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
  }
}
