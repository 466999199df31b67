import ClosedLoop
import Determinism
import Devices
import Foundation
import Physiology
import Quantities
import TestSupport
import Testing

@testable import Simulation

@Suite("A run without an app")
struct WithoutAppTests {
  /// Two worlds that differ in the app alone: one has it in open loop, and nobody asks it for
  /// insulin.
  private static func pair(_ setup: Setup) -> (with: RunResult, without: RunResult) {
    var alone = setup
    alone.hasApp = false
    alone.events.removeAll { event in
      if case .enterCarbs = event.action { return true }
      return false
    }
    return (lived(setup), lived(alone))
  }

  private static func lived(_ setup: Setup) -> RunResult {
    var run = Run(setup)
    while run.step() {}
    return run.finish()
  }

  /// Every bit of what body, pump and sensor did is the same.
  private static func expectSame(_ pair: (with: RunResult, without: RunResult), _ name: String) {
    let (with, without) = pair
    #expect(with.pulses == without.pulses, "\(name)")
    #expect(with.boluses == without.boluses, "\(name)")
    #expect(with.programs == without.programs, "\(name)")
    #expect(with.injections == without.injections, "\(name)")
    #expect(with.ledger == without.ledger, "\(name)")
    #expect(with.end == without.end, "\(name)")
    #expect(with.scheduledBasal == without.scheduledBasal, "\(name)")
    #expect(with.referenceBasal == without.referenceBasal, "\(name)")
    #expect(with.modelExcursions == without.modelExcursions, "\(name)")
    #expect(with.violations.isEmpty && without.violations.isEmpty, "\(name)")
    #expect(with.trace.rows.count == without.trace.rows.count, "\(name)")
    for (row, other) in zip(with.trace.rows, without.trace.rows) {
      var stripped = row
      stripped.insulinOnBoard = nil
      stripped.carbsOnBoard = nil
      stripped.carbsEntered = .zero
      stripped.recommendation = ""
      stripped.mode = other.mode
      guard stripped != other else { continue }
      Issue.record("\(name): \(stripped) and \(other)")
      return
    }
    #expect(
      with.insulinOnBoard().map(\.body) == without.insulinOnBoard().map(\.body), "\(name)")
  }

  // MARK: - Equality

  /// A world drawn from a seed: meals, injections, commands of a person to the pump, faults of pump
  /// and sensor, sensors with errors, a second time zone.
  private static func world(_ seed: UInt64) throws -> Setup {
    var stream = RandomStream(seed: seed, name: "without-app")
    func below(_ count: Int) -> Int { Int(stream.unit() * Double(count)) }
    var fixture = Fixture()
    fixture.seed = seed
    fixture.duration = .hours(Int64(8 + below(30)))
    fixture.glucose = Double(80 + below(160))
    fixture.sensor = [.ideal, .mard9][below(2)]
    fixture.basal = [(0, 400), (6, 850), (22, 600)]
    let minutes = fixture.duration.milliseconds / 60_000
    func moment() -> Instant {
      Fixture.midnight + .seconds(60 * Int64(below(Int(minutes))) + Int64(below(60)))
    }
    for number in 0..<(3 + below(8)) {
      let id = "event-\(number)"
      let instant = moment()
      let action: ScenarioEvent.Action =
        switch below(9) {
        case 0, 1, 2: .eat(MealInput(grams: Double(5 + below(90)), absorption: .hours(3)), name: id)
        case 3:
          .inject(
            units: Double(1 + below(8)), formulation: [.humalog, .glargine][below(2)], name: id)
        case 4: .bolus(BolusRequest(.units(Double(below(60)) / 10), by: .pump, name: id))
        case 5:
          .tempBasal(.init(milliunitsPerHour: Int64(50 * below(40))), duration: .minutes(60))
        case 6: .pump(.replaceReservoir(.milliunits(Int64(1_000 * (1 + below(40))))))
        case 7: .sensor(.replace)
        default: .suspend
        }
      fixture.events.append(ScenarioEvent(at: instant, id: id, action))
      if case .suspend = action {
        fixture.events.append(ScenarioEvent(at: instant + .minutes(40), id: id, .resume))
      }
      if case .eat(let meal, _) = action {
        let entry = CarbEntryRequest(
          name: id, grams: meal.grams, absorption: nil, eatenAt: instant)
        fixture.events.append(ScenarioEvent(at: instant, id: id, .enterCarbs(entry)))
      }
    }
    for number in 0..<below(4) {
      let id = "fault-\(number)"
      let effect: Fault.Effect =
        switch below(8) {
        case 0: .pump(.occlusion(Occlusion(detection: .heldBack(.milliunits(800)))))
        case 1: .pump(.leak(fraction: 0.4))
        case 2: .pump(.scale(basal: 0.7, bolus: 1.3))
        case 3: .pump(.scatter(deviation: 0.3))
        case 4: .pump(.unrequested(.milliunits(1_500)))
        case 5: .pump(.clockDrift(perDay: .minutes(4)))
        case 6: .sensor(.delay(by: .minutes(12)))
        default: .sensor(.dropout(backfill: seed.isMultiple(of: 2)))
        }
      let begin = moment()
      fixture.events.append(
        ScenarioEvent(at: begin, id: id, .beginFault(Fault(id: id, effect))))
      fixture.events.append(ScenarioEvent(at: begin + .hours(2), id: id, .endFault(id: id)))
    }
    var setup = try fixture.setup()
    setup.preRoll = .hours(Int64(below(3)))
    if below(3) == 0 { setup.cycleJitter = .seconds(45) }
    if below(3) == 0 { setup.lethalGlucose = .mgdL(40) }
    return setup
  }

  @Test("Pulses, glucose and readings are those of the same world with the app in open loop")
  func isTheSameWorld() throws {
    for seed: UInt64 in 1...Extent.of(2, whole: 40) {
      Self.expectSame(Self.pair(try Self.world(seed)), "seed \(seed)")
    }
  }

  @Test("The same where the body is fed continuously")
  func isTheSameContinuously() throws {
    for seed: UInt64 in 101...Extent.of(101, whole: 106) {
      var setup = try Self.world(seed)
      setup.inflow = .continuous
      Self.expectSame(Self.pair(setup), "seed \(seed)")
    }
  }

  @Test("Who eats against lows does so on seeing the receiver")
  func reacts() throws {
    var fixture = Fixture()
    fixture.glucose = 90
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), .bolus(BolusRequest(.units(2), by: .pump)))
    ]
    var setup = try fixture.setup()
    setup.behaviour = Behaviour(
      rescue: .init(below: .mgdL(70), delay: .constant(300_000), grams: .constant(15)))
    let pair = Self.pair(setup)
    Self.expectSame(pair, "rescue")
    #expect(pair.with.reactions == pair.without.reactions)
    #expect(!pair.without.reactions.isEmpty)
  }

  @Test("Supplies are replaced, and what stands under a condition looks at the receiver")
  func looksAtReceiver() throws {
    var fixture = Fixture()
    fixture.glucose = 160
    fixture.duration = .hours(10)
    var meal = ScenarioEvent(
      at: .at(2), id: "snack", .eat(MealInput(grams: 20, absorption: .hours(2)), name: "snack"))
    meal.condition = EventCondition(
      name: "snack", series: .reading, comparison: .above, value: 100)
    fixture.events = [
      ScenarioEvent(at: .at(1), .pump(.replaceReservoir(.milliunits(20_500)))), meal,
    ]
    var setup = try fixture.setup()
    setup.supplies = Supplies(replacesPump: true, replacesSensor: true)
    let pair = Self.pair(setup)
    Self.expectSame(pair, "supplies")
    #expect(pair.without.trace.happenings.contains { $0.kind == .meal })
    #expect(pair.without.trace.happenings.contains { $0.name == "supplies" })
  }

  @Test("The pump's calculator goes by settings, reading and the insulin of boluses")
  func calculates() throws {
    var fixture = Fixture()
    fixture.glucose = 210
    fixture.basal = [(0, 0)]
    let calculator = BolusCalculator(
      carbohydrates: .init(grams: 30), target: .mgdL(110), correctsAbove: nil,
      countsInsulinOnBoard: true)
    func request(_ name: String) -> ScenarioEvent.Action {
      .bolus(BolusRequest(.calculated(calculator, scale: 1, cap: nil), by: .pump, name: name))
    }
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "first", request("first")),
      ScenarioEvent(at: .at(0, 40), id: "second", request("second")),
    ]
    var setup = try fixture.setup()
    setup.hasApp = false
    let run = Self.lived(setup)
    // CR 10 g/U, ISF 50 mg/dL per U; what the first has left is far more than the correction.
    #expect(run.bolusRequests.map(\.asked) == [.milliunits(5_000), .milliunits(3_000)])
    #expect(run.bolusRequests.map(\.requester) == [.pump, .pump])
  }

  @Test("Without insulin on board the calculator advises what the app's does")
  func calculatesAsTheApp() throws {
    var fixture = Fixture()
    fixture.glucose = 210
    let calculator = BolusCalculator(
      carbohydrates: .init(grams: 30), target: nil, correctsAbove: nil,
      countsInsulinOnBoard: false)
    fixture.events = [Int64(1), 3, 5].map { hour in
      let request = BolusRequest(.calculated(calculator, scale: 1, cap: nil), by: .pump)
      return ScenarioEvent(at: .at(hour), id: "\(hour)", .bolus(request))
    }
    let pair = Self.pair(try fixture.setup())
    Self.expectSame(pair, "calculator")
    #expect(pair.without.boluses.count == 3)
  }

  // MARK: - Records

  @Test("Nothing but the pump records, and body and pump are compared")
  func records() throws {
    var fixture = Fixture()
    fixture.events = [
      ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2), by: .pump))),
      ScenarioEvent(at: .at(2), .inject(units: 3, formulation: .humalog, name: "humalog")),
      ScenarioEvent(at: .at(3), .pump(.remove)), ScenarioEvent(at: .at(4), .pump(.attach)),
    ]
    let run = Self.pair(try fixture.setup()).without
    #expect(!run.hasApp)
    #expect(run.cycles == RunResult.Cycles() && run.cycleOutcomes.isEmpty)
    #expect(run.dosingSwitches.isEmpty && run.limits.isEmpty)
    #expect(run.basalSamples.isEmpty && run.insulinSamples.isEmpty)
    #expect(run.eventHistory.isEmpty && run.insulinDelivery.isEmpty)
    #expect(run.agreement.records == [.body, .pump])
    for origin in RecordAgreement.Origin.allCases {
      #expect(run.agreement[origin].app == nil && run.agreement[origin].healthStore == nil)
    }
    // 0.4 U/h for eight hours in whole pulses, of which those of one hour ran beside the body.
    #expect(run.agreement.basal.pump == 3.2)
    #expect(run.agreement.bolus.pump == 2 && abs(run.agreement.bolus.body - 2) < 1e-9)
    #expect(run.agreement.elsewhere.body == 3)
    #expect(run.agreement.differences.map(\.kind) == [.pumpTakenOff])
    #expect(abs(run.agreement.basal.body - 2.8) < 1e-9)
    let lost = run.troubles.filter { $0.kind != .outsideModel }
    #expect(lost.map(\.kind) == [.wrongDelivery] && lost[0].text.contains("0.40 U"), "\(lost)")
  }

  @Test("A pump whose clock is wrong runs its schedule at other times, and that is told")
  func wrongClock() throws {
    func told(_ error: TimeSpan) throws -> [RunTrouble] {
      var fixture = Fixture()
      fixture.basal = [(0, 400), (2, 800)]
      let fault = Fault(id: "clock", .pump(.clockError(error)))
      fixture.events = [ScenarioEvent(at: .at(1), id: "clock", .beginFault(fault))]
      var setup = try fixture.setup()
      setup.hasApp = false
      return Self.lived(setup).troubles.filter { $0.kind != .outsideModel }
    }
    let late = try told(.hours(-1))
    #expect(late.map(\.kind) == [.wrongDelivery])
    #expect(
      late.map(\.text) == [
        "From 01:00:00 to the end the pump's clock, by which it runs its schedule, was 1h behind."
      ])
    // The clocks of pumps are off by so much as a rule.
    #expect(try told(.seconds(59)).isEmpty)
  }

  @Test("A copy goes on to the same bytes")
  func isCheckpoint() throws {
    var setup = try Self.world(7)
    setup.hasApp = false
    setup.events.removeAll { if case .enterCarbs = $0.action { true } else { false } }
    var run = Run(setup)
    for _ in 0..<60 { _ = run.step() }
    var copy = run
    while run.step() {}
    while copy.step() {}
    let digest = run.finish().digest
    #expect(copy.finish().digest == digest)
    #expect(Self.lived(setup).digest == digest)
  }

  // MARK: - What needs an app

  @Test("What needs an app is named")
  func needs() throws {
    let carbs = CarbEntryRequest(name: "meal", grams: 20, absorption: nil, eatenAt: .at(1))
    let needy: [ScenarioEvent.Action] = [
      .enterCarbs(carbs), .bolus(BolusRequest(.units(1))), .setClosedLoop(true), .endPreset,
      .bolus(BolusRequest(.recommended(scale: 1, cap: nil), by: .pump)),
      .changeSettings(SettingsChange()), .restoreHealthStore, .setPhone(.off), .reinstallApp,
      .fingerstick(FingerstickRequest(value: nil, relativeError: 0, log: .app)),
      .beginFault(Fault(id: "x", .app(.doubleRun))), .beginFault(Fault(id: "x", .lowPower)),
      .beginFault(Fault(id: "x", .pump(.communicationLoss(.init())))),
    ]
    for action in needy {
      #expect(action.needOfApp != nil, "\(action)")
      var setup = try Fixture().setup()
      setup.events = [ScenarioEvent(at: .at(1), id: "x", action)]
      #expect(setup.needOfApp?.hasPrefix("\"x\": ") == true, "\(action)")
    }
    let free: [ScenarioEvent.Action] = [
      .suspend, .resume, .cancelBolus(onPump: true), .pump(.clearAlarm), .sensor(.stop),
      .remark("x"),
      .bolus(BolusRequest(.units(1), by: .quick)), .beginFault(Fault(id: "x", .pump(.empty))),
      .fingerstick(FingerstickRequest(value: nil, relativeError: 0, log: .none)),
    ]
    for action in free { #expect(action.needOfApp == nil, "\(action)") }
    var setup = try Fixture().setup()
    setup.behaviour = Behaviour(correction: .init(above: .mgdL(200)))
    #expect(setup.needOfApp != nil)
    setup.behaviour = nil
    setup.controller = .controller
    #expect(setup.needOfApp != nil)
  }

  @Test("A setup that needs an app does not run without one", .enabled(if: hasAssertions))
  func isRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var setup = try Fixture().setup()
      setup.hasApp = false
      setup.events = [ScenarioEvent(at: .at(1), .setClosedLoop(true))]
      _ = Run(setup)
    }
    #expect(says(result?.standardErrorContent, "What needs an app has one."))
  }
}
