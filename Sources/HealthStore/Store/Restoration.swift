internal import Quantities

/// The taking over of samples: what is known already, and what became of each so far.
struct Restoration {
  /// The identities that were deleted, or are restored already.
  private var known: Set<SampleUUID>
  private var builder: BatchBuilder
  /// What became of each sample so far.
  private(set) var outcomes: [RestoreOutcome] = []

  /// Begins to take over samples, and looks up which deletions of their types are remembered.
  init<Backend>(
    of samples: [RestoredSample], in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    known = []
    var seen: Set<ObjectType> = []
    for restored in samples {
      seen.insert(restored.sample.type)
      for member in restored.sample.members { seen.insert(member.type) }
    }
    for type in seen {
      for stone in try contents.backend.tombstones(of: type, after: 0) { known.insert(stone.uuid) }
    }
    builder = BatchBuilder(
      writer: .user, revision: 0, source: 0, now: Instant(secondsSince1970: 0),
      row: contents.lastRow)
    outcomes.reserveCapacity(samples.count)
    known.reserveCapacity(known.count + samples.count)
    builder.reserve(samples.count)
  }

  /// The batch with the samples that are new.
  var batch: StoreBatch { builder.batch }

  /// Takes over one sample where it is new, and makes its source known at once.
  mutating func take<Backend>(
    _ restored: RestoredSample, into contents: inout StoreContents<Backend>
  ) throws(HealthStoreError) {
    let sample = restored.sample
    if let fault = SavingRules.faultOfRestored(sample) {
      outcomes.append(.refused(fault))
      return
    }
    guard try !isKnown(sample, in: contents) else {
      outcomes.append(.passedOver)
      return
    }
    known.insert(sample.uuid)
    for member in sample.members { known.insert(member.uuid) }
    let revision = sample.sourceRevision ?? SourceRevision(source: .healthApp)
    let places = contents.registry.places(of: revision)
    try contents.commit(places.changes)
    (builder.revision, builder.source) = (places.revision, places.source)
    builder.now = restored.created
    switch try builder.add(sample, index: 0, to: contents) {
    case .inserted, .replaced: outcomes.append(.added)
    case .ignored: outcomes.append(.passedOver)
    }
  }

  /// Whether a sample or one of its members was deleted, or is in the store or in the batch.
  private func isKnown<Backend>(
    _ sample: Sample, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> Bool {
    if known.contains(sample.uuid) { return true }
    if try contents.backend.stored(sample.uuid) != nil { return true }
    for member in sample.members where try isKnown(member, in: contents) { return true }
    return false
  }
}

extension StoreContents {
  /// Takes over samples in one transaction, and says what became of each.
  mutating func restore(
    _ samples: [RestoredSample]
  ) throws(HealthStoreError) -> [RestoreOutcome] {
    try registry.check(.user)
    do throws(HealthStoreError) {
      try backend.startReading()
      var restoration = try Restoration(of: samples, in: self)
      for restored in samples { try restoration.take(restored, into: &self) }
      try backend.stopReading()
      if !restoration.batch.isEmpty { try commit(restoration.batch) }
      return restoration.outcomes
    } catch {
      try? backend.stopReading()
      throw error
    }
  }
}
