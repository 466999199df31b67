import Physiology
import Quantities
import Testing

@testable import Simulation

@Suite("Glucose outside the model's range")
struct OutsideModelTests {
  // 1 mmol/L is 18.0156 mg/dL: 19.98 are 1.10904 mmol/L, 20 are 1.11015, 600 are 33.30447.
  @Test(
    "Has so many decimals that it is seen to be outside",
    arguments: [
      (19.3, GlucoseUnit.milligramsPerDecilitre, "19.3 mg/dL", "20 to 600 mg/dL"),
      (19.98, .milligramsPerDecilitre, "19.98 mg/dL", "20 to 600 mg/dL"),
      (19.9996, .milligramsPerDecilitre, "19.9996 mg/dL", "20 to 600 mg/dL"),
      (600.04, .milligramsPerDecilitre, "600.04 mg/dL", "20 to 600 mg/dL"),
      (-12, .milligramsPerDecilitre, "-12 mg/dL", "20 to 600 mg/dL"),
      (18.0156, .millimolesPerLitre, "1 mmol/L", "1.1 to 33.3 mmol/L"),
      (19.98, .millimolesPerLitre, "1.109 mmol/L", "1.11 to 33.304 mmol/L"),
    ])
  func sentence(mgdL: Double, unit: GlucoseUnit, glucose: String, range: String) {
    #expect(
      unit.sentence(of: .mgdL(mgdL), outside: .compartments)
        == "\(glucose), outside the model's range of \(range)")
    #expect(
      unit.sentence(of: .mgdL(mgdL), outside: .compartments, ", and 0 is shown")
        == "\(glucose), and 0 is shown, outside the model's range of \(range)")
  }

  @Test("Glucose outside the model's range is trouble, once for all of it")
  func outsideModel() throws {
    var fixture = Fixture()
    fixture.duration = .hours(8)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "dose", .bolus(BolusRequest(.units(8), by: .pump)))
    ]
    let run = try fixture.result()
    #expect(!run.modelExcursions.isEmpty)
    let troubles = run.troubles.filter { $0.kind == .outsideModel }
    #expect(troubles.map(\.count) == [run.modelExcursions.count])
    #expect(troubles[0].text.hasSuffix("figures over it are arithmetic, not physiology."))
  }
}
