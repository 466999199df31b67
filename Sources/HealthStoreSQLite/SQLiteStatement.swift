internal import CSQLite
internal import HealthStore

/// A statement, compiled when it is first used and ready to be run many times.
@safe
struct SQLiteStatement: ~Copyable {
  private let state: State

  /// What SQLite has made of the statement, and what it could not do.
  @safe
  private final class State {
    private let sql: String
    private let database: OpaquePointer
    let path: String
    // Only the statement's own functions reach it, one at a time: not checked at each value bound.
    @exclusivity(unchecked) private var compiled: OpaquePointer?
    /// What compiling, binding a value or reading a column could not do since the last step.
    var error: HealthStoreError?

    @unsafe init(_ sql: String, of database: OpaquePointer, path: String) {
      self.sql = sql
      unsafe self.database = database
      self.path = path
    }

    deinit { unsafe sqlite3_finalize(compiled) }

    /// The compiled statement; `nil` where SQLite refuses it.
    var handle: OpaquePointer? {
      if unsafe compiled == nil, error == nil { compile() }
      return unsafe compiled
    }

    private func compile() {
      let code = unsafe sqlite3_prepare_v3(
        database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
      if unsafe code != SQLITE_OK || compiled == nil { error = fault(code) }
    }

    /// The error for a result code.
    func fault(_ code: Int32) -> HealthStoreError {
      unsafe StorageFault.error(code, of: database, path: path)
    }
  }

  /// A statement of the database at a path, which must be open when the statement is first used.
  @unsafe init(_ sql: String, of database: OpaquePointer, path: String) {
    unsafe state = State(sql, of: database, path: path)
  }

  /// How many rows statements for many rows insert.
  ///
  /// What a statement costs besides its rows is shared by them; more than some twenty gain little.
  static let rowsAtOnce = 20

  /// The SQL that inserts so many rows of parameters, numbered row by row.
  static func insertion(into table: String, columns: Int, rows: Int) -> String {
    let rows = (0..<rows).map { row in
      let marks = (1...columns).map { "?\(row * columns + $0)" }
      return "(\(marks.joined(separator: ", ")))"
    }
    return "INSERT INTO \(table) VALUES \(rows.joined(separator: ", "))"
  }

  private var handle: OpaquePointer? { unsafe state.handle }

  borrowing func bind(_ index: Int32, integer value: Int64) {
    note(unsafe sqlite3_bind_int64(handle, index, value))
  }

  borrowing func bind(_ index: Int32, integer value: Int64?) {
    if let value { bind(index, integer: value) } else { bindNull(index) }
  }

  borrowing func bind(_ index: Int32, real value: Double) {
    note(unsafe sqlite3_bind_double(handle, index, value))
  }

  borrowing func bind(_ index: Int32, real value: Double?) {
    if let value { bind(index, real: value) } else { bindNull(index) }
  }

  borrowing func bind(_ index: Int32, text value: String) {
    var value = value
    value.withUTF8 { bytes in
      let start = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      if let start = unsafe start {
        note(
          unsafe sqlite3_bind_text64(
            handle, index, start, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8)))
      } else {
        note(unsafe sqlite3_bind_text(handle, index, "", 0, csqlite_transient()))
      }
    }
  }

  borrowing func bind(_ index: Int32, text value: String?) {
    if let value { bind(index, text: value) } else { bindNull(index) }
  }

  borrowing func bind(_ index: Int32, blob value: [UInt8]) {
    let code = unsafe value.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_blob64(
        handle, index, bytes.baseAddress, UInt64(bytes.count), csqlite_transient())
    }
    note(code)
  }

  borrowing func bind(_ index: Int32, uuid: SampleUUID) {
    let words = (uuid.high.bigEndian, uuid.low.bigEndian)
    let code = unsafe withUnsafeBytes(of: words) { bytes in
      unsafe sqlite3_bind_blob(handle, index, bytes.baseAddress, 16, csqlite_transient())
    }
    note(code)
  }

  borrowing func bindNull(_ index: Int32) { note(unsafe sqlite3_bind_null(handle, index)) }

  /// Keeps why a value could not be bound; the statement does not run with it.
  private borrowing func note(_ code: Int32) {
    assert(code != SQLITE_RANGE, "A statement has every parameter that is bound.")
    if code != SQLITE_OK, state.error == nil { state.error = state.fault(code) }
  }

  /// Throws what compiling, binding values or reading columns could not do since the last time.
  borrowing func check() throws(HealthStoreError) {
    _ = unsafe handle
    guard let error = state.error else { return }
    state.error = nil
    throw error
  }

  /// Runs the statement, which returns no rows, and makes it ready for the next time.
  borrowing func run() throws(HealthStoreError) {
    try check()
    let code = unsafe sqlite3_step(handle)
    let fault = code == SQLITE_DONE ? nil : state.fault(code)
    unsafe sqlite3_reset(handle)
    if let fault { throw fault }
  }

  /// Goes to the next row; says whether there is one, and is ready for the next time if not.
  borrowing func step() throws(HealthStoreError) -> Bool {
    try check()
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let fault = code == SQLITE_DONE ? nil : state.fault(code)
    unsafe sqlite3_reset(handle)
    if let fault { throw fault }
    return false
  }

  borrowing func reset() { unsafe sqlite3_reset(handle) }

  borrowing func isNull(_ column: Int32) -> Bool {
    assertHas(column)
    return unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Asserts that there is a row with a column.
  private borrowing func assertHas(_ column: Int32) {
    assert(
      unsafe (0..<sqlite3_data_count(handle)).contains(column),
      "A row has every column that is read.")
  }

  borrowing func integer(_ column: Int32) -> Int64 {
    assertHas(column)
    return unsafe sqlite3_column_int64(handle, column)
  }

  borrowing func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  borrowing func real(_ column: Int32) -> Double {
    assertHas(column)
    return unsafe sqlite3_column_double(handle, column)
  }

  borrowing func optionalReal(_ column: Int32) -> Double? {
    isNull(column) ? nil : real(column)
  }

  borrowing func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  borrowing func optionalText(_ column: Int32) -> String? {
    assertHas(column)
    guard let start = unsafe sqlite3_column_text(handle, column) else {
      noteMissing(column)
      return nil
    }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  borrowing func blob(_ column: Int32) -> [UInt8] {
    assertHas(column)
    guard let start = unsafe sqlite3_column_blob(handle, column) else {
      noteMissing(column)
      return []
    }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The identity in a column of sixteen bytes.
  borrowing func uuid(_ column: Int32) -> SampleUUID {
    assertHas(column)
    guard let start = unsafe sqlite3_column_blob(handle, column),
      unsafe sqlite3_column_bytes(handle, column) == 16
    else {
      if state.error == nil {
        state.error = .storage(
          code: Int(SQLITE_CORRUPT), message: "\(state.path): an identity has not 16 bytes")
      }
      return SampleUUID(high: 0, low: 0)
    }
    let high = unsafe start.loadUnaligned(as: UInt64.self)
    let low = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return SampleUUID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// Keeps that a value which is there was not handed over, for lack of memory.
  private borrowing func noteMissing(_ column: Int32) {
    let code = unsafe sqlite3_errcode(sqlite3_db_handle(handle))
    if code & 0xff == SQLITE_NOMEM { note(code) }
  }
}
