/// The tables of a store's file; the version stands in `PRAGMA user_version`.
enum Schema {
  /// What makes each version out of the one before; only ever appended to.
  static let migrations = [version1, version2, version3, version4]

  static var currentVersion: Int { migrations.count }

  /// The number in `PRAGMA application_id` by which a file is known as ours: `lpsm` in ASCII.
  static let applicationID: Int64 = 0x6C70_736D

  /// The last version that was written without the number.
  static let lastVersionWithoutNumber = 3

  /// Samples, traces of deletions, and who may do what.
  private static let version1 = """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE type(
      id INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      kind TEXT NOT NULL, unit TEXT, aggregation TEXT NOT NULL,
      longest_ms INTEGER NOT NULL DEFAULT 0, display_unit TEXT) STRICT;
    CREATE TABLE source(
      id INTEGER PRIMARY KEY, bundle TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
    CREATE TABLE source_revision(
      id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES source, version TEXT,
      product TEXT, os TEXT) STRICT;
    CREATE TABLE device(
      id INTEGER PRIMARY KEY, name TEXT, manufacturer TEXT, model TEXT, hardware TEXT,
      firmware TEXT, software TEXT, local_id TEXT, udi TEXT) STRICT;
    CREATE TABLE client(
      id INTEGER PRIMARY KEY, bundle TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      family TEXT NOT NULL, version TEXT, product TEXT, os TEXT, explains_reading INTEGER NOT NULL,
      explains_sharing INTEGER NOT NULL, entitled INTEGER NOT NULL, on_watch INTEGER NOT NULL)
      STRICT;
    CREATE TABLE authorization(
      family TEXT NOT NULL, type_id INTEGER NOT NULL REFERENCES type, share INTEGER NOT NULL,
      read INTEGER NOT NULL, PRIMARY KEY(family, type_id)) STRICT, WITHOUT ROWID;
    CREATE TABLE source_priority(
      type_id INTEGER NOT NULL REFERENCES type, rank INTEGER NOT NULL,
      source_id INTEGER NOT NULL REFERENCES source, PRIMARY KEY(type_id, rank))
      STRICT, WITHOUT ROWID;
    CREATE TABLE characteristic(
      type_id INTEGER PRIMARY KEY REFERENCES type, value INTEGER NOT NULL) STRICT;
    CREATE TABLE object(
      row_id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE,
      type_id INTEGER NOT NULL REFERENCES type,
      revision_id INTEGER NOT NULL REFERENCES source_revision,
      device_id INTEGER REFERENCES device, start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
      created_ms INTEGER NOT NULL, value REAL, orig_value REAL, orig_unit TEXT, category INTEGER,
      parent_row_id INTEGER REFERENCES object DEFERRABLE INITIALLY DEFERRED,
      sync_id TEXT, sync_version INTEGER, external_id TEXT, has_metadata INTEGER NOT NULL) STRICT;
    CREATE INDEX object_by_time ON object(type_id, start_ms);
    CREATE INDEX object_by_row ON object(type_id, row_id);
    CREATE INDEX object_by_sync ON object(sync_id) WHERE sync_id IS NOT NULL;
    CREATE INDEX object_by_external ON object(external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX object_by_parent ON object(parent_row_id) WHERE parent_row_id IS NOT NULL;
    CREATE TABLE metadata_key(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE metadata(
      row_id INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
      key_id INTEGER NOT NULL REFERENCES metadata_key, kind INTEGER NOT NULL, number REAL,
      instant_ms INTEGER, text TEXT, PRIMARY KEY(row_id, key_id)) STRICT, WITHOUT ROWID;
    CREATE TABLE document(
      row_id INTEGER PRIMARY KEY REFERENCES object ON DELETE CASCADE, title TEXT NOT NULL,
      patient TEXT NOT NULL, custodian TEXT NOT NULL, author TEXT NOT NULL, xml BLOB) STRICT;
    CREATE TABLE workout(
      row_id INTEGER PRIMARY KEY REFERENCES object ON DELETE CASCADE, activity INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL, kilocalories REAL, metres REAL) STRICT;
    CREATE TABLE tombstone(
      row_id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, type_id INTEGER NOT NULL REFERENCES type,
      source_id INTEGER NOT NULL REFERENCES source, start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL, sync_id TEXT, sync_version INTEGER, external_id TEXT,
      object_row_id INTEGER NOT NULL, deleted_ms INTEGER NOT NULL, deleted_by INTEGER NOT NULL)
      STRICT;
    CREATE INDEX tombstone_by_row ON tombstone(type_id, row_id);
    CREATE TABLE document_grant(
      family TEXT NOT NULL, uuid BLOB NOT NULL, state INTEGER NOT NULL,
      PRIMARY KEY(family, uuid)) STRICT, WITHOUT ROWID;
    CREATE TABLE background_delivery(
      client_id INTEGER NOT NULL, type_id INTEGER NOT NULL REFERENCES type,
      frequency INTEGER NOT NULL, enabled INTEGER NOT NULL, failures INTEGER NOT NULL,
      last_wake_up_ms INTEGER, seen_row INTEGER NOT NULL, PRIMARY KEY(client_id, type_id))
      STRICT, WITHOUT ROWID;
    """ + views

