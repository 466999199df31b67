internal import Determinism
public import Quantities

/// A second device with a copy of the recent part of a store, as a watch has of its phone's.
///
/// Commits cross in both directions some time after they were made, with their identities, sources
/// and times of creation. A copy does not cross back, so that a deletion on one side is not undone
/// by the other; what is saved again after its deletion crosses again. Which samples belong to a
/// workout crosses as soon as both sides have them. Pruning on the replica is housekeeping: it does
/// not cross, and waits for samples that are still to cross. HealthKit has no interface to it: iOS
/// exchanges the stores of a phone and its watches by itself, at times of its own.
public struct StoreReplica: Sendable {
  /// The store on the second device.
  public var store = InMemoryHealthStore()
  /// How long a commit takes to the other side at least.
  public let delay: TimeSpan
  /// How much longer it may take; how much it does is drawn for each commit from the seed.
  public let jitter: TimeSpan
  private let seed: UInt64
  /// How long the replica keeps samples after their end; nothing for all.
  public let retention: TimeSpan?
  private var received = Crossing()
  private var sent = Crossing()

  /// Creates a `StoreReplica` from its parts; see the properties.
  public init(
    delay: TimeSpan = .zero, jitter: TimeSpan = .zero, seed: UInt64 = 0,
    retention: TimeSpan? = nil
  ) {
    self.delay = delay
    self.jitter = jitter
    self.seed = seed
    self.retention = retention
  }

  /// How far one direction has come.
  private struct Crossing: Sendable {
    var row: Int64 = 0
    /// The rows of correlations on this side, by those on the other.
    var rows: [Int64: Int64] = [:]
    /// The rows that it made on the other side, as far as the way back has not passed them.
    var copies: Set<Int64> = []
  }

  /// Exchanges what is due at an instant: first to the replica, then back.
  public mutating func synchronise<Backend>(
    with primary: inout HealthRecordStore<Backend>, at now: Instant
  ) throws(HealthStoreError) {
    let changes = primary.registry.allChanges.filter {
      if case .settings = $0 { false } else { true }
    }
    try store.contents.commit(changes + primary.registry.withdrawals(since: store.registry))
    let (delay, jitter, seed) = (delay, jitter, seed)
    let arrives: (Instant) -> Bool = { commit in
      commit + delay + Self.extra(jitter, seed, commit) <= now
    }
    try Self.cross(
      &received, from: primary, to: &store, apartFrom: sent.copies, where: arrives)
    try Self.cross(
      &sent, from: store, to: &primary, apartFrom: received.copies, where: arrives)
    let (here, there) = (sent.row, received.row)
    received.copies = received.copies.filter { $0 > here }
    sent.copies = sent.copies.filter { $0 > there }
    try Self.link(from: primary, to: &store)
    try Self.link(from: store, to: &primary)
    if let retention {
      try store.prune(endingBefore: min(now - retention, earliestEndToCross() ?? now))
    }
  }

  /// The earliest end of what was saved on the replica and has not crossed yet; `nil` for nothing.
  private func earliestEndToCross() -> Instant? {
    var earliest: Instant?
    for type in ObjectType.allCases where type.isSampleType {
      store.backend.visit(.rows(type, after: sent.row)) { stored in
        if !received.copies.contains(stored.row) {
          earliest = min(earliest ?? stored.sample.end, stored.sample.end)
        }
        return true
      }
    }
    return earliest
  }

  /// How much longer than the delay a commit takes, by chance.
  private static func extra(_ jitter: TimeSpan, _ seed: UInt64, _ commit: Instant) -> TimeSpan {
    guard jitter > .zero else { return .zero }
    let number = UInt64(bitPattern: commit.millisecondsSince1970)
    var stream = RandomStream(seed: seed, name: "replica", member: number)
    return .milliseconds(Int64(stream.integer(below: UInt64(jitter.milliseconds) + 1)))
  }

