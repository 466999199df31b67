public import Quantities

/// A sample as a backend keeps it.
///
/// Rows of samples and of tombstones are numbered in one sequence, in the order of commits. A
/// number is never used twice.
public struct StoredSample: Hashable, Sendable {
  /// The number of its row.
  public var row: Int64
  /// The sample.
  public var sample: Sample
  /// The index of the source revision in the registry.
  public var revision: Int32
  /// The index of the source in the registry.
  public var source: Int32
  /// When it was saved.
  public var created: Instant
  /// The row of the correlation of which the sample is a member; 0 for none.
  public var parent: Int64

  /// Creates a `StoredSample` from its parts; see the properties.
  public init(
    row: Int64, sample: Sample, revision: Int32, source: Int32, created: Instant, parent: Int64 = 0
  ) {
    self.row = row
    self.sample = sample
    self.revision = revision
    self.source = source
    self.created = created
    self.parent = parent
  }

  /// What is kept of a sample that is saved: its source revision is that of the row.
  init(
    saving sample: Sample, row: Int64, revision: Int32, source: Int32, created: Instant,
    parent: Int64 = 0
  ) {
    self.init(
      row: row, sample: sample, revision: revision, source: source, created: created,
      parent: parent)
    if sample.sourceRevision != nil { self.sample.sourceRevision = nil }
  }

  /// Whether the sample gives way to one with its sync identifier and a version.
  func givesWay(to version: Int) -> Bool {
    (sample.metadata.syncVersion ?? .min) < version
  }
}

/// What is left of a deleted sample for a while.
///
/// HealthKit: `HKDeletedObject` is what an app sees of it.
public struct Tombstone: Hashable, Sendable {
  /// The number of the row of the deletion.
  public var row: Int64
  /// The identity of the sample.
  public var uuid: SampleUUID
  /// The type of the sample.
  public var type: ObjectType
  /// The place of its source among the sources.
  public var source: Int32
  /// The start of the sample.
  public var start: Instant
  /// The end of the sample.
  public var end: Instant
  /// Its sync identifier; `nil` where it had none.
  public var syncIdentifier: SyncIdentifier?
  /// Its sync version; `nil` where it had none.
  public var syncVersion: Int?
  /// Its external identity; `nil` where it had none.
  public var externalIdentifier: String?
  /// The row of the deleted sample.
  public var objectRow: Int64
  /// When it was deleted.
  public var deleted: Instant
  /// Who deleted it.
  public var deletedBy: ClientID

  /// Creates a `Tombstone` from its parts; see the properties.
  public init(
    row: Int64, uuid: SampleUUID, type: ObjectType, source: Int32, start: Instant, end: Instant,
    syncIdentifier: SyncIdentifier?, syncVersion: Int?, externalIdentifier: String?,
    objectRow: Int64, deleted: Instant, deletedBy: ClientID
  ) {
    self.row = row
    self.uuid = uuid
    self.type = type
    self.source = source
    self.start = start
    self.end = end
    self.syncIdentifier = syncIdentifier
    self.syncVersion = syncVersion
    self.externalIdentifier = externalIdentifier
    self.objectRow = objectRow
    self.deleted = deleted
    self.deletedBy = deletedBy
  }

  init(_ stored: StoredSample, row: Int64, at now: Instant, by client: ClientID) {
    let metadata = stored.sample.metadata
    self.init(
      row: row, uuid: stored.sample.uuid, type: stored.sample.type, source: stored.source,
      start: stored.sample.start, end: stored.sample.end,
      syncIdentifier: metadata.syncIdentifier, syncVersion: metadata.syncVersion,
      externalIdentifier: metadata.externalIdentifier, objectRow: stored.row, deleted: now,
      deletedBy: client)
  }
}
