import ClosedLoop
import HealthStore
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
}
