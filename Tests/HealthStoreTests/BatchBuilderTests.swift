import Quantities
import Testing

@testable import HealthStore

@Suite("A batch while it is put together")
struct BatchBuilderTests {
  private func synced(_ fixture: inout Fixture, version: Int) -> Sample {
    var metadata = Metadata()
    metadata.setSync(identifier: SyncIdentifier("dose"), version: version)
    return .bloodGlucose(
      .mgdL(100), at: fixture.start, uuid: fixture.uuid(), metadata: metadata)
  }

  @Test("Rows go on from the store's, over samples and deletions alike")
  func rows() {
    var fixture = Fixture()
    var builder = BatchBuilder(
      writer: .user, revision: 0, source: 0, now: fixture.start, row: 7)
    builder.insert(fixture.glucose(100, minute: 0))
    let old = StoredSample(
      saving: fixture.glucose(90, minute: 1), row: 3, revision: 0, source: 0,
      created: fixture.start)
    builder.delete(old)
    #expect(builder.isDeleted(old.sample.uuid))
    let batch = builder.batch
    #expect(batch.inserted.map(\.row) == [8])
    #expect(batch.deleted.map(\.row) == [9])
    #expect(batch.deleted.map(\.objectRow) == [3])
    #expect(batch.lastRow == 9)
  }

  @Test("Of several versions in one batch the highest stays, and the lower leaves a trace")
  func versions() throws {
    var fixture = Fixture()
    let contents = StoreContents()
    var builder = BatchBuilder(
      writer: .user, revision: 0, source: 0, now: fixture.start, row: 0)
    let samples = [1, 2, 1].map { synced(&fixture, version: $0) }
    var outcomes: [SaveOutcome] = []
    for (index, sample) in samples.enumerated() {
      outcomes.append(try builder.add(sample, index: index, to: contents))
    }
    #expect(
      outcomes == [.inserted, .replaced(samples[0].uuid), .ignored(existing: samples[1].uuid)])
    #expect(builder.has(samples[1].uuid))
    let batch = builder.batch
    #expect(batch.inserted.map(\.sample.uuid) == samples.prefix(2).map(\.uuid))
    #expect(batch.deleted.map(\.uuid) == [samples[0].uuid])
  }

  @Test("Only own samples are chosen for deletion, and a missing one is named by its index")
  func deletion() throws {
    var fixture = Fixture()
    var contents = StoreContents()
    let (number, changes) = contents.registry.changes(
      registering: HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"),
      granting: .full, for: [.bloodGlucose])
    try contents.commit(changes)
    let client = ClientID(number: number)
    let (own, other) = (fixture.glucose(100, minute: 0), fixture.glucose(110, minute: 1))
    _ = try contents.save(own, as: client, at: fixture.start)
    _ = try contents.save(other, as: .user, at: fixture.start)
    let mine = try Deletion(of: .bloodGlucose, matching: .all, as: client, in: contents)
    #expect(mine.samples.map(\.sample.uuid) == [own.uuid])
    let all = try Deletion(of: .bloodGlucose, matching: .all, as: .user, in: contents)
    #expect(all.samples.map(\.sample.uuid) == [own.uuid, other.uuid])
    let missing = fixture.uuid()
    #expect(throws: HealthStoreError.invalidArgument(.notInStore(missing), object: 1)) {
      try Deletion(of: [own.uuid, missing], as: client, in: contents)
    }
    try contents.delete(mine, by: client, at: fixture.start)
    #expect(try contents.samples(of: .bloodGlucose, as: .user).map(\.uuid) == [other.uuid])
  }
}
