import Quantities
import TestSupport
import Testing

@testable import HealthStore

/// Samples that are found by their sync identifier are those that a search through all finds.
@Suite("The index of sync identifiers")
struct SyncIndexTests {
  private struct Key: Hashable {
    var writer: Int
    var type: ObjectType
    var identifier: SyncIdentifier
  }

  @Test("A random history of saving, replacing and deleting leaves what a dictionary would hold")
  func random() throws {
    for seed in UInt64(1)...Extent.of(1, whole: 4) {
      var fixture = Fixture()
      fixture.generator = SplitMix(state: seed)
      var store = InMemoryHealthStore()
      let writers = try ["a", "b"].map {
        try store.register(
          HealthClient(bundleIdentifier: $0, name: $0), granting: .full,
          for: [.bloodGlucose, .dietaryCarbohydrates])
      }
      var plain: [Key: (uuid: SampleUUID, version: Int)] = [:]
      // Enough deletions that places are given up and given out again.
      for step in 0..<6_000 {
        let number = Int(fixture.generator.next() % 900)
        let writer = Int(fixture.generator.next() % 2)
        let isGlucose = fixture.generator.next() % 4 > 0
        let key = Key(
          writer: writer, type: isGlucose ? .bloodGlucose : .dietaryCarbohydrates,
          identifier: "sample \(number)")
        let now = fixture.start + .minutes(Int64(step))
        if fixture.generator.next() % 2 == 0, let old = plain[key] {
          try store.delete([old.uuid], as: writers[writer], at: now)
          plain[key] = nil
          continue
        }
        let version = Int(fixture.generator.next() % 3)
        let uuid = fixture.uuid()
        var metadata = Metadata.none
        metadata.setSync(identifier: key.identifier, version: version)
        let sample: Sample =
          isGlucose
          ? .bloodGlucose(.mgdL(100), at: now, uuid: uuid, metadata: metadata)
          : .dietaryCarbohydrates(.init(grams: 1), at: now, uuid: uuid, metadata: metadata)
        let outcome = try store.save(sample, as: writers[writer], at: now)
        if let old = plain[key], old.version >= version {
          #expect(outcome == .ignored(existing: old.uuid))
        } else {
          #expect(outcome == plain[key].map { .replaced($0.uuid) } ?? .inserted)
          plain[key] = (uuid, version)
        }
      }
      for writer in 0..<2 {
        let source = Int32(
          try #require(
            store.registry.sources.firstIndex {
              $0.bundleIdentifier == ["a", "b"][writer]
            }))
        for type in [ObjectType.bloodGlucose, .dietaryCarbohydrates] {
          for number in 0..<900 {
            let key = Key(writer: writer, type: type, identifier: "sample \(number)")
            let found = store.backend.stored(
              syncIdentifier: key.identifier, type: type, source: source)
            #expect(found?.sample.uuid == plain[key]?.uuid)
          }
        }
      }
    }
  }

  @Test("What could not be saved leaves no identifier behind")
  func takenBack() throws {
    var fixture = Fixture()
    var store = InMemoryHealthStore()
    let app = try store.register(
      HealthClient(bundleIdentifier: "a", name: "a"), granting: .full, for: [.bloodGlucose])
    let uuid = fixture.uuid()
    func sample(_ identifier: SyncIdentifier, _ uuid: SampleUUID) -> Sample {
      var metadata = Metadata.none
      metadata.setSync(identifier: identifier, version: 1)
      return .bloodGlucose(.mgdL(100), at: fixture.start, uuid: uuid, metadata: metadata)
    }
    let plain = Sample.bloodGlucose(.mgdL(100), at: fixture.start, uuid: uuid)
    #expect(throws: HealthStoreError.self) {
      try store.save([sample("one", uuid), plain], as: app, at: fixture.start)
    }
    #expect(try store.save(sample("one", uuid), as: app, at: fixture.start) == .inserted)
  }

  @Test("What could not be saved gives an identifier back to the sample that had it")
  func givenBack() throws {
    var fixture = Fixture()
    var store = InMemoryHealthStore()
    let app = try store.register(
      HealthClient(bundleIdentifier: "a", name: "a"), granting: .full, for: [.bloodGlucose])
    func sample(_ version: Int) -> Sample {
      var metadata = Metadata.none
      metadata.setSync(identifier: "one", version: version)
      return .bloodGlucose(
        .mgdL(100), at: fixture.start, uuid: fixture.uuid(), metadata: metadata)
    }
    let (first, second) = (sample(1), sample(2))
    let plain = fixture.glucose(90, minute: 0)
    try store.save([first, plain], as: app, at: fixture.start)
    #expect(throws: HealthStoreError.self) {
      try store.save([second, plain], as: app, at: fixture.start)
    }
    #expect(try store.save(second, as: app, at: fixture.start) == .replaced(first.uuid))
    #expect(
      Set(try store.samples(of: .bloodGlucose, as: app).map(\.uuid)) == [second.uuid, plain.uuid])
  }
}
