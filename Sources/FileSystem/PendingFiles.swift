internal import CFileSystem
internal import Glibc

/// Files in a folder that nobody sees yet, which are waited for together.
///
/// The system begins to write each of them at once and goes on while others are made, so that
/// waiting for all of them at the end takes less time than waiting for one after the other.
public final class PendingFiles {
  private var paths: [String] = []

  /// Begins without files.
  public init() {}

  /// Writes a whole file.
  public func write(_ bytes: [UInt8], to path: String) throws(FileFault) {
    let descriptor = try FileCalls.open(path, O_WRONLY | O_CREAT | O_TRUNC)
    do throws(FileFault) {
      try FileCalls.write(bytes, to: descriptor, of: path)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    try startWriting(descriptor, of: path)
  }

  /// Adds a file that a library has written.
  public func add(_ path: String) throws(FileFault) {
    try startWriting(try FileCalls.open(path, O_RDONLY), of: path)
  }

  /// Lets the system begin to write a file, which is closed.
  private func startWriting(_ descriptor: Int32, of path: String) throws(FileFault) {
    cfilesystem_start_writing(descriptor)
    try FileCalls.close(descriptor, of: path)
    paths.append(path)
  }

  /// Waits until all of them are on the medium.
  public func sync() throws(FileFault) {
    // Opened anew, so that no more than one is open at a time however many there are.
    for path in paths {
      let descriptor = try FileCalls.open(path, O_RDONLY)
      do throws(FileFault) {
        try FileCalls.sync(descriptor, of: path)
      } catch {
        Glibc.close(descriptor)
        throw error
      }
      try FileCalls.close(descriptor, of: path)
    }
    paths = []
  }
}
