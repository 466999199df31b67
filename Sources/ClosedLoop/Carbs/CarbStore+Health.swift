internal import HealthStore
internal import Quantities

/// What the carbohydrate store exchanges with the health store.
extension CarbStore {
  /// Takes in what others changed.
  ///
  /// - Parameters:
  ///   - changes: What changed.
  ///   - own: The app's identity, under which it wrote its entries.
  ///   - readsForeign: Whether entries of other apps count.
  ///   - now: The present.
  mutating func take(
    _ changes: SampleChanges, own: String, readsForeign: Bool, at now: Instant
  ) {
    for deleted in changes.deleted { noteDeletion(ofSample: deleted.uuid, at: now) }
    for sample in changes.added {
      let source = sample.writer
      guard source == own || readsForeign else { continue }
      receive(sample, from: source, isOwn: source == own, at: now)
    }
  }

  /// Writes the entries that are due, and deletes those whose entries were.
  mutating func write(
    to health: inout InMemoryHealthStore, through connection: inout HealthConnection,
    at now: Instant
  ) {
    guard connection.isOpen else { return }
    // One by one: a store that refuses the first is asked for no other.
    var pending = pendingWrite(from: 0)
    while let place = pending {
      let row = rows[place]
      let sample = row.sample(uuid: connection.newIdentity(at: now))
      guard let outcome = connection.save(sample, to: &health, at: now) else { return }
      noteSample(outcome.uuid(of: sample), forRow: row.modificationCounter)
      pending = pendingWrite(from: place + 1)
    }
    // One that is refused is tried again, as what could not be written is.
    for (counter, sample) in pendingDeletions
    where connection.delete(sample, in: &health, at: now) { noteSample(nil, forRow: counter) }
  }
}
