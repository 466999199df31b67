import Synchronization

/// A folder of results that is written and not in its place yet.
///
/// To put it there is to wait for the medium, while the processor has nothing to do. Without
/// that the folder is removed when the value goes away.
final class UnpublishedFolder: Sendable {
  private let folder: Mutex<OutputFolder?>

  /// Takes the folder over.
  init(_ folder: consuming OutputFolder) { self.folder = Mutex(folder) }

  /// Puts the folder in its place, once, and leaves the thread to other tasks meanwhile.
  func publish() async throws {
    let work = SideWork { [self] in
      try folder.withLock { $0.take() }?.finish()
    }
    try await work.ended()
  }
}
