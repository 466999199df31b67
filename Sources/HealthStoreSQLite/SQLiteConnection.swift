internal import CSQLite
internal import FileSystem
internal import Glibc
internal import HealthStore

/// An open SQLite database.
///
/// A connection is not thread-safe, and so it is not `Sendable`: one task owns it at a time.
@safe
struct SQLiteConnection: ~Copyable {
  private let handle: OpaquePointer
  /// Where the database is, as it was named.
  let path: String
  /// Whether nothing is written through the connection.
  let isReadOnly: Bool
  /// Whether statements are compiled when they are first used: most are never used for a new file,
  /// and those of any other file show at once whether its tables are ours.
  var compilesLate = false

  /// Opens the database at a path; `":memory:"` keeps it in memory.
  ///
  /// A file on a medium that cannot be written is opened as one that nobody changes, so that
  /// SQLite needs no file beside it.
  init(path: String, isReadOnly: Bool) throws(HealthStoreError) {
    _ = Self.isConfigured
    try Self.refuseStreams(path)
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened = try unsafe Self.opened(path, named: path, mode)
    // SQLite looks at a file only when it is asked for something.
    let probe = "SELECT count(*) FROM sqlite_schema"
    let code =
      isReadOnly ? unsafe sqlite3_exec(opened, probe, nil, nil, nil) : SQLITE_OK
    if Self.isRefusal(code) {
      let other =
        Self.hasLog(path)
        ? try unsafe Self.opened(path, named: path, SQLITE_OPEN_READWRITE)
        : try unsafe Self.opened(
          Self.unchangingAddress(of: path), named: path, mode | SQLITE_OPEN_URI)
      unsafe sqlite3_close_v2(opened)
      unsafe opened = other
      // What a killed writer left is taken back with the first question; then nothing is written.
      unsafe sqlite3_exec(opened, "\(probe); PRAGMA query_only = ON", nil, nil, nil)
    }
    unsafe handle = opened
    self.path = path
    self.isReadOnly = isReadOnly
  }

  /// Refuses what has no bytes at places; SQLite would wait without end for who writes into a pipe.
  private static func refuseStreams(_ path: String) throws(HealthStoreError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
      [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return }
    throw .notAHealthStore(path: path, reason: "it is a pipe, a device or a socket, and no file")
  }

  @unsafe private static func opened(
    _ address: String, named path: String, _ mode: Int32
  ) throws(HealthStoreError) -> OpaquePointer {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_open_v2(address, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened = unsafe handle else {
      let error = unsafe StorageFault.error(code, of: handle, path: path)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, 2_000)
    return unsafe opened
  }

  /// Settings of the whole library, made once, before the first connection.
  private static let isConfigured: Bool =
    csqlite_stop_counting_memory() == SQLITE_OK && installLayer()

  /// Lets pages get their checksums, and a plan for faults have its say before every call of SQLite
  /// to the system.
  private static func installLayer() -> Bool {
    guard FaultPlan.isActive else { return csqlite_install_layer(nil) == SQLITE_OK }
    let code = unsafe csqlite_install_layer { call, path in
      let calls: [FileCall] = [.open, .read, .write, .sync, .remove, .truncate]
      guard let path = unsafe path, calls.indices.contains(Int(call)) else { return 0 }
      let number = unsafe FaultPlan.failure(calls[Int(call)], String(cString: path)) ?? 0
      // SQLite's own file system makes an interrupted call again before it comes back.
      return number == EINTR ? 0 : number
    }
    return code == SQLITE_OK
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Does not wait for others from now on.
  borrowing func stopWaiting() { unsafe sqlite3_busy_timeout(handle, 0) }

  /// Whether a transaction was begun and has not ended.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Runs one or more statements that return no rows.
  borrowing func execute(_ sql: String) throws(HealthStoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw unsafe StorageFault.error(code, of: handle, path: path)
    }
  }

  /// Leaves room for a checksum at the end of the pages: in a file without pages at once, in any
  /// other when it is next vacuumed.
  borrowing func reserveChecksums() throws(HealthStoreError) {
    var count = Int32(CSQLITE_CHECKSUM_BYTES)
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    guard code == SQLITE_OK else {
      throw unsafe StorageFault.error(code, of: handle, path: path)
    }
  }

  /// A copy of all pages of a database in memory.
  borrowing func pages() throws(HealthStoreError) -> [UInt8] {
    var size: sqlite3_int64 = 0
    guard let copy = unsafe sqlite3_serialize(handle, "main", &size, 0) else {
      throw unsafe StorageFault.error(SQLITE_NOMEM, of: handle, path: path)
    }
    defer { unsafe sqlite3_free(copy) }
    return unsafe [UInt8](UnsafeBufferPointer(start: copy, count: Int(size)))
  }

  /// Makes a database the same as another, of which it is given all pages.
  borrowing func copy(from pages: [UInt8]) throws(HealthStoreError) {
    let other = try Self(path: ":memory:", isReadOnly: false)
    let size = sqlite3_int64(pages.count)
    // SQLite frees the copy with the other database.
    let flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY
    guard let room = unsafe sqlite3_malloc64(sqlite3_uint64(size)) else {
      throw unsafe StorageFault.error(SQLITE_NOMEM, of: handle, path: path)
    }
    let copy = unsafe room.initializeMemory(as: UInt8.self, from: pages, count: pages.count)
    let code = unsafe sqlite3_deserialize(other.handle, "main", copy, size, size, UInt32(flags))
    guard code == SQLITE_OK else {
      throw unsafe StorageFault.error(code, of: other.handle, path: path)
    }
    guard let backup = unsafe sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw unsafe StorageFault.error(sqlite3_errcode(handle), of: handle, path: path)
    }
    let step = unsafe sqlite3_backup_step(backup, -1)
    let finished = unsafe sqlite3_backup_finish(backup)
    guard step == SQLITE_DONE, finished == SQLITE_OK else {
      throw unsafe StorageFault.error(
        finished == SQLITE_OK ? step : finished, of: handle, path: path)
    }
  }

