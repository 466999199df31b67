internal import HealthStore

/// The tables of a file, and the transactions in which they are written.
final class StoreTables {
  let connection: SQLiteConnection
  let samples: SampleReader
  let writer: SampleWriter
  let links: LinkTable
  let tombstones: TombstoneTable
  let registry: RegistryTables
  let uploads: UploadTable
  private let types: TypeTable
  private let longest: LongestSamples
  private let devices: DeviceTable
  private let metadata: MetadataTable
  private let begin: SQLiteStatement
  private let beginReading: SQLiteStatement
  private let commit: SQLiteStatement
  private let rollback: SQLiteStatement
  private let setLastRow: SQLiteStatement
  /// Whether the file is held still for many questions.
  private var isReading = false
  /// The statement that gives the file its log, as long as nothing was written.
  ///
  /// A log changes the file's first page, and does so again when it is put away: what writes
  /// nothing leaves every byte as it was.
  var opensLog: String?

  init(_ connection: consuming SQLiteConnection) throws(HealthStoreError) {
    types = try TypeTable(connection)
    begin = try connection.prepare("BEGIN IMMEDIATE")
    beginReading = try connection.prepare("BEGIN")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
    setLastRow = try connection.prepare("REPLACE INTO meta(key, value) VALUES('lastRow', ?1)")
    longest = try LongestSamples(connection, types)
    devices = try DeviceTable(connection)
    metadata = try MetadataTable(connection)
    let contents = try ContentTables(connection)
    writer = try SampleWriter(connection, types, longest, devices, metadata, contents)
    links = try LinkTable(connection)
    registry = try RegistryTables(connection, types)
    tombstones = try TombstoneTable(connection, types, registry)
    samples = try SampleReader(
      connection, types, longest, devices, metadata, contents, registry)
    uploads = try UploadTable(connection, types)
    self.connection = connection
    try load()
  }

  /// Reads what is kept in memory of the tables.
  private func load() throws(HealthStoreError) {
    try devices.load(connection)
    try metadata.load(connection)
    try registry.count(connection)
  }

  /// Holds the file still for many questions: each by itself would lock it anew.
  func startReading() throws(HealthStoreError) {
    guard !isReading else { return }
    try beginReading.run()
    isReading = true
  }

  /// Lets go of the file.
  func stopReading() throws(HealthStoreError) {
    guard isReading else { return }
    isReading = false
    try commit.run()
  }

  /// Runs a body in one transaction: all of it happens, or nothing.
  func transaction(_ body: () throws(HealthStoreError) -> Void) throws(HealthStoreError) {
    try stopReading()
    assert(!connection.isInTransaction, "A transaction is not begun within another.")
    if let statement = opensLog {
      try connection.execute(statement)
      opensLog = nil
    }
    try begin.run()
    do {
      try body()
      try commit.run()
    } catch {
      try? rollback.run()
      try? forgetUncommitted()
      throw error
    }
  }

  /// Runs a body in which SQLite does not look up what rows point to: for rows that are known to
  /// point to others, and none of which is deleted.
  func withoutReferences(
    _ body: () throws(HealthStoreError) -> Void
  ) throws(HealthStoreError) {
    try connection.execute("PRAGMA foreign_keys = OFF")
    do {
      try body()
    } catch {
      try? connection.execute("PRAGMA foreign_keys = ON")
      throw error
    }
    try connection.execute("PRAGMA foreign_keys = ON")
  }

  /// Reads again what a transaction that came to nothing may have changed in memory.
  private func forgetUncommitted() throws(HealthStoreError) {
    devices.forget()
    metadata.forget()
    try longest.load(connection)
    try load()
  }

  /// The last row that was given out, after a look at those that there are.
  func lastRow() throws(HealthStoreError) -> Int64 {
    let rules = RowCheck(path: connection.path)
    let statement = try connection.prepare("SELECT value FROM meta WHERE key = 'lastRow'")
    let last = try statement.step() ? rules.setting("lastRow", statement.text(0), RowRules.rows) : 0
    for table in ["object", "tombstone"] {
      let range = try connection.prepare("SELECT min(row_id), max(row_id) FROM \(table)")
      guard try range.step(), !range.isNull(0) else { continue }
      for row in [range.integer(0), range.integer(1)] where row < 1 || row > last {
        throw rules.damaged(table, row, "rows are from 1 to \(last) in this file")
      }
    }
    return last
  }

  /// Writes what a batch has changed beside its rows.
  func finishBatch(lastRow: Int64) throws(HealthStoreError) {
    assert(connection.isInTransaction, "What a batch changes is written in its transaction.")
    setLastRow.bind(1, text: "\(lastRow)")
    try setLastRow.run()
    try longest.write(types)
  }
}
