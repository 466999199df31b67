import Foundation
import HealthStore
import Quantities
import Testing

@testable import HealthStoreSQLite

/// A file that nobody sees before it is whole, as every run writes one.
@Suite("A file that is written once")
struct UnpublishedFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A store with references of every kind: a device, metadata, a correlation and a deletion.
  private func makeStore() throws -> InMemoryHealthStore {
    var generator = SplitMix(state: 7)
    let start = Instant(secondsSince1970: 1_700_000_000)
    var store = InMemoryHealthStore()
    let client = try store.register(
      HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
    let samples = (0..<300).map { minute in
      Sample.bloodGlucose(
        .mgdL(100 + Double(minute % 7)), at: start + .minutes(minute),
        uuid: .init(using: &generator), device: Device(name: "CGM \(minute % 3)"),
        metadata: [.syncIdentifier: .text("s\(minute)"), .syncVersion: .number(1)])
    }
    try store.save(samples, as: client, at: start)
    try store.delete([samples[3].uuid], as: .user, at: start + .hours(2))
    return store
  }

  private func write(_ name: String, _ durability: SQLiteBackend.Durability) throws -> String {
    let path = folder.file(name)
    try SQLiteBackend(path: path, durability: durability).mirror(try makeStore())
    return path
  }

  /// Every row of every table and its statement, but the pages on which they begin.
  private func tables(_ path: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY name")
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<4).map { statement.text($0) }.joined(separator: "|"))
    }
    return rows
  }

  @Test("It has the tables of any other, with their number, and no statement differs")
  func tablesAlike() throws {
    let once = try write("once.sqlite", .unpublished)
    let other = try write("other.sqlite", .process)
    let schema = try tables(once)
    #expect(try schema == tables(other))
    #expect(schema.contains { $0.hasPrefix("table|object|") })
    #expect(try SQLiteBackend.schemaVersion(ofFileAt: once) == SQLiteBackend.currentSchemaVersion)
  }

  @Test("Its pages have checksums, it is sound, and no row points to nothing")
  func isSound() throws {
    let path = try write("once.sqlite", .unpublished)
    #expect(try SQLiteBackend.hasChecksums(fileAt: path))
    #expect(try SQLiteBackend.damage(inFileAt: path) == [])
    let kept = try SQLiteHealthStore(reading: path)
    let store = try makeStore()
    #expect(
      try kept.samples(of: .bloodGlucose, as: .user)
        == store.samples(of: .bloodGlucose, as: .user))
    #expect(
      try kept.changes(of: .bloodGlucose, as: .user)
        == store.changes(of: .bloodGlucose, as: .user))
  }

  @Test("The first of a process has the same bytes as the next")
  func sameBytes() throws {
    let files = try (1...3).map { try write("\($0).sqlite", .unpublished) }
    let bytes = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(bytes[0] == bytes[1] && bytes[1] == bytes[2])
  }

  @Test("References are held again by what is written later")
  func referencesAfterwards() throws {
    let path = folder.file("later.sqlite")
    let file = try SQLiteBackend(path: path)
    try file.mirror(try makeStore())
    var kept = try HealthRecordStore(opening: file)
    let sample = try #require(kept.samples(of: .bloodGlucose, as: .user).first)
    try kept.delete([sample.uuid], as: .user, at: sample.start + .days(1))
    #expect(try SQLiteBackend.damage(inFileAt: path) == [])
    #expect(throws: HealthStoreError.self) {
      try file.tables.connection.execute("INSERT INTO metadata VALUES(99999, 1, 1, 1, NULL, NULL)")
    }
  }
}
