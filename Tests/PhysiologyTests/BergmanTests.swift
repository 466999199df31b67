import Determinism
import Quantities
import Testing

@testable import Physiology

@Suite("Bergman's minimal model")
struct BergmanTests {
  /// ∫ s e^(−as) e^(−b(t−s)) a² ds from 0 to t: two equal compartments followed by a third.
  private func threeCompartments(_ t: Double, a: Double, b: Double) -> Double {
    let c = b - a
    let fall = PortableMath.exp(-a * t)
    return a * a * (t * fall / c - (fall - PortableMath.exp(-b * t)) / (c * c))
  }

  private func patient(
    mmolL: Double, integration: Integration = .reference
  ) throws -> BergmanPatient {
    try BergmanPatient(.average, at: birth, glucose: .mmolL(mmolL), integration: integration)
  }

  @Test("the average patient needs the basal rate its source states, 0.742 U/h at 6.5 mmol/L")
  func basal() throws {
    #expect(abs(try patient(mmolL: 6.5).steadyBasalRate - 0.742) < 1e-12)
    // Gb = 6.5 · (1 + P3 / P2 · Ip / P1) with Ip = 8.8333 mU/L.
    #expect(abs(BergmanParameters.average.gb - 44.777_78) < 1e-5)
    #expect(abs(try patient(mmolL: 6.5).plasmaInsulin - 8.833_33) < 1e-5)
  }

  @Test("a patient started at any feasible glucose stays there", arguments: [2.0, 6.5, 20, 44])
  func steady(glucose: Double) throws {
    var patient = try patient(mmolL: glucose, integration: .production)
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    patient.advance(to: birth + .hours(24))
    #expect(abs(patient.glucose.mmolL - glucose) < 1e-9)
    #expect(abs(patient.sensedGlucose.mmolL - glucose) < 1e-9)
  }

