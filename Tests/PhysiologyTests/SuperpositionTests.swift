import Quantities
import Testing

@testable import Physiology

@Suite("The superposition patient")
struct SuperpositionTests {
  /// Noon, at which the published scenarios start.
  private let noon = Instant(secondsSince1970: 1_565_870_400)

  private func schedule(_ entries: [(minute: Int, value: Double)]) throws -> DailySchedule<Double> {
    try DailySchedule(
      entries.map {
        .init(start: TimeOfDay(milliseconds: Int64($0.minute) * 60_000), value: $0.value)
      })
  }

  private func flat(
    secretion: SuperpositionParameters.Secretion = .none
  ) -> SuperpositionParameters {
    SuperpositionParameters(
      identifier: "flat", basalRate: .init(always: 0.6), insulinSensitivity: .init(always: 50),
      carbRatio: .init(always: 10), secretion: secretion)
  }

  /// A flat patient who goes on receiving its own basal.
  private func balanced(
    _ parameters: SuperpositionParameters? = nil, glucose: Double
  ) throws -> SuperpositionPatient {
    var patient = try SuperpositionPatient(
      parameters ?? flat(), at: noon, glucose: .mgdL(glucose))
    patient.receive(.rate(unitsPerHour: 0.6))
    return patient
  }

  @Test("Where insulin works half as well, twice the basal holds glucose level")
  func resistance() throws {
    var resistant = try balanced(glucose: 150)
    resistant.advance(to: noon + .hours(1))
    let isKnown = resistant.apply(.insulinSensitivity(factor: 0.5))
    #expect(isKnown)
    var treated = resistant
    treated.receive(.rate(unitsPerHour: 1.2))
    treated.advance(to: noon + .hours(12))
    #expect(abs(treated.glucose.mgdL - 150) < 1e-9)
    // Half of 0.6 U/h is missing, each unit of which lowers glucose by 50 mg/dL; the curve of the
    // original comes to 1.005.
    resistant.advance(to: noon + .hours(11))
    let before = resistant.glucose.mgdL
    resistant.advance(to: noon + .hours(12))
    #expect(abs(resistant.glucose.mgdL - before - 15) < 0.1)
  }

  @Test("Tidepool's traces without a controller come out to 1e-9", arguments: superpositionTraces)
  func traces(_ trace: SuperpositionTrace) throws {
    let parameters = SuperpositionParameters(
      identifier: trace.testDescription, basalRate: try schedule(trace.basal),
      insulinSensitivity: try schedule(trace.sensitivity),
      carbRatio: try schedule(trace.carbRatio))
    let pump = try schedule(trace.pumpBasal)
    func rate(_ minute: Int) -> Double {
      pump.value(at: WallClock.utc.civilTime(at: noon + .minutes(Int64(minute))).timeOfDay)
    }
    var patient = try SuperpositionPatient(
      parameters, at: noon, glucose: .mgdL(trace.glucose), initialRate: rate(0))
    for minute in stride(from: 0, through: trace.points.last?.minute ?? 0, by: 5) {
      patient.advance(to: noon + .minutes(Int64(minute)))
      patient.receive(.rate(unitsPerHour: rate(minute)))
      for bolus in trace.boluses where bolus.minute == minute {
        patient.receive(.pulse(units: bolus.value))
      }
      for meal in trace.carbs where meal.minute == minute {
        patient.eat(MealInput(grams: meal.value, absorption: .minutes(180)))
      }
      for point in trace.points where point.minute == minute {
        #expect(abs(patient.glucose.mgdL - point.glucose) < 1e-9, "minute \(minute)")
        let onBoard = try #require(patient.insulinOnBoard)
        #expect(abs(onBoard - point.onBoard) < 1e-9, "minute \(minute)")
      }
    }
  }

  @Test(
    "a unit clears along the published shares",
    arguments: [
      (60, 0.254194), (120, 0.575519), (240, 0.895963), (475, 0.995389),
    ])
  func clearance(minute: Int, share: Double) {
    let found = ClearanceCurve.share(after: Double(minute), in: ClearanceCurve.cleared)
    #expect(abs(found - share) < 5e-7)
  }

