import Foundation
import HealthStore
import Quantities
import Testing

@testable import HealthStoreSQLite

/// The checksums of a store's pages; `LOOPSIM_MUTATIONS` asks for more damaged bytes.
@Suite("Checksums of pages")
struct ChecksumTests {
  private static let start = Instant(secondsSince1970: 1_700_000_000)

  private func fill(_ path: String, count: Int64 = 200) throws {
    var generator = SplitMix(state: 5)
    var store = try SQLiteHealthStore(path: path)
    let client = try store.register(
      HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
    let samples = (0..<count).map { minute in
      Sample.bloodGlucose(
        .mgdL(100), at: Self.start + .minutes(minute), uuid: .init(using: &generator),
        metadata: [.syncIdentifier: .text("s\(minute)"), .syncVersion: .number(1)])
    }
    try store.save(samples, as: client, at: Self.start)
    try store.delete([samples[3].uuid], as: .user, at: Self.start + .hours(2))
  }

  /// Whether damage is told or the file refused.
  private func isFound(_ path: String) -> Bool {
    do throws(HealthStoreError) {
      return try !SQLiteBackend.damage(inFileAt: path).isEmpty
    } catch {
      return true
    }
  }

  @Test("A single byte that is changed anywhere in a file is found")
  func everyByte() throws {
    let folder = try ScratchFolder()
    let (path, copy) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    try fill(path)
    #expect(try SQLiteBackend.hasChecksums(fileAt: path))
    #expect(try SQLiteBackend.damage(inFileAt: path) == [])
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    var generator = SplitMix(state: 11)
    let header = (0..<100).map { ($0, UInt8(1 << ($0 % 8))) }
    let anywhere = (0..<FuzzStoreTests.count).map { _ in
      (Int(generator.next() % UInt64(original.count)), UInt8(1 + generator.next() % 255))
    }
    for (place, change) in header + anywhere {
      var bytes = original
      bytes[place] ^= change
      try bytes.write(to: URL(fileURLWithPath: copy))
      #expect(isFound(copy), "byte \(place) ^ \(change)")
    }
    try original.dropLast(700).write(to: URL(fileURLWithPath: copy))
    #expect(isFound(copy))
  }

  @Test("What stands in a file that a writer has not closed is no damage")
  func whileWriting() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path)
    var store = try SQLiteHealthStore(path: path)
    let sample = Sample.bloodGlucose(
      .mgdL(90), at: Self.start, uuid: .init(high: 1, low: 1))
    let client = try store.register(
      HealthClient(bundleIdentifier: "b", name: "B"), granting: .full)
    try store.save([sample], as: client, at: Self.start)
    #expect(try PageChecksums.look(atFile: path) == .beingWritten)
    #expect(try SQLiteBackend.damage(inFileAt: path) == [])
    #expect(try store.allSamples().count == 200)
  }

  @Test("A file without checksums says so, and gets them without losing anything")
  func adding() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      for migration in Schema.migrations { try connection.execute(migration) }
      try connection.execute("PRAGMA user_version = \(Schema.currentVersion)")
    }
    try fill(path)
    // More pages than SQLite keeps in memory, so that some are written before the header.
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute(
        """
        CREATE TABLE filler(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
        WHERE i < 3000) INSERT INTO filler SELECT zeroblob(3000) FROM n;
        """)
    }
    #expect(try PageChecksums.look(atFile: path) == .none)
    let before = try SQLiteHealthStore(reading: path).allSamples().map(\.sample)
    try SQLiteBackend.addChecksums(toFileAt: path)
    #expect(try PageChecksums.look(atFile: path) == .damaged([]))
    #expect(try SQLiteHealthStore(reading: path).allSamples().map(\.sample) == before)
    #expect(try SQLiteBackend.damage(inFileAt: path) == [])
  }

  @Test("Checksums hold after batches, a journal that is rolled back, and pages set free")
  func upkeep() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path, count: 3_000)
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute(
        """
        PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE object SET value = 5;
        DELETE FROM object WHERE row_id > 100; ROLLBACK;
        """)
    }
    #expect(try PageChecksums.look(atFile: path) == .damaged([]))
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute("PRAGMA foreign_keys = ON; DELETE FROM object WHERE row_id > 100")
    }
    #expect(try PageChecksums.look(atFile: path) == .damaged([]))
    #expect(try SQLiteBackend.damage(inFileAt: path) == [])
  }
}
