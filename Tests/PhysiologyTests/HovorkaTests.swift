import Quantities
import Testing

@testable import Physiology

@Suite("The Hovorka model")
struct HovorkaTests {
  private let nominal = HovorkaParameters(identifier: "nominal")

  private func patient(_ integration: Integration = .reference) throws -> HovorkaPatient {
    var patient = try HovorkaPatient(
      nominal, at: birth, glucose: .mmolL(6), integration: integration)
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    return patient
  }

  /// The published scenario: 4 U over minute 60, 50 g over minutes 60 to 75.
  private func mealDay(
    _ integration: Integration, _ look: (Int, HovorkaPatient) -> Void
  ) throws {
    var patient = try patient(integration)
    let basal = patient.steadyBasalRate
    for minute in 0...600 {
      patient.advance(to: birth + .minutes(Int64(minute)))
      if minute == 60 {
        patient.receive(.rate(unitsPerHour: basal + 240))
        patient.eat(MealInput(grams: 50, pace: .over(.minutes(15))))
      }
      if minute == 61 { patient.receive(.rate(unitsPerHour: basal)) }
      look(minute, patient)
    }
  }

  @Test("the nominal patient at 6 mmol/L has the published steady state")
  func steadyState() throws {
    let patient = try patient()
    #expect(abs(patient.plasmaInsulin - 5.545_756) < 1e-6)
    #expect(abs(patient.steadyBasalRate - 0.385_718) < 1e-6)
    #expect(abs(patient.state.q2 - 27.046_946) < 1e-6)
    var later = patient
    later.advance(to: birth + .hours(24))
    #expect(abs(later.glucose.mgdL - patient.glucose.mgdL) < 1e-9)
  }

  @Test("a bolus and a meal give the independently solved trajectory to 1e-5 mg/dL")
  func trajectory() throws {
    try mealDay(.reference) { minute, patient in
      for row in ModelChecks.hovorka where Int(row[0]) == minute {
        let state = patient.state
        let found = [patient.glucose.mgdL, patient.plasmaInsulin, state.x1, state.x2, state.x3]
        #expect(abs(found[0] - row[1]) < 1e-5, "minute \(minute)")
        for index in 1..<5 {
          #expect(abs(found[index] / row[index + 1] - 1) < 1e-6, "minute \(minute)")
        }
      }
    }
  }

  @Test("production steps of a minute stay within a thousandth of a mg/dL")
  func production() throws {
    try mealDay(.production) { minute, patient in
      for row in ModelChecks.hovorka where Int(row[0]) == minute {
        #expect(abs(patient.glucose.mgdL - row[1]) < 1e-3, "minute \(minute)")
      }
    }
  }

  @Test("45 minutes at 120 beats a minute lower glucose as solved independently")
  func exercise() throws {
    var patient = try patient()
    for minute in 0...600 {
      patient.advance(to: birth + .minutes(Int64(minute)))
      // A heart rate of 120 is 55 of the 120 beats between rest and maximum.
      if minute == 60 { _ = patient.apply(.exercise(intensity: 55.0 / 120)) }
      if minute == 105 { _ = patient.apply(.exercise(intensity: 0)) }
      for row in ModelChecks.hovorkaExercise where Int(row[0]) == minute {
        let found = [patient.glucose.mgdL, patient.state.e1, patient.state.e2, patient.state.te]
        for (got, wanted) in zip(found, row.dropFirst()) {
          #expect(abs(got - wanted) < 1e-5 * max(1, abs(wanted)), "minute \(minute)")
        }
      }
    }
    let isKnown = patient.apply(.exercise(intensity: 1.5))
    #expect(!isKnown)
  }

