public import Quantities

/// A second device with a copy of the recent part of a store, as a watch has of its phone's.
///
/// Commits cross in both directions some time after they were made, with their identities, sources
/// and times of creation. What crossed once never crosses again as new, so that a deletion on one
/// side is not undone by the other. Pruning on the replica is housekeeping: it does not cross.
public struct StoreReplica: Sendable {
  /// The store on the second device.
  public var store = InMemoryHealthStore()
  /// How long a commit takes to the other side.
  public let delay: TimeSpan
  /// How long the replica keeps samples after their end; nothing for all.
  public let retention: TimeSpan?
  private var received = Crossing()
  private var sent = Crossing()
  private var crossed: Set<SampleUUID> = []

  public init(delay: TimeSpan = .zero, retention: TimeSpan? = nil) {
    self.delay = delay
    self.retention = retention
  }

  /// How far one direction has come.
  private struct Crossing: Sendable {
    var row: Int64 = 0
    /// The rows of correlations on this side, by those on the other.
    var rows: [Int64: Int64] = [:]
  }

  /// Exchanges what is due at an instant: first to the replica, then back.
  public mutating func synchronise<Backend>(
    with primary: inout HealthRecordStore<Backend>, at now: Instant
  ) throws(HealthStoreError) {
    let changes = primary.registry.allChanges.filter {
      if case .settings = $0 { false } else { true }
    }
    try store.commit(changes)
    let due = now - delay
    try Self.cross(&received, from: primary, to: &store, due: due, crossed: &crossed)
    try Self.cross(&sent, from: store, to: &primary, due: due, crossed: &crossed)
    if let retention { try store.prune(endingBefore: now - retention) }
  }

  /// Copies the commits that are due in one direction.
  private static func cross<Origin, Target>(
    _ crossing: inout Crossing, from origin: HealthRecordStore<Origin>,
    to target: inout HealthRecordStore<Target>, due: Instant, crossed: inout Set<SampleUUID>
  ) throws(HealthStoreError) {
    var (samples, stones): ([StoredSample], [Tombstone]) = ([], [])
    for type in ObjectType.allCases where type.isSampleType {
      try origin.backend.visit(.rows(type, after: crossing.row)) { stored in
        samples.append(stored)
        return true
      }
      stones += try origin.backend.tombstones(of: type, after: crossing.row)
    }
    // Commits cross in their order: nothing overtakes the first that is not due.
    let early =
      (samples.filter { $0.created > due }.map(\.row)
      + stones.filter { $0.deleted > due }.map(\.row)).min() ?? .max
    var batch = StoreBatch()
    var row = target.lastRow
    for stored in samples.sorted(by: { $0.row < $1.row })
    where stored.row < early && crossed.insert(stored.sample.uuid).inserted {
      row += 1
      var copy = stored
      copy.row = row
      copy.parent = stored.parent == 0 ? 0 : crossing.rows[stored.parent] ?? 0
      if stored.sample.type.kind == .correlation { crossing.rows[stored.row] = row }
      batch.inserted.append(copy)
    }
    for stone in stones.sorted(by: { $0.row < $1.row }) where stone.row < early {
      guard let live = try target.backend.stored(stone.uuid) else {
        crossed.insert(stone.uuid)
        continue
      }
      row += 1
      var copy = stone
      copy.row = row
      copy.objectRow = live.row
      batch.deleted.append(copy)
    }
    let last = max(samples.map(\.row).max() ?? 0, stones.map(\.row).max() ?? 0)
    crossing.row = early == .max ? max(crossing.row, last) : early - 1
    batch.lastRow = row
    if !batch.isEmpty { try target.commit(&batch) }
  }
}
