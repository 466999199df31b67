internal import HealthStore

/// The statements that write what is in a store beside samples.
final class RegistryStatements {
  let meta: SQLiteStatement
  let source: SQLiteStatement
  let revision: SQLiteStatement
  let client: SQLiteStatement
  let deleteClient: SQLiteStatement
  let authorization: SQLiteStatement
  let clearPriority: SQLiteStatement
  let priority: SQLiteStatement
  let characteristic: SQLiteStatement
  let displayUnit: SQLiteStatement
  let grant: SQLiteStatement
  let forgetGrants: SQLiteStatement
  let delivery: SQLiteStatement
  let clearSubscription: SQLiteStatement
  let subscription: SQLiteStatement
  let enqueue: SQLiteStatement
  let updateUpload: SQLiteStatement
  let forgetUploads: SQLiteStatement
  let waitingUploads: SQLiteStatement

  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    meta = try connection.prepare("REPLACE INTO meta(key, value) VALUES(?1, ?2)")
    source = try connection.prepare(
      """
      INSERT INTO source(id, bundle, name) VALUES(?1, ?2, ?3)
      ON CONFLICT(id) DO UPDATE SET bundle = ?2, name = ?3
      """)
    revision = try connection.prepare(
      """
      INSERT INTO source_revision(id, source_id, version, product, os) VALUES(?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(id) DO NOTHING
      """)
    client = try connection.prepare(
      "REPLACE INTO client VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
    deleteClient = try connection.prepare("DELETE FROM client WHERE id = ?1")
    authorization = try connection.prepare("REPLACE INTO authorization VALUES(?1, ?2, ?3, ?4)")
    clearPriority = try connection.prepare("DELETE FROM source_priority WHERE type_id = ?1")
    priority = try connection.prepare("INSERT INTO source_priority VALUES(?1, ?2, ?3)")
    characteristic = try connection.prepare("REPLACE INTO characteristic VALUES(?1, ?2)")
    displayUnit = try connection.prepare("UPDATE type SET display_unit = ?2 WHERE id = ?1")
    grant = try connection.prepare("REPLACE INTO document_grant VALUES(?1, ?2, ?3)")
    forgetGrants = try connection.prepare("DELETE FROM document_grant WHERE family = ?1")
    delivery = try connection.prepare(
      "REPLACE INTO background_delivery VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    clearSubscription = try connection.prepare("DELETE FROM subscription WHERE service = ?1")
    subscription = try connection.prepare("INSERT INTO subscription VALUES(?1, ?2, ?3, ?4)")
    enqueue = try connection.prepare(
      "INSERT OR IGNORE INTO upload VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    updateUpload = try connection.prepare(
      """
      UPDATE upload SET state = ?3, attempts = ?4, due_ms = ?5 WHERE service = ?1 AND number = ?2
      """)
    forgetUploads = try connection.prepare("DELETE FROM upload WHERE service = ?1")
    waitingUploads = try connection.prepare(
      """
      SELECT number, service, type_id, uuid, operation, state, attempts, due_ms, enqueued_ms
      FROM upload WHERE service = ?1 AND state <> 3 ORDER BY number LIMIT ?2
      """)
  }
}
