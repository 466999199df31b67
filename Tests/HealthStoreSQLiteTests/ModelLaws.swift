import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

/// What a store must hold after any operations, written in the plainest way.
struct StoreModel {
  struct Entry: Equatable {
    var uuid: SampleUUID
    var mgdL: Double
    var minute: Int64
    var owner: Int
    var sync: (name: String, version: Int)?

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.uuid == rhs.uuid && lhs.mgdL == rhs.mgdL && lhs.minute == rhs.minute
        && lhs.owner == rhs.owner && lhs.sync?.name == rhs.sync?.name
        && lhs.sync?.version == rhs.sync?.version
    }
  }

  var live: [Entry] = []

  mutating func save(_ entry: Entry) {
    if let sync = entry.sync,
      let index = live.firstIndex(where: { $0.owner == entry.owner && $0.sync?.name == sync.name })
    {
      guard (live[index].sync?.version ?? 0) < sync.version else { return }
      live.remove(at: index)
    }
    live.append(entry)
  }

  /// The identities in the order of starts; saved later counts as later.
  func ordered(from: Int64, to: Int64, owner: Int?) -> [SampleUUID] {
    live.enumerated()
      .filter { $0.element.minute >= from && $0.element.minute < to }
      .filter { owner == nil || $0.element.owner == owner }
      .sorted { ($0.element.minute, $0.offset) < ($1.element.minute, $1.offset) }
      .map(\.element.uuid)
  }
}

@Suite("A store and its simple model, on both backends")
struct ModelLaws {
  @Test(
    "H146 H131 After any operations store, model and an anchored mirror agree",
    arguments: Place.allCases, 0..<12 as Range<UInt64>)
  func agreement(place: Place, seed: UInt64) throws {
    var world = try World(place)
    world.generator = SplitMix(state: seed &* 7_919)
    var chance = SplitMix(state: seed)
    var model = StoreModel()
    var mirror: Set<SampleUUID> = []
    var anchor: QueryAnchor?
    let owners = [world.loop, world.dexcom]
    for _ in 0..<60 {
      switch chance.next() % 10 {
      case 0...5: try save(&world, &model, &chance, owners)
      case 6...7: try delete(&world, &model, &chance, owners)
      case 8: try deleteEarly(&world, &model, &chance, owners)
      default: try sync(&world, &mirror, &anchor, limit: Int(chance.next() % 5) + 1)
      }
      let bounds = [Int64(chance.next() % 100), Int64(chance.next() % 100)].sorted()
      let seen = try world.store.samples(
        of: .bloodGlucose, from: world.minute(bounds[0]), to: world.minute(bounds[1]), as: .user)
      #expect(seen.map(\.uuid) == model.ordered(from: bounds[0], to: bounds[1], owner: nil))
    }
    for (owner, client) in owners.enumerated() {
      try world.store.setAuthorization(.writeOnly, of: client, for: [.bloodGlucose])
      #expect(try world.seen(by: client) == model.ordered(from: 0, to: 100, owner: owner))
    }
    try sync(&world, &mirror, &anchor, limit: 1_000)
    #expect(mirror == Set(model.live.map(\.uuid)))
    for entry in model.live {
      let sample = try #require(try world.store.sample(entry.uuid, as: .user))
      #expect(sample.storedValue == entry.mgdL)
      #expect(sample.metadata.syncVersion == entry.sync?.version)
    }
  }

  private func save(
    _ world: inout World, _ model: inout StoreModel, _ chance: inout SplitMix, _ owners: [ClientID]
  ) throws {
    let owner = Int(chance.next() % 2)
    var samples: [Sample] = []
    for _ in 0...(chance.next() % 3) {
      let minute = Int64(chance.next() % 100)
      let value = Double(chance.next() % 300)
      var metadata = Metadata()
      var sync: (name: String, version: Int)?
      if chance.next() % 2 == 0 {
        let pair = (name: "s\(chance.next() % 5)", version: Int(chance.next() % 6))
        metadata.setSync(identifier: SyncIdentifier(pair.name), version: pair.version)
        sync = pair
      }
      let sample = world.glucose(value, minute: minute, metadata: metadata)
      samples.append(sample)
      model.save(
        .init(uuid: sample.uuid, mgdL: value, minute: minute, owner: owner, sync: sync))
    }
    try world.store.save(samples, as: owners[owner], at: world.start)
  }

  private func delete(
    _ world: inout World, _ model: inout StoreModel, _ chance: inout SplitMix, _ owners: [ClientID]
  ) throws {
    guard !model.live.isEmpty else { return }
    let index = Int(chance.next() % UInt64(model.live.count))
    let client = owners[Int(chance.next() % 2)]
    let entry = model.live[index]
    let code = failure { try world.store.delete([entry.uuid], as: client, at: world.start) }
    #expect(code == (owners[entry.owner] == client ? nil : 4))
    if code == nil { model.live.remove(at: index) }
  }

  private func deleteEarly(
    _ world: inout World, _ model: inout StoreModel, _ chance: inout SplitMix, _ owners: [ClientID]
  ) throws {
    let owner = Int(chance.next() % 2)
    let minute = Int64(chance.next() % 20)
    let count = model.live.filter { $0.owner == owner && $0.minute < minute }.count
    let deleted = try world.store.deleteSamples(
      of: .bloodGlucose, matching: .samples(end: world.minute(minute)), as: owners[owner],
      at: world.start)
    #expect(deleted == count)
    model.live.removeAll { $0.owner == owner && $0.minute < minute }
  }

  private func sync(
    _ world: inout World, _ mirror: inout Set<SampleUUID>, _ anchor: inout QueryAnchor?, limit: Int
  ) throws {
    while true {
      let changes = try world.store.changes(
        of: .bloodGlucose, since: anchor, limit: limit, as: .user)
      for sample in changes.added {
        #expect(mirror.insert(sample.uuid).inserted)
      }
      for object in changes.deleted { mirror.remove(object.uuid) }
      anchor = changes.anchor
      if changes.added.count + changes.deleted.count < limit { return }
    }
  }

  @Test("A store in memory keeps its order and its indices when most of it is deleted")
  func compaction() throws {
    var store = InMemoryHealthStore()
    var generator = SplitMix(state: 1)
    let start = Instant(secondsSince1970: 1_700_000_000)
    let client = try store.register(
      HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
    let samples = (0..<4_000 as Range<Int64>).map { index in
      Sample.bloodGlucose(
        .mgdL(100), at: start + .minutes(index * 37 % 4_000), uuid: .init(using: &generator))
    }
    try store.save(samples, as: client, at: start)
    let copy = store
    try store.delete(samples.dropFirst(500).map(\.uuid), as: client, at: start)
    let left = try store.samples(of: .bloodGlucose, as: client)
    #expect(left.count == 500)
    #expect(left.map(\.start) == left.map(\.start).sorted())
    #expect(Set(left.map(\.uuid)) == Set(samples.prefix(500).map(\.uuid)))
    for sample in samples.prefix(3) {
      #expect(try store.sample(sample.uuid, as: client)?.start == sample.start)
    }
    #expect(try store.sample(samples[600].uuid, as: client) == nil)
    try store.save(samples[600], as: client, at: start)
    #expect(try store.sample(samples[600].uuid, as: client) != nil)
    #expect(try copy.samples(of: .bloodGlucose, as: client).count == 4_000)
  }
}
