public import HealthStore

extension SQLiteBackend {
  /// Looks for damage in the file.
  static func check(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let statement = try connection.prepare("PRAGMA quick_check(1)")
    while try statement.step() {
      let answer = statement.text(0)
      let failure = StorageFault.failure(inCheck: answer, path: connection.path)
      if let failure { throw failure }
      guard answer == "ok" else {
        throw .storage(code: 11, message: "\(connection.path): is damaged: \(answer)")
      }
    }
  }

  /// Whether a file that begins with these bytes carries our number.
  ///
  /// SQLite keeps `application_id` at byte 68 of a file, the highest of its bytes first.
  package static func wrote(fileOf first: [UInt8]) -> Bool {
    guard first.starts(with: "SQLite format 3\0".utf8), first.count >= 72 else { return false }
    return first[68..<72].reduce(0) { $0 << 8 | Int64($1) } == Schema.applicationID
  }

  /// The version of the tables in a file, which is 0 for an empty one.
  ///
  /// A file is ours when it carries our number, or when it has our tables without it, as those have
  /// that the first programs wrote.
  ///
  /// - Throws: `notAHealthStore` when the file belongs to another program, or is empty and must
  ///   not be.
  static func version(
    of connection: borrowing SQLiteConnection, mayBeEmpty: Bool
  ) throws(HealthStoreError) -> Int {
    let version = Int(try connection.number("PRAGMA user_version"))
    let application = try connection.number("PRAGMA application_id")
    let names = "name IN ('meta', 'object', 'source_revision') AND type = 'table'"
    let ours = try connection.number("SELECT count(*) FROM sqlite_schema WHERE \(names)")
    if application == Schema.applicationID, version > 0 { return version }
    if application == 0, version > 0, version <= Schema.lastVersionWithoutNumber, ours == 3 {
      return version
    }
    let isEmpty = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
    guard application == 0, version == 0, isEmpty else {
      throw .notAHealthStore(
        path: connection.path, reason: "it is the SQLite database of another program")
    }
    guard mayBeEmpty else {
      throw .notAHealthStore(
        path: connection.path, reason: "it is empty, as what was stopped at once leaves it")
    }
    return 0
  }

  /// The version of the tables in a file that is to be written, which is 0 for an empty one.
  static func knownVersion(
    of connection: borrowing SQLiteConnection, mayBeEmpty: Bool = true
  ) throws(HealthStoreError) -> Int {
    let version = try version(of: connection, mayBeEmpty: mayBeEmpty)
    guard version <= Schema.currentVersion else {
      throw .unknownSchema(
        path: connection.path, version: version, supported: Schema.currentVersion)
    }
    return version
  }

  /// Brings the tables to the current version, one step after the other, in one transaction.
  static func migrate(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let version = try knownVersion(of: connection)
    guard version < Schema.currentVersion else { return }
    for (index, migration) in Schema.migrations.enumerated().dropFirst(version) {
      try connection.execute(
        "BEGIN IMMEDIATE; \(migration); PRAGMA user_version = \(index + 1); COMMIT;")
    }
  }

  /// A file with all tables and nothing in them, page for page.
  private static let empty = Result<[UInt8], HealthStoreError> { () throws(HealthStoreError) in
    let connection = try SQLiteConnection(path: ":memory:", isReadOnly: false)
    try connection.reserveChecksums()
    try migrate(connection)
    return try connection.pages()
  }

  /// Gives an empty file its tables as they are in an empty one of this process.
  ///
  /// SQLite compiles every statement that makes a table twice: a batch of runs, each with a file of
  /// its own, does so once.
  static func copyEmpty(to connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    try connection.copy(from: empty.get())
  }

  /// The version of the tables in a file.
  ///
  /// - Throws: `notAHealthStore` when the file belongs to another program, or is empty.
  public static func schemaVersion(ofFileAt path: String) throws(HealthStoreError) -> Int {
    try version(of: SQLiteConnection(path: path, isReadOnly: true), mayBeEmpty: false)
  }

  /// The version of the tables that this program writes.
  public static var currentSchemaVersion: Int { Schema.currentVersion }
}

extension HealthRecordStore where Backend == SQLiteBackend {
  /// Opens a file for reading and writing, and creates it if needed and unless it must be there.
  public init(
    path: String, durability: SQLiteBackend.Durability = .process, isChecked: Bool = true,
    mayBeNew: Bool = true
  ) throws(HealthStoreError) {
    try self.init(
      opening: SQLiteBackend(
        path: path, durability: durability, isChecked: isChecked, mayBeNew: mayBeNew))
  }

  /// Opens a file that exists, for reading only.
  public init(reading path: String) throws(HealthStoreError) {
    try self.init(opening: SQLiteBackend(reading: path))
  }
}

extension SQLiteBackend {
  /// What the checksums of the pages and SQLite's thorough check find wrong with a file, one
  /// sentence each; empty when it is sound.
  public static func damage(inFileAt path: String) throws(HealthStoreError) -> [String] {
    var findings: [String] = []
    if case .damaged(let pages) = try PageChecksums.look(atFile: path) {
      findings += pages.map { "Damage: the bytes of page \($0) are not those that were written." }
    }
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    let integrity = try connection.prepare("PRAGMA integrity_check(20)")
    while try integrity.step() {
      let answer = integrity.text(0)
      if let failure = StorageFault.failure(inCheck: answer, path: path) { throw failure }
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
