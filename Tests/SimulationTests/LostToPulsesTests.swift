import Devices
import Quantities
import Simulation
import Testing

@Suite("Insulin lost to pulses")
struct LostToPulsesTests {
  @Test("A temp basal every four minutes loses what it has earned each time")
  func everyCommand() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 600)]
    fixture.duration = .hours(2)
    // At 0.6 U/h a pulse of 0.05 U takes five minutes: four earn 0.04 U, which a command forgets.
    fixture.events = (0..<30).map { count in
      ScenarioEvent(
        at: .at(0) + .minutes(4) * count,
        .tempBasal(InsulinRate(milliunitsPerHour: 600), duration: .minutes(30)))
    }
    let run = try fixture.result()
    // The last four minutes of two hours are still pending.
    let lost = try #require(run.basalLostPercent)
    #expect(abs(lost - 100 * 116.0 / 120) < 1e-9)
    #expect(run.ledger.basal.delivered == .zero)
  }

  @Test("A schedule that runs by itself loses nothing")
  func undisturbed() throws {
    #expect(try Fixture().result().basalLostPercent == 0)
  }
}
