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

  @Test("A setting that the limits or the range keep from doing what it says has a warning")
  func oddSettings() throws {
    func told(_ rest: String) throws -> [String] {
      let written = try WrittenScenario(rest)
      let therapy = ProgrammedTherapy(
        of: written.root, AppBlock.reading(written.root), needs: Self.needs)
      therapy?.warnOfOddSettings(in: written.root)
      return written.sentences
    }
    let limit = "app: { maxActiveInsulin: 5 }"
    #expect(
      try told("therapy: { maxBolus: 0 }, \(limit)").map { $0.contains("a multiple of nothing") }
        == [true])
    #expect(try told("therapy: { maxBolus: 1 }, \(limit)") == [])
    #expect(try told("therapy: { maxBolus: 0 }") == [])
    let raised = "events: [{ at: '07:00', settings: { maxBolus: 4 } }]"
    #expect(try told("therapy: { maxBolus: 0 }, \(limit), \(raised)") == [])

    // 10 mg/dL above 190 the factor would rise by 0.6 within nothing.
    let factor = "app: { dosing: 'automaticBolus', applicationFactor: 'glucoseBased' }"
    for (range, count) in [("[189, 200]", 0), ("[190, 200]", 1), ("[210, 220]", 1)] {
      let found = try told("therapy: { target: [['00:00', \(range)]] }, \(factor)")
      #expect(found.count == count, "\(range): \(found)")
    }
    let constant = "app: { dosing: 'automaticBolus', applicationFactor: 0.5 }"
    #expect(try told("therapy: { target: [['00:00', [210, 220]]] }, \(constant)") == [])
  }

  @Test("Factors change every schedule, and rates are rounded down to what the pump can run")
  func scaled() throws {
    // 0.8 U/h × 0.7 = 0.56 U/h, of which the pump runs 0.55 U/h.
    let found = try Self.read(
      "scale: { basal: 0.7, sensitivity: 2, carbRatio: 0.5 }", needs: Self.needs)
    #expect(found.values == [0.55, 90, 4.5])
  }

  @Test("A factor that leads out of every range, or of what the pump can run, is an error")
  func scaledTooFar() throws {
    func told(_ scale: String, unit: String = "mg/dL") throws -> [String] {
      let written = try WrittenScenario(
        "glucoseUnit: '\(unit)', therapy: { scale: { \(scale) } }")
      let needs = Person.Needs(
        basal: DailySchedule(always: InsulinRate(milliunitsPerHour: 8_000)),
        sensitivity: DailySchedule(always: InsulinSensitivity(mgdLPerUnit: 900.78)),
        carbRatio: DailySchedule(always: CarbohydrateRatio(gramsPerUnit: 0.4)))
      ProgrammedTherapy(of: written.root, AppBlock(), needs: needs)?
        .checkScale(in: written.root, for: Self.rates)
      return written.sentences.map { String($0.drop { $0 != "T" }) }
    }
    #expect(try told("sensitivity: 2.2, carbRatio: 0.25, basal: 3.75").isEmpty)
    #expect(
      try told("sensitivity: 3") == [
        "This factor makes an ISF of 2702.3 mg/dL per U, and a therapy has one from 1 to 2000."
      ])
    // 18.0156 mg/dL are 1 mmol/L.
    #expect(
      try told("sensitivity: 3", unit: "mmol/L") == [
        "This factor makes an ISF of 150 mmol/L per U, and a therapy has one from 0.06 to 111."
      ])
    #expect(
      try told("carbRatio: 0.2") == [
        "This factor makes a CR of 0.08 g/U, and a therapy has one from 0.1 to 500."
      ])
    #expect(
      try told("basal: 4") == [
        "This factor makes 32.00 U/h of 8.00 U/h, and the pump runs at most 30.00 U/h."
      ])
    #expect(try told("sensitivity: 3, carbRatio: 0.2, basal: 4").count == 3)
  }

  @Test("A factor that leaves nothing of a rate is warned of")
  func scaledToNothing() {
    let (_, sentences) = BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1],
        ['06:00', 0.2]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { scale: { basal: 0.2 } } }
      """)
    #expect(
      sentences.contains {
        $0.hasSuffix(
          "This factor leaves nothing of 0.20 U/h: the pump runs no rate as low as 0.04 U/h. "
            + "[W-LIMITS]")
      }, "\(sentences)")
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
