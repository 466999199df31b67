import ClosedLoop
import Devices
import HealthStore
import Quantities
import Simulation
import Testing

@Suite("Acts that are refused, and told")
struct RefusedActTests {
  /// Four hours in which the phone is off from 01:00 to 02:00.
  private static func result(_ events: [ScenarioEvent]) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events =
      [ScenarioEvent(at: .at(1), id: "off", .setPhone(.off))] + events
      + [ScenarioEvent(at: .at(2), id: "on", .setPhone(.on))]
    return try fixture.result()
  }

  @Test("What is done on the phone does not happen, and is told")
  func onPhone() throws {
    let meal = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(1, 10))
    let run = try Self.result([
      ScenarioEvent(at: .at(1, 10), id: "lunch", .enterCarbs(meal)),
      ScenarioEvent(at: .at(1, 10), id: "for-lunch", .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(
        at: .at(1, 10), id: "as-recommended",
        .bolus(BolusRequest(.recommended(scale: 1, cap: nil), by: .watch))),
      ScenarioEvent(
        at: .at(1, 20), id: "temp",
        .tempBasal(InsulinRate(milliunitsPerHour: 1_000), duration: .minutes(30))),
      ScenarioEvent(at: .at(1, 30), id: "stop", .suspend),
      ScenarioEvent(at: .at(1, 40), id: "loop", .setClosedLoop(true)),
    ])
    #expect(run.boluses.isEmpty)
    #expect(run.programs.map(\.kind) == [.scheduled])
    #expect(run.trace.rows.allSatisfy { $0.carbsEntered.grams == 0 })
    let refused = run.troubles.filter { $0.kind == .refused }
    #expect(
      refused.map(\.text) == [
        "The entry of 30 g did not happen: the phone is off.",
        "A bolus of 2.00 U did not happen: the phone is off.",
        "A recommended bolus did not happen: the phone is off.",
        "A temp basal did not happen: the phone is off.",
        "A suspension did not happen: the phone is off.",
        "Switching closed loop on did not happen: the phone is off.",
      ])
  }

  @Test(
    "What the app recommends nobody can read off a phone that is off, whatever buttons there are")
  func recommendedOnPump() throws {
    for requester in [BolusRequester.pump, .quick] {
      let request = BolusRequest(.recommended(scale: 1, cap: nil), by: requester)
      let run = try Self.result([ScenarioEvent(at: .at(1, 10), id: "b", .bolus(request))])
      #expect(run.boluses.isEmpty)
      #expect(
        run.troubles.filter { $0.kind == .refused }.map(\.text) == [
          "A recommended bolus did not happen: the phone is off."
        ])
    }
  }

  @Test("A deletion tells where there was less to delete than was meant")
  func deletesLess() throws {
    func told(_ request: DeletionRequest, boluses: [Instant]) throws -> [String] {
      var fixture = Fixture()
      fixture.duration = .hours(3)
      fixture.events =
        boluses.map { ScenarioEvent(at: $0, .bolus(BolusRequest(.units(1)))) }
        + [ScenarioEvent(at: .at(1, 31), .delete(request))]
      return try fixture.result().trace.happenings.filter { $0.kind == .warning }.map(\.text)
    }
    let two = DeletionRequest(place: .both, kind: .bolus, last: 2)
    #expect(try told(two, boluses: [.at(0, 30), .at(1)]).isEmpty)
    #expect(
      try told(two, boluses: [.at(1)]) == [
        "Only 1 entry was there to delete in the event history, of the last 2 that were meant.",
        "Only 1 entry was there to delete in the health store, of the last 2 that were meant.",
      ])
    #expect(
      try told(two, boluses: []) == [
        "There was nothing to delete in the event history and the health store."
      ])
    // The pump is still giving the second, which is not in the health store yet.
    let one = DeletionRequest(place: .both, kind: .bolus, last: 1)
    #expect(
      try told(one, boluses: [.at(1, 30)]).contains(
        "There was nothing to delete in the health store."))
  }

  @Test("What was asked for as a bolus is among the requests, and is no command")
  func asked() throws {
    let above = BolusRequest(.units(200), by: .watch, name: "above-every-limit")
    let run = try Self.result([
      ScenarioEvent(at: .at(1, 10), id: "b", .bolus(BolusRequest(.units(4), name: "dinner"))),
      ScenarioEvent(at: .at(1, 20), id: "c", .bolus(above)),
      ScenarioEvent(at: .at(2, 10), id: "d", .bolus(BolusRequest(.units(1), name: "later"))),
    ])
    #expect(run.bolusRequests.map(\.name) == ["dinner", "above-every-limit", "later"])
    #expect(run.bolusRequests.map(\.asked.units) == [4, 200, 1])
    #expect(run.bolusRequests.map(\.isRefused) == [true, true, false])
    #expect(run.bolusRequests.map(\.commanded.units) == [0, 0, 1])
    #expect(run.ledger.boluses.asked.units == 1)
  }

  @Test("A carer's bolus that never came, or was refused, is among the requests")
  func remote() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    func sent(_ at: Instant, _ name: String, until end: Instant) -> ScenarioEvent {
      let request = RemoteRequest(
        .bolus(units: 1), name: name, sentAt: at, expiresAt: end)
      return ScenarioEvent(at: at, id: name, .remote(request))
    }
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      sent(.at(1, 10), "expired", until: .at(1, 15)),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
      sent(.at(2, 10), "given", until: .at(2, 15)),
      ScenarioEvent(at: .at(3), id: "off-again", .setPhone(.off)),
      sent(.at(3, 10), "never", until: .at(3, 15)),
    ]
    let run = try fixture.result()
    #expect(run.bolusRequests.map(\.name) == ["expired", "given", "never"])
    #expect(run.bolusRequests.map(\.isRefused) == [true, false, true])
    #expect(run.boluses.map(\.delivered.units) == [1])
    #expect(
      run.trace.happenings.contains {
        $0.text == "The app does not get a remote bolus of 1.00 U before the end."
      })
    // In the times of all other sentences of the run.
    #expect(
      run.troubles.map(\.text).contains {
        $0.hasSuffix("remote bolus of 1.00 U: The command expired at 01:15:00.")
      })
  }

  @Test("The pump's own buttons work while the phone is off, or without Bluetooth")
  func onPump() throws {
    let bolus = ScenarioEvent(
      at: .at(1, 10), id: "b", .bolus(BolusRequest(.units(1), by: .pump)))
    let off = try Self.result([bolus])
    #expect(off.boluses.map(\.delivered.milliunits) == [1_000])
    #expect(off.insulinDelivery.contains { $0.kind == .bolus && $0.units == 1 })
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "radio", .setPhone(.bluetoothOff)), bolus,
      ScenarioEvent(at: .at(1, 20), id: "in-app", .bolus(BolusRequest(.units(2)))),
    ]
    let silent = try fixture.result()
    #expect(silent.boluses.map(\.delivered.milliunits) == [1_000])
    #expect(silent.troubles.contains { $0.text.hasSuffix("Bluetooth is off.") })
  }

  @Test("What pens and meters have is handed over when the phone is on again")
  func handsOver() throws {
    let pen = HealthStoreWrite(.bolus(units: 2, insulin: nil), start: .at(1, 10), source: "Pen")
    let run = try Self.result([
      ScenarioEvent(at: .at(1, 10), id: "pen", .writeToHealthStore(pen)),
      ScenarioEvent(
        at: .at(1, 20), id: "meter",
        .fingerstick(FingerstickRequest(value: .mgdL(120), relativeError: 0, log: .meter))),
      ScenarioEvent(
        at: .at(1, 30), id: "typed",
        .fingerstick(FingerstickRequest(value: .mgdL(130), relativeError: 0, log: .app))),
    ])
    let dose = try #require(run.insulinSamples.first { $0.source == "Pen" })
    #expect(dose.start == .at(1, 10))
    #expect(dose.writtenAt == .at(2))
    #expect(run.insulinDelivery.contains { $0.units == 2 && !$0.isFromPump })
    let notes = run.trace.happenings.filter { $0.kind == .externalDose }
    #expect(notes.map(\.instant) == [.at(2), .at(2)])
    #expect(
      run.troubles.filter { $0.kind == .refused }.map(\.text)
        == ["130 mg/dL were not typed in the app: the phone is off."])
  }

  @Test("A sensor that was stopped takes no calibration, and that is told")
  func calibrates() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "a", .sensor(.calibrate(.mgdL(140)))),
      ScenarioEvent(at: .at(1), id: "s", .sensor(.stop)),
      ScenarioEvent(at: .at(1, 30), id: "b", .sensor(.calibrate(.mgdL(140)))),
    ]
    let run = try fixture.result()
    let told = run.trace.happenings.filter { $0.name == "calibrate" }
    #expect(told.map(\.kind) == [.cgm, .warning])
    #expect(run.troubles.contains { $0.kind == .refused && $0.text.contains("140 mg/dL") })
  }

  @Test("A resumption is told like the suspension before it")
  func resumes() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "s", .suspend), ScenarioEvent(at: .at(1), id: "r", .resume),
    ]
    let happenings = try fixture.result().trace.happenings
      .filter { $0.kind == .suspend || $0.kind == .resume }
    #expect(happenings.map(\.instant) == [.at(0, 30), .at(1)])
    #expect(happenings.map(\.text) == ["Delivery is suspended.", "Delivery is resumed."])
  }

  @Test("What a person does to no effect is told")
  func toNoEffect() throws {
    var fixture = Fixture()
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "a", .resume), ScenarioEvent(at: .at(2), id: "b", .suspend),
      ScenarioEvent(at: .at(3), id: "c", .suspend), ScenarioEvent(at: .at(4), id: "d", .resume),
      ScenarioEvent(at: .at(5), id: "e", .cancelTempBasal),
      ScenarioEvent(at: .at(6), id: "f", .pump(.clearAlarm)),
      ScenarioEvent(at: .at(7), id: "g", .pump(.attach)),
    ]
    let run = try fixture.result()
    #expect(
      run.trace.happenings.filter { $0.kind == .note }.map(\.text) == [
        "Delivery is not suspended, and there is nothing to resume.",
        "Delivery is suspended already.", "No temp basal runs that could be cancelled.",
        "No alarm has stopped the pump that could be cleared.", "The pump is on already.",
      ])
    #expect(run.troubles.map(\.kind) == [.missedCycles])
  }

  @Test("That a reply was lost is told in words, and what was given of a bolus")
  func lostReply() throws {
    var fixture = Fixture()
    let lost = UncertainDelivery(trulyDelivered: 0.6, resolveAfter: .minutes(10))
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "lost", .beginFault(Fault(id: "lost", .pump(.uncertainDelivery(lost))))),
      ScenarioEvent(at: .at(1, 5), id: "a", .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(2), id: "b", .suspend),
    ]
    let told = try fixture.result().trace.happenings.map(\.text)
    let words = "is carried out, and the reply to it is lost"
    #expect(told.contains("The bolus of 2.00 U \(words); the pump gives 60 % of it."))
    #expect(told.contains("The suspend \(words)."))
  }

  @Test("Who cancels a bolus that is over stops no other one", arguments: [0, 40])
  func laterBolus(latency: Int64) throws {
    var fixture = Fixture()
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "a", .bolus(BolusRequest(.units(2), cancelAfter: .minutes(10)))),
      ScenarioEvent(at: .at(1, 8), id: "b", .bolus(BolusRequest(.units(6)))),
      ScenarioEvent(
        at: .at(2), id: "c", .bolus(BolusRequest(.units(6), cancelAfter: .minutes(1)))),
    ]
    fixture.commandLatency = .seconds(latency)
    let result = try fixture.result()
    // 40 s for each unit: the first is over after 80 s, and the last has a minute.
    #expect(result.boluses.map(\.delivered.milliunits) == [2_000, 6_000, 1_500])
    let refused = result.troubles.filter { $0.kind == .refused }.map(\.text)
    #expect(
      refused == [
        "The cancellation of the bolus failed: The bolus that is being given is another."
      ])
  }

  @Test("What an event made is found by its name also where commands take time")
  func namedLater() throws {
    var fixture = Fixture()
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "a", .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(2), id: "b", .bolus(BolusRequest(.units(1)))),
      ScenarioEvent(
        at: .at(3), id: "no",
        .delete(DeletionRequest(place: .eventHistory, kind: .any, id: "a"))),
    ]
    fixture.commandLatency = .seconds(20)
    let kept = try fixture.result().eventHistory.filter { $0.kind == .bolus }
    #expect(kept.map(\.programmed?.milliunits) == [1_000])
  }

  @Test("A person asked for a bolus also where its command was seven hours on its way")
  func longWay() throws {
    var fixture = Fixture()
    fixture.duration = .hours(9)
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 30), id: "no", .beginFault(Fault(id: "no", .pump(.reject([.bolus]))))),
      ScenarioEvent(at: .at(1), id: "b", .bolus(BolusRequest(.units(2), by: .user))),
    ]
    fixture.commandLatency = .hours(7)
    let told = try fixture.result().troubles.filter { $0.kind == .refused }
    #expect(told.map(\.start) == [.at(8)] && told.map(\.units) == [.milliunits(2_000)])
  }

  @Test("What a meter showed is deleted by its name", arguments: [true, false])
  func namedFingerstick(isTyped: Bool) throws {
    var fixture = Fixture()
    let log = isTyped ? FingerstickRequest.Log.app : .meter
    fixture.events = ["a", "b"].enumerated().map { index, id in
      ScenarioEvent(
        at: .at(1, 1 + Int64(index)), id: id,
        .fingerstick(FingerstickRequest(value: .mgdL(99), relativeError: 0, log: log)))
    }
    fixture.events.append(
      ScenarioEvent(
        at: .at(2), id: "no",
        .delete(DeletionRequest(place: .healthStore, kind: .any, id: "a"))))
    let told = try fixture.result().trace.happenings.filter {
      $0.kind == .deletion || $0.name == "delete"
    }
    #expect(
      told.map(\.text) == [
        "The sample of 2026-01-15T01:01:00Z (BloodGlucose) is deleted in the health store."
      ])
  }

  @Test("What reached the pump late is found by its name, to be deleted and cancelled")
  func lateCommand() throws {
    var fixture = Fixture()
    let loss = CommunicationLoss(commands: .late(.minutes(20)))
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "far", .beginFault(Fault(id: "far", .pump(.communicationLoss(loss))))),
      ScenarioEvent(at: .at(1, 10), id: "lunch", .bolus(BolusRequest(.units(3)))),
      ScenarioEvent(
        at: .at(1, 12), id: "temp",
        .tempBasal(.init(milliunitsPerHour: 1_000), duration: .minutes(30))),
      ScenarioEvent(at: .at(1, 25), id: "far", .endFault(id: "far")),
      // It is given since 01:30, at 1.5 U a minute.
      ScenarioEvent(at: .at(1, 31), id: "lunch", .cancelBolus(onPump: false)),
      ScenarioEvent(
        at: .at(3), .delete(DeletionRequest(place: .both, kind: .any, id: "lunch"))),
      ScenarioEvent(at: .at(4), .delete(DeletionRequest(place: .both, kind: .any, id: "temp"))),
    ]
    let run = try fixture.result()
    #expect(run.boluses.map(\.start) == [.at(1, 30)])
    #expect(run.boluses.map(\.delivered.units) == [1.5])
    let told = run.trace.happenings.filter { $0.kind == .deletion }.map { ($0.instant, $0.name) }
    #expect(
      told.map(\.0) == [.at(3), .at(3), .at(4), .at(4)], "\(run.trace.happenings.map(\.text))")
  }

  @Test("The end of a suspension does not end another one that came later")
  func laterSuspension() throws {
    func suspended(_ events: [(Int64, String, ScenarioEvent.Action)]) throws -> [Range<Instant>] {
      var fixture = Fixture()
      fixture.events = events.map { ScenarioEvent(at: .at(0, $0), id: $1, $2) }
      let programs = try fixture.result().programs.filter { $0.kind == .suspended }
      return programs.map { $0.start..<$0.end }
    }
    // For 40 minutes from 01:00, resumed at 01:10; and from 01:20 until resumed at 03:00.
    #expect(
      try suspended([
        (60, "a", .suspend), (70, "go", .resume), (80, "b", .suspend), (100, "a", .resume),
        (180, "again", .resume),
      ]) == [.at(1)..<(.at(1, 10)), .at(1, 20)..<(.at(3))])
    // For an hour from 01:00, and from 01:10 for two.
    #expect(
      try suspended([
        (60, "a", .suspend), (70, "b", .suspend), (120, "a", .resume), (190, "b", .resume),
      ]) == [.at(1)..<(.at(3, 10))])
    // One that is refused takes nothing's place.
    #expect(
      try suspended([
        (60, "a", .suspend),
        (65, "no", .beginFault(Fault(id: "no", .pump(.reject([.suspend]))))),
        (70, "b", .suspend), (120, "a", .resume), (190, "b", .resume),
      ]) == [.at(1)..<(.at(2))])
  }

  @Test("A meter shows no glucose that no meter shows, whatever the body's is")
  func meter() throws {
    var fixture = Fixture()
    fixture.events = [
      ScenarioEvent(at: .at(0, 5), id: "much", .bolus(BolusRequest(.units(9)))),
      ScenarioEvent(
        at: .at(6), id: "low",
        .fingerstick(FingerstickRequest(value: nil, relativeError: 0, log: .meter))),
      ScenarioEvent(
        at: .at(6, 30), id: "typed",
        .fingerstick(FingerstickRequest(value: nil, relativeError: 0, log: .app))),
    ]
    let run = try fixture.result()
    // 9 U lower glucose by 50 mg/dL each, of 110 mg/dL.
    #expect(run.trace.rows.contains { $0.trueGlucose.mgdL < -200 })
    #expect(!run.troubles.contains { $0.kind == .refused }, "\(run.troubles)")
    let shown = run.trace.happenings.filter { $0.name == "fingerstick" }.map(\.text)
    #expect(shown.filter { $0 == "A meter shows 10 mg/dL." }.count == 2, "\(shown)")
  }
}
