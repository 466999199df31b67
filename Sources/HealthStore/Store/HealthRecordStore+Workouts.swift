public import Quantities

extension HealthRecordStore {
  /// Saves samples as parts of a workout, in one transaction; those in the store already are only
  /// linked to it.
  ///
  /// HealthKit: `add(_:to:completion:)`. The samples stay samples of their own: deleting the
  /// workout leaves them. A newer version of a part takes its place.
  ///
  /// - Throws: What saving throws; `invalidArgument` when the workout or its source is another's.
  public mutating func add(
    _ samples: [Sample], toWorkout workout: SampleUUID, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    var new: [Sample] = []
    for sample in samples where try backend.stored(sample.uuid) == nil { new.append(sample) }
    try contents.add(samples, toWorkout: workout, as: client, at: now)
    noteLongSamples(new)
  }
}
