internal import Quantities

// Saving and deleting, each in one transaction.

extension StoreContents {
  /// Saves samples: all of them or none.
  mutating func save(
    _ samples: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [SaveOutcome] {
    if samples.count == 1, try saveAlone(samples[0], as: client, at: now) { return [.inserted] }
    return try saveTogether(samples, as: client, at: now)
  }

  /// Saves one sample.
  mutating func save(
    _ sample: Sample, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> SaveOutcome {
    if try saveAlone(sample, as: client, at: now) { return .inserted }
    return try saveTogether([sample], as: client, at: now).first ?? .inserted
  }

  /// Saves a sample that is one row and has nothing to do with another, without a batch; says
  /// whether it did.
  ///
  /// Where it did not, nothing has changed, and the sample is saved as one of several.
  private mutating func saveAlone(
    _ sample: Sample, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> Bool {
    guard let places = try placesOfLone(sample, as: client) else { return false }
    do {
      try insert(
        StoredSample(
          saving: sample, row: lastRow + 1, revision: places.revision, source: places.source,
          created: now))
    } catch .invalidArgument(.duplicateUUID(let uuid), nil) {
      throw .invalidArgument(.duplicateUUID(uuid), object: 0)
    }
    return true
  }

  /// The places of revision and source of a sample that is one row and has nothing to do with
  /// another, once it is checked; `nil` of any other.
  // What changes nothing looks at the registry where it is, and does not copy it.
  private func placesOfLone(
    _ sample: Sample, as client: ClientID
  ) throws(HealthStoreError) -> (revision: Int32, source: Int32)? {
    if case .correlation = sample.value { return nil }
    let writer = try StoreWriter(client, in: registry)
    try writer.checkSaving(sample, in: registry)
    let revision = try writer.revision()
    if let identifier = sample.metadata.syncIdentifier {
      assert(sample.metadata.syncVersion != nil, "An identifier is saved with a version.")
      let existing = try backend.stored(
        syncIdentifier: identifier, type: sample.type, source: writer.source)
      guard existing == nil else { return nil }
    }
    return (revision, writer.source)
  }

  /// Saves samples in one batch.
  private mutating func saveTogether(
    _ samples: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [SaveOutcome] {
    let writer = try StoreWriter(client, in: registry)
    if let run = try writer.run(of: samples, at: now, from: lastRow + 1, in: registry) {
      var batch = StoreBatch()
      assert(run.samples.count == samples.count, "A run has every sample that is saved.")
      batch.run = run
      batch.lastRow = run.firstRow + Int64(samples.count) - 1
      try commit(batch, of: samples)
      return Array(repeating: .inserted, count: samples.count)
    }
    let (builder, outcomes) = try prepare(samples, by: writer, at: now)
    try commit(builder.batch, of: samples)
    return outcomes
  }

  /// Checks samples and puts together the batch that saves them, of which some of the store are to
  /// be deleted after that.
  private func prepare(
    _ samples: [Sample], by writer: StoreWriter, at now: Instant, leaving: Set<SampleUUID> = []
  ) throws(HealthStoreError) -> (BatchBuilder, [SaveOutcome]) {
    try writer.checkSaving(samples, in: registry)
    var builder = BatchBuilder(
      writer: writer.client, revision: try writer.revision(), source: writer.source,
      now: now, row: lastRow, isSingle: samples.isSingle)
    builder.leaving = leaving
    builder.reserve(samples.count)
    var outcomes: [SaveOutcome] = []
    outcomes.reserveCapacity(samples.count)
    for index in samples.indices {
      outcomes.append(try builder.add(samples[index], index: index, to: self))
    }
    assert(outcomes.count == samples.count, "Each sample that is saved has an outcome.")
    return (builder, outcomes)
  }

  /// Checks that no sample of the store has the identity of one with a sync identifier.
  func checkIdentity(_ sample: Sample, object: Int) throws(HealthStoreError) {
    guard try !backend.holds(sample.uuid) else {
      throw .invalidArgument(.duplicateUUID(sample.uuid), object: object)
    }
  }

  /// Checks that samples do not take the identities of those that the same batch deletes: a backend
  /// may do either first.
  private func checkIdentities(
    of samples: [Sample], apartFrom deleted: [Tombstone]
  ) throws(HealthStoreError) {
    var gone: Set<SampleUUID> = []
    for stone in deleted where stone.objectRow <= lastRow { gone.insert(stone.uuid) }
    guard !gone.isEmpty else { return }
    for (index, sample) in samples.enumerated() {
      for object in [sample] + sample.members where gone.contains(object.uuid) {
        throw .invalidArgument(.duplicateUUID(object.uuid), object: index)
      }
    }
  }

  /// Commits what saves some samples, and says which of them the backend knows already.
  private mutating func commit(
    _ batch: StoreBatch, of samples: [Sample]
  ) throws(HealthStoreError) {
    try checkIdentities(of: samples, apartFrom: batch.deleted)
    do {
      try commit(batch)
    } catch .invalidArgument(.duplicateUUID(let uuid), nil) {
      let index = samples.lastIndex { sample in
        sample.uuid == uuid || sample.members.contains { $0.uuid == uuid }
      }
      throw .invalidArgument(.duplicateUUID(uuid), object: index)
    }
  }

  /// Deletes samples that a client may delete.
  mutating func delete(
    _ deletion: Deletion, by client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    var builder = BatchBuilder(writer: client, revision: 0, source: 0, now: now, row: lastRow)
    try builder.delete(deletion, from: self)
    assert(
      builder.batch.deleted.count >= deletion.samples.count,
      "Every sample that is deleted leaves a trace.")
    try commit(builder.batch)
  }

  /// Saves and deletes in one transaction, and says what became of each sample that is saved;
  /// either list may be empty.
  mutating func combine(
    _ writes: [Sample], _ deletions: [SampleUUID], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [SaveOutcome] {
    guard !deletions.isEmpty else {
      return writes.isEmpty ? [] : try save(writes, as: client, at: now)
    }
    let deletion = try Deletion(of: deletions, as: client, in: self)
    guard !writes.isEmpty else {
      try delete(deletion, by: client, at: now)
      return []
    }
    let writer = try StoreWriter(client, in: registry)
    var (builder, outcomes) = try prepare(
      writes, by: writer, at: now, leaving: Set(deletions))
    try builder.delete(deletion, from: self)
    try commit(builder.batch, of: writes)
    return outcomes
  }

  /// Saves samples as parts of a workout; those in the store already are only linked to it.
  mutating func add(
    _ samples: [Sample], toWorkout workout: SampleUUID, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    let writer = try StoreWriter(client, in: registry)
    guard let stored = try backend.stored(workout), stored.sample.type == .workout else {
      throw .invalidArgument(.notInStore(workout))
    }
    try writer.checkOwning(stored, in: registry)
    guard !samples.isEmpty else { throw .invalidArgument(.emptyList) }
    var new: [Sample] = []
    for sample in samples where try backend.stored(sample.uuid) == nil { new.append(sample) }
    var builder = BatchBuilder(writer: client, revision: 0, source: 0, now: now, row: lastRow)
    var kept = samples
    if !new.isEmpty {
      let (saving, outcomes) = try prepare(new, by: writer, at: now)
      builder = saving
      let ignored = Set(
        zip(new, outcomes).compactMap { sample, outcome in
          if case .ignored = outcome { sample.uuid } else { nil }
        })
      kept.removeAll { ignored.contains($0.uuid) }
    }
    for sample in kept { builder.link(sample.uuid, toWorkout: workout) }
    try commit(builder.batch)
  }
}
