import Testing

/// Faults that make no difference beside the settings of their scenario.
@Suite("Faults without effect")
struct IdleFaultTests {
  private static func warnings(_ rest: String) -> [String] {
    CheckTests.check(
      [
        "s.json5": """
        { format: 'loopsim/1',
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          therapy: { basal: [['00:00', 1]] }, \(rest) }
        """
      ], "s.json5"
    ).1.filter { $0.contains("[W-NOEFFECT]") }
  }

  private static func wrong(_ path: String, _ value: String) -> String {
    "faults: [{ during: ['18:00', '2h'], app: { wrongSetting: { path: '\(path)', "
      + "value: \(value) } } }]"
  }

  @Test("A wrong setting that is the right one changes nothing")
  func sameSetting() {
    let told = Self.warnings(Self.wrong("therapy.basal", "[['00:00', 1.0]]"))
    #expect(told.count == 1)
    #expect(
      told.first?.contains("This fault changes nothing: \"therapy.basal\" has that value.") == true)
    #expect(Self.warnings(Self.wrong("therapy.basal", "[['00:00', 1.1]]")).isEmpty)
    #expect(Self.warnings(Self.wrong("app.dosing", "'tempBasal'")).isEmpty)
    let app = "app: { dosing: 'tempBasal' }, "
    #expect(Self.warnings(app + Self.wrong("app.dosing", "'tempBasal'")).count == 1)
    let change = "events: [{ at: '17:00', settings: { basal: [['00:00', 2]] } }], "
    #expect(Self.warnings(change + Self.wrong("therapy.basal", "[['00:00', 1]]")).isEmpty)
    let pump = "pump: { wrongPump: { basal: [['00:00', 1]] } }"
    let set = Self.warnings("faults: [{ during: ['18:00', '2h'], \(pump) }]")
    #expect(set.count == 1)
    // To program a schedule ends the temp basal that runs, whatever the schedule is.
    #expect(
      set.first?.contains("Setting it ends a temp basal, and nothing else.") == true, "\(set)")
  }

  @Test("A setting that is imported is not put right at an end, and one that is synchronised is")
  func importedSetting() {
    func warnings(_ when: String, _ more: String) -> [String] {
      Self.warnings(
        "faults: [{ \(when), app: { wrongSetting: { path: 'therapy.basal', "
          + "value: [['00:00', 2]]\(more) } } }]")
    }
    for (when, more) in [
      ("at: '18:00'", ", from: 'import', duration: '1h'"),
      ("during: ['18:00', '2h']", ", from: 'import'"),
    ] {
      let told = warnings(when, more)
      #expect(told.count == 1, "\(told)")
      #expect(told.allSatisfy { $0.contains("This end has no effect: ") }, "\(told)")
    }
    #expect(warnings("at: '18:00'", ", from: 'import'").isEmpty)
    #expect(warnings("at: '18:00'", ", from: 'sync', duration: '1h'").isEmpty)
    #expect(warnings("during: ['18:00', '2h']", "").isEmpty)
  }

  @Test("What a factor makes of a schedule is not what a fault with the written one sets")
  func scaledSchedule() {
    func warnings(_ factor: String, _ fault: String) -> [String] {
      CheckTests.check(
        [
          "s.json5": """
          { format: 'loopsim/1',
            patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
              sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
            therapy: { basal: [['00:00', 1]], scale: { basal: \(factor) } }, \(fault) }
          """
        ], "s.json5"
      ).1.filter { $0.contains("[W-NOEFFECT]") }
    }
    let setting = Self.wrong("therapy.basal", "[['00:00', 1]]")
    let pump = "faults: [{ at: '18:00', pump: { wrongPump: { basal: [['00:00', 1]] } } }]"
    for fault in [setting, pump] {
      #expect(warnings("0.8", fault) == [])
      #expect(warnings("1.0", fault).count == 1)
    }
  }

  @Test("Beside another of its kind a fault may bring back what the scenario says")
  func bringsBack() {
    func faults(_ kind: (String) -> String, _ values: [String]) -> [String] {
      let list = values.enumerated().map { place, value in
        "{ id: 'f\(place)', during: ['1\(place):00', '\(6 - place)h'], \(kind(value)) }"
      }
      return Self.warnings("faults: [\(list.joined(separator: ", "))]")
    }
    func setting(_ value: String) -> String {
      "app: { wrongSetting: { path: 'therapy.basal', value: [['00:00', \(value)]] } }"
    }
    func pump(_ value: String) -> String { "pump: { wrongPump: { basal: [['00:00', \(value)]] } }" }
    #expect(faults(setting, ["2", "1"]) == [])
    #expect(faults(pump, ["2", "1"]) == [])
    #expect(faults(setting, ["1"]).count == 1)
    #expect(faults(pump, ["1"]).count == 1)
  }

  @Test("The part that an automatic bolus gives makes no difference to temp basals")
  func applicationFactor() {
    let fault = Self.wrong("app.applicationFactor", "0.9")
    #expect(Self.warnings(fault).count == 1)
    #expect(Self.warnings("app: { dosing: 'automaticBolus' }, " + fault).isEmpty)
    let change = "events: [{ at: '17:00', settings: { dosing: 'automaticBolus' } }], "
    #expect(Self.warnings(change + fault).isEmpty)
  }

  @Test("A part for automatic boluses is warned of where there are none at any time")
  func statedApplicationFactor() {
    func told(_ rest: String) -> Int {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', patient: { model: 'tidepool-simple', needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          app: { applicationFactor: 0.6 }, \(rest) }
        """
      ).1.count { $0.contains("applicationFactor has no effect with dosing") }
    }
    #expect(told("") == 1)
    #expect(told("events: [{ at: '17:00', settings: { dosing: 'automaticBolus' } }]") == 0)
    #expect(told(Self.wrong("app.dosing", "'automaticBolus'")) == 0)
    let saved = "{ at: '16:00', settings: { applicationFactor: 0.6 } }"
    #expect(Self.warnings("events: [\(saved)]").count == 1)
    let change = "{ at: '17:00', settings: { dosing: 'automaticBolus' } }"
    #expect(Self.warnings("events: [\(saved), \(change)]").isEmpty)
  }

  @Test(
    "A fault of no time changes nothing, but for one whose beginning does something",
    arguments: [
      ("cgm: { dropout: { duration: '0s' } }", 1),
      ("cgm: { stuck: { duration: ['0s', '0s'] } }", 1),
      ("pump: { commLoss: { duration: '0s' } }", 1), ("app: { skipLoops: { duration: '0s' } }", 1),
      ("cgm: { dropout: { duration: ['0s', '1s'] } }", 0),
      ("pump: { error: { duration: '0s' } }", 0), ("app: { skipLoops: 1 }", 0),
    ])
  func ofNoTime(fault: String, count: Int) {
    let told = Self.warnings("faults: [{ at: '18:00', \(fault) }]")
    #expect(told.count == count, "\(told)")
    #expect(told.allSatisfy { $0.contains("This fault is over as it begins") }, "\(told)")
  }

  @Test(
    "A value that is corrupted by nothing stays as it is, but for carbs, which count as eaten now",
    arguments: [
      ("app: { corrupt: { target: 'iob', mode: 'scale', value: 1 } }", 1),
      ("app: { corrupt: { target: 'glucose', mode: 'add', value: 0 } }", 1),
      ("app: { corrupt: { target: 'cob', mode: 'scale', value: 1 } }", 0),
      ("app: { corrupt: { target: 'cob', mode: 'add', value: 0 } }", 0),
    ])
  func neutralCorruption(fault: String, count: Int) {
    #expect(Self.warnings("faults: [{ at: '18:00', \(fault) }]").count == count)
  }

  @Test(
    "An amount that is misjudged by nothing stays as it is",
    arguments: [
      ("bias: 1", 1), ("sd: 0", 1), ("bias: 1.0, sd: 0", 1), ("bias: 1.1", 0), ("sd: 0.1", 0),
    ])
  func misjudgedByNothing(slip: String, count: Int) {
    let meal = "events: [{ at: '18:00', meal: { grams: 20 } }]"
    let told = Self.warnings("\(meal), faults: [{ user: { misestimate: { \(slip) } } }]")
    #expect(told.count == count, "\(told)")
    #expect(told.allSatisfy { $0.contains("amounts stay as they are") }, "\(told)")
  }

  @Test(
    "What other apps write is late where one writes",
    arguments: [
      ("", 1), ("events: [{ at: '19:00', bolus: { units: 1 } }],", 1),
      ("events: [{ at: '19:00', injection: { units: 1 } }],", 0),
      ("events: [{ at: '19:00', fingerstick: {} }],", 0),
      ("events: [{ at: '19:00', healthStore: { write: { carbs: 9 } } }],", 0),
      ("healthStore: { vendorApp: 'dexcom' },", 0), ("healthStore: { vendorApp: 'none' },", 1),
      ("history: { doses: [{ at: '-1h', bolus: 1, insulin: 'fiasp' }] },", 0),
    ])
  func late(rest: String, count: Int) {
    let told = Self.warnings(
      "\(rest) faults: [{ during: ['18:00', '2h'], healthStore: { lateSync: {} } }]")
    #expect(told.count == count, "\(told)")
    #expect(told.allSatisfy { $0.contains("no other app writes") }, "\(told)")
  }

  @Test("Who reads no carbohydrates of other apps misses none of them")
  func deniedCarbs() {
    func fault(_ scope: String) -> String {
      "events: [{ at: '19:00', injection: { units: 1 } }], "
        + "faults: [{ during: ['18:00', '2h'], healthStore: { readDenied: { scope: \(scope) } } }]"
    }
    #expect(Self.warnings(fault("'carbs'")).count == 1)
    #expect(Self.warnings(fault("['carbs', 'glucose']")).isEmpty)
    #expect(Self.warnings("app: { readCarbsFromHealth: true }, " + fault("['carbs']")).isEmpty)
  }

  @Test(
    "Who may not read misses nothing where no other app writes",
    arguments: [
      ("", "", 1), ("", "rate: 0", 1), ("events: [{ at: '19:00', bolus: { units: 1 } }],", "", 1),
      ("events: [{ at: '19:00', injection: { units: 1 } }],", "", 0),
      ("healthStore: { vendorApp: 'dexcom' },", "", 0),
    ])
  func denied(rest: String, keys: String, count: Int) {
    let told = Self.warnings(
      "\(rest) faults: [{ during: ['18:00', '2h'], healthStore: { readDenied: { \(keys) } } }]")
    #expect(told.count == count, "\(told)")
    let reason = keys.isEmpty ? "no other app writes" : "its \"rate\" is 0"
    #expect(told.allSatisfy { $0.contains(reason) }, "\(told)")
  }

  @Test(
    "A phone that saves power sleeps through nothing where each cycle has a reading",
    arguments: [
      ("cgm: { model: 'ideal' },", "", 1), ("", "", 0),
      ("cgm: { model: 'ideal', interval: '15m' },", "", 0),
      ("cgm: { model: 'ideal' }, clock: { loopEvery: '2m' },", "", 0),
      ("cgm: { model: 'ideal' }, events: [{ at: '19:00', injection: { units: 1 } }],", "", 0),
      (
        """
        cgm: { model: 'ideal' }, events: [{ at: '17:00', bolus: { units: 1 } }, { at: '19:00',
          delete: { from: 'healthStore', match: { kind: 'bolus', last: 1 } } }],
        """, "", 0
      ),
      ("cgm: { model: 'ideal' },", ", { at: '18:30', cgm: { dropout: {} } }", 0),
      ("cgm: { model: 'ideal' },", ", { at: '18:30', healthStore: { wipe: {} } }", 0),
    ])
  func asleep(rest: String, other: String, count: Int) {
    let told = Self.warnings(
      "\(rest) faults: [{ during: ['18:00', '2h'], phone: { lowPower: {} } }\(other)]")
    #expect(told.count == count, "\(told)")
    #expect(told.allSatisfy { $0.contains("each cycle has a reading") }, "\(told)")
  }

  @Test(
    "What a fault does once and for all is not put right at an end",
    arguments: [
      ("healthStore: { wipe: {} }", "what is gone is gone at once"),
      ("pump: { unrequested: { units: 1 } }", "it is given at once"),
      ("pump: { empty: {} }", "the reservoir is empty until another is put in"),
      ("pump: { clockError: { by: '5m' } }", "the clock is wrong until it is set"),
      ("pump: { airBubble: { units: 1 } }", nil), ("cgm: { spike: { samples: 9 } }", nil),
      ("cgm: { fail: {} }", nil),
    ] as [(String, String?)])
  func onceAndForAll(fault: String, reason: String?) {
    func told(_ time: String, _ fault: String) -> [String] {
      Self.warnings("faults: [{ \(time), \(fault) }]").filter { $0.contains("This end") }
    }
    #expect(told("at: '18:00'", fault).isEmpty)
    let warnings = told("during: ['18:00', '1h']", fault)
    #expect(warnings.count == (reason == nil ? 0 : 1), "\(warnings)")
    #expect(warnings.allSatisfy { $0.contains("\(reason ?? ""). Say 'at'.") }, "\(warnings)")
    let timed = told("at: '18:00'", "healthStore: { wipe: { duration: '1h' } }")
    #expect(timed.count == 1 && timed[0].contains("Leave it out."), "\(timed)")
  }
}
