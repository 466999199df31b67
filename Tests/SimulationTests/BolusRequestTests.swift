import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

/// What is asked for, what the pump is told, and what the body gets are three figures.
@Suite("What was asked for as a bolus")
struct BolusRequestTests {
  private static func run(
    _ request: BolusRequest, _ change: (inout Fixture) -> Void = { _ in }
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.glucose = 200
    fixture.duration = .hours(4)
    fixture.events = [ScenarioEvent(at: .at(1), id: "dose", .bolus(request))]
    change(&fixture)
    let run = try fixture.result()
    #expect(run.ledger.checkConservation() == nil)
    #expect(
      run.bolusRequests.reduce(InsulinAmount.zero) { $0 + $1.commanded } == run.ledger.boluses.asked
    )
    return run
  }

  private static func bodyGot(_ run: RunResult) -> Double {
    run.pulses.filter { $0.channel != .basal }.reduce(0) { $0 + $1.physicalUnits }
  }

  private static func appCounts(_ run: RunResult) -> Double {
    run.insulinDelivery.filter { $0.kind == .bolus }.reduce(0) { $0 + $1.units }
  }

  @Test(
    "A person in the app gives the app's maximum, with a warning",
    arguments: [
      BolusRequester.user, .watch, .unauthorized,
    ])
  func inTheApp(requester: BolusRequester) throws {
    let run = try Self.run(BolusRequest(.units(25), by: requester))
    let request = try #require(run.bolusRequests.first)
    #expect(request.asked == .milliunits(25_000))
    #expect(request.aboveLimit == .milliunits(15_000))
    #expect(request.commanded == .milliunits(10_000))
    #expect(run.ledger.boluses.delivered == .milliunits(10_000))
    let warnings = run.trace.happenings.filter { $0.kind == .warning }.map(\.text)
    #expect(
      warnings == [
        "The app takes no bolus above its maximum of 10.00 U: of 25.00 U asked for, 15.00 U are "
          + "not given."
      ])
  }

  @Test(
    "A person at the pump is not limited by the app",
    arguments: [
      BolusRequester.quick, .pump,
    ])
  func atThePump(requester: BolusRequester) throws {
    let run = try Self.run(BolusRequest(.units(25), by: requester))
    #expect(run.bolusRequests.map(\.aboveLimit) == [.zero])
    #expect(run.ledger.boluses.delivered == .milliunits(25_000))
    #expect(Self.appCounts(run) == 25)
    #expect(run.trace.happenings.allSatisfy { $0.kind != .warning })
  }

  /// What keeps the app from the pump.
  private static let obstacles: [ScenarioEvent.Action] = [
    .setPhone(.bluetoothOff), .setPhone(.off),
    .beginFault(Fault(id: "far", .pump(.communicationLoss(CommunicationLoss())))),
    .beginFault(
      Fault(id: "late", .pump(.communicationLoss(CommunicationLoss(commands: .late(.minutes(5))))))
    ),
    .beginFault(
      Fault(
        id: "mute",
        .pump(.uncertainDelivery(UncertainDelivery(trulyDelivered: 0.5, reported: .unknown))))),
  ]

  @Test(
    "With the pump's own buttons a bolus begins and is stopped, whatever keeps the app away",
    arguments: [BolusRequester.quick, .pump])
  func withItsButtons(requester: BolusRequester) throws {
    for obstacle in Self.obstacles {
      let run = try Self.run(BolusRequest(.units(3), by: requester, cancelAfter: .minutes(1))) {
        $0.events.insert(ScenarioEvent(at: .at(0, 50), id: "away", obstacle), at: 0)
      }
      // The pump takes 40 s for a unit.
      #expect(run.ledger.boluses.delivered == .milliunits(1_500), "\(obstacle)")
      #expect(run.ledger.boluses.cancelled == .milliunits(1_500), "\(obstacle)")
      #expect(run.boluses.map(\.start) == [.at(1)], "\(obstacle)")
      #expect(
        run.trace.happenings.allSatisfy { $0.kind != .warning || !$0.text.contains("bolus") },
        "\(obstacle)")
    }
  }

  @Test("No pump gives more at once than its largest bolus")
  func largestBolus() throws {
    let run = try Self.run(BolusRequest(.units(33.25), by: .pump))
    let request = try #require(run.bolusRequests.first)
    #expect(request.aboveLimit == .milliunits(3_250))
    #expect(run.ledger.boluses.delivered == .milliunits(30_000))
    #expect(run.trace.happenings.contains { $0.text.contains("The pump gives no bolus above") })
  }

  @Test("What is cut off by the pump's steps is booked")
  func offGrid() throws {
    let run = try Self.run(BolusRequest(.units(1.234)))
    let request = try #require(run.bolusRequests.first)
    #expect(request.offGrid == .milliunits(34))
    #expect(request.commanded == .milliunits(1_200))
  }

  @Test("A bolus that is recorded and never given reaches the app")
  func recordedOnly() throws {
    let run = try Self.run(BolusRequest(.units(0), reported: .milliunits(3_000)))
    #expect(Self.bodyGot(run) == 0)
    #expect(Self.appCounts(run) == 3)
    #expect(run.ledger.boluses.delivered == .milliunits(3_000))
    let request = try #require(run.bolusRequests.first)
    #expect(request.asked == .zero)
    #expect(request.misreported == .milliunits(3_000))
    #expect(
      run.agreement.differences.contains {
        $0.text.hasSuffix("the pump reported another amount than it gave.")
      })
    // The loop believes in the insulin: 3 U just given are on board.
    let cycle = try #require(run.cycleOutcomes.first { $0.instant == .at(1, 5) })
    #expect(try #require(cycle.insulinOnBoard) > 2.5)
  }

  @Test(
    "What the body gets of a misreported bolus is cut by no limit", arguments: [0, 1_000, 12_000])
  func misreported(reported: Int64) throws {
    let run = try Self.run(BolusRequest(.units(14), reported: .milliunits(reported)))
    #expect(abs(Self.bodyGot(run) - 14) < 1e-4)
    #expect(abs(Self.appCounts(run) - Double(reported) / 1_000) < 1e-9)
    #expect(run.bolusRequests.map(\.misreported) == [.milliunits(reported - 14_000)])
    #expect(
      run.agreement.differences.map(\.text).contains(
        "The pump gave 14.00 U at 01:00:00 in a bolus that it did not count, and no record knows "
          + "of it.")
        == (reported == 0))
    #expect(!run.agreement.differences.contains { $0.text.contains("without a command") })
  }

  /// Four hours in which the pump reports 8 U of a bolus of 4 U at 01:00, if it gets there.
  private static func misreportedRun(
    by requester: BolusRequester = .user, _ events: [ScenarioEvent]
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let request = BolusRequest(.units(4), by: requester, reported: .milliunits(8_000))
    fixture.events = [ScenarioEvent(at: .at(1), id: "dose", .bolus(request))] + events
    return try fixture.result()
  }

  private static func fault(
    _ effect: PumpFault, from start: Instant, to end: Instant? = nil
  ) -> [ScenarioEvent] {
    [ScenarioEvent(at: start, id: "other", .beginFault(Fault(id: "other", .pump(effect))))]
      + (end.map { [ScenarioEvent(at: $0, .endFault(id: "other"))] } ?? [])
  }

  @Test("A bolus that the pump refuses or that is stopped leaves the next one as it should be")
  func misreportedAlone() throws {
    let next = ScenarioEvent(at: .at(1, 1), id: "next", .bolus(BolusRequest(.units(3))))
    let refused = try Self.misreportedRun(
      Self.fault(.reject([.bolus]), from: .at(0, 59), to: .at(1, 0, 30)) + [next])
    #expect(abs(Self.bodyGot(refused) - 3) < 1e-9)
    #expect(refused.ledger.boluses.delivered == .milliunits(3_000))
    #expect(refused.faultWindows.map(\.id) == ["other"])
    #expect(refused.agreement.answer == .yes, "\(refused.agreement.differences.map(\.text))")
    // At 40 s for a unit 0.5 U of it are counted after 20 s, and half of that was given.
    let stopped = try Self.misreportedRun([
      ScenarioEvent(at: .at(1, 0, 20), .suspend), ScenarioEvent(at: .at(1, 0, 30), .resume), next,
    ])
    #expect(stopped.ledger.boluses.delivered == .milliunits(3_500))
    #expect(abs(Self.bodyGot(stopped) - 3.25) < 1e-9)
    // Nobody looks at the pump between the suspension and the resumption.
    #expect(stopped.faultWindows.map(\.told) == [.at(1)...(.at(1, 0, 30))])
  }

  @Test("A misreported bolus of the app needs Bluetooth, and one of the pump does not")
  func misreportedWithoutBluetooth() throws {
    let off = ScenarioEvent(at: .at(0, 30), .setPhone(.bluetoothOff))
    let inApp = try Self.misreportedRun([off])
    #expect(Self.bodyGot(inApp) == 0)
    #expect(inApp.bolusesInVain.map(\.asked) == [.milliunits(4_000)])
    #expect(
      inApp.trace.happenings.filter { $0.kind == .warning && $0.name == "bolus" }.map(\.text)
        == ["The bolus of 4.00 U was not sent: Bluetooth is off."])
    let onPump = try Self.misreportedRun(by: .pump, [off])
    #expect(abs(Self.bodyGot(onPump) - 4) < 1e-9)
    #expect(onPump.ledger.boluses.delivered == .milliunits(8_000))
  }

  @Test("A misreported bolus that reaches the pump late is misreported when it is given")
  func misreportedLate() throws {
    let loss = CommunicationLoss(commands: .late(.minutes(10)))
    let run = try Self.misreportedRun(
      Self.fault(.communicationLoss(loss), from: .at(0, 59), to: .at(1, 0, 30)))
    #expect(run.boluses.map(\.start) == [.at(1, 10)])
    #expect(abs(Self.bodyGot(run) - 4) < 1e-9)
    #expect(Self.appCounts(run) == 8)
  }

  @Test("Of boluses that reach the pump late each is misreported as it was, and none as another")
  func misreportedLateAfterAnother() throws {
    let loss = CommunicationLoss(commands: .late(.minutes(10)))
    let far = Self.fault(.communicationLoss(loss), from: .at(0, 59))
    // Both at once: 1:10 to 1:15:20, and 1:16 to 1:16:40.
    let second = BolusRequest(.units(3), by: .user, reported: .milliunits(1_000))
    let other = try Self.misreportedRun(
      far + [
        ScenarioEvent(at: .at(1, 6), id: "second", .bolus(second)),
        ScenarioEvent(at: .at(1, 6, 30), .endFault(id: "other")),
      ])
    #expect(other.boluses.map(\.start) == [.at(1, 10), .at(1, 16)])
    #expect(abs(Self.bodyGot(other) - 7) < 1e-9)
    #expect(Set(other.faultWindows.map(\.id)).count == 3)
    #expect(
      other.faultWindows.dropFirst().map(\.told) == [
        .at(1, 10)...(.at(1, 15, 21)), .at(1, 16)...(.at(1, 16, 41)),
      ])
    // The second begins before anybody looks at the pump, and is given as it is counted.
    let right = try Self.misreportedRun(
      far + [
        ScenarioEvent(at: .at(1, 5, 30), id: "second", .bolus(BolusRequest(.units(3)))),
        ScenarioEvent(at: .at(1, 6, 30), .endFault(id: "other")),
      ])
    #expect(right.boluses.map(\.start) == [.at(1, 10), .at(1, 15, 30)])
    #expect(abs(Self.bodyGot(right) - 7) < 1e-9)
  }

  @Test("What the pump gives besides a misreported bolus is as much as it gives")
  func misreportedBeside() throws {
    let run = try Self.misreportedRun(
      Self.fault(.unrequested(.milliunits(2_000)), from: .at(1, 2)))
    #expect(abs(Self.bodyGot(run) - 6) < 1e-9)
  }

  @Test("Automatic boluses are requests too, never above the limit")
  func automatic() throws {
    let run = try Self.run(BolusRequest(.units(0.5))) {
      $0.isClosedLoop = true
      $0.strategy = .automaticBolus
      $0.glucose = 300
    }
    let automatic = run.bolusRequests.filter { $0.requester == nil }
    #expect(!automatic.isEmpty)
    #expect(automatic.allSatisfy { $0.asked == $0.commanded && $0.asked <= .milliunits(10_000) })
  }
}
