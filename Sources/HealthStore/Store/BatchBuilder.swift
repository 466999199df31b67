internal import Quantities

/// A batch while it is put together: it numbers the rows, and knows what is in it already.
struct BatchBuilder {
  private let writer: ClientID
  /// The revision, source and time of saving of what is inserted next.
  var revision: Int32
  var source: Int32
  var now: Instant
  /// The batch so far, for the store to take over; its last row is the last one given out.
  private(set) var batch = StoreBatch()

  private struct SyncKey: Hashable {
    var type: ObjectType
    var source: Int32
    var identifier: SyncIdentifier
  }

  /// The samples that the batch is to delete after it has inserted others: they give way to any
  /// with their sync identifiers.
  var leaving: Set<SampleUUID> = []

  /// Whether a later sample of the batch can ask for one before it.
  private let isLookedUp: Bool

  private var positions: [SyncKey: Int] = [:]
  private var identities: Set<SampleUUID> = []
  private var deleted: Set<SampleUUID> = []

  /// Begins a batch after a row; nothing is looked up in one of a single sample.
  init(
    writer: ClientID, revision: Int32, source: Int32, now: Instant, row: Int64,
    isSingle: Bool = false
  ) {
    isLookedUp = !isSingle
    self.writer = writer
    self.revision = revision
    self.source = source
    self.now = now
    batch.lastRow = row
  }

  /// Makes room for a number of new samples.
  mutating func reserve(_ count: Int) { batch.inserted.reserveCapacity(count) }

  /// Inserts a sample, and the members of a correlation after it.
  mutating func insert(_ sample: Sample, parent: Int64 = 0) {
    guard case .correlation(let members) = sample.value else {
      return insertRow(sample, parent: parent)
    }
    var shell = sample
    shell.value = .correlation([])
    insertRow(shell, parent: parent)
    let correlation = batch.lastRow
    for member in members { insertRow(member, parent: correlation) }
  }

  private mutating func insertRow(_ sample: Sample, parent: Int64) {
    let row = nextRow()
    assert(parent < row, "A member comes after its correlation.")
    batch.inserted.append(
      StoredSample(
        saving: sample, row: row, revision: revision, source: source, created: now, parent: parent))
    guard isLookedUp, let identifier = sample.metadata.syncIdentifier else { return }
    let key = SyncKey(type: sample.type, source: source, identifier: identifier)
    positions[key] = batch.inserted.count - 1
    identities.insert(sample.uuid)
  }

  private mutating func nextRow() -> Int64 {
    batch.lastRow += 1
    return batch.lastRow
  }

  /// Deletes a sample of the store, or one that this batch inserted.
  mutating func delete(_ stored: StoredSample) {
    batch.deleted.append(Tombstone(stored, row: nextRow(), at: now, by: writer))
    assert(!deleted.contains(stored.sample.uuid), "A sample is deleted once.")
    deleted.insert(stored.sample.uuid)
  }

  /// Makes a sample part of a workout.
  mutating func link(_ sample: SampleUUID, toWorkout workout: SampleUUID) {
    batch.links.append(WorkoutLink(workout: workout, sample: sample))
  }

  /// The sample of this batch with a sync identifier.
  func pending(_ identifier: SyncIdentifier, _ type: ObjectType) -> StoredSample? {
    positions[SyncKey(type: type, source: source, identifier: identifier)].map {
      batch.inserted[$0]
    }
  }

  /// The members that this batch gives to a correlation.
  func members(of row: Int64) -> [StoredSample] { batch.inserted.filter { $0.parent == row } }

  /// Whether this batch deletes a sample.
  func isDeleted(_ uuid: SampleUUID) -> Bool { deleted.contains(uuid) }

  /// Whether this batch inserts a sample that has a sync identifier.
  func has(_ uuid: SampleUUID) -> Bool { identities.contains(uuid) }
}
