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
    let writer = try registry.checkedClient(client)
    guard let stored = try backend.stored(workout), stored.sample.type == .workout else {
      throw .invalidArgument(.notInStore(workout))
    }
    guard client == .user || stored.source == Int32(registry.sourceIndex(of: writer)) else {
      throw .foreignObject(client: writer.name, uuid: workout)
    }
    guard !samples.isEmpty else { throw .invalidArgument(.emptyList) }
    var new: [Sample] = []
    for sample in samples where try backend.stored(sample.uuid) == nil { new.append(sample) }
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
    try commit(&batch)
  }

  /// A predicate in which the parts of workouts are named one by one, as backends compare them.
  func resolved(_ predicate: SamplePredicate) throws(HealthStoreError) -> SamplePredicate {
    switch predicate {
    case .ofWorkout(let uuid): return .objects(try backend.samples(ofWorkout: uuid))
    case .and(let parts): return .and(try resolved(parts))
    case .or(let parts): return .or(try resolved(parts))
    case .not(let part): return .not(try resolved(part))
    default: return predicate
    }
  }

  private func resolved(
    _ parts: [SamplePredicate]
  ) throws(HealthStoreError) -> [SamplePredicate] {
    var result: [SamplePredicate] = []
    for part in parts { result.append(try resolved(part)) }
    return result
  }
}
