import Devices
import Quantities
import Testing

@testable import Simulation

/// Pump and body alone: the schedule runs at 0.4 U/h in pulses of 0.05 U, one every 7.5 min.
@Suite("The way of insulin from the pump to the body")
struct DeliveryTests {
  private static func delivery(hasApp: Bool = true) throws -> Delivery {
    var setup = try Fixture().setup()
    setup.hasApp = hasApp
    return Delivery(beginning: setup)
  }

  @Test("Each pulse is written down at its own instant, and what the app has not read is kept")
  func pulses() throws {
    var (delivery, trace) = (try Self.delivery(), Trace())
    delivery.live(to: .at(0, 16), noting: &trace)
    #expect(delivery.record.pulses.map(\.instant) == [.at(0, 7, 30), .at(0, 15)])
    #expect(delivery.record.pulses.map(\.physicalUnits) == [0.05, 0.05])
    #expect(!delivery.unread.isEmpty)
    delivery.forgetUnread()
    #expect(delivery.unread.isEmpty)
    // Pulses are no news for a person.
    #expect(trace.happenings.isEmpty)
  }

  @Test("Nothing is kept for an app that is not there")
  func withoutApp() throws {
    var (delivery, trace) = (try Self.delivery(hasApp: false), Trace())
    delivery.live(to: .at(1), noting: &trace)
    #expect(delivery.record.pulses.count == 8)
    #expect(delivery.unread.isEmpty)
  }

  @Test("A pump that is taken off counts on, and nothing reaches the body")
  func detached() throws {
    var (delivery, trace) = (try Self.delivery(), Trace())
    delivery.perform(.remove, at: .at(0), noting: &trace)
    delivery.live(to: .at(0, 8), noting: &trace)
    delivery.perform(.attach, at: .at(0, 8), noting: &trace)
    delivery.live(to: .at(0, 16), noting: &trace)
    #expect(delivery.record.pulses.map(\.recorded) == [.milliunits(50), .milliunits(50)])
    #expect(delivery.record.pulses.map(\.physicalUnits) == [0, 0.05])
    #expect(trace.happenings.map(\.name) == ["remove", "attach"])
  }

  @Test("After a suspended pod the next one delivers, and the app's records know of it")
  func suspendedPod() throws {
    for (profile, isOver) in [(PumpProfile.omnipodDASH, true), (.generic50, false)] {
      var fixture = Fixture(profile: profile)
      fixture.duration = .hours(4)
      fixture.events = [
        ScenarioEvent(at: .at(1), id: "s", .suspend),
        ScenarioEvent(at: .at(2), id: "new", .pump(.replaceReservoir(nil))),
        ScenarioEvent(at: .at(3), id: "b", .bolus(BolusRequest(.units(1), by: .user))),
      ]
      let run = try fixture.result()
      #expect(run.trace.happenings.contains { $0.kind == .resume } == isOver)
      #expect(run.boluses.map(\.delivered) == (isOver ? [.milliunits(1_000)] : []))
      #expect(run.programs.last?.kind == .suspended || isOver)
      let end = Instant.at(2)
      #expect(run.programs.contains { $0.kind == .suspended && $0.end == end } == isOver)
      #expect(!run.agreement.differences.contains { $0.severity <= .check })
      #expect(run.ledger.checkConservation() == nil)
    }
  }

  @Test("A pod that was taken off is replaced by one that is put on, and a pump stays off")
  func replacedPod() throws {
    for (profile, reaching) in [(PumpProfile.omnipodDASH, 0.05), (.generic50, 0)] {
      let setup = try Fixture(profile: profile).setup()
      var (delivery, trace) = (Delivery(beginning: setup), Trace())
      delivery.perform(.remove, at: .at(0), noting: &trace)
      delivery.live(to: .at(0, 25), noting: &trace)
      delivery.perform(.replaceReservoir(nil), at: .at(0, 25), noting: &trace)
      delivery.live(to: .at(0, 50), noting: &trace)
      let physical = delivery.record.pulses.map(\.physicalUnits)
      #expect(physical == [0, 0, 0, reaching, reaching, reaching])
    }
  }

