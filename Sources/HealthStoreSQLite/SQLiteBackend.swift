public import HealthStore

/// A health store in one SQLite file, which any tool that knows SQLite can open.
public typealias SQLiteHealthStore = HealthRecordStore<SQLiteBackend>

/// Keeps a health store in a file.
///
/// One process writes at a time and holds a lease on the file; every batch is one transaction, so
/// that a killed process leaves all of a batch or nothing. A backend is not thread-safe.
public final class SQLiteBackend: StoreBackend {
  /// How safely a batch is written before the call returns.
  public enum Durability: String, Sendable {
    /// A crash may leave a file that cannot be used: for a file that nobody sees before it is
    /// closed and synced.
    case unpublished = "OFF"
    /// A crash of the process loses nothing; one of the machine may lose the last batches, whole.
    case process = "NORMAL"
    /// A crash of the machine loses nothing either.
    case machine = "FULL"

    /// How much of a file is kept in memory, in KiB; a file of a run is written once, in the order
    /// of its rows.
    fileprivate var cacheKiB: Int { self == .unpublished ? 8_192 : 20_480 }
  }

  let tables: StoreTables
  /// What the tables use goes first: the lease is released when the file is closed.
  private let lease: WriterLease?
  public internal(set) var lastRow: Int64
  /// The identities of a file that held none when it was opened.
  ///
  /// Without it an import would look for each of its samples in an index of random order. Made when
  /// many questions are announced.
  private var identities: IdentityFilter?

  private init(tables: StoreTables, lease: consuming WriterLease?) throws(HealthStoreError) {
    self.tables = tables
    self.lease = lease
    lastRow = try tables.lastRow()
  }

  /// Opens a file for reading and writing, and creates or migrates it if needed.
  ///
  /// `":memory:"` keeps everything in memory. The file is checked for damage unless `isChecked` is
  /// false, which saves time with very large files. Unless `mayBeNew`, a file must be there, and
  /// one that is empty becomes no store.
  ///
  /// - Throws: `inUse` when someone else writes to the file, `unknownSchema` when a newer program
  ///   wrote it, `notAHealthStore` when it is another program's, or is empty and must not be,
  ///   `storage` when it cannot be read.
  public convenience init(
    path: String, durability: Durability = .process, isChecked: Bool = true, mayBeNew: Bool = true
  ) throws(HealthStoreError) {
    let lease: WriterLease? =
      path == ":memory:" ? nil : try WriterLease(path: path, mayBeNew: mayBeNew)
    var connection = try SQLiteConnection(path: path, isReadOnly: false)
    // Nothing is written to a file before it is known to be ours, and of no newer program.
    let version = try Self.knownVersion(of: connection, mayBeEmpty: mayBeNew)
    let isNew = version == 0
    if isNew, path != ":memory:" { try connection.reserveChecksums() }
    let isUnpublished = durability == .unpublished
    // The log stays with a file. What is made or brought forward has it from the beginning, so that
    // whoever reads it after a crash finds what was there before; what has its tables gets it
    // before something is first written, since all of it may be refused until then.
    let needsJournalFirst = isUnpublished || version < Schema.currentVersion
    let journal = "PRAGMA journal_mode = \(isUnpublished ? "OFF" : "WAL")"
    if needsJournalFirst { try connection.execute(journal) }
    try connection.execute(
      """
      PRAGMA synchronous = \(durability.rawValue);
      PRAGMA foreign_keys = ON; PRAGMA cache_size = -\(durability.cacheKiB);
      PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 16000;
      """)
    if isChecked { try Self.check(connection) }
    if isNew, isUnpublished { try Self.copyEmpty(to: connection) }
    try Self.migrate(connection)
    connection.compilesLate = isNew
    try self.init(tables: StoreTables(connection), lease: lease)
    if !needsJournalFirst { tables.opensLog = journal }
  }

  /// Opens a file that exists, for reading only; a run may be writing to it.
  public convenience init(reading path: String) throws(HealthStoreError) {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    let version = try Self.version(of: connection, mayBeEmpty: false)
    guard version == Schema.currentVersion else {
      throw .unknownSchema(path: path, version: version, supported: Schema.currentVersion)
    }
    try self.init(tables: StoreTables(connection), lease: nil)
  }

