import Devices
import Quantities
import Simulation
import Testing

@Suite("Basal reporting of a whole run")
struct BasalReportingTests {
  @Test("The worked day of the LoopDocs FAQ gives 2.4, 0.6, 0 and 0.1 U")
  func workedDay() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 400), (6, 500), (8, 400)]
    fixture.duration = .hours(8) + .minutes(10)
    fixture.events = [
      ScenarioEvent(at: .at(7, 15), .tempBasal(.zero, duration: .minutes(30)))
    ]
    let run = try fixture.result()
    let samples = run.basalSamples.prefix(4)
    #expect(samples.map(\.end) == [.at(6), .at(7, 15), .at(7, 45), .at(8)])
    #expect(samples.map(\.units.milliunits) == [2_400, 600, 0, 100])
    #expect(samples.map(\.kind) == [.basal, .basal, .tempBasal, .basal])
    #expect(run.violations.isEmpty)
    #expect(run.agreement.answer == .yes, "\(run.agreement.differences)")
    // 62 pulses by 08:00 and one at 08:03:45, for the 0.025 U left over carry on.
    #expect(run.ledger.basal.delivered == .milliunits(3_150))
    #expect(run.ledger.basal.discarded.units == 0.025)
  }
}