  @Test(
    "time constants of meals follow the published table",
    arguments: [
      (25, 1), (30, 2), (60, 8), (90, 15), (120, 21), (180, 34), (215, 42), (240, 47), (300, 60),
      (360, 73), (480, 99), (595, 124),
    ])
  func timeConstants(minutes: Int, constant: Int) {
    #expect(CarbohydrateCurve(absorptionMinutes: Double(minutes)).timeConstant == Double(constant))
    #expect(
      CarbohydrateCurve(absorptionMinutes: Double(minutes) + 4.9).timeConstant
        == Double(constant))
  }

  @Test("the steady insulin on board is 2.1115166 hours of basal")
  func steadyOnBoard() throws {
    let patient = try SuperpositionPatient(flat(), at: noon, glucose: .mgdL(100))
    let onBoard = try #require(patient.insulinOnBoard)
    #expect(abs(onBoard - 2.1115166 * 0.6) < 1e-7)
  }

  @Test("what is pumped between two grid points is on board from its own second on")
  func onBoardBetweenGridPoints() throws {
    var pumped = try balanced(glucose: 150)
    var without = try SuperpositionPatient(flat(), at: noon, glucose: .mgdL(150))
    pumped.advance(to: noon + .minutes(3))
    without.advance(to: noon + .minutes(3))
    // Three minutes at 0.6 U/h, none of which has acted.
    let difference = try #require(pumped.insulinOnBoard) - #require(without.insulinOnBoard)
    #expect(abs(difference - 0.03) < 1e-12)
  }

  @Test("a stomach that empties slowly loses nothing of a meal")
  func slowStomach() throws {
    var patient = try balanced(glucose: 108)
    let isKnown = patient.apply(.gastricEmptying(factor: 0.1))
    #expect(isKnown)
    patient.eat(MealInput(grams: 20))
    // A tenth as fast, 34 min are 340 min: 1 − exp(−(475 − 20) / 340) of 100 mg/dL.
    patient.advance(to: noon + .minutes(475))
    #expect(abs(patient.glucose.mgdL - 108 - 73.77) < 0.01)
    patient.advance(to: noon + .hours(90))
    #expect(abs(patient.glucose.mgdL - 208) < 0.01)
  }

  @Test("the basal of any insulin of a pump holds a body from its beginning on")
  func heldFromTheBeginning() throws {
    for insulin in [InsulinFormulation.humalog, .lyumjev, .regular] {
      var patient = try SuperpositionPatient(
        flat(), at: noon, glucose: .mgdL(120), heldBy: insulin.absorption)
      #expect(abs(patient.glucose.mgdL - 120) < 1e-9)
      for step in 1...Int64(144) {
        patient.advance(to: noon + .minutes(5 * step))
        patient.receive(.pulse(units: 0.05, absorption: insulin.absorption))
        // Whether five minutes of basal come at their end or in their middle is 0.025 U.
        #expect(abs(patient.glucose.mgdL - 120) < 1.26, "\(insulin.id) \(step)")
      }
    }
  }

  @Test("a dose between two grid points acts from its own second on")
  func ownSecond() throws {
    let shift = TimeSpan.seconds(137)
    var early = try balanced(glucose: 200)
    var late = early
    early.receive(.pulse(units: 1))
    late.advance(to: noon + shift)
    late.receive(.pulse(units: 1))
    for minute: Int64 in [1, 7, 60, 121, 400, 474] {
      early.advance(to: noon + .minutes(minute))
      late.advance(to: noon + .minutes(minute) + shift)
      #expect(abs(early.glucose.mgdL - late.glucose.mgdL) < 1e-9, "minute \(minute)")
    }
  }

  @Test("one bolus and the same bolus in pulses at one instant lower glucose alike")
  func pulses() throws {
    var whole = try balanced(glucose: 250)
    var parts = whole
    whole.receive(.pulse(units: 2))
    for _ in 0..<40 { parts.receive(.pulse(units: 0.05)) }
    for hour: Int64 in 1...10 {
      whole.advance(to: noon + .hours(hour))
      parts.advance(to: noon + .hours(hour))
      #expect(abs(whole.glucose.mgdL - parts.glucose.mgdL) < 1e-9)
    }
    // After eight hours 99.5389 % of 2 U have acted at 50 mg/dL per U.
    #expect(abs(whole.glucose.mgdL - (250 - 99.5389)) < 1e-3)
  }

  @Test("without insulin the balance is lost: glucose rises by the basal need")
  func withoutInsulin() throws {
    var patient = try SuperpositionPatient(flat(), at: noon, glucose: .mgdL(100))
    patient.advance(to: noon + .days(2))
    let first = patient.glucose.mgdL
    patient.advance(to: noon + .days(2) + .hours(5))
    // Each hour another 0.6 U is missing; all but the undelivered tail acts.
    #expect(abs(patient.glucose.mgdL - first - 5 * 0.6 * 50 * 0.995_389) < 1e-3)
  }

  @Test("a checkpoint lives on apart from the original")
  func checkpoint() throws {
    var patient = try balanced(glucose: 140)
    patient.eat(MealInput(grams: 30, absorption: .hours(3)))
    patient.advance(to: noon + .minutes(33))
    var copy = patient
    copy.receive(.pulse(units: 3))
    copy.advance(to: noon + .hours(3))
    patient.advance(to: noon + .hours(3))
    #expect(copy.glucose < patient.glucose)
    // 30 g at 5 mg/dL per gram, 160 minutes into a time constant of 34.
    #expect(abs(patient.glucose.mgdL - (140 + 150 * 0.990_962_6)) < 0.01)
  }

  @Test("own secretion answers the glucose of one step before, as Tidepool's simulator has it")
  func secretion() throws {
    let secretion = SuperpositionParameters.Secretion(
      perGlucose: 0.001, basalProduction: 0, basalGlucose: 100)
    var patient = try balanced(flat(secretion: secretion), glucose: 200)
    // 5 min · 0.001 U/min per mg/dL · 100 mg/dL at 50 mg/dL per U, twice from the start's glucose.
    for (step, expected) in [(1, 175.0), (2, 150), (3, 131.25)] as [(Int64, Double)] {
      patient.advance(to: noon + .minutes(5) * step)
      #expect(abs(patient.glucose.mgdL - expected) < 1e-9)
    }
    patient.advance(to: noon + .hours(4))
    #expect(abs(patient.glucose.mgdL - 100) < 1e-3)
  }

  @Test("the first steps of Tidepool's sensitive patient with type 2 diabetes come out")
  func sensitiveType2() throws {
    let parameters = SuperpositionParameters(
      identifier: "t2 sensitive", basalRate: .init(always: 0.6),
      insulinSensitivity: .init(always: 85), carbRatio: .init(always: 10),
      secretion: .init(perGlucose: 0.000_212, basalProduction: 0, basalGlucose: 130))
    var patient = try balanced(parameters, glucose: 250)
    // Printed by tidepool-org/data-science-simulator for the scenario TLR-684.
    for (step, expected) in [(1, 239.19), (2, 228.38), (3, 218.54)] as [(Int64, Double)] {
      patient.advance(to: noon + .minutes(5) * step)
      #expect(abs(patient.glucose.mgdL - expected) < 0.006)
    }
  }

  @Test("impossible settings are refused with the setting's name")
  func refusals() {
    var parameters = flat()
    parameters.carbRatio = .init(always: 0)
    #expect(throws: PatientError.self) {
      try SuperpositionPatient(parameters, at: noon, glucose: .mgdL(100))
    }
    #expect(throws: PatientError.self) {
      try SuperpositionPatient(flat(), at: noon, glucose: .mgdL(.infinity))
    }
  }
}
