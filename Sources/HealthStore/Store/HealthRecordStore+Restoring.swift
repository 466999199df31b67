public import Quantities

/// A sample as another store or another program kept it.
public struct RestoredSample: Hashable, Sendable {
  /// The sample, with the source revision under which it was saved.
  public var sample: Sample
  /// When it was saved.
  public var created: Instant

  /// Creates a `RestoredSample` from its parts; see the properties.
  public init(_ sample: Sample, created: Instant) {
    self.sample = sample
    self.created = created
  }
}

/// What became of a sample that was restored.
public enum RestoreOutcome: Hashable, Sendable {
  /// It is in the store.
  case added
  /// The store has the sample, or a newer version of it, or its user deleted it.
  case passedOver
  /// No app could save such a sample.
  case refused(InvalidArgument)
}

extension HealthRecordStore {
  /// Takes over samples with their identities, sources and times of saving, in one transaction.
  ///
  /// For imports, on behalf of the user; HealthKit has nothing like it but the restoring of a
  /// backup. A sample that the store has already, or whose deletion it remembers, is passed over,
  /// so that the same import twice adds nothing. What became of each is returned in their order.
  public mutating func restore(
    _ samples: [RestoredSample]
  ) throws(HealthStoreError) -> [RestoreOutcome] {
    try contents.restore(samples)
  }
}
