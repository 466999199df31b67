import Devices
import Quantities
import Simulation
import Testing

/// What waited behind an occlusion enters the body as what it was given for.
@Suite("Insulin that an occlusion held back")
struct HeldBackTests {
  /// From 00:30 to 02:30 nothing gets through, and then all of it does.
  private static func run(
    _ more: [ScenarioEvent], before: [ScenarioEvent] = [], released: Double = 1
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let occlusion = Occlusion(detection: .never, releasedFraction: released)
    fixture.events =
      before + [
        ScenarioEvent(
          at: .at(0, 30), id: "blocked",
          .beginFault(Fault(id: "blocked", .pump(.occlusion(occlusion))))),
        ScenarioEvent(at: .at(2, 30), .endFault(id: "blocked")),
      ] + more
    return try fixture.result()
  }

  private static func body(_ run: RunResult) -> [Double] {
    [run.agreement.basal.body, run.agreement.bolus.body].map { ($0 * 1_000).rounded() / 1_000 }
  }

  private static let bolus = ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2))))

  // A schedule of 0.4 U/h gives 1.6 U in four hours.

  @Test("All of it comes as what it was")
  func whole() throws {
    #expect(Self.body(try Self.run([Self.bolus])) == [1.6, 2])
  }

  @Test("What leaked before is not what comes free")
  func leaked() throws {
    // All ten pulses from 00:00 to 00:30 … four of them, 0.2 U of basal, run out.
    let leak = Fault(id: "leak", .pump(.leak(fraction: 1)))
    let run = try Self.run(
      [Self.bolus],
      before: [
        ScenarioEvent(at: .at(0), id: "leak", .beginFault(leak)),
        ScenarioEvent(at: .at(0, 30), .endFault(id: "leak")),
      ])
    #expect(Self.body(run) == [1.4, 2])
  }

  @Test("What was given to a pump that was off, and waited in it, comes when it is on again")
  func takenOff() throws {
    let run = try Self.run([
      ScenarioEvent(at: .at(0, 59), .pump(.remove)), Self.bolus,
      ScenarioEvent(at: .at(2), .pump(.attach)),
    ])
    #expect(Self.body(run) == [1.6, 2])
  }

  @Test("What nobody asked for is told as such when it comes free")
  func unrequested() throws {
    let fault = Fault(id: "more", .pump(.unrequested(.milliunits(1_000))))
    let run = try Self.run([
      Self.bolus, ScenarioEvent(at: .at(1, 10), id: "more", .beginFault(fault)),
    ])
    #expect(Self.body(run) == [1.6, 2])
    let told = run.agreement.differences.filter { $0.kind == .unrequestedDelivery }
    #expect(
      told.map(\.text) == [
        "The pump gave 1.00 U at 01:10:00 without a command, and no record knows of it."
      ])
  }

  @Test("What was lost of an earlier blockage is not what comes free of a later one")
  func lostBefore() throws {
    let later = Fault(
      id: "later", .pump(.occlusion(Occlusion(detection: .never, releasedFraction: 1))))
    // 16 pulses of basal are lost; 0.2 U of basal wait from 03:00 to 03:30.
    let run = try Self.run(
      [
        Self.bolus, ScenarioEvent(at: .at(3), id: "later", .beginFault(later)),
        ScenarioEvent(at: .at(3, 30), .endFault(id: "later")),
      ], released: 0)
    #expect(Self.body(run) == [0.8, 0])
  }

  /// A bolus of 2 U at 01:00, a new pump at 01:30, and what is wrong from 00:30 to 02:30.
  private static func replaced(_ profile: PumpProfile, _ fault: PumpFault) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.profile = profile
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "f", .beginFault(Fault(id: "f", .pump(fault)))),
      Self.bolus, ScenarioEvent(at: .at(1, 30), .pump(.replaceReservoir(nil))),
    ]
    if case .airBubble = fault { return try fixture.result() }
    fixture.events.append(ScenarioEvent(at: .at(2, 30), .endFault(id: "f")))
    return try fixture.result()
  }

  /// When each fault held.
  private static func held(_ run: RunResult) -> [[Instant]] {
    run.faultWindows.map { [$0.span.lowerBound, $0.span.upperBound] }
  }

  @Test(
    "With a pod goes what was wrong with its cannula and its site",
    arguments: [
      PumpFault.occlusion(Occlusion(detection: .never, releasedFraction: 1)), .leak(fraction: 1),
      .siteFailure(fraction: 0, timeConstant: .zero),
    ])
  func newPod(_ fault: PumpFault) throws {
    let run = try Self.replaced(.omnipodDASH, fault)
    // 0.4 U/h: 0.2 U before 00:30, and 1 U from 01:30 on.
    #expect(Self.body(run) == [1.2, 0])
    #expect(Self.held(run) == [[.at(0, 30), .at(1, 30)]])
    let ends = run.trace.happenings.filter { $0.text == "The fault f is over." }.map(\.instant)
    #expect(ends == [.at(1, 30)])
  }

  @Test("A pump with a tube keeps its infusion set when it is replaced")
  func newPump() throws {
    let run = try Self.replaced(.generic50, .leak(fraction: 1))
    #expect(Self.body(run) == [0.8, 0])
    #expect(Self.held(run) == [[.at(0, 30), .at(2, 30)]])
  }

  @Test("The air in a pod goes with it, and the next pod has none")
  func airOfPod() throws {
    let air = PumpFault.airBubble(.milliunits(50_000))
    #expect(Self.body(try Self.replaced(.omnipodDASH, air)) == [1.2, 0])
    #expect(Self.body(try Self.replaced(.generic50, air)) == [0.2, 0])
  }

  @Test("What comes free of a pump that is off reached nobody, and is not told as late")
  func freeWhileOff() throws {
    let run = try Self.run([
      Self.bolus, ScenarioEvent(at: .at(2), .pump(.remove)),
      ScenarioEvent(at: .at(3), .pump(.attach)),
    ])
    #expect(run.agreement.bolus.body == 0)
    #expect(run.agreement.differences.filter { $0.kind == .heldBack } == [])
    #expect(run.agreement.differences.contains { $0.kind == .pumpTakenOff })
    #expect(run.agreement.answer == .explained)
  }
}
