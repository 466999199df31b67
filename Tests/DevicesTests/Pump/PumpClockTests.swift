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

  /// What a pump gives from 04:00 to 10:00 by 0.4 U/h, and by 0.8 U/h from 06:00 to 09:00.
  private func given(_ disturb: (inout Pump) -> Void) throws -> Int64 {
    let schedule = try Fixture.schedule([("00:00", 400), ("06:00", 800), ("09:00", 400)])
    var pump = try Pump(
      profile: .generic50, schedule: schedule, clock: .utc, at: Fixture.time(4))
    disturb(&pump)
    _ = pump.advance(to: Fixture.time(10))
    return pump.basal(Fixture.time(4), Fixture.time(10))
  }

  @Test("A clock that begins or ceases to drift at an entry of the schedule goes on to it")
  func driftAtEntry() throws {
    // 0.8 + 2.4 + 0.4 U, each in whole pulses: the last of each stretch falls on its end.
    #expect(try given { _ in } == 3_600)
    let drift = PumpFault.clockDrift(perDay: .milliseconds(1))
    #expect(try given { $0.begin(drift, id: "drift", at: Fixture.time(6)) } == 3_600)
    let ended = try given {
      $0.begin(drift, id: "drift", at: Fixture.time(5))
      $0.end(id: "drift", at: Fixture.time(6))
    }
    #expect(ended == 3_600)
  }

  @Test("A clock that jumps over an entry and begins to drift goes on to it at once")
  func jumpAndDrift() throws {
    let amount = try given {
      $0.begin(.clockError(.hours(1)), id: "jump", at: Fixture.time(5))
      $0.begin(.clockDrift(perDay: .milliseconds(1)), id: "drift", at: Fixture.time(5))
    }
    // 0.4 U in an hour, 2.4 U in three, and 0.8 U in two.
    #expect(amount == 3_600)
  }
}
