import Determinism
import Physiology
import Quantities

/// Two weeks of a thousand people without a controller, on every processor.
enum CohortSuite {
  static let cases: [WallBenchmark] = [
    WallBenchmark(
      suite: "physiology", name: "1,000 Hovorka patients x 14 days, drawn from published laws"
    ) { tasks in
      await lives(tasks: tasks) { member, sum in
        var stream = RandomStream(seed: 1, name: "cohort", member: UInt64(member))
        guard
          let drawn = HovorkaCohort.logNormal.draw(from: &stream, identifier: "drawn"),
          var patient = try? HovorkaPatient(drawn, at: MealDay.start, glucose: opaque(.mgdL(120)))
        else { return }
        patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
        fortnight(&patient, ratio: 12, stream: &stream, into: &sum)
      }
    },
    WallBenchmark(
      suite: "physiology", name: "1,000 S2008 patients x 14 days, each with meals of its own"
    ) { tasks in
      await lives(tasks: tasks) { member, sum in
        var stream = RandomStream(seed: 1, name: "cohort", member: UInt64(member))
        let parameters = UVAPadovaParameters.cohort[member % 30]
        guard var patient = try? UVAPadovaPatient(parameters, at: opaque(MealDay.start)) else {
          return
        }
        patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
        let ratio = parameters.therapy.tableCarbRatio
        fortnight(&patient, ratio: ratio, stream: &stream, into: &sum)
      }
    },
  ]

  /// The lives of a thousand people, shared out among tasks; the same checksum for any number.
  static func lives(
    tasks: Int, _ live: @escaping @Sendable (Int, inout Checksum) -> Void
  ) async -> UInt64 {
    await withTaskGroup(of: UInt64.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var total: UInt64 = 0
          for member in stride(from: task, to: 1_000, by: tasks) {
            var sum = Checksum()
            live(member, &sum)
            total ^= sum.value
          }
          return total
        }
      }
      var total: UInt64 = 0
      for await part in group { total ^= part }
      return total
    }
  }

  /// Two weeks with three meals a day, within half an hour and with a fifth of chance in the
  /// grams, each with its bolus; the glucose is looked at every five minutes.
  private static func fortnight(
    _ patient: inout some Patient, ratio: Double, stream: inout RandomStream,
    into sum: inout Checksum
  ) {
    for day: Int64 in 0..<14 {
      for meal in MealDay.meals {
        let late = Int64(stream.integer(below: 7)) * 5
        let start = MealDay.start + .days(day) + .minutes(meal.minute + late)
        watch(&patient, until: start, into: &sum)
        let grams = meal.grams * stream.uniform(in: 0.8...1.2)
        patient.eat(MealInput(grams: grams, absorption: .hours(3)))
        patient.receive(.pulse(units: grams / ratio))
      }
      watch(&patient, until: MealDay.start + .days(day + 1), into: &sum)
    }
  }

  private static func watch(
    _ patient: inout some Patient, until end: Instant, into sum: inout Checksum
  ) {
    while patient.now < end {
      patient.advance(to: patient.now + .minutes(5))
      sum.absorb(patient.sensedGlucose.mgdL)
    }
  }
}
