import Quantities
import Testing

@testable import Physiology

@Suite("UVA/Padova with risk and exercise")
struct UVAPadovaExtendedTests {
  private func patient(
    _ name: String, risk: Bool, integration: Integration = .reference
  ) throws -> UVAPadovaExtendedPatient {
    let parameters = try #require(UVAPadovaParameters.named(name))
    var patient = try UVAPadovaExtendedPatient(
      parameters, at: birth, amplifiesUptakeInLows: risk, integration: integration)
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    return patient
  }

  @Test("uptake that rises in lows gives the independently solved fall after 4 U")
  func risk() throws {
    let cases = [
      ("adult#001", ModelChecks.riskAdult), ("adolescent#003", ModelChecks.riskAdolescent),
    ]
    for (name, rows) in cases {
      var patient = try patient(name, risk: true)
      let basal = patient.steadyBasalRate
      patient.advance(to: birth + .minutes(60))
      patient.receive(.rate(unitsPerHour: basal + 240))
      patient.advance(to: birth + .minutes(61))
      patient.receive(.rate(unitsPerHour: basal))
      for row in rows where row[0] > 61 {
        patient.advance(to: birth + .minutes(Int64(row[0])))
        #expect(abs(patient.glucose.mgdL - row[1]) < 1e-4, "\(name), minute \(row[0])")
      }
    }
  }

  /// Minutes and glucose in mg/dL after 4 U from minute 60 to 61 with uptake in lows and glucagon,
  /// solved apart from this code with 100 steps of order four a minute.
  private static let glucagonRows: [(name: String, rows: [(Int64, Double)])] = [
    (
      "adult#001",
      [
        (90, 137.831119), (120, 134.347262), (180, 122.902574), (240, 111.936476),
        (300, 104.225360), (360, 100.169445), (420, 99.232577), (480, 100.511201),
        (540, 103.153773), (600, 106.546488),
      ]
    ),
    (
      "adolescent#003",
      [
        (90, 134.916672), (120, 94.802720), (180, 16.875188), (240, 13.729117),
        (300, 14.807757), (360, 19.406228), (420, 27.838493), (480, 39.864633),
        (540, 54.548288), (600, 70.635218),
      ]
    ),
  ]

  @Test("glucagon gives the independently solved recovery after 4 U")
  func glucagon() throws {
    for (name, rows) in Self.glucagonRows {
      let parameters = try #require(UVAPadovaParameters.named(name))
      var patient = try UVAPadovaExtendedPatient(
        parameters, at: birth, glucagon: .lt1, integration: .reference)
      let basal = patient.steadyBasalRate
      patient.receive(.rate(unitsPerHour: basal))
      patient.advance(to: birth + .minutes(60))
      patient.receive(.rate(unitsPerHour: basal + 240))
      patient.advance(to: birth + .minutes(61))
      patient.receive(.rate(unitsPerHour: basal))
      for (minute, expected) in rows {
        patient.advance(to: birth + .minutes(minute))
        #expect(abs(patient.glucose.mgdL - expected) < 1e-4, "\(name), minute \(minute)")
      }
    }
  }

  @Test("a low start is steady with glucagon too, and takes more insulin", arguments: [70, 90])
  func lowStartWithGlucagon(mgdL: Double) throws {
    for parameters in UVAPadovaParameters.cohort {
      var patient = try UVAPadovaExtendedPatient(
        parameters, at: birth, glucose: .mgdL(mgdL), glucagon: .lt1)
      let without = try UVAPadovaExtendedPatient(parameters, at: birth, glucose: .mgdL(mgdL))
      #expect(patient.steadyBasalRate > without.steadyBasalRate)
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.advance(to: birth + .hours(12))
      #expect(abs(patient.glucose.mgdL - mgdL) < 1e-6, "\(parameters.identifier)")
    }
  }

  @Test("half an hour at 110 beats a minute gives the independently solved glucose")
  func exercise() throws {
    let cases = [
      ("adult#001", ModelChecks.exerciseAdult),
      ("adolescent#003", ModelChecks.exerciseAdolescent),
    ]
    for (name, rows) in cases {
      var patient = try patient(name, risk: false)
      for minute in 0...Int(rows.last?[0] ?? 0) {
        patient.advance(to: birth + .minutes(Int64(minute)))
        // 110 beats are 50 of the 120 between rest and maximum.
        if minute == 60 { _ = patient.apply(.exercise(intensity: 50.0 / 120)) }
        if minute == 90 { _ = patient.apply(.exercise(intensity: 0)) }
        for row in rows where Int(row[0]) == minute {
          #expect(abs(patient.glucose.mgdL - row[1]) < 1e-4, "\(name), minute \(minute)")
        }
      }
    }
  }

