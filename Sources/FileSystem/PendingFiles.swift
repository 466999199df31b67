internal import CFileSystem
internal import Glibc

/// Files in a folder that nobody sees yet, which are waited for together.
///
/// The system begins to write each of them at once and goes on while others are made, so that
/// waiting for all of them at the end takes less time than waiting for one after the other.
public final class PendingFiles {
  private var files: [(descriptor: Int32, path: String)] = []

  /// How many are waited for at once; a process may not have very many files open.
  private static let most = 64

  /// Begins without files.
  public init() {}

  deinit { for file in files { Glibc.close(file.descriptor) } }

  /// Writes a whole file.
  public func write(_ bytes: [UInt8], to path: String) throws(FileFault) {
    if files.count >= Self.most { try sync() }
    let descriptor = try FileCalls.open(path, O_WRONLY | O_CREAT | O_TRUNC)
    files.append((descriptor, path))
    try FileCalls.write(bytes, to: descriptor, of: path)
    cfilesystem_start_writing(descriptor)
  }

  /// Adds a file that a library has written.
  public func add(_ path: String) throws(FileFault) {
    if files.count >= Self.most { try sync() }
    let descriptor = try FileCalls.open(path, O_RDONLY)
    files.append((descriptor, path))
    cfilesystem_start_writing(descriptor)
  }

  /// Waits until all of them are on the medium, and closes them.
  public func sync() throws(FileFault) {
    while let file = files.first {
      try FileCalls.sync(file.descriptor, of: file.path)
      files.removeFirst()
      try FileCalls.close(file.descriptor, of: file.path)
    }
  }
}
