import FileSystem
import FoundationEssentials
import Glibc
import Synchronization

/// Files and folders that are not finished, which go away when the process is interrupted.
final class UnfinishedPaths: Sendable {
  private struct State {
    /// Files and folders that do not have their names yet.
    var paths: Set<String> = []
    /// How many folders are being given their names.
    var publishing = 0
    /// Whether the process waits for these to end.
    var isEnding = false
  }

  private let state = Mutex(State())

  /// Makes an unfinished folder, unless the process is ending.
  func begin(_ path: String) throws(FileFault) {
    // Made where it is noted: what is made afterwards would not be removed.
    try state.withLock { (state) throws(FileFault) in
      state.paths.insert(path)
      try FileCalls.makeFolder(path)
    }
  }

  /// Notes an unfinished file.
  func add(_ path: String) { state.withLock { _ = $0.paths.insert(path) } }

  /// Forgets what is unfinished: it is finished, or removed.
  func remove(_ path: String) { state.withLock { _ = $0.paths.remove(path) } }

  /// Gives a folder its name, for which an interruption waits: what appears has all its files.
  ///
  /// - Returns: False where the folder has been removed, and nothing was done.
  func publish<Fault: Error>(
    _ path: String, _ body: () throws(Fault) -> Void
  ) throws(Fault) -> Bool {
    var begins: Bool?
    while begins == nil {
      begins = state.withLock { state in
        guard !state.isEnding else { return nil }
        guard state.paths.remove(path) != nil else { return false }
        state.publishing += 1
        return true
      }
      if begins == nil { usleep(1_000) }
    }
    guard begins == true else { return false }
    defer { state.withLock { $0.publishing -= 1 } }
    try body()
    return true
  }

  /// Removes all that is unfinished; nothing new can begin until `then` has run.
  func removeAll(then finish: () -> Void = {}) {
    state.withLock { $0.isEnding = true }
    // A medium that never answers does not keep the process from ending.
    for _ in 0..<5_000 where state.withLock({ $0.publishing > 0 }) { usleep(1_000) }
    state.withLock { state in
      for path in state.paths.sorted() {
        // Another thread may be writing into it: what it adds meanwhile is removed as well.
        for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
          try? NewFolder.removeTree(path)
        }
      }
      state.paths.removeAll()
      finish()
      state.isEnding = false
    }
  }
}
