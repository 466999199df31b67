import ClosedLoop
import Physiology
import Quantities
import RunPlans
import Scenarios
import Simulation
import StructuredText
import Testing

/// What the check tells before a run about what the devices and the app will refuse, and what the
/// results change.
@Suite("What cannot happen")
struct RefusalTests {
  private static func sentences(_ rest: String) -> [String] {
    CheckTests.check(
      [
        "s.json5": """
        { format: 'loopsim/1', clock: { duration: '2d' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001' }, \(rest) }
        """
      ], "s.json5"
    ).1
  }

  private static let percent = """
    pump: { model: 'ypsopump' }, therapy: { basal: [['00:00', 0.9], ['06:00', 0.5]],
      sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] },
    """

  @Test("A pump that runs whole percents of its schedule runs less than some rates, or none")
  func percentages() {
    func said(_ rate: Double) -> [String] {
      Self.sentences(
        "\(Self.percent) events: [{ at: '07:00', basal: { rate: \(rate), duration: '30m' } }]")
    }
    // 0.8 is 160 % of 0.5, and 88.9 % of 0.9, of which 88 % is 0.792.
    #expect(
      said(0.8) == [
        "s.json5:3:102: note: The mylife YpsoPump runs temp basals in whole percents of the "
          + "schedule, at most 500 %: 0.80 U/h becomes 0.792 U/h beside a schedule of 0.90 U/h. "
          + "It follows the schedule while it runs."
      ])
    // 50 % and 90 %. 4 is 800 % of 0.5, and 444.4 % of 0.9; 4.6 is more than 500 % of both.
    #expect(said(0.45) == [])
    #expect(
      said(4) == [
        "s.json5:3:102: note: The mylife YpsoPump runs temp basals in whole percents of the "
          + "schedule, at most 500 %: 4.00 U/h is refused beside a schedule of 0.50 U/h, becomes "
          + "3.996 U/h beside a schedule of 0.90 U/h. It follows the schedule while it runs."
      ])
    #expect(
      said(4.6) == [
        "s.json5:3:102: warning: The mylife YpsoPump refuses a temp basal of 4.60 U/h: it runs at "
          + "most 500 % of the schedule. [W-REFUSED]"
      ])
  }

  @Test("A maximum that a pump in percent reaches beside no rate of its schedule is told")
  func maximumOfPercents() {
    func said(_ maximum: Double) -> [String] {
      Self.sentences(
        Self.percent.replacing("therapy: {", with: "therapy: { maxBasal: \(maximum),"))
    }
    // 500 % of 0.9 U/h.
    #expect(said(4.5) == [])
    #expect(
      said(4.6).map { $0.drop { $0 != " " } } == [
        " warning: The mylife YpsoPump runs temp basals of at most 500 % of the schedule, so that "
          + "the app's go up to 4.50 U/h and never to maxBasal (4.6 U/h). [W-LIMITS]"
      ])
  }

  @Test("A rate that is out of all range is told as such, whatever the pump makes of percents")
  func absurdRates() {
    let absurd = Self.percent.replacing("0.9]", with: "1e300]")
    let event = "events: [{ at: '07:00', basal: { rate: 0.8, duration: '30m' } }]"
    #expect(
      Self.sentences("\(absurd) \(event)").contains {
        $0.contains("error:") && $0.contains("must be a number from 0 to 35 (U/h), not 1e+300.")
      })
  }

  @Test("A schedule that the pump cannot run is told once, where it stands")
  func tellsOnce() {
    let therapy = "sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]]"
    #expect(
      Self.sentences("therapy: { basal: [['00:00', 0.91]], \(therapy) }") == [
        "s.json5:2:91: error: A scheduled rate of 0.91 U/h is not what the Generic 0.05 U pump can "
          + "do: steps of 0.05 U/h from 0.00 U/h."
      ])
    #expect(
      Self.sentences(
        "pump: { model: 'omnipodDASH' }, "
          + "therapy: { basal: [['00:00', 0.9], ['00:15', 1]], \(therapy) }") == [
          "s.json5:2:130: error: The Omnipod DASH changes its rate only every 30m of the day."
        ])
  }

  @Test(
    "The check warns of it",
    arguments: [
      (
        "events: [{ at: '07:00', basal: { rate: 0, duration: '35m' } }]",
        "refuses a temp basal of 35m; it takes 30m to 12h in steps of 30m"
      ),
      (
        "history: { doses: [{ at: '-2h', basal: 1, duration: '40m' }] }",
        "refuses a temp basal of 40m; it takes 30m to 12h in steps of 30m"
      ),
      (
        "history: { doses: [{ at: '-2h', basal: 1.07, duration: '30m' }] }",
        "A temp basal of 1.07 U/h is not what the Generic 0.05 U pump can do"
      ),
      (
        "history: { doses: [{ at: '-2h', bolus: 1.07 }] }",
        "gives boluses in steps of 0.05 U: 1.05 U of the 1.07 U are given."
      ),
      (
        "pump: { model: 'omnipodDASH' }, therapy: { maxBolus: 40 }, "
          + "events: [{ at: '07:00', bolus: { units: 31 } }]",
        "The Omnipod DASH gives no bolus above 30.00 U; the rest is not given."
      ),
      (
        "pump: { model: 'omnipodDASH' }, history: { doses: [{ at: '-2h', bolus: 31 }] }",
        "The Omnipod DASH gives no bolus above 30.00 U; the rest is not given."
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 300 } }]",
        "The app refuses an entry of 300 g; it takes at most 250 g."
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 30 }, entry: { grams: 0 } }]",
        "The app refuses an entry of 0 g."
      ),
      (
        "events: [{ at: '07:00', remote: { carbs: 0 } }]", "The app refuses an entry of 0 g."
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 30 }, "
          + "entry: { at: '+10m', edits: [{ at: '+5m', grams: 20 }] } }]",
        "There is no entry to change: it is typed later."
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 30 }, "
          + "entry: { edits: [{ at: '+5m', delete: true }, { at: '+9m', grams: 20 }] } }]",
        "There is no entry to change: it is deleted before."
      ),
      (
        "events: [{ at: '07:00', entry: { grams: 20, absorption: '12h' } }]",
        "The app refuses an absorption time of 12h; it takes 30m to 8h."
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 20, absorption: '10m' } }]",
        "The app refuses an absorption time of 10m"
      ),
      (
        "events: [{ at: '07:00', remote: { bolus: 12 } }]",
        "The app refuses a remote bolus above maxBolus (10 U)."
      ),
      (
        "therapy: { maxBolus: 2 }, events: [{ at: '06:00', settings: { maxBolus: 8 } }, "
          + "{ at: '07:00', remote: { bolus: 9 } }]",
        "The app refuses a remote bolus above maxBolus (8 U)."
      ),
      (
        "events: [{ at: '07:00', remote: { bolus: 0 } }]",
        "The app refuses a remote bolus of 0 U."
      ),
      (
        "events: [{ at: '07:00', remote: { override: 'run', duration: '25h' } }], "
          + "therapy: { presets: { run: {} } }",
        "The app refuses a preset from afar for 1d1h; it takes at most 1d."
      ),
      (
        "events: [{ at: '07:00', remote: { override: 'runing' } }], "
          + "therapy: { presets: { running: {} } }",
        "there is no preset \"runing\" in therapy.presets. Did you mean \"running\"?"
      ),
      (
        "events: [{ at: { daily: '07:00', days: [1, 50] }, meal: { grams: 20 } }]",
        "Day 50 never comes: the run has the days 0 to 2."
      ),
      (
        "behaviour: { meals: [{ window: ['07:00', '08:00'], days: [3], grams: 20 }] }",
        "Day 3 never comes"
      ),
    ])
  func warnings(rest: String, sentence: String) {
    let found = Self.sentences(rest)
    #expect(found.contains { $0.contains(sentence) }, "\(found)")
  }

  @Test(
    "Nothing is said of what is done, not entered, or expected to be refused",
    arguments: [
      "events: [{ at: '07:00', basal: { rate: 0, duration: '1h' } }]",
      "history: { doses: [{ at: '-2h', bolus: 1.07, insulin: 'fiasp' }] }",
      "events: [{ at: '07:00', meal: { grams: 300 }, entry: false }]",
      "events: [{ at: '07:00', meal: { grams: 300 }, entry: { grams: 250 } }]",
      "events: [{ at: '07:00', meal: { grams: 300 } }], "
        + "expect: [{ id: 'refused', event: { kind: 'warning' }, count: 1 }]",
      "events: [{ at: { daily: '07:00', days: [0, 1, 2] }, meal: { grams: 20 } }]",
    ])
  func silence(rest: String) {
    #expect(Self.sentences(rest) == [])
  }

  @Test("A share of 0.7 where percent are meant is told")
  func percent() throws {
    func sentences(_ bound: String, of metric: String = "tir(70,180)") -> [String] {
      let text = BehaviourFixture.text(
        "expect: [{ id: 'x', metric: '\(metric)', \(bound) }]", days: 1)
      return BehaviourFixture.attempt(text).1
    }
    #expect(
      sentences("min: 0.7").first?.contains("is in percent, so that 0.7 is next to nothing") == true
    )
    #expect(sentences("min: 70") == [])
    #expect(sentences("max: 0.7") == [])
    #expect(sentences("min: 0.7, max: 5") == [])
    #expect(sentences("min: 0.1") == [])
    #expect(sentences("min: 1, max: 4", of: "below(70)") == [])
    #expect(sentences("min: 1", of: "below(70)") == [])
  }

  @Test("A limit of glucose in the other unit is told")
  func otherUnit() throws {
    func sentences(_ metric: String, _ unit: String) -> [String] {
      let text = BehaviourFixture.text(
        "glucoseUnit: '\(unit)', expect: [{ id: 'x', metric: '\(metric)', min: 10 }]", days: 1)
      return BehaviourFixture.attempt(text).1.filter { $0.contains("Did you mean") }
    }
    let molar = sentences("tir(70,180)", "mmol/L")
    #expect(molar.count == 2)
    #expect(molar.first?.contains("is in mmol/L, and 70 is no limit in it") == true)
    #expect(molar.first?.contains("Did you mean 3.9?") == true)
    let mass = sentences("below(3.9)", "mg/dL")
    #expect(mass.count == 1 && mass[0].contains("Did you mean 70?"))
    #expect(sentences("tir(3.9,10)", "mmol/L") == [])
    #expect(sentences("lows(54,15m)", "mg/dL") == [])
    #expect(sentences("tir", "mmol/L") == [])
  }

  @Test(
    "A largest bolus that is saved later, or set wrongly, allows what the first one does not",
    arguments: ["bolus: { units: 5 }", "remote: { bolus: 5 }"])
  func savedMaximum(act: String) {
    func said(_ maximum: Int) -> [String] {
      Self.sentences(
        "therapy: { maxBolus: 2 }, events: [{ at: '06:00', settings: { maxBolus: \(maximum) } }, "
          + "{ at: '07:00', \(act) }]")
    }
    #expect(said(8) == [])
    #expect(said(4).count == 1 && said(4)[0].contains("above maxBolus (4 U)"), "\(said(4))")
    let fault = "app: { wrongSetting: { path: 'therapy.maxBolus', value: 8 } }"
    #expect(
      Self.sentences(
        "therapy: { maxBolus: 2 }, events: [{ at: '07:00', \(act) }], "
          + "faults: [{ during: ['06:00', '2h'], \(fault) }]") == [])
  }

  @Test("A daily time that the clock skips, or shows twice, is told with its day")
  func changesOfClock() {
    func said(_ start: String, _ daily: String) -> [String] {
      CheckTests.sentences(
        "clock: { start: '\(start)T00:00:00', timeZone: 'America/New_York', duration: '3d' }, "
          + "events: [{ at: { daily: '\(daily)' }, meal: { grams: 20 } }]")
    }
    let spring = said("2026-03-07", "02:30")
    #expect(
      spring.count == 1
        && spring[0].hasSuffix(
          "note: The clock skips 2026-03-08 02:30; the first instant after the gap is used (03:00)."
        ), "\(spring)")
    let autumn = said("2026-10-31", "01:30")
    #expect(
      autumn.count == 1
        && autumn[0].hasSuffix("note: The clock shows 2026-11-01 01:30 twice; the first is used."),
      "\(autumn)")
    #expect(said("2026-10-31", "02:30") == [])
    #expect(said("2026-06-07", "02:30") == [])
  }

  @Test("A schedule that is saved later, or scaled, counts in what is said of its rates")
  func savedAndScaledSchedules() {
    let events = "{ at: '07:00', basal: { rate: 4, duration: '30m' } }"
    func said(_ rate: Double) -> [String] {
      // 500 % of 0.9 U/h are 4.5 U/h, of 0.5 U/h 2.5 U/h.
      Self.sentences(
        "pump: { model: 'ypsopump' }, therapy: { basal: [['00:00', 0.5]], maxBasal: 4.5, "
          + "sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] }, events: "
          + "[{ at: '06:00', settings: { basal: [['00:00', \(rate)]] } }, \(events)]"
      ).filter { $0.contains("warning: ") }
    }
    #expect(said(0.9) == [])
    #expect(said(0.6).count == 2, "\(said(0.6))")
    func scaled(_ rate: Double, by scale: Double) -> [String] {
      Self.sentences(
        "therapy: { basal: [['00:00', \(rate)]], maxBasal: 5, scale: { basal: \(scale) } }"
      ).filter { $0.contains("is above maxBasal") }
    }
    #expect(scaled(6, by: 0.5) == [])
    #expect(scaled(3, by: 2).first?.contains("The scheduled rate 6 U/h is above") == true)
    #expect(scaled(2.5, by: 2) == [])
  }

  // MARK: - Therapy

  /// The figures of simglucose's table of adult#001: 10 g/U and 8.77310657487 mg/dL per U.
  @Test("needs: 'table' takes the published carb ratio, correction factor and basal rate")
  func table() throws {
    func built(_ needs: String, _ rest: String = "") -> (BuiltRun?, [String]) {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', \(rest)
          patient: { model: 'uva-padova-s2008', name: 'adult#001', \(needs) } }
        """)
    }
    let table = try #require(built("needs: 'table'").0)
    let therapy = table.setup.app.configuration.therapy
    #expect(therapy.carbRatio.entries.map(\.value.gramsPerUnit) == [10])
    #expect(therapy.sensitivity.entries.map(\.value.mgdLPerUnit) == [8.8])
    let description = try PatientDescription.named("adult#001")
    let basal = try #require(description.basalRate(holding: description.usualGlucose))
    let programmed = try #require(therapy.basal.entries.first).value.unitsPerHour
    #expect((programmed - basal).magnitude <= 0.025)
    #expect(table.derivedTherapy?.hasSuffix("from the patient's published table") == true)
    #expect(built("").0?.derivedTherapy?.hasSuffix("derived from the body") == true)
    let molar = built("", "glucoseUnit: 'mmol/L',").0?.derivedTherapy
    #expect(molar?.contains(/ISF [0-9.]{1,6} mmol\/L per U/) == true, "\(molar ?? "")")
  }

  @Test("A therapy that is derived lies where one that is stated may lie")
  func derivedRange() {
    for (unit, isf) in [
      ("mg/dL", "2900.8 mg/dL per U, and a therapy has one from 1 to 2000."),
      ("mmol/L", "161 mmol/L per U, and a therapy has one from 0.06 to 111."),
    ] {
      let (built, sentences) = BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', glucoseUnit: '\(unit)', patient: { model: 'hovorka', weight: 2 } }
        """)
      #expect(built == nil)
      #expect(
        sentences.contains { $0.contains("error: This body's ISF is \(isf) Change the body") },
        "\(sentences)")
    }
    let stated = BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', patient: { model: 'hovorka', weight: 2, needs: {
        basal: [['00:00', 0.05]], sensitivity: [['00:00', 2000]], carbRatio: [['00:00', 100]] } } }
      """)
    #expect(stated.0 != nil, "\(stated.1)")
  }

  @Test("A model without a table says so", arguments: ["hovorka", "tidepool-simple"])
  func noTable(model: String) {
    let (_, sentences) = BehaviourFixture.attempt(
      "{ format: 'loopsim/1', patient: { model: '\(model)', needs: 'table' } }")
    #expect(
      sentences.contains { $0.contains("The model \(model) publishes no table of needs.") },
      "\(sentences)")
  }

  // MARK: - Tables of patients

  private static func plan(_ table: String) -> (RunPlan?, [String]) {
    CheckTests.check(
      [
        "s.json5": """
        { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
          cohort: { from: 'c.csv', columns: { body: 'patient.name' } } }
        """, "c.csv": table,
      ], "s.json5")
  }

  @Test("Names that results cannot have are told, and kept beside the run's")
  func changedNames() throws {
    let (plan, sentences) = Self.plan("id,body\na/b,adult#001\na,adult#002\na,adult#003\n")
    #expect(sentences.count == 1)
    #expect(
      sentences.first?.contains(
        "The results name 2 patients otherwise than the table: \"a/b\" is \"a-b\", \"a\" is \"a-2\""
      )
        == true, "\(sentences)")
    let runs = try (0..<3).map { try #require(plan).run(at: $0) }
    #expect(runs.map(\.patient) == ["a-b", "a", "a-2"])
    #expect(runs.map(\.writtenPatient) == ["a/b", nil, "a"])
  }

  @Test("A body that does not exist is one error, without the therapy that it would have had")
  func noConsequences() {
    let (_, sentences) = BehaviourFixture.attempt(
      "{ format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'None' } }")
    #expect(sentences.count == 1)
    #expect((sentences.first?.count ?? 0) < 400)
  }
}
