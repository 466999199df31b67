import ClosedLoop
import Devices
import Quantities
import ScenarioLanguage
import StructuredText
import Testing

@testable import Scenarios

@Suite("The therapy of a scenario")
struct ProgrammedTherapyTests {
  /// A pump that runs multiples of 0.05 U/h.
  private static let rates = SupportedSteps([.init(50, 30_000, step: 50)], acceptsZero: true)

  private static let needs = Person.Needs(
    basal: DailySchedule(always: InsulinRate(milliunitsPerHour: 800)),
    sensitivity: DailySchedule(always: InsulinSensitivity(mgdLPerUnit: 45)),
    carbRatio: DailySchedule(always: CarbohydrateRatio(gramsPerUnit: 9)))

  /// The first values of the three schedules, and what is reported.
  private static func read(
    _ therapy: String, needs: Person.Needs?, after error: String? = nil
  ) throws -> (values: [Double]?, problems: [String]) {
    let written = try WrittenScenario("therapy: { \(therapy) }")
    if let error { written.root.error(error) }
    let therapy = ProgrammedTherapy(of: written.root, AppBlock(), needs: needs)
    let settings = therapy?.settings(for: rates)
    let values = settings.map { settings in
      [
        settings.basal.value(at: .midnight).unitsPerHour,
        settings.sensitivity.value(at: .midnight).mgdLPerUnit,
        settings.carbRatio.value(at: .midnight).gramsPerUnit,
      ]
    }
    return (values, written.sentences)
  }

  @Test("What it does not state is what the body needs")
  func needed() throws {
    let found = try Self.read("carbRatio: [['00:00', 12]]", needs: Self.needs)
    #expect(found.values == [0.8, 45, 12])
    #expect(found.problems == [])
  }

  @Test("Factors change every schedule, and rates are rounded down to what the pump can run")
  func scaled() throws {
    // 0.8 U/h × 0.7 = 0.56 U/h, of which the pump runs 0.55 U/h.
    let found = try Self.read(
      "scale: { basal: 0.7, sensitivity: 2, carbRatio: 0.5 }", needs: Self.needs)
    #expect(found.values == [0.55, 90, 4.5])
  }

  @Test("A schedule that neither states is an error, unless the body itself has one")
  func missing() throws {
    let stated = "basal: [['00:00', 1]], sensitivity: [['00:00', 50]]"
    let missing = try Self.read(stated, needs: nil)
    #expect(missing.values == nil)
    #expect(
      missing.problems == [
        """
        "therapy.carbRatio" is missing, and the patient has no "needs" to take it from. Add it.
        """
      ])
    let unusable = try Self.read(stated, needs: nil, after: "No such body.")
    #expect(unusable.values == nil)
    #expect(unusable.problems == ["No such body."])
  }
}
