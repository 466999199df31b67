import Determinism
import Quantities
import TestSupport
import Testing

@testable import Physiology

@Suite("Insulins in bodies")
struct AbsorptionTests {
  /// A body of each model at 150 mg/dL without insulin flowing.
  static func bodies() throws -> [any Patient] {
    let simple = SuperpositionParameters(
      identifier: "flat", basalRate: .init(always: 0.6), insulinSensitivity: .init(always: 50),
      carbRatio: .init(always: 10))
    let named = try PatientDescription.Model.names.map { name in
      let description = try #require(PatientDescription.patients(ofModel: name).first)
      return try description.patient(at: birth, glucose: .mgdL(150))
    }
    return named + [try SuperpositionPatient(simple, at: birth, glucose: .mgdL(150))]
  }

  @Test(
    "every insulin of the catalogue lowers glucose in every model",
    arguments: Extent.some(of: InsulinFormulation.catalogue.map(\.id), every: 4))
  func everyInsulin(id: String) throws {
    let insulin = try #require(InsulinFormulation.named(id))
    for body in try Self.bodies() {
      var treated = body
      var untreated = body
      let before = try #require(treated.insulinOnBoard)
      treated.receive(.pulse(units: 5, absorption: insulin.absorption))
      let after = try #require(treated.insulinOnBoard)
      // The second compartment of the identifiable patient is blood.
      let inBlood = body is KanderianPatient ? 5 * insulin.absorption.quickShare : 0
      #expect(abs(after - before - 5 + inBlood) < 1e-9)
      treated.advance(to: birth + .hours(12))
      untreated.advance(to: birth + .hours(12))
      #expect(treated.glucose.mgdL < untreated.glucose.mgdL - 1, "\(id) in \(type(of: body))")
    }
  }

  @Test("the quicker an insulin, the sooner it has lowered glucose")
  func order() throws {
    for body in try Self.bodies() {
      func fall(_ id: String, minutes: Int64) throws -> Double {
        var treated = body
        var untreated = body
        let insulin = try #require(InsulinFormulation.named(id))
        treated.receive(.pulse(units: 1, absorption: insulin.absorption))
        treated.advance(to: birth + .minutes(minutes))
        untreated.advance(to: birth + .minutes(minutes))
        return untreated.glucose.mgdL - treated.glucose.mgdL
      }
      // In the identifiable patient a part of ultra-rapid insulin is in blood at once.
      let quickest = body is KanderianPatient ? [] : ["afrezza"]
      let quick = try (quickest + ["fiasp", "humalog", "regular"]).map {
        try fall($0, minutes: 30)
      }
      let slow = try ["humalog", "nph", "degludec"].map { try fall($0, minutes: 300) }
      for falls in [quick, slow] {
        for (sooner, later) in zip(falls, falls.dropFirst()) {
          #expect(sooner > later, "\(falls) in \(type(of: body))")
        }
      }
    }
  }

  @Test("inhaled insulin leaves the lungs at the rate stated, and all of it is absorbed")
  func inhaled() throws {
    var patient = try BergmanPatient(
      .average, at: birth, glucose: .mmolL(BergmanParameters.average.gb))
    patient.receive(.pulse(units: 4, absorption: .inhaled))
    patient.advance(to: birth + .minutes(30))
    let left = 4 * PortableMath.exp(-0.042 * 30)
    #expect(abs(try #require(patient.insulinOnBoard) - left) < 1e-9)
    #expect(abs(patient.insulinAbsorbed - (4 - left)) < 1e-9)
    patient.advance(to: birth + .hours(13))
    #expect(patient.insulinOnBoard == 0)
    #expect(abs(patient.insulinAbsorbed - 4) < 1e-9)
  }

