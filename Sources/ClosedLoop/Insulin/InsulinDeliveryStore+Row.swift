public import HealthStore
public import Quantities

extension InsulinDeliveryStore {
  /// One row; the dose always has a sync identifier.
  public struct Row: Sendable, Equatable {
    /// The dose.
    public var dose: DoseEntry
    /// Whether an app built on LoopKit wrote it.
    public var hasLoopKitOrigin: Bool
    /// The pump event behind the dose: for a part ` i/n` the event of the whole.
    public var eventIdentifier: SyncIdentifier?
    /// The sample in the health store, once there is one.
    public var sampleID: SampleUUID?
    /// The identifier of the source that wrote the dose.
    public var provenance: String
    /// When the row was made.
    public var createdAt: Instant
    /// When the sample was written; for a sample that was read, when it was read.
    @OptionalInstant public var writtenAt: Instant?
    /// When the row stopped counting; nothing while it is active.
    @OptionalInstant public var deletedAt: Instant?
    /// Rises with every change; a remote service asks for the rows above its last.
    public var modificationCounter: Int64

    /// Creates a row that counts and was not changed; see the properties.
    init(
      dose: DoseEntry, eventIdentifier: SyncIdentifier? = nil, sampleID: SampleUUID? = nil,
      writtenAt: Instant? = nil, provenance: String, hasLoopKitOrigin: Bool, createdAt: Instant
    ) {
      self.dose = dose
      self.eventIdentifier = eventIdentifier
      self.sampleID = sampleID
      self.writtenAt = writtenAt
      self.provenance = provenance
      self.hasLoopKitOrigin = hasLoopKitOrigin
      self.createdAt = createdAt
      deletedAt = nil
      modificationCounter = 0
    }

    /// Whether the dose counts: whether it has not been deleted.
    public var isActive: Bool { deletedAt == nil }

    /// Whether the row counts for insulin on board as it stands, not as a part of what still runs.
    var isFinished: Bool { deletedAt == nil && (dose.kind == .bolus || !dose.isMutable) }
    /// The dose's sync identifier.
    public var syncIdentifier: SyncIdentifier { dose.syncIdentifier ?? "" }
  }
}
