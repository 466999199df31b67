import RunPlans
import ScenarioLanguage
import StructuredText
import Testing

@testable import Scenarios

@Suite("Settings without effect in some of a file's runs")
struct PlanWarningsTests {
  private static func plan(_ rest: String, problems: ProblemList) throws -> RunPlan {
    let text = """
      { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '2h' },
      \(rest) }
      """
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    return try #require(plan, "\(problems.sorted)")
  }

  /// Where something is told to have no effect, as line and column, by the check of a file and by
  /// building its runs.
  private static func told(_ rest: String, _ code: String = "W-NOEFFECT") throws -> [String] {
    let problems = ProblemList()
    let plan = try plan(rest, problems: problems)
    ScenarioCheck.build((0..<plan.count).map(plan.run(at:)), of: plan, problems: problems)
    #expect(!problems.hasErrors, "\(problems.sorted)")
    let places = problems.sorted.filter { $0.code == code }
      .map { "\($0.position.line):\($0.position.column)" }
    return places.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  private static let noisy = "cgm: { model: 'ar1', noise: { sd: 5 } }, \(CheckTests.patient)"

  @Test("What acts in one variant or at one value of a sweep may be idle in others")
  func actsElsewhere() throws {
    #expect(
      try Self.told("\(Self.noisy), variants: { a: {}, b: { cgm: { model: 'ideal' } } }") == [])
    #expect(
      try Self.told(
        "\(Self.noisy), sweep: { 'cgm.model': ['ideal', 'ar1'] }, "
          + "random: { replicates: 2 }") == [])
    // Noise has no effect unless both axes of the sweep have their second value.
    #expect(
      try Self.told(
        "\(Self.noisy), sweep: { 'cgm.model': ['ideal', 'ar1'], "
          + "'cgm.noise.sd': [3, 6] }") == [])
  }

  @Test("What acts in no run is told, and so is what another run has otherwise")
  func actsNowhere() throws {
    // Before the value of `noise` the line has `cgm: { model: 'ar1', noise: `.
    let both = "variants: { a: { cgm: { model: 'ideal' } }, b: { cgm: { model: 'ideal' } } }"
    #expect(try Self.told("\(Self.noisy), \(both)") == ["2:29"])
    #expect(
      try Self.told("\(Self.noisy), sweep: { 'cgm.model': ['ideal', 'dexcomG6'] }") == ["2:29"])
    // The variant states noise for the very sensor that has none.
    let own = "variants: { a: {}, b: { cgm: { model: 'ideal', noise: { sd: 3 } } } }"
    #expect(try Self.told("\(Self.noisy), \(own)").count == 1)
  }

  @Test("What only building a run finds is held against the other runs as well")
  func building() throws {
    let patient = "patient: { model: 'uva-padova-s2008', name: 'adult#001', insulinType: 'fiasp' }"
    let flow = "pump: { model: 'continuous' }"
    #expect(try Self.told("\(patient), variants: { pulses: {}, flow: { \(flow) } }") == [])
    #expect(
      try Self.told("\(patient), variants: { one: { \(flow) }, two: { \(flow) } }").count == 1)
    #expect(try Self.told("\(patient), \(flow)").count == 1)
  }

  @Test("What is refused in one variant, and done in another, is no mistake of the file")
  func refusedInOne() throws {
    let bolus = "events: [{ at: '+1h', id: 'b', bolus: { units: 1 } }]"
    let off = "{ faults: [{ id: 'off', during: ['+30m', '+90m'], phone: { off: {} } }] }"
    let file = "\(CheckTests.patient), \(bolus)"
    #expect(try Self.told("\(file), variants: { on: {}, off: \(off) }", "W-REFUSED") == [])
    #expect(try Self.told("\(file), variants: { a: \(off), b: \(off) }", "W-REFUSED").count == 1)
    // A run that expects a refusal warns of none: it does not show that the bolus is given.
    let meant = off.dropLast() + ", expect: [{ id: 'w', event: { kind: 'warning' } }] }"
    #expect(
      try Self.told("\(file), variants: { a: \(off), b: \(meant) }", "W-REFUSED").count == 1)
  }

  @Test("What lies beyond the limit of one variant alone is no mistake of the file")
  func limitedInOne() throws {
    let bolus = "events: [{ at: '+1h', id: 'b', bolus: { units: 5 } }]"
    func most(_ units: Int) -> String { "{ therapy: { maxBolus: \(units) } }" }
    let file = "\(CheckTests.patient), \(bolus)"
    #expect(
      try Self.told("\(file), variants: { a: \(most(10)), b: \(most(2)) }", "W-LIMITS") == [])
    #expect(
      try Self.told("\(file), sweep: { 'therapy.maxBolus': [2, 4, 5] }", "W-LIMITS") == [])
    #expect(
      try Self.told("\(file), sweep: { 'therapy.maxBolus': [2, 4] }", "W-LIMITS").count == 1)
    // The variant asks for more than its limit itself.
    let own = "{ events: [{ at: '+1h', id: 'c', bolus: { units: 11 } }] }"
    #expect(
      try Self.told(
        "\(CheckTests.patient), therapy: { maxBolus: 10 }, variants: { a: {}, b: \(own) }",
        "W-LIMITS"
      ).count == 1)
  }

  @Test("What a run lacks is told, whatever other runs have")
  func lackingInOne() throws {
    // No row has the last seven minutes of the second.
    let lengths = "sweep: { 'clock.duration': ['2h', '127m'] }"
    #expect(
      try Self.told("\(CheckTests.patient), output: { every: '15m' }, \(lengths)", "W-RUN")
        .count == 1)
  }

  @Test("In a large plan a run is held against those that differ from it in one respect")
  func neighbours() throws {
    let plan = try Self.plan(
      """
      \(CheckTests.patient), variants: { a: {}, b: {} }, random: { replicates: 2 },
      sweep: { 'patient.initialGlucose': [100, 120, 140] }
      """, problems: ProblemList())
    // Six runs of each variant, two of each value: 7 is the second of the first value in b.
    #expect(plan.count == 12)
    #expect(plan.run(at: 7).id == "s/b/s0/r1")
    #expect(plan.neighbours(of: 7, most: 16) == [6, 9, 11, 1])
    #expect(plan.neighbours(of: 7, most: 1) == [6, 9, 1])
    let variants = (0..<40).map { "v\($0): { cgm: { model: '\($0 == 1 ? "ar1" : "ideal")' } }" }
    #expect(
      try Self.told(
        "\(Self.noisy), variants: { \(variants.joined(separator: ", ")) }, "
          + "random: { replicates: 2 }") == [])
  }
}
