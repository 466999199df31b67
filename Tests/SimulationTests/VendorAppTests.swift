import ClosedLoop
import Devices
import HealthStore
import Physiology
import Quantities
import Simulation
import Testing

@Suite("The CGM vendor's app beside Loop")
struct VendorAppTests {
  /// LoopDocs, Apple Health FAQs: the vendor's values come three hours later, and Loop's own are
  /// then deleted, so that each reading is seen once.
  @Test("After six hours the last three hours are Loop's, and what is older the vendor's")
  func takesOverAfterThreeHours() throws {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    fixture.sensorPolicy = .dexcomApp
    var setup = try fixture.setup()
    var vendor = VendorGlucoseApp(identitySeed: 7)
    try vendor.open(&setup.store)
    setup.vendorApp = vendor
    var run = Run(setup)
    while run.step() {}
    let store = run.finish().store
    let samples = try store.samples(of: .bloodGlucose, as: .user)
    let loop = samples.filter { $0.source?.name == "Loop" }
    let vendors = samples.filter { $0.source?.name == "Dexcom G6" }
    #expect(loop.count + vendors.count == samples.count)
    // 73 readings from 00:00 to 06:00; for one cycle both may hold the one of 03:00.
    #expect((36...38).contains(loop.count))
    #expect(loop.allSatisfy { $0.start >= .at(3) })
    #expect(vendors.allSatisfy { $0.start <= .at(3) })
    #expect(Set(samples.map(\.start)).count == 73)
  }

  @Test("A delay holds back the part of the vendor's samples that it says, to its end")
  func holdsBackApart() throws {
    /// How many samples of the vendor's there are after eight hours, with a delay from 03:01 on.
    func written(_ rate: Double, until end: Instant? = nil) throws -> Int {
      var fixture = Fixture()
      fixture.duration = .hours(8)
      let delay = Fault(
        id: "late", .healthStore(HealthStoreFault(.lateSync, data: [.glucose], rate: rate)))
      fixture.events = [ScenarioEvent(at: .at(3, 1), id: "late", .beginFault(delay))]
      if let end {
        fixture.events.append(ScenarioEvent(at: end, id: "late", .endFault(id: "late")))
      }
      var setup = try fixture.setup()
      var vendor = VendorGlucoseApp(identitySeed: 7)
      try vendor.open(&setup.store)
      setup.vendorApp = vendor
      var run = Run(setup)
      while run.step() {}
      let samples = try run.finish().store.samples(of: .bloodGlucose, as: .user)
      return samples.count { $0.source?.name == "Dexcom G6" }
    }
    // At 08:00 the readings from 00:00 to 05:00 are three hours old: 61. That of 00:00 came at
    // 03:00, before the delay.
    #expect(try written(0) == 61)
    #expect(try written(1) == 1)
    #expect(try written(1, until: .at(7, 1)) == 61)
    // Of 60 each is held back with a probability of a half: 30, and four deviations of 3.9.
    #expect(try (1 + 15...1 + 45).contains(written(0.5)))
    #expect(try written(0.5, until: .at(7, 1)) == 61)
  }
}

@Suite("When reports are written")
struct ReportTimeTests {
  @Test(
    "A report is written at its trigger, or in the next cycle",
    arguments: [ReportingPolicy.Write.atTrigger, .nextCycle])
  func writesWhenAsked(write: ReportingPolicy.Write) throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.reporting = ReportingPolicy(write: write)
    fixture.events = [ScenarioEvent(at: .at(0, 32), .tempBasal(.zero, duration: .minutes(30)))]
    let run = try fixture.result()
    #expect(run.basalSamples.prefix(2).map(\.end) == [.at(0, 32), .at(1, 2)])
    let written = run.basalSamples.prefix(2).map(\.writtenAt)
    #expect(written == (write == .atTrigger ? [.at(0, 32), .at(1, 2)] : [.at(0, 35), .at(1, 5)]))
  }

  @Test("What does nothing to app and pump does not change when a bolus is written")
  func staysWhenNothingIsDone() throws {
    var untouched = ScenarioEvent(
      at: .at(0, 32, 40), id: "unmet", .bolus(BolusRequest(.units(1), name: "unmet")))
    untouched.condition = EventCondition(
      name: "unmet", series: .trueGlucose, comparison: .below, value: 40)
    let slip = UserFault(.late(.minutes(5)), of: .bolus, event: "other")
    let nothing: [ScenarioEvent] = [
      untouched,
      ScenarioEvent(at: .at(0, 32, 40), .beginFault(Fault(id: "late", .user(slip)))),
      ScenarioEvent(
        at: .at(0, 32, 40), .beginFault(Fault(id: "off", .sensor(.bias(gain: 1, offset: 0))))),
      ScenarioEvent(at: .at(0, 32, 40), .remark("Nothing happens.")),
      ScenarioEvent(at: .at(0, 32, 40), .bolus(BolusRequest(.units(0), name: "none"))),
      ScenarioEvent(
        at: .at(0, 32, 40), .eat(MealInput(grams: 10, absorption: .hours(2)), name: "snack")),
      ScenarioEvent(at: .at(0, 33), .endFault(id: "off")),
    ]
    for event in nothing.map({ [$0] }) + [[], nothing] {
      var fixture = Fixture()
      fixture.duration = .hours(1)
      fixture.reporting = ReportingPolicy(write: .atTrigger)
      let bolus = BolusRequest(.units(2), name: "bolus")
      fixture.events = [ScenarioEvent(at: .at(0, 31), id: "bolus", .bolus(bolus))] + event
      let boluses = try fixture.result().insulinSamples.filter { !$0.isBasal }
      // 2 U take 80 s at 1.5 U/min; the app hears of their end in its next cycle.
      #expect(boluses.map(\.end) == [.at(0, 32, 20)])
      #expect(boluses.map(\.writtenAt) == [.at(0, 35)])
    }
  }

  @Test("A temp basal that follows is a trigger, at which the bolus before it is written too")
  func writesWithTheNextTrigger() throws {
    var fixture = Fixture()
    fixture.duration = .hours(1)
    fixture.reporting = ReportingPolicy(write: .atTrigger)
    fixture.events = [
      ScenarioEvent(at: .at(0, 31), .bolus(BolusRequest(.units(2), name: "bolus"))),
      ScenarioEvent(at: .at(0, 33), .tempBasal(.zero, duration: .minutes(30))),
    ]
    let boluses = try fixture.result().insulinSamples.filter { !$0.isBasal }
    #expect(boluses.map(\.writtenAt) == [.at(0, 33)])
  }
}
