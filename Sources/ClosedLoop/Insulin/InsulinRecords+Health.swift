internal import HealthStore
internal import Quantities

/// What the insulin on record exchanges with the health store.
extension InsulinRecords {
  /// Takes in what others changed; says whether a dose stopped counting that does not come back
  /// with the event that the event history has of it.
  mutating func take(
    _ changes: SampleChanges, at now: Instant, hasEvent: (SyncIdentifier) -> Bool
  ) -> Bool {
    for sample in changes.added {
      let source = sample.writer
      guard source == provenance || readsForeign else { continue }
      receive(sample, from: source, at: now)
    }
    var hasLost = false
    for deleted in changes.deleted
    where noteDeletion(ofSample: deleted.uuid, at: now, hasEvent: hasEvent) {
      hasLost = true
    }
    return hasLost
  }

  /// Writes the deliveries that are due.
  mutating func write(
    to health: inout InMemoryHealthStore, through connection: inout HealthConnection,
    at now: Instant
  ) {
    guard connection.isOpen else { return }
    let due = due(at: now)
    guard !due.isEmpty else { return }
    var identifiers: [SyncIdentifier] = []
    var samples: [Sample] = []
    // Where nothing may be written, the store refuses one sample as it does all of a day.
    let canWrite = connection.canWrite(.insulin, to: health)
    for row in due {
      if row.dose.isBasalKind, !reporter.policy.reportsBasal { continue }
      let identity = connection.newIdentity(at: now)
      guard canWrite || samples.isEmpty, let sample = row.dose.sample(uuid: identity)
      else { continue }
      identifiers.append(row.syncIdentifier)
      samples.append(sample)
    }
    guard let outcomes = connection.save(samples, to: &health, at: now) else { return }
    for (index, outcome) in outcomes.enumerated() {
      noteSample(outcome.uuid(of: samples[index]), for: identifiers[index], at: now)
    }
  }
}
