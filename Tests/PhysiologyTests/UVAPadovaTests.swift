import Quantities
import TestSupport
import Testing

@testable import Physiology

/// The start of every life in these tests.
let birth = Instant(secondsSince1970: 1_700_000_000)

@Suite("UVA/Padova S2008")
struct UVAPadovaTests {
  private func patient(
    _ name: String, glucose: Double? = nil, integration: Integration = .production
  ) throws -> UVAPadovaPatient {
    let parameters = try #require(UVAPadovaParameters.named(name))
    return try UVAPadovaPatient(
      parameters, at: birth, glucose: glucose.map { .mgdL($0) }, integration: integration)
  }

  @Test(
    "the published trajectories come out to 1 part in a million, in every compartment",
    arguments: [UVAPadovaTrajectory.adultOne, .adolescentSeven])
  func trajectories(_ expected: UVAPadovaTrajectory) throws {
    var patient = try patient(expected.patient, integration: .reference)
    for minute in 0...1_440 {
      patient.advance(to: birth + .minutes(Int64(minute)))
      for point in expected.glucose where point.minute == minute {
        #expect(abs(patient.glucose.mgdL - point.plasma) < 1e-5, "minute \(minute)")
        #expect(abs(patient.sensedGlucose.mgdL - point.subcutaneous) < 1e-5, "minute \(minute)")
      }
      for point in expected.states where point.minute == minute {
        for (got, wanted) in zip(patient.state.inPaperOrder, point.compartments) {
          #expect(abs(got - wanted) <= 1e-6 * max(abs(wanted), 0.01), "minute \(minute)")
        }
      }
      for change in expected.rates where change.minute == minute {
        patient.receive(.rate(unitsPerHour: change.unitsPerMinute * 60))
      }
      for meal in expected.meals where meal.minute == minute {
        patient.eat(MealInput(grams: meal.grams))
      }
    }
  }

  @Test("production steps stay within 0.02 mg/dL of the published trajectories")
  func production() throws {
    for expected in [UVAPadovaTrajectory.adultOne, .adolescentSeven] {
      var patient = try patient(expected.patient)
      var events = expected.rates.map { ($0.minute, Double?.some($0.unitsPerMinute), 0.0) }
      events += expected.meals.map { ($0.minute, nil, $0.grams) }
      events += expected.glucose.map { ($0.minute, nil, 0) }
      for (minute, rate, grams) in events.sorted(by: { $0.0 < $1.0 }) {
        patient.advance(to: birth + .minutes(Int64(minute)))
        for point in expected.glucose where point.minute == minute {
          #expect(abs(patient.glucose.mgdL - point.plasma) < 0.02, "minute \(minute)")
        }
        if let rate { patient.receive(.rate(unitsPerHour: rate * 60)) }
        if grams > 0 { patient.eat(MealInput(grams: grams)) }
      }
    }
  }

  /// Three meals with impulses of insulin; glucose at the minutes of the fixture, in mg/dL.
  private func dayWithThreeMeals(_ name: String, integration: Integration) throws -> [Double] {
    var patient = try patient(name, integration: integration)
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    var found: [Double] = []
    let stops: [(minute: Int64, grams: Double)] = [
      (420, 45), (480, 0), (600, 0), (750, 70), (900, 0), (1_140, 60), (1_200, 0), (1_440, 0),
    ]
    for (minute, grams) in stops {
      patient.advance(to: birth + .minutes(minute))
      guard grams > 0 else {
        found.append(patient.glucose.mgdL)
        continue
      }
      let ratio = patient.parameters.therapy.tableCarbRatio
      patient.receive(.pulse(units: grams / ratio))
      patient.eat(MealInput(grams: grams))
    }
    return found
  }

