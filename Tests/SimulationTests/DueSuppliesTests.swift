import Devices
import Quantities
import Testing

@testable import Simulation

/// The pump holds 200 U and a pod asks to be replaced after 72 h; a person acts at 20 U.
@Suite("Whether supplies are due")
struct DueSuppliesTests {
  private static func pump(
    _ profile: PumpProfile = .generic50, reservoir: Int64 = 200_000
  ) throws -> Pump {
    try Pump(
      profile: profile, schedule: .init(always: .init(milliunitsPerHour: 1_000)), clock: .utc,
      at: .at(0), reservoir: .milliunits(reservoir))
  }

  private static func reason(
    _ pump: Pump, _ supplies: Supplies = .automatic, isAttached: Bool = true,
    at now: Instant = .at(0)
  ) -> String? { supplies.reasonToReplace(pump, isAttached: isAttached, at: now) }

  @Test(
    "A reservoir is replaced at 20 U, and not by who replaces nothing or has taken the pump off")
  func reservoir() throws {
    let low = try Self.pump(reservoir: 20_000)
    let name = low.profile.name
    #expect(Self.reason(low) == "The reservoir of the \(name) holds 20.00 U.")
    #expect(Self.reason(try Self.pump(reservoir: 20_050)) == nil)
    #expect(Self.reason(low, .none) == nil)
    #expect(Self.reason(low, isAttached: false) == nil)
  }

  @Test("A small reservoir is replaced at a tenth of it")
  func smallReservoir() throws {
    var profile = PumpProfile.generic50
    profile.reservoirCapacity = .milliunits(50_000)
    #expect(Self.reason(try Self.pump(profile, reservoir: 5_050)) == nil)
    #expect(Self.reason(try Self.pump(profile, reservoir: 5_000)) != nil)
  }

  @Test("A pod is replaced at the age at which it asks for it")
  func pod() throws {
    let pod = try Self.pump(.omnipodDASH)
    #expect(Self.reason(pod, at: .at(71, 59)) == nil)
    #expect(
      Self.reason(pod, at: .at(72))
        == "The \(pod.profile.name) has been worn for \(TimeSpan.hours(72)).")
  }

  @Test("Nobody replaces a pump in the midst of a bolus, or one that has failed")
  func waits() throws {
    var bolus = try Self.pump(reservoir: 20_000)
    try bolus.startBolus(.milliunits(1_000), automatic: false, at: .at(0))
    #expect(Self.reason(bolus) == nil)
    var failed = try Self.pump(reservoir: 20_000)
    failed.begin(.alarm(.failure), id: "failure", at: .at(0))
    #expect(Self.reason(failed) == nil)
    var empty = try Self.pump(reservoir: 20_000)
    empty.begin(.alarm(.reservoirEmpty), id: "empty", at: .at(0))
    #expect(Self.reason(empty) != nil)
    // What has failed besides being empty is not cured by a reservoir.
    empty.begin(.alarm(.failure), id: "failure", at: .at(0))
    #expect(Self.reason(empty) == nil)
    var pod = try Self.pump(.omnipodDASH)
    pod.begin(.alarm(.expired), id: "expired", at: .at(80))
    pod.begin(.alarm(.failure), id: "failure", at: .at(80))
    #expect(Self.reason(pod, at: .at(80)) != nil)
  }

  @Test("A sensor is replaced at the end of its wear")
  func sensor() {
    let sensor = GlucoseSensor(profile: .dexcomG6, insertedAt: .at(0), seed: 1)
    let wear = sensor.profile.wear
    let supplies = Supplies(replacesPump: false, replacesSensor: true)
    #expect(supplies.reasonToReplace(sensor, at: .at(0) + wear - .seconds(1)) == nil)
    #expect(
      supplies.reasonToReplace(sensor, at: .at(0) + wear)
        == "The sensor has been worn for \(wear).")
    #expect(Supplies.none.reasonToReplace(sensor, at: .at(0) + wear) == nil)
  }
}
