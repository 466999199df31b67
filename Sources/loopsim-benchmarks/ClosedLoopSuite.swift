import ClosedLoop
import Devices
import HealthStore
import Physiology
import Quantities
import Simulation
import StructuredText
import WorkCounting

/// Whole closed-loop days: body, pump, sensor, app, algorithm, health store and the comparison of
/// the records at the end, without files.
///
/// The first case is the same body alone: what the others cost is told in patient-days of it, a
/// figure that hardly depends on the machine.
enum ClosedLoopSuite {
  static let suite = Suite(
    name: "closed-loop",
    cases: [
      Benchmark(name: "the body alone, with pulses", unit: "patient-day", units: 1) {
        bodyDay()
      },
      closedLoop("a day"),
      closedLoop("a fortnight", days: 14),
      closedLoop("two months", days: 60),
      closedLoop("a year", days: 365),
      closedLoop("a fortnight, automatic bolus", days: 14) { $0.strategy = .automaticBolus },
      closedLoop("two months, automatic bolus", days: 60) { $0.strategy = .automaticBolus },
      closedLoop("a fortnight, advice only", days: 14) { $0.isClosedLoop = false },
      closedLoop("a fortnight, the pump suspended on the first day", days: 14) {
        $0.suspendsOnFirstDay = true
      },
      closedLoop("a year, the pump suspended on the first day", days: 365) {
        $0.suspendsOnFirstDay = true
      },
      closedLoop("a fortnight, the pump empty on the second day", days: 14) {
        $0.isRefilled = false
        $0.reservoir = .milliunits(40_000)
      },
      closedLoop("a fortnight, another app writes 27 doses a day", days: 14) {
        $0.dosesOfOthers = 27
      },
      Benchmark(
        name: "a fortnight of body, pump and sensor, a program decides", unit: "patient-day",
        units: 14
      ) {
        withoutApp(days: 14)
      },
      closedLoop("a fortnight without an app", days: 14) { $0.hasApp = false },
    ])

  /// What is told beside a case of the suite: its cost in the cost of the body alone, and what was
  /// looked at and computed for a day.
  static func ratioToBody(_ results: [Measurement]) -> [String] {
    let own = results.filter { $0.suite == suite.name }
    guard let body = own.first(where: { $0.benchmark.name == suite.cases[0].name }) else {
      return []
    }
    return own.dropFirst().filter { _ in body.best > 0 }.map { result in
      let ratio = FixedDecimal.text(result.best / body.best, decimals: 1)
      let days = result.benchmark.units
      return "\(result.suite)/\(result.benchmark.name): \(ratio) times the body alone; "
        + "\(result.work.rows / days) rows and \(result.work.points / days) points a day"
    }
  }

  /// A thousand people, each with a sensor of its own, on every processor.
  static let cohort = WallBenchmark(
    suite: suite.name, name: "1,000 people x 1 day, closed loop"
  ) { tasks in
    await CohortSuite.lives(tasks: tasks) { member, sum in
      var world = World()
      world.seed = UInt64(member)
      guard let setup = try? setup(of: world, days: opaque(1)) else {
        preconditionFailure("The setup of the benchmark is not valid.")
      }
      var run = Run(setup)
      while run.step() {}
      sum.absorb((consume run).finish().digest)
    }
  }

  private struct World {
    /// What the sensor's noise comes from.
    var seed: UInt64 = 1
    var strategy = DosingStrategy.tempBasal
    var isClosedLoop = true
    var suspendsOnFirstDay = false
    /// What the reservoir holds at the beginning, and whether it is replaced every night.
    var reservoir = InsulinAmount.milliunits(300_000)
    var isRefilled = true
    /// How many doses a day another app writes.
    var dosesOfOthers: Int64 = 0
    /// Whether people ask the app for boluses.
    var asksApp = true
    /// Whether there is an app; without one people press the pump's buttons.
    var hasApp = true
  }

  private static func closedLoop(
    _ name: String, days: Int64 = 1, change: @Sendable @escaping (inout World) -> Void = { _ in }
  ) -> Benchmark {
    Benchmark(name: name, unit: "patient-day", units: Int(days)) {
      var world = World()
      change(&world)
      guard let setup = try? setup(of: world, days: opaque(days)) else {
        preconditionFailure("The setup of the benchmark is not valid.")
      }
      var run = Run(setup)
      while run.step() {}
      let result = (consume run).finish()
      var sum = Checksum()
      for row in result.trace.rows { sum.absorb(row.trueGlucose.mgdL) }
      sum.absorb(Int64(result.cycles.completed))
      return sum.value
    }
  }

