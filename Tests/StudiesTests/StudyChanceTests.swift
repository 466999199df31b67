import StructuredText
import Testing

@testable import Studies

@Suite("What a study leaves to chance, and what it has time for")
struct StudyChanceTests {
  @Test(
    "A study of which something is drawn is not told to leave nothing to chance",
    arguments: [
      ("", true), ("faults: [{ at: '01:00', probability: 1, cgm: { dropout: {} } }],", true),
      ("faults: [{ at: '01:00', probability: 0.5, cgm: { dropout: {} } }],", false),
      ("faults: [{ every: { mean: '2h' }, cgm: { dropout: {} } }],", false),
      ("events: [{ at: { daily: '01:00', jitter: '10m' }, meal: { grams: 40 } }],", false),
      ("clock: { duration: '2h', loopJitter: '20s' },", false),
      ("expect: [{ id: 'a', metric: 'cv', min: 0, note: 'noise' }],", true),
    ])
  func chance(of body: String, isNone: Bool) {
    let sentences = Fixture.check(
      Fixture.scenario(
        "cgm: { model: 'ideal', noise: { $remove: true } }, \(body)" + Fixture.arms + Fixture.goals)
    ).sentences
    #expect(
      sentences.contains { $0.contains("Nothing in this scenario is left to chance") } == isNone,
      "\(sentences)")
  }

  @Test(
    "Chance and death may be one arm's alone, or those of a point of the sweep",
    arguments: [
      (Fixture.arms, "'plain'", true),
      (
        "variants: { plain: {}, high: { cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } }, "
          + "patient: { floor: { glucose: 20 } } } },", "'plain'", false
      ),
      (
        "sweep: { 'patient.floor.glucose': [20], 'cgm.model': ['ideal', 'dexcomG6'] },",
        "{ 'patient.floor.glucose': 20, 'cgm.model': 'ideal' }", false
      ),
    ])
  func chanceOfOneArm(arms: String, control: String, isNone: Bool) {
    let sentences = Fixture.check(
      Fixture.scenario(
        "cgm: { model: 'ideal', noise: { $remove: true } }, patient: { floor: { $remove: true } }, "
          + arms + "study: { control: \(control), primary: [{ metric: 'mean@cgm', "
          + "better: 'lower', noninferior: 10 }] }")
    ).sentences
    for words in ["Nothing in this scenario is left to chance", "nobody can die in this study"] {
      #expect(sentences.contains { $0.contains(words) } == isNone, "\(sentences)")
    }
  }

  @Test(
    "What an id may be is said of a study's end point as of the scenario itself",
    arguments: ["Tir 1", "-a", String(repeating: "a", count: 65)])
  func idOfEndPoint(id: String) {
    let sentences = Fixture.check(
      Fixture.scenario(
        Fixture.arms + "study: { control: 'plain', primary: [{ id: '\(id)', metric: 'mean', "
          + "better: 'lower', noninferior: 10 }] }")
    ).sentences
    let words =
      "\"study.primary[0].id\" must be a name of lower-case letters, digits and hyphens that does "
      + "not begin with a hyphen, at most 64 characters, not "
    #expect(sentences.contains { $0.contains(words) }, "\(sentences)")
  }

  @Test("A metric of changes over some hours needs a run that is longer, and no second day")
  func changesOverHours() {
    func said(_ metric: String, hours: Int) -> [String] {
      Fixture.check(
        Fixture.scenario(
          hours: hours,
          Fixture.arms + "study: { control: 'plain', primary: [{ metric: '\(metric)', "
            + "better: 'lower', superior: true }] }")
      ).sentences.filter { $0.contains("error: ") }
    }
    #expect(said("conga(2)", hours: 3) == [])
    #expect(said("conga(2)", hours: 24) == [])
    #expect(
      said("conga(2)", hours: 2).first?.contains(
        "conga(2)@true compares glucose with that of 2h before, and the run lasts 2h.") == true)
    #expect(said("conga(1)", hours: 2) == [])
    #expect(said("modd", hours: 24).first?.contains("compares one day with another") == true)
    #expect(said("modd", hours: 25) == [])
  }

  @Test("A plan whose numbers lie beyond every count is damaged, and ends nothing")
  func numbersBeyondCounting() throws {
    var plan = try Fixture.study(Fixture.scenario(Fixture.arms + Fixture.goals)).plan
    plan.arms = (0..<1_000).map { "a\($0)" }
    let text = String(decoding: plan.bytes, as: UTF8.self)
      .replacing("\"patients\": 6", with: "\"patients\": 100000000")
      .replacing("\"points\": 1", with: "\"points\": 100000000")
    #expect(text.contains("\"points\": 100000000"), "\(text.prefix(600))")
    let problems = ProblemList()
    #expect(StudyPlan(Array(text.utf8), file: "plan.json", problems: problems) == nil)
    #expect(
      problems.sorted.map(\.sentence).contains {
        $0.hasPrefix("The numbers of the plan do not fit together")
      })
  }
}
