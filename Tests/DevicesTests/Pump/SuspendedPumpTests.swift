import Determinism
import Devices
import Quantities
import Testing

/// A pump that gives its basal insulin in batches has earned pulses that it has not given yet.
@Suite("A pump that stands still gives nothing")
struct SuspendedPumpTests {
  @Test("No pump of the catalogue gives basal insulin while it is suspended", arguments: 0..<40)
  func suspended(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "suspended")
    for profile in PumpProfile.catalogue {
      var pump = try Fixture.pump(profile, always: 1_200)
      let stop = Fixture.midnight + .milliseconds(Int64(stream.unit() * 20_000_000))
      let resume = stop + .milliseconds(1 + Int64(stream.unit() * 9_000_000))
      _ = pump.advance(to: stop)
      try pump.perform(.suspend, at: stop)
      let between = pump.advance(to: resume)
      #expect(between.pulseTimes(.basal) == [], "\(profile.id)")
      #expect(pump.basal(stop, resume) == 0)
      try pump.perform(.resume, at: resume)
      _ = pump.advance(to: resume + .hours(2))
      // It goes on, and nothing of what was earned is unaccounted for.
      #expect(pump.basal(resume, resume + .hours(2)) > 0, "\(profile.id)")
      #expect(pump.ledger.checkConservation() == nil, "\(profile.id)")
    }
  }

  @Test("Nor does one that an alarm has stopped", arguments: 0..<40)
  func stopped(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "stopped")
    for profile in PumpProfile.catalogue {
      var pump = try Fixture.pump(profile, always: 1_200)
      let stop = Fixture.midnight + .milliseconds(Int64(stream.unit() * 20_000_000))
      _ = pump.advance(to: stop)
      pump.begin(.alarm(.batteryDepleted), id: "battery", at: stop)
      let after = pump.advance(to: stop + .hours(2))
      #expect(after.pulseTimes(.basal) == [], "\(profile.id)")
      #expect(pump.ledger.checkConservation() == nil, "\(profile.id)")
    }
  }
}
