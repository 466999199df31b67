internal import Determinism
public import Quantities

/// A second device with a copy of the recent part of a store, as a watch has of its phone's.
///
/// Commits cross in both directions some time after they were made, with their identities, sources
/// and times of creation. A copy does not cross back, so that a deletion on one side is not undone
/// by the other; what is saved again after its deletion crosses again. Which samples belong to a
/// workout crosses as soon as both sides have them. Of two samples of one source with the same sync
/// identifier the one with the higher version stays, and of equal ones the primary's. Pruning on
/// the replica is housekeeping: it does not cross, and waits for samples that are still to cross.
/// An app may be on the replica alone; where it is on both, it is known by its bundle identifier,
/// and its numbers may differ. HealthKit has no interface to it: iOS
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
  private var received = Crossing(isToReplica: true)
  private var sent = Crossing(isToReplica: false)
  private var registry = RegistryCrossing()

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
    let isToReplica: Bool
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
    try store.contents.commit(registry.changes(from: primary.registry, to: store.registry))
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
    try copy(stones.filter { $0.row < early }, from: origin.registry, to: &target, &crossing)
    try copy(samples.filter { $0.row < early }, from: origin.registry, to: &target, &crossing)
    crossing.row = early == .max ? max(crossing.row, origin.lastRow) : early - 1
  }

  /// Deletes what was deleted on the other side and is here.
  private static func copy<Target>(
    _ stones: [Tombstone], from origin: StoreRegistry, to target: inout HealthRecordStore<Target>,
    _ crossing: inout Crossing
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
      copy.source = live.source
      copy.deletedBy = target.registry.number(of: stone.deletedBy, on: origin)
      batch.deleted.append(copy)
    }
    guard !batch.isEmpty else { return }
    try target.contents.commit(batch)
    crossing.copies.formUnion(batch.deleted.map(\.row))
  }

  /// Saves what was saved on the other side and is not here.
  private static func copy<Target>(
    _ samples: [StoredSample], from origin: StoreRegistry,
    to target: inout HealthRecordStore<Target>, _ crossing: inout Crossing
  ) throws(HealthStoreError) {
    let places = try places(of: samples, from: origin, in: &target)
    var batch = StoreBatch()
    batch.lastRow = target.lastRow
    for stored in samples.sorted(by: { $0.row < $1.row }) {
      let isCorrelation = stored.sample.type.kind == .correlation
      if let live = try target.backend.stored(stored.sample.uuid) {
        if isCorrelation { crossing.rows[stored.row] = live.row }
        continue
      }
      var copy = stored
      if let place = places[stored.revision] { (copy.revision, copy.source) = place }
      if let other = try namesake(of: copy, in: target) {
        guard crossing.isToReplica ? !copy.givesWay(to: other) : other.givesWay(to: copy) else {
          continue
        }
        try target.contents.replace(other, by: copy, in: &batch)
      }
      batch.lastRow += 1
      copy.row = batch.lastRow
      copy.parent = stored.parent == 0 ? 0 : crossing.rows[stored.parent] ?? 0
      if isCorrelation { crossing.rows[stored.row] = copy.row }
      batch.inserted.append(copy)
    }
    guard !batch.isEmpty else { return }
    try target.contents.commit(batch)
    crossing.copies.formUnion(batch.inserted.map(\.row))
    crossing.copies.formUnion(batch.deleted.map(\.row))
  }

  /// The places of revisions and sources of samples on the other side, which gets to know those
  /// that it does not know.
  private static func places<Target>(
    of samples: [StoredSample], from origin: StoreRegistry,
    in target: inout HealthRecordStore<Target>
  ) throws(HealthStoreError) -> [Int32: (revision: Int32, source: Int32)] {
    var places: [Int32: (revision: Int32, source: Int32)] = [:]
    for stored in samples where places[stored.revision] == nil {
      let found = target.registry.places(of: origin.revisions[Int(stored.revision)].revision)
      try target.contents.commit(found.changes)
      places[stored.revision] = (found.revision, found.source)
    }
    return places
  }

  /// The sample of a side that has the sync identifier of one that comes from the other; parts of
  /// correlations come and go with these.
  private static func namesake<Target>(
    of copy: StoredSample, in target: HealthRecordStore<Target>
  ) throws(HealthStoreError) -> StoredSample? {
    guard copy.parent == 0, copy.sample.type.kind != .correlation,
      let identifier = copy.sample.metadata.syncIdentifier
    else { return nil }
    let found = try target.backend.stored(
      syncIdentifier: identifier, type: copy.sample.type, source: copy.source)
    return found?.parent == 0 ? found : nil
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

extension StoredSample {
  /// Whether the sample gives way to another with its sync identifier.
  fileprivate func givesWay(to other: StoredSample) -> Bool {
    givesWay(to: other.sample.metadata.syncVersion ?? .min)
  }
}

extension StoreContents {
  /// Deletes, in a batch, a sample that one with its sync identifier replaces, and gives that one
  /// its place in workouts.
  fileprivate func replace(
    _ other: StoredSample, by copy: StoredSample, in batch: inout StoreBatch
  ) throws(HealthStoreError) {
    let bundle = registry.sources[Int(copy.source)].bundleIdentifier
    batch.lastRow += 1
    batch.deleted.append(
      Tombstone(
        other, row: batch.lastRow, at: copy.created,
        by: registry.client(bundleIdentifier: bundle) ?? .nobody))
    for workout in try backend.workouts(ofSample: other.sample.uuid) {
      batch.links.append(WorkoutLink(workout: workout, sample: copy.sample.uuid))
    }
  }
}
