import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

/// Commands take 30 s to reach the pump.
@Suite("Commands on their way to a pump that they do not reach")
struct CommandsUnderwayTests {
  private static func result(
    _ events: [ScenarioEvent], pump: PumpProfile = .generic50
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.profile = pump
    fixture.duration = .hours(4)
    fixture.events = events
    fixture.commandLatency = .seconds(30)
    return try fixture.result()
  }

  private static func bolus(at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(at: instant, id: "b", .bolus(BolusRequest(.units(2), by: .user)))
  }

  @Test(
    "A bolus does not reach the pump, and is told",
    arguments: [
      (PhoneState.off, "the phone went off"), (.bluetoothOff, "Bluetooth went off"),
    ])
  func bolusOnItsWay(state: PhoneState, cause: String) throws {
    for (second, isGiven) in [(10, false), (30, false), (31, true)] as [(Int64, Bool)] {
      let result = try Self.result([
        Self.bolus(at: .at(1)), ScenarioEvent(at: .at(1, 0, second), .setPhone(state)),
        ScenarioEvent(at: .at(1, 10), .setPhone(.on)),
      ])
      let told = result.troubles.filter { $0.kind == .refused }
      let sentence = "The bolus of 2.00 U did not reach the pump: \(cause)."
      #expect(told.map(\.text) == (isGiven ? [] : [sentence]))
      #expect(told.map(\.units) == (isGiven ? [] : [.milliunits(2_000)]))
      #expect(result.boluses.map(\.start) == (isGiven ? [.at(1, 0, 30)] : []))
    }
  }

  @Test("So it is with all that was asked for, and where the phone is on again before it was due")
  func several() throws {
    let result = try Self.result([
      ScenarioEvent(at: .at(1), id: "s", .suspend), Self.bolus(at: .at(1, 0, 5)),
      ScenarioEvent(at: .at(1, 0, 10), id: "off", .beginFault(Fault(id: "off", .phone(.off)))),
      ScenarioEvent(at: .at(1, 0, 20), id: "off", .endFault(id: "off")),
      // Of the suspension that never came there is no end.
      ScenarioEvent(at: .at(2), id: "s", .resume),
    ])
    let told = result.trace.happenings.filter { $0.kind == .warning }
    #expect(told.map(\.instant) == [.at(1, 0, 10), .at(1, 0, 10)])
    #expect(told.map(\.name) == ["suspend", "bolus"])
    #expect(result.boluses.isEmpty)
    #expect(!result.trace.happenings.contains { $0.kind == .suspend || $0.kind == .resume })
  }

  @Test("A command that was sent to a pod is not carried out by the next one")
  func anotherPod() throws {
    for (pump, isGiven) in [(PumpProfile.omnipodDASH, false), (.generic50, true)] {
      let result = try Self.result(
        [
          Self.bolus(at: .at(1)),
          ScenarioEvent(at: .at(1, 0, 10), id: "new", .pump(.replaceReservoir(nil))),
        ], pump: pump)
      let told = result.troubles.filter { $0.kind == .refused }.map(\.text)
      #expect(result.boluses.map(\.start) == (isGiven ? [.at(1, 0, 30)] : []))
      #expect(
        told
          == (isGiven
            ? []
            : [
              "The bolus of 2.00 U did not reach the pump: another pod was put on."
            ]))
    }
  }

  /// Delivery is suspended from 01:00:30 on, by an event that lasts until 02:00.
  private static func resumptions(
    _ asked: [ScenarioEvent], _ fault: Fault.Effect, latency: TimeSpan
  ) throws -> [Instant] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events =
      [
        ScenarioEvent(at: .at(1), id: "s", .suspend),
        ScenarioEvent(at: .at(2), id: "s", .resume),
        // What takes time is on its way by then.
        ScenarioEvent(
          at: .at(1, 30) + .milliseconds(latency.milliseconds / 2), id: "lost",
          .beginFault(Fault(id: "lost", fault))),
        ScenarioEvent(at: .at(1, 40), id: "lost", .endFault(id: "lost")),
      ] + asked
    var setup = try fixture.setup()
    setup.commandLatency = latency
    var run = Run(setup)
    while run.step() {}
    return run.finish().trace.happenings.filter { $0.kind == .resume }.map(\.instant)
  }

  @Test(
    "What is lost, or refused, of another person's acts changes no end of a suspension",
    arguments: [TimeSpan.zero, .seconds(30)])
  func aroundASuspension(latency: TimeSpan) throws {
    let resumption = [ScenarioEvent(at: .at(1, 30), id: "r", .resume)]
    // The other suspension would end before that of the first, or after it.
    let (shorter, longer) = (Int64(50), Int64(90))
    let suspensions = [shorter, longer].map { end in
      [
        ScenarioEvent(at: .at(1, 30), id: "t", .suspend),
        ScenarioEvent(at: .at(1, end), id: "t", .resume),
      ]
    }
    for fault in [Fault.Effect.phone(.bluetoothOff), .pump(.reject([.suspend, .resume]))] {
      for asked in [resumption] + suspensions {
        let resumed = try Self.resumptions(asked, fault, latency: latency)
        #expect(resumed == [.at(2) + latency], "\(asked.map(\.id))")
      }
    }
    // One that the pump takes holds in place of the first.
    for (end, asked) in zip([shorter, longer], suspensions) {
      let resumed = try Self.resumptions(asked, .pump(.reject([.bolus])), latency: latency)
      #expect(resumed == [.at(1, end) + latency])
    }
  }
}
