import Devices
import Quantities
import Simulation
import Testing

@Suite("What went wrong in a run")
struct TroubleTests {
  @Test("Cycles are due while the phone is off, and the longest gap has its cause")
  func phoneOff() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
    ]
    let run = try fixture.result()
    #expect(run.cycles.due == 48)
    #expect(run.cycles.completed == 36)
    let trouble = try #require(run.troubles.first { $0.kind == .missedCycles })
    #expect(trouble.count == 12)
    #expect(
      trouble.text == "36 of the 48 cycles that were due completed; the longest time without one "
        + "was 1h5m from 00:55:00: the app did not run.")
  }

  @Test("Glucose outside the model's range is trouble, once for all of it")
  func outsideModel() throws {
    var fixture = Fixture()
    fixture.duration = .hours(8)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "dose", .bolus(BolusRequest(.units(8), by: .pump)))
    ]
    let run = try fixture.result()
    #expect(!run.modelExcursions.isEmpty)
    let troubles = run.troubles.filter { $0.kind == .outsideModel }
    #expect(troubles.map(\.count) == [run.modelExcursions.count])
    #expect(troubles[0].text.hasSuffix("figures over it are arithmetic, not physiology."))
  }
}
