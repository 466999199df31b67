internal import HealthStore
internal import Quantities

/// The insulin that a health store holds, and what was deleted of it, as the records of a run have
/// them.
struct StoredInsulin: Sendable {
  private let store: InMemoryHealthStore
  /// The bundle identifier of the app under test.
  private let own: String
  /// The samples, by start, then by the order of writing.
  private let stored: [StoredSample]

  /// Reads the samples of a stretch of time.
  ///
  /// - Parameters:
  ///   - store: The health store.
  ///   - own: The bundle identifier of the app under test.
  ///   - start: From when the samples are read.
  ///   - end: Until when they are.
  init(_ store: InMemoryHealthStore, own: String, from start: Instant, to end: Instant) {
    assert(start <= end, "Samples are read forward in time.")
    self.store = store
    self.own = own
    var found: [StoredSample] = []
    store.backend.visit(.time(.insulinDelivery, from: start, to: end)) { stored in
      found.append(stored)
      return true
    }
    // The scan is in this order unless a sample was late.
    let isSorted = found.indices.dropFirst().allSatisfy {
      (found[$0 - 1].sample.start, found[$0 - 1].row) < (found[$0].sample.start, found[$0].row)
    }
    stored =
      isSorted
      ? found : found.sorted { ($0.sample.start, $0.row) < ($1.sample.start, $1.row) }
  }

  /// The samples, whoever wrote them.
  var samples: [InsulinSampleRecord] {
    stored.map { stored in
      let sample = stored.sample
      let source = store.registry.sources[Int(stored.source)]
      return InsulinSampleRecord(
        start: sample.start, end: sample.end, units: sample.storedValue ?? 0,
        isBasal: sample.metadata.insulinDeliveryReason == .basal,
        isOwn: source.bundleIdentifier == own, source: source.name, writtenAt: stored.created,
        sampleID: sample.uuid,
        syncIdentifier: sample.metadata.syncIdentifier)
    }
  }

  /// The basal samples that the app under test wrote.
  var basalSamples: [BasalSampleRecord] {
    stored.compactMap { stored in
      let (sample, metadata) = (stored.sample, stored.sample.metadata)
      let source = store.registry.sources[Int(stored.source)]
      guard source.bundleIdentifier == own, metadata.insulinDeliveryReason == .basal,
        let units = InsulinAmount(roundingUnits: sample.storedValue ?? 0)
      else { return nil }
      let kind: BasalSampleRecord.Kind
      let rate: InsulinRate
      if metadata.isSuspend == true {
        (kind, rate) = (.suspend, .zero)
      } else if let programmed = metadata.programmedTempBasalRate {
        (kind, rate) = (.tempBasal, programmed)
      } else {
        (kind, rate) = (.basal, metadata.scheduledBasalRate ?? .zero)
      }
      return BasalSampleRecord(
        start: sample.start, end: sample.end, rate: rate, units: units, kind: kind,
        source: source.name, writtenAt: stored.created, sampleID: sample.uuid)
    }
  }

  /// What a person or a fault deleted, from any time.
  var deletions: [RecordCauses.Deletion] {
    store.backend.tombstones(of: .insulinDelivery, after: 0).compactMap { tombstone in
      guard tombstone.deletedBy == .user else { return nil }
      let source = store.registry.sources[Int(tombstone.source)]
      return RecordCauses.Deletion(
        start: tombstone.start, end: tombstone.end,
        syncIdentifier: tombstone.syncIdentifier,
        isOwn: source.bundleIdentifier == own, instant: tombstone.deleted)
    }
  }
}
