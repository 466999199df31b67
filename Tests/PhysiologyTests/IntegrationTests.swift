import Determinism
import Quantities
import TestSupport
import Testing

@testable import Physiology

@Suite("Integration")
struct IntegrationTests {
  /// Glucose of the nominal Hovorka patient after a bolus, with the kinks of the model avoided.
  private func glucose(step: TimeSpan) throws -> Double {
    var patient = try HovorkaPatient(
      HovorkaParameters(identifier: "nominal"), at: birth, glucose: .mmolL(8),
      integration: .fixed(step: step, whileEating: step))
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    patient.receive(.pulse(units: 0.3))
    patient.advance(to: birth + .hours(4))
    return patient.glucose.mgdL
  }

  @Test("halving the step of the classical method divides its error by about sixteen")
  func order() throws {
    let truth = try glucose(step: .seconds(15))
    for minutes: Int64 in [16, 8] {
      let coarse = abs(try glucose(step: .minutes(minutes)) - truth)
      let fine = abs(try glucose(step: .seconds(minutes * 30)) - truth)
      #expect((12...20).contains(coarse / fine), "\(minutes) min: \(coarse / fine)")
    }
  }

  @Test("a hundredfold tighter tolerance makes the adaptive pair at least twentyfold better")
  func adaptive() throws {
    func glucose(_ tolerance: Double) throws -> Double {
      var patient = try HovorkaPatient(
        HovorkaParameters(identifier: "nominal"), at: birth, glucose: .mmolL(8),
        integration: .adaptive(tolerance: tolerance, longestStep: .hours(1)))
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.receive(.pulse(units: 0.3))
      patient.advance(to: birth + .hours(4))
      return patient.glucose.mgdL
    }
    let truth = try self.glucose(step: .seconds(5))
    let loose = abs(try glucose(1e-5) - truth)
    let tight = abs(try glucose(1e-7) - truth)
    #expect(tight * 20 < loose)
    #expect(tight < 1e-4)
  }

  /// A patient through a random day: meals, boluses, pulses, and changes of its condition.
  private func randomDay(
    _ patient: inout some Patient, seed: UInt64, from start: Instant
  ) -> (insulin: Double, carbohydrate: Double) {
    var stream = RandomStream(seed: seed, name: "random day")
    var insulin = 0.0
    var carbohydrate = 0.0
    for _ in 0..<60 {
      patient.advance(
        to: patient.now + .milliseconds(Int64(stream.uniform(in: 1...2_000_000))))
      switch stream.integer(below: 4) {
      case 0:
        let grams = stream.uniform(in: 1...60)
        carbohydrate += grams
        patient.eat(MealInput(grams: grams, pace: .over(.seconds(200))))
      case 1:
        _ = patient.apply(.gastricEmptying(factor: stream.uniform(in: 0.3...1.5)))
        _ = patient.apply(.insulinAbsorption(factor: stream.uniform(in: 0.5...1.5)))
      default:
        let units = 0.05 * Double(stream.integer(below: 40))
        insulin += units
        patient.receive(.pulse(units: units))
      }
    }
    patient.advance(to: patient.now + .minutes(10))
    return (insulin, carbohydrate)
  }

  @Test(
    "insulin and carbohydrate are conserved to 1e-9",
    arguments: 1...Extent.of(2, whole: 8) as ClosedRange<UInt64>)
  func balance(seed: UInt64) throws {
    let adult = UVAPadovaParameters.cohort[Int(seed) * 3 % 30]
    for integration in [Integration.production, .reference] {
      var padova = try UVAPadovaPatient(adult, at: birth, integration: integration)
      let before = try #require(padova.insulinOnBoard)
      let given = randomDay(&padova, seed: seed, from: birth)
      let onBoard = try #require(padova.insulinOnBoard)
      #expect(abs(before + given.insulin - onBoard - padova.insulinAbsorbed) < 1e-9)
      let eaten = padova.carbohydrateInGut + padova.carbohydrateAbsorbed
      #expect(abs(given.carbohydrate - eaten) < 1e-9)

      var hovorka = try HovorkaPatient(
        HovorkaParameters(identifier: "nominal"), at: birth, glucose: .mgdL(110),
        integration: integration)
      let start = try #require(hovorka.insulinOnBoard)
      let dosed = randomDay(&hovorka, seed: seed, from: birth)
      let left = try #require(hovorka.insulinOnBoard)
      #expect(abs(start + dosed.insulin - left - hovorka.insulinAbsorbed) < 1e-9)
      let usable = hovorka.carbohydrateInGut + hovorka.carbohydrateAbsorbed
      #expect(abs(0.8 * dosed.carbohydrate - usable) < 1e-9)
    }
  }

