/// What a store holds: samples in a backend, and the registry beside them.
///
/// It changes by batches alone, of which the backend and the registry take over the same; whoever
/// has it can read all of it, as each client sees it.
@usableFromInline
struct StoreContents<Backend: StoreBackend> {
  /// Clients, sources, permissions and settings.
  ///
  /// It stands before the backend, whose size is not known here: so its place is.
  @usableFromInline private(set) var registry: StoreRegistry
  /// What keeps the samples.
  @usableFromInline private(set) var backend: Backend

  /// Opens what a backend keeps; one that knows no client yet gets to know the user.
  ///
  /// - Throws: What the backend throws when it cannot be read.
  init(opening backend: Backend) throws(HealthStoreError) {
    registry = try backend.loadRegistry()
    self.backend = backend
    if registry.clients.isEmpty { try commit(registry.beginning) }
  }

  /// The highest row given out so far; it grows with every change.
  var lastRow: Int64 { backend.lastRow }

  /// Hands a batch to the backend and takes over its changes of the registry.
  mutating func commit(_ batch: StoreBatch) throws(HealthStoreError) {
    guard batch.lastRow >= lastRow else {
      // A batch that gives out no rows leaves the last one where it is.
      var counted = batch
      counted.lastRow = lastRow
      return try commit(counted)
    }
    try backend.apply(batch)
    assert(backend.lastRow >= batch.lastRow, "A backend that has taken a batch knows its last row.")
    for change in batch.registry { registry.apply(change) }
  }

  /// Writes changes of the registry alone.
  mutating func commit(_ changes: [RegistryChange]) throws(HealthStoreError) {
    guard !changes.isEmpty else { return }
    var batch = StoreBatch()
    batch.registry = changes
    try commit(batch)
  }

  /// Hands one new sample to the backend, without a batch.
  mutating func insert(_ stored: StoredSample) throws(HealthStoreError) {
    assert(stored.row > backend.lastRow, "A new row comes after those that are there.")
    try backend.insert(stored)
  }
}

extension StoreContents: Sendable where Backend: Sendable {}

extension StoreContents where Backend == MemoryBackend {
  /// Begins an empty store in memory.
  init() {
    registry = StoreRegistry()
    backend = MemoryBackend()
    for change in registry.beginning { registry.apply(change) }
  }
}
