import HealthStore
import Quantities
import Testing

@Suite("A replica on a second device")
struct ReplicaTests {
  let start = Instant(secondsSince1970: 1_700_000_000)
  let loop = HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop")

  @Test("H158 Pruning on the replica reports no deletion, and the primary keeps its samples")
  func pruning() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    let samples = (0..<10).map { fixture.glucose(100, minute: $0 * 60) }
    try primary.save(samples, as: client, at: start)
    var replica = StoreReplica(retention: .hours(4))
    try replica.synchronise(with: &primary, at: start)
    let anchor = try replica.store.changes(of: .bloodGlucose, as: client).anchor
    try replica.synchronise(with: &primary, at: start + .hours(9))
    let kept = try replica.store.samples(of: .bloodGlucose, as: client)
    #expect(kept.map(\.uuid) == samples.dropFirst(5).map(\.uuid))
    #expect(try replica.store.changes(of: .bloodGlucose, since: anchor, as: client).isEmpty)
    #expect(try primary.samples(of: .bloodGlucose, as: client).count == 10)
    try replica.synchronise(with: &primary, at: start + .hours(9))
    #expect(try primary.changes(of: .bloodGlucose, as: client).deleted.isEmpty)
  }

  @Test("Samples and deletions cross after the delay, in both directions, once each")
  func exchange() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    var replica = StoreReplica(delay: .minutes(2))
    let (first, second) = (fixture.glucose(100, minute: 0), fixture.glucose(110, minute: 5))
    try primary.save(first, as: client, at: start)
    try replica.synchronise(with: &primary, at: start + .minutes(1))
    #expect(try replica.store.samples(of: .bloodGlucose, as: client).isEmpty)
    try replica.synchronise(with: &primary, at: start + .minutes(2))
    let copy = try #require(try replica.store.samples(of: .bloodGlucose, as: client).first)
    #expect(copy.uuid == first.uuid)
    #expect(copy.source?.name == "Loop")
    try replica.store.save(second, as: client, at: start + .minutes(3))
    try primary.delete([first.uuid], as: client, at: start + .minutes(3))
    for minute in [5, 9, 20] as [Int64] {
      try replica.synchronise(with: &primary, at: start + .minutes(minute))
      for store in [primary, replica.store] {
        #expect(try store.samples(of: .bloodGlucose, as: client).map(\.uuid) == [second.uuid])
      }
    }
    try replica.store.delete([second.uuid], as: client, at: start + .minutes(21))
    try replica.synchronise(with: &primary, at: start + .minutes(23))
    #expect(try primary.samples(of: .bloodGlucose, as: client).isEmpty)
    try replica.synchronise(with: &primary, at: start + .minutes(30))
    #expect(try replica.store.samples(of: .bloodGlucose, as: client).isEmpty)
    #expect(try primary.changes(of: .bloodGlucose, as: client).deleted.count == 2)
  }

  @Test("A blood pressure crosses whole")
  func correlations() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    let members = try [(ObjectType.bloodPressureSystolic, 120.0), (.bloodPressureDiastolic, 80)]
      .map { type, value in
        try Sample(
          type, quantity: HealthQuantity(value, .millimetreOfMercury), start: start,
          uuid: fixture.uuid())
      }
    let pressure = try Sample(
      .bloodPressure, members: members, start: start, uuid: fixture.uuid())
    let noise = fixture.glucose(90, minute: 0)
    try primary.save([noise, pressure], as: client, at: start)
    var replica = StoreReplica()
    try replica.synchronise(with: &primary, at: start)
    let found = try replica.store.correlations(of: .bloodPressure, as: client)
    #expect(found.first?.members.map(\.uuid) == members.map(\.uuid))
  }
}