  deinit {
    guard lease != nil else { return }
    // Without a log a file can be read from any medium, and reading leaves nothing beside it. Where
    // somebody reads now the log stays, and the next writer puts it away.
    tables.connection.stopWaiting()
    try? tables.connection.execute("PRAGMA journal_mode = DELETE")
  }

  public func loadRegistry() throws(HealthStoreError) -> StoreRegistry {
    try tables.registry.load(tables.connection)
  }

  public func apply(_ batch: StoreBatch) throws(HealthStoreError) {
    try apply(batch) { (insert) throws(HealthStoreError) in try insert(batch.inserted) }
  }

  /// Applies a batch in one transaction, with samples that are handed over in parts, in the order
  /// of their rows.
  func apply(
    _ batch: StoreBatch,
    inserting: (_ insert: ([StoredSample]) throws(HealthStoreError) -> Void)
      throws(HealthStoreError) -> Void
  ) throws(HealthStoreError) {
    let last = max(lastRow, batch.lastRow)
    assert(batch.run.map { $0.firstRow > lastRow } ?? true, "A run comes after the rows there are.")
    assert(
      batch.inserted.allSatisfy { $0.row > lastRow && $0.row <= last },
      "New rows come after those that are there, up to the last of the batch.")
    // What comes to nothing stays in the filter, which then asks the file in vain.
    if identities != nil {
      for sample in batch.run?.samples ?? [] { identities?.insert(sample) }
    }
    try tables.transaction { () throws(HealthStoreError) in
      for change in batch.registry { try tables.registry.write(change) }
      for stone in batch.deleted where stone.objectRow <= lastRow {
        try tables.writer.delete(stone.objectRow)
      }
      // Before what is saved under the identity of one of them.
      for stored in batch.pruned { try tables.writer.delete(stored.row) }
      if let run = batch.run { try tables.writer.insert(run) }
      try inserting { (samples) throws(HealthStoreError) in
        if identities != nil {
          for stored in samples { identities?.insert(stored.sample) }
        }
        try tables.writer.insert(samples)
      }
      for link in batch.links { try tables.links.insert(link) }
      for stone in batch.deleted where stone.objectRow > lastRow {
        try tables.writer.delete(stone.objectRow)
      }
      for stone in batch.deleted { try tables.tombstones.insert(stone) }
      if batch.purgedTombstones > 0 { try tables.tombstones.purge(upTo: batch.purgedTombstones) }
      for change in batch.uploads { try tables.uploads.write(change) }
      try tables.finishBatch(lastRow: last)
    }
    lastRow = last
  }

  public func startReading() throws(HealthStoreError) {
    // Nobody else writes while we hold the lease.
    if identities == nil, lastRow == 0, lease != nil { identities = IdentityFilter() }
    try tables.startReading()
  }

  public func stopReading() throws(HealthStoreError) { try tables.stopReading() }

  public func stored(_ uuid: SampleUUID) throws(HealthStoreError) -> StoredSample? {
    if let identities, !identities.mayContain(uuid) { return nil }
    return try tables.samples.stored(uuid)
  }

  public func stored(
    syncIdentifier: SyncIdentifier, type: ObjectType, source: Int32
  ) throws(HealthStoreError) -> StoredSample? {
    if let identities, !identities.mayContain(syncIdentifier) { return nil }
    return try tables.samples.stored(syncIdentifier: syncIdentifier, type: type, source: source)
  }

  public func members(of row: Int64) throws(HealthStoreError) -> [StoredSample] {
    try tables.samples.members(of: row)
  }

  public func samples(ofWorkout uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    try tables.links.samples(ofWorkout: uuid)
  }

  public func workouts(ofSample uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    try tables.links.workouts(ofSample: uuid)
  }

  public func visit(
    _ scan: StoreScan, _ body: (StoredSample) -> Bool
  ) throws(HealthStoreError) {
    try tables.samples.visit(scan, body)
  }

  public func tombstones(
    of type: ObjectType, after row: Int64
  ) throws(HealthStoreError) -> [Tombstone] {
    try tables.tombstones.tombstones(of: type, after: row)
  }

  public func uploads(of service: String, limit: Int) throws(HealthStoreError) -> [Upload] {
    try tables.uploads.uploads(of: service, limit: limit)
  }

  public func toldSamples(
    of service: String, type: ObjectType
  ) throws(HealthStoreError) -> [SampleUUID] {
    try tables.uploads.toldSamples(of: service, type: type)
  }
}
