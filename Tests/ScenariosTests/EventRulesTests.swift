import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@Suite("Keys of one event or fault")
struct EventRulesTests {
  /// What a body without a table of its own truly needs.
  private static let needs =
    "needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] }"

  @Test("A condition that is no comparison is told once, with how one is written")
  func conditions() {
    let text = """
      { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [{ at: '08:00', if: 'glucosecgm < 70', meal: { grams: 5 } }] }
      """
    let (_, sentences) = CheckTests.check(["s.json5": text], "s.json5")
    #expect(
      sentences == [
        "s.json5:2:31: error: \"glucosecgm < 70\" is no comparison. Write one such as "
          + "'glucose.cgm < 70', with blanks around <, <=, > or >=, of glucose.true, glucose.cgm, "
          + "iob.app, iob.true, cob.app. Did you mean \"glucose.cgm\"?"
      ])
  }

  @Test("A number in a condition is one in decimal")
  func decimalNumbers() {
    func errors(_ number: String) -> [String] {
      CheckTests.sentences(
        "events: [{ at: '08:00', if: 'glucose.cgm < \(number)', meal: { grams: 5 } }]"
      ).filter { $0.contains("error: ") }
    }
    #expect(errors("70") == [])
    #expect(errors("0x46").count == 1, "\(errors("0x46"))")
  }

  @Test(
    "A second thing in one event is an error, for one of the two would be left out",
    arguments: [
      (
        "pump: { replace: {}, prime: 2 }",
        "What is done to the pump is one thing; it cannot be \"replace\" and \"prime\"."
      ),
      ("pump: { remove: true, attach: true }", "it cannot be \"remove\" and \"attach\"."),
      ("pump: { setTime: true, clearAlarm: true }", "it cannot be \"setTime\" and \"clearAlarm\"."),
      ("cgm: { calibrate: 100, replace: true }", "it cannot be \"calibrate\" and \"replace\"."),
      (
        "healthStore: { write: { glucose: 100, carbs: 20 } }",
        "What is written is one thing; it cannot be \"glucose\" and \"carbs\"."
      ),
      ("healthStore: {}", "Say what happens: write, revoke, grant or restore."),
      (
        "delete: { from: 'both', match: { all: true, last: 2 } }",
        "All that match are deleted, or the last of them; remove \"last\" or \"all\"."
      ),
      (
        "fingerstick: { value: 100, error: 10 }",
        "A meter shows a \"value\", or the truth with an \"error\"; remove one of them."
      ),
      (
        "exercise: { duration: '1h', mets: 4, heartRate: 120 }",
        "Exercise has a \"heartRate\" or \"mets\"; remove one of them."
      ),
      (
        "meal: { grams: 30 }, entry: { edits: [{ at: '+1h', delete: true, grams: 10 }] }",
        "An entry that is deleted has no \"grams\" any more."
      ),
      (
        "meal: { grams: 30 }, entry: { edits: [{ at: '+1h' }] }",
        "Say what is changed: grams, absorption, eatenAt, or delete: true."
      ),
    ])
  func oneThing(event: String, sentence: String) {
    let found = CheckTests.sentences("events: [{ at: '02:00', \(event) }]")
    #expect(found.contains { $0.contains("error: ") && $0.contains(sentence) }, "\(found)")
  }

  /// The chains of a minimal model have a meal of 30 minutes taken up within 30 minutes.
  @Test(
    "How long a meal takes that no app is told of has an effect in the body's minimal models",
    arguments: [
      ("'ivp', name: 'ivp#004'", true), ("'bergman'", true),
      ("'tidepool-simple', \(Self.needs)", true), ("'hovorka'", false),
      ("'uva-padova-s2008', name: 'adult#001'", false),
      ("'uva-padova-s2013', name: 'adult#001'", false),
    ])
  func absorption(model: String, hasEffect: Bool) {
    func check(_ rest: String, _ entry: String) -> [String] {
      let text = """
        { format: 'loopsim/1', id: 'snack', \(rest) patient: { model: \(model) },
          clock: { duration: '8h' },
          therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]],
            carbRatio: [['00:00', 10]] },
          events: [{ at: '02:00', meal: { grams: 30, absorption: '30m' }\(entry) }] }
        """
      let problems = ProblemList()
      var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
      _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      return problems.sorted.map(\.description)
    }
    let idle = "\"absorption\" has no effect"
    for found in [check("", ", entry: false"), check("app: 'none',", "")] {
      #expect(!found.contains { $0.contains("error: ") }, "\(found)")
      #expect(found.contains { $0.contains(idle) } == !hasEffect, "\(found)")
    }
  }

  @Test(
    "A key that changes nothing beside the others is told",
    arguments: [
      (
        "events: [{ at: '02:00', healthStore: { write: { glucose: 100, duration: '1h' } } }]",
        "\"duration\" has no effect: only a basal segment has a length."
      ),
      (
        "events: [{ at: '02:00', preset: false, duration: '1h' }]",
        "\"duration\" has no effect: a preset ends here, and none begins."
      ),
      (
        "events: [{ at: '02:00', meal: { grams: 30, absorption: '1h' }, entry: false }]",
        "\"absorption\" has no effect: the model uva-padova-s2008 knows itself"
      ),
      (
        "events: [{ at: '02:00', remote: { override: false, code: 'wrong' } }]",
        "\"code\" has no effect: the app asks for one with boluses and carbohydrates alone."
      ),
      (
        "cgm: { model: 'trace', trace: [['00:10', 120]], startedAt: '00:00' }",
        "startedAt has no effect: recorded readings are shown unchanged."
      ),
      (
        "faults: [{ at: '02:00', cgm: { timestamp: { shift: '3m', duplicate: true } } }]",
        "\"shift\" moves no stamp but that of a sensor's first reading beside duplicate: true"
      ),
      (
        "faults: [{ during: ['02:00', '1h'], cgm: { bias: {} } }]",
        "This fault changes nothing: say \"gain\" or \"offset\"."
      ),
      (
        "faults: [{ during: ['02:00', '1h'], pump: { scale: {} } }]",
        "This fault changes nothing: say \"basal\" or \"bolus\"."
      ),
      (
        "pump: { model: 'continuous' }, faults: [{ during: ['02:00', '1h'], pump: { scale: {} } }]",
        "This fault changes nothing but that the pump feeds the body by pulses: say \"basal\" or "
          + "\"bolus\"."
      ),
      (
        "pump: { model: 'continuous' }, "
          + "faults: [{ during: ['02:00', '1h'], pump: { leak: { fraction: 0 } } }]",
        "This fault changes nothing but that the pump feeds the body by pulses: nothing runs out."
      ),
      (
        "faults: [{ during: ['02:00', '1h'], cgm: { noise: { sdScale: 2, phi: 0.5 } } }]",
        "\"phi\" has no effect without \"sd\", whose correlation it is."
      ),
      (
        "faults: [{ during: ['02:00', '1h'], pump: { commLoss: { latency: '9m' } } }]",
        "\"latency\" has no effect without commands: 'late'."
      ),
      (
        "faults: [{ at: '02:00', pump: { occlusion: { alarmAfter: '9m', missedUnits: 2 } } }]",
        "\"missedUnits\" has no effect beside \"alarmAfter\"."
      ),
      (
        "faults: [{ at: '02:00', pump: { occlusion: { alarmAfter: '11m' } } }]",
        "This alarm never comes: the occlusion is over after 10m, and with \"alarmAfter\" the pump "
          + "notices nothing sooner. Say a longer \"duration\"."
      ),
      (
        "faults: [{ every: { mean: '1h' }, "
          + "pump: { occlusion: { alarmAfter: '2h', duration: ['30m', '1h'] } } }]",
        "This alarm never comes: the occlusion is over after 1h, and with \"alarmAfter\" the pump "
          + "notices nothing sooner. Say a longer \"duration\"."
      ),
      (
        "faults: [{ during: ['02:00', '1h'], user: { misestimate: {} } }]",
        "This fault changes nothing: say \"bias\" or \"sd\"."
      ),
      (
        "faults: [{ at: '02:00', cgm: { noise: { sdScale: 3 } } }]",
        "\"sdScale\" has no effect: the model 'ideal' has no noise of its own."
      ),
      (
        """
        cgm: { model: 'trace', trace: [['00:10', 120]] }, \
        faults: [{ at: '02:00', cgm: { noise: { sdScale: 3, sd: 2 } } }]
        """, "\"sdScale\" has no effect: the model 'trace' has no noise of its own."
      ),
      (
        "faults: [{ at: '02:00', pump: { dropPulses: {} } }]",
        """
        This fault changes nothing: the Generic 0.05 U pump forgets the fraction of a pulse at \
        every command by itself. Only pump.residual: 'carry' has something to forget.
        """
      ),
    ])
  func noEffect(body: String, sentence: String) {
    let found = CheckTests.sentences(body)
    #expect(
      found.contains { $0.contains(sentence) && $0.hasSuffix("[W-NOEFFECT]") }, "\(found)")
  }

  @Test(
    "A fault whose values change nothing is told",
    arguments: [
      ("pump: { occlusion: { deliveredFraction: 1 } }", "all insulin gets through"),
      (
        "pump: { occlusion: { deliveredFraction: 1, leak: 0, missedUnits: 2 } }",
        "all insulin gets through"
      ),
      ("pump: { leak: { fraction: 0 } }", "nothing runs out"),
      ("pump: { siteFailure: { fraction: 1 } }", "the site takes up all insulin"),
      ("pump: { scale: { bolus: 1 } }", "both factors are 1"),
      ("pump: { scatter: { sd: 0 } }", "no pulse varies"),
      ("pump: { airBubble: { units: 0 } }", "it is of 0 U"),
      ("pump: { unrequested: { units: 0 } }", "it is of 0 U"),
      ("pump: { clockError: { by: '0s' } }", "the clock stays right"),
      ("cgm: { noise: { sdScale: 1 } }", "the noise is the sensor's own"),
      ("cgm: { bias: { gain: 1, offset: 0 } }", "readings stay as they are"),
      ("cgm: { drift: { offsetPerDay: 0 } }", "readings stay as they are"),
      ("cgm: { compression: { depth: 0 } }", "readings stay as they are"),
      ("cgm: { spike: { delta: 0 } }", "readings stay as they are"),
      ("cgm: { timestamp: { shift: '0s' } }", "stamps stay as they are"),
      ("app: { clockJump: '0s' }", "the clock stays right"),
      ("app: { corrupt: { target: 'iob', mode: 'add', value: 0 } }", "the value stays as it is"),
      ("app: { corrupt: { target: 'iob', mode: 'scale', value: 1 } }", "the value stays as it is"),
      ("healthStore: { writeFail: { rate: 0 } }", "its \"rate\" is 0"),
      ("healthStore: { conflict: { rate: 0 } }", "its \"rate\" is 0"),
      ("pump: { reject: { what: [] } }", "it names no command"),
      ("healthStore: { lateSync: { scope: [] } }", "its \"scope\" names no data"),
      ("healthStore: { conflict: { scope: [], factor: 1 } }", "its \"scope\" names no data"),
    ])
  func changesNothing(fault: String, reason: String) {
    let found = CheckTests.sentences("cgm: { model: 'ar1' }, faults: [{ at: '02:00', \(fault) }]")
    #expect(
      found.count == 1 && found[0].contains("This fault changes nothing: \(reason).")
        && found[0].hasSuffix("[W-NOEFFECT]"), "\(found)")
  }

  @Test("A temp basal is held against the highest maximum that its app has at some time")
  func maximumBasal() throws {
    func isRefused(_ rest: String = "", after event: String = "") throws -> Bool {
      let text = """
        { format: 'loopsim/1', \(CheckTests.patient), therapy: { maxBasal: 3 }, \(rest)
          events: [\(event) { at: '03:00', basal: { rate: 4, duration: '30m' } }] }
        """
      let problems = ProblemList()
      var reader = ScenarioReader(files: MemoryFiles(["a.json5": text]))
      let plan = try #require(ScenarioCheck.plan("a.json5", reader: &reader, problems: problems))
      _ = RunBuilder.build(plan.run(at: 0), problems: problems)
      return problems.sorted.contains {
        $0.sentence.contains("is above the maximum basal rate of 3.00 U/h.")
      }
    }
    #expect(try isRefused())
    #expect(try isRefused(after: "{ at: '02:00', settings: { maxBasal: 2 } },"))
    #expect(try !isRefused(after: "{ at: '02:00', settings: { maxBasal: 5 } },"))
    #expect(try !isRefused("app: 'none',"))
  }

  @Test("A bolus of which nothing is taken is told", arguments: ["scale", "cap"])
  func nothingTaken(key: String) {
    for amount in ["take: 'recommended'", "calculator: { grams: 30 }"] {
      let found = CheckTests.sentences("events: [{ at: '02:00', bolus: { \(amount), \(key): 0 } }]")
      #expect(
        found.count == 1
          && found[0].contains("Nothing is taken of this bolus: \"\(key)\" is 0. [W-NOEFFECT]"),
        "\(found)")
    }
  }

  @Test("Permissions for no data, given or taken, are told", arguments: ["grant", "revoke"])
  func noPermission(key: String) {
    let found = CheckTests.sentences("events: [{ at: '02:00', healthStore: { \(key): [] } }]")
    #expect(
      found.count == 1
        && found[0].contains("This changes nothing: \"\(key)\" names no data. [W-NOEFFECT]"),
      "\(found)")
  }

  @Test("Copies that contradict nothing are told as such, and not as if they changed nothing")
  func contradictsNothing() {
    let found = CheckTests.sentences(
      "faults: [{ at: '02:00', healthStore: { conflict: { factor: 1 } } }]")
    #expect(
      found.count == 1
        && found[0].contains(
          "This fault contradicts nothing: the other source writes what the app writes, as in "
            + "\"duplicate\". [W-NOEFFECT]"),
      "\(found)")
  }

  @Test("A fault that never comes, or a slip that nobody makes, is told")
  func neverComes() {
    for fault in [
      "at: '02:00', probability: 0, pump: { leak: {} }", "probability: 0, user: { miss: {} }",
      "user: { late: { probability: 0 } }",
    ] {
      let found = CheckTests.sentences("faults: [{ \(fault) }]")
      #expect(
        found.count == 1 && found[0].contains("This fault never comes: its \"probability\" is 0."),
        "\(found)")
    }
  }

  @Test("One point of a sweep may be the world without the fault")
  func neutralPoints() {
    for (path, fault) in [
      ("faults[0].pump.leak.fraction", "at: '02:00', pump: { leak: { fraction: 0.2 } }"),
      ("faults[0].probability", "at: '02:00', pump: { leak: {} }"),
      ("faults[0].user.miss.probability", "user: { miss: {} }"),
    ] {
      let found = CheckTests.sentences(
        "faults: [{ \(fault) }], sweep: { '\(path)': [0, 0.5, 1] }")
      #expect(found == [])
    }
  }

  @Test(
    "What has an effect is not warned of",
    arguments: [
      "events: [{ at: '02:00', meal: { grams: 30, absorption: '1h' } }]",
      "events: [{ at: '02:00', healthStore: { write: { basal: 1, duration: '1h' } } }]",
      "events: [{ at: '02:00', healthStore: { revoke: 'carbs', grant: 'glucose' } }]",
      "faults: [{ during: ['02:00', '1h'], cgm: { bias: { gain: 0.9, offset: 0 } } }]",
      "faults: [{ at: '02:00', pump: { occlusion: { deliveredFraction: 1, leak: 0.1 } } }]",
      "faults: [{ at: '02:00', pump: { occlusion: { deliveredFraction: 1, alarmAfter: '9m' } } }]",
      "faults: [{ at: '02:00', pump: { occlusion: { alarmAfter: '2h', duration: ['1h','3h'] } } }]",
      "faults: [{ at: '02:00', pump: { occlusion: { deliveredFraction: 1, missedUnits: 0 } } }]",
      "faults: [{ at: '02:00', healthStore: { conflict: { factor: 0 } } }]",
      "faults: [{ at: '02:00', healthStore: { duplicate: { rate: 0.5 } } }]",
      "faults: [{ user: { misestimate: { sd: 0.2 } } }]",
      "cgm: { model: 'ar1' }, faults: [{ at: '02:00', cgm: { noise: { sdScale: 3 } } }]",
      "faults: [{ at: '02:00', cgm: { noise: { sd: 3 } } }]",
      "pump: { residual: 'carry' }, faults: [{ at: '02:00', pump: { dropPulses: {} } }]",
      "faults: [{ at: '02:00', pump: { commLoss: { commands: 'late', latency: '9m' } } }]",
    ])
  func silent(body: String) { #expect(CheckTests.sentences(body) == []) }

  @Test("Permissions of several kinds each keep their own direction")
  func directions() throws {
    let text = """
      { format: 'loopsim/1', \(CheckTests.patient), clock: { duration: '1h' }, events: [
        { at: '+10m', healthStore: { revoke: ['glucose.read', 'carbs.write', 'insulin'] } }] }
      """
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["a.json5": text]))
    let plan = try #require(ScenarioCheck.plan("a.json5", reader: &reader, problems: problems))
    let built = try #require(
      RunBuilder.build(plan.run(at: 0), problems: problems), "\(problems.sorted)")
    let changes = built.setup.events.compactMap { event -> HealthStoreAccess? in
      if case .authorize(let access) = event.action { access } else { nil }
    }
    #expect(
      changes == [
        HealthStoreAccess(data: [.glucose], directions: [.read], isGranted: false),
        HealthStoreAccess(data: [.carbs], directions: [.write], isGranted: false),
        HealthStoreAccess(data: [.insulin], directions: [.read, .write], isGranted: false),
      ])
  }

  @Test("What is changed in a carb entry is what is told of the change")
  func carbEdits() throws {
    let run = try RecordCauseTests.run(
      """
      events: [{ at: '01:00', id: 'b', meal: { grams: 50 }, entry: { edits: [
        { at: '+10m', grams: 40 }, { at: '+20m', eatenAt: '+15m' },
        { at: '+30m', absorption: '5h' }] } }]
      """)
    let texts = run.trace.happenings.map(\.text).filter { $0.contains("entry is changed") }
    #expect(
      texts == [
        "The carb entry is changed to 40 g.",
        "The carb entry is changed to be eaten at 01:15:00.",
        "The carb entry is changed to be absorbed over 5h.",
      ])
  }

  @Test("A temp basal that ends because the schedule is edited says so in words")
  func scheduleEdited() throws {
    let run = try RecordCauseTests.run(
      """
      events: [{ at: '01:00', closedLoop: false },
        { at: '01:10', basal: { rate: 2, duration: '1h' } },
        { at: '01:30', settings: { basal: [['00:00', 0.9]] } }]
      """)
    let texts = run.trace.happenings.map(\.text)
    #expect(texts.contains { $0.hasPrefix("The temp basal ends (the schedule was edited).") })
  }
}
