import Determinism
import HealthStore
import Quantities
import Testing

@testable import Simulation

@Suite("The digest of a health store")
struct StoreDigestTests {
  @Test("A store gives it the same as its rows and samples one by one")
  func isOfWholeStores() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.isClosedLoop = true
    var store = try fixture.result().store
    let client = try store.register(
      HealthClient(bundleIdentifier: "test", name: "Test"), granting: .full)
    let trend = HealthQuantity(0, .milligramPerDecilitrePerMinute)
    let kinds: [Metadata] = [
      .none, [.hasLoopKitOrigin: .flag(true)], [.syncIdentifier: .flag(false)],
      [.syncIdentifier: .text("0102"), .syncVersion: .number(1)],
      [.syncIdentifier: .text("01 1/2"), .syncVersion: .number(1), .glucoseTrend: .text("up")],
      [.glucoseTrendRate: .quantity(trend)],
      [.insulinDeliveryReason: .number(0), .syncIdentifier: .text("b"), .syncVersion: .number(2)],
      [.syncIdentifier: .text("größer"), .syncVersion: .number(2), .timeZone: .text("UTC\0")],
      [.userCreatedDate: .date(.at(1, 1)), .glucoseTrend: .text("")],
    ]
    for (number, metadata) in kinds.enumerated() {
      for (place, device) in [nil, Device(name: "CGM"), Device(model: "")].enumerated() {
        let sample = Sample(
          restoring: SampleUUID(high: UInt64(number), low: UInt64(place)),
          type: .bloodGlucose, start: .at(1, Int64(number)), end: .at(2),
          value: .quantity(HealthQuantity(100, .millimolePerLitre)), device: device,
          metadata: metadata)
        try store.save(sample, as: client, at: .at(2))
      }
    }
    let members = [ObjectType.bloodPressureSystolic, .bloodPressureDiastolic].map {
      Sample(
        restoring: SampleUUID(high: 99, low: UInt64($0.rawValue)), type: $0, start: .at(1),
        end: .at(1), value: .quantity(HealthQuantity(90, .millimetreOfMercury)))
    }
    let pressure = try Sample(
      .bloodPressure, members: members, start: .at(1), uuid: SampleUUID(high: 99, low: 0))
    try store.save(pressure, as: client, at: .at(2))
    try store.delete([SampleUUID(high: 1, low: 2)], as: client, at: .at(3))

    var digest = RunningDigest()
    digest.absorb(store.registry.sources)
    digest.absorb(store.registry.revisions)
    for type in ObjectType.allCases {
      var samples: [StoredSample] = []
      store.backend.visit(.rows(type, after: 0)) { stored in
        samples.append(stored)
        return true
      }
      for stored in samples { digest.absorb(stored) }
      digest.absorb(samples.count)
      digest.absorb(store.backend.tombstones(of: type, after: 0))
    }
    digest.absorb(store.backend.workoutLinks)
    var whole = RunningDigest()
    whole.absorb(store)
    #expect(whole == digest)
  }
}
