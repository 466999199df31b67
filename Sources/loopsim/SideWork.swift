import Dispatch
import Synchronization

/// Work on a thread of its own, while whoever began it goes on.
///
/// It must be waited for before what it works on may go.
final class SideWork: Sendable {
  private let end = DispatchGroup()
  private let failure = Mutex<(any Error)?>(nil)

  /// Begins the work.
  init(_ work: @escaping @Sendable () throws -> Void) {
    // A queue of its own has a thread at once, however many are busy.
    DispatchQueue(label: "loopsim.side").async(group: end) { [self] in
      do {
        try work()
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Waits for the end of the work.
  func wait() { end.wait() }

  /// Waits for the end of the work.
  ///
  /// - Throws: What the work has thrown.
  func finish() throws {
    wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Waits for the end of the work, and leaves the thread to other tasks meanwhile.
  ///
  /// - Throws: What the work has thrown.
  func ended() async throws {
    await withCheckedContinuation { continuation in
      end.notify(queue: DispatchQueue(label: "loopsim.side")) { continuation.resume() }
    }
    try finish()
  }
}
