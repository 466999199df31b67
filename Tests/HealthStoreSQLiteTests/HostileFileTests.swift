import Foundation
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import HealthStoreSQLite

@Suite("A file that somebody else has changed")
struct HostileFileTests {
  private static let start = Instant(secondsSince1970: 1_700_000_000)

  @Test("A page that the medium does not give is no damage of the file")
  func unreadablePage() {
    func failure(_ line: String) -> HealthStoreError? {
      StorageFault.failure(inCheck: line, path: "a.sqlite")
    }
    let unreadable = failure(
      "*** in database main ***\nPage 43: unable to get the page. error code=266")
    #expect(
      unreadable
        == .storage(code: 266, message: "a.sqlite: cannot be read or written: disk I/O error"))
    #expect(unreadable?.processExitCode == 74)
    #expect(failure("Page 43: unable to get the page. error code=11") == nil)
    #expect(failure("Tree 5 page 43: btreeInitPage() returns error code 11") == nil)
    #expect(failure("row 3 missing from index object_by_time") == nil)
  }

  /// A store with something in most of its tables.
  private func fill(_ path: String) throws {
    var generator = SplitMix(state: 7)
    var store = try SQLiteHealthStore(path: path)
    let loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop", version: "3"),
      granting: .full)
    let other = try store.register(
      HealthClient(bundleIdentifier: "b", name: "B"), granting: .full)
    var service = SubscriptionService(name: "cloud", client: loop)
    try service.setSubscriptions([.bloodGlucose], in: &store)
    let samples = (0..<30 as Range<Int64>).map { minute in
      Sample.bloodGlucose(
        .mgdL(100), at: Self.start + .minutes(minute), uuid: .init(using: &generator),
        device: Device(name: "CGM"),
        metadata: [
          .syncIdentifier: .text("s\(minute)"), .syncVersion: .number(1),
          .wasUserEntered: .flag(true), .userCreatedDate: .date(Self.start),
        ])
    }
    try store.save(samples, as: loop, at: Self.start)
    try store.save(
      [
        Sample(
          restoring: .init(using: &generator), type: .workout, start: Self.start,
          end: Self.start + .hours(1),
          value: .workout(
            Workout(
              activity: .running, duration: .minutes(50),
              events: [.init(.pause, at: Self.start, duration: .minutes(1))])))
      ], as: other, at: Self.start)
    try store.delete([samples[3].uuid], as: .user, at: Self.start + .hours(2))
    try store.setPriority(of: store.registry.sources, for: .bloodGlucose)
    try store.enableBackgroundDelivery(of: .bloodGlucose, frequency: .hourly, as: loop)
    try service.collect(in: &store, at: Self.start + .hours(3))
  }

  /// Reads all that can be read.
  private func readAll(_ path: String) throws {
    _ = try SQLiteBackend.damage(inFileAt: path)
    let store = try SQLiteHealthStore(reading: path)
    for restored in try store.allSamples() { _ = "\(restored.sample) \(restored.created)" }
    for type in ObjectType.allCases where type.isSampleType {
      for sample in try store.samples(of: type, as: .user) {
        _ = (sample.duration, "\(sample.start)", sample.sourceRevision?.version)
      }
      _ = try store.changes(of: type, as: .user)
      _ = store.registry.prioritizedSources(for: type)
    }
    for client in store.registry.clients.indices {
      _ = store.registry.authorization(of: ClientID(number: client), for: .bloodGlucose)
    }
    _ = try store.backend.uploads(of: "cloud", limit: 100)
    for delivery in store.registry.deliveries {
      _ = store.registry.authorization(of: delivery.client, for: delivery.type)
    }
  }

  /// The columns of whole numbers of every table.
  private func columns(_ path: String) throws -> [(table: String, column: String)] {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    let statement = try connection.prepare(
      """
      SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.type = 'INTEGER' ORDER BY 1, 2
      """)
    var columns: [(table: String, column: String)] = []
    while try statement.step() { columns.append((statement.text(0), statement.text(1))) }
    return columns
  }

  @Test("A pipe, into which nobody writes, and a device are no stores, and nothing waits for them")
  func streams() throws {
    let folder = try ScratchFolder()
    let pipe = folder.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/null", "/dev/zero"] {
      let error = HealthStoreError.notAHealthStore(
        path: path, reason: "it is a pipe, a device or a socket, and no file")
      #expect(throws: error) { _ = try SQLiteHealthStore(reading: path) }
      #expect(throws: error) { _ = try SQLiteHealthStore(path: path) }
    }
  }

  @Test("Any number in any column is an error with its row, or harmless; it never ends the program")
  func anyNumber() throws {
    let folder = try ScratchFolder()
    let (path, copy) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    try fill(path)
    try readAll(path)
    let values: [Int64] = [-1, .max, .min, 253_402_300_800_000]
    var refused = 0
    for (place, (table, column)) in try columns(path).enumerated() {
      // Every column, one number after the other, or each with all of them.
      for value in Extent.of([values[place % values.count]], whole: values) {
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        do {
          let connection = try SQLiteConnection(path: copy, isReadOnly: false)
          try? connection.execute(
            """
            PRAGMA foreign_keys = OFF;
            UPDATE OR IGNORE \(table) SET \(column) = \(value)
            WHERE \(column) IS (SELECT min(\(column)) FROM \(table));
            """)
        }
        do throws(HealthStoreError) {
          try read(copy)
        } catch {
          // That a client is not entitled is a fact, and no damage.
          if case .notEntitled = error { continue }
          refused += 1
          #expect("\(error)".contains(copy), "\(table).\(column) = \(value): \(error)")
        }
      }
    }
    #expect(refused > Extent.of(10, whole: 40))
  }

  private func read(_ path: String) throws(HealthStoreError) {
    do {
      try readAll(path)
    } catch let error as HealthStoreError {
      throw error
    } catch {
      Issue.record(error)
    }
  }

  @Test(
    "A number that leads nowhere is located",
    arguments: [
      ("UPDATE source SET id = 1000000000 WHERE id = 3", "\"source\", row 1000000000"),
      ("UPDATE source SET id = -1 WHERE id = 1", "\"source\", row -1"),
      ("UPDATE source_revision SET source_id = 9 WHERE id = 2", "\"source_revision\", row 2"),
      ("UPDATE client SET id = 9223372036854775807 WHERE id = 2", "\"client\""),
      ("UPDATE subscription SET anchor = -5", "\"subscription\", row 0"),
      ("UPDATE object SET revision_id = 77 WHERE row_id = 5", "\"object\", row 5"),
      ("UPDATE meta SET value = 'many' WHERE key = 'lastRow'", "\"meta\""),
      ("UPDATE metadata SET kind = 9", "\"metadata\", row"),
      ("UPDATE metadata SET kind = 5, text = 'furlong'", "its unit is furlong"),
      ("UPDATE object SET orig_unit = 'furlong' WHERE value > 0", "its unit is furlong"),
      ("UPDATE authorization SET read = 7", "read is 7, which is unknown"),
      (
        """
        INSERT INTO characteristic
        SELECT id, 9223372036854775807 FROM type WHERE name = 'DateOfBirth'
        """, "the day of birth is 9223372036854775807, which cannot be meant"
      ),
      (
        "INSERT INTO characteristic SELECT id, 2932897 FROM type WHERE name = 'DateOfBirth'",
        "the day of birth is 2932897, which cannot be meant"
      ),
      ("DELETE FROM client", "the user is missing"),
      ("DROP TABLE upload", "no such table: upload"),
      ("ALTER TABLE meta RENAME COLUMN value TO worth", "has no column named value"),
      ("INSERT INTO document_grant VALUES ('a', x'01', 1)", "an identity has not 16 bytes"),
    ])
  func located(statement: String, place: String) throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path)
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute("PRAGMA foreign_keys = OFF; \(statement)")
    }
    do throws(HealthStoreError) {
      let store = try SQLiteHealthStore(reading: path)
      _ = try store.allSamples()
      // A revision that is not there hides its sample from a join; the thorough check finds it.
      let damage = try SQLiteBackend.damage(inFileAt: path)
      #expect(!damage.isEmpty)
    } catch {
      #expect("\(error)".contains(place))
      #expect(error.processExitCode == 65)
    }
  }

  @Test("Another program's database is refused, and not touched")
  func foreign() throws {
    let folder = try ScratchFolder()
    let path = folder.file("other.sqlite")
    for (number, statement) in [
      "CREATE TABLE t(a)", "CREATE TABLE object(a)", "PRAGMA application_id = 99",
      "PRAGMA user_version = 2; CREATE TABLE meta(a)",
    ].enumerated() {
      try? FileManager.default.removeItem(atPath: path)
      do {
        let connection = try SQLiteConnection(path: path, isReadOnly: false)
        try connection.execute(statement)
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      for opening in 0..<2 {
        do throws(HealthStoreError) {
          if opening == 0 {
            _ = try SQLiteHealthStore(path: path)
          } else {
            _ = try SQLiteHealthStore(reading: path)
          }
          Issue.record("case \(number) was opened")
        } catch {
          guard case .notAHealthStore = error else {
            Issue.record(error)
            continue
          }
        }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other.sqlite"])
    }
    try Data("no database, and long enough to be none at all".utf8)
      .write(to: URL(fileURLWithPath: path))
    #expect(
      throws: HealthStoreError.notAHealthStore(path: path, reason: "it is no SQLite database")
    ) { try SQLiteHealthStore(path: path) }
  }

  @Test("A store of a newer program is refused to who writes as to who reads, and not touched")
  func newer() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path)
    let next = Schema.currentVersion + 1
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute("PRAGMA user_version = \(next)")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refusal = HealthStoreError.unknownSchema(
      path: path, version: next, supported: Schema.currentVersion)
    #expect(throws: refusal) { try SQLiteHealthStore(path: path) }
    #expect(throws: refusal) { try SQLiteHealthStore(reading: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.sqlite"])
  }

  @Test("An index that has what its table has not is the fault of the file, and not of the disk")
  func indexApart() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path)
    // In the table the identifier stands beside the name, and in the index alone.
    let place = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: place)
    let row = try #require(bytes.firstRange(of: Data("HKWorkoutTypeIdentifierWorkout".utf8)))
    bytes[row.lowerBound] = UInt8(ascii: "x")
    try bytes.write(to: place)
    do throws(HealthStoreError) {
      _ = try SQLiteHealthStore(path: path)
      Issue.record("the store was opened")
    } catch {
      #expect("\(error)".contains("UNIQUE constraint failed"), "\(error)")
      #expect(error.processExitCode == 65)
    }
    // The disk is full.
    #expect(HealthStoreError.storage(code: 13, message: "a").processExitCode == 74)
  }

  @Test("A type that the file does not name is told to who reads, and added by who writes")
  func withoutType() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path)
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute("UPDATE type SET identifier = 'x' WHERE name = 'Workout'")
    }
    do throws(HealthStoreError) {
      _ = try SQLiteHealthStore(reading: path)
      Issue.record("the store was opened")
    } catch {
      #expect(error.processExitCode == 65)
      let words = "the table \"type\", row \(ObjectType.allCases.count): Workout comes neither"
      #expect("\(error)".contains(words), "\(error)")
    }
    _ = try SQLiteHealthStore(path: path)
    // Of thirty readings one was deleted.
    #expect(try SQLiteHealthStore(reading: path).samples(of: .bloodGlucose, as: .user).count == 29)
  }

  @Test("A store of ours without the number is opened, and gets it")
  func withoutNumber() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    try fill(path)
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute("PRAGMA application_id = 0; PRAGMA user_version = 3")
    }
    let count = try SQLiteHealthStore(path: path).allSamples().count
    #expect(count == 30)
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    #expect(try connection.number("PRAGMA application_id") == Schema.applicationID)
  }

  @Test("A store that lacks a table is refused to who wants to write, and stays as it is")
  func missingTable() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    for table in ["object", "meta", "tombstone", "workout_event", "upload"] {
      try? FileManager.default.removeItem(atPath: path)
      try fill(path)
      do {
        let connection = try SQLiteConnection(path: path, isReadOnly: false)
        try connection.execute("PRAGMA foreign_keys = OFF; DROP TABLE \(table)")
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(throws: HealthStoreError.self) { _ = try SQLiteHealthStore(path: path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before, "\(table)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }
  }

  @Test("A closed store is one file, which can be read where nothing can be written")
  func closed() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a b?#%.sqlite")
    try fill(path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    _ = try SQLiteHealthStore(reading: path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    // A file that was left with a log mode is opened as one that nobody changes.
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      try connection.execute("PRAGMA journal_mode = WAL")
    }
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    // Of thirty readings one was deleted.
    #expect(try SQLiteHealthStore(reading: path).samples(of: .bloodGlucose, as: .user).count == 29)
  }

  @Test("An error names the file and the system's reason")
  func named() throws {
    let folder = try ScratchFolder()
    let path = folder.file("folder.sqlite")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    do {
      _ = try SQLiteHealthStore(reading: path)
      Issue.record("a folder was opened")
    } catch {
      #expect("\(error)".hasPrefix("\(path): cannot be read or written: "))
      #expect(!"\(error)".contains("PRAGMA"))
    }
  }

  @Test("A journal that a killed writer left is taken back by who reads next")
  func hotJournal() throws {
    let folder = try ScratchFolder()
    let (path, copy) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    try fill(path)
    let connection = try SQLiteConnection(path: path, isReadOnly: false)
    try connection.execute(
      """
      PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE object SET value = 5;
      UPDATE metadata SET text = 'something longer than it was, so that pages go to the file';
      """)
    for ending in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
    let samples = try SQLiteHealthStore(reading: copy).samples(of: .bloodGlucose, as: .user)
    #expect(samples.allSatisfy { $0.storedValue == 100 })
    #expect(samples.count == 29)
    try connection.execute("ROLLBACK")
  }
}
