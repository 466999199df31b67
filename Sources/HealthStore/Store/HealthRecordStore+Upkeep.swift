public import Quantities

extension HealthRecordStore {
  /// Removes samples that end before an instant, and refuses such samples from then on.
  ///
  /// This is housekeeping, as on a watch, and no deletion: it leaves no traces, and anchored
  /// queries say nothing about it. HealthKit: `earliestPermittedSampleDate()`.
  public mutating func prune(endingBefore earliest: Instant) throws(HealthStoreError) {
    try contents.commit(contents.pruning(endingBefore: earliest))
  }

  /// Forgets the traces of deletions that are older than the settings say.
  ///
  /// An anchored query from before them then tells that it may have missed deletions.
  public mutating func purgeTombstones(at now: Instant) throws(HealthStoreError) {
    guard let purging = try contents.purging(at: now) else { return }
    try contents.commit(purging)
  }

  /// Replaces own samples by repaired ones in one transaction, and returns the new identity of
  /// each.
  ///
  /// The new samples remember which they replace, so that a repetition finds what is done already:
  /// an old sample that has been replaced is not replaced again. This is the order that loses
  /// nothing: find, write, delete. An old sample gives way to any version of its sync identifier;
  /// where the store has another sample with that of a new one, in its version or a higher, that
  /// one stays and is what is returned.
  ///
  /// HealthKit has no such call: an app saves, and then deletes.
  ///
  /// - Throws: What saving and deleting throw; `invalidArgument` when the lists differ in length.
  public mutating func replace(
    _ old: [SampleUUID], with new: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [(old: SampleUUID, new: SampleUUID)] {
    let replacement = try Replacement(of: old, with: new, as: client, in: contents)
    let outcomes = try contents.combine(
      replacement.writes, replacement.deletions, as: client, at: now)
    var kept: [SampleUUID: SampleUUID] = [:]
    for (sample, outcome) in zip(replacement.writes, outcomes) {
      if case .ignored(let existing) = outcome { kept[sample.uuid] = existing }
    }
    noteLongSamples(replacement.writes.filter { kept[$0.uuid] == nil })
    return replacement.pairs.map { ($0.old, kept[$0.new] ?? $0.new) }
  }
}
