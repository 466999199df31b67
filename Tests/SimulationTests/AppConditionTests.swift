import Devices
import Dosing
import Quantities
import Testing

@testable import Simulation

@Suite("Whether the app can work")
struct AppConditionTests {
  private static func condition(
    _ setting: PhoneState, _ effects: [Fault.Effect] = [], hasApp: Bool = true
  ) -> AppCondition {
    var faults = FaultState()
    for effect in effects { faults.begin(Fault(id: "fault", effect), at: .at(1)) }
    return AppCondition(hasApp: hasApp, setting: setting, under: faults)
  }

  @Test(
    "The worse of what people did and what faults make of it holds",
    arguments: PhoneState.allCases)
  func isTheWorse(fault: PhoneState) {
    for setting in PhoneState.allCases {
      let condition = Self.condition(setting, [.phone(fault)])
      #expect(condition.phone == max(setting, fault))
      #expect(condition.canRun == (condition.phone <= .bluetoothOff))
      #expect(condition.hearsDevices == (condition.phone == .on))
    }
  }

  @Test("Something stops the app whenever it hears no devices, and only then")
  func isStopped() {
    let crash = Fault.Effect.app(.crash(loses: .memory))
    for setting in PhoneState.allCases {
      for effects in [[], [crash]] {
        let condition = Self.condition(setting, effects)
        #expect((condition.stop(hearsPump: true) == nil) == condition.hearsDevices)
        #expect(condition.stop(hearsPump: false) != nil)
      }
    }
    #expect(Self.condition(.on, [crash]).stop(hearsPump: true) == .appCrashed)
    #expect(Self.condition(.on).stop(hearsPump: false) == .pumpUnreachable)
  }

  @Test("Where there is no app, none runs and none doses")
  func isNoApp() {
    let condition = Self.condition(.on, hasApp: false)
    #expect(!condition.isRunning)
    #expect(condition.mode(isClosedLoop: true) == .off)
  }

