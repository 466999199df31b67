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
