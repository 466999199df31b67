import Quantities
import Testing

@testable import HealthStore

@Suite("Apps on two devices")
struct ReplicaAppTests {
  let start = Instant(secondsSince1970: 1_700_000_000)
  let phone = HealthClient(bundleIdentifier: "org.example.phone", name: "Phone", version: "1")
  let watch = HealthClient(bundleIdentifier: "org.example.watch", name: "Watch", version: "2")

  /// The sources of the glucose in a store, by the values.
  private func sources(_ store: InMemoryHealthStore) throws -> [Double: String] {
    var sources: [Double: String] = [:]
    for sample in try store.samples(of: .bloodGlucose, as: .user) {
      sources[sample.glucose?.mgdL ?? 0] = sample.source?.name
    }
    return sources
  }

  @Test(
    "What an app on the replica alone wrote stays its own on both sides",
    arguments: [true, false])
  func alone(isRegisteredFirst: Bool) throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    var replica = StoreReplica()
    if !isRegisteredFirst {
      try primary.register(phone, granting: .full)
      try replica.synchronise(with: &primary, at: start)
    }
    let alone = try replica.store.register(watch, granting: .full)
    let other = try primary.register(phone, granting: .full)
    try replica.store.save(fixture.glucose(101, minute: 0), as: alone, at: start)
    try primary.save(fixture.glucose(102, minute: 5), as: other, at: start)
    for _ in 0..<2 {
      try replica.synchronise(with: &primary, at: start)
      for store in [primary, replica.store] {
        #expect(try sources(store) == [101: "Watch", 102: "Phone"])
      }
    }
    // Both have write permission alone, and see what is their own.
    let there = try #require(
      replica.store.registry.client(bundleIdentifier: phone.bundleIdentifier))
    #expect(there != alone)
    #expect(replica.store.registry.name(of: alone) == "Watch")
    #expect(primary.registry.client(bundleIdentifier: watch.bundleIdentifier) == nil)
    for client in [alone, there] {
      try replica.store.setAuthorization(.writeOnly, of: client, for: [.bloodGlucose])
    }
    for (client, value) in [(alone, 101.0), (there, 102.0)] {
      let own = try replica.store.samples(of: .bloodGlucose, as: client)
      #expect(own.map(\.glucose?.mgdL) == [value])
    }
    // A later app of the primary does not take the number of the watch's.
    try primary.register(HealthClient(bundleIdentifier: "later", name: "Later"), granting: .full)
    try replica.synchronise(with: &primary, at: start)
    #expect(replica.store.registry.name(of: alone) == "Watch")
    #expect(replica.store.registry.client(bundleIdentifier: "later") != nil)
    try primary.uninstall(other)
    try replica.synchronise(with: &primary, at: start)
    #expect(replica.store.registry.client(bundleIdentifier: phone.bundleIdentifier) == nil)
    #expect(replica.store.registry.name(of: alone) == "Watch")
  }

  @Test("Deletions cross with the one who deleted, and the order of sources with the sources")
  func deletions() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    var replica = StoreReplica()
    let alone = try replica.store.register(watch, granting: .full)
    let other = try primary.register(phone, granting: .full)
    let (mine, yours) = (fixture.glucose(101, minute: 0), fixture.glucose(102, minute: 5))
    try replica.store.save(mine, as: alone, at: start)
    try primary.save(yours, as: other, at: start)
    try replica.synchronise(with: &primary, at: start)
    try primary.setPriority(
      of: [watch.revision.source, phone.revision.source], for: .stepCount)
    try primary.delete([yours.uuid], as: other, at: start)
    try replica.store.delete([mine.uuid], as: alone, at: start)
    try replica.synchronise(with: &primary, at: start)
    for store in [primary, replica.store] {
      #expect(
        store.registry.prioritizedSources(for: .stepCount).map(\.name).prefix(2) == [
          "Watch", "Phone",
        ])
      let stones = store.backend.tombstones(of: .bloodGlucose, after: 0)
      let known = store.registry.client(bundleIdentifier: phone.bundleIdentifier)
      #expect(stones.first { $0.uuid == yours.uuid }?.deletedBy == known)
      for stone in stones {
        let writer = stone.uuid == mine.uuid ? "Watch" : "Phone"
        #expect(store.registry.sources[Int(stone.source)].name == writer)
      }
    }
    let stone = primary.backend.tombstones(of: .bloodGlucose, after: 0).first {
      $0.uuid == mine.uuid
    }
    #expect(stone.map { primary.registry.name(of: $0.deletedBy) } == "")
  }

  @Test("An app of the primary does not get the number under which one that is gone has deleted")
  func numbersOfGoneApps() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    var replica = StoreReplica()
    let alone = try replica.store.register(watch, granting: .full)
    let mine = fixture.glucose(101, minute: 0)
    try replica.store.save(mine, as: alone, at: start)
    try replica.store.delete([mine.uuid], as: alone, at: start)
    try replica.store.uninstall(alone)
    // On the primary it has the number that the watch's app had on the watch.
    #expect(try primary.register(phone, granting: .full) == alone)
    try replica.synchronise(with: &primary, at: start)
    let stones = replica.store.backend.tombstones(of: .bloodGlucose, after: 0)
    #expect(stones.map(\.uuid) == [mine.uuid])
    #expect(stones.map { replica.store.registry.name(of: $0.deletedBy) } == [""])
    #expect(replica.store.registry.client(bundleIdentifier: phone.bundleIdentifier) != nil)
  }

  @Test("Who is to be woken, and how far uploads have come, is a device's own")
  func wishes() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    var replica = StoreReplica()
    let client = try primary.register(phone, granting: .full)
    for minute in 0..<5 as Range<Int64> {
      try primary.save(fixture.glucose(100, minute: minute), as: client, at: start)
    }
    try replica.synchronise(with: &primary, at: start)
    try replica.store.delete(
      replica.store.samples(of: .bloodGlucose, as: .user).map(\.uuid), as: .user, at: start)
    try replica.store.enableBackgroundDelivery(
      of: .bloodGlucose, frequency: .hourly, as: client)
    try primary.enableBackgroundDelivery(of: .bloodGlucose, frequency: .daily, as: client)
    let before = replica.store.registry.deliveries
    #expect(before.map(\.seenRow) == [10])
    try replica.synchronise(with: &primary, at: start)
    #expect(replica.store.registry.deliveries == before)
  }

  @Test(
    "H120 Of two samples with one sync identifier the higher version stays on both sides",
    arguments: [(1, 2), (2, 1), (1, 1)])
  func namesakes(versions: (primary: Int, replica: Int)) throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    var replica = StoreReplica()
    let client = try primary.register(phone, granting: .full)
    try replica.synchronise(with: &primary, at: start)
    func sample(_ version: Int) -> Sample {
      var metadata = Metadata.none
      metadata.setSync(identifier: "one", version: version)
      return .bloodGlucose(.mgdL(100), at: start, uuid: fixture.uuid(), metadata: metadata)
    }
    let (here, there) = (sample(versions.primary), sample(versions.replica))
    try primary.save(here, as: client, at: start)
    try replica.store.save(there, as: client, at: start)
    let winner = versions.replica > versions.primary ? there : here
    for _ in 0..<3 { try replica.synchronise(with: &primary, at: start) }
    for store in [primary, replica.store] {
      #expect(try store.samples(of: .bloodGlucose, as: client).map(\.uuid) == [winner.uuid])
    }
    let next = sample(3)
    #expect(try primary.save(next, as: client, at: start) == .replaced(winner.uuid))
    try replica.synchronise(with: &primary, at: start)
    #expect(
      try replica.store.samples(of: .bloodGlucose, as: client).map(\.uuid) == [next.uuid])
  }
}