  @Test("A crash stops the app as a phone that is off does, and its rows say so")
  func isOffWhileCrashed() throws {
    let crash = Fault.Effect.app(.crash(loses: .memory))
    #expect(Self.condition(.on, [crash]).mode(isClosedLoop: true) == .off)
    #expect(Self.condition(.on).mode(isClosedLoop: true) == .closedLoop)
    #expect(Self.condition(.bluetoothOff).mode(isClosedLoop: false) == .openLoop)
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(
        at: .at(1, 1), id: "crash", .beginFault(Fault(id: "crash", crash))),
      ScenarioEvent(at: .at(1, 22), .endFault(id: "crash")),
    ]
    let rows = try fixture.result().trace.rows
    #expect(
      rows.filter { $0.mode == .off }.map(\.instant)
        == [.at(1, 5), .at(1, 10), .at(1, 15), .at(1, 20)])
    #expect(rows.allSatisfy { $0.mode == .off || $0.mode == .closedLoop })
  }

  @Test("An entry that the health store lost before a crash is not told as unsaved, and comes back")
  func lostBefore() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let meal = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(0, 20))
    let crash = Fault.Effect.app(.crash(loses: [.memory, .unsaved]))
    fixture.events = [
      ScenarioEvent(at: .at(0, 20), id: "lunch", .enterCarbs(meal)),
      ScenarioEvent(
        at: .at(1, 1), id: "gone",
        .beginFault(Fault(id: "gone", .healthStore(HealthStoreFault(.wipe))))),
      ScenarioEvent(at: .at(1, 30), id: "crash", .beginFault(Fault(id: "crash", crash))),
      ScenarioEvent(at: .at(1, 50), .endFault(id: "crash")),
      ScenarioEvent(at: .at(2, 7), id: "back", .restoreHealthStore),
      ScenarioEvent(
        at: .at(2, 30),
        .editCarbs(entry: "lunch", grams: 40, absorption: nil, eatenAt: nil)),
    ]
    let happenings = try fixture.result().trace.happenings
    #expect(happenings.allSatisfy { $0.kind != .warning }, "\(happenings.map(\.text))")
    #expect(happenings.contains { $0.text == "The carb entry is changed to 40 g." })
  }

  @Test("Of presets and doses that were not saved before a crash it is told")
  func notSaved() throws {
    let crash = Fault(id: "crash", .app(.crash(loses: .unsaved)))
    func told(_ acts: [ScenarioEvent]) throws -> [String] {
      var fixture = Fixture()
      fixture.duration = .hours(3)
      fixture.events =
        acts + [
          ScenarioEvent(at: .at(1, 22), id: "crash", .beginFault(crash)),
          ScenarioEvent(at: .at(1, 27), .endFault(id: "crash")),
        ]
      return try fixture.result().trace.happenings.filter {
        $0.kind == .preset || $0.kind == .warning
      }.map { "\($0.instant - Fixture.midnight) \($0.text)" }
    }
    #expect(
      try told([Self.start(), ScenarioEvent(at: .at(1, 21), .endPreset)]) == [
        "1h The preset p starts.", "1h21m The preset ends.",
        "1h27m The preset p holds again: that it was ended was not saved when the app stopped.",
        "1h32m The preset p ends: its time is over.",
      ])
    var late = Self.start()
    late.instant = .at(1, 21)
    #expect(
      try told([late]) == [
        "1h21m The preset p starts.",
        "1h27m The preset p was not saved when the app stopped, and ends.",
      ])
    #expect(
      try told([Self.start()]) == [
        "1h The preset p starts.", "1h32m The preset p ends: its time is over.",
      ])
    // What is over when the app starts again is in no list of presets all the same.
    #expect(
      try told([late, ScenarioEvent(at: .at(1, 25), .endPreset)]) == [
        "1h21m The preset p starts.", "1h25m The preset ends.",
        "1h27m The preset p was not saved when the app stopped.",
      ])
    var later = Self.start()
    later.instant = .at(1, 24)
    #expect(
      try told([later, ScenarioEvent(at: .at(1, 26), .endPreset)]) == [
        "1h24m The preset p starts.", "1h26m The preset ends.",
        "1h27m The preset p was started while the app was stopped, and was lost when it started "
          + "again.",
      ])
    let dose = ScenarioEvent(
      at: .at(1, 21), id: "pen", .logDose(units: 2, takenAt: .at(1, 21), insulin: .humalog))
    #expect(
      try told([dose]) == [
        "1h27m A dose of 2.00 U that was logged in the app was not saved when the app stopped."
      ])
    let fingerstick = FingerstickRequest(value: .mgdL(95), relativeError: 0, log: .app)
    #expect(
      try told([ScenarioEvent(at: .at(1, 21), id: "f", .fingerstick(fingerstick))]) == [
        "1h27m 95 mg/dL that were typed in the app were not saved when it stopped."
      ])
    let meal = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(1))
    func edit(_ minute: Int64, _ grams: Double?, _ absorption: TimeSpan?) -> ScenarioEvent {
      let change = ScenarioEvent.Action.editCarbs(
        entry: "lunch", grams: grams, absorption: absorption, eatenAt: nil)
      return ScenarioEvent(at: .at(1, minute), change)
    }
    #expect(
      try told([
        ScenarioEvent(at: .at(1), id: "lunch", .enterCarbs(meal)), edit(21, 10, nil),
        edit(40, nil, .hours(2)),
      ]) == ["1h27m The change of the carb entry was not saved when the app stopped."])
  }

  @Test("Of several new installations that one is named that took the insulin from the records")
  func installedTwice() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.events = [
      ScenarioEvent(at: .at(1, 2), .reinstallApp), ScenarioEvent(at: .at(2, 2), .reinstallApp),
    ]
    let lost = try fixture.result().agreement.differences.filter {
      $0.kind == .installedAnew && $0.records.contains(.healthStore)
    }
    #expect(lost.count == 2)
    for difference in lost {
      let hour = difference.end <= .at(1, 2) ? 1 : 2
      #expect(
        difference.text.contains(": the app was installed anew at 0\(hour):02:00 and has no "),
        "\(difference.text)")
    }
  }

  @Test("A loop that a crash, or a new installation, switches on again counts as on from then")
  func loopOnAgain() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.isClosedLoop = true
    var change = SettingsChange()
    change.maximumBolus = .milliunits(5_000)
    let off = [
      ScenarioEvent(at: .at(1, 21), .setClosedLoop(false)),
      ScenarioEvent(at: .at(1, 21), .changeSettings(change)),
    ]
    let crash = Fault(id: "crash", .app(.crash(loses: .unsaved)))
    fixture.events =
      off + [
        ScenarioEvent(at: .at(1, 22), id: "crash", .beginFault(crash)),
        ScenarioEvent(at: .at(1, 27), .endFault(id: "crash")),
      ]
    let crashed = try fixture.result()
    #expect(crashed.dosingSwitches.map(\.isOn) == [true, false, true])
    #expect(crashed.dosingSwitches.last?.instant == .at(1, 27))
    #expect(
      crashed.trace.happenings.filter { $0.kind == .warning }.map(\.text) == [
        "That closed loop was switched off was not saved when the app stopped: it is on again.",
        "The latest settings were not saved when the app stopped: it has those from before.",
      ])
    fixture.events = off + [ScenarioEvent(at: .at(2), .reinstallApp)]
    let new = try fixture.result()
    #expect(new.dosingSwitches.map(\.isOn) == [true, false, true])
    #expect(
      new.trace.happenings.filter { $0.kind == .warning }.map(\.text) == [
        "The new app has its first settings: closed loop is on again.",
        "The new app has its first settings, and not those that were saved since.",
      ])
  }

  @Test("The end of a preset is told where one runs")
  func endOfPreset() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "p",
        .startPreset(
          PresetRequest(
            name: "p", kind: .custom, target: nil, insulinNeeds: 0.5, duration: .minutes(30)))),
      ScenarioEvent(at: .at(1, 20), .endPreset), ScenarioEvent(at: .at(2), .endPreset),
    ]
    let told = try fixture.result().trace.happenings.filter { $0.kind == .preset }.map(\.text)
    #expect(
      told == ["The preset p starts.", "The preset ends.", "No preset runs that could be ended."])
  }

  /// What is told of presets, and when after midnight.
  private static func presets(_ events: [ScenarioEvent]) throws -> [String] {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.events = events
    return try fixture.result().trace.happenings.filter { $0.kind == .preset }.map {
      "\($0.instant - Fixture.midnight) \($0.text)"
    }
  }

  private static func start(_ kind: PresetRequest.Kind = .custom) -> ScenarioEvent {
    let request = PresetRequest(
      name: "p", kind: kind, target: nil, insulinNeeds: 0.5, duration: .minutes(32))
    return ScenarioEvent(at: .at(1), id: "p", .startPreset(request))
  }

  @Test("A preset whose time is over is told of when it is, whatever else happens then")
  func presetOver() throws {
    let over = ["1h The preset p starts.", "1h32m The preset p ends: its time is over."]
    #expect(try Self.presets([Self.start()]) == over)
    // Who ends it in time does so alone, and who wants to end it then is too late.
    #expect(
      try Self.presets([Self.start(), ScenarioEvent(at: .at(1, 31), .endPreset)])
        == ["1h The preset p starts.", "1h31m The preset ends."])
    #expect(
      try Self.presets([Self.start(), ScenarioEvent(at: .at(1, 32), .endPreset)])
        == over + ["1h32m No preset runs that could be ended."])
  }

  @Test("A preset that another replaces ends then, and one that is over does so once")
  func replacedPreset() throws {
    func start(_ name: String, at instant: Instant) -> ScenarioEvent {
      let request = PresetRequest(
        name: name, kind: .custom, target: nil, insulinNeeds: 0.5, duration: .minutes(32))
      return ScenarioEvent(at: instant, id: name, .startPreset(request))
    }
    #expect(
      try Self.presets([
        Self.start(), start("q", at: .at(1, 10)), start("q", at: .at(1, 20)),
        start("r", at: .at(1, 52)),
      ]) == [
        "1h The preset p starts.", "1h10m The preset p ends: q starts.",
        "1h10m The preset q starts.", "1h20m The preset q ends: it is started anew.",
        "1h20m The preset q starts.", "1h52m The preset q ends: its time is over.",
        "1h52m The preset r starts.", "2h24m The preset r ends: its time is over.",
      ])
  }

  @Test("A preset ends by the phone's clock, with an entry of carbohydrates, or with the app")
  func presetEndsOtherwise() throws {
    func end(_ event: ScenarioEvent, _ kind: PresetRequest.Kind = .custom) throws -> String? {
      try Self.presets([Self.start(kind), event]).dropFirst().first
    }
    func clock(_ span: TimeSpan) -> ScenarioEvent {
      ScenarioEvent(at: .at(1, 10), .setPhoneClock(.by(span)))
    }
    #expect(try end(clock(.minutes(12))) == "1h20m The preset p ends: its time is over.")
    #expect(try end(clock(.hours(1))) == "1h10m The preset p ends: its time is over.")
    #expect(try end(clock(.days(30))) == "1h10m The preset p ends: its time is over.")
    let entry = CarbEntryRequest(name: "lunch", grams: 40, absorption: nil, eatenAt: .at(1, 7))
    #expect(
      try end(ScenarioEvent(at: .at(1, 7), .enterCarbs(entry)), .preMeal)
        == "1h7m The preset p ends: carbohydrates are entered.")
    #expect(
      try end(ScenarioEvent(at: .at(1, 7), .reinstallApp)) == "1h7m The preset p ends.")
  }

  @Test("The pre-meal range ends with closed loop, and is told so; another preset goes on")
  func openedLoop() throws {
    let loop = [
      ScenarioEvent(at: .at(0, 50), .setClosedLoop(true)),
      ScenarioEvent(at: .at(1, 7), .setClosedLoop(false)),
    ]
    #expect(
      try Self.presets([Self.start(.preMeal)] + loop) == [
        "1h The preset p starts.", "1h7m The preset p ends: closed loop is switched off.",
      ])
    #expect(
      try Self.presets([Self.start()] + loop) == [
        "1h The preset p starts.", "1h32m The preset p ends: its time is over.",
      ])
  }

  @Test("A preset holds by the phone's clock, also when that is set back")
  func presetAgain() throws {
    let back = ScenarioEvent(at: .at(1, 10), .setPhoneClock(.by(.minutes(-30))))
    #expect(
      try Self.presets([Self.start(), back]) == [
        "1h The preset p starts.",
        "1h10m The preset p ends: the phone's clock was set to a time before it.",
        "1h30m The preset p holds again: the phone's clock was set back.",
        "2h2m The preset p ends: its time is over.",
      ])
    // Within its time again, after it was over.
    var late = back
    late.instant = .at(1, 40)
    #expect(
      try Self.presets([Self.start(), late]) == [
        "1h The preset p starts.", "1h32m The preset p ends: its time is over.",
        "1h40m The preset p holds again: the phone's clock was set back.",
        "2h2m The preset p ends: its time is over.",
      ])
    // Set back by an hour, and right again after ten minutes, when it shows 01:20.
    var hour = back
    hour.action = .setPhoneClock(.by(.hours(-1)))
    let right = ScenarioEvent(at: .at(1, 20), .setPhoneClock(.by(.hours(1))))
    #expect(
      try Self.presets([Self.start(), hour, right]) == [
        "1h The preset p starts.",
        "1h10m The preset p ends: the phone's clock was set to a time before it.",
        "1h20m The preset p holds again: the phone's clock was set to a time within it.",
        "1h32m The preset p ends: its time is over.",
      ])
  }

  @Test("An app that is installed anew learns that delivery is suspended, or stopped by an alarm")
  func installedWhileSuspended() throws {
    let error = Fault(id: "dead", .pump(.alarm(.failure)))
    let stops: [[ScenarioEvent]] = [
      [ScenarioEvent(at: .at(2), .suspend), ScenarioEvent(at: .at(5), .resume)],
      [
        ScenarioEvent(at: .at(2), id: "dead", .beginFault(error)),
        ScenarioEvent(at: .at(5), id: "dead", .endFault(id: "dead")),
      ],
    ]
    for stop in stops {
      var fixture = Fixture()
      fixture.events = stop + [ScenarioEvent(at: .at(3), .reinstallApp)]
      let run = try fixture.result()
      let samples = run.basalSamples.filter { $0.end > .at(3) }
      #expect(samples.map(\.start) == [.at(3), .at(5)])
      #expect(samples.map(\.rate.unitsPerHour) == [0, 0.4])
      #expect(samples.map(\.units.units) == [0, 1.2])
      // Of three hours without the scheduled 0.4 U/h the app knows at their end.
      let row = try #require(run.trace.rows.last { $0.instant <= .at(5) })
      #expect(try #require(row.insulinOnBoard) < -0.5, "\(row)")
    }
  }

  @Test("An app that has lost its memory ends the loop's temp basal when the loop is switched off")
  func loopOffWithoutMemory() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.isClosedLoop = true
    fixture.glucose = 300
    let crash = Fault(id: "crash", .app(.crash(loses: .memory)))
    fixture.events = [
      ScenarioEvent(at: .at(1, 1), id: "crash", .beginFault(crash)),
      ScenarioEvent(at: .at(1, 2), .endFault(id: "crash")),
      ScenarioEvent(at: .at(1, 3), .setClosedLoop(false)),
    ]
    let run = try fixture.result()
    let temps = run.programs.filter { $0.kind == .tempBasal }
    #expect(temps.last?.isAutomatic == true)
    #expect(temps.last?.end == .at(1, 3))
  }
}
