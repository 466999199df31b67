import Determinism
import Physiology
import Quantities

/// Virtual patients, each unit a patient-day with three meals and their boluses.
enum PhysiologySuite {
  static let suite = Suite(
    name: "physiology",
    cases: [
      Benchmark(name: "S2008, production steps, 30 patients", unit: "patient-day", units: 30) {
        cohortDay(integration: opaque(.production), pulses: false)
      },
      Benchmark(name: "S2008, production steps, pump pulses", unit: "patient-day", units: 30) {
        cohortDay(integration: opaque(.production), pulses: true)
      },
      Benchmark(name: "S2008, reference mode, 30 patients", unit: "patient-day", units: 30) {
        cohortDay(integration: opaque(.reference), pulses: false)
      },
      Benchmark(name: "Hovorka, production steps", unit: "patient-day", units: 1) {
        hovorkaDay()
      },
      Benchmark(name: "Kanderian, production steps", unit: "patient-day", units: 10) {
        kanderianDay()
      },
      Benchmark(name: "Bergman, production steps", unit: "patient-day", units: 1) {
        bergmanDay()
      },
      Benchmark(name: "superposition patient, pump pulses", unit: "patient-day", units: 1) {
        superpositionDay()
      },
      Benchmark(name: "exp, portable", unit: "value", units: 10_000) {
        sweep { PortableMath.exp($0) }
      },
      Benchmark(name: "tanh, portable", unit: "value", units: 10_000) {
        sweep { PortableMath.tanh($0) }
      },
      Benchmark(name: "log, portable", unit: "value", units: 10_000) {
        sweep { PortableMath.log($0 + 21) }
      },
      Benchmark(name: "normal draw", unit: "draw", units: 10_000) {
        var stream = RandomStream(seed: opaque(1), name: "benchmark")
        var sum = Checksum()
        for _ in 0..<10_000 { sum.absorb(stream.normal()) }
        return sum.value
      },
    ])

  private static func cohortDay(integration: Integration, pulses: Bool) -> UInt64 {
    var sum = Checksum()
    for parameters in UVAPadovaParameters.cohort {
      guard
        var patient = try? UVAPadovaPatient(parameters, at: MealDay.start, integration: integration)
      else { continue }
      let basal = patient.steadyBasalRate
      if !pulses { patient.receive(.rate(unitsPerHour: basal)) }
      MealDay.live(
        &patient, basal: pulses ? basal : 0, ratio: parameters.therapy.tableCarbRatio, into: &sum)
    }
    return sum.value
  }

  private static func hovorkaDay() -> UInt64 {
    var sum = Checksum()
    let parameters = HovorkaParameters(identifier: "nominal")
    guard
      var patient = try? HovorkaPatient(parameters, at: MealDay.start, glucose: opaque(.mgdL(120)))
    else { return 0 }
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    MealDay.live(&patient, basal: 0, ratio: 15, into: &sum)
    return sum.value
  }

  private static func kanderianDay() -> UInt64 {
    var sum = Checksum()
    for parameters in KanderianParameters.cohort {
      guard
        var patient = try? KanderianPatient(
          parameters, at: MealDay.start, glucose: opaque(.mgdL(120)))
      else { continue }
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      MealDay.live(&patient, basal: 0, ratio: 15, into: &sum)
    }
    return sum.value
  }

  private static func bergmanDay() -> UInt64 {
    var sum = Checksum()
    guard
      var patient = try? BergmanPatient(.average, at: MealDay.start, glucose: opaque(.mgdL(120)))
    else { return 0 }
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    MealDay.live(&patient, basal: 0, ratio: 9.5, into: &sum)
    return sum.value
  }

  private static func superpositionDay() -> UInt64 {
    var sum = Checksum()
    let parameters = SuperpositionParameters(
      identifier: "benchmark", basalRate: .init(always: 0.8),
      insulinSensitivity: .init(always: 45), carbRatio: .init(always: 10))
    guard
      var patient = try? SuperpositionPatient(
        parameters, at: MealDay.start, glucose: opaque(.mgdL(120)))
    else { return 0 }
    MealDay.live(&patient, basal: 0.8, ratio: 10, into: &sum)
    return sum.value
  }

  private static func sweep(_ function: (Double) -> Double) -> UInt64 {
    var sum = Checksum()
    let step = opaque(0.004)
    for index in 0..<10_000 { sum.absorb(function(Double(index) * step - 20)) }
    return sum.value
  }
}