  @Test(
    "the minimal models and the additions of 2013 conserve insulin and carbohydrate to 1e-9",
    arguments: 1...Extent.of(2, whole: 8) as ClosedRange<UInt64>)
  func balanceOfOthers(seed: UInt64) throws {
    let adult = UVAPadovaParameters.cohort[Int(seed) * 3 % 30]
    for integration in [Integration.production, .reference] {
      var extended = try UVAPadovaExtendedPatient(adult, at: birth, integration: integration)
      let before = try #require(extended.insulinOnBoard)
      let given = randomDay(&extended, seed: seed, from: birth)
      let onBoard = try #require(extended.insulinOnBoard)
      #expect(abs(before + given.insulin - onBoard - extended.insulinAbsorbed) < 1e-9)
      let eaten = extended.carbohydrateInGut + extended.carbohydrateAbsorbed
      #expect(abs(given.carbohydrate - eaten) < 1e-9)

      var bergman = try BergmanPatient(
        .average, at: birth, glucose: .mgdL(130), integration: integration)
      let start = try #require(bergman.insulinOnBoard)
      let dosed = randomDay(&bergman, seed: seed, from: birth)
      let left = try #require(bergman.insulinOnBoard)
      #expect(abs(start + dosed.insulin - left - bergman.insulinAbsorbed) < 1e-9)
      let swallowed = bergman.carbohydrateInGut + bergman.carbohydrateAbsorbed
      #expect(abs(dosed.carbohydrate - swallowed) < 1e-9)

      var kanderian = try KanderianPatient(
        KanderianParameters.cohort[Int(seed) % 10], at: birth, glucose: .mgdL(130),
        integration: integration)
      let meals = randomDay(&kanderian, seed: seed, from: birth)
      let passed = kanderian.carbohydrateInGut + kanderian.carbohydrateAbsorbed
      #expect(abs(meals.carbohydrate - passed) < 1e-9)
    }
  }

  @Test("a copy lives on as the original does, bit for bit")
  func checkpoint() throws {
    var patient: any Patient = try UVAPadovaPatient(UVAPadovaParameters.cohort[4], at: birth)
    patient.eat(MealInput(grams: 33))
    patient.advance(to: birth + .seconds(247))
    var copy = patient
    patient.receive(.pulse(units: 2))
    copy.receive(.pulse(units: 2))
    patient.advance(to: birth + .hours(5))
    copy.advance(to: birth + .hours(5))
    #expect(patient.glucose.mgdL.bitPattern == copy.glucose.mgdL.bitPattern)
  }

  @Test("a meal put on the plate while another is eaten continues the meal")
  func plate() {
    var plate = Plate()
    plate.add(MealInput(grams: 12))
    var grams: [Double] = []
    var starts: [Bool] = []
    var now = birth
    while let bite = plate.nextBite(at: now) {
      grams.append(bite.grams)
      starts.append(bite.startsEpisode)
      now = bite.end
      if grams.count == 2 { plate.add(MealInput(grams: 4)) }
    }
    #expect(grams == [5, 5, 5, 1])
    #expect(starts == [true, false, false, false])
    plate.add(MealInput(grams: 9, pace: .over(.seconds(90))))
    let first = plate.nextBite(at: now)
    #expect(first?.grams == 6)
    #expect(first?.startsEpisode == true)
    let second = plate.nextBite(at: now + .minutes(1))
    #expect(second?.grams == 3)
    #expect(second?.end == now + .seconds(90))
    let third = plate.nextBite(at: now + .seconds(90))
    #expect(third == nil)
  }

  @Test("an overdosed patient recovers when insulin stops and carbohydrate comes")
  func recovery() throws {
    var patient = try UVAPadovaPatient(UVAPadovaParameters.cohort[10], at: birth)
    patient.receive(.rate(unitsPerHour: 30))
    patient.advance(to: birth + .minutes(800))
    #expect(patient.glucose.mgdL < 1)
    #expect(patient.glucose.mgdL >= 0)
    patient.receive(.rate(unitsPerHour: 0))
    patient.eat(MealInput(grams: 150))
    patient.advance(to: birth + .hours(40))
    #expect(patient.glucose.mgdL > 100)
  }
}