  /// What a person sees who opens the file with the `sqlite3` shell.
  private static let views = """

    CREATE VIEW samples_readable AS
      SELECT o.row_id,
        substr(hex(o.uuid), 1, 8) || '-' || substr(hex(o.uuid), 9, 4) || '-'
          || substr(hex(o.uuid), 13, 4) || '-' || substr(hex(o.uuid), 17, 4) || '-'
          || substr(hex(o.uuid), 21) AS uuid,
        t.name AS type,
        strftime('%Y-%m-%dT%H:%M:%fZ', o.start_ms / 1000.0, 'unixepoch') AS start,
        strftime('%Y-%m-%dT%H:%M:%fZ', o.end_ms / 1000.0, 'unixepoch') AS end,
        coalesce(o.value, o.category) AS value, t.unit,
        (SELECT CASE m.number WHEN 1 THEN 'basal' WHEN 2 THEN 'bolus' END
          FROM metadata m JOIN metadata_key k ON k.id = m.key_id
          WHERE m.row_id = o.row_id AND k.key = 'HKInsulinDeliveryReason') AS reason,
        s.name AS source, r.version AS source_version, d.name AS device,
        strftime('%Y-%m-%dT%H:%M:%fZ', o.created_ms / 1000.0, 'unixepoch') AS created,
        o.sync_id, o.sync_version, o.parent_row_id AS correlation_row
      FROM object o JOIN type t ON t.id = o.type_id
        JOIN source_revision r ON r.id = o.revision_id JOIN source s ON s.id = r.source_id
        LEFT JOIN device d ON d.id = o.device_id
      ORDER BY o.start_ms, o.row_id;
    CREATE VIEW metadata_readable AS
      SELECT m.row_id, k.key,
        CASE m.kind WHEN 1 THEN m.text WHEN 3 THEN iif(m.number = 1, 'true', 'false')
          WHEN 4 THEN strftime('%Y-%m-%dT%H:%M:%fZ', m.instant_ms / 1000.0, 'unixepoch')
          WHEN 5 THEN m.number || ' ' || m.text ELSE m.number END AS value
      FROM metadata m JOIN metadata_key k ON k.id = m.key_id;
    CREATE VIEW deletions_readable AS
      SELECT d.row_id, hex(d.uuid) AS uuid,
        t.name AS type,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.start_ms / 1000.0, 'unixepoch') AS start,
        s.name AS source, d.sync_id,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.deleted_ms / 1000.0, 'unixepoch') AS deleted
      FROM tombstone d JOIN type t ON t.id = d.type_id JOIN source s ON s.id = d.source_id
      ORDER BY d.row_id;
    """

  /// Subscriptions of uploading services, and the queue of what they are still to get.
  private static let version2 = """
    CREATE TABLE subscription(
      service TEXT NOT NULL, position INTEGER NOT NULL, type_id INTEGER NOT NULL REFERENCES type,
      anchor INTEGER NOT NULL, PRIMARY KEY(service, position)) STRICT, WITHOUT ROWID;
    CREATE TABLE upload(
      number INTEGER NOT NULL, service TEXT NOT NULL, type_id INTEGER NOT NULL REFERENCES type,
      uuid BLOB NOT NULL, operation INTEGER NOT NULL, state INTEGER NOT NULL,
      attempts INTEGER NOT NULL, due_ms INTEGER NOT NULL, enqueued_ms INTEGER NOT NULL,
      PRIMARY KEY(service, number), UNIQUE(service, uuid, operation)) STRICT, WITHOUT ROWID;
    CREATE INDEX upload_waiting ON upload(service, number) WHERE state <> 3;
    """

  /// What happened during a workout, and the samples that belong to it.
  private static let version3 = """
    CREATE TABLE workout_event(
      row_id INTEGER NOT NULL REFERENCES object ON DELETE CASCADE, position INTEGER NOT NULL,
      kind INTEGER NOT NULL, instant_ms INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
      PRIMARY KEY(row_id, position)) STRICT, WITHOUT ROWID;
    CREATE TABLE workout_sample(
      workout_row_id INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
      sample_row_id INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
      PRIMARY KEY(workout_row_id, sample_row_id)) STRICT, WITHOUT ROWID;
    CREATE INDEX workout_of_sample ON workout_sample(sample_row_id);
    """

  /// The number of the application.
  private static let version4 = "PRAGMA application_id = \(applicationID)"
}
