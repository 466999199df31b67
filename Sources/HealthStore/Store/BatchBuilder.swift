internal import Quantities

/// Numbers the rows of a batch while it is put together.
struct BatchBuilder {
  let writer: ClientID
  /// The revision, source and time of saving of what is inserted next.
  var revision: Int32
  var source: Int32
  var now: Instant
  /// The last row given out.
  var row: Int64

  private struct SyncKey: Hashable {
    var type: ObjectType
    var source: Int32
    var identifier: SyncIdentifier
  }

  /// Whether a later sample of the batch can ask for one before it.
  private let isLookedUp: Bool

  private var positions: [SyncKey: Int] = [:]
  private var identities: Set<SampleUUID> = []
  private var deleted: Set<SampleUUID> = []

  /// Begins a batch; nothing is looked up in one of a single sample.
  init(
    writer: ClientID, revision: Int32, source: Int32, now: Instant, row: Int64,
    isSingle: Bool = false
  ) {
    isLookedUp = !isSingle
    self.writer = writer
    self.revision = revision
    self.source = source
    self.now = now
    self.row = row
  }

  mutating func insert(_ sample: Sample, parent: Int64, into batch: inout StoreBatch) {
    row += 1
    assert(parent < row, "A member comes after its correlation.")
    batch.inserted.append(
      StoredSample(
        saving: sample, row: row, revision: revision, source: source, created: now, parent: parent))
    guard isLookedUp, let identifier = sample.metadata.syncIdentifier else { return }
    let key = SyncKey(type: sample.type, source: source, identifier: identifier)
    positions[key] = batch.inserted.count - 1
    assert(
      batch.inserted[batch.inserted.count - 1].row == row, "The latest row is the latest sample.")
    identities.insert(sample.uuid)
  }

  mutating func delete(_ stored: StoredSample, from batch: inout StoreBatch) {
    row += 1
    batch.deleted.append(Tombstone(stored, row: row, at: now, by: writer))
    assert(!deleted.contains(stored.sample.uuid), "A sample is deleted once.")
    deleted.insert(stored.sample.uuid)
  }

  /// The sample of this batch with a sync identifier.
  func pending(
    _ identifier: SyncIdentifier, _ type: ObjectType, in batch: StoreBatch
  ) -> StoredSample? {
    positions[SyncKey(type: type, source: source, identifier: identifier)].map {
      batch.inserted[$0]
    }
  }

  /// The members that this batch gives to one of its correlations.
  func members(of row: Int64, in batch: StoreBatch) -> [StoredSample] {
    batch.inserted.filter { $0.parent == row }
  }

  func isDeleted(_ uuid: SampleUUID) -> Bool { deleted.contains(uuid) }

  func has(_ uuid: SampleUUID, in batch: StoreBatch) -> Bool { identities.contains(uuid) }
}
