import Devices
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

/// A person replaces reservoir, pod and sensor in time, unless the scenario says otherwise.
@Suite("Supplies")
struct SuppliesTests {
  private static func text(_ rest: String, days: Int = 7, basal: Double = 1) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '\(days)d', loopEvery: '1h' },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', \(basal)]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, \(rest) }
    """
  }

  private static func replacements(_ result: RunResult, _ kind: Happening.Kind) -> [TimeSpan] {
    result.trace.happenings.filter { $0.kind == kind && $0.name == "supplies" }
      .map { $0.instant - result.start }
  }

  private static func warnings(_ text: String) -> [String] {
    BehaviourFixture.attempt(text).1
  }

  @Test("A pod is replaced at the age of its advisory, and insulin goes on")
  func pod() throws {
    let days = Extent.of(4, whole: 7)
    let result = try BehaviourFixture.result(
      Self.text("pump: { model: 'omnipodDASH' }", days: days))
    // Each pod is put on a second after the person sees that it is due, and they look every hour.
    #expect(
      Self.replacements(result, .pump)
        == Extent.of([.hours(72)], whole: [.hours(72), .hours(145)]),
      "\(Self.replacements(result, .pump))")
    #expect(result.happenings(.alert, of: "expired").isEmpty)
    let last = try #require(result.trace.rows.last)
    #expect(last.instant == result.start + .days(Int64(days)))
    #expect((last.trueGlucose.mgdL - 110).magnitude < 5)
  }

  @Test("With supplies: 'none' a pod stops at 80 hours, and the check says so")
  func none() throws {
    let days = Extent.of(4, whole: 7)
    let text = Self.text("pump: { model: 'omnipodDASH' }, supplies: 'none'", days: days)
    let result = try BehaviourFixture.result(text)
    #expect(Self.replacements(result, .pump).isEmpty)
    let stopped = try #require(result.happenings(.alert, of: "expired").first)
    #expect(stopped.instant == result.start + .hours(80))
    let warnings = Self.warnings(text)
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.contains(
        "The Omnipod DASH stops after 80h and is worn for \(24 * days)h. Replace it in time")
        == true)
    #expect(Self.warnings(Self.text("pump: { model: 'omnipodDASH' }")) == [])
  }

  @Test("What to write is a new pod where nothing can be filled again")
  func remedy() {
    for (pump, remedy) in [
      ("omnipodDASH", "pump: { replace: {} }"), ("generic50", "pump: { refill: 200 }"),
    ] {
      let text = Self.text(
        "pump: { model: '\(pump)', reservoir: 20 }, supplies: 'none'", days: 1, basal: 2)
      let warnings = Self.warnings(text)
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("{ at: …, \(remedy) }") == true, "\(warnings)")
    }
  }

  @Test("A reservoir is replaced before it is empty, and every unit is accounted for")
  func reservoir() throws {
    let result = try BehaviourFixture.result(
      Self.text("", days: Extent.of(3, whole: 10), basal: Extent.of(3, whole: 1.5)))
    // 200 U at 1.5 U/h: 20 U are left after 120 hours; at 3 U/h after 60.
    let due = TimeSpan.hours(Extent.of(60, whole: 120))
    let found = Self.replacements(result, .pump)
    #expect(found.count == 1)
    #expect((found.first.map { $0 - due } ?? .days(9)).seconds.magnitude < 600)
    #expect(result.happenings(.alert, of: "reservoir empty").isEmpty)
    #expect(result.ledger.checkConservation() == nil)
  }

  @Test("The check tells of a reservoir that its use empties, with basal and boluses counted")
  func expectedUse() {
    let meals = """
      supplies: 'none',
      events: [{ at: { daily: '12:00' }, meal: { grams: 100 } },
        { at: { daily: '12:00' }, bolus: { take: 'recommended' } }]
      """
    // 24 U of basal and 10 U for the meal each day: 238 U in a week.
    let warnings = Self.warnings(Self.text(meals))
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("holds 200.00 U and is expected to give 238 U") == true)
    #expect(Self.warnings(Self.text("supplies: 'none'")) == [])
  }

  @Test("While delivery is suspended the schedule takes nothing from the reservoir")
  func suspended() {
    func warnings(_ resume: String) -> [String] {
      Self.warnings(
        Self.text(
          """
          pump: { reservoir: 20 }, supplies: 'none',
          events: [{ at: '01:00', suspend: {} }, { at: '\(resume)', resume: {} }]
          """, days: 1, basal: 2))
    }
    // 2 U and 2 U at 2 U/h, or 2 U and 44 U.
    #expect(warnings("23:00") == [])
    #expect(warnings("02:00").first?.contains("expected to give 46 U") == true)
  }

  @Test("The end of a suspension whose place another has taken resumes nothing")
  func replacedSuspension() {
    func warnings(_ events: String) -> [String] {
      Self.warnings(
        Self.text(
          "pump: { reservoir: 10 }, supplies: 'none', events: [\(events)]", days: 1, basal: 2))
    }
    let first = "{ at: '01:00', suspend: { duration: '1h' } }"
    // 2 U; or 2 U before the one hour and 44 U after it.
    #expect(warnings("\(first), { at: '01:30', suspend: {} }") == [])
    #expect(warnings(first).first?.contains("expected to give 46 U") == true)
    // 2 U, half an hour of 1 U, and 43 U from 02:30 on.
    #expect(
      warnings(
        "\(first), { at: '01:15', resume: {} }, { at: '01:45', suspend: { duration: '45m' } }"
      ).first?.contains("expected to give 46 U") == true)
    // What waits for a condition is taken not to happen.
    #expect(
      warnings("{ at: '01:00', suspend: {} }, { at: '02:00', resume: {}, if: 'iob.true < 1' }")
        == [])
  }

  @Test("The pod after a suspended one delivers, and another pump's next reservoir does not")
  func suspendedBeforeReplacement() {
    func warnings(_ model: String) -> [String] {
      Self.warnings(
        Self.text(
          """
          pump: { model: '\(model)' }, supplies: 'none',
          events: [{ at: '01:00', suspend: {} },
            { at: '02:00', pump: { replace: { reservoir: 20 } } }]
          """, days: 1, basal: 2))
    }
    // 22 hours at 2 U/h.
    #expect(warnings("omnipodDASH").first?.contains("expected to give 44 U") == true)
    #expect(warnings("generic50") == [])
  }

  @Test("A schedule that is saved later takes its insulin from then on")
  func savedSchedule() {
    func warnings(_ basal: Double, then later: Double) -> [String] {
      Self.warnings(
        Self.text(
          """
          pump: { reservoir: 20 }, supplies: 'none',
          events: [{ at: '04:00', settings: { basal: [['00:00', \(later)]] } }]
          """, days: 1, basal: basal))
    }
    // 8 U and 2 U, or 0.4 U and 40 U.
    #expect(warnings(2, then: 0.1) == [])
    #expect(warnings(0.1, then: 2).first?.contains("expected to give 40 U") == true)
  }

  @Test("A sensor that was stopped is worn no longer, stopped again or replaced")
  func stoppedSensor() {
    for last in ["stop", "replace"] {
      let warnings = Self.warnings(
        Self.text(
          """
          cgm: { model: 'dexcomG6' }, supplies: { cgm: 'none' },
          events: [{ at: 'd2 01:00', cgm: { stop: true } },
            { at: 'd12 01:00', cgm: { \(last): true } }]
          """, days: 14))
      #expect(warnings == [], "\(warnings)")
    }
  }

  @Test("Boluses of the pump's calculator count, also without an app")
  func calculator() {
    func warnings(_ more: String) -> [String] {
      Self.warnings(
        """
        { format: 'loopsim/1', clock: { duration: '7d' }, app: 'none', supplies: 'none',
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          events: [{ at: { daily: '12:00' }, meal: { grams: 100 } },
            { at: { daily: '12:00' },
              bolus: { calculator: { grams: 100 }, by: 'pump'\(more) } }] }
        """)
    }
    // 24 U of basal and 10 U for the meal each day, or 20 U of double the advice, or at most 12.
    for (more, units) in [("", 238), (", scale: 2", 308), (", scale: 2, cap: 12", 252)] {
      let found = warnings(more)
      #expect(found.count == 1, "\(found)")
      #expect(
        found.first?.contains("holds 200.00 U and is expected to give \(units) U") == true,
        "\(found)")
    }
    #expect(warnings(", scale: 0.1") == [])
  }

  @Test(
    "A sensor is replaced at the end of its life, and its warm-up leaves a gap",
    .enabled(if: Extent.isWhole, "It lives for ten days; pod and reservoir stand for it."))
  func sensor() throws {
    let result = try BehaviourFixture.result(
      Self.text("cgm: { model: 'dexcomG6' }", days: 11, basal: 0.5))
    // It was put in two hours before the start, so that it was warm by then.
    #expect(Self.replacements(result, .cgm) == [.days(10) - .hours(2)])
    let replaced = result.start + .days(10) - .hours(2)
    let silent = result.trace.rows.filter {
      $0.reading == nil && $0.instant > replaced && $0.instant <= replaced + .hours(2)
    }
    #expect(silent.count >= 23, "\(silent.count)")
    let none = Self.text(
      "cgm: { model: 'dexcomG6' }, supplies: { cgm: 'none' }", days: 11, basal: 0.5)
    #expect(
      Self.warnings(none).first?.contains("The Dexcom G6 stops after 240h and is worn for 266h")
        == true)
    #expect(Self.replacements(try BehaviourFixture.result(none), .cgm).isEmpty)
  }

  @Test(
    "A device that the scenario looks after is left to it",
    arguments: [
      "events: [{ at: '+70h', pump: { replace: {} } }]",
      "events: [{ at: '+70h', pump: { refill: 100 } }]",
      "faults: [{ at: '+70h', pump: { empty: {} } }]",
    ])
  func explicit(rest: String) throws {
    let (built, _) = BehaviourFixture.attempt(Self.text(rest))
    #expect(
      try #require(built).setup.supplies == Supplies(replacesPump: false, replacesSensor: true))
  }

  @Test("Replacing one's own pod too late is told")
  func late() {
    let rest = "pump: { model: 'omnipodDASH' }, events: [{ at: '+85h', pump: { replace: {} } }]"
    #expect(
      Self.warnings(Self.text(rest)).first?.contains("stops after 80h and is worn for 85h") == true)
  }

  /// In a study a device that comes to its end is refused, not averaged over.
  @Test(
    "A study whose pump or sensor runs out is refused, with patient, day and the event to add",
    arguments: [
      (
        "pump: { model: 'omnipodDASH' }, supplies: 'none'", 7, 1.0,
        "It ends on day 3 of the run, counted from 0",
        "Add { at: { daily: '10:00', days: [2, 4, 6] }, pump: { replace: {} } } to \"events\""
      ),
      (
        "supplies: { pump: 'none' }", 10, 1.5,
        "It ends on day 5 of the run, counted from 0",
        "Add { at: { daily: '10:00', days: [5] }, pump: { refill: 200 } } to \"events\""
      ),
      (
        "cgm: { model: 'dexcomG6' }, supplies: { cgm: 'none' }", 11, 0.5,
        "It ends on day 9 of the run, counted from 0",
        "Add { at: { daily: '10:00', days: [9] }, cgm: { replace: {} } } to \"events\""
      ),
      (
        "pump: { reservoir: 12 }, supplies: { pump: 'none' }", 10, 1.0,
        "It ends on day 0 of the run, counted from 0",
        "Add { at: '+11h', pump: { refill: 200 } }, { at: '+211h', pump: { refill: 200 } } to "
          + "\"events\""
      ),
    ])
  func inAStudy(
    rest: String, days: Int, basal: Double, day: String, remedy: String
  ) throws {
    let study = """
      , cohort: { from: 'p.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
      variants: { a: {}, b: { therapy: { suspendThreshold: 80 } } },
      study: { control: 'a', primary: [{ metric: 'tdd', better: 'lower', superior: true }] }
      """
    func attempt(_ rest: String) -> (BuiltRun?, [String]) {
      let files = [
        "s.json5": Self.text(rest + study, days: days, basal: basal),
        "p.csv": "id,isf\nann,40\nbob,41\ncal,42\ndan,43\neve,44\n",
      ]
      let problems = ProblemList()
      var reader = ScenarioReader(files: MemoryFiles(files))
      let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      let built = plan.flatMap {
        RunBuilder.build(
          $0.run(variant: 1, point: 0, patient: 1, replicate: 0), problems: problems)
      }
      return (built, problems.sorted.filter { $0.severity == .error }.map(\.description))
    }
    let (built, errors) = attempt(rest)
    #expect(built == nil)
    #expect(errors.count == 1, "\(errors)")
    let error = try #require(errors.first)
    #expect(error.hasPrefix("s.json5:"), "\(error)")
    for words in ["Patient \"bob\": ", day, remedy] {
      #expect(error.contains(words), "\(error)")
    }
    // A scenario that expects the alarm is about it.
    let meant = attempt(rest + ", expect: [{ event: { kind: 'alert' } }]")
    #expect(meant.1.isEmpty, "\(meant.1)")
    #expect(attempt("note: 1").1.isEmpty)
  }

  @Test("A reservoir without insulin is warned of as any other that does not last")
  func emptyReservoir() {
    for (pump, amount) in [("reservoir: 0", "0.00"), ("reservoir: 0.05", "0.05")] {
      let warnings = Self.warnings(Self.text("supplies: 'none', pump: { \(pump) }", days: 1))
      #expect(
        warnings.contains {
          $0.contains("holds \(amount) U and is expected to give 24 U before it is replaced.")
        }, "\(warnings)")
    }
    let refill = Self.warnings(
      Self.text("supplies: 'none', events: [{ at: '+1h', pump: { refill: 0 } }]", days: 1))
    #expect(refill.contains { $0.contains("holds 0.00 U") }, "\(refill)")
  }

  @Test("A reservoir gives what the schedule has in the hours of the run, and food takes its ratio")
  func hoursOfTheRun() {
    func warnings(from hour: String, _ events: String) -> [String] {
      Self.warnings(
        """
        { format: 'loopsim/1', clock: { start: '2026-01-15T\(hour):00:00', duration: '6h' },
          pump: { reservoir: 10 }, supplies: 'none', events: [\(events)],
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.1], ['12:00', 10]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 3], ['06:00', 30]] } } }
        """)
    }
    // 0.6 U before noon and 60 U after it; 60 g take 2 U in the morning and 20 U in the night.
    #expect(warnings(from: "00", "") == [])
    #expect(warnings(from: "12", "").first?.contains("expected to give 60 U") == true)
    let meal = "{ at: '+1h', meal: { grams: 60 } }"
    #expect(warnings(from: "06", meal) == [])
    #expect(warnings(from: "00", meal).first?.contains("expected to give 21 U") == true)
  }

  @Test("A bolus of the second at which the reservoir is replaced comes from the new one, whole")
  func bolusAtReplacement() throws {
    let result = try BehaviourFixture.result(
      """
      { format: 'loopsim/1', clock: { duration: '30m' },
        patient: { model: 'tidepool-simple', initialGlucose: 250,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false }, pump: { reservoir: 20 },
        behaviour: { correction: { above: 180 } } }
      """)
    #expect(Self.replacements(result, .pump) == [.zero])
    let bolus = try #require(result.boluses.first)
    #expect(bolus.start == result.start + .seconds(1))
    #expect(bolus.asked > .zero && bolus.delivered == bolus.asked)
    #expect(result.boluses.count == 1)
  }
}