  @Test("a bout that begins as another ends goes on with it")
  func adjoiningBouts() throws {
    var whole = try patient("adult#001", risk: true, integration: .production)
    _ = whole.apply(.exercise(intensity: 0.5))
    whole.advance(to: birth + .minutes(90))
    var (adjoining, rested) = (whole, whole)
    _ = adjoining.apply(.exercise(intensity: 0))
    _ = adjoining.apply(.exercise(intensity: 0.5))
    _ = rested.apply(.exercise(intensity: 0))
    rested.advance(to: birth + .minutes(91))
    _ = rested.apply(.exercise(intensity: 0.5))
    whole.advance(to: birth + .hours(4))
    adjoining.advance(to: birth + .hours(4))
    rested.advance(to: birth + .hours(4))
    #expect(adjoining.glucose.mgdL == whole.glucose.mgdL)
    // Its beats begin anew.
    #expect(rested.glucose.mgdL > whole.glucose.mgdL + 1)
  }

  /// Exercise of many hours with a bolus and a meal at minute 600: until when and how hard, basal
  /// rate, bolus and grams, and minutes with glucose in mg/dL, solved apart from this code with
  /// steps of a fifth of these and less.
  private static let longExercise:
    [(
      name: String, end: Int64, intensity: Double, rate: Double, units: Double, grams: Double,
      rows: [(Int64, Double)]
    )] = [
      (
        "adult#001", 1_020, 0.75, 1.25, 15, 200,
        [(540, 27.008), (660, 131.733), (690, 91.710), (780, 44.345), (1_200, 13.165)]
      ),
      (
        "child#001", 1_440, 1, 0.394_705, 6, 150,
        [(540, 16.399), (660, 214.784), (720, 96.212), (960, 5.613), (1_440, 15.700)]
      ),
    ]

  @Test("a bolus and a meal after hours of exercise give the independently solved glucose")
  func hoursOfExercise() throws {
    for bout in Self.longExercise {
      let parameters = try #require(UVAPadovaParameters.named(bout.name))
      var patient = try UVAPadovaExtendedPatient(parameters, at: birth)
      patient.receive(.rate(unitsPerHour: bout.rate))
      patient.advance(to: birth + .minutes(60))
      _ = patient.apply(.exercise(intensity: bout.intensity))
      for (minute, glucose) in bout.rows {
        if minute > 600, patient.now <= birth + .minutes(600) {
          patient.advance(to: birth + .minutes(600))
          patient.receive(.pulse(units: bout.units))
          patient.eat(MealInput(grams: bout.grams))
        }
        if minute > bout.end, patient.now < birth + .minutes(bout.end) {
          patient.advance(to: birth + .minutes(bout.end))
          _ = patient.apply(.exercise(intensity: 0))
        }
        patient.advance(to: birth + .minutes(minute))
        #expect(abs(patient.glucose.mgdL - glucose) < 0.05, "\(bout.name), minute \(minute)")
      }
    }
  }

  @Test("a start below the fasting glucose is steady with the risk term too")
  func lowStart() throws {
    for parameters in UVAPadovaParameters.cohort {
      var patient = try UVAPadovaExtendedPatient(parameters, at: birth, glucose: .mgdL(90))
      let plain = try UVAPadovaPatient(parameters, at: birth, glucose: .mgdL(90))
      // Insulin works better below the fasting glucose, so that less of it is needed.
      #expect(patient.steadyBasalRate < plain.steadyBasalRate)
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.advance(to: birth + .hours(12))
      #expect(abs(patient.glucose.mgdL - 90) < 1e-6, "\(parameters.identifier)")
    }
  }

  @Test("without lows and exercise it is the patient of 2008")
  func same() throws {
    let parameters = try #require(UVAPadovaParameters.named("child#004"))
    var plain = try UVAPadovaPatient(parameters, at: birth)
    var extended = try UVAPadovaExtendedPatient(
      parameters, at: birth, amplifiesUptakeInLows: false)
    for minute: Int64 in [10, 200, 700] {
      plain.eat(MealInput(grams: 20))
      extended.eat(MealInput(grams: 20))
      plain.receive(.pulse(units: 1))
      extended.receive(.pulse(units: 1))
      plain.advance(to: birth + .minutes(minute))
      extended.advance(to: birth + .minutes(minute))
      #expect(plain.glucose.mgdL == extended.glucose.mgdL)
    }
  }

  @Test("heart rates that make no sense are refused")
  func refusals() throws {
    let parameters = try #require(UVAPadovaParameters.named("adult#002"))
    #expect(throws: PatientError.self) {
      try UVAPadovaExtendedPatient(parameters, at: birth, maximumHeartRate: 50)
    }
    let atRest = #expect(throws: PatientError.self) {
      try UVAPadovaExtendedPatient(parameters, at: birth, restingHeartRate: 0)
    }
    #expect(atRest.map { "\($0)" }?.contains("\"restingHeartRate\"") == true)
    var patient = try patient("adult#002", risk: true)
    let isTaken = patient.apply(.exercise(intensity: .nan))
    #expect(!isTaken)
  }
}
