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
  /// - Throws: `inUse` when another process, or another store of this one, has it.
  init(path: String) throws(HealthStoreError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw .storage(
        code: 14,
        message: "\(path): cannot be opened for writing: \(StorageFault.systemWords(errno))")
    }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      if reason == EINTR { continue }
      close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw .storage(
          code: 15, message: "\(path): cannot be locked: \(StorageFault.systemWords(reason))")
      }
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
