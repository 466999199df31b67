import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

/// A bolus of 4 U of which the pump reports 8 U, which takes 40 s for each unit that it counts.
@Suite("A misreported bolus whose command takes time")
struct LateMisreportTests {
  private static let dose = ScenarioEvent(
    at: .at(1), id: "dose", .bolus(BolusRequest(.units(4), reported: .milliunits(8_000))))

  private static func run(
    _ events: [ScenarioEvent], latency: TimeSpan = .zero
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = events
    fixture.commandLatency = latency
    return try fixture.result()
  }

  private static func bodyGot(_ run: RunResult) -> Double {
    run.pulses.filter { $0.channel != .basal }.reduce(0) { $0 + $1.physicalUnits }
  }

  /// Commands reach the pump 10 minutes late, until a minute after one o'clock.
  private static let far = [
    ScenarioEvent(
      at: .at(0, 59), id: "far",
      .beginFault(
        Fault(
          id: "far",
          .pump(.communicationLoss(CommunicationLoss(commands: .late(.minutes(10)))))))),
    ScenarioEvent(at: .at(1, 1), .endFault(id: "far")),
  ]

  @Test("It is given when its command has reached the pump, and misreported then")
  func latency() throws {
    let run = try Self.run([Self.dose], latency: .seconds(30))
    #expect(run.boluses.map(\.start) == [.at(1, 0, 30)])
    #expect(run.ledger.boluses.delivered == .milliunits(8_000))
    #expect(abs(Self.bodyGot(run) - 4) < 1e-9)
    #expect(run.faultWindows.map(\.told) == [.at(1, 0, 30)...(.at(1, 5, 51))])
  }

  @Test("It waits for the commands sent before it, and those behind it for it")
  func oneAfterTheOther() throws {
    let next = ScenarioEvent(at: .at(1), id: "next", .suspend)
    let run = try Self.run(
      [ScenarioEvent(at: .at(1), id: "before", .resume), Self.dose, next], latency: .seconds(30))
    // From 1:01 to 1:01:30 it gives 0.75 U, and counts pulses of 0.05 U: 15 of them.
    #expect(run.boluses.map(\.start) == [.at(1, 1)])
    #expect(run.boluses.map(\.end) == [.at(1, 1, 30)])
    #expect(run.ledger.boluses.delivered == .milliunits(750))
    #expect(abs(Self.bodyGot(run) - 0.375) < 1e-9)
  }

  @Test("It is lost with the phone that goes off before its command has reached the pump")
  func phoneOff() throws {
    let run = try Self.run(
      [Self.dose, ScenarioEvent(at: .at(1, 0, 20), .setPhone(.off))], latency: .seconds(30))
    #expect(run.boluses.isEmpty)
    #expect(Self.bodyGot(run) == 0)
    #expect(run.faultWindows.isEmpty)
    #expect(
      run.trace.happenings.filter { $0.name == "bolus" && $0.kind == .warning }.map(\.text)
        == ["The bolus of 8.00 U did not reach the pump: the phone went off."])
  }

  @Test("A bolus that reaches the pump with it, and before it, is not misreported")
  func together() throws {
    let plain = ScenarioEvent(at: .at(1), id: "plain", .bolus(BolusRequest(.units(3))))
    let run = try Self.run(Self.far + [plain, Self.dose])
    #expect(run.boluses.map(\.start) == [.at(1, 10)])
    #expect(run.ledger.boluses.delivered == .milliunits(3_000))
    #expect(abs(Self.bodyGot(run) - 3) < 1e-9)
    #expect(run.faultWindows.map(\.id) == ["far"])
  }

  @Test("One that begins as another ends, after a third was refused, is misreported to its end")
  func afterRefusal() throws {
    func dose(_ name: String, _ second: Int64, _ units: Double, reported: Int64) -> ScenarioEvent {
      ScenarioEvent(
        at: .at(1, 0, second), id: name,
        .bolus(BolusRequest(.units(units), reported: .milliunits(reported))))
    }
    // The first finds the pump suspended; the second ends at 1:02, as the third begins.
    let run = try Self.run(
      [
        ScenarioEvent(at: .at(0, 55), id: "off", .suspend), dose("a", 0, 4, reported: 8_000),
        ScenarioEvent(at: .at(1, 0, 5), id: "on", .resume), dose("b", 10, 1, reported: 750),
        dose("c", 40, 4, reported: 8_000),
      ], latency: .seconds(30))
    #expect(run.boluses.map(\.start) == [.at(1, 1, 30), .at(1, 2)])
    // Of 1 U in 15 pulses each is rounded to a millionth of a unit.
    #expect(abs(Self.bodyGot(run) - 5) < 1e-4)
    #expect(Set(run.faultWindows.map(\.id)).count == 2)
  }

  @Test("One that is refused at once leaves its number to the next")
  func numbers() throws {
    func dose(_ name: String, _ minute: Int64) -> ScenarioEvent {
      ScenarioEvent(
        at: .at(1, minute), id: name,
        .bolus(BolusRequest(.units(1), reported: .milliunits(2_000))))
    }
    // A bolus of 2 U takes 80 s, and the second finds the first being given.
    let run = try Self.run([dose("a", 0), dose("b", 1), dose("c", 5)])
    #expect(run.boluses.map(\.start) == [.at(1), .at(1, 5)])
    #expect(run.faultWindows.map(\.id) == ["misreported-bolus-1", "misreported-bolus-2"])
  }

  @Test("Of two boluses that reach the pump together the one that it gives has its own name alone")
  func named() throws {
    let both = ["first", "second"].map {
      ScenarioEvent(at: .at(1), id: $0, .bolus(BolusRequest(.units(3))))
    }
    func kept(deleting name: String) throws -> Int {
      let deletion = DeletionRequest(place: .eventHistory, kind: .any, id: name)
      let events = Self.far + both + [ScenarioEvent(at: .at(3), id: "no", .delete(deletion))]
      return try Self.run(events).eventHistory.filter { $0.kind == .bolus }.count
    }
    #expect(try kept(deleting: "second") == 1)
    #expect(try kept(deleting: "first") == 0)
  }
}
