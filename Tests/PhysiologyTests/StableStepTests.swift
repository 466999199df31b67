import Quantities
import Testing

@testable import Physiology

@Suite("Bodies in which something is faster than a step")
struct StableStepTests {
  @Test("A quick gut that empties three times as fast gives the independently solved glucose")
  func quickGut() throws {
    let parameters = try #require(UVAPadovaParameters.named("adolescent#005"))
    var patient = try UVAPadovaPatient(parameters, at: birth)
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    // It absorbs 1.23 a minute by itself.
    let isKnown = patient.apply(.gastricEmptying(factor: 3))
    #expect(isKnown)
    patient.advance(to: birth + .minutes(60))
    patient.eat(MealInput(grams: 50))
    patient.receive(.pulse(units: 2))
    // Solved apart from this code with thirty steps of order four a minute.
    let rows: [(Int64, Double)] = [
      (70, 164.356), (90, 315.612), (120, 363.383), (240, 202.420), (480, 133.766),
    ]
    for (minute, glucose) in rows {
      patient.advance(to: birth + .minutes(minute))
      #expect(abs(patient.glucose.mgdL - glucose) < 0.02, "minute \(minute)")
    }
  }

  /// Bodies with uptake that rises in lows, a bolus at minute 60, and the glucose in mg/dL that
  /// follows, solved apart from this code with a hundred steps of order four a minute.
  private static let deepLows: [(name: String, units: Double, rows: [(Int64, Double)])] = [
    ("child#001", 8, [(90, 75.000), (120, 19.806), (150, 7.458), (180, 0.358), (240, 0)]),
    ("child#004", 10, [(90, 54.455), (120, 15.410), (150, 7.275), (180, 1.889), (240, 0)]),
    ("adolescent#003", 20, [(90, 89.602), (120, 15.723), (150, 4.502), (180, 0), (240, 0)]),
  ]

  @Test("Insulin that empties tissues in a deep low gives the independently solved glucose")
  func deepLow() throws {
    for low in Self.deepLows {
      let parameters = try #require(UVAPadovaParameters.named(low.name))
      var patient = try UVAPadovaExtendedPatient(parameters, at: birth)
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.advance(to: birth + .minutes(60))
      patient.receive(.pulse(units: low.units))
      for (minute, glucose) in low.rows {
        patient.advance(to: birth + .minutes(minute))
        #expect(abs(patient.glucose.mgdL - glucose) < 0.02, "\(low.name), minute \(minute)")
      }
    }
  }

  /// A body with a parameter or a gut of its own, and what it gets after an hour.
  struct Quick: Sendable, CustomTestStringConvertible {
    var name: String
    var parameters: [(name: String, value: Double)] = []
    var emptying = 1.0
    var units = 2.0
    var grams = 50.0

    var testDescription: String { "\(name) \(parameters) \(emptying) \(units)" }
  }

  @Test(
    "Steps of a minute and steps of a tolerance give the same glucose",
    arguments: [
      Quick(name: "adult#001", parameters: [("m1", 3)]),
      Quick(name: "adult#001", parameters: [("kabs", 5)]),
      Quick(name: "hovorka2004#nominal", parameters: [("ke", 4)]),
      Quick(name: "hovorka2004#nominal", units: 200, grams: 200),
      Quick(name: "hovorka2004#nominal", parameters: [("VG", 0.0003)], units: 3, grams: 5),
      Quick(name: "bergman#average", emptying: 10), Quick(name: "ivp#003", emptying: 10),
    ])
  func steps(quick: Quick) throws {
    var description = try PatientDescription.named(quick.name)
    for parameter in quick.parameters {
      description = try #require(description.setting(parameter.name, to: parameter.value))
    }
    let glucose = GlucoseConcentration.mgdL(135)
    let rate = try #require(description.basalRate(holding: glucose))
    func course(_ integration: Integration) throws -> [Double] {
      var options = PatientOptions()
      options.integration = integration
      var body = try description.patient(at: birth, glucose: glucose, options: options)
      body.receive(.rate(unitsPerHour: rate))
      _ = body.apply(.gastricEmptying(factor: quick.emptying))
      body.advance(to: birth + .hours(1))
      body.eat(MealInput(grams: quick.grams, absorption: .minutes(10)))
      body.receive(.pulse(units: quick.units))
      var found: [Double] = []
      for hour in 2...8 as ClosedRange<Int64> {
        body.advance(to: birth + .hours(hour))
        found.append(body.glucose.mgdL)
      }
      return found
    }
    let (production, reference) = try (course(.production), course(.reference))
    for (one, other) in zip(production, reference) {
      #expect(abs(one - other) < 0.02, "\(production) \(reference)")
    }
  }
}
