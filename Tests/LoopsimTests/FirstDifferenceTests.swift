import Arguments
import Testing

@testable import loopsim

@Suite("The first difference of two results")
struct FirstDifferenceTests {
  @Test("Two seeds differ first in what happened, and not in the names of samples before that")
  func namesLast() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 's', clock: { start: '2026-01-15T00:00:00', duration: '18h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        behaviour: { meals: [
          { name: 'lunch', window: ['12:00', '14:00'], grams: { uniform: [20, 90] } },
        ] } }
      """, to: scratch.file("s.json5"))
    for seed in ["1", "2"] {
      let run = await program([
        "run", scratch.file("s.json5"), "--quiet", "--seed", seed, "--out", scratch.file(seed),
      ])
      #expect(run.code == 0, "\(run.error)")
    }
    let result = await program(["compare", scratch.file("1/s"), scratch.file("2/s")])
    #expect(result.code == 1)
    // Every sample has another name from midnight on; the days are the same until the first lunch.
    let lines = result.output.split(separator: "\n").map(String.init)
    let first = try #require(lines.first { $0.hasPrefix("first difference: ") })
    #expect(!first.contains("sample_id"), "\(first)")
    #expect(first.contains("2026-01-15T12:") || first.contains("2026-01-15T13:"), "\(first)")
    #expect(result.output.contains("sample_id"))
  }
}
