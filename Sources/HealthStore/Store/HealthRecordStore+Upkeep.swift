public import Quantities

extension HealthRecordStore {
  /// Removes samples that end before an instant, and refuses such samples from then on.
  ///
  /// This is housekeeping, as on a watch, and no deletion: it leaves no traces, and anchored
  /// queries say nothing about it. HealthKit: `earliestPermittedSampleDate()`.
  public mutating func prune(endingBefore earliest: Instant) throws(HealthStoreError) {
    var batch = StoreBatch()
    var settings = contents.registry.settings
    settings.earliestPermittedSampleDate = earliest
    batch.registry = [.settings(settings)]
    for type in ObjectType.allCases where type.isSampleType {
      let scan = StoreScan.time(type, from: .init(millisecondsSince1970: .min), to: earliest)
      var old: [StoredSample] = []
      try contents.backend.visit(scan) { stored in
        if stored.sample.end < earliest { old.append(stored) }
        return true
      }
      batch.pruned += old
    }
    try contents.commit(batch)
  }

  /// Forgets the traces of deletions that are older than the settings say.
  ///
  /// An anchored query from before them then tells that it may have missed deletions.
  public mutating func purgeTombstones(at now: Instant) throws(HealthStoreError) {
    let limit = now - contents.registry.settings.tombstoneRetention
    var (newestOld, oldestKept) = (Int64(0), Int64.max)
    for type in ObjectType.allCases where type.isSampleType {
      for stone in try contents.backend.tombstones(of: type, after: 0) {
        if stone.deleted < limit {
          newestOld = max(newestOld, stone.row)
        } else {
          oldestKept = min(oldestKept, stone.row)
        }
      }
    }
    let purged = min(newestOld, oldestKept - 1)
    guard purged > contents.registry.settings.highestPurgedRow else { return }
    var settings = contents.registry.settings
    settings.highestPurgedRow = purged
    var batch = StoreBatch()
    batch.purgedTombstones = purged
    batch.registry = [.settings(settings)]
    try contents.commit(batch)
  }

  /// Replaces own samples by repaired ones in one transaction, and returns the new identity of
  /// each.
  ///
  /// The new samples remember which they replace, so that a repetition finds what is done already:
  /// an old sample that has been replaced is not replaced again. This is the order that loses
  /// nothing: find, write, delete.
  ///
  /// HealthKit has no such call: an app saves, and then deletes.
  ///
  /// - Throws: What saving and deleting throw; `invalidArgument` when the lists differ in length.
  public mutating func replace(
    _ old: [SampleUUID], with new: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [(old: SampleUUID, new: SampleUUID)] {
    guard old.count == new.count else {
      throw .invalidArgument(.replacementCount(old: old.count, new: new.count))
    }
    var pairs: [(old: SampleUUID, new: SampleUUID)] = []
    var (writes, deletions): ([Sample], [SampleUUID]) = ([], [])
    for (uuid, sample) in zip(old, new) {
      if let done = try replacement(of: uuid, type: sample.type, as: client) {
        pairs.append((uuid, done))
      } else {
        writes.append(marked(sample, replacing: uuid))
        pairs.append((uuid, sample.uuid))
      }
      if try contents.backend.stored(uuid) != nil { deletions.append(uuid) }
    }
    try contents.combine(writes, deletions, as: client, at: now)
    noteLongSamples(writes)
    return pairs
  }

  private func marked(_ sample: Sample, replacing old: SampleUUID) -> Sample {
    Sample(
      restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
      value: sample.value, device: sample.device,
      metadata: sample.metadata.with(.migratedFrom, .text("\(old)")))
  }

  private func replacement(
    of uuid: SampleUUID, type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) -> SampleUUID? {
    let done = SamplePredicate.metadataValue(.migratedFrom, allowed: [.text("\(uuid)")])
    return try samples(of: type, matching: done, limit: 1, as: client).first?.uuid
  }
}
