import Quantities
import Testing

@testable import Devices

@Suite("The clock inside a pump")
struct PumpClockTests {
  @Test("One that gains half a day every day goes on for ten years")
  func longDrift() {
    var clock = PumpClock(zone: .utc, at: Fixture.midnight)
    clock.setDrift(.hours(12), at: Fixture.midnight)
    #expect(clock.skew(at: Fixture.midnight + .days(3_650)) == .days(1_825))
    #expect(clock.skew(at: Fixture.midnight + .hours(36)) == .hours(18))
    // It shows 12,000 days when 8,000 are over.
    let shown = Fixture.midnight + .days(12_000)
    #expect(clock.instant(reading: shown) == Fixture.midnight + .days(8_000))
    clock.setDrift(.seconds(-2), at: Fixture.midnight + .days(3_650))
    #expect(clock.skew(at: Fixture.midnight + .days(3_652)) == .days(1_825) - .seconds(4))
  }
}
