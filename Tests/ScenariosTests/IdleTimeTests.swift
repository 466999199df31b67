import Testing

/// Times of day that a run does not have, and events that leave all as it is.
@Suite("What never comes, or changes nothing")
struct IdleTimeTests {
  private static func told(_ rest: String, duration: String = "4h") -> [String] {
    let clock = "clock: { start: '2026-01-15T08:00:00', duration: '\(duration)' },"
    return CheckTests.sentences("\(clock)\n\(rest)").filter { $0.hasSuffix("[W-NOEFFECT]") }
  }

  private static func meal(_ at: String) -> String {
    "events: [{ at: { \(at) }, meal: { grams: 20 } }]"
  }

  @Test("A daily time that lies outside the run is a warning where it stands")
  func daily() {
    let told = Self.told(Self.meal("daily: '20:00'"))
    #expect(
      told == [
        "Scenarios/a.json5:2:25: warning: \"20:00\" never comes: it lies outside the run from "
          + "2026-01-15T08:00:00Z to 2026-01-15T12:00:00Z. [W-NOEFFECT]"
      ])
    #expect(Self.told("faults: [{ at: { daily: '20:00' }, cgm: { dropout: {} } }]").count == 1)
    #expect(Self.told(Self.meal("daily: '08:00'")).isEmpty)
    #expect(Self.told(Self.meal("daily: '12:00'")).isEmpty)
    // Up to ten minutes late it may come at the start, and up to nine never.
    #expect(Self.told(Self.meal("daily: '07:50', jitter: '10m'")).isEmpty)
    #expect(Self.told(Self.meal("daily: '07:50', jitter: '9m'")).count == 1)
    // The evening before reaches the run by as much, and so does the midnight of its own day.
    for (time, enough, short) in [("23:55", "8h5m", "8h4m"), ("00:05", "7h55m", "7h54m")] {
      #expect(Self.told(Self.meal("daily: '\(time)', jitter: '\(enough)'")).isEmpty)
      #expect(Self.told(Self.meal("daily: '\(time)', jitter: '\(short)'")).count == 1)
    }
  }

  @Test("On the days that are named it may be too early, and no day is no time")
  func days() {
    #expect(Self.told(Self.meal("daily: '07:00', days: [0]"), duration: "24h").count == 1)
    #expect(Self.told(Self.meal("daily: '07:00', days: [0, 1]"), duration: "24h").isEmpty)
    // The day that never comes is told alone.
    let late = Self.told(Self.meal("daily: '09:00', days: [5]"))
    #expect(late.count == 1 && late.allSatisfy { $0.contains("Day 5 never comes") }, "\(late)")
    let none = Self.told(Self.meal("daily: '09:00', days: []"))
    #expect(none.count == 1 && none.allSatisfy { $0.contains("no day is named") }, "\(none)")
  }

  @Test("Heart rates without exercise, and observed glucose that nothing is held against")
  func unused() {
    func told(_ body: String, heart: String = "", base: String = "") -> Int {
      CheckTests.check(
        [
          "Scenarios/b.json5": "{ format: 'loopsim/1', \(base) }",
          "Scenarios/a.json5": "{ format: 'loopsim/1', extends: 'b.json5', \(body), "
            + "patient: { model: 'hovorka', \(heart) } }",
        ], "Scenarios/a.json5"
      ).1.count { $0.hasSuffix("[W-NOEFFECT]") }
    }
    let heart = "heartRate: { resting: 55 }"
    let hour = "clock: { duration: '2h' }"
    let run = "events: [{ at: '01:00', exercise: { heartRate: 120, duration: '30m' } }]"
    #expect(told(hour, heart: heart) == 1)
    #expect(told(run, heart: heart) == 0)
    // Another variant, or the base, may be the one with exercise; a base may serve other files.
    #expect(told("variants: { rest: {}, sport: { \(run) } }", heart: heart) == 0)
    #expect(told(hour, heart: heart, base: run) == 0)
    #expect(told(hour, base: "patient: { \(heart) }") == 0)
    let seen = "history: { observed: { csv: 'o.csv' } }"
    let mean = "compare: { metric: 'mean', other: 'observed' }, ratio: { min: 0.5 }"
    #expect(told(seen) == 1)
    #expect(told("\(seen), expect: [{ \(mean) }]") == 0)
    #expect(told("expect: [{ \(mean) }]", base: seen) == 0)
    #expect(told(hour, base: seen) == 0)
  }

  @Test("What comes at none of its times never comes")
  func noTimes() {
    for list in [
      "events: [{ at: [], meal: { grams: 20 } }]", "faults: [{ at: [], cgm: { fail: {} } }]",
    ] {
      let told = Self.told(list)
      #expect(
        told.count == 1
          && told.allSatisfy { $0.contains(":2:16: warning: This never comes: no time is named.") },
        "\(told)")
    }
  }

  @Test("What the event history never has cannot be deleted there, and has no length when it ends")
  func impossible() {
    func told(_ event: String) -> [String] {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', \(CheckTests.patient),
          clock: { start: '2026-01-15T08:00:00', duration: '4h' },
          events: [{ at: '09:00', \(event) }] }
        """
      ).1.filter { $0.hasSuffix("[W-NOEFFECT]") }
    }
    for kind in ["carbs", "glucose", "basal"] {
      let deletion = "from: 'eventHistory', match: { kind: '\(kind)' }"
      #expect(told("delete: { \(deletion) }").count == 1, "\(kind)")
      #expect(told("delete: { from: 'both', match: { kind: '\(kind)' } }").isEmpty, "\(kind)")
    }
    #expect(told("delete: { from: 'eventHistory', match: { kind: 'bolus' } }").isEmpty)
    #expect(Self.told("events: [{ at: '09:00', remote: { override: false } }]").isEmpty)
    let ended = Self.told("events: [{ at: '09:00', remote: { override: false, duration: '1h' } }]")
    #expect(
      ended.count == 1
        && ended.allSatisfy { $0.contains("\"duration\" has no effect: a preset ends here") },
      "\(ended)")
  }

  @Test("A command from afar that arrives after the end of the run never comes")
  func remoteCommands() {
    func told(_ at: String, _ delay: String) -> [String] {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', \(CheckTests.patient),
          clock: { start: '2026-01-15T08:00:00', duration: '4h' },
          events: [{ at: '\(at)', remote: { bolus: 1\(delay) } }] }
        """
      ).1.filter { $0.hasSuffix("[W-NOEFFECT]") }
    }
    let late = told("11:50", ", delay: '11m'")
    #expect(
      late == [
        "s.json5:3:35: warning: This command never comes: it arrives at "
          + "2026-01-15T12:01:00Z, after the end of the run at 2026-01-15T12:00:00Z. [W-NOEFFECT]"
      ])
    #expect(told("11:50", ", delay: '10m'").isEmpty)
    // By itself it is on its way for five seconds.
    #expect(told("11:59:55", "").isEmpty)
    #expect(told("12:00", "").count == 1)
  }

  @Test("A meal whose window lies outside the run is never eaten")
  func windows() {
    func count(_ window: String) -> Int {
      Self.told("behaviour: { meals: [{ window: \(window), grams: 40 }] }")
        .count { $0.contains("This meal never comes: its window lies outside the run") }
    }
    #expect(count("['12:30', '13:00']") == 1)
    #expect(count("['07:00', '07:59']") == 1)
    #expect(count("['07:30', '08:30']") == 0)
    #expect(count("['11:30', '13:00']") == 0)
  }

  @Test(
    "An event that leaves all as it is is a warning",
    arguments: [
      "insulinResistance: { scale: 1, duration: '2h' }", "illness: { severity: 0 }",
      "stress: { level: 0 }", "pump: { prime: 0 }", "clockSet: '0s'", "settings: {}",
    ])
  func nothing(event: String) {
    let told = Self.told("events: [{ at: '09:00', \(event) }]")
    #expect(told.count == 1, "\(told)")
    #expect(told.first?.contains("This changes nothing: ") == true)
  }

  @Test(
    "One that changes something is none",
    arguments: [
      "insulinResistance: { scale: 1.1, duration: '2h' }", "illness: { severity: 0.1 }",
      "stress: { level: 0.1 }", "pump: { prime: 1 }", "clockSet: '-1m'",
      "clockSet: '2026-01-15T09:00:00'", "settings: { maxBasal: 2 }",
    ])
  func something(event: String) {
    #expect(Self.told("events: [{ at: '09:00', \(event) }]").isEmpty)
  }
}
