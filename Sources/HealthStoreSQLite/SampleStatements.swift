internal import HealthStore

/// The statements that write and read samples and traces of deletions.
final class SampleStatements {
  let insert: SQLiteStatement
  let insertMany: SQLiteStatement
  let insertDevice: SQLiteStatement
  let insertKey: SQLiteStatement
  let insertMetadata: SQLiteStatement
  let insertDocument: SQLiteStatement
  let insertWorkout: SQLiteStatement
  let insertEvent: SQLiteStatement
  let insertLink: SQLiteStatement
  let insertTombstone: SQLiteStatement
  let delete: SQLiteStatement
  let purge: SQLiteStatement
  let byUUID: SQLiteStatement
  let bySync: SQLiteStatement
  let byParent: SQLiteStatement
  let byTime: SQLiteStatement
  let byTimeReversed: SQLiteStatement
  let byRow: SQLiteStatement
  let tombstones: SQLiteStatement
  let metadata: SQLiteStatement
  let document: SQLiteStatement
  let workout: SQLiteStatement
  let events: SQLiteStatement
  let linked: SQLiteStatement
  let workouts: SQLiteStatement

  /// The columns of a sample in the order in which they are read.
  private static let columns = """
    SELECT o.row_id, o.uuid, o.type_id, o.revision_id, o.device_id, o.start_ms, o.end_ms,
      o.created_ms, o.value, o.orig_value, o.orig_unit, o.category, o.parent_row_id, o.sync_id,
      o.sync_version, o.external_id, o.has_metadata, r.source_id
    FROM object o JOIN source_revision r ON r.id = o.revision_id
    """

  /// How many samples ``insertMany`` inserts.
  ///
  /// What a statement costs besides its rows is shared by them; more than some twenty gain little.
  static let rowsAtOnce = 20

  /// The parameters that all rows of ``insertMany`` share: type, revision, device and creation.
  static let sharedParameters: Int32 = 4

  /// The parameters of each of its rows: row, identity, start, end and value.
  static let parametersOfRow: Int32 = 5

  /// Inserts plain quantities in the unit of their type.
  private static var manyRows: String {
    let rows = (0..<Int32(rowsAtOnce)).map { row in
      let first = sharedParameters + parametersOfRow * row + 1
      return """
        (?\(first), ?\(first + 1), ?1, ?2, ?3, ?\(first + 2), ?\(first + 3), ?4, ?\(first + 4), \
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0)
        """
    }
    return "INSERT INTO object VALUES \(rows.joined(separator: ", "))"
  }

  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let marks = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"
    insert = try connection.prepare(
      "INSERT INTO object VALUES(\(marks), ?13, ?14, ?15, ?16, ?17)")
    insertMany = try connection.prepare(Self.manyRows)
    insertDevice = try connection.prepare(
      "INSERT INTO device VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    insertKey = try connection.prepare("INSERT INTO metadata_key VALUES(?1, ?2)")
    insertMetadata = try connection.prepare("INSERT INTO metadata VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    insertDocument = try connection.prepare("INSERT INTO document VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    insertWorkout = try connection.prepare("INSERT INTO workout VALUES(?1, ?2, ?3, ?4, ?5)")
    insertEvent = try connection.prepare("INSERT INTO workout_event VALUES(?1, ?2, ?3, ?4, ?5)")
    insertLink = try connection.prepare(
      """
      INSERT OR IGNORE INTO workout_sample
      SELECT w.row_id, s.row_id FROM object w, object s WHERE w.uuid = ?1 AND s.uuid = ?2
      """)
    insertTombstone = try connection.prepare("INSERT INTO tombstone VALUES(\(marks))")
    delete = try connection.prepare("DELETE FROM object WHERE row_id = ?1")
    purge = try connection.prepare("DELETE FROM tombstone WHERE row_id <= ?1")
    byUUID = try connection.prepare("\(Self.columns) WHERE o.uuid = ?1")
    bySync = try connection.prepare(
      "\(Self.columns) WHERE o.sync_id = ?1 AND o.type_id = ?2 AND r.source_id = ?3")
    byParent = try connection.prepare(
      "\(Self.columns) WHERE o.parent_row_id = ?1 ORDER BY o.row_id")
    byTime = try connection.prepare(
      """
      \(Self.columns) WHERE o.type_id = ?1 AND o.start_ms >= ?2 AND o.start_ms < ?3
      ORDER BY o.start_ms, o.row_id
      """)
    byTimeReversed = try connection.prepare(
      """
      \(Self.columns) WHERE o.type_id = ?1 AND o.start_ms >= ?2 AND o.start_ms < ?3
      ORDER BY o.start_ms DESC, o.row_id DESC
      """)
    byRow = try connection.prepare(
      "\(Self.columns) WHERE o.type_id = ?1 AND o.row_id > ?2 ORDER BY o.row_id")
    tombstones = try connection.prepare(
      """
      SELECT row_id, uuid, type_id, source_id, start_ms, end_ms, sync_id, sync_version,
        external_id, object_row_id, deleted_ms, deleted_by
      FROM tombstone WHERE type_id = ?1 AND row_id > ?2 ORDER BY row_id
      """)
    metadata = try connection.prepare(
      "SELECT key_id, kind, number, instant_ms, text FROM metadata WHERE row_id = ?1")
    document = try connection.prepare(
      "SELECT row_id, title, patient, custodian, author, xml FROM document WHERE row_id = ?1")
    workout = try connection.prepare(
      "SELECT row_id, activity, duration_ms, kilocalories, metres FROM workout WHERE row_id = ?1")
    events = try connection.prepare(
      "SELECT kind, instant_ms, duration_ms FROM workout_event WHERE row_id = ?1 ORDER BY position")
    linked = try connection.prepare(
      """
      SELECT s.uuid FROM workout_sample l JOIN object w ON w.row_id = l.workout_row_id
        JOIN object s ON s.row_id = l.sample_row_id WHERE w.uuid = ?1 ORDER BY s.row_id
      """)
    workouts = try connection.prepare(
      """
      SELECT w.uuid FROM workout_sample l JOIN object w ON w.row_id = l.workout_row_id
        JOIN object s ON s.row_id = l.sample_row_id WHERE s.uuid = ?1 ORDER BY w.row_id
      """)
  }
}
