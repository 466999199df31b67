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
    let writer = try contents.registry.checkedClient(client)
    guard let stored = try contents.backend.stored(workout), stored.sample.type == .workout else {
      throw .invalidArgument(.notInStore(workout))
    }
    guard client == .user || stored.source == Int32(contents.registry.sourceIndex(of: writer))
    else {
      throw .foreignObject(client: writer.name, uuid: workout)
    }
    guard !samples.isEmpty else { throw .invalidArgument(.emptyList) }
    var new: [Sample] = []
    for sample in samples where try contents.backend.stored(sample.uuid) == nil {
      new.append(sample)
    }
    var batch = StoreBatch()
    var kept = samples
    if !new.isEmpty {
      let (saving, builder, outcomes) = try prepare(new, as: client, at: now)
      batch = saving
      batch.lastRow = builder.row
      let ignored = Set(
        zip(new, outcomes).compactMap { sample, outcome in
          if case .ignored = outcome { sample.uuid } else { nil }
        })
      kept.removeAll { ignored.contains($0.uuid) }
    }
    batch.links += kept.map { WorkoutLink(workout: workout, sample: $0.uuid) }
    try contents.commit(&batch)
  }
}
