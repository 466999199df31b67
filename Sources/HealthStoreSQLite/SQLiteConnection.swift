internal import CSQLite
internal import HealthStore

/// An open SQLite database.
///
/// A connection is not thread-safe, and so it is not `Sendable`: one task owns it at a time.
@safe
struct SQLiteConnection: ~Copyable {
  private let handle: OpaquePointer

  /// Opens the database at a path; `":memory:"` keeps it in memory.
  init(path: String, isReadOnly: Bool) throws(HealthStoreError) {
    _ = Self.isConfigured
    var handle: OpaquePointer?
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = unsafe sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened = unsafe handle else {
      unsafe sqlite3_close_v2(handle)
      throw .storage(code: Int(code), message: "cannot open \(path)")
    }
    unsafe self.handle = opened
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, 2_000)
  }

  /// Settings of the whole library, made once, before the first connection.
  private static let isConfigured = csqlite_stop_counting_memory() == SQLITE_OK

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs one or more statements that return no rows.
  borrowing func execute(_ sql: String) throws(HealthStoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql) }
  }

  /// Compiles a statement.
  borrowing func prepare(_ sql: String) throws(HealthStoreError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let compiled = unsafe statement else { throw error(code, sql) }
    return unsafe SQLiteStatement(owning: compiled, sql: sql)
  }

  /// The error for a result code, with the statement but never with values.
  borrowing func error(_ code: Int32, _ sql: String) -> HealthStoreError {
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    return .storage(code: Int(code), message: "\(message) (while running \"\(sql.prefix(80))\")")
  }
}
