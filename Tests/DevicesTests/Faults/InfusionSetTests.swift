import Determinism
import Devices
import Quantities
import Testing

@Suite("Infusion sets")
struct InfusionSetTests {
  @Test("An alarm during a suspension does not resume delivery when it is cleared")
  func suspendedAlarm() throws {
    var pump = try Fixture.pump(always: 1_000)
    try pump.suspend(at: Fixture.time(1))
    pump.begin(.alarm(.batteryDepleted), id: "battery", at: Fixture.time(2))
    pump.end(id: "battery", at: Fixture.time(3))
    #expect(pump.isSuspended)
    _ = pump.advance(to: Fixture.time(4))
    #expect(pump.basal(Fixture.time(1), Fixture.time(4)) == 0)
    try pump.resume(at: Fixture.time(4))
    #expect(pump.program.kind == .scheduled)
    #expect(pump.ledger.checkConservation() == nil)
  }
}
