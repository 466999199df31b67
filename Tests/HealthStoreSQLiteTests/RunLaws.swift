import HealthStore
import Quantities
import TestSupport
import Testing

@Suite("Many plain samples at once, on both backends")
struct RunLaws {
  /// Samples of changing types, units and devices, none of which has metadata.
  private func mixture(_ count: Int, in world: inout World) throws -> [Sample] {
    let devices = [nil, Device(name: "G7"), Device(name: "Watch", model: "Ultra")]
    let units = [HealthUnit.milligramPerDecilitre, .millimolePerLitre]
    return try (0..<count).map { index in
      let isGlucose = index % 7 < 4
      return try Sample(
        isGlucose ? .bloodGlucose : .stepCount,
        quantity: HealthQuantity(
          Double(index % 300) / 3, isGlucose ? units[index / 11 % 2] : .count),
        start: world.minute(Int64(index * 37 % 5_000)),
        end: world.minute(Int64(index * 37 % 5_000 + index % 3)), uuid: world.uuid(),
        device: devices[index / 13 % 3])
    }
  }

  private func all(_ world: World) throws -> [Sample] {
    try world.store.samples(of: .bloodGlucose, as: .user)
      + world.store.samples(of: .stepCount, as: .user)
  }

  private func byIdentity(_ samples: [Sample]) -> [SampleUUID: Sample] {
    Dictionary(uniqueKeysWithValues: samples.map { ($0.uuid, $0) })
  }

  @Test("Types, units, devices and times come back as they were", arguments: Place.allCases)
  func comesBack(place: Place) throws {
    var world = try World(place)
    let count = Extent.of(1_000, whole: 3_000)
    let samples = try mixture(3 * count, in: &world)
    for start in stride(from: 0, to: 3 * count, by: count) {
      try world.store.save(
        Array(samples[start..<(start + count)]), as: start == count ? world.dexcom : world.loop,
        at: world.minute(Int64(start)))
    }
    let found = byIdentity(try all(world))
    #expect(found.count == 3 * count)
    for (index, sample) in samples.enumerated() {
      let back = try #require(found[sample.uuid])
      #expect(back.quantity == sample.quantity)
      #expect(back.device == sample.device)
      #expect((back.start, back.end) == (sample.start, sample.end))
      #expect(back.source?.name == ((count..<(2 * count)).contains(index) ? "Dexcom" : "Loop"))
    }
    let starts = try world.store.samples(of: .bloodGlucose, as: .user).map(\.start)
    #expect(starts == starts.sorted())
    let changes = try world.store.changes(of: .stepCount, as: .user).added
    #expect(changes.map(\.uuid) == samples.filter { $0.type == .stepCount }.map(\.uuid))
  }

  @Test(
    "H115 H116 One known identity among thousands keeps all of them out",
    arguments: Place.allCases)
  func allOrNothing(place: Place) throws {
    var world = try World(place)
    var samples = try mixture(2_000, in: &world)
    let known = samples.removeFirst()
    try world.save(known, by: world.loop)
    let row = world.store.lastRow
    for repeated in [known, samples[5]] {
      #expect(
        failure {
          try world.store.save(samples + [repeated], as: world.loop, at: world.start)
        } == 3)
      #expect(world.store.lastRow == row)
      #expect(try all(world).map(\.uuid) == [known.uuid])
      for sample in samples { #expect(try world.store.sample(sample.uuid, as: .user) == nil) }
    }
    try world.store.save(samples, as: world.loop, at: world.start)
    #expect(try all(world).count == 2_000)
  }

  @Test(
    "Samples that differ only in time and value come back whole, and a known one keeps them out",
    arguments: Place.allCases, [1, 19, 20, 21, 59, 60])
  func uniform(place: Place, count: Int) throws {
    var world = try World(place)
    let device = Device(name: "G7")
    let samples = try (0..<count).map { index in
      try Sample(
        .stepCount, quantity: HealthQuantity(Double(index) / 3, .count),
        start: world.minute(Int64(index)),
        end: world.minute(Int64(index == count / 2 ? 5_000 : index)), uuid: world.uuid(),
        device: device)
    }
    let known = count * 2 / 3
    try world.save(samples[known], by: world.dexcom)
    let expected = InvalidArgument.duplicateUUID(samples[known].uuid)
    #expect(throws: HealthStoreError.invalidArgument(expected, object: known)) {
      try world.store.save(samples, as: world.loop, at: world.start)
    }
    #expect(try world.seen(.stepCount, by: .user) == [samples[known].uuid])
    try world.store.delete([samples[known].uuid], as: .user, at: world.start)
    let row = world.store.lastRow
    try world.store.save(samples, as: world.loop, at: world.minute(7))
    let found = try world.store.changes(of: .stepCount, as: .user)
    #expect(world.store.lastRow == row + Int64(count))
    #expect(found.added.map(\.uuid) == samples.map(\.uuid))
    #expect(found.added.map(\.quantity) == samples.map(\.quantity))
    #expect(found.added.map(\.end) == samples.map(\.end))
    #expect(found.added.allSatisfy { $0.device == device && $0.source?.name == "Loop" })
    // The one that lasts is found long after its start.
    let late = try world.store.samples(
      of: .stepCount, from: world.minute(4_000), to: world.minute(4_001), as: .user)
    #expect(late.map(\.uuid) == [samples[count / 2].uuid])
  }

  @Test("Every identity is found while thousands come and go", arguments: Place.allCases)
  func identities(place: Place) throws {
    var world = try World(place)
    var live: [SampleUUID: Sample] = [:]
    for round in 0..<Extent.of(2, whole: 4) {
      let samples = try mixture(Extent.of(1_000, whole: 2_500), in: &world)
      try world.store.save(samples, as: world.loop, at: world.minute(Int64(round)))
      let gone = samples.enumerated().filter { $0.offset % 5 < 3 }.map(\.element.uuid)
      try world.store.delete(gone, as: world.loop, at: world.minute(Int64(round)))
      for sample in samples { live[sample.uuid] = sample }
      for uuid in gone { live[uuid] = nil }
      for uuid in gone { #expect(try world.store.sample(uuid, as: .user) == nil) }
    }
    #expect(Set(try all(world).map(\.uuid)) == Set(live.keys))
    for (uuid, sample) in live {
      #expect(try world.store.sample(uuid, as: .user)?.quantity == sample.quantity)
    }
  }

  @Test("A sample that came from a query is saved again under the new source")
  func forgetsOldSources() throws {
    var world = try World(.memory)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    let found = try #require(try world.store.sample(sample.uuid, as: .user))
    try world.store.delete([sample.uuid], as: .user, at: world.start)
    try world.save(found, by: world.loop)
    #expect(try world.store.sample(sample.uuid, as: .user)?.source?.name == "Loop")
  }
}