  /// Days of body, pump and sensor as programs learn in them, with a command in every hour.
  private static func withoutApp(days: Int64) -> UInt64 {
    guard let setup = try? setup(of: World(asksApp: false), days: opaque(days)) else {
      preconditionFailure("The setup of the benchmark is not valid.")
    }
    var run = PatientRun(setup)
    var sum = Checksum()
    var steps = 0
    while run.liveToNextCycle() {
      sum.absorb(run.view.trueGlucose)
      let rate = run.view.scheduledRate + 0.005 * (run.view.glucose - 110)
      run.act(unitsPerHour: steps.isMultiple(of: 12) ? max(0, rate) : nil, bolusUnits: 0)
      steps += 1
    }
    return sum.value
  }

  /// A day of the body of ``setup(of:days:)`` with the insulin that keeps it, pulse by pulse.
  private static func bodyDay() -> UInt64 {
    var sum = Checksum()
    guard var patient = try? UVAPadovaPatient(.cohort[0], at: MealDay.start) else {
      preconditionFailure("The first patient of the cohort is not valid.")
    }
    MealDay.live(
      &patient, basal: patient.steadyBasalRate,
      ratio: UVAPadovaParameters.cohort[0].therapy.tableCarbRatio, into: &sum)
    return sum.value
  }

  /// An adult of the S2008 cohort with three meals a day, announced, and the bolus that the app
  /// recommends; the reservoir lasts to the end.
  private static func setup(of world: World, days: Int64) throws -> Setup {
    let start = MealDay.start
    let parameters = UVAPadovaParameters.cohort[0]
    let patient = try UVAPadovaPatient(parameters, at: start)
    let rate = PumpProfile.generic50.supportedRate(
      atMostUnitsPerHour: patient.steadyBasalRate)
    let schedule = DailySchedule(always: rate)
    let therapy = TherapySettings(
      basal: schedule, sensitivity: DailySchedule(always: .init(mgdLPerUnit: 10)),
      carbRatio: DailySchedule(always: .init(gramsPerUnit: 10)),
      targets: DailySchedule(always: .init(lower: .mgdL(100), upper: .mgdL(115))),
      suspendThreshold: .mgdL(75), maximumBolus: .milliunits(12_000),
      maximumBasalRate: .init(milliunitsPerHour: 4_000), strategy: world.strategy,
      isClosedLoop: world.isClosedLoop)
    var configuration = LoopAppConfiguration(
      therapy: therapy, pump: .generic50, clock: .utc, identitySeed: 1)
    // As a scenario has it: the result lists every record.
    configuration.retention = max(.days(7), .days(days + 4))
    var store = InMemoryHealthStore()
    var app = LoopApp(configuration: configuration, at: start)
    try app.open(&store)
    var setup = Setup(
      id: "benchmark", seed: 1, start: start, end: start + .days(days), clock: .utc,
      patient: patient, basalNeed: patient.steadyBasalRate,
      pump: try Pump(
        profile: .generic50, schedule: schedule, clock: .utc, at: start,
        reservoir: world.reservoir),
      sensor: GlucoseSensor(profile: .mard9, insertedAt: start, seed: world.seed), app: app,
      store: store,
      events: try events(of: world, days: days))
    setup.hasApp = world.hasApp
    return setup
  }

  private static func events(of world: World, days: Int64) throws -> [ScenarioEvent] {
    var events: [ScenarioEvent] = []
    for day in 0..<days {
      let midnight = MealDay.start + .days(day)
      for (number, meal) in MealDay.meals.enumerated() {
        let instant = midnight + .minutes(meal.minute)
        let name = "meal \(day) \(number)"
        events.append(
          ScenarioEvent(
            at: instant, id: name,
            .eat(MealInput(grams: meal.grams, absorption: .hours(3)), name: name)))
        guard world.hasApp else {
          let request = BolusRequest(.units(meal.grams / 10), by: .pump, name: name)
          events.append(ScenarioEvent(at: instant, id: name, .bolus(request)))
          continue
        }
        events.append(
          ScenarioEvent(
            at: instant, id: name,
            .enterCarbs(
              CarbEntryRequest(
                name: name, grams: meal.grams, absorption: .hours(3), eatenAt: instant))))
        guard world.asksApp else { continue }
        events.append(
          ScenarioEvent(
            at: instant, id: name,
            .bolus(BolusRequest(.recommended(scale: 1, cap: nil), name: name))))
      }
      for dose in 0..<world.dosesOfOthers {
        let instant = midnight + .seconds(86_400 * dose / world.dosesOfOthers)
        events.append(
          ScenarioEvent(
            at: instant,
            .writeToHealthStore(
              HealthStoreWrite(.bolus(units: 0.5, insulin: nil), start: instant, source: "Pen"))))
      }
      if world.isRefilled {
        events.append(ScenarioEvent(at: midnight + .hours(23), .pump(.replaceReservoir(nil))))
      }
    }
    if world.suspendsOnFirstDay {
      events.append(ScenarioEvent(at: MealDay.start + .hours(20), .suspend))
    }
    return events
  }
}