  @Test("all thirty patients: reference mode within 1e-5 mg/dL, production within 0.02")
  func everyPatient() throws {
    #expect(threeMealGlucose.count == 30)
    for (name, expected) in Extent.some(of: threeMealGlucose, every: 5) {
      let reference = try dayWithThreeMeals(name, integration: .reference)
      let production = try dayWithThreeMeals(name, integration: .production)
      for (index, wanted) in expected.enumerated() {
        #expect(abs(reference[index] - wanted) < 1e-5, "\(name), point \(index)")
        #expect(abs(production[index] - wanted) < 0.02, "\(name), point \(index)")
      }
    }
  }

  @Test("the fasting steady state of every patient is one: no compartment changes")
  func fasting() throws {
    for parameters in UVAPadovaParameters.cohort {
      let steady = try UVAPadovaSteadyState(of: parameters, at: .mgdL(parameters.gb))
      let equations = UVAPadovaEquations(parameters, memory: .minuteByMinute)
      let change = equations.change(
        of: steady.state, inflow: Inflow(insulin: steady.basalRate))
      #expect(change.inPaperOrder.allSatisfy { abs($0) < 1e-9 }, "\(parameters.identifier)")
      let perHour = steady.basalRate * 60
      #expect(abs(perHour / parameters.fastingBasalRate - 1) < 1e-12)
    }
  }

  @Test("each factor of a condition changes its own flows, and by as much as it says")
  func conditions() throws {
    let p = try #require(UVAPadovaParameters.named("adult#001"))
    var state = UVAPadovaState()
    (state.qsto1, state.qsto2, state.qgut) = (1_000, 2_000, 3_000)
    (state.gp, state.gt, state.x, state.xl) = (100, 150, 40, 60)
    (state.isc1, state.isc2) = (50, 70)
    func change(
      _ path: WritableKeyPath<ConditionFactors, Double>, _ factor: Double
    ) -> UVAPadovaState {
      var equations = UVAPadovaEquations(p, memory: .minuteByMinute)
      equations.condition[keyPath: path] = factor
      return equations.change(of: state, inflow: Inflow())
    }
    func isNear(_ value: Double, _ expected: Double) -> Bool {
      abs(value - expected) < 1e-9 * max(1, abs(expected))
    }
    let usual = change(\.insulinSensitivity, 1)
    // Half as sensitive: the liver holds back half as little, and the tissues take half as much.
    let resistant = change(\.insulinSensitivity, 0.5)
    #expect(isNear(resistant.gp - usual.gp, 0.5 * p.kp3 * 60))
    #expect(isNear(resistant.gt - usual.gt, 0.5 * p.vmx * 40 * 150 / (p.km0 + 150)))
    let producing = change(\.glucoseProduction, 1.25)
    #expect(isNear(producing.gp - usual.gp, 0.25 * p.kp1))
    #expect(producing.gt == usual.gt)
    let quick = change(\.insulinAbsorption, 2)
    #expect(isNear(quick.isc1, -2 * (p.ka1 + p.kd) * 50))
    #expect(isNear(quick.isc2, 2 * (p.kd * 50 - p.ka2 * 70)))
    #expect(isNear(quick.insulinAbsorbed, 2 * (p.ka1 * 50 + p.ka2 * 70)))
    // No meal has begun, so the stomach empties at its greatest rate.
    let slow = change(\.gastricEmptying, 0.5)
    #expect(isNear(slow.qsto1, -0.5 * p.kmax * 1_000))
    #expect(isNear(slow.qsto2, 0.5 * p.kmax * (1_000 - 2_000)))
    #expect(isNear(slow.glucoseAbsorbed, 0.5 * p.kabs * 3_000))
  }

  @Test(
    "a patient started at another glucose stays there on its basal rate", arguments: [90, 120, 190])
  func otherStarts(glucose: Double) throws {
    for parameters in UVAPadovaParameters.cohort {
      var patient = try patient(parameters.identifier, glucose: glucose)
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.advance(to: birth + .hours(12))
      #expect(abs(patient.glucose.mgdL - glucose) < 1e-6, "\(parameters.identifier)")
      #expect(patient.steadyBasalRate > 0)
    }
  }

