import Testing

@testable import loopsim

/// Words and figures of the text of a run that must not mislead.
@Suite("The words of an answer")
struct AnswerWordsTests {
  private func run(_ rest: String) async throws -> (code: Int32, output: String) {
    let scratch = try Scratch()
    let file = scratch.file("words.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'words', clock: { duration: '2h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false }, \(rest) }
      """, to: file)
    let result = await program(["run", file, "--out", scratch.file("out")])
    return (result.code, result.output)
  }

  @Test("An expectation that only warns is a warning, and not a failure that exits with 0")
  func warning() async throws {
    let result = try await run(
      """
      expect: [{ id: 'soft', metric: 'bolusUnits', equals: 9, severity: 'warn' },
        { id: 'held', metric: 'bolusUnits', equals: 0 }]
      """)
    #expect(result.code == 0)
    #expect(result.output.contains("Expectations: 1 of 2 hold."))
    #expect(result.output.contains("\n  warning  soft: bolusUnits 0 is not 9"), "\(result.output)")
    #expect(!result.output.contains("failed  soft"))
  }

  @Test("Amounts that are the same are shown the same, to the pump's thousandths")
  func thousandths() async throws {
    // 19 pulses of 0.025 U, added up in another order by each record.
    let result = try await run(
      """
      pump: { model: 'medtronic523' }, events: [{ at: '00:10', bolus: { units: 0.475 } }]
      """)
    let row = result.output.split(separator: "\n").first { $0.contains("bolus, U") }
    let amounts = row?.split(separator: " ").filter { $0.contains(".") }
    #expect(amounts == ["0.475", "0.475", "0.475", "0.475"], "\(result.output)")
  }

  @Test("Two decimals do where nothing is finer")
  func hundredths() async throws {
    let result = try await run("events: [{ at: '00:10', bolus: { units: 1.15 } }]")
    let row = result.output.split(separator: "\n").first { $0.contains("bolus, U") }
    #expect(
      row?.split(separator: " ").filter { $0.contains(".") } == Array(repeating: "1.15", count: 4))
  }
}
