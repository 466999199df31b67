public import HealthStore

extension SQLiteBackend {
  /// Writes what a store in memory has that the file does not: the same rows, identities, anchors,
  /// creation times and queues of uploads, in one transaction.
  ///
  /// The file must have been filled only in this way. Call it as often as you like; the cost grows
  /// with the number of changes since the last call, but for a store that prunes, of which all that
  /// the file holds is looked at. Samples that the store has pruned are pruned here too, and so are
  /// those whose deletion it has forgotten since.
  ///
  /// - Throws: `storage` when the file cannot be written; then nothing of this call is in it.
  public func mirror(_ store: InMemoryHealthStore) throws(HealthStoreError) {
    let types = ObjectType.allCases.filter(\.isSampleType)
    var batch = StoreBatch()
    batch.registry = store.registry.allChanges
    var prunes = store.registry.settings.earliestPermittedSampleDate != nil
    if lastRow > 0 {
      let known = try loadRegistry()
      batch.registry += store.registry.withdrawals(since: known)
      prunes = prunes || known.settings.earliestPermittedSampleDate != nil
    }
    for type in types { batch.deleted += store.backend.tombstones(of: type, after: lastRow) }
    batch.uploads =
      try tables.uploads.services().map { .forget(service: $0) } + store.backend.allUploadChanges
    batch.links = store.backend.workoutLinks
    batch.deleted.sort { $0.row < $1.row }
    batch.purgedTombstones = store.registry.settings.highestPurgedRow
    batch.lastRow = store.lastRow
    // No trace tells of what was pruned, or of a deletion that was forgotten before it came here.
    let isForgotten = batch.purgedTombstones > lastRow
    if isForgotten || prunes {
      // What was saved again under its identity has another row.
      batch.pruned = try tables.samples.all().filter {
        store.backend.stored($0.sample.uuid)?.row != $0.row
      }
    }
    // What a store holds points to what it holds: of the first rows of a file SQLite need not look
    // up every reference, which takes a quarter of the time.
    guard lastRow > 0 else {
      try tables.withoutReferences { () throws(HealthStoreError) in
        try apply(batch, of: types, in: store)
      }
      return
    }
    try apply(batch, of: types, in: store)
  }

  /// Applies a batch with the samples of a store that the file does not have.
  private func apply(
    _ batch: StoreBatch, of types: [ObjectType], in store: InMemoryHealthStore
  ) throws(HealthStoreError) {
    // Some thousand at a time: all samples of a year would take as much room as the store itself.
    try apply(batch) { [lastRow] (insert) throws(HealthStoreError) in
      var row = lastRow
      while row < store.lastRow {
        let last = min(row + Self.rowsOfPart, store.lastRow)
        var part: [StoredSample] = []
        for type in types {
          store.backend.visit(.rows(type, after: row)) { stored in
            guard stored.row <= last else { return false }
            part.append(stored)
            return true
          }
        }
        try insert(part.sorted { $0.row < $1.row })
        row = last
      }
    }
  }

  private static let rowsOfPart: Int64 = 4_000
}
