import Synchronization

/// Takes note of the keys that are read, so that a test can tell which are not.
final class ReadRecorder: Sendable {
  private let noted = Mutex<Set<String>>([])

  /// The paths that were read, as ``SchemaTable`` writes them.
  var paths: Set<String> { noted.withLock(\.self) }

  /// Notes that a value was asked for, whether there was one or not.
  func note(_ path: String) {
    _ = noted.withLock { $0.insert(SchemaDefaults.generalised(path)) }
  }
}
