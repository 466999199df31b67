import ClosedLoop
import Expectations
import HealthStore
import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

@Suite("Faults of app, store, phone and pump")
struct FaultTests {
  private static let clock =
    "clock: { start: '2026-01-15T08:00:00', timeZone: 'UTC', duration: '4h' },"

  private static let head = """
    patient: { model: 'tidepool-simple', initialGlucose: 180, needs: { basal: [['00:00', 1.0]],
      sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
    history: { glucose: { flat: 180 } }, therapy: { maxBasal: 3 },
    """

  private static func built(_ rest: String) throws -> BuiltRun {
    let read = Read("\(rest.contains("clock:") ? "" : clock) \(head) \(rest)")
    let plan = try #require(read.plan, "\(read.sentences)")
    let problems = ProblemList()
    return try #require(
      RunBuilder.build(plan.run(at: 0), problems: problems), "\(problems.problems)")
  }

  private static func result(_ rest: String) throws -> (BuiltRun, RunResult) {
    let built = try built(rest)
    var run = Run(built.setup)
    while run.step() {}
    return (built, run.finish())
  }

  /// Whether a scenario meets its expectations.
  private static func passes(_ rest: String, _ expectations: String...) throws -> Bool {
    let list = expectations.map { "{ \($0) }" }.joined(separator: ", ")
    let (built, result) = try result("\(rest) expect: [\(list)]")
    let measurements = RunMeasurements(result)
    return built.expectations.allSatisfy {
      $0.evaluate(
        result, measurements: measurements, file: "a.json5",
        in: GoldenFiles(files: MemoryFiles([:])) { _ in "" }
      ).outcome == .passed
    }
  }

  /// What a fault does: something that holds with it and not without it.
  struct Effect: Sendable, CustomTestStringConvertible {
    var fault: String
    var expectation: String
    var rest = ""

    init(_ fault: String, _ expectation: String, _ rest: String = "") {
      (self.fault, self.expectation, self.rest) = (fault, expectation, rest)
    }

    var testDescription: String { fault }
  }

  private static let bolus = "events: [{ at: '09:02', bolus: { units: 1 } }],"
  private static let open = "app: { closedLoop: false },"

  static let effects = [
    Effect("at: '09:00', app: { skipLoops: 3 }", "metric: 'loopsFailed', equals: 3"),
    Effect(
      "at: '09:00', app: { skipLoops: { count: 2 } }", "metric: 'loopsFailed', equals: 2"),
    Effect(
      "at: '09:00', app: { skipLoops: { until: '+20m' } }", "metric: 'loopsFailed', equals: 4"),
    Effect(
      "at: '09:00', app: { skipLoops: { duration: '30m' } }", "metric: 'loopsFailed', equals: 6"),
    // Those of 09:00 and 09:05.
    Effect(
      "at: '09:00', app: { skipLoops: { count: 4, until: '+8m' } }",
      "metric: 'loopsFailed', equals: 2"),
    // What is lost are the carbs entered since the cycle of 09:00.
    Effect(
      "at: '09:03', app: { crash: { restartAfter: '12m', loses: ['unsaved'] } }",
      "series: 'cob.app', never: { above: 0 }",
      "events: [{ at: '09:02', entry: { grams: 40 } }],"),
    Effect(
      "at: '09:00', app: { crash: { restartAfter: '29m' } }", "metric: 'loopsCompleted', max: 43"),
    // True glucose is 180 falling; what is believed is 50 lower than an hour ago.
    Effect(
      "during: ['09:00', '1h'], app: { corrupt: { target: 'glucose', mode: 'scale', value: 0.3 } }",
      "series: 'rate.programmed', always: { below: 0.01 }, between: ['09:10', '09:55']"),
    Effect(
      "during: ['09:00', '1h'], app: { corrupt: { target: 'iob', mode: 'add', value: 10 } }",
      "series: 'iob.app', always: { above: 9 }, between: ['09:05', '09:55']"),
    Effect(
      "during: ['09:00', '1h'], app: { corrupt: { target: 'iob', mode: 'zero' } }",
      "series: 'iob.app', within: [0, 1e-9], between: ['09:05', '09:55']", bolus),
    Effect(
      "during: ['09:00', '1h'], app: { corrupt: { target: 'cob', mode: 'max' } }",
      "series: 'cob.app', within: [249.9, 250.1], between: ['09:05', '09:55']"),
    Effect(
      "during: ['09:00', '1h'], app: { corrupt: { target: 'recommendedRate', mode: 'max' } }",
      "series: 'rate.programmed', always: { above: 2.99 }, between: ['09:05', '09:55']"),
    Effect(
      "during: ['08:00', '1h'], app: { corrupt: { target: 'recommendedBolus', mode: 'zero' } }",
      "metric: 'bolusUnits', equals: 0",
      open + "events: [{ at: '08:05', bolus: { take: 'recommended' } }],"),
    // Food that nobody entered has raised glucose since; an hour ago it was still 180 mg/dL.
    Effect(
      "during: ['09:00', '1h'], app: { staleData: { age: '1h' } }",
      "metric: 'bolusUnits', max: 2",
      open + "events: [{ at: '08:10', meal: { grams: 60 }, entry: false },"
        + " { at: '09:30', bolus: { take: 'recommended' } }],"),
    Effect(
      "at: '09:00', app: { clockJump: '-1h' }",
      "event: { kind: 'cycleFailed' }, min: 8, between: ['09:00', '09:45']"),
    Effect(
      "at: '09:00', app: { clockJump: '+1h' }",
      "event: { kind: 'phone', name: 'clock' }, count: 1"),
    Effect(
      "at: '09:00', app: { wrongSetting: { path: 'therapy.maxBasal', value: 1.2 } }",
      "series: 'rate.programmed', always: { below: 1.21 }, between: ['09:05', '12:00']"),
    Effect(
      "at: '09:00', app: { wrongSetting: { path: 'therapy.maxBasal', value: 1.2, "
        + "duration: '1h' } }",
      "series: 'rate.programmed', always: { below: 1.21 }, between: ['09:05', '09:55']"),
    Effect(
      "during: ['09:00', '1h'], cgm: { saturate: { above: 150 } }",
      "series: 'glucose.cgm', never: { above: 150 }, between: ['09:05', '09:55']"),
    Effect(
      "during: ['09:00', '1h'], pump: { wrongPump: { basal: [['00:00', 2]] } }",
      "metric: 'basalUnits', equals: 5", open),
    Effect(
      "at: '09:00', pump: { alarm: { name: 'autoOff', duration: '1h' } }",
      "metric: 'basalUnits', equals: 3", open),
    Effect(
      "during: ['09:00', '1h'], healthStore: { duplicate: { scope: ['insulin'] } }",
      "series: 'iob.app', never: { below: 1.2 }, between: ['09:12', '09:30']", open + bolus),
    Effect(
      "during: ['09:00', '1h'], healthStore: { conflict: { scope: ['insulin'], factor: 3 } }",
      "series: 'iob.app', never: { below: 2.5 }, between: ['09:12', '09:30']", open + bolus),
    Effect(
      "during: ['09:00', '1h'], healthStore: { lateSync: {} }",
      "series: 'iob.app', within: [-0.01, 0.01], between: ['09:12', '09:55']",
      open + "events: [{ at: '09:02', injection: { units: 1 }, entry: {} }],"),
    Effect(
      "during: ['09:00', '1h'], phone: { lowPower: {} }",
      "series: 'iob.app', within: [-0.01, 0.01], between: ['09:12', '09:55']",
      open + "events: [{ at: '09:02', injection: { units: 1 }, entry: {} }],"),
  ]

  @Test(
    "A fault has its effect, and shows by its id",
    arguments: Extent.some(of: effects, every: 5))
  func hasEffect(effect: Effect) throws {
    let faults = "faults: [{ id: 'trouble', \(effect.fault) }],"
    let shows = "event: { kind: 'fault', name: 'trouble' }, min: 1"
    #expect(try Self.passes(effect.rest + faults, effect.expectation, shows))
    #expect(try !Self.passes(effect.rest, effect.expectation), "The fault changes nothing.")
  }

  @Test("The limit of a sensor is in the unit of the file")
  func saturatesInTheUnitOfTheFile() throws {
    let read = Read(
      """
      glucoseUnit: 'mmol/L', \(Self.clock) history: { glucose: { flat: 10 } },
      patient: { model: 'tidepool-simple', initialGlucose: 10, needs: { basal: [['00:00', 1.0]],
        sensitivity: [['00:00', 2.8]], carbRatio: [['00:00', 10]] } }, therapy: { maxBasal: 3 },
      faults: [{ at: '09:00', cgm: { saturate: { above: 8, duration: '1h' } } }],
      """)
    let plan = try #require(read.plan, "\(read.sentences)")
    let built = try #require(RunBuilder.build(plan.run(at: 0), problems: ProblemList()))
    var run = Run(built.setup)
    while run.step() {}
    let shown = run.finish().trace.rows.compactMap { $0.reading?.mmolL }
    #expect(shown.count { ($0 - 8).magnitude < 1e-9 } >= 11)
    #expect(shown.contains { $0 > 9 })
  }

  @Test(
    "What is added to readings is in the unit of the file",
    arguments: [
      ("cgm: { rounding: 0.01 },", "cgm: { bias: { offset: 2, duration: '1h' } }", 2.0),
      ("cgm: { rounding: 0.01 },", "cgm: { spike: { delta: -3, samples: 12 } }", -3),
      ("cgm: { rounding: 0.01 },", "cgm: { compression: { depth: 1.5, duration: '1h' } }", -1.5),
      ("cgm: { rounding: 0.01 },", "cgm: { drift: { offsetPerDay: 20, duration: '1h' } }", 0.42),
      ("cgm: { rounding: 1.5 },", "cgm: { unreliable: { duration: '1m' } }", 0.5),
      ("cgm: { rounding: 0.01, bias: { offset: 1 } },", "cgm: { spike: { samples: 1 } }", 1),
    ])
  func addsInTheUnitOfTheFile(sensor: String, fault: String, more: Double) throws {
    let read = Read(
      """
      glucoseUnit: 'mmol/L', \(Self.clock) history: { glucose: { flat: 10 } }, \(sensor)
      patient: { model: 'tidepool-simple', initialGlucose: 10, needs: { basal: [['00:00', 1.0]],
        sensitivity: [['00:00', 2.8]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, faults: [{ at: '09:00', \(fault) }],
      """)
    let plan = try #require(read.plan, "\(read.sentences)")
    let built = try #require(RunBuilder.build(plan.run(at: 0), problems: ProblemList()))
    var run = Run(built.setup)
    while run.step() {}
    let rows = run.finish().trace.rows
    let row = try #require(rows.first { $0.instant >= built.setup.start + .minutes(90) })
    let shown = try #require(row.reading)
    #expect(abs(shown.mmolL - 10 - more) < 0.03, "\(shown.mmolL)")
  }

  @Test("What a fault adds to glucose is in the unit of the file, and told in it")
  func corruptsInTheUnitOfTheFile() throws {
    let read = Read(
      """
      glucoseUnit: 'mmol/L', \(Self.clock) history: { glucose: { flat: 6 } },
      patient: { model: 'tidepool-simple', initialGlucose: 6, needs: { basal: [['00:00', 1.0]],
        sensitivity: [['00:00', 2.8]], carbRatio: [['00:00', 10]] } },
      faults: [{ during: ['09:00', '1h'],
        app: { corrupt: { target: 'glucose', mode: 'add', value: 5.5 } } }],
      """)
    let plan = try #require(read.plan, "\(read.sentences)")
    let built = try #require(RunBuilder.build(plan.run(at: 0), problems: ProblemList()))
    var run = Run(built.setup)
    while run.step() {}
    let result = run.finish()
    let told = result.troubles.filter { $0.kind == .wrongInApp }.map(\.text)
    #expect(
      told.count == 1 && told[0].hasSuffix("corrupted: 5.5 mmol/L were added to it."), "\(told)")
  }

  @Test("Only readings wake the app of a phone that saves power")
  func savesPower() throws {
    let faults = """
      faults: [{ during: ['09:01', '30m'], phone: { lowPower: {} } },
        { during: ['09:01', '14m'], cgm: { dropout: {} } }],
      """
    let (_, result) = try Self.result(faults)
    let failures = result.cycleOutcomes.compactMap(\.failure)
    #expect(failures.count { $0.contains("saves power") } == 2, "\(failures)")
  }

  @Test("A length within bounds is drawn anew each time, from a stream of its own")
  func drawsLengths() throws {
    let days = Extent.of(1, whole: 3)
    func windows(_ length: String) throws -> [Range<Instant>] {
      let fault = """
        clock: { start: '2026-01-15T08:00:00', timeZone: 'UTC', duration: '\(days)d',
          loopEvery: '1h' },
        faults: [{ id: 'gap', every: { mean: '2h' }, cgm: { dropout: { duration: \(length) } } }],
        """
      return try Self.result(fault).1.faultWindows.map(\.span)
    }
    let drawn = try windows("['10m', '45m']")
    let fixed = try windows("'20m'")
    #expect(drawn.count > 6 * days)
    // The arrivals are the same, whatever the lengths; the last may be cut by the run's end.
    #expect(drawn.map(\.lowerBound) == fixed.map(\.lowerBound))
    for span in fixed.dropLast() { #expect(span.upperBound - span.lowerBound == .minutes(20)) }
    let lengths = drawn.dropLast().map { $0.upperBound - $0.lowerBound }
    for length in lengths { #expect((TimeSpan.minutes(10)...(.minutes(45))).contains(length)) }
    #expect(Set(lengths).count > lengths.count / 2)
    #expect(drawn == (try windows("['10m', '45m']")))
  }

  @Test("An event under a condition happens where the condition holds, once and for all its parts")
  func obeysConditions() throws {
    func eaten(_ condition: String) throws -> (eaten: Int, entered: Int) {
      let event =
        "events: [{ at: '09:00', if: '\(condition)', meal: { grams: 30 }, entry: { at: '+20m' } }],"
      let happenings = try Self.result(event).1.trace.happenings
      return (happenings.count { $0.kind == .meal }, happenings.count { $0.kind == .carbEntry })
    }
    #expect(try eaten("glucose.true > 70") == (1, 1))
    #expect(try eaten("glucose.true < 70") == (0, 0))
    #expect(try eaten("glucose.cgm >= 100") == (1, 1))
    #expect(try eaten("cob.app > 0") == (0, 0))
  }

  @Test("A carer goes by what is so when a command is sent, and not when it arrives")
  func conditionOfCommand() throws {
    // Glucose stays at 180 mg/dL until the food, and 60 g raise it by 300 mg/dL in all.
    func given(_ condition: String) throws -> Int {
      let events = """
        app: { closedLoop: false }, events: [
          { at: '08:30', if: '\(condition)', remote: { bolus: 1, delay: '1h', expires: '2h' } },
          { at: '08:31', meal: { grams: 60 }, entry: false }],
        """
      return try Self.result(events).1.boluses.count
    }
    #expect(try given("glucose.true < 200") == 1)
    #expect(try given("glucose.true > 200") == 0)
  }

  @Test("Deleting by id takes what that event made, and nothing else")
  func deletesByID() throws {
    let events = """
      app: { closedLoop: false },
      events: [{ at: '08:30', id: 'first', bolus: { units: 1 } },
        { at: '08:40', id: 'second', bolus: { units: 0.5 } },
        { at: '08:45', id: 'food', meal: { grams: 20 } },
        { at: '09:02', delete: { from: 'both', match: { id: 'first' } } },
        { at: '09:03', delete: { from: 'healthStore', match: { id: 'food' } } }],
      """
    let (_, result) = try Self.result(events)
    let boluses = result.eventHistory.filter { $0.kind == .bolus }
    #expect(boluses.map(\.programmed) == [.milliunits(500)])
    let samples = result.insulinSamples.filter { !$0.isBasal }
    #expect(samples.map(\.units) == [0.5])
    let deletions = result.trace.happenings.filter { $0.kind == .deletion }
    #expect(deletions.count == 3)
  }

  @Test("What a wiped store lost comes back from a backup")
  func restores() throws {
    let rest = """
      app: { closedLoop: false, readCarbsFromHealth: true },
      healthStore: { rereportDeleted: false },
      faults: [{ at: '09:30', healthStore: { wipe: {} } }],
      """
    let written = "{ at: '09:00', healthStore: { write: { carbs: 20, source: 'Diary' } } }"
    let restored = "{ at: '10:00', healthStore: { restore: true } }"
    let (_, lost) = try Self.result(rest + "events: [\(written)],")
    let (_, back) = try Self.result(rest + "events: [\(written), \(restored)],")
    let carbs = { (result: RunResult) in
      try result.store.samples(of: .dietaryCarbohydrates, as: .user).count
    }
    #expect(try carbs(lost) == 0)
    #expect(try carbs(back) == 1)
  }

  @Test("What a scope names twice comes a second time once")
  func scopeTwice() throws {
    let run = try RecordCauseTests.run(
      """
      events: [{ at: '+62m', bolus: { units: 1 } }], faults: [{ during: ['+1h', '2h'],
        healthStore: { duplicate: { scope: ['insulin', 'insulin'] } } }]
      """)
    let copies = run.agreement.differences.filter {
      $0.kind == .duplicateSample && $0.text.hasPrefix("The bolus of 01:02:00 ")
    }
    #expect(copies.count == 1)
  }

  @Test(
    "What a fault cannot be is said at its place",
    arguments: [
      ("at: '09:00', app: { corrupt: { target: 'pulse', mode: 'zero' } }", "iob"),
      ("at: '09:00', app: { corrupt: { target: 'iob', mode: 'add' } }", "value"),
      ("at: '09:00', app: { wrongSetting: { path: 'therapy.maxBasl', value: 1 } }", "maxBasal"),
      ("at: '09:00', app: { wrongSetting: { path: 'therapy.maxBasal', value: 'x' } }", "U/h"),
      ("at: '09:00', app: { skipLoops: 0 }", "1"),
      ("at: '09:00', app: { skipLoops: { until: '+5m', duration: '5m' } }", "one way"),
      ("at: '09:00', cgm: { dropout: { duration: ['45m', '10m'] } }", "ascending"),
      ("at: '09:00', healthStore: { conflict: { rate: 2 } }", "0"),
      ("at: '09:00', pump: { wrongPump: { basal: [['00:00', 2.013]] } }", "steps"),
    ])
  func refuses(fault: String, part: String) throws {
    let problems = ProblemList()
    let text = "{ format: 'loopsim/1', \(Self.clock) \(Self.head) faults: [{ \(fault) }] }"
    var reader = ScenarioReader(files: MemoryFiles(["a.json5": text]))
    _ = ScenarioCheck.plan("a.json5", reader: &reader, problems: problems)
    let errors = problems.sorted.filter { $0.severity == .error }.map(\.description)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains(part) == true, "\(errors)")
  }
}
