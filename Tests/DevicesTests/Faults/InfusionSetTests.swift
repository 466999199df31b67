import Determinism
import Devices
import Quantities
import Testing

@Suite("Infusion sets")
struct InfusionSetTests {
  @Test("Sets fail by chance at the published shares of 1.0, 1.8 and 3.3 %")
  func shares() {
    var stream = RandomStream(seed: 1, name: "site")
    let count = 60_000
    var failed: [Int64: Int] = [:]
    for _ in 0..<count {
      guard
        let age = InfusionSetLife.kanapka2022.drawFailure(within: .days(3), from: &stream)
      else { continue }
      for day in Int64(1)...3 where age < .days(day) { failed[day, default: 0] += 1 }
    }
    for (day, share) in [(1, 0.010), (2, 0.018), (3, 0.033)] as [(Int64, Double)] {
      let found = Double(failed[day] ?? 0) / Double(count)
      // Three standard errors.
      #expect(abs(found - share) < 3 * (share / Double(count)).squareRoot())
    }
  }

  @Test("A set that is worn longer fails at the rate of the third day")
  func longWear() {
    let always = InfusionSetLife(failedByDay: [0.2, 0.4])
    var stream = RandomStream(seed: 2, name: "site")
    let ages = (0..<10_000).compactMap { _ in always.drawFailure(within: .days(5), from: &stream) }
    #expect(ages.count == 10_000)
    let late = Double(ages.count { $0 >= .days(4) }) / 10_000
    #expect(abs(late - 0.2) < 0.015)
  }

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
