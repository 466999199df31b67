import Quantities
import Testing

@testable import HealthStore

@Suite("Who writes, and what is to be replaced")
struct StoreWriterTests {
  /// Contents with a client that may do what is granted.
  private func contents(
    granting authorization: Authorization?
  ) throws -> (StoreContents<MemoryBackend>, ClientID) {
    var contents = StoreContents()
    let (number, changes) = contents.registry.changes(
      registering: HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"),
      granting: authorization, for: [.bloodGlucose])
    try contents.commit(changes)
    return (contents, ClientID(number: number))
  }

  @Test("Plain quantities are a run, and whatever is in doubt is none")
  func runs() throws {
    var fixture = Fixture()
    let (contents, client) = try contents(granting: .full)
    let writer = try StoreWriter(client, in: contents.registry)
    let plain = [fixture.glucose(100, minute: 0), fixture.glucose(101, minute: 5)]
    let run = try writer.run(of: plain, at: fixture.start, from: 9, in: contents.registry)
    #expect(run?.firstRow == 9)
    #expect(run?.source == 1)
    let negative = plain + [fixture.glucose(-1, minute: 10)]
    #expect(try writer.run(of: negative, at: fixture.start, from: 9, in: contents.registry) == nil)
    #expect(
      throws: HealthStoreError.invalidArgument(.negativeValue(-1, .bloodGlucose), object: 2)
    ) {
      try writer.checkSaving(negative, in: contents.registry)
    }
  }

  @Test("A client is found by its bundle identifier, whichever is thought likely")
  func likelyClients() throws {
    var (contents, loop) = try contents(granting: .full)
    let (number, changes) = contents.registry.changes(
      registering: HealthClient(bundleIdentifier: "diary", name: "Diary"), granting: nil,
      for: [.bloodGlucose])
    try contents.commit(changes)
    let diary = ClientID(number: number)
    for likely in [nil, .user, loop, diary, ClientID(number: 9), ClientID(number: -1)] {
      let registry = contents.registry
      #expect(registry.client(bundleIdentifier: "diary", likely: likely) == diary)
      #expect(registry.client(bundleIdentifier: "com.loopkit.Loop", likely: likely) == loop)
      #expect(registry.client(bundleIdentifier: "nobody", likely: likely) == nil)
    }
    try contents.commit(contents.registry.changes(uninstalling: loop, of: "com.loopkit.Loop"))
    let registry = contents.registry
    #expect(registry.client(bundleIdentifier: "com.loopkit.Loop", likely: loop) == nil)
  }

  @Test("A client that was never allowed has to ask, and the user may write")
  func permissions() throws {
    var fixture = Fixture()
    let (contents, client) = try contents(granting: nil)
    let sample = fixture.glucose(100, minute: 0)
    let writer = try StoreWriter(client, in: contents.registry)
    #expect(
      throws: HealthStoreError.authorizationNotDetermined(client: "Loop", type: .bloodGlucose)
    ) {
      try writer.checkSaving(sample, in: contents.registry)
    }
    let user = try StoreWriter(.user, in: contents.registry)
    try user.checkSaving(sample, in: contents.registry)
    let stored = StoredSample(
      saving: sample, row: 1, revision: 0, source: 0, created: fixture.start)
    #expect(user.owns(stored) && !writer.owns(stored))
    #expect(throws: HealthStoreError.self) {
      try StoreWriter(ClientID(number: 7), in: contents.registry)
    }
  }

  @Test("What was replaced before is not replaced again, and what is gone is not deleted")
  func replacing() throws {
    var fixture = Fixture()
    var (contents, client) = try contents(granting: .full)
    let old = [fixture.glucose(100, minute: 0), fixture.glucose(110, minute: 5)]
    _ = try contents.save(old, as: client, at: fixture.start)
    let new = [fixture.glucose(101, minute: 0), fixture.glucose(111, minute: 5)]
    let first = try Replacement(
      of: [old[0].uuid], with: [new[0]], as: client, in: contents)
    #expect(first.deletions == [old[0].uuid])
    _ = try contents.combine(first.writes, first.deletions, as: client, at: fixture.start)
    let again = try Replacement(
      of: old.map(\.uuid), with: [fixture.glucose(1, minute: 0), new[1]], as: client, in: contents)
    #expect(again.pairs.map(\.new) == new.map(\.uuid))
    #expect(again.writes.map(\.uuid) == [new[1].uuid])
    #expect(again.deletions == [old[1].uuid])
  }
}