  @Test("a start above what no insulin gives is refused, with the highest that is feasible")
  func infeasible() {
    let refusal = #expect(throws: PatientError.self) { try patient(mmolL: 45) }
    guard case .infeasibleStart(let name, _, _, let highest) = refusal else {
      Issue.record("The refusal is \(String(describing: refusal)).")
      return
    }
    #expect(name == "bergman#average")
    #expect(abs(highest.mmolL - 44.777_78) < 1e-5)
    var wrong = BergmanParameters.average
    wrong.p2 = 0
    #expect(throws: PatientError.self) {
      try BergmanPatient(wrong, at: birth, glucose: .mmolL(6))
    }
  }

  @Test("the action of a bolus is the closed form of three compartments")
  func bolus() throws {
    let p = BergmanParameters.average
    var patient = try patient(mmolL: p.gb)
    patient.receive(.pulse(units: 2))
    for minutes in [15, 60, 120, 300, 600] {
      patient.advance(to: birth + .minutes(Int64(minutes)))
      // 2 U in 1.4 L/min of clearance are 1428.6 mU/L·min in all.
      let wanted = p.p3 * 2_000 / 1.4 * threeCompartments(Double(minutes), a: 1.0 / 70, b: 0.075)
      #expect(abs(patient.state.x - wanted) < 1e-9, "minute \(minutes)")
    }
  }

  @Test("glucose after a meal without insulin is the closed form of three compartments")
  func meal() throws {
    let p = BergmanParameters.average
    var patient = try patient(mmolL: p.gb)
    patient.eat(MealInput(grams: 50, pace: .over(.milliseconds(1))))
    for minutes in [20, 40, 90, 240] {
      patient.advance(to: birth + .minutes(Int64(minutes)))
      let whole = 0.8 * 50 * 1_000 / 180.1577 / 14
      let wanted = p.gb + whole * threeCompartments(Double(minutes), a: 1.0 / 40, b: 0.001)
      #expect(abs(patient.glucose.mmolL - wanted) < 1e-5, "minute \(minutes)")
    }
  }

  @Test("exercise raises the effect of glucose at once, and that of insulin with its duration")
  func exercise() throws {
    let p = BergmanParameters.average
    var idle = try patient(mmolL: p.gb)
    let isKnown = idle.apply(.exercise(intensity: 0.5))
    #expect(isKnown)
    idle.advance(to: birth + .minutes(90))
    // P1 is doubled, so that glucose falls towards half.
    let wanted = p.gb / 2 * (1 + PortableMath.exp(-0.18))
    #expect(abs(idle.glucose.mmolL - wanted) < 1e-8)

    var fed = try patient(mmolL: 6.5)
    fed.receive(.rate(unitsPerHour: fed.steadyBasalRate))
    let before = fed.state.x
    _ = fed.apply(.exercise(intensity: 0.5))
    fed.advance(to: birth + .minutes(60))
    let lag = 2 / (60 * p.p2)
    let grown = before * (1 + 1 - lag + 2 - (1 - lag) * PortableMath.exp(-60 * p.p2))
    #expect(abs(fed.state.x - grown) < 1e-9)
    _ = fed.apply(.exercise(intensity: 0))
    fed.advance(to: birth + .hours(6))
    #expect(abs(fed.state.x - before) < 1e-9)
    let isRefused = !fed.apply(.exercise(intensity: 2))
    #expect(isRefused)
  }

  @Test("a bout that begins as another ends goes on with it, and one after rest begins anew")
  func adjoiningBouts() throws {
    func body(pause: TimeSpan?) throws -> BergmanPatient {
      var body = try patient(mmolL: 6.5)
      body.receive(.rate(unitsPerHour: body.steadyBasalRate))
      _ = body.apply(.exercise(intensity: 0.5))
      body.advance(to: birth + .minutes(90))
      if let pause {
        _ = body.apply(.exercise(intensity: 0))
        body.advance(to: body.now + pause)
        _ = body.apply(.exercise(intensity: 0.5))
      }
      body.advance(to: birth + .hours(3))
      return body
    }
    let (whole, adjoining) = try (body(pause: nil), body(pause: .zero))
    #expect(abs(whole.state.hours - 3) < 1e-9)
    #expect(adjoining.state.hours == whole.state.hours)
    #expect(adjoining.glucose.mgdL == whole.glucose.mgdL)
    let rested = try body(pause: .minutes(1))
    #expect(abs(rested.state.hours - 89.0 / 60) < 1e-9)
    #expect(rested.glucose.mgdL > whole.glucose.mgdL + 5)
  }

  @Test("halving the step of the classical method divides its error by about sixteen")
  func order() throws {
    func glucose(_ step: TimeSpan) throws -> Double {
      var patient = try patient(mmolL: 9, integration: .fixed(step: step, whileEating: step))
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.receive(.pulse(units: 3))
      patient.advance(to: birth + .minutes(192))
      return patient.glucose.mgdL
    }
    let truth = try glucose(.seconds(15))
    for minutes: Int64 in [8, 4] {
      let coarse = abs(try glucose(.minutes(minutes)) - truth)
      let fine = abs(try glucose(.seconds(minutes * 30)) - truth)
      #expect((11...21).contains(coarse / fine), "\(minutes) min: \(coarse / fine)")
    }
  }

  @Test("insulin given into a vein acts at once; plasma has no compartment of its own")
  func intravenous() throws {
    let p = BergmanParameters.average
    var patient = try patient(mmolL: p.gb)
    patient.receive(.pulse(units: 1, route: .intravenous))
    #expect(abs(patient.state.x - p.p3 * 1_000 / 1.4) < 1e-12)
    #expect(patient.insulinOnBoard == 0)
  }

  @Test("insulin given into a vein acts more while the body exercises, as any other does")
  func intravenousInExercise() throws {
    let p = BergmanParameters.average
    var patient = try patient(mmolL: p.gb)
    _ = patient.apply(.exercise(intensity: 0.5))
    patient.advance(to: birth + .minutes(30))
    let before = patient.state.x
    patient.receive(.pulse(units: 1, route: .intravenous))
    // 1 + 2 · (0.5 + half an hour) = 3 times 1000 / (0.02 · 70) mU/L.
    #expect(abs(patient.state.x - before - 3 * 5e-5 * 1_000 / 1.4) < 1e-9)
  }
}
