internal import CSQLite
internal import FileSystem
internal import Glibc
public import HealthStore

/// The checksums that the pages of a file end with.
///
/// They are those of SQLite's extension `cksumvfs` (https://www.sqlite.org/cksumvfs.html), written
/// by the layer in front of SQLite's file system. A file has them when the header says that eight
/// bytes of every page are not SQLite's.
enum PageChecksums {
  /// What a look at a file's checksums found.
  enum Finding: Equatable {
    /// The pages have no checksums.
    case none
    /// Somebody writes to the file, or was killed while doing so.
    case beingWritten
    /// The pages whose bytes are not those that were written, by number from 1.
    case damaged([Int])
  }

  /// The most damaged pages that are told.
  private static let limit = 20

  static func look(atFile path: String) throws(HealthStoreError) -> Finding {
    for ending in ["-wal", "-journal"] {
      var status = stat()
      if unsafe stat(path + ending, &status) == 0, status.st_size > 0 { return .beingWritten }
    }
    do throws(InputFile.Refusal) {
      return try pages(of: InputFile(path))
    } catch {
      var reason = "it is no regular file"
      if case .fault(let fault) = error { reason = FileFault.words(fault.number) }
      throw .storage(
        code: Int(SQLITE_IOERR), message: "\(path): cannot be read or written: \(reason)")
    }
  }

  private static func pages(of file: InputFile) throws(InputFile.Refusal) -> Finding {
    var bytes: [UInt8] = []
    /// Goes on reading until there are so many bytes, or no more.
    func fill(_ count: Int) throws(InputFile.Refusal) {
      do throws(FileFault) {
        while bytes.count < count {
          let part = try file.next(upTo: count - bytes.count)
          if part.isEmpty { break }
          bytes += part
        }
      } catch {
        throw .fault(error)
      }
    }
    try fill(100)
    guard bytes.count == 100, Int(bytes[20]) == CSQLITE_CHECKSUM_BYTES else { return .none }
    let stated = Int(bytes[16]) << 8 | Int(bytes[17])
    let size = stated == 1 ? 65_536 : stated
    guard size >= 512, size & (size - 1) == 0 else { return .damaged([1]) }
    var damaged: [Int] = []
    var number = 1
    while damaged.count < limit {
      try fill(size)
      if bytes.isEmpty { break }
      if bytes.count < size || !isWhole(bytes) { damaged.append(number) }
      bytes.removeAll(keepingCapacity: true)
      number += 1
    }
    return .damaged(damaged)
  }

  /// Whether a page ends with the checksum of what is before it.
  private static func isWhole(_ page: [UInt8]) -> Bool {
    let length = CSQLITE_CHECKSUM_BYTES
    let computed = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      unsafe page.withUnsafeBufferPointer { bytes in
        unsafe csqlite_checksum(bytes.baseAddress, Int32(bytes.count), buffer.baseAddress)
      }
      count = length
    }
    return page.suffix(length).elementsEqual(computed)
  }
}

extension SQLiteBackend {
  /// Whether the pages of a file have checksums, by which a single changed byte is found.
  public static func hasChecksums(fileAt path: String) throws(HealthStoreError) -> Bool {
    try PageChecksums.look(atFile: path) != .none
  }

  /// Gives the pages of a file checksums; files that older programs wrote have none.
  ///
  /// - Throws: `inUse` when someone else writes to the file, `storage` when it cannot be written;
  ///   then it is as it was.
  public static func addChecksums(toFileAt path: String) throws(HealthStoreError) {
    let lease = try WriterLease(path: path, mayBeNew: false)
    let connection = try SQLiteConnection(path: path, isReadOnly: false)
    try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL")
    try connection.reserveChecksums()
    // The first time makes room; pages that leave the memory before the header does have no
    // checksum yet, and get it the second time.
    try connection.execute("VACUUM")
    try connection.execute("VACUUM")
    _ = consume lease
  }
}
