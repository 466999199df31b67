import Devices
import Quantities
import Simulation
import Testing

@Suite("Insulin lost to pulses")
struct LostToPulsesTests {
  @Test("A temp basal every four minutes loses what it has earned each time")
  func everyCommand() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 600)]
    fixture.duration = .hours(2)
    // At 0.6 U/h a pulse of 0.05 U takes five minutes: four earn 0.04 U, which a command forgets.
    fixture.events = (0..<30).map { count in
      ScenarioEvent(
        at: .at(0) + .minutes(4) * count,
        .tempBasal(InsulinRate(milliunitsPerHour: 600), duration: .minutes(30)))
    }
    let run = try fixture.result()
    // The last four minutes of two hours are still pending.
    let lost = try #require(run.basalLostPercent)
    #expect(abs(lost - 100 * 116.0 / 120) < 1e-9)
    #expect(run.ledger.basal.delivered == .zero)
    // 1.2 U in two hours: 29 commands forgot 0.04 U each, and the last four minutes are pending.
    let account = DeliveryAccount(run)
    #expect(abs(account.asked - 1.2) < 1e-9)
    #expect(account.delivered == 0 && account.notAbsorbed == 0)
    #expect(abs(account.undelivered - 1.16) < 1e-9)
    #expect(abs(account.pending - 0.04) < 1e-9)
  }

  @Test("What an empty reservoir lacked is not lost to pulses")
  func missed() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    // At 0.4 U/h the pulse of 01:07:30 finds nothing, and no fraction has been earned then.
    fixture.events = [
      ScenarioEvent(at: .at(1, 5), .beginFault(Fault(id: "empty", .pump(.empty))))
    ]
    let run = try fixture.result()
    #expect(run.ledger.basal.discarded.milliunits == 50)
    #expect(run.basalLostPercent == 0)
  }

  @Test("A fifth of all basal that the pump forgot went wrong, and less of it is its way")
  func muchIsTrouble() throws {
    func troubles(minutes: Int64, count: Int64) throws -> [String] {
      var fixture = Fixture()
      fixture.basal = [(0, 600)]
      fixture.duration = .hours(2)
      fixture.events = (0..<count).map { place in
        ScenarioEvent(
          at: .at(0) + .minutes(minutes) * place,
          .tempBasal(InsulinRate(milliunitsPerHour: 600), duration: .minutes(30)))
      }
      return try fixture.result().troubles.filter { $0.kind == .wrongDelivery }.map(\.text)
    }
    // 29 times 0.04 U of 1.2 U; every 22 minutes 0.02 U of 0.22 U are forgotten.
    #expect(
      try troubles(minutes: 4, count: 30) == [
        "1.16 U, 97 % of all basal, were programmed and never given: the pump discarded a fraction "
          + "of a pulse at 29 commands."
      ])
    #expect(try troubles(minutes: 22, count: 6).isEmpty)
  }

  @Test("What was asked for is delivered, never given or pending; what air takes is not absorbed")
  func account() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    let air = Fault(id: "air", .pump(.airBubble(.milliunits(100))))
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "air", .beginFault(air)),
      ScenarioEvent(at: .at(1), id: "dose", .bolus(BolusRequest(.units(1), by: .pump))),
    ]
    let account = DeliveryAccount(try fixture.result())
    // 0.4 U/h for two hours, and the bolus.
    #expect(abs(account.asked - 1.8) < 1e-9)
    #expect(
      abs(account.asked - account.delivered - account.undelivered - account.pending) < 1e-9)
    #expect(abs(account.notAbsorbed - 0.1) < 1e-9)
  }

  @Test("What people asked for in vain was asked for and never given")
  func inVain() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      // Above the limit of 10 U, between the steps of 0.05 U, and refused while another is given.
      ScenarioEvent(at: .at(1), id: "high", .bolus(BolusRequest(.units(12), by: .user))),
      ScenarioEvent(at: .at(1, 1), id: "early", .bolus(BolusRequest(.units(3), by: .user))),
      ScenarioEvent(at: .at(2), id: "odd", .bolus(BolusRequest(.units(1.23), by: .user))),
      ScenarioEvent(at: .at(3), id: "off", .suspend),
      ScenarioEvent(at: .at(3, 10), id: "button", .bolus(BolusRequest(.units(2), by: .pump))),
    ]
    let run = try fixture.result()
    #expect(run.bolusesInVain.map(\.asked) == [.milliunits(3_000), .milliunits(2_000)])
    let account = DeliveryAccount(run)
    // 0.4 U/h for three hours and 11.2 U of boluses are given, 2 + 0.03 + 3 + 2 U are not.
    #expect(abs(account.delivered - 12.4) < 1e-9)
    #expect(abs(account.undelivered - 7.03) < 1e-9, "\(account)")
    #expect(
      abs(account.asked - account.delivered - account.undelivered - account.pending) < 1e-9)
  }

  @Test("Of two boluses at once the one that the pump refused is the one in vain")
  func inVainBesideAnother() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [(3.0, "first"), (2, "second")].map { units, id in
      ScenarioEvent(at: .at(1), id: id, .bolus(BolusRequest(.units(units), by: .user)))
    }
    for latency in [TimeSpan.zero, .seconds(1), .seconds(20)] {
      fixture.commandLatency = latency
      let result = try fixture.result()
      #expect(result.boluses.map(\.asked) == [.milliunits(3_000)])
      #expect(result.bolusesInVain.map(\.asked) == [.milliunits(2_000)])
      #expect(abs(DeliveryAccount(result).undelivered - 2) < 1e-9)
    }
  }

  @Test("A bolus of which a pump gives whole pulses alone is not asked for in vain")
  func notInVain() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    // A pulse of 0.025 U, and boluses in steps of 0.01 U: of 2.06 U it begins 2.05 U.
    fixture.profile = .tandemX2
    fixture.profile.pulse = .milliunits(25)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "dose", .bolus(BolusRequest(.units(2.06), by: .user)))
    ]
    for latency in [TimeSpan.zero, .seconds(1), .seconds(20)] {
      fixture.commandLatency = latency
      let result = try fixture.result()
      #expect(result.boluses.map(\.asked) == [.milliunits(2_050)])
      #expect(result.bolusesInVain.isEmpty)
    }
  }

  @Test("What a pump gives while it is taken off is not absorbed, whether or not it counts it")
  func takenOff() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .pump(.remove)),
      ScenarioEvent(at: .at(2), id: "dose", .bolus(BolusRequest(.units(1), by: .pump))),
      ScenarioEvent(at: .at(3), id: "on", .pump(.attach)),
    ]
    let run = try fixture.result()
    // Two hours of 0.4 U/h, and the bolus; the body has the other two hours.
    #expect(abs(DeliveryAccount(run).notAbsorbed - 1.8) < 1e-9)
    #expect(abs(run.agreement.takenOff - 1.8) < 1e-9)
    #expect(abs(run.agreement.basal.body + run.agreement.bolus.body - 0.8) < 1e-9)
  }

  @Test("A schedule that runs by itself loses nothing")
  func undisturbed() throws {
    #expect(try Fixture().result().basalLostPercent == 0)
  }
}
