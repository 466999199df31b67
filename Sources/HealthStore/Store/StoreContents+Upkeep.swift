internal import Quantities

// What housekeeping takes away.

extension StoreContents {
  /// The batch that removes what ends before an instant, and refuses such samples from then on.
  ///
  /// A part of a correlation that goes on until then or beyond stays, and is not seen.
  func pruning(endingBefore earliest: Instant) throws(HealthStoreError) -> StoreBatch {
    var batch = StoreBatch()
    var settings = registry.settings
    settings.earliestPermittedSampleDate = earliest
    batch.registry = [.settings(settings)]
    var old: [StoredSample] = []
    for type in ObjectType.allCases where type.isSampleType {
      let scan = StoreScan.time(type, from: .init(millisecondsSince1970: .min), to: earliest)
      try backend.visit(scan) { stored in
        if stored.sample.end < earliest { old.append(stored) }
        return true
      }
    }
    // A correlation goes with all of its members: one that took the place of another may end later.
    var whole: Set<Int64> = []
    for stored in old where stored.sample.type.kind == .correlation {
      let members = try backend.members(of: stored.row)
      if members.allSatisfy({ $0.sample.end < earliest }) { whole.insert(stored.row) }
    }
    batch.pruned = old.filter { stored in
      let isCorrelation = stored.sample.type.kind == .correlation
      guard isCorrelation || stored.parent != 0 else { return true }
      return whole.contains(isCorrelation ? stored.row : stored.parent)
    }
    return batch
  }

  /// The batch that forgets deletions older than the settings say; `nil` when there are none.
  func purging(at now: Instant) throws(HealthStoreError) -> StoreBatch? {
    let limit = now - registry.settings.tombstoneRetention
    var (newestOld, oldestKept) = (Int64(0), Int64.max)
    for type in ObjectType.allCases where type.isSampleType {
      for stone in try backend.tombstones(of: type, after: 0) {
        if stone.deleted < limit {
          newestOld = max(newestOld, stone.row)
        } else {
          oldestKept = min(oldestKept, stone.row)
        }
      }
    }
    let purged = min(newestOld, oldestKept - 1)
    guard purged > registry.settings.highestPurgedRow else { return nil }
    var settings = registry.settings
    settings.highestPurgedRow = purged
    var batch = StoreBatch()
    batch.purgedTombstones = purged
    batch.registry = [.settings(settings)]
    return batch
  }
}
