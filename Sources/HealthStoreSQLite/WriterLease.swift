internal import FileSystem
internal import Glibc
internal import HealthStore

/// The right to write to a file, which only one process has at a time.
///
/// It is an advisory lock on the file itself: it ends with the process, however that ends, and
/// leaves nothing behind.
struct WriterLease: ~Copyable {
  private let descriptor: Int32

  /// Takes the lease.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mayBeNew: Whether the file is made where there is none.
  /// - Throws: `inUse` when another process, or another store of this one, has it.
  init(path: String, mayBeNew: Bool = true) throws(HealthStoreError) {
    let descriptor: Int32
    do throws(FileFault) {
      descriptor = try FileCalls.open(path, O_RDWR | (mayBeNew ? O_CREAT : 0))
    } catch {
      throw .storage(
        code: 14, message: "\(path): cannot be opened for writing: \(error.reason)")
    }
    let isOurs: Bool
    do throws(FileFault) {
      isOurs = try FileCalls.lock(descriptor, of: path)
    } catch {
      close(descriptor)
      throw .storage(code: 15, message: "\(path): cannot be locked: \(error.reason)")
    }
    guard isOurs else {
      close(descriptor)
      throw .inUse(path: path)
    }
    self.descriptor = descriptor
  }

  deinit {
    // A process that was just started from this one has the file open too until it runs its own
    // program; closing alone would leave the lease with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