  @Test("a start no basal rate can hold is refused, and the feasible range is named")
  func infeasible() throws {
    let parameters = try #require(UVAPadovaParameters.named("adult#001"))
    let refusal = #expect(throws: PatientError.self) {
      try UVAPadovaPatient(parameters, at: birth, glucose: .mgdL(600))
    }
    guard case .infeasibleStart(let name, let glucose, let lowest, let highest) = refusal else {
      Issue.record("The refusal is \(String(describing: refusal)).")
      return
    }
    #expect(name == "adult#001")
    #expect(glucose == .mgdL(600))
    #expect(lowest.mgdL < 140 && highest.mgdL > 140 && highest.mgdL < 600)
    let edge = GlucoseConcentration.mgdL(highest.mgdL.rounded(.down))
    #expect(throws: Never.self) { try UVAPadovaPatient(parameters, at: birth, glucose: edge) }
    #expect(throws: PatientError.self) {
      try UVAPadovaPatient(parameters, at: birth, glucose: .mgdL(.nan))
    }
    #expect(throws: PatientError.self) {
      try UVAPadovaPatient(parameters, at: birth, glucose: .mgdL(-5))
    }
  }

  @Test("without insulin the tissues of 19 patients give glucose, as is published")
  func useBelowNothing() {
    // By the table's Vm0, Vmx and Ib, the share of basal insulin at which nothing is used.
    var shares: [String: Double] = [:]
    for patient in UVAPadovaParameters.cohort {
      let share = 1 - patient.vm0 / (patient.vmx * patient.ib)
      if share > 0 { shares[patient.identifier] = share }
    }
    #expect(shares.count == 19)
    #expect(shares["child#004"].map { ($0 * 100).rounded() } == 88)
    #expect(shares["adult#002"].map { ($0 * 100).rounded() } == 10)
  }

  @Test("the figures are those of the public tables")
  func figures() throws {
    let cohort = UVAPadovaParameters.cohort
    #expect(cohort.count == 30)
    for group in ["adolescent", "adult", "child"] {
      #expect(cohort.filter { $0.group == group }.count == 10)
    }
    let adult = try #require(UVAPadovaParameters.named("adult#001"))
    #expect(abs(adult.fastingBasalRate - 1.267) < 1e-3)
    #expect(adult.gb == 138.56)
    #expect(UVAPadovaParameters.named("adult#011") == nil)
  }

  /// Solved apart with steps of a fiftieth of a minute: glucose is 0 for 140 minutes, and one of a
  /// minute that left less than nothing in plasma was 0.10 mg/dL off after it.
  @Test("after glucose was nothing it comes back as fast as it does with the finest steps")
  func comesBack() throws {
    var quick = try patient("adolescent#003", glucose: 120)
    var exact = try patient("adolescent#003", glucose: 120, integration: .reference)
    var withoutGlucose = 0
    for minute in Int64(0)...600 {
      func live(_ body: inout UVAPadovaPatient) {
        body.advance(to: birth + .minutes(minute))
        if minute == 0 {
          body.receive(.rate(unitsPerHour: body.steadyBasalRate))
          body.receive(.pulse(units: 20))
        }
        if minute == 240 { body.eat(MealInput(grams: 100)) }
      }
      live(&quick)
      live(&exact)
      #expect(quick.state.gp >= 0)
      #expect(abs(quick.glucose.mgdL - exact.glucose.mgdL) < 0.02, "minute \(minute)")
      if exact.glucose.mgdL < 0.01 { withoutGlucose += 1 }
    }
    #expect(withoutGlucose > 120)
  }
}

extension UVAPadovaState {
  /// The thirteen compartments in the order of the published state vector.
  var inPaperOrder: [Double] {
    [qsto1, qsto2, qgut, gp, gt, ip, x, i1, xl, il, isc1, isc2, gs]
  }
}
