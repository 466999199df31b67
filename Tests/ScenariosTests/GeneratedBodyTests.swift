import ClosedLoop
import Determinism
import Physiology
import Quantities
import RunPlans
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("Bodies that a model generates")
struct GeneratedBodyTests {
  private static func build(
    _ patient: String, therapy: String = "", cohort: String = "", place: Int = 0
  ) -> (built: BuiltRun?, problems: [String]) {
    let read = Read(
      "clock: { duration: '2h' }, patient: \(patient)\(therapy)\(cohort)")
    guard let plan = read.plan else { return (nil, read.sentences) }
    let problems = ProblemList()
    let built = RunBuilder.build(plan.run(at: place), problems: problems)
    return (built, problems.sorted.map(\.description))
  }

  @Test("Every member is the body that its number draws, with a therapy of its own")
  func drawsMembers() throws {
    var needs: Set<Double> = []
    for place in 0..<4 {
      let (built, problems) = Self.build(
        "{}", cohort: ", cohort: { generate: { model: 'hovorka', n: 4, seed: 9 } }", place: place)
      let setup = try #require(built, "\(problems)").setup
      #expect(setup.id == "a/g\(place)")
      var stream = RandomStream(seed: 9, name: "cohort", member: UInt64(place))
      let drawn = try #require(
        HovorkaCohort.logNormal.draw(from: &stream, identifier: "x"))
      let rate = try #require(setup.basalNeed)
      #expect(rate == drawn.basalRate(holding: .mgdL(120)))
      needs.insert(rate)
      let programmed = setup.app.configuration.therapy.basal.entries[0].value
      #expect((programmed.unitsPerHour - rate).magnitude <= 0.025)
    }
    #expect(needs.count == 4)
  }

  @Test("What a scenario programs comes before what was tried out")
  func statedTherapy() throws {
    let (built, problems) = Self.build(
      "{ model: 'hovorka' }", therapy: ", therapy: { basal: [['00:00', 0.7]] }")
    let therapy = try #require(built, "\(problems)").setup.app.configuration.therapy
    #expect(therapy.basal.entries[0].value == InsulinRate(milliunitsPerHour: 700))
    let needs = try #require(
      PatientDescription.patients(ofModel: "hovorka")[0].measuredNeeds(at: .mgdL(120)))
    let programmed = therapy.carbRatio.entries[0].value.gramsPerUnit
    #expect((programmed - needs.carbRatio).magnitude <= 0.05)
  }

  @Test(
    "What cannot be generated is a located sentence",
    arguments: [
      ("{ model: 'hovorka', generated: { law: 'logNormal' } }", "member"),
      ("{ model: 'hovorka', generated: { member: 1, law: 'uniform' } }", "logNormal"),
      ("{ model: 'hovorka', name: 'hovorka2004#nominal', generated: { member: 1 } }", "no name"),
    ])
  func refuses(patient: String, part: String) {
    let (built, problems) = Self.build(patient)
    #expect(built == nil)
    #expect(problems.contains { $0.contains(part) }, "\(problems)")
  }

  @Test("A body that cannot be tried out is named, with what it lacks")
  func withoutNeeds() {
    let (built, problems) = Self.build(
      "{ model: 'hovorka', generated: { law: 'independent', seed: 5, member: 936 } }")
    #expect(built == nil)
    let sentence = """
      The needs of the body hovorka#936 cannot be found by trying it out: at 120 mg/dL no bolus \
      makes up for a meal of 50 g, or none lowers its glucose. Change the body, or state \
      "patient.needs".
      """
    #expect(problems.count == 1 && problems[0].hasSuffix("error: \(sentence)"), "\(problems)")
  }

  @Test("Only a model with published laws generates bodies")
  func refusesOtherModels() {
    let (built, problems) = Self.build(
      "{}", cohort: ", cohort: { generate: { model: 'uva-padova-s2008', n: 4 } }")
    #expect(built == nil)
    #expect(problems.contains { $0.contains("hovorka") }, "\(problems)")
  }
}
