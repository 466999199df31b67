internal import CFileSystem
internal import Glibc

/// The calls to the system by which the program reads and writes files.
///
/// All of them are here, so that a test can make each of them fail; see ``FaultPlan``. A call that
/// a signal interrupts is made again.
public enum FileCalls {
  /// Opens a file; its folder must exist.
  public static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o644
  ) throws(FileFault) -> Int32 {
    try repeating(.open, path) { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
  }

  /// Reads up to a count of bytes; none at the end.
  public static func read(
    _ descriptor: Int32, upTo count: Int, of path: String
  ) throws(FileFault) -> [UInt8] {
    assert(count > 0, "Reading nothing would look like the end of the file.")
    var failure: FileFault?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(FileFault) {
        filled = try Self.repeating(.read, path) {
          unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes.
  public static func write(
    _ bytes: [UInt8], to descriptor: Int32, of path: String
  ) throws(FileFault) {
    FaultPlan.noteWrite(path)
    var start = 0
    while start < bytes.count {
      let part = FaultPlan.isShort(.write, path) ? min(1, bytes.count - start) : bytes.count - start
      let count = try repeating(.write, path) {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), part)
        }
      }
      start += count
    }
  }

  /// Waits until what was written to a file or a folder is on the medium.
  public static func sync(_ descriptor: Int32, of path: String) throws(FileFault) {
    do throws(FileFault) {
      _ = try repeating(.sync, path) { fsync(descriptor) }
    } catch {
      // Some file systems cannot sync folders, or nothing at all; there is nothing more to be had.
      guard [EINVAL, EROFS, ENOTSUP].contains(error.number) else { throw error }
    }
    FaultPlan.noteSync(path)
  }

  /// Waits until the names in a folder are on the medium.
  public static func syncFolder(_ path: String) throws(FileFault) {
    let descriptor = try open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY)
    defer { Glibc.close(descriptor) }
    try sync(descriptor, of: path)
  }

  /// Closes a file.
  public static func close(_ descriptor: Int32, of path: String) throws(FileFault) {
    let number = FaultPlan.failure(.close, path)
    // After EINTR the descriptor is closed all the same.
    let code = Glibc.close(descriptor)
    if let number, number != EINTR { throw FileFault(.close, path, number) }
    if code != 0, errno != EINTR { throw FileFault(.close, path, errno) }
  }

  /// Opens a file, does something with it and closes it, also where that fails.
  static func withFile(
    _ path: String, _ flags: Int32, _ body: (Int32) throws(FileFault) -> Void
  ) throws(FileFault) {
    let descriptor = try open(path, flags)
    do throws(FileFault) {
      try body(descriptor)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    try close(descriptor, of: path)
  }

  /// Gives a file or a folder another name, which another file may have.
  public static func rename(_ path: String, to target: String) throws(FileFault) {
    _ = try repeating(.rename, target) { unsafe Glibc.rename(path, target) }
    FaultPlan.noteRename(path, target, isExchange: false)
  }

  /// Lets two files or folders change their names in one step.
  ///
  /// - Returns: False where the system or the file system has no such step.
  public static func exchange(_ path: String, _ other: String) throws(FileFault) -> Bool {
    do throws(FileFault) {
      _ = try repeating(.exchange, other) {
        unsafe cfilesystem_exchange(path, other)
      }
    } catch {
      guard [ENOSYS, EINVAL, ENOTSUP].contains(error.number) else { throw error }
      return false
    }
    FaultPlan.noteRename(path, other, isExchange: true)
    return true
  }

  /// Removes a file.
  public static func remove(_ path: String) throws(FileFault) {
    _ = try repeating(.remove, path) { unsafe unlink(path) }
  }

  /// Removes an empty folder.
  public static func removeFolder(_ path: String) throws(FileFault) {
    _ = try repeating(.remove, path) { unsafe rmdir(path) }
  }

  /// Makes a folder.
  public static func makeFolder(_ path: String) throws(FileFault) {
    _ = try repeating(.makeFolder, path) { unsafe mkdir(path, 0o755) }
  }

  /// Takes the lock of a file for this process alone; false when another has it.
  public static func lock(_ descriptor: Int32, of path: String) throws(FileFault) -> Bool {
    do throws(FileFault) {
      _ = try repeating(.lock, path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.number == EWOULDBLOCK else { throw error }
      return false
    }
  }

  private static func repeating<Result: BinaryInteger>(
    _ call: FileCall, _ path: String, _ body: () -> Result
  ) throws(FileFault) -> Result {
    // The system would end the name there, and take another file.
    guard !path.utf8.contains(0) else { throw FileFault(call, path, EINVAL) }
    while true {
      if let number = FaultPlan.failure(call, path) {
        if number == EINTR { continue }
        throw FileFault(call, path, number)
      }
      let result = body()
      if result >= 0 { return result }
      let number = errno
      if number != EINTR { throw FileFault(call, path, number) }
    }
  }
}
