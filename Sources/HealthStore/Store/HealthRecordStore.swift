public import Quantities

/// A health store: samples of many apps, with the rules by which they are saved and seen.
///
/// HealthKit: `HKHealthStore`. The rules are the same whatever keeps the samples. There is no clock
/// and no chance in it: the time of every change is given, and so is every identity.
public struct HealthRecordStore<Backend: StoreBackend> {
  /// What keeps the samples.
  public internal(set) var backend: Backend
  /// Clients, sources, permissions and settings.
  public internal(set) var registry: StoreRegistry
  /// What was accepted although it is bad practice, oldest first.
  public internal(set) var diagnostics: [StoreDiagnostic] = []
  var liveQueries = LiveQueries()
  /// The requests for authorization that the user has not answered, oldest first.
  var sheets: [AuthorizationSheet] = []
  var sheetCount = 0

  /// Opens a store on a backend.
  ///
  /// - Throws: What the backend throws when it cannot be read.
  public init(opening backend: Backend) throws(HealthStoreError) {
    self.backend = backend
    registry = try backend.loadRegistry()
    if registry.clients.isEmpty {
      var batch = StoreBatch()
      batch.registry = registry.beginning
      try commit(&batch)
    }
  }

  /// The highest row given out so far; it grows with every change.
  public var lastRow: Int64 { backend.lastRow }
}

extension HealthRecordStore: Sendable where Backend: Sendable {}

/// A health store in memory with value semantics: a copy is a checkpoint.
public typealias InMemoryHealthStore = HealthRecordStore<MemoryBackend>

extension HealthRecordStore where Backend == MemoryBackend {
  /// Creates an empty store.
  public init() {
    backend = MemoryBackend()
    registry = StoreRegistry()
    for change in registry.beginning { registry.apply(change) }
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

extension HealthRecordStore {
  /// Hands a batch to the backend and takes over its changes of the registry.
  mutating func commit(_ batch: inout StoreBatch) throws(HealthStoreError) {
    batch.lastRow = max(batch.lastRow, backend.lastRow)
    try backend.apply(batch)
    assert(backend.lastRow >= batch.lastRow, "A backend that has taken a batch knows its last row.")
    for change in batch.registry { registry.apply(change) }
  }

  /// Writes changes of the registry alone.
  mutating func commit(_ changes: [RegistryChange]) throws(HealthStoreError) {
    guard !changes.isEmpty else { return }
    var batch = StoreBatch()
    batch.registry = changes
    try commit(&batch)
  }

  /// What a client may do with a type; the user may do everything.
  ///
  /// HealthKit: `authorizationStatus(for:)`, which tells of writing only.
  public func authorization(of client: ClientID, for type: ObjectType) -> Authorization {
    registry.authorization(of: client, for: type)
  }
}
