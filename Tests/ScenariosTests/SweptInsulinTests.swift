import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

/// Insulin has whole thousandths of a unit, which no logarithm and no law gives by itself.
@Suite("Insulin that a sweep computes or draws")
struct SweptInsulinTests {
  private static func scenario(_ sweep: String) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '1h' }, random: { seed: 7 },
      patient: { model: 'uva-padova-s2008', name: 'adult#001', floor: { glucose: 20 } },
      therapy: { maxBolus: 5 },
      events: [{ at: '+10m', id: 'pen', injection: { units: 1 } }],
      sweep: { \(sweep) } }
    """
  }

  /// The values at an address of every run of a scenario without errors.
  private static func values(_ path: String, _ text: String) throws -> [Double] {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let checked = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    let plan = try #require(checked, "\(problems.sorted)")
    #expect(!problems.hasErrors, "\(problems.sorted)")
    let address = try ScenarioPath(path)
    return try (0..<plan.count).map {
      try #require(address.value(in: plan.run(at: $0).tree)?.double)
    }
  }

  @Test("A logarithmic range is rounded to thousandths where it is insulin, and nowhere else")
  func logarithmic() throws {
    // 10^(1/3) = 2.154434… and 10^(2/3) = 4.641588…
    let range = "{ from: 1, to: 10, n: 4, scale: 'log' }"
    let units = try Self.values(
      "events[pen].injection.units", Self.scenario("'events[pen].injection.units': \(range)"))
    #expect(units == [1, 2.154, 4.642, 10])
    let ratios = try Self.values(
      "therapy.carbRatio[0][1]",
      Self.scenario("'therapy.carbRatio[0][1]': \(range)").replacing(
        "maxBolus: 5", with: "maxBolus: 5, carbRatio: [['00:00', 10]]"))
    #expect(ratios[1] != 2.154 && (ratios[1] - 2.15443469).magnitude < 1e-8)
  }

  @Test("What is drawn of insulin is rounded to thousandths, and runs")
  func drawn() throws {
    let normal = try Self.values(
      "therapy.maxBolus", Self.scenario("'therapy.maxBolus': { normal: { mean: 5, sd: 1, n: 6 } }"))
    #expect(Set(normal).count == 6)
    #expect(normal.allSatisfy { ($0 * 1_000).rounded() / 1_000 == $0 })
    let study = Self.scenario(
      """
      morris: { n: 3, of: { 'events[pen].injection.units': { uniform: [1, 5] },
        'therapy.scale.basal': { uniform: [0.8, 1.2] } } }
      """
    ).replacing(
      "sweep:",
      with: "study: { primary: [{ metric: 'externalUnits', better: 'lower' }] }, sweep:")
    let units = try Self.values("events[pen].injection.units", study)
    #expect(units.count == 9 && Set(units).count == 6)
    #expect(units.allSatisfy { ($0 * 1_000).rounded() / 1_000 == $0 && (1...5).contains($0) })
    let factors = try Self.values("therapy.scale.basal", study)
    #expect(factors.contains { ($0 * 1_000).rounded() / 1_000 != $0 })
  }
}