  @Test("a highest heart rate that is not above the one at rest is refused")
  func heartRates() {
    var parameters = HovorkaParameters(identifier: "nominal")
    parameters.maximumHeartRate = parameters.restingHeartRate
    #expect(throws: PatientError.self) {
      try HovorkaPatient(parameters, at: birth, glucose: .mgdL(110))
    }
  }

  @Test("a glucose that no insulin can hold is refused with the range")
  func infeasible() throws {
    let refusal = #expect(throws: PatientError.self) {
      try HovorkaPatient(nominal, at: birth, glucose: .mgdL(1_000))
    }
    guard case .infeasibleStart(_, _, _, let highest) = refusal else {
      Issue.record("The refusal is \(String(describing: refusal)).")
      return
    }
    // Production 1.127 mmol/min meets central use 0.679 and excretion 0.0336 · (G − 9).
    #expect(abs(highest.mmolL - (9 + (1.127 - 0.679) / 0.0336)) < 1e-6)
    var hungry = nominal
    hungry.f01 = 1
    let low = #expect(throws: PatientError.self) {
      try HovorkaPatient(hungry, at: birth, glucose: .mgdL(120))
    }
    // 0.0161 of production meet use of G / 4.5 at 0.07245 mmol/L, or 1.3 mg/dL.
    #expect(low.map { "\($0)" }?.contains("between 0.0 and 1.3 mg/dL") == true)
    var broken = nominal
    broken.vi = 0
    #expect(throws: PatientError.self) {
      try HovorkaPatient(broken, at: birth, glucose: .mgdL(120))
    }
  }

  /// Solved apart with steps of a hundredth of a minute: a step of a minute that left the pool
  /// below nothing was 5.9, 1.9 and 0.4 mg/dL off.
  @Test(
    "hard exercise of a light body empties a pool, and no further",
    arguments: [(15.0, 89.0, 50.0), (20, 89, 50), (25, 89, 30)])
  func emptiesPool(weight: Double, glucose: Double, grams: Double) throws {
    var light = nominal
    light.bodyWeight = weight
    light.restingHeartRate = 45
    light.maximumHeartRate = 180
    let bodies = try [Integration.production, .reference].map { integration in
      try HovorkaPatient(light, at: birth, glucose: .mgdL(glucose), integration: integration)
    }
    var (quick, exact) = (bodies[0], bodies[1])
    for minute in Int64(0)...360 {
      func live(_ body: inout HovorkaPatient) {
        body.advance(to: birth + .minutes(minute))
        if minute == 0 { body.receive(.rate(unitsPerHour: body.steadyBasalRate)) }
        if minute == 10 { _ = body.apply(.exercise(intensity: 7.0 / 9)) }
        if minute == 20 { body.eat(MealInput(grams: grams)) }
        if minute == 100 { _ = body.apply(.exercise(intensity: 0)) }
      }
      live(&quick)
      live(&exact)
      #expect(quick.state.q2 >= 0)
      #expect(abs(quick.glucose.mgdL - exact.glucose.mgdL) < 0.25)
    }
  }
}

@Suite("The identifiable virtual patient")
struct KanderianTests {
  @Test("subject 1 at 120 mg/dL has the published steady state and trajectory")
  func trajectory() throws {
    let subject = try #require(KanderianParameters.cohort.first)
    var patient = try KanderianPatient(
      subject, at: birth, glucose: .mgdL(120), integration: .reference)
    #expect(abs(patient.steadyBasalRate - 1.321_00) < 5e-6)
    let basal = patient.steadyBasalRate
    patient.receive(.rate(unitsPerHour: basal))
    for minute in 0...600 {
      patient.advance(to: birth + .minutes(Int64(minute)))
      if minute == 60 {
        patient.receive(.rate(unitsPerHour: basal + 300))
        patient.eat(MealInput(grams: 60, pace: .over(.zero)))
      }
      if minute == 61 { patient.receive(.rate(unitsPerHour: basal)) }
      for row in ModelChecks.kanderian where Int(row[0]) == minute {
        #expect(abs(patient.glucose.mgdL - row[1]) < 3e-5, "minute \(minute)")
        #expect(abs(patient.plasmaInsulin / row[2] - 1) < 1e-6, "minute \(minute)")
        #expect(abs(patient.state.ieff / row[3] - 1) < 1e-6, "minute \(minute)")
      }
    }
  }

  @Test("ten subjects start and stay at 110 mg/dL; above EGP over GEZI none can start")
  func starts() throws {
    #expect(KanderianParameters.cohort.count == 10)
    for subject in KanderianParameters.cohort {
      var patient = try KanderianPatient(subject, at: birth, glucose: .mgdL(110))
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.advance(to: birth + .hours(10))
      #expect(abs(patient.glucose.mgdL - 110) < 1e-9, "\(subject.identifier)")
      #expect(throws: PatientError.self) {
        try KanderianPatient(
          subject, at: birth, glucose: .mgdL(subject.egp / subject.gezi + 1))
      }
    }
    var cleared = try #require(KanderianParameters.cohort.first)
    cleared.gezi = 10
    let refusal = #expect(throws: PatientError.self) {
      try KanderianPatient(cleared, at: birth, glucose: .mgdL(120))
    }
    // 1.33 over 10 is less than one mg/dL.
    #expect(refusal.map { "\($0)" }?.contains("between 0.0 and 0.1 mg/dL") == true)
  }

  @Test("meals of different speed are absorbed side by side, whole")
  func meals() throws {
    let subject = try #require(KanderianParameters.cohort.first)
    var patient = try KanderianPatient(subject, at: birth, glucose: .mgdL(120))
    for hours: Int64 in [1, 2, 4, 6, 8] {
      patient.eat(MealInput(grams: 20, absorption: .hours(hours)))
      patient.advance(to: patient.now + .minutes(20))
    }
    #expect(abs(patient.carbohydrateInGut + patient.carbohydrateAbsorbed - 100) < 1e-9)
    patient.advance(to: birth + .days(3))
    #expect(abs(patient.carbohydrateAbsorbed - 100) < 1e-6)
  }
}