  /// Copies the commits that are due in one direction, but for those that came the other way.
  private static func cross<Origin, Target>(
    _ crossing: inout Crossing, from origin: HealthRecordStore<Origin>,
    to target: inout HealthRecordStore<Target>, apartFrom copies: Set<Int64>,
    where arrives: (Instant) -> Bool
  ) throws(HealthStoreError) {
    var (samples, stones): ([StoredSample], [Tombstone]) = ([], [])
    for type in ObjectType.allCases where type.isSampleType {
      try origin.backend.visit(.rows(type, after: crossing.row)) { stored in
        if !copies.contains(stored.row) { samples.append(stored) }
        return true
      }
      stones += try origin.backend.tombstones(of: type, after: crossing.row).filter {
        !copies.contains($0.row)
      }
    }
    // Commits cross in their order: nothing overtakes the first that is not due.
    let early =
      (samples.filter { !arrives($0.created) }.map(\.row)
      + stones.filter { !arrives($0.deleted) }.map(\.row)).min() ?? .max
    // What is there now was saved after its deletion, if that is told too.
    try copy(stones.filter { $0.row < early }, to: &target, &crossing)
    try copy(samples.filter { $0.row < early }, to: &target, &crossing)
    crossing.row = early == .max ? max(crossing.row, origin.lastRow) : early - 1
  }

  /// Deletes what was deleted on the other side and is here.
  private static func copy<Target>(
    _ stones: [Tombstone], to target: inout HealthRecordStore<Target>, _ crossing: inout Crossing
  ) throws(HealthStoreError) {
    var batch = StoreBatch()
    batch.lastRow = target.lastRow
    var gone: Set<SampleUUID> = []
    for stone in stones.sorted(by: { $0.row < $1.row }) {
      guard let live = try target.backend.stored(stone.uuid), gone.insert(stone.uuid).inserted
      else { continue }
      batch.lastRow += 1
      var copy = stone
      copy.row = batch.lastRow
      copy.objectRow = live.row
      batch.deleted.append(copy)
    }
    guard !batch.isEmpty else { return }
    try target.contents.commit(batch)
    crossing.copies.formUnion(batch.deleted.map(\.row))
  }

  /// Saves what was saved on the other side and is not here.
  private static func copy<Target>(
    _ samples: [StoredSample], to target: inout HealthRecordStore<Target>,
    _ crossing: inout Crossing
  ) throws(HealthStoreError) {
    var batch = StoreBatch()
    batch.lastRow = target.lastRow
    for stored in samples.sorted(by: { $0.row < $1.row }) {
      let isCorrelation = stored.sample.type.kind == .correlation
      if let live = try target.backend.stored(stored.sample.uuid) {
        if isCorrelation { crossing.rows[stored.row] = live.row }
        continue
      }
      batch.lastRow += 1
      var copy = stored
      copy.row = batch.lastRow
      copy.parent = stored.parent == 0 ? 0 : crossing.rows[stored.parent] ?? 0
      if isCorrelation { crossing.rows[stored.row] = copy.row }
      batch.inserted.append(copy)
    }
    guard !batch.isEmpty else { return }
    try target.contents.commit(batch)
    crossing.copies.formUnion(batch.inserted.map(\.row))
  }

  /// Makes the samples of workouts known as such where the other side has both.
  private static func link<Origin, Target>(
    from origin: HealthRecordStore<Origin>, to target: inout HealthRecordStore<Target>
  ) throws(HealthStoreError) {
    var workouts: [SampleUUID] = []
    try origin.backend.visit(.rows(.workout, after: 0)) { stored in
      workouts.append(stored.sample.uuid)
      return true
    }
    var batch = StoreBatch()
    for workout in workouts where try target.backend.stored(workout) != nil {
      let known = Set(try target.backend.samples(ofWorkout: workout))
      for sample in try origin.backend.samples(ofWorkout: workout) where !known.contains(sample) {
        guard try target.backend.stored(sample) != nil else { continue }
        batch.links.append(WorkoutLink(workout: workout, sample: sample))
      }
    }
    if !batch.isEmpty { try target.contents.commit(batch) }
  }
}
