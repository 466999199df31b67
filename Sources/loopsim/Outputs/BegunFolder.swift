import HealthStore
import Synchronization

/// A folder of results that is begun with the health store of a run, as soon as nothing is written
/// to that any more, and while the result is still gathered.
///
/// The file of the store takes as long as all tables together. Whoever writes these takes the
/// folder over; one that nobody takes is removed when the value goes away.
final class BegunFolder: Sendable {
  /// The writing of the store, which is to be waited for before the folder goes anywhere.
  let store: SideWork
  private let folder: Mutex<OutputFolder?>

  /// Begins a folder with a store.
  ///
  /// - Parameters:
  ///   - path: Where the folder will stand.
  ///   - store: The health store as it stays.
  /// - Throws: ``FileProblem`` when the place is taken or cannot be written.
  init(at path: String, with store: InMemoryHealthStore) throws(FileProblem) {
    let folder = try OutputFolder(at: path)
    self.store = RunFolder.writingStore(store, in: folder)
    self.folder = Mutex(folder)
  }

  deinit { store.wait() }

  /// Hands the folder over, once; `nil` after that.
  func take() -> OutputFolder? { folder.withLock { $0.take() } }
}
