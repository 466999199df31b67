import ClosedLoop
import Devices
import HealthStore
import Physiology
import Quantities
import Simulation
import Testing

@Suite("Differences between the records")
struct DifferenceTests {
  private func kinds(_ events: [ScenarioEvent]) throws -> [RecordDifference.Kind: Double] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = events
    let run = try fixture.result()
    return Dictionary(
      run.agreement.differences.map { ($0.kind, $0.units) }, uniquingKeysWith: { $0 + $1 })
  }

  @Test("A pen dose in the health store is expected, and counts as external")
  func externalDose() throws {
    let found = try kinds([
      ScenarioEvent(at: .at(1), .inject(units: 2, formulation: .humalog, name: "humalog")),
      ScenarioEvent(
        at: .at(1),
        .writeToHealthStore(
          HealthStoreWrite(.bolus(units: 2, insulin: nil), start: .at(1), source: "Pen"))),
    ])
    #expect(found[.externalDose] == 2)
    #expect(found[.unloggedInjection] == nil)
  }

  @Test("An injection that nobody logs is named with its amount")
  func unloggedInjection() throws {
    let found = try kinds([
      ScenarioEvent(at: .at(1), .inject(units: 1.5, formulation: .humalog, name: "humalog"))
    ])
    #expect(found[.unloggedInjection] == -1.5)
  }

  @Test("A bolus deleted in both places is named: the body has it")
  func deletedEverywhere() throws {
    let found = try kinds([
      ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(1, 31), .delete(DeletionRequest(place: .both, kind: .bolus, last: 1))),
    ])
    #expect(found[.deletedEverywhere] == -2)
  }

  @Test("A bolus that is deleted while it is given, to the end of the run, is to be checked")
  func deletedWhileGiven() throws {
    // Two minutes of 40 s for a unit.
    let found = try kinds([
      ScenarioEvent(at: .at(3, 58), .bolus(BolusRequest(.units(8)))),
      ScenarioEvent(at: .at(3, 59), .delete(DeletionRequest(place: .both, kind: .bolus, last: 1))),
    ])
    #expect(found[.deletedFromEventHistory] == -3)
    #expect(found[.runningBolus] == nil)
  }

  @Test(
    "A bolus that did not reach the body, and was deleted, is not said to be in it",
    arguments: [
      (PumpFault.occlusion(Occlusion(detection: .never)), "the body got none of it"),
      (.leak(fraction: 1), "the body got none of it"),
      (.leak(fraction: 0.5), "the body got 1.00 U"),
    ])
  func notInTheBody(fault: PumpFault, clause: String) throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), .beginFault(Fault(id: "site", .pump(fault)))),
      ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(1, 31), .delete(DeletionRequest(place: .both, kind: .bolus, last: 1))),
    ]
    let texts = try fixture.result().agreement.differences.map(\.text)
    #expect(
      texts.contains(
        "The bolus of 01:00:00 (2.00 U) was deleted in both places; "
          + "\(clause) while it was given, and IOB does not count it."), "\(texts)")
  }

  @Test("A bolus deleted in the health store alone is written again")
  func writtenAgain() throws {
    let found = try kinds([
      ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(
        at: .at(1, 31), .delete(DeletionRequest(place: .healthStore, kind: .bolus, last: 1))),
    ])
    #expect(found[.writtenAgain] == 0)
  }

  @Test("Insulin behind an occlusion is counted and not absorbed")
  func notAbsorbed() throws {
    let found = try kinds([
      ScenarioEvent(
        at: .at(1),
        .beginFault(Fault(id: "blocked", .pump(.occlusion(Occlusion(detection: .never)))))),
      ScenarioEvent(at: .at(1, 5), .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(2), .endFault(id: "blocked")),
    ])
    // 2 U of bolus and the pulses of an hour at 0.4 U/h, 8 of 0.05 U.
    #expect(found[.notAbsorbed] == -2.4)
  }

  @Test("A sample that says more than the pump gave is a fault")
  func nothingIsHidden() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(
        at: .at(1),
        .authorize(HealthStoreAccess(data: [.insulin], directions: [.write], isGranted: false)))
    ]
    let run = try fixture.result()
    #expect(run.agreement.answer == .explained)
    #expect(run.agreement.differences.first?.kind == .notAllowed)
    #expect(run.agreement.differences.first?.units == -0.8)
  }

  @Test("What the app forgets because the phone's clock is far ahead has its cause")
  func forgottenByAClock() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(2), .setPhoneClock(.by(.days(30)))),
    ]
    let run = try fixture.result()
    #expect(!run.eventHistory.contains { $0.kind == .bolus })
    #expect(run.agreement.answer == .explained)
    let found = run.agreement.differences.filter { $0.origin == .bolus }
    #expect(found.map(\.severity) == [.check])
    #expect(
      found.map(\.text) == [
        "The bolus of 01:00:00 (2.00 U) is in the health store alone, as the phone's clock was 30d "
          + "ahead, and the app forgets what is old."
      ])
  }

  @Test("What a pump that is off gives without a command is named where rates feed the body too")
  func unrequestedWhileOff() throws {
    let fault = Fault(id: "u", .pump(.unrequested(.milliunits(3_000))))
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1), .pump(.remove)),
      ScenarioEvent(at: .at(1, 30), id: "u", .beginFault(fault)),
      ScenarioEvent(at: .at(2), .pump(.attach)),
    ]
    for inflow in [Inflow.pulses, .continuous] {
      var setup = try fixture.setup()
      setup.inflow = inflow
      var run = Run(setup)
      while run.step() {}
      let found = run.finish().agreement.differences
      #expect(
        found.map(\.text).contains(
          "The pump gave 3.00 U at 01:30:00 without a command, of which none reached the body, and "
            + "no record knows of it."), "\(inflow): \(found.map(\.text))")
      // 0.4 U/h are as many pulses as flow.
      #expect(!found.contains { $0.kind == .fedContinuously || $0.kind == .unexplained })
    }
  }

  @Test("What a pump that is off gave has its time where rates feed the body too")
  func takenOffWhileFedByRates() throws {
    // 0.4 U/h are a pulse of 0.05 U in 7.5 minutes: eight of them in the hour from 01:00 on, of
    // which the last comes as the pump is put on.
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1, 1), .pump(.remove)), ScenarioEvent(at: .at(2, 1), .pump(.attach)),
    ]
    var setup = try fixture.setup()
    setup.inflow = .continuous
    var run = Run(setup)
    while run.step() {}
    #expect(
      run.finish().agreement.differences.map(\.text).contains(
        "0.40 U that the pump counted did not reach the body between 01:07:30 and 02:00:00: the "
          + "pump was taken off."))
  }

  @Test("A loss that what nobody asked for shares has no time but one that holds it, too")
  func airInUnrequested() throws {
    // At 0.4 U/h the air takes the pulses of 01:07:30, 01:15:00, 01:22:30 and 01:30:00, which are
    // 0.20 U, and 0.30 U of what comes then or a minute later.
    for (minute, stretch) in [(30, " between 01:07:30 and 01:30:00"), (31, "")] as [(Int64, String)]
    {
      var fixture = Fixture()
      fixture.duration = .hours(2)
      fixture.events = [
        ScenarioEvent(
          at: .at(1), .beginFault(Fault(id: "air", .pump(.airBubble(.milliunits(500)))))),
        ScenarioEvent(
          at: .at(1, minute), .beginFault(Fault(id: "u", .pump(.unrequested(.milliunits(1_000)))))),
      ]
      let found = try fixture.result().agreement.differences.map(\.text)
      #expect(
        found.contains(
          "0.50 U that the pump measured out did not reach the body\(stretch): air was in the "
            + "tubing."), "\(found)")
    }
  }

  @Test("What was programmed and never given is not laid to commands where there were none")
  func discardedWithoutCommand() throws {
    // 0.4 U/h earn 0.033 U in five minutes; the pulse of 01:07:30 finds an empty reservoir.
    let told: [(PumpFault, String)] = [
      (
        .alarm(.failure),
        "0.033 U were programmed and never given: the pump discarded a fraction of "
          + "a pulse at 1 alarm."
      ),
      (.empty, "0.05 U were programmed and never given: the reservoir had no insulin for it."),
    ]
    for (fault, text) in told {
      var fixture = Fixture()
      fixture.duration = .hours(2)
      fixture.events = [
        ScenarioEvent(at: .at(1, 5), .beginFault(Fault(id: "f", .pump(fault))))
      ]
      let found = try fixture.result().agreement.differences
      #expect(found.filter { $0.kind == .discardedFractions }.map(\.text) == [text])
    }
  }
}
