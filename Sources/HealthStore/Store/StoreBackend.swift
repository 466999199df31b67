public import Quantities

/// Changes that a backend takes over all together or not at all.
public struct StoreBatch: Sendable {
  /// New samples of the usual kind; they come before those of ``inserted``.
  public var run: SampleRun?
  /// New samples, ascending by row.
  public var inserted: [StoredSample] = []
  /// Samples that belong to workouts from now on; both are in the store after the batch.
  public var links: [WorkoutLink] = []
  /// Traces of deleted samples, ascending by row; each names the sample that goes.
  public var deleted: [Tombstone] = []
  /// Samples that go without a trace.
  public var pruned: [StoredSample] = []
  /// The row up to which traces of deletions go, for each type the same.
  public var purgedTombstones: Int64 = 0
  /// The changes of the registry, in order.
  public var registry: [RegistryChange] = []
  /// The changes of upload queues, in order.
  public var uploads: [UploadChange] = []
  /// The highest row given out after the batch.
  public var lastRow: Int64 = 0

  /// Creates a batch without changes.
  public init() {}

  /// Whether nothing changes.
  public var isEmpty: Bool {
    run == nil && inserted.isEmpty && deleted.isEmpty && pruned.isEmpty && purgedTombstones == 0
      && registry.isEmpty && uploads.isEmpty && links.isEmpty
  }
}

/// A sample that belongs to a workout.
///
/// HealthKit: what `add(_:to:completion:)` makes known.
public struct WorkoutLink: Hashable, Sendable {
  /// The workout.
  public var workout: SampleUUID
  /// The sample.
  public var sample: SampleUUID

  /// Creates a `WorkoutLink` from its parts; see the properties.
  public init(workout: SampleUUID, sample: SampleUUID) {
    self.workout = workout
    self.sample = sample
  }
}

/// Which stored samples to visit, and in which order.
public enum StoreScan: Hashable, Sendable {
  /// Samples that may overlap a stretch of time, ascending by start and row.
  ///
  /// A backend may visit more than those, never fewer.
  case time(ObjectType, from: Instant, to: Instant)
  /// The same, descending by start and row.
  case timeReversed(ObjectType, from: Instant, to: Instant)
  /// Samples with a row above the given one, ascending by row.
  case rows(ObjectType, after: Int64)
}

/// Where a store keeps its samples.
///
/// A backend knows no permissions and no rules; it keeps rows and finds them. Both backends, in
/// memory and in a file, therefore obey the same laws.
public protocol StoreBackend {
  /// What was kept beside the samples when the backend was opened.
  func loadRegistry() throws(HealthStoreError) -> StoreRegistry

  /// The highest row given out so far.
  var lastRow: Int64 { get }

  /// Takes over a batch, all or nothing.
  ///
  /// - Throws: `invalidArgument(.duplicateUUID)` when a sample's identity is already there.
  mutating func apply(_ batch: StoreBatch) throws(HealthStoreError)

  /// Takes over one new sample, as a batch of nothing else.
  ///
  /// - Throws: `invalidArgument(.duplicateUUID)` when its identity is already there.
  mutating func insert(_ stored: StoredSample) throws(HealthStoreError)

  /// Says that many questions follow, before the next batch or ``stopReading()``.
  func startReading() throws(HealthStoreError)

  /// Says that no more of them follow; does nothing where none were announced.
  func stopReading() throws(HealthStoreError)

  /// The live sample with an identity.
  func stored(_ uuid: SampleUUID) throws(HealthStoreError) -> StoredSample?

  /// Whether there is a live sample with an identity.
  func holds(_ uuid: SampleUUID) throws(HealthStoreError) -> Bool

  /// The live sample of a source with a sync identifier; of several the one saved last.
  func stored(
    syncIdentifier: SyncIdentifier, type: ObjectType, source: Int32
  ) throws(HealthStoreError) -> StoredSample?

  /// The members of a correlation, ascending by row.
  func members(of row: Int64) throws(HealthStoreError) -> [StoredSample]

  /// The samples that belong to a workout, in the order of their rows.
  func samples(ofWorkout uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID]

  /// The workouts to which a sample belongs.
  func workouts(ofSample uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID]

  /// Visits live samples in the order of the scan until the body returns `false`.
  ///
  /// Correlations come without their members, and samples without their source revision.
  func visit(
    _ scan: StoreScan, _ body: (StoredSample) -> Bool
  ) throws(HealthStoreError)

  /// Visits the live samples of a type that a source wrote and that may lie in a stretch of time,
  /// in the order of a scan of that stretch.
  func visit(
    _ type: ObjectType, from start: Instant, to end: Instant, writtenBy source: Int32,
    _ body: (StoredSample) -> Void
  ) throws(HealthStoreError)

  /// The traces of deletions above a row, ascending by row.
  func tombstones(of type: ObjectType, after row: Int64) throws(HealthStoreError) -> [Tombstone]

  /// The uploads of a service that are not done, in order.
  func uploads(of service: String, limit: Int) throws(HealthStoreError) -> [Upload]

  /// The samples of a type of which a service was told, or is to be told, last that they are there,
  /// in the order of the queue.
  func toldSamples(
    of service: String, type: ObjectType
  ) throws(HealthStoreError) -> [SampleUUID]
}

extension StoreBackend {
  public mutating func insert(_ stored: StoredSample) throws(HealthStoreError) {
    var batch = StoreBatch()
    batch.inserted = [stored]
    batch.lastRow = stored.row
    try apply(batch)
  }

  public func visit(
    _ type: ObjectType, from start: Instant, to end: Instant, writtenBy source: Int32,
    _ body: (StoredSample) -> Void
  ) throws(HealthStoreError) {
    try visit(.time(type, from: start, to: end)) { stored in
      if stored.source == source { body(stored) }
      return true
    }
  }

  public func holds(_ uuid: SampleUUID) throws(HealthStoreError) -> Bool {
    try stored(uuid) != nil
  }

  public func startReading() throws(HealthStoreError) {}
  public func stopReading() throws(HealthStoreError) {}
}