  @Test("A pod is put on as a whole, and in other pumps a reservoir is put in")
  func wordsOfReplacement() throws {
    for (profile, off, on) in [
      (
        PumpProfile.omnipodDASH, ["remove", "replace", "prime", "attach"],
        ["A pod with 100.00 U is put on.", "The next pod is on the body."]
      ), (.generic50, ["remove", "replace"], ["A reservoir with 100.00 U is put in."]),
    ] {
      let setup = try Fixture(profile: profile).setup()
      var (delivery, trace) = (Delivery(beginning: setup), Trace())
      delivery.perform(.remove, at: .at(0), noting: &trace)
      delivery.perform(.replaceReservoir(.milliunits(100_000)), at: .at(0, 1), noting: &trace)
      let told = trace.happenings.filter { $0.kind == .pump && $0.name != "prime" }
      #expect(trace.happenings.map(\.name).filter { $0 != "end" && $0 != "start" } == off)
      #expect(told.dropFirst().map(\.text) == on)
    }
  }

  @Test("What runs when the pump is put on again is the entry of the schedule that holds then")
  func attachedLater() throws {
    var setup = try Fixture(basal: [(0, 400), (1, 800)]).setup()
    setup.inflow = .continuous
    var (delivery, trace) = (Delivery(beginning: setup), Trace())
    delivery.live(to: .at(2), noting: &trace)
    delivery.perform(.remove, at: .at(2), noting: &trace)
    delivery.live(to: .at(3), noting: &trace)
    delivery.perform(.attach, at: .at(3), noting: &trace)
    delivery.live(to: .at(5), noting: &trace)
    var intake = delivery.body.intake
    intake.settle(at: .at(5))
    #expect((intake.basal - (0.4 + 0.8 + 1.6)).magnitude < 1e-12)
    #expect((intake.spilled - 0.8).magnitude < 1e-12)
  }

  @Test("Of a whole bolus that stops, the body gives back what was not given")
  func stoppedWholeBolus() throws {
    // 2 U take 80 s, and 1 U is given after 40 s; the body of 1 U is that of 1 U asked for.
    var glucose: [Double] = []
    for (asked, isCancelled) in [(Int64(2_000), true), (1_000, false)] {
      var setup = try Fixture().setup()
      setup.inflow = .continuous
      var (delivery, trace) = (Delivery(beginning: setup), Trace())
      try delivery.perform(
        .startBolus(.milliunits(asked), automatic: false), at: .at(0), noting: &trace)
      delivery.live(to: .at(0, 0, 40), noting: &trace)
      if isCancelled { try delivery.perform(.cancelBolus, at: .at(0, 0, 40), noting: &trace) }
      #expect(delivery.body.intake.bolus == 1)
      delivery.live(to: .at(2), noting: &trace)
      glucose.append(delivery.body.glucose.mgdL)
    }
    #expect((glucose[0] - glucose[1]).magnitude < 1e-9)
  }

  @Test("Of a whole bolus that runs when the run ends, the body has what was given")
  func wholeBolusAtTheEnd() throws {
    // 2 U take 80 s, of which 40 are left: on, and off, where nothing reaches the body.
    for isOn in [true, false] {
      var fixture = Fixture()
      fixture.duration = .hours(1)
      fixture.events = [
        ScenarioEvent(at: .at(0, 59, 20), .bolus(BolusRequest(.units(2), name: "b")))
      ]
      if !isOn { fixture.events.insert(ScenarioEvent(at: .at(0, 59), .pump(.remove)), at: 0) }
      var setup = try fixture.setup()
      setup.inflow = .continuous
      var run = Run(setup)
      while run.step() {}
      let result = run.finish()
      #expect(result.agreement.bolus.pump == 1)
      #expect(result.agreement.bolus.body == (isOn ? 1 : 0))
      #expect(!result.agreement.differences.contains { $0.kind == .fedContinuously })
    }
  }

  @Test("Of a whole bolus in which the reservoir empties, the body has what was in it")
  func emptiedByWholeBolus() throws {
    var fixture = Fixture()
    fixture.reservoir = .milliunits(1_000)
    var setup = try fixture.setup()
    setup.inflow = .continuous
    var (delivery, trace) = (Delivery(beginning: setup), Trace())
    try delivery.perform(
      .startBolus(.milliunits(2_000), automatic: false), at: .at(0), noting: &trace)
    delivery.live(to: .at(0, 2), noting: &trace)
    #expect(delivery.record.boluses.map(\.delivered) == [.milliunits(1_000)])
    #expect(delivery.body.intake.bolus == 1)
  }

