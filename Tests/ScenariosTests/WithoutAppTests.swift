import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Expectations
@testable import Scenarios

@Suite("Scenarios without an app")
struct WithoutAppTests {
  private static let body = "patient: { model: 'uva-padova-s2013', name: 'adult#001' }"

  /// What is wrong with a scenario without an app.
  private static func problems(_ rest: String) throws -> [String] {
    let problems = ProblemList()
    var reader = ScenarioReader(
      files: MemoryFiles(["a.json5": "{ format: 'loopsim/1', \(body), app: 'none', \(rest) }"]))
    let plan = try #require(ScenarioCheck.plan("a.json5", reader: &reader, problems: problems))
    for place in 0..<plan.count { _ = RunBuilder.build(plan.run(at: place), problems: problems) }
    return problems.sorted.map(\.description)
  }

  private static func build(_ text: String) throws -> (plan: RunPlan, built: [BuiltRun]) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["a.json5": text]))
    let plan = ScenarioCheck.plan("a.json5", reader: &reader, problems: problems)
    let runs = try #require(plan, "\(problems.sorted)\n\(text)")
    let built = (0..<runs.count).compactMap {
      RunBuilder.build(runs.run(at: $0), problems: problems)
    }
    #expect(built.count == runs.count, "\(problems.sorted)\n\(text)")
    return (runs, built)
  }

  private static func lived(_ setup: Setup) -> RunResult {
    var run = Run(setup)
    while run.step() {}
    return run.finish()
  }

  // MARK: - What needs an app

  /// What needs an app, and how it is called.
  private static let needy: [(String, String)] = [
    ("controller: { command: ['x'] }", "A program that decides"),
    ("healthStore: { vendorApp: 'dexcom' }", "The health store"),
    ("healthStore: { authorized: ['glucose'] }", "The health store"),
    ("behaviour: { correction: { above: 200 } }", "A correction by the recommended bolus"),
    ("behaviour: { rescue: { below: 70, grams: 15, entry: true } }", "An entry of what is eaten"),
    (
      "behaviour: { meals: [{ window: ['07:00', '08:00'], grams: 30 }], bolus: {} }",
      "A bolus that is recommended"
    ),
    ("events: [{ at: '08:00', bolus: { units: 1 } }]", "A bolus by 'user'"),
    ("events: [{ at: '08:00', bolus: { calculator: {} } }]", "A bolus by 'user'"),
    (
      "events: [{ at: ['08:00', '09:00'], bolus: { take: 'recommended', by: 'pump' } }]",
      "A bolus that is recommended"
    ),
    ("events: [{ at: '08:00', entry: { grams: 5 } }]", "An entry of carbohydrate"),
    ("events: [{ at: '08:00', closedLoop: false }]", "A loop that is switched"),
    ("events: [{ at: '08:00', phone: 'off' }]", "What is done with a phone"),
    ("events: [{ at: '08:00', clockSet: '1h' }]", "What is done with a phone"),
    ("events: [{ at: '08:00', settings: { maxBolus: 2 } }]", "A change of settings"),
    ("events: [{ at: '08:00', remote: { bolus: 1 } }]", "A command from afar"),
    ("events: [{ at: '08:00', delete: { from: 'both' } }]", "A deletion"),
    ("events: [{ at: '08:00', healthStore: { restore: true } }]", "The health store"),
    (
      "events: [{ at: '08:00', fingerstick: { entry: 'app' } }]",
      "A fingerstick that is taken down on the phone"
    ),
    (
      "events: [{ at: '08:00', if: 'iob.app > 1', meal: { grams: 5 } }]",
      "The series iob.app"
    ),
    ("faults: [{ at: '08:00', app: { crash: {} } }]", "A fault of the app"),
    ("faults: [{ every: { mean: '1h' }, phone: { off: {} } }]", "A fault of the phone"),
    ("faults: [{ at: '08:00', healthStore: { writeFail: {} } }]", "A fault of the health store"),
    ("faults: [{ at: '08:00', pump: { commLoss: {} } }]", "Contact between app and pump"),
    ("faults: [{ user: { miss: { of: 'meal' } } }]", "A slip with an entry of carbohydrate"),
    ("expect: [{ metric: 'meanIOB', max: 3 }]", "The metric meanIOB"),
    ("expect: [{ metric: 'loopsFailed', max: 3 }]", "The metric loopsFailed"),
    (
      "expect: [{ series: 'abs(iob.app - iob.true)', never: { above: 1 } }]",
      "The series iob.app"
    ),
    ("expect: [{ invariant: 'records-agree' }]", "The invariant records-agree"),
    (
      "expect: [{ timeline: 'healthStore.basal', equals: [] }]",
      "The table of the health store's basal"
    ),
    ("expect: [{ event: { kind: 'bolus', in: 'eventHistory' } }]", "The record eventHistory"),
    ("output: { save: ['ledger', 'loopInputs'] }", "The result 'loopInputs'"),
    ("output: { save: ['healthStore'] }", "The result 'healthStore'"),
    ("output: { series: ['glucose.true', 'cob.app'] }", "The series cob.app"),
  ]

  /// What a scenario may say to no effect.
  private static let unused: [String] = [
    "therapy: { maxBolus: 5 }",
    "therapy: { maxBasal: 4 }",
    "therapy: { scale: { carbRatio: 1.2 } }",
    "therapy: { sensitivity: [['00:00', 40]], presets: {} }",
    "pump: { commLatency: '2s' }",
    "pump: { history: 'complete' }",
    "history: { glucose: { flat: 120 } }",
    "history: { carbs: [{ at: '-1h', grams: 5, entered: true }] }",
    "events: [{ at: '08:00', meal: { grams: 5 }, entry: { grams: 4 } }]",
    "events: [{ at: '08:00', injection: { units: 2 }, entry: { in: 'app' } }]",
    "behaviour: { meals: [{ window: ['07:00', '08:00'], grams: 30 }], announce: {} }",
    "faults: [{ at: '08:00', cgm: { dropout: { backfill: false } } }]",
    "faults: [{ at: '08:00', cgm: { timestamp: { shift: '5m' } } }]",
  ]

  /// What body, pump, sensor and person do by themselves.
  private static let free: [String] = [
    "therapy: { basal: [['00:00', 1.2]], insulinModel: 'fiasp', scale: { basal: 0.9 } }",
    """
    therapy: { scale: { sensitivity: 0.9, carbRatio: 1.2 } }, \
    events: [{ at: '08:00', bolus: { calculator: { grams: 40 }, by: 'pump' } }]
    """,
    """
    therapy: { sensitivity: [['00:00', 40]], carbRatio: [['00:00', 9]] }, \
    events: [{ at: '08:00', bolus: { calculator: { grams: 40 }, by: 'pump' } }]
    """,
    "events: [{ at: '08:00', meal: { grams: 5 } }, { at: '09:00', injection: { units: 2 } }]",
    "events: [{ at: '08:00', meal: { grams: 5 }, entry: false }]",
    """
    events: [{ at: '08:00', bolus: { units: 2, by: 'quick' } }, { at: '08:00', \
    suspend: true }]
    """,
    """
    events: [{ at: '08:00', basal: { rate: 0.5, duration: '1h' } }, { at: '08:30', \
    resume: {} }]
    """,
    "events: [{ at: '08:00', fingerstick: {} }, { at: '09:00', cgm: { calibrate: 120 } }]",
    "events: [{ at: '08:00', if: 'glucose.cgm < 200', meal: { grams: 5 } }]",
    "events: [{ at: '08:00', timeZone: 'Europe/Berlin', pumpFollows: true }]",
    "faults: [{ at: '08:00', pump: { occlusion: {} } }, { at: '09:00', cgm: { dropout: {} } }]",
    """
    events: [{ at: '08:00', bolus: { units: 2, by: 'pump' } }], \
    faults: [{ user: { miss: { of: 'bolus' } } }]
    """,
    """
    behaviour: { meals: [{ window: ['07:00', '08:00'], grams: 30 }], rescue: { below: 70, \
    grams: 15 } }
    """,
    """
    expect: [{ metric: 'tir(70,180)@cgm', min: 2 }, { invariant: 'insulin-conservation' }, \
    { series: 'iob.true', never: { above: 50 } }, { event: { kind: 'meal' }, max: 3 }]
    """,
    "output: { save: ['timeline', 'doses'], series: ['iob.true'] }",
    "healthStore: {}",
  ]

  @Test(
    "What needs an app is an error where it stands",
    arguments: Self.needy)
  func isRefused(rest: String, need: String) throws {
    let found = try Self.problems(rest)
    let wanted = "error: \(need) needs an app; this scenario has none (app: 'none')."
    #expect(found.count { $0.contains("error") } == 1, "\(found)")
    #expect(found.contains { $0.contains(wanted) }, "\(found)")
  }

  @Test("What to write in its place is said")
  func remedies() throws {
    let bolus = try Self.problems("events: [{ at: '08:00', bolus: { units: 1 } }]")
    #expect(
      bolus == [
        """
        a.json5:1:127: error: A bolus by 'user' needs an app; this scenario has none \
        (app: 'none'). Write by: 'pump' for the pump's own buttons.
        """
      ])
  }

  @Test(
    "What only tells an app is a warning",
    arguments: Self.unused)
  func hasNoEffect(rest: String) throws {
    let found = try Self.problems(rest)
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.contains("no effect without an app (app: 'none'). [W-NOEFFECT]") == true,
      "\(found)")
  }

  @Test(
    "What can be without an app is no problem",
    arguments: Self.free)
  func isFree(rest: String) throws { #expect(try Self.problems(rest) == []) }

  @Test("Another word is none")
  func isNoWord() {
    let found = CheckTests.sentences("app: 'nothing'")
    #expect(found.count == 1)
    #expect(
      found.first?.contains("must be one of") == true || found.first?.contains("'none'") == true)
  }

  @Test("Expectations of another variant are not this one's")
  func variants() throws {
    let (plan, built) = try Self.build(
      """
      { format: 'loopsim/1', \(Self.body), clock: { duration: '3h' },
        events: [{ at: '01:00', meal: { grams: 20 } }],
        expect: [{ metric: 'loopsFailed', max: 3, variants: ['loop'] }],
        variants: { open: { app: 'none' }, loop: { app: { dosing: 'automaticBolus' } } } }
      """)
    #expect(plan.variantNames == ["open", "loop"])
    #expect(built.map(\.setup.hasApp) == [false, true])
    #expect(built.map(\.expectations.count) == [0, 1])
  }

  @Test("It is inherited, and an object in its place is an app again")
  func inherits() throws {
    let files = [
      "base.json5": "{ format: 'loopsim/1', \(Self.body), app: 'none' }",
      "a.json5": "{ format: 'loopsim/1', extends: 'base.json5' }",
      "b.json5": "{ format: 'loopsim/1', extends: 'base.json5', app: { closedLoop: false } }",
      "c.json5": "{ format: 'loopsim/1', extends: 'base.json5', app: { $remove: true } }",
    ]
    for (file, hasApp) in [("a", false), ("b", true), ("c", true)] {
      let (plan, sentences) = CheckTests.check(files, "\(file).json5")
      #expect(sentences == [])
      let problems = ProblemList()
      let built = RunBuilder.build(try #require(plan).run(at: 0), problems: problems)
      #expect(built?.setup.hasApp == hasApp, "\(problems.sorted)")
    }
  }

  @Test("Results hold what there is without an app")
  func results() throws {
    let (_, built) = try Self.build("{ format: 'loopsim/1', \(Self.body), app: 'none' }")
    #expect(built[0].output.files == [.timeline, .happenings, .ledger, .doses, .pulses])
  }

  // MARK: - Equality

  /// A day drawn from a seed, the same for every value of `app`.
  private static func day(_ seed: UInt64, app: String) -> String {
    var mixer = Mixer(state: seed)
    func moment() -> String { "'+\(1 + mixer.below(20 * 60))m'" }
    var events: [String] = []
    for _ in 0..<(3 + mixer.below(8)) {
      let kind =
        switch mixer.below(10) {
        case 0, 1, 2: "meal: { grams: \(5 + mixer.below(80)) }"
        case 3: "injection: { units: \(1 + mixer.below(6)) }"
        case 4: "bolus: { units: \(Double(mixer.below(40)) / 10), by: 'pump' }"
        case 5: "bolus: { calculator: { grams: 30, insulinOnBoard: false }, by: 'pump' }"
        case 6: "exercise: { duration: '40m', intensity: 'high' }"
        case 7: "basal: { rate: \(Double(mixer.below(40)) / 20), duration: '90m' }"
        case 8: "suspend: { duration: '35m' }"
        default: "cgm: { replace: true }"
        }
      events.append("{ at: \(moment()), \(kind) }")
    }
    let faults = [
      "pump: { occlusion: { duration: '1h' } }", "pump: { leak: {} }", "cgm: { dropout: {} }",
      "pump: { scatter: {} }", "cgm: { delay: { by: '12m' } }",
      "pump: { unrequested: { units: 1 } }",
    ]
    let chosen = (0..<mixer.below(4)).map { _ in
      "{ at: \(moment()), \(faults[mixer.below(faults.count)]) }"
    }
    return """
      { format: 'loopsim/1', random: { seed: \(seed) },
        clock: { start: '2026-03-28T18:00:00', timeZone: 'Europe/Berlin', duration: '22h',
          preRoll: '\(mixer.below(3))h' },
        patient: { model: 'uva-padova-s2013', name: 'adult#00\(1 + mixer.below(9))' },
        cgm: { model: '\(["ideal", "ar1"][mixer.below(2)])' },
        pump: { model: '\(["generic50", "continuous", "omnipodDASH"][mixer.below(3)])' },
        behaviour: {
          meals: [{ window: ['07:00', '09:00'], grams: { uniform: [20, 60] } }],
          rescue: { below: 75, grams: 15, delay: '5m' } },
        app: \(app), events: [\(events.joined(separator: ",\n  "))],
        faults: [\(chosen.joined(separator: ",\n  "))] }
      """
  }

  @Test(
    "The body has the day that it has with the app in open loop",
    arguments: 1...Extent.of(1, whole: 24) as ClosedRange<UInt64>)
  func isTheSameDay(seed: UInt64) throws {
    let with = Self.lived(
      try Self.build(Self.day(seed, app: "{ closedLoop: false }")).built[0].setup)
    let without = Self.lived(try Self.build(Self.day(seed, app: "'none'")).built[0].setup)
    #expect(with.pulses == without.pulses)
    #expect(with.trace.rows.map(\.trueGlucose) == without.trace.rows.map(\.trueGlucose))
    #expect(with.trace.rows.map(\.reading) == without.trace.rows.map(\.reading))
    #expect(with.trace.rows.map(\.bodyInsulin) == without.trace.rows.map(\.bodyInsulin))
    #expect(with.ledger == without.ledger)
    #expect(with.reactions == without.reactions)
    #expect(without.violations.isEmpty)
    #expect(without.agreement.records == [.body, .pump])
  }

  @Test("A frozen run has no app, and is the run itself")
  func freezes() throws {
    let (plan, built) = try Self.build(Self.day(5, app: "'none'"))
    let run = Self.lived(built[0].setup)
    let frozen = FrozenScenario(plan.run(at: 0), built: built[0], result: run)
    #expect(frozen.text.contains("app: 'none'"))
    #expect(frozen.omissions == [])
    let again = Self.lived(try Self.build(frozen.text).built[0].setup)
    #expect(again.pulses == run.pulses)
    #expect(again.trace.rows == run.trace.rows)
    #expect(again.digest == run.digest)
  }
}
