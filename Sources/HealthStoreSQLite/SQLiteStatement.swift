internal import CSQLite
internal import HealthStore

/// A compiled statement, ready to be run many times.
@safe
struct SQLiteStatement: ~Copyable {
  private let handle: OpaquePointer
  private let sql: String

  /// Takes over a compiled statement.
  @unsafe init(owning handle: OpaquePointer, sql: String) {
    unsafe self.handle = handle
    self.sql = sql
  }

  deinit { unsafe sqlite3_finalize(handle) }

  borrowing func bind(_ index: Int32, integer value: Int64) {
    unsafe sqlite3_bind_int64(handle, index, value)
  }

  borrowing func bind(_ index: Int32, integer value: Int64?) {
    if let value { bind(index, integer: value) } else { bindNull(index) }
  }

  borrowing func bind(_ index: Int32, real value: Double) {
    unsafe sqlite3_bind_double(handle, index, value)
  }

  borrowing func bind(_ index: Int32, real value: Double?) {
    if let value { bind(index, real: value) } else { bindNull(index) }
  }

  borrowing func bind(_ index: Int32, text value: String) {
    var value = value
    value.withUTF8 { bytes in
      let start = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      if let start = unsafe start {
        unsafe sqlite3_bind_text(handle, index, start, Int32(bytes.count), csqlite_transient())
      } else {
        unsafe sqlite3_bind_text(handle, index, "", 0, csqlite_transient())
      }
    }
  }

  borrowing func bind(_ index: Int32, text value: String?) {
    if let value { bind(index, text: value) } else { bindNull(index) }
  }

  borrowing func bind(_ index: Int32, blob value: [UInt8]) {
    _ = unsafe value.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_blob(
        handle, index, bytes.baseAddress, Int32(bytes.count), csqlite_transient())
    }
  }

  borrowing func bind(_ index: Int32, uuid: SampleUUID) {
    let words = (uuid.high.bigEndian, uuid.low.bigEndian)
    _ = unsafe withUnsafeBytes(of: words) { bytes in
      unsafe sqlite3_bind_blob(handle, index, bytes.baseAddress, 16, csqlite_transient())
    }
  }

  borrowing func bindNull(_ index: Int32) { unsafe sqlite3_bind_null(handle, index) }

  /// Runs the statement, which returns no rows, and makes it ready for the next time.
  borrowing func run() throws(HealthStoreError) {
    let code = unsafe sqlite3_step(handle)
    let message = code == SQLITE_DONE ? nil : errorMessage
    unsafe sqlite3_reset(handle)
    if let message { throw .storage(code: Int(code), message: message) }
  }

  /// Goes to the next row; says whether there is one, and is ready for the next time if not.
  borrowing func step() throws(HealthStoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let message = code == SQLITE_DONE ? nil : errorMessage
    unsafe sqlite3_reset(handle)
    if let message { throw .storage(code: Int(code), message: message) }
    return false
  }

  borrowing func reset() { unsafe sqlite3_reset(handle) }

  borrowing func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  borrowing func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  borrowing func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  borrowing func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  borrowing func optionalReal(_ column: Int32) -> Double? {
    isNull(column) ? nil : real(column)
  }

  borrowing func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  borrowing func optionalText(_ column: Int32) -> String? {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  borrowing func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The identity in a column of sixteen bytes.
  borrowing func uuid(_ column: Int32) -> SampleUUID {
    guard let start = unsafe sqlite3_column_blob(handle, column),
      unsafe sqlite3_column_bytes(handle, column) == 16
    else { return SampleUUID(high: 0, low: 0) }
    let high = unsafe start.loadUnaligned(as: UInt64.self)
    let low = unsafe start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return SampleUUID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  private var errorMessage: String {
    let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
    return "\(message) (while running \"\(sql.prefix(80))\")"
  }
}
