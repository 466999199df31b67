import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import TestSupport
import Testing

@Suite("Values that may be one of several things")
struct AlternativeTests {
  /// What check and building say of a scenario, without the places.
  private static func sentences(_ rest: String) -> [String] {
    let text = "{ format: 'loopsim/1', \(CheckTests.patient), \(rest) }"
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["Scenarios/a.json5": text]))
    if let plan = ScenarioCheck.plan("Scenarios/a.json5", reader: &reader, problems: problems) {
      ScenarioCheck.build([plan.run(at: 0)], of: plan, problems: problems)
    }
    return problems.sorted.map(\.sentence)
  }

  @Test(
    "Of two objects that one was meant which knows the keys that are there",
    arguments: [
      (
        "{ rate: -1 }",
        [
          "\"events[0].basal.duration\" is missing; it must be a duration from 1m to 1d.",
          "\"events[0].basal.rate\" must be a number from 0 to 50 (U/h), not -1.",
        ]
      ),
      (
        "{ duration: 30 }",
        [
          "\"events[0].basal.rate\" is missing; it must be an insulin rate from 0 to 50 U/h, "
            + "whole milliunits.",
          "A span of time needs its unit, such as '30m' or '30h', not 30 alone.",
        ]
      ),
      ("{ cancel: false }", ["\"events[0].basal.cancel\" must be true, not false."]),
    ])
  func objects(basal: String, expected: [String]) {
    #expect(Self.sentences("events: [{ at: '01:00', basal: \(basal) }]") == expected)
  }

  @Test("A dose before the start with another amount lacks a bolus or a basal rate, and no other")
  func doses() {
    #expect(
      Self.sentences("history: { doses: [{ at: '-1h', units: 2 }] }") == [
        "A dose before the start needs \"bolus\" or \"basal\".",
        "\"units\" is not a known key in \"history.doses[0]\". Known keys: at, insulin, reported, "
          + "bolus, basal.",
      ])
  }
}
