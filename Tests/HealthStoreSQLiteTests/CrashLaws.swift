import Foundation
import HealthStore
import Quantities
import Testing

@testable import HealthStoreSQLite

@Suite("A killed writer")
struct CrashLaws {
  /// A store's file with its log, copied as they lie at some moment.
  private func copy(_ path: String, to target: String) throws {
    for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
      try? FileManager.default.removeItem(atPath: target + ending)
      try FileManager.default.copyItem(atPath: path + ending, toPath: target + ending)
    }
  }

  private func batch(_ number: Int, _ generator: inout SplitMix) -> [Sample] {
    let start = Instant(secondsSince1970: 1_700_000_000)
    return (0..<50).map { index in
      .bloodGlucose(
        .mgdL(Double(number)), at: start + .minutes(Int64(number * 50 + index)),
        uuid: .init(using: &generator))
    }
  }

  @Test("H188 A log cut anywhere holds whole batches, the committed ones first")
  func cutLog() throws {
    let folder = try ScratchFolder()
    let (path, copyPath) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    var generator = SplitMix(state: 9)
    var store = try SQLiteHealthStore(path: path)
    let client = try store.register(
      HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
    for number in 0..<8 {
      try store.save(
        batch(number, &generator), as: client, at: Instant(secondsSince1970: 1_700_000_000))
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    var counts: Set<Int> = []
    var chance = SplitMix(state: 4)
    for step in 0..<24 {
      let length = step == 0 ? log.count : Int(chance.next() % UInt64(log.count))
      try copy(path, to: copyPath)
      try log.prefix(length).write(to: URL(fileURLWithPath: copyPath + "-wal"))
      // The schema itself may be cut away with the log; then there is nothing to hold.
      guard length == log.count || length > log.count / 4 else { continue }
      let opened = try SQLiteHealthStore(path: copyPath)
      let samples = try opened.samples(of: .bloodGlucose, as: .user)
      #expect(samples.count % 50 == 0)
      counts.insert(samples.count)
      let whole = samples.count / 50
      #expect(Set(samples.compactMap(\.storedValue)) == Set((0..<whole).map { Double($0) }))
      #expect(opened.lastRow == Int64(samples.count))
      if step == 0 { #expect(samples.count == 400) }
    }
    #expect(counts.count > 1)
  }

  @Test("A long sample that was refused once is found by its middle after its file is opened anew")
  func longAfterRefusal() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    let start = Instant(secondsSince1970: 1_700_000_000)
    func steps(_ number: UInt64, lasting span: TimeSpan) -> Sample {
      Sample(
        restoring: SampleUUID(high: 1, low: number), type: .stepCount, start: start,
        end: start + span, value: .quantity(.init(10, .count)), metadata: Metadata())
    }
    func find(_ store: SQLiteHealthStore) throws -> Int {
      let (from, to) = (start + .hours(5), start + .hours(6))
      return try store.samples(
        of: .stepCount, matching: .samples(start: from, end: to), as: .user
      ).count
    }
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      let (long, short) = (steps(1, lasting: .hours(10)), steps(2, lasting: .hours(1)))
      #expect(throws: HealthStoreError.self) {
        try store.save([long, short, short], as: client, at: start)
      }
      try store.save([long], as: client, at: start)
      #expect(try find(store) == 1)
    }
    #expect(try find(SQLiteHealthStore(reading: path)) == 1)
  }

  @Test("H188 H115 A batch that fails half way leaves nothing, in the file as in memory")
  func failedBatch() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    var generator = SplitMix(state: 9)
    let now = Instant(secondsSince1970: 1_700_000_000)
    var store = try SQLiteHealthStore(path: path)
    let client = try store.register(
      HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
    try store.save(batch(0, &generator), as: client, at: now)
    let row = store.lastRow
    var bad = batch(1, &generator)
    let device = Device(name: "new in the batch that fails")
    bad.insert(
      .bloodGlucose(
        .mgdL(1), at: now, uuid: .init(using: &generator), device: device,
        metadata: [MetadataKey("also new"): .flag(true)]), at: 0)
    bad.append(bad[20])
    #expect(failure { try store.save(bad, as: client, at: now) } == 3)
    #expect(store.lastRow == row)
    #expect(try store.samples(of: .bloodGlucose, as: client).count == 50)
    bad.removeLast()
    try store.save(bad, as: client, at: now)
    let reader = try SQLiteHealthStore(reading: path)
    let found = try reader.samples(of: .bloodGlucose, as: .user)
    #expect(found.count == 101)
    #expect(found.contains { $0.device == device && $0.metadata.flag("also new") == true })
  }

  @Test("A file of the first schema is brought to the current one, with its samples")
  func migration() throws {
    let folder = try ScratchFolder()
    let path = folder.file("old.sqlite")
    var generator = SplitMix(state: 2)
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      try store.save(
        batch(0, &generator), as: client, at: Instant(secondsSince1970: 1_700_000_000))
    }
    try SQLiteBackend.downgradeToFirstSchema(path)
    #expect(try SQLiteBackend.schemaVersion(ofFileAt: path) == 1)
    #expect(throws: HealthStoreError.unknownSchema(path: path, version: 1, supported: 4)) {
      try SQLiteBackend(reading: path)
    }
    let store = try SQLiteHealthStore(path: path)
    #expect(try SQLiteBackend.schemaVersion(ofFileAt: path) == 4)
    #expect(try store.samples(of: .bloodGlucose, as: .user).count == 50)
  }

  @Test("A store that must be there is not made of nothing, nor of an empty file")
  func mustBeThere() throws {
    let folder = try ScratchFolder()
    let (missing, empty) = (folder.file("missing.sqlite"), folder.file("empty.sqlite"))
    #expect(throws: HealthStoreError.self) {
      try SQLiteHealthStore(path: missing, mayBeNew: false)
    }
    #expect(!FileManager.default.fileExists(atPath: missing))
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(throws: HealthStoreError.self) {
      try SQLiteHealthStore(path: empty, mayBeNew: false)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: empty)).isEmpty)
  }

  @Test("A lease that is given up is free, even while a started process still has the file open")
  func leaseEnds() throws {
    let folder = try ScratchFolder()
    let path = folder.file("lease.sqlite")
    let other: Int32
    do {
      let lease = try WriterLease(path: path)
      let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let descriptor = try #require(
        numbers.first {
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\($0)")
          return target == path
        }.flatMap { Int32($0) })
      // A copy of a descriptor is what a process has between its start and its own program.
      other = dup(descriptor)
      #expect(throws: HealthStoreError.inUse(path: path)) { _ = try WriterLease(path: path) }
      _ = consume lease
    }
    defer { close(other) }
    _ = try WriterLease(path: path)
  }

  @Test("A file that another program has locked is in use, and neither damaged nor unreadable")
  func locked() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    do { _ = try SQLiteHealthStore(path: path) }
    let other = try SQLiteConnection(path: path, isReadOnly: false)
    try other.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
    let ours = try SQLiteConnection(path: path, isReadOnly: true)
    ours.stopWaiting()
    #expect(throws: HealthStoreError.inUse(path: path)) {
      try ours.number("SELECT count(*) FROM meta")
    }
    try other.execute("ROLLBACK")
    #expect(try ours.number("SELECT count(*) FROM meta") > 0)
  }

  @Test("A writer to which nothing is left to write leaves every byte as it was")
  func refusedWriter() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    var generator = SplitMix(state: 3)
    let start = Instant(secondsSince1970: 1_700_000_000)
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      try store.save(batch(0, &generator), as: client, at: start)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      var store = try SQLiteHealthStore(path: path)
      #expect(throws: HealthStoreError.self) {
        try store.delete([SampleUUID(high: 1, low: 1)], as: .user, at: start)
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    // What is written has its log, so that others read what was there before.
    var store = try SQLiteHealthStore(path: path)
    let sample = try #require(try store.samples(of: .bloodGlucose, limit: 1, as: .user).first)
    try store.delete([sample.uuid], as: .user, at: start)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try SQLiteHealthStore(reading: path).samples(of: .bloodGlucose, as: .user).count == 49)
  }

  @Test("A damaged file is refused when it is opened")
  func damage() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    var generator = SplitMix(state: 2)
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      for number in 0..<20 {
        try store.save(
          batch(number, &generator), as: client, at: Instant(secondsSince1970: 1_700_000_000))
      }
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for page in stride(from: 40, to: bytes.count / 4_096, by: 2) {
      bytes.replaceSubrange(
        page * 4_096..<page * 4_096 + 600, with: Data(repeating: 0x5A, count: 600))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: HealthStoreError.self) { try SQLiteBackend(path: path) }
  }
}

extension Metadata {
  fileprivate func flag(_ name: String) -> Bool? { flag(MetadataKey(name)) }
}

extension SQLiteBackend {
  /// Takes a file back to the first version of its tables, to test bringing it forward again.
  static func downgradeToFirstSchema(_ path: String) throws(HealthStoreError) {
    let connection = try SQLiteConnection(path: path, isReadOnly: false)
    try connection.execute(
      """
      DROP TABLE upload; DROP TABLE subscription; DROP TABLE workout_event;
      DROP TABLE workout_sample; PRAGMA user_version = 1; PRAGMA application_id = 0;
      """)
  }
}