  @Test("Of a whole bolus the body has what is given while the pump is on")
  func wholeBolusOfPumpTakenOff() throws {
    // 2 U in 80 s, of which 20 s and 0.5 U pass while the pump is off, as 20 s of 0.4 U/h do.
    var setup = try Fixture().setup()
    setup.inflow = .continuous
    var (delivery, trace) = (Delivery(beginning: setup), Trace())
    try delivery.perform(
      .startBolus(.milliunits(2_000), automatic: false), at: .at(0), noting: &trace)
    delivery.live(to: .at(0, 0, 40), noting: &trace)
    delivery.perform(.remove, at: .at(0, 0, 40), noting: &trace)
    delivery.live(to: .at(0, 1), noting: &trace)
    delivery.perform(.attach, at: .at(0, 1), noting: &trace)
    delivery.live(to: .at(0, 2), noting: &trace)
    let intake = delivery.body.intake
    #expect((intake.bolus - 1.5).magnitude < 1e-12)
    #expect((intake.spilled - 0.5 - 0.4 * 20 / 3_600).magnitude < 1e-12)
  }

  @Test("A bolus of the algorithm is told from one of a person, which the pump does not do")
  func channels() throws {
    for (isAutomatic, channel) in [
      (true, PumpPulseRecord.Channel.automaticBolus), (false, .userBolus),
    ] {
      var (delivery, trace) = (try Self.delivery(), Trace())
      try delivery.perform(
        .startBolus(.milliunits(100), automatic: isAutomatic), at: .at(0), noting: &trace)
      delivery.live(to: .at(0, 5), noting: &trace)
      #expect(delivery.record.pulses.map(\.channel) == [channel, channel])
      #expect(delivery.record.boluses.map(\.delivered) == [.milliunits(100)])
      #expect(trace.happenings.map(\.name) == ["start", "end"])
    }
  }

  @Test("The program of a command that took time knows when that was sent, and the next does not")
  func sent() throws {
    var (delivery, trace) = (try Self.delivery(), Trace())
    delivery.live(to: .at(0), noting: &trace)
    let command = PumpCommand.startTempBasal(.zero, duration: .minutes(30), automatic: false)
    try delivery.perform(command, sent: .at(0), at: .at(0, 1), noting: &trace)
    delivery.live(to: .at(1), noting: &trace)
    delivery.endPrograms(at: .at(1))
    #expect(delivery.record.programs.map(\.kind) == [.scheduled, .tempBasal, .scheduled])
    #expect(delivery.record.programs.map(\.sent) == [nil, .at(0), nil])
  }

  @Test("A command that is refused changes nothing, and a service that is refused is told")
  func refusals() throws {
    var (delivery, trace) = (try Self.delivery(), Trace())
    try delivery.perform(.suspend, at: .at(0), noting: &trace)
    let bolus = PumpCommand.startBolus(.milliunits(1_000), automatic: false)
    #expect(throws: PumpError.suspended) {
      try delivery.perform(bolus, at: .at(0), noting: &trace)
    }
    // What has expired must be replaced.
    delivery.begin(.alarm(.expired), id: "expired", at: .at(0), noting: &trace)
    let told = trace.happenings.count
    delivery.perform(.clearAlarm, at: .at(0), noting: &trace)
    #expect(trace.happenings.dropFirst(told).map(\.kind) == [.warning])
    #expect(delivery.record.boluses.isEmpty)
    #expect(delivery.brokenLaw(at: .at(0)) == nil)
  }

  @Test("A pulse that breaks a law is found, at the latest at the next look")
  func laws() throws {
    var (delivery, trace) = (try Self.delivery(), Trace())
    delivery.live(to: .at(1), noting: &trace)
    #expect(delivery.brokenLaw(at: .at(1)) == nil)
    delivery.note(
      PumpPulseRecord(
        instant: .at(1), recorded: .milliunits(70), physicalUnits: 0.07, channel: .basal))
    #expect(delivery.brokenLaw(at: .at(1, 5))?.name == "delivery-is-whole-pulses")
    #expect(delivery.brokenLaw(at: .at(1, 5))?.instant == .at(1, 5))
  }
}
