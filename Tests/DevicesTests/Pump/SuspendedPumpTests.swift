import Determinism
import Devices
import Quantities
import TestSupport
import Testing

/// A pump that gives its basal insulin in batches has earned pulses that it has not given yet.
@Suite("A pump that stands still gives nothing")
struct SuspendedPumpTests {
  /// Brings every pump of the catalogue to an instant drawn by chance and stops it there.
  private static func stopEach(
    _ seed: UInt64, _ name: String, _ stop: (inout Pump, Instant) throws -> Void,
    then look: (inout Pump, Instant, inout RandomStream) throws -> Void
  ) throws {
    var stream = RandomStream(seed: seed, name: name)
    for profile in PumpProfile.catalogue {
      var pump = try Fixture.pump(profile, always: 1_200)
      let instant = Fixture.midnight + .milliseconds(Int64(stream.unit() * 20_000_000))
      _ = pump.advance(to: instant)
      try stop(&pump, instant)
      try look(&pump, instant, &stream)
      #expect(pump.ledger.checkConservation() == nil, "\(profile.id)")
    }
  }

  @Test(
    "No pump of the catalogue gives basal insulin while it is suspended",
    arguments: 0..<Extent.of(5, whole: 40) as Range<UInt64>)
  func suspended(seed: UInt64) throws {
    try Self.stopEach(seed, "suspended") { pump, stop in
      try pump.perform(.suspend, at: stop)
    } then: { pump, stop, stream in
      let resume = stop + .milliseconds(1 + Int64(stream.unit() * 9_000_000))
      let between = pump.advance(to: resume)
      #expect(between.pulseTimes(.basal) == [], "\(pump.profile.id)")
      #expect(pump.basal(stop, resume) == 0)
      try pump.perform(.resume, at: resume)
      _ = pump.advance(to: resume + .hours(2))
      // It goes on, and nothing of what was earned is unaccounted for.
      #expect(pump.basal(resume, resume + .hours(2)) > 0, "\(pump.profile.id)")
    }
  }

  @Test(
    "Nor does one that an alarm has stopped",
    arguments: 0..<Extent.of(5, whole: 40) as Range<UInt64>)
  func stopped(seed: UInt64) throws {
    try Self.stopEach(seed, "stopped") { pump, stop in
      pump.begin(.alarm(.batteryDepleted), id: "battery", at: stop)
    } then: { pump, stop, _ in
      let after = pump.advance(to: stop + .hours(2))
      #expect(after.pulseTimes(.basal) == [], "\(pump.profile.id)")
    }
  }

  @Test("A new app is told of the suspension that an alarm interrupts, since it goes on after it")
  func interrupted() throws {
    let start = Fixture.midnight
    var pump = try Fixture.pump(.generic50, always: 1_200)
    try pump.perform(.suspend, at: start + .hours(1))
    let first = try pump.report().events
    pump.begin(.alarm(.failure), id: "alarm", at: start + .hours(2))
    #expect(try pump.report().events.map(\.kind) == [.alarm(.failure)])
    pump.meetApp()
    let told = try pump.report().events
    #expect(told.map(\.kind) == [.suspend, .alarm(.failure)])
    #expect(told.map(\.start) == [start + .hours(1), start + .hours(2)])
    #expect(told.first?.identifier == first.last?.identifier)
    pump.end(id: "alarm", at: start + .hours(3))
    #expect(try pump.report().events.map(\.kind) == [.alarmCleared])
    #expect(pump.isSuspended)
  }

  @Test("The next pod tells that it delivers, where nobody was told that the last one was resumed")
  func lostResume() throws {
    let start = Fixture.midnight
    let lost = UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(1))
    for isTold in [false, true] {
      var pump = try Fixture.pump(.omnipodDASH, always: 1_200)
      try pump.perform(.suspend, at: start + .hours(1))
      _ = try pump.report()
      pump.begin(.uncertainDelivery(lost), id: "radio", at: start + .hours(2))
      try? pump.perform(.resume, at: start + .hours(2))
      pump.end(id: "radio", at: start + .hours(2))
      #expect(!pump.isSuspended)
      #expect(try pump.report().events.isEmpty)
      if isTold {
        _ = pump.advance(to: start + .hours(3))
        #expect(try pump.report().events.map(\.kind) == [.resume])
      }
      try pump.replaceReservoir(at: pump.now + .minutes(30))
      let expected: [PumpEvent.Kind] = isTold ? [.rewind, .prime] : [.rewind, .prime, .resume]
      #expect(try pump.report().events.map(\.kind) == expected)
    }
  }
}