  /// A statement that is compiled when it is first used, whatever file this is: one that only does
  /// many times at once what another statement does.
  borrowing func prepareLate(_ sql: String) -> SQLiteStatement {
    unsafe SQLiteStatement(sql, of: handle, path: path)
  }

  /// Compiles a statement.
  borrowing func prepare(_ sql: String) throws(HealthStoreError) -> SQLiteStatement {
    let statement = prepareLate(sql)
    if !compilesLate { try statement.check() }
    return statement
  }

  /// The number that the first row of a question holds; 0 when there is no row.
  borrowing func number(_ sql: String) throws(HealthStoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  // MARK: - Media that cannot be written

  /// Whether SQLite could not open a file, or not write beside it.
  private static func isRefusal(_ code: Int32) -> Bool {
    [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xff)
  }

  /// Whether there is a log beside a file, without which it must not be read.
  private static func hasLog(_ path: String) -> Bool {
    ["-wal", "-journal"].contains { ending in
      var status = stat()
      return unsafe stat(path + ending, &status) == 0 && status.st_size > 0
    }
  }

  /// The address by which SQLite opens a file that nobody changes.
  private static func unchangingAddress(of path: String) -> String {
    var address = path.hasPrefix("/") ? "file://" : "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        address.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        address += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return address + "?immutable=1"
  }
}

/// What SQLite says when it cannot do something.
enum StorageFault {
  /// The error for a result code: the file, SQLite's words, and the system's where it refused.
  @unsafe static func error(
    _ code: Int32, of handle: OpaquePointer?, path: String
  ) -> HealthStoreError {
    let words = unsafe String(
      cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    if code & 0xff == SQLITE_NOTADB {
      return .notAHealthStore(path: path, reason: "it is no SQLite database")
    }
    let primary = code & 0xff
    if primary == SQLITE_BUSY { return .inUse(path: path) }
    let number = primary == SQLITE_FULL ? ENOSPC : unsafe sqlite3_system_errno(handle)
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY].contains(primary)
    let reason = isOfSystem && number != 0 ? "\(words): \(FileFault.words(number))" : words
    return .storage(
      code: Int(code), message: "\(path): cannot be read or written: \(reason)")
  }

  /// The failure of the medium of which a line of SQLite's check tells; `nil` where it tells of the
  /// content.
  ///
  /// A page that cannot be read is `Page 43: unable to get the page. error code=266` there.
  static func failure(inCheck line: String, path: String) -> HealthStoreError? {
    let parts = line.split(separator: "error code=")
    guard parts.count > 1, let code = Int32(parts[1].prefix(while: \.isNumber)),
      code & 0xff != SQLITE_CORRUPT
    else { return nil }
    return unsafe error(code, of: nil, path: path)
  }
}
