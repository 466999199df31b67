public import Quantities

/// A health store: samples of many apps, with the rules by which they are saved and seen.
///
/// HealthKit: `HKHealthStore`. The rules are the same whatever keeps the samples. There is no clock
/// and no chance in it: the time of every change is given, and so is every identity.
public struct HealthRecordStore<Backend: StoreBackend> {
  /// What was accepted although it is bad practice, oldest first.
  public internal(set) var diagnostics: [StoreDiagnostic] = []
  /// The queries that stay alive, the clients to be woken, and the sheets that wait for the user.
  var liveQueries = LiveQueries()
  var wakeUps = WakeUps()
  var sheets = AuthorizationSheets()

  /// The samples and the registry.
  ///
  /// It comes last, since the size of what comes before it is known.
  @usableFromInline var contents: StoreContents<Backend>

  /// Opens a store on a backend.
  ///
  /// - Throws: What the backend throws when it cannot be read.
  public init(opening backend: Backend) throws(HealthStoreError) {
    contents = try StoreContents(opening: backend)
  }

  /// What keeps the samples.
  @inlinable public var backend: Backend { _read { yield contents.backend } }

  /// Clients, sources, permissions and settings.
  @inlinable public var registry: StoreRegistry { _read { yield contents.registry } }

  /// The highest row given out so far; it grows with every change.
  @inlinable public var lastRow: Int64 { contents.backend.lastRow }
}

extension HealthRecordStore: Sendable where Backend: Sendable {}

/// A health store in memory with value semantics: a copy is a checkpoint.
public typealias InMemoryHealthStore = HealthRecordStore<MemoryBackend>

extension HealthRecordStore where Backend == MemoryBackend {
  /// Creates an empty store.
  public init() {
    contents = StoreContents()
  }
}

/// Something that the store accepts and that an app had better not do.
///
/// HealthKit says nothing; Apple's article "Saving Data to HealthKit" advises against it.
public enum StoreDiagnostic: Hashable, Sendable {
  /// A sample of 24 hours or more shows nobody how its value changed.
  case longSample(SampleUUID, ObjectType, TimeSpan)
}

extension StoreDiagnostic: CustomStringConvertible {
  public var description: String {
    switch self {
    case .longSample(let uuid, let type, let duration):
      "The sample \(uuid) of \(type) lasts \(duration). Split samples of 24 hours or more."
    }
  }
}
