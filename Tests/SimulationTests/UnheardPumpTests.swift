import ClosedLoop
import Devices
import Dosing
import Quantities
import Simulation
import Testing

/// A temp basal of a person begins, and five minutes later the app loses the pump until 04:00.
@Suite("What a pump runs that is not heard from")
struct UnheardPumpTests {
  private static func run(
    _ milliunitsPerHour: Int64, from start: Instant, for length: TimeSpan,
    basal: [(hour: Int, milliunitsPerHour: Int64)]
  ) throws -> RunResult {
    let far = Fault(id: "far", .pump(.communicationLoss(CommunicationLoss())))
    var fixture = Fixture()
    fixture.duration = .hours(5)
    fixture.basal = basal
    fixture.events = [
      ScenarioEvent(
        at: start,
        .tempBasal(InsulinRate(milliunitsPerHour: milliunitsPerHour), duration: length)),
      ScenarioEvent(at: start + .minutes(5), id: "far", .beginFault(far)),
      ScenarioEvent(at: .at(4), .endFault(id: "far")),
    ]
    return try fixture.result()
  }

  /// What acts of a temp basal against the schedule, as LoopAlgorithm counts it.
  private static func onBoard(
    _ unitsPerHour: Double, from start: Instant, to end: Instant,
    against basal: [AlgorithmInput.ScheduleEntry], at instant: Instant
  ) throws -> Double {
    let end = min(end, instant)
    return try LoopAlgorithm.insulinOnBoard(
      of: [
        .init(
          type: .basal, startDate: start, endDate: end,
          volume: unitsPerHour * (end - start).hours)
      ], basal: basal, at: instant)
  }

  @Test("A temp basal is over at its end, whether the app hears of it or not")
  func endsByItself() throws {
    let run = try Self.run(
      2_400, from: .at(1), for: .minutes(30), basal: [(0, 400)])
    let basal: [AlgorithmInput.ScheduleEntry] = [
      .init(startDate: Fixture.midnight, endDate: .at(5), value: 0.4)
    ]
    for minutes: Int64 in stride(from: 70, to: 240, by: 5) {
      let row = try #require(run.trace.rows.first { $0.instant == .at(0, minutes) })
      let expected = try Self.onBoard(
        2.4, from: .at(1), to: .at(1, 30), against: basal, at: row.instant)
      #expect(abs(try #require(row.insulinOnBoard) - expected) < 0.05, "after \(minutes) min")
    }
    #expect(run.troubles.allSatisfy { $0.kind != .wrongInsulinOnBoard })
  }

  @Test("Where the schedule changes below it, what it gives counts once")
  func entryBelow() throws {
    let run = try Self.run(
      2_000, from: .at(1, 40), for: .hours(1), basal: [(0, 400), (2, 600)])
    let basal: [AlgorithmInput.ScheduleEntry] = [
      .init(startDate: Fixture.midnight, endDate: .at(2), value: 0.4),
      .init(startDate: .at(2), endDate: .at(5), value: 0.6),
    ]
    for minutes: Int64 in stride(from: 110, to: 240, by: 5) {
      let row = try #require(run.trace.rows.first { $0.instant == .at(0, minutes) })
      let expected = try Self.onBoard(
        2, from: .at(1, 40), to: .at(2, 40), against: basal, at: row.instant)
      #expect(abs(try #require(row.insulinOnBoard) - expected) < 0.05, "after \(minutes) min")
    }
  }

  @Test("A temp basal that is set with the pump's own buttons runs, whatever the phone does")
  func ownButtons() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    let rate = InsulinRate(milliunitsPerHour: 1_000)
    fixture.events = [
      ScenarioEvent(at: .at(1), .setPhone(.off)),
      ScenarioEvent(at: .at(1, 30), .tempBasal(rate, duration: .minutes(30), onPump: true)),
    ]
    let run = try fixture.result()
    let set = run.programs.filter { $0.kind == .tempBasal }
    #expect(set.map(\.start) == [.at(1, 30)])
    #expect(set.map(\.end) == [.at(2)])
    #expect(set.map(\.rate) == [rate])
    #expect(!run.troubles.contains { $0.kind == .refused })
  }

  @Test("What a pod gave of a command that came late counts once where the pod is thrown away")
  func lateCommandOfAPod() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.profile = .omnipodDASH
    let loss = CommunicationLoss(commands: .late(.minutes(3)))
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 59), id: "far", .beginFault(Fault(id: "far", .pump(.communicationLoss(loss))))),
      ScenarioEvent(at: .at(1), id: "bolus", .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(1, 1), .endFault(id: "far")),
      // It is given from 01:03:00 to 01:04:20.
      ScenarioEvent(at: .at(1, 4, 30), .pump(.replaceReservoir(nil))),
    ]
    let run = try fixture.result()
    #expect(run.ledger.boluses.delivered == .milliunits(2_000))
    #expect(run.insulinDelivery.filter { $0.kind == .bolus }.map(\.units) == [2])
    #expect(run.bolusIdentifiers.neverGiven.isEmpty)
    let told = run.agreement.differences.filter { $0.origin == .bolus }.map(\.text)
    #expect(
      told == [
        "The bolus of 01:03:00 (2.00 U) is recorded at 01:00:00, 3m too early: its command reached "
          + "the pump late.",
        "The bolus of 01:03:00 (2.00 U) was never reported by the pump, and counts as given: its "
          + "command had no reply.",
      ])
  }
}
