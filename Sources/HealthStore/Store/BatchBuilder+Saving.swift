internal import Quantities

// How samples get into a batch and out of the store: what a new version replaces, and what goes
// with what is deleted.

extension BatchBuilder {
  /// Adds one sample by the rule of sync identifiers, with its members.
  mutating func add<Backend>(
    _ sample: Sample, index: Int, to contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> SaveOutcome {
    guard let identifier = sample.metadata.syncIdentifier,
      let version = sample.metadata.syncVersion
    else {
      insert(sample)
      return .inserted
    }
    try contents.checkIdentity(sample, object: index)
    guard !has(sample.uuid) else {
      throw .invalidArgument(.duplicateUUID(sample.uuid), object: index)
    }
    guard let existing = try existing(identifier, sample.type, in: contents) else {
      insert(sample)
      return .inserted
    }
    guard existing.givesWay(to: version) || leaving.contains(existing.sample.uuid) else {
      return .ignored(existing: existing.sample.uuid)
    }
    for member in try liveMembers(of: existing, in: contents) { delete(member) }
    delete(existing)
    insert(sample, parent: existing.parent)
    for workout in try contents.backend.workouts(ofSample: existing.sample.uuid) {
      link(sample.uuid, toWorkout: workout)
    }
    return .replaced(existing.sample.uuid)
  }

  /// The sample with a sync identifier as it will be before the next row of this batch.
  private func existing<Backend>(
    _ identifier: SyncIdentifier, _ type: ObjectType, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> StoredSample? {
    if let pending = pending(identifier, type) { return pending }
    let found = try contents.backend.stored(
      syncIdentifier: identifier, type: type, source: source)
    guard let found, !isDeleted(found.sample.uuid) else { return nil }
    return found
  }

  /// The members of a correlation as they will be before the next row of this batch, in which some
  /// may have been replaced or deleted.
  private func liveMembers<Backend>(
    of stored: StoredSample, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [StoredSample] {
    guard stored.sample.type.kind == .correlation else { return [] }
    let members = try contents.backend.members(of: stored.row) + members(of: stored.row)
    return members.filter { !isDeleted($0.sample.uuid) }
  }

  /// Deletes samples of the store, correlations with their members.
  mutating func delete<Backend>(
    _ deletion: Deletion, from contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    for stored in deletion.samples where !isDeleted(stored.sample.uuid) {
      for member in try liveMembers(of: stored, in: contents) { delete(member) }
      delete(stored)
    }
  }
}
