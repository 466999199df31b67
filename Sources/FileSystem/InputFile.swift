internal import Glibc

/// A file that is read from its beginning to its end, which it must have.
///
/// Regular files and pipes are read. A device may have no end and is refused, but for a terminal; a
/// pipe to which nobody writes is empty, and nothing waits for it.
public final class InputFile {
  /// Why a file is not read although the system would.
  public enum Refusal: Error, Hashable, Sendable {
    /// The system refused.
    case fault(FileFault)
    /// It is a folder.
    case isFolder
    /// It is a device, which may have no end.
    case isDevice
    /// It has more bytes than are read of a file.
    case tooLarge(limit: Int)
  }

  private let path: String
  private let descriptor: Int32
  private let isOwned: Bool

  /// Opens a file, or takes standard input for `-`; a regular file may have at most `limit` bytes.
  public init(_ path: String, limit: Int = .max) throws(Refusal) {
    self.path = path
    guard path != "-" else {
      descriptor = STDIN_FILENO
      isOwned = false
      return
    }
    isOwned = true
    do throws(FileFault) {
      descriptor = try FileCalls.open(path, O_RDONLY | O_NONBLOCK)
    } catch {
      throw .fault(error)
    }
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    switch status.st_mode & S_IFMT {
    case _ where !isKnown: throw .fault(FileFault(.open, path, errno))
    case S_IFDIR: throw .isFolder
    case S_IFREG where status.st_size > limit: throw .tooLarge(limit: limit)
    case S_IFREG, S_IFIFO: break
    case S_IFCHR where isatty(descriptor) == 1: break
    default: throw .isDevice
    }
    _ = fcntl(descriptor, F_SETFL, O_RDONLY)
  }

  deinit { if isOwned { Glibc.close(descriptor) } }

  /// The next bytes; none at the end.
  public func next(upTo count: Int = 1 << 16) throws(FileFault) -> [UInt8] {
    try FileCalls.read(descriptor, upTo: count, of: path)
  }

  /// Whether a path is that of a regular file, which can be looked into and then read; of a pipe,
  /// what was seen is gone.
  public static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether two paths are those of one regular file, by whatever names.
  public static func isSame(_ path: String, as other: String) -> Bool {
    var (first, second) = (stat(), stat())
    let areThere = unsafe (stat(path, &first) == 0 && stat(other, &second) == 0)
    return areThere && first.st_mode & S_IFMT == S_IFREG
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The bytes of a whole file.
  public static func bytes(of path: String, limit: Int) throws(Refusal) -> [UInt8] {
    let file = try InputFile(path, limit: limit)
    var bytes: [UInt8] = []
    while true {
      do throws(FileFault) {
        let part = try file.next()
        if part.isEmpty { return bytes }
        bytes += part
      } catch {
        throw .fault(error)
      }
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    }
  }
}
