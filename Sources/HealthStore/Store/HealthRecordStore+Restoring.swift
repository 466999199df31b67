public import Quantities

/// A sample as another store or another program kept it.
public struct RestoredSample: Hashable, Sendable {
  /// The sample, with the source revision under which it was saved.
  public var sample: Sample
  /// When it was saved.
  public var created: Instant

  /// Creates a `RestoredSample` from its parts; see the properties.
  public init(_ sample: Sample, created: Instant) {
    self.sample = sample
    self.created = created
  }
}

/// What became of a sample that was restored.
public enum RestoreOutcome: Hashable, Sendable {
  /// It is in the store.
  case added
  /// The store has the sample, or a newer version of it, or its user deleted it.
  case passedOver
  /// No app could save such a sample.
  case refused(InvalidArgument)
}

extension HealthRecordStore {
  /// Takes over samples with their identities, sources and times of saving, in one transaction.
  ///
  /// For imports, on behalf of the user; HealthKit has nothing like it but the restoring of a
  /// backup. A sample that the store has already, or whose deletion it remembers, is passed over,
  /// so that the same import twice adds nothing. What became of each is returned in their order.
  public mutating func restore(
    _ samples: [RestoredSample]
  ) throws(HealthStoreError) -> [RestoreOutcome] {
    _ = try contents.registry.checkedClient(.user)
    var batch = StoreBatch()
    do throws(HealthStoreError) {
      try contents.backend.startReading()
      let outcomes = try collect(samples, into: &batch)
      try contents.backend.stopReading()
      if !batch.isEmpty { try contents.commit(&batch) }
      return outcomes
    } catch {
      try? contents.backend.stopReading()
      throw error
    }
  }

  /// Puts the samples that are new into a batch; says what becomes of each.
  private mutating func collect(
    _ samples: [RestoredSample], into batch: inout StoreBatch
  ) throws(HealthStoreError) -> [RestoreOutcome] {
    var known = try deletedIdentities(of: samples)
    var builder = BatchBuilder(
      writer: .user, revision: 0, source: 0, now: Instant(secondsSince1970: 0),
      row: contents.lastRow)
    var outcomes: [RestoreOutcome] = []
    outcomes.reserveCapacity(samples.count)
    for restored in samples {
      let sample = restored.sample
      if let fault = SavingRules.faultOfRestored(sample) {
        outcomes.append(.refused(fault))
        continue
      }
      let identities = [sample.uuid] + sample.members.map(\.uuid)
      guard try !isKnown(identities, known) else {
        outcomes.append(.passedOver)
        continue
      }
      known.formUnion(identities)
      let revision = sample.sourceRevision ?? SourceRevision(source: .healthApp)
      (builder.revision, builder.source) = try places(of: revision)
      builder.now = restored.created
      switch try add(sample, index: 0, &builder, &batch) {
      case .inserted, .replaced: outcomes.append(.added)
      case .ignored: outcomes.append(.passedOver)
      }
    }
    batch.lastRow = builder.row
    return outcomes
  }

  private func isKnown(
    _ identities: [SampleUUID], _ known: Set<SampleUUID>
  ) throws(HealthStoreError) -> Bool {
    for uuid in identities {
      if known.contains(uuid) { return true }
      if try contents.backend.stored(uuid) != nil { return true }
    }
    return false
  }

  /// The identities whose deletion is remembered, of the types of some samples.
  private func deletedIdentities(
    of samples: [RestoredSample]
  ) throws(HealthStoreError) -> Set<SampleUUID> {
    var deleted: Set<SampleUUID> = []
    var seen: Set<ObjectType> = []
    for restored in samples where seen.insert(restored.sample.type).inserted {
      for stone in try contents.backend.tombstones(of: restored.sample.type, after: 0) {
        deleted.insert(stone.uuid)
      }
    }
    return deleted
  }

  /// The indices of a revision and its source, which are made known where they are not.
  private mutating func places(
    of revision: SourceRevision
  ) throws(HealthStoreError) -> (revision: Int32, source: Int32) {
    let places = contents.registry.places(of: revision)
    try contents.commit(places.changes)
    return (places.revision, places.source)
  }
}
