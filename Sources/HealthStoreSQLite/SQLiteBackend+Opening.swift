public import HealthStore

extension SQLiteBackend {
  /// Looks for damage in the file.
  static func check(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let statement = try connection.prepare("PRAGMA quick_check(1)")
    while try statement.step() {
      let answer = statement.text(0)
      guard answer == "ok" else {
        throw .storage(code: 11, message: "the file is damaged: \(answer)")
      }
    }
  }

  static func schemaVersion(
    _ connection: borrowing SQLiteConnection
  ) throws(HealthStoreError) -> Int {
    let statement = try connection.prepare("PRAGMA user_version")
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// Brings the tables to the current version, one step after the other, in one transaction.
  static func migrate(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let version = try schemaVersion(connection)
    guard version <= Schema.currentVersion else {
      throw .unknownSchema(version: version, supported: Schema.currentVersion)
    }
    guard version < Schema.currentVersion else { return }
    for (index, migration) in Schema.migrations.enumerated().dropFirst(version) {
      try connection.execute(
        "BEGIN IMMEDIATE; \(migration); PRAGMA user_version = \(index + 1); COMMIT;")
    }
  }

  /// The version of the tables in a file, which is 0 for an empty one.
  public static func schemaVersion(ofFileAt path: String) throws(HealthStoreError) -> Int {
    try schemaVersion(SQLiteConnection(path: path, isReadOnly: true))
  }

  /// The version of the tables that this program writes.
  public static var currentSchemaVersion: Int { Schema.currentVersion }
}

extension HealthRecordStore where Backend == SQLiteBackend {
  /// Opens a file for reading and writing, and creates it if needed.
  public init(
    path: String, durability: SQLiteBackend.Durability = .process, isChecked: Bool = true
  ) throws(HealthStoreError) {
    try self.init(
      opening: SQLiteBackend(path: path, durability: durability, isChecked: isChecked))
  }

  /// Opens a file that exists, for reading only.
  public init(reading path: String) throws(HealthStoreError) {
    try self.init(opening: SQLiteBackend(reading: path))
  }
}

extension SQLiteBackend {
  /// What SQLite's thorough check finds wrong with a file, one sentence each; empty when it is
  /// sound.
  public static func damage(inFileAt path: String) throws(HealthStoreError) -> [String] {
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    var findings: [String] = []
    let integrity = try connection.prepare("PRAGMA integrity_check(20)")
    while try integrity.step() {
      let answer = integrity.text(0)
      if answer != "ok" { findings.append("Damage: \(answer).") }
    }
    let keys = try connection.prepare("PRAGMA foreign_key_check")
    while try keys.step() {
      findings.append(
        "Reference: row \(keys.integer(1)) of \(keys.text(0)) points to nothing in \(keys.text(2))."
      )
    }
    return findings
  }
}

extension SQLiteBackend {
  /// Takes a file back to the first version of its tables, to test bringing it forward again.
  static func downgradeToFirstSchema(_ path: String) throws(HealthStoreError) {
    let connection = try SQLiteConnection(path: path, isReadOnly: false)
    try connection.execute(
      """
      DROP TABLE upload; DROP TABLE subscription; DROP TABLE workout_event;
      DROP TABLE workout_sample; PRAGMA user_version = 1;
      """)
  }
}
