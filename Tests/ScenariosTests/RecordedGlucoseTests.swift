import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("Recorded glucose")
struct RecordedGlucoseTests {
  private static let head = """
    format: 'loopsim/1',
    clock: { start: '2026-01-15T08:00:00', timeZone: 'UTC', duration: '1h' },
    patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 1.0]],
      sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
    """

  private static func result(_ rest: String, _ files: [String: String] = [:]) throws -> RunResult {
    var all = files
    all["Scenarios/a.json5"] = "{ \(head) \(rest) }"
    let read = Read(all)
    let plan = try #require(read.plan, "\(read.sentences)")
    let problems = ProblemList()
    let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    var run = Run(try #require(built, "\(problems.problems)").setup)
    while run.step() {}
    return run.finish()
  }

  /// Values that no sensor shows: fractions, and beyond every range.
  private static let values = [100.25, 99.5, 431.125, 12.75, 180]

  private static func readings(_ result: RunResult) -> [Double] {
    result.trace.rows.compactMap { $0.reading?.mgdL }
  }

  @Test("Recorded readings reach the app unchanged, at their own times")
  func isUnchanged() throws {
    let list = Self.values.enumerated().map { "['+\($0.offset * 5 + 5)m', \($0.element)]" }
    let result = try Self.result("cgm: { model: 'trace', trace: [\(list.joined(separator: ","))] }")
    #expect(Self.readings(result) == Self.values)
    #expect(result.trace.rows[1].reading?.mgdL == 100.25)
  }

  @Test("A table gives the same readings as a list, and its digest follows its contents")
  func readsTables() throws {
    let rows = Self.values.enumerated().map { "+\($0.offset * 5 + 5)m,\($0.element)" }
    let table = "time,glucose\n\(rows.joined(separator: "\n"))\n+40m,\n"
    let scenario = "cgm: { model: 'trace', trace: { csv: 'r.csv' } }"
    let result = try Self.result(scenario, ["Scenarios/r.csv": table])
    #expect(Self.readings(result) == Self.values)
    let other = try Self.result(
      scenario, ["Scenarios/r.csv": table.replacing("99.5", with: "99")])
    #expect(result.digest != other.digest)
  }

  @Test("Faults act on recorded readings too")
  func isDisturbed() throws {
    let result = try Self.result(
      """
      cgm: { model: 'trace', trace: [['+5m', 100], ['+10m', 101], ['+15m', 102]] },
      faults: [{ during: ['08:08', '4m'], cgm: { bias: { offset: 20 } } },
        { during: ['08:13', '4m'], cgm: { dropout: { backfill: false } } }],
      """)
    #expect(Self.readings(result) == [100, 121])
  }

  @Test(
    "What is wrong with a recording is said at its place",
    arguments: [
      ("cgm: { model: 'trace' }", nil, "a.json5:4:"),
      ("cgm: { model: 'trace', trace: { csv: 'no.csv' } }", nil, "no file"),
      ("cgm: { model: 'trace', trace: { csv: 'r.csv' } }", "when,glucose\n", "r.csv:1:1"),
      ("cgm: { model: 'trace', trace: { csv: 'r.csv' } }", "time,glucose\n+5m,x\n", "r.csv:2:5"),
      ("cgm: { model: 'trace', trace: { csv: 'r.csv' } }", "time,glucose\nnow,90\n", "r.csv:2:1"),
      (
        "cgm: { model: 'trace', trace: { csv: 'r.csv' } }", "time,glucose\n+5m,0x70\n",
        "r.csv:2:5: error: \"0x70\" is no number."
      ),
      ("cgm: { model: 'trace', trace: [['+5m']] }", nil, "a list of a time and a value"),
    ])
  func refuses(scenario: String, table: String?, part: String) {
    var files = ["Scenarios/a.json5": "{ \(Self.head) \(scenario) }"]
    files["Scenarios/r.csv"] = table
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    _ = ScenarioCheck.plan("Scenarios/a.json5", reader: &reader, problems: problems)
    let errors = problems.sorted.filter { $0.severity == .error }.map(\.description)
    #expect(errors.contains { $0.contains(part) }, "\(errors)")
  }
}