  /// Seconds from birth to the dose, its units, and minutes with glucose in mg/dL: the nominal
  /// patient of Hovorka on 0.386 U/h, solved apart from this code, with the release as it is at
  /// every instant.
  private static let released:
    [(insulin: InsulinFormulation, dose: Int64, units: Double, rows: [(Int64, Double)])] = [
      (
        .regular, 3_733, 10,
        [(80, 108.054), (90, 107.695), (120, 96.446), (180, 28.029), (240, 4.062)]
      ),
      (.afrezza, 3_660, 4, [(80, 71.606), (90, 47.204), (120, 15.415), (240, 26.465)]),
    ]

  @Test("insulin released within hours gives the independently solved glucose")
  func released() throws {
    let nominal = HovorkaParameters(identifier: "nominal")
    for given in Self.released {
      var patient = try HovorkaPatient(nominal, at: birth, glucose: .mgdL(108.0936))
      patient.receive(.rate(unitsPerHour: 0.386))
      patient.advance(to: birth + .seconds(given.dose))
      patient.receive(.pulse(units: given.units, absorption: given.insulin.absorption))
      for (minute, glucose) in given.rows {
        patient.advance(to: birth + .minutes(minute))
        #expect(
          abs(patient.glucose.mgdL - glucose) < 0.02, "\(given.insulin.id), minute \(minute)")
      }
    }
  }

  @Test("a body beside its twin lives as it would alone")
  func twin() throws {
    let fine = Integration.fixed(step: .seconds(20), whileEating: .seconds(2))
    var alone = try BergmanPatient(.average, at: birth, glucose: .mgdL(120))
    var checked = StepCheckedPatient(
      alone,
      twin: try BergmanPatient(.average, at: birth, glucose: .mgdL(120), integration: fine))
    for hour: Int64 in 1...6 {
      for grams in [10.0, 25] where hour == 2 {
        alone.eat(MealInput(grams: grams))
        checked.eat(MealInput(grams: grams))
      }
      alone.receive(.pulse(units: 0.5))
      checked.receive(.pulse(units: 0.5))
      alone.advance(to: birth + .hours(hour))
      checked.advance(to: birth + .hours(hour))
      #expect(alone.glucose.mgdL.bitPattern == checked.glucose.mgdL.bitPattern)
    }
    guard case .largestDifference(let mgdL, let instant) = checked.stepCheck else {
      Issue.record("The check is \(checked.stepCheck).")
      return
    }
    #expect(mgdL > 0 && mgdL < 1e-3)
    #expect(instant > birth && instant <= birth + .hours(6))
    #expect(StepCheckedPatient(alone, twin: nil).stepCheck == .noStep)
  }

  @Test(
    "The basal of any insulin of a pump holds a body from its beginning on",
    arguments: ["adult#001", "child#002", "hovorka2004#nominal", "ivp#003", "bergman#average"])
  func heldFromTheBeginning(name: String) throws {
    let named = try PatientDescription.named(name)
    for description in [named] + [named.extended].compactMap(\.self) {
      let glucose = GlucoseConcentration.mgdL(130)
      let rate = try #require(description.basalRate(holding: glucose))
      for insulin in [InsulinFormulation.humalog, .lyumjev, .regular] {
        var body = try description.patient(
          at: birth, glucose: glucose, heldBy: insulin.absorption)
        let start = try #require(body.insulinOnBoard)
        // Five minutes of it come in their middle.
        for step in 0..<Int64(96) {
          body.advance(to: birth + .minutes(5 * step) + .seconds(150))
          body.receive(.pulse(units: rate / 12, absorption: insulin.absorption))
          body.advance(to: birth + .minutes(5 * (step + 1)))
          #expect(abs(body.glucose.mgdL - 130) < 0.5, "\(name) \(insulin.id) \(step)")
        }
        let end = try #require(body.insulinOnBoard)
        #expect(abs(end / start - 1) < 0.02, "\(name) \(insulin.id)")
      }
    }
  }
}

extension PatientDescription {
  /// The same patient with the additions of 2013, where it is of 2008.
  fileprivate var extended: Self? {
    guard case .uvaPadova(let parameters) = model else { return nil }
    return Self(.uvaPadovaExtended(parameters))
  }
}
