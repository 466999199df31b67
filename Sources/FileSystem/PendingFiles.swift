internal import CFileSystem
internal import Glibc
internal import Synchronization

/// Files in a folder that nobody sees yet, which are waited for together.
///
/// The system begins to write each of them at once and goes on while others are made, so that
/// waiting for all of them at the end takes less time than waiting for one after the other.
public final class PendingFiles: Sendable {
  private let paths = Mutex<[String]>([])

  /// Begins without files.
  public init() {}

  /// Writes a whole file.
  public func write(_ bytes: [UInt8], to path: String) throws(FileFault) {
    try write(to: path) { (append) throws(FileFault) in try append(bytes) }
  }

  /// Writes a file piece by piece.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - pieces: Calls the function that it is given with one piece after the other.
  /// - Throws: The fault of the file that the system tells of.
  public func write(
    to path: String,
    _ pieces: (_ append: ([UInt8]) throws(FileFault) -> Void) throws(FileFault) -> Void
  ) throws(FileFault) {
    try FileCalls.withFile(path, O_WRONLY | O_CREAT | O_TRUNC) {
      (descriptor) throws(FileFault) in
      try pieces { (piece) throws(FileFault) in
        try FileCalls.write(piece, to: descriptor, of: path)
      }
      cfilesystem_start_writing(descriptor)
    }
    paths.withLock { $0.append(path) }
  }

  /// Adds a file that a library has written.
  public func add(_ path: String) throws(FileFault) {
    try FileCalls.withFile(path, O_RDONLY) { cfilesystem_start_writing($0) }
    paths.withLock { $0.append(path) }
  }

  /// Makes a folder for some of the files, whose names are waited for with them.
  public func makeFolder(_ path: String) throws(FileFault) {
    try FileCalls.makeFolder(path)
    paths.withLock { $0.append(path) }
  }

  /// Waits until all of them are on the medium.
  public func sync() throws(FileFault) {
    // Opened anew, so that no more than one is open at a time however many there are.
    for path in paths.withLock(\.self) {
      try FileCalls.withFile(path, O_RDONLY) { (descriptor) throws(FileFault) in
        try FileCalls.sync(descriptor, of: path)
      }
    }
    paths.withLock { $0 = [] }
  }
}
