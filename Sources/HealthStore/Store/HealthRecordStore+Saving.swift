public import Quantities

/// What became of one saved object.
///
/// HealthKit does not tell.
public enum SaveOutcome: Hashable, Sendable {
  /// It is in the store.
  case inserted
  /// The object took the place of the one with the same sync identifier and a lower version.
  case replaced(SampleUUID)
  /// The store already has the same sync identifier with this or a higher version.
  case ignored(existing: SampleUUID)

  /// Whether the object is in the store now.
  fileprivate var isSaved: Bool {
    if case .ignored = self { false } else { true }
  }
}

extension HealthRecordStore {
  /// Saves samples in one transaction: all of them or none.
  ///
  /// HealthKit: `save(_:)`.
  ///
  /// The store gives each its source revision and its place in the order of commits. A sample with
  /// a sync identifier replaces the client's own one with a lower version.
  ///
  /// The members of a correlation are saved with it. The time of saving becomes the samples' time
  /// of creation. What became of each sample is returned in their order. Throws
  /// `authorizationNotDetermined`, `authorizationDenied` or `invalidArgument`, with the index of
  /// the first object that is refused.
  @specialized(where Backend == MemoryBackend)
  @discardableResult
  public mutating func save(
    _ samples: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [SaveOutcome] {
    let outcomes = try contents.save(samples, as: client, at: now)
    for index in samples.indices where outcomes[index].isSaved { noteLongSample(samples[index]) }
    return outcomes
  }

  /// Saves one sample.
  ///
  /// HealthKit: `save(_:withCompletion:)`.
  @specialized(where Backend == MemoryBackend)
  @discardableResult
  public mutating func save(
    _ sample: Sample, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> SaveOutcome {
    let outcome = try contents.save(sample, as: client, at: now)
    if outcome.isSaved { noteLongSample(sample) }
    return outcome
  }

  /// Adds a sample as the user does in the health app: it, and the members of a correlation, are
  /// marked as entered by a person.
  ///
  /// HealthKit: `HKMetadataKeyWasUserEntered`.
  @discardableResult
  public mutating func addByUser(
    _ sample: Sample, at now: Instant
  ) throws(HealthStoreError) -> SaveOutcome {
    try save(sample.enteredByUser, as: .user, at: now)
  }

  /// Notes which of some saved samples show nobody how their value changed.
  mutating func noteLongSamples(_ samples: [Sample]) {
    let span = samples.span
    for index in span.indices { noteLongSample(span[index]) }
  }

  private mutating func noteLongSample(_ sample: Sample) {
    guard sample.duration >= .days(1), !sample.hasUndeterminedDuration else { return }
    diagnostics.append(.longSample(sample.uuid, sample.type, sample.duration))
  }
}

extension Sample {
  /// The same sample, marked as entered by a person.
  fileprivate var enteredByUser: Sample {
    let value: SampleValue =
      switch value {
      case .correlation(let members): .correlation(members.map(\.enteredByUser))
      default: value
      }
    return Sample(
      restoring: uuid, type: type, start: start, end: end, value: value, device: device,
      metadata: metadata.with(.wasUserEntered, .flag(true)))
  }
}
