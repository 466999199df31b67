import Scenarios
import Testing

/// Clocks and presets that make no difference, as far as that is known before a run.
@Suite("Clocks and presets without effect")
struct IdleSettingsTests {
  private static func warnings(
    _ rest: String, basal: String = "[['00:00', 1]]", zone: String = "UTC"
  ) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', clock: { start: '2026-03-28T12:00:00', timeZone: '\(zone)' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { basal: \(basal) }, \(rest) }
      """
    ).1.filter { $0.contains("[W-NOEFFECT]") }
  }

  private static let jump = "faults: [{ at: '18:00', pump: { clockError: { by: '30m' } } }]"

  @Test("A pump's clock by which nothing goes changes nothing")
  func pumpClock() {
    let told = Self.warnings(Self.jump)
    #expect(told.count == 1)
    #expect(
      told.first?.contains(
        "This fault changes nothing: the basal schedule is the same all day, and the Generic "
          + "0.05 U pump dates nothing by its clock.") == true, "\(told)")
    #expect(Self.warnings("pump: { clockDrift: '9s/day' }").count == 1)
    let drift = "faults: [{ during: ['18:00', '2h'], pump: { clockDrift: { perDay: '1m' } } }]"
    #expect(Self.warnings(drift, basal: "[['00:00', 1], ['06:00', 1]]").count == 1)
  }

  @Test(
    "One by which rates change or events are dated, or which somebody sets, makes a difference",
    arguments: [
      ("[['00:00', 1], ['06:00', 1.2]]", ""),
      ("[['00:00', 1]]", "pump: { model: 'medtronic722' },"),
      (
        "[['00:00', 1]]",
        "events: [{ at: '15:00', settings: { basal: [['00:00', 1], ['20:00', 1.3]] } }],"
      ),
      ("[['00:00', 1]]", "events: [{ at: '20:00', pump: { setTime: true } }],"),
    ])
  func usedPumpClock(basal: String, rest: String) {
    #expect(Self.warnings(rest + Self.jump, basal: basal).isEmpty)
  }

  @Test("The calculator in a pump goes by the pump's clock, where its settings have times of day")
  func calculator() {
    func told(_ ratio: String, _ rest: String) -> Int {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', clock: { start: '2026-03-28T00:00:00', duration: '14h' },
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]\(ratio)] } },
          faults: [{ at: '01:00', pump: { clockError: { by: '1h' } } }], \(rest)
          events: [{ at: '11:30', bolus: { calculator: { grams: 60 }, by: 'pump' } }] }
        """
      ).1.count { $0.contains("This fault changes nothing") }
    }
    let noon = ", ['12:00', 5]"
    #expect(told(noon, "app: 'none',") == 0)
    #expect(told("", "app: 'none',") == 1)
    // With an app the person asks that, by the phone's clock.
    #expect(told(noon, "") == 1)
  }

  @Test("A bolus whose report is stated is given whole")
  func cancelledReport() {
    func bolus(_ rest: String) -> String {
      "events: [{ at: '18:00', bolus: { units: 2, cancelAt: '+1m'\(rest) } }]"
    }
    #expect(Self.warnings(bolus("")).isEmpty)
    let told = Self.warnings(bolus(", reported: { units: 3 }"))
    #expect(told.count == 1 && told.allSatisfy { $0.contains("\"cancelAt\" has no effect") })
  }

  @Test("What schedules follow makes no difference while the clock keeps its offset")
  func scheduleZone() {
    let follows = "app: { scheduleZone: 'wallClock' }"
    let told = Self.warnings(follows)
    #expect(told.count == 1)
    #expect(told.first?.contains("\"app.scheduleZone\" has no effect: the phone's clock") == true)
    // Clocks in Berlin go forward on 29 March 2026 at 02:00.
    #expect(Self.warnings(follows, zone: "Europe/Berlin").isEmpty)
    let trip = ", events: [{ at: '20:00', timeZone: 'America/Chicago' }]"
    #expect(Self.warnings(follows + trip).isEmpty)
  }

  // MARK: - Nothing

  @Test(
    "A list that adds no item to the inherited one is a warning",
    arguments: ["$append", "$prepend"])
  func emptyAddition(edit: String) {
    func told(_ items: String) -> [String] {
      CheckTests.sentences(
        "variants: { a: { events: { \(edit): \(items) } }, b: {} }"
      ).filter { $0.contains("nothing is added") }
    }
    let found = told("[]")
    #expect(found.count == 1 && found.allSatisfy { $0.hasSuffix("[W-NOEFFECT]") }, "\(found)")
    #expect(told("[{ at: '02:00', meal: { grams: 20 } }]").isEmpty)
  }

  @Test("An amount of nothing is a warning, unless a record tells of something")
  func nothing() {
    func told(_ event: String, _ rest: String = "") -> Int {
      CheckTests.sentences("events: [{ id: 'e', at: '02:00', \(event) }] \(rest)")
        .count { $0.contains(" of 0 ") && $0.hasSuffix("[W-NOEFFECT]") }
    }
    #expect(told("meal: { grams: 0 }") == 1)
    #expect(told("bolus: { units: 0 }") == 1)
    #expect(told("injection: { units: 0 }") == 1)
    #expect(told("meal: { grams: 0 }, entry: { grams: 30 }") == 0)
    #expect(told("injection: { units: 0 }, entry: { units: 2 }") == 0)
    #expect(told("bolus: { units: 0, reported: { units: 2 } }") == 0)
    #expect(told("bolus: { units: 1 }", ", sweep: { 'events[e].bolus.units': [0, 1] }") == 0)
  }

  // MARK: - Deletions

  @Test("A deletion of what comes after it is a warning that says how days are written")
  func laterDeletion() {
    func told(_ window: String) -> [String] {
      let match = "{ kind: 'glucose', between: \(window) }"
      return Self.warnings(
        "events: [{ at: '20:00', delete: { from: 'healthStore', match: \(match) } }]")
    }
    let late = told("['18:00', '19:00']")
    #expect(late.count == 1)
    #expect(
      late.first?.contains("\"between\" begins after the deletion, when nothing is there yet.")
        == true, "\(late)")
    #expect(told("['d0 18:00', 'd0 19:00']").isEmpty)
    #expect(told("['-2h', '-1h']").isEmpty)
  }

  @Test(
    "Times within an event or a fault count from it in the check too",
    arguments: [
      // The deletion comes a day after the start, and at 06:00 every day.
      "events: [{ at: 'd1 12:00', delete: { from: 'both', match: {"
        + " kind: 'bolus', between: ['2026-03-28T13:00:00', '+0s'] } } }]",
      "events: [{ at: { daily: '06:00' }, delete: { from: 'both', match: {"
        + " kind: 'bolus', between: ['2026-03-28T13:00:00', '+0s'] } } }]",
      "events: [{ at: { daily: '06:00', days: [2] }, delete: { from: 'both', match: {"
        + " kind: 'bolus', between: ['2026-03-29T13:00:00', '+0s'] } } }]",
      // At 02:30 of the 29th, which the clock skips, both are over: the next is on the 30th.
      "events: [{ at: 'd1 04:46', bolus: { units: 1, reported: { units: 1, at: '02:30' } } }]",
      "faults: [{ at: 'd1 04:46', app: { skipLoops: { until: '02:30' } } }]",
    ])
  func countedFromEvent(_ rest: String) {
    let told = BehaviourFixture.attempt(
      """
      { format: 'loopsim/1',
        clock: { start: '2026-03-28T12:00:00', timeZone: 'Europe/Berlin', duration: '3d' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' }, \(rest) }
      """
    ).1
    #expect(!told.contains { $0.contains("error:") || $0.contains("The clock skips") }, "\(told)")
  }

  // MARK: - Presets

  private static let presets = """
    therapy: { presets: { run: { insulinNeeds: 0.5 } }, preMealTarget: [80, 90] }
    """

  private static func idle(_ body: String) -> [String] {
    CheckTests.sentences(body).filter { $0.contains("no event starts the preset") }
  }

  @Test("A preset that nothing starts is a warning at its name")
  func presets() {
    let told = Self.idle("\(Self.presets), events: [{ at: '02:00', meal: { grams: 20 } }]")
    #expect(told.count == 2)
    #expect(told.first?.contains("The preset \"run\" has no effect: no event") == true, "\(told)")
    #expect(told.last?.contains("\"therapy.preMealTarget\" has no effect: no event") == true)
  }

  @Test(
    "A remark starts no preset",
    arguments: [
      "events: [{ at: '02:00', preset: { note: 'off', target: [120, 130] }, duration: '1h' }]",
      "events: [{ at: '02:00', meal: { grams: 20 }, 'x-as': { preset: 'run' } }]",
      "clock: { 'x-by': { controller: 'run' } }", "note: { override: 'preMeal', preset: 'run' }",
    ])
  func remarkedPresets(rest: String) {
    #expect(Self.idle("\(Self.presets), \(rest)").count == 2)
  }

  @Test(
    "One that an event, a carer, a variant or a sweep starts is none",
    arguments: [
      "events: [{ at: '02:00', preset: 'run', duration: '1h' }]",
      "events: [{ at: '02:00', remote: { override: 'run', duration: '1h' } }]",
      """
      variants: { off: {}, on: { events: { $append: [{ at: '02:00', preset: 'run',
        indefinite: true }] } } }
      """,
      """
      events: [{ at: '02:00', id: 'p', preset: false }],
      sweep: { 'events[p].preset': ['run'] }
      """,
    ])
  func startedPresets(rest: String) {
    let own = "therapy: { presets: { run: { insulinNeeds: 0.5 } } }"
    #expect(Self.idle("\(own), \(rest)").isEmpty)
  }

  @Test("Presets of a file that others extend are theirs")
  func inherited() {
    let body = "format: 'loopsim/1', \(CheckTests.patient)"
    let (_, sentences) = CheckTests.check(
      [
        "Scenarios/base.json5": "{ \(body), \(Self.presets) }",
        "Scenarios/a.json5": "{ format: 'loopsim/1', extends: 'base.json5' }",
      ], "Scenarios/a.json5")
    #expect(!sentences.contains { $0.contains("has no effect") }, "\(sentences)")
  }

  @Test("What is taken away, and a remark among presets, is none")
  func removed() {
    let body = "format: 'loopsim/1', \(CheckTests.patient)"
    for change in [
      "presets: { run: { $remove: true } }, preMealTarget: { $remove: true }",
      "presets: { note: 'for training', 'x-walk': { insulinNeeds: 0.7 } }",
    ] {
      let (_, sentences) = CheckTests.check(
        [
          "Scenarios/base.json5": "{ \(body), \(Self.presets) }",
          "Scenarios/a.json5":
            "{ format: 'loopsim/1', extends: 'base.json5', therapy: { \(change) } }",
        ], "Scenarios/a.json5")
      #expect(!sentences.contains { $0.contains("has no effect") }, "\(sentences)")
    }
  }
}
