import Arguments
import Foundation
import StructuredText
import Testing

@testable import loopsim

@Suite("What half the step changes")
struct CheckStepTests {
  private static func scenario(_ patient: String) -> String {
    """
    { format: 'loopsim/1', id: 'day', clock: { duration: '12h' }, patient: \(patient),
      therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 30]], carbRatio: [['00:00', 10]] },
      app: { closedLoop: false },
      events: [{ at: '01:00', meal: { grams: 60 } }, { at: '01:00', bolus: { units: 6 } }] }
    """
  }

  /// What `run` prints and writes of a scenario.
  private func run(_ patient: String, _ options: [String]) async throws -> (
    text: String, summary: JSONValue, timeline: String
  ) {
    let scratch = try Scratch()
    try Files.write(Self.scenario(patient), to: scratch.file("day.json5"))
    let console = QuietConsole()
    let words = ["run", scratch.file("day.json5"), "--out", scratch.file("out")] + options
    let code = await Loopsim.run(words, to: console)
    #expect(code == 0, "\(console.error)")
    let written = JSONReader.read(
      text: try scratch.text(of: "out/day/summary.json"), file: "summary")
    let summary = JSONValue(try #require(written.root))
    return (console.output, summary, try scratch.text(of: "out/day/timeline.csv"))
  }

  private func difference(_ integration: String) async throws -> Double {
    let patient = "{ model: 'uva-padova-s2008', name: 'adult#006', integration: \(integration) }"
    let check = try await run(patient, ["--check-step", "--quiet"]).summary["step_check"]
    guard case .number(let difference)? = check?["largest_difference_mgdL"] else {
      Issue.record("The check is \(String(describing: check)).")
      return .nan
    }
    return difference
  }

  @Test("A shorter step changes less, and the production step less than 0.02 mg/dL")
  func sizes() async throws {
    let coarse = try await difference("{ step: '2m', whileEating: '2m' }")
    let production = try await difference("'production'")
    let reference = try await difference("'reference'")
    #expect(coarse > 0.001 && coarse < 0.1)
    #expect(production < 0.02)
    #expect(production < coarse / 4)
    #expect(reference < 1e-5)
  }

  @Test("The run itself stays the same, and the answer is printed even when quiet")
  func same() async throws {
    let patient = "{ model: 'bergman' }"
    let checked = try await run(patient, ["--check-step", "--quiet"])
    let plain = try await run(patient, ["--quiet"])
    #expect(checked.timeline == plain.timeline)
    #expect(checked.summary["digest"] == plain.summary["digest"])
    #expect(checked.text.contains("step    day  Half the step changes glucose by 0.0"))
    #expect(checked.text.contains("mg/dL at most, at 2026-01-05T"))
    #expect(plain.text.isEmpty)
    #expect(plain.summary["step_check"] == nil)
  }

  @Test("A body without a step says so")
  func noStep() async throws {
    let patient = """
      { model: 'tidepool-simple', needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 30]],
        carbRatio: [['00:00', 10]] } }
      """
    let checked = try await run(patient, ["--check-step"])
    #expect(checked.text.contains("has no step"))
    #expect(checked.summary["step_check"]?["has_step"] == .bool(false))
  }
}
