internal import HealthStore
internal import Quantities

/// The insulin that a health store holds, and what was deleted of it, as the records of a run have
/// them.
struct StoredInsulin: Sendable {
  private let store: InMemoryHealthStore
  /// The bundle identifier of the app under test.
  private let own: String
  /// The samples, whoever wrote them, by start, then by the order of writing.
  private(set) var samples: [InsulinSampleRecord] = []
  /// The basal samples that the app under test wrote, in the same order.
  private(set) var basalSamples: [BasalSampleRecord] = []

  /// Reads all samples, however far before or after a run they are dated: a clock may have been
  /// wrong by weeks, and another app writes what it likes.
  ///
  /// - Parameters:
  ///   - store: The health store.
  ///   - own: The bundle identifier of the app under test.
  ///   - count: About how many there are, for which room is made.
  init(_ store: InMemoryHealthStore, own: String, about count: Int) {
    self.store = store
    self.own = own
    samples.reserveCapacity(count)
    // A scan visits samples by start, and those with the same start in the order of writing.
    let (first, last) = (Instant(millisecondsSince1970: .min), Instant(millisecondsSince1970: .max))
    store.backend.visit(.time(.insulinDelivery, from: first, to: last)) { stored in
      take(stored, from: store.registry.sources[Int(stored.source)])
      return true
    }
  }

  private mutating func take(_ stored: StoredSample, from source: Source) {
    // The sample is not taken out of what is stored: that would copy it.
    assert(samples.last.map { $0.start <= stored.sample.start } ?? true, "Samples come by start.")
    let isOwn = source.bundleIdentifier == own
    let record = InsulinSampleRecord(
      start: stored.sample.start, end: stored.sample.end, units: stored.sample.storedValue ?? 0,
      isBasal: stored.sample.metadata.insulinDeliveryReason == .basal,
      isOwn: isOwn, source: source.name, writtenAt: stored.created,
      sampleID: stored.sample.uuid,
      syncIdentifier: stored.sample.metadata.syncIdentifier)
    samples.append(record)
    if isOwn, record.isBasal,
      let basal = BasalSampleRecord(record, stored.sample.metadata)
    {
      basalSamples.append(basal)
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

extension BasalSampleRecord {
  /// What a sample of basal says with its metadata; `nil` where its units are no amount.
  fileprivate init?(_ sample: InsulinSampleRecord, _ metadata: Metadata) {
    assert(sample.isBasal, "A sample of basal gives a record of basal.")
    guard let units = InsulinAmount(roundingUnits: sample.units) else { return nil }
    let kind: Kind
    let rate: InsulinRate
    if metadata.isSuspend == true {
      (kind, rate) = (.suspend, .zero)
    } else if let programmed = metadata.programmedTempBasalRate {
      (kind, rate) = (.tempBasal, programmed)
    } else {
      (kind, rate) = (.basal, metadata.scheduledBasalRate ?? .zero)
    }
    self.init(
      start: sample.start, end: sample.end, rate: rate, units: units, kind: kind,
      source: sample.source, writtenAt: sample.writtenAt, sampleID: sample.sampleID)
  }
}
