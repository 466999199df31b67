import Quantities
import Testing

@testable import HealthStore

@Suite("What a store holds, by itself")
struct StoreContentsTests {
  @Test("Contents begin with the user, who is written once")
  func beginning() throws {
    let contents = StoreContents()
    #expect(contents.registry.clients.count == 1)
    #expect(contents.registry.authorization(of: .user, for: .bloodGlucose) == .full)
    let opened = try StoreContents(opening: MemoryBackend())
    #expect(opened.registry == contents.registry)
    #expect(opened.lastRow == 0)
  }

  @Test("There is news after a row, none after the last, and who was never asked about cannot ask")
  func news() throws {
    var fixture = Fixture()
    var contents = StoreContents()
    let (number, changes) = contents.registry.changes(
      registering: HealthClient(bundleIdentifier: "org.example", name: "Other"), granting: nil,
      for: [])
    try contents.commit(changes)
    let sample = fixture.glucose(100, minute: 0)
    try contents.insert(
      StoredSample(saving: sample, row: 1, revision: 0, source: 0, created: fixture.start))
    let client = ClientID(number: number)
    #expect(try ChangesQuery.hasNews(of: .bloodGlucose, since: 0, as: .user, in: contents))
    #expect(try !ChangesQuery.hasNews(of: .bloodGlucose, since: 1, as: .user, in: contents))
    #expect(try !ChangesQuery.hasNews(of: .stepCount, since: 0, as: .user, in: contents))
    let undetermined = HealthStoreError.authorizationNotDetermined(
      client: "Other", type: .bloodGlucose)
    #expect(throws: undetermined) {
      try ChangesQuery.hasNews(of: .bloodGlucose, since: 0, as: client, in: contents)
    }
    #expect(try contents.samples(of: .bloodGlucose, as: .user).map(\.uuid) == [sample.uuid])
  }

  @Test("A batch counts the rows on, and changes of the registry alone give out none")
  func rows() throws {
    var fixture = Fixture()
    var contents = StoreContents()
    var batch = StoreBatch()
    batch.inserted = [
      StoredSample(
        saving: fixture.glucose(100, minute: 0), row: 4, revision: 0, source: 0,
        created: fixture.start)
    ]
    batch.lastRow = 4
    try contents.commit(batch)
    #expect(contents.lastRow == 4)
    var settings = contents.registry.settings
    settings.isLocked = true
    try contents.commit([.settings(settings)])
    #expect(contents.lastRow == 4)
    #expect(throws: HealthStoreError.databaseInaccessible) {
      try contents.samples(of: .bloodGlucose, as: .user)
    }
  }
}
