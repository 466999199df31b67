import Synchronization

/// Takes note of the keys that are read, so that a test can tell which are not.
final class ReadRecorder: Sendable {
  private let noted = Mutex<Set<String>>([])
  private let defaulted = Mutex<Set<String>>([])
  private let unranged = Mutex<Set<String>>([])

  /// The places of the source that took a default of the schema, as `File.swift key`.
  var defaultUses: Set<String> { defaulted.withLock(\.self) }

  /// Notes that the default of a key was taken where the source asks for it.
  func noteDefault(_ key: String, file: StaticString) {
    let name = "\(file)".split(separator: "/").last.map(String.init) ?? ""
    _ = defaulted.withLock { $0.insert("\(name) \(key)") }
  }

  /// The paths at which a value was read without a range, because the schema has none there.
  var unrangedPaths: Set<String> { unranged.withLock(\.self) }

  /// Notes that the schema has no range for a value that is read.
  func noteUnranged(_ path: String) {
    _ = unranged.withLock { $0.insert(SchemaDefaults.generalised(path)) }
  }

  /// The paths that were read, as ``SchemaTable`` writes them.
  var paths: Set<String> { noted.withLock(\.self) }

  /// Notes that a value was asked for, whether there was one or not.
  func note(_ path: String) {
    _ = noted.withLock { $0.insert(SchemaDefaults.generalised(path)) }
  }
}
