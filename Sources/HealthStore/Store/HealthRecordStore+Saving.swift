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
  @discardableResult
  public mutating func save(
    _ samples: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [SaveOutcome] {
    if let run = try run(of: samples, as: client, at: now) {
      var batch = StoreBatch()
      assert(run.samples.count == samples.count, "A run has every sample that is saved.")
      batch.run = run
      batch.lastRow = run.firstRow + Int64(samples.count) - 1
      try commit(&batch, of: samples)
      return Array(repeating: .inserted, count: samples.count)
    }
    var (batch, builder, outcomes) = try prepare(samples, as: client, at: now)
    batch.lastRow = builder.row
    try commit(&batch, of: samples)
    return outcomes
  }

  /// Commits what saves some samples, and says which of them the backend knows already.
  private mutating func commit(
    _ batch: inout StoreBatch, of samples: [Sample]
  ) throws(HealthStoreError) {
    do {
      try commit(&batch)
    } catch .invalidArgument(.duplicateUUID(let uuid), nil) {
      let index = samples.lastIndex { sample in
        sample.uuid == uuid || sample.members.contains { $0.uuid == uuid }
      }
      throw .invalidArgument(.duplicateUUID(uuid), object: index)
    }
    noteLongSamples(samples)
  }

  /// Saves one sample.
  ///
  /// HealthKit: `save(_:withCompletion:)`.
  @discardableResult
  public mutating func save(
    _ sample: Sample, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> SaveOutcome {
    try save([sample], as: client, at: now).first ?? .inserted
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

extension HealthRecordStore {
  /// Checks samples and puts together the batch that saves them.
  func prepare(
    _ samples: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> (StoreBatch, BatchBuilder, [SaveOutcome]) {
    let writer = try checkedClient(client)
    try checkSaveable(samples)
    try checkAuthorization(samples, writer, client)
    try checkContent(samples)
    var batch = StoreBatch()
    var builder = BatchBuilder(
      writer: client, revision: Int32(try revisionIndex(of: writer)),
      source: Int32(sourceIndex(of: writer)), now: now, row: backend.lastRow,
      isSingle: Self.isSingle(samples))
    batch.inserted.reserveCapacity(samples.count)
    var outcomes: [SaveOutcome] = []
    outcomes.reserveCapacity(samples.count)
    for index in samples.indices {
      outcomes.append(try add(samples[index], index: index, &builder, &batch))
    }
    assert(outcomes.count == samples.count, "Each sample that is saved has an outcome.")
    assert(builder.row >= backend.lastRow, "New rows come after those that are there.")
    return (batch, builder, outcomes)
  }

  /// Saves and deletes in one transaction; either list may be empty.
  mutating func combine(
    _ writes: [Sample], _ deletions: [SampleUUID], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    guard !deletions.isEmpty else {
      if !writes.isEmpty { try save(writes, as: client, at: now) }
      return
    }
    let found = try deletable(deletions, as: client)
    guard !writes.isEmpty else {
      try commitDeletion(of: found, by: client, at: now)
      return
    }
    var (batch, builder, _) = try prepare(writes, as: client, at: now)
    try addDeletion(of: found, &builder, &batch)
    batch.lastRow = builder.row
    try commit(&batch, of: writes)
  }

  /// Whether there is one sample, without members: then nothing has to be kept apart.
  private static func isSingle(_ samples: [Sample]) -> Bool {
    guard samples.count == 1 else { return false }
    if case .correlation = samples[0].value { return false }
    return true
  }

  private func checkSaveable(_ samples: [Sample]) throws(HealthStoreError) {
    guard !samples.isEmpty else { throw .invalidArgument(.emptyList) }
    let span = samples.span
    for index in span.indices where !span[index].type.isSampleType {
      throw .invalidArgument(.notSaveable(span[index].type), object: index)
    }
  }

  /// Checks the permission for every type once: first that all were asked for, then that all are
  /// granted.
  private func checkAuthorization(
    _ samples: [Sample], _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    if Self.isSingle(samples) {
      return try checkAuthorization([samples[0].type], writer, client) { _ in 0 }
    }
    var first = [Int](repeating: -1, count: ObjectType.allCases.count)
    for (index, sample) in samples.enumerated() {
      if case .correlation(let members) = sample.value {
        for member in members where first[Int(member.type.rawValue)] < 0 {
          first[Int(member.type.rawValue)] = index
        }
      } else if first[Int(sample.type.rawValue)] < 0 {
        first[Int(sample.type.rawValue)] = index
      }
    }
    let types = ObjectType.allCases.filter { first[Int($0.rawValue)] >= 0 }
    try checkAuthorization(types, writer, client) { first[Int($0.rawValue)] }
  }

  /// Checks the permission for types; `object` says at which index of the samples each comes first.
  private func checkAuthorization(
    _ types: [ObjectType], _ writer: HealthClient, _ client: ClientID,
    object: (ObjectType) -> Int
  ) throws(HealthStoreError) {
    for type in types where authorization(of: client, for: type).share == .notDetermined {
      throw .authorizationNotDetermined(client: writer.name, type: type)
    }
    for type in types
    where authorization(of: client, for: type).share == .denied || !type.isShareable {
      throw .authorizationDenied(
        client: writer.name, type: type, object: object(type))
    }
  }

  private func checkContent(_ samples: [Sample]) throws(HealthStoreError) {
    let earliest = registry.settings.earliestPermittedSampleDate
    var type = samples.first?.type ?? .bloodGlucose
    var row = type.row
    let span = samples.span
    for index in span.indices {
      if span[index].type != type {
        type = span[index].type
        row = type.row
      }
      if let fault = SavingRules.faultOfSaved(span[index], row, earliest: earliest) {
        throw .invalidArgument(fault, object: index)
      }
      for member in span[index].members {
        if let fault = SavingRules.fault(member, member.type.row, earliest: earliest) {
          throw .invalidArgument(fault, object: index)
        }
      }
    }
  }

  /// Adds one sample to a batch by the rule of sync identifiers, with its members.
  func add(
    _ sample: Sample, index: Int, _ builder: inout BatchBuilder, _ batch: inout StoreBatch
  ) throws(HealthStoreError) -> SaveOutcome {
    if let identifier = sample.metadata.syncIdentifier, let version = sample.metadata.syncVersion {
      guard try backend.stored(sample.uuid) == nil, !builder.has(sample.uuid, in: batch) else {
        throw .invalidArgument(.duplicateUUID(sample.uuid), object: index)
      }
      var existing = builder.pending(identifier, sample.type, in: batch)
      if existing == nil {
        existing = try backend.stored(
          syncIdentifier: identifier, type: sample.type, source: builder.source)
        if let found = existing, builder.isDeleted(found.sample.uuid) { existing = nil }
      }
      if let existing {
        guard (existing.sample.metadata.syncVersion ?? .min) < version else {
          return .ignored(existing: existing.sample.uuid)
        }
        let isPending = existing.row > backend.lastRow
        let members =
          isPending
          ? builder.members(of: existing.row, in: batch) : try backend.members(of: existing.row)
        for member in members { builder.delete(member, from: &batch) }
        builder.delete(existing, from: &batch)
        insert(sample, parent: existing.parent, &builder, &batch)
        for workout in try backend.workouts(ofSample: existing.sample.uuid) {
          batch.links.append(WorkoutLink(workout: workout, sample: sample.uuid))
        }
        return .replaced(existing.sample.uuid)
      }
    }
    insert(sample, parent: 0, &builder, &batch)
    return .inserted
  }

  private func insert(
    _ sample: Sample, parent: Int64, _ builder: inout BatchBuilder, _ batch: inout StoreBatch
  ) {
    guard case .correlation(let members) = sample.value else {
      builder.insert(sample, parent: parent, into: &batch)
      return
    }
    var shell = sample
    shell.value = .correlation([])
    builder.insert(shell, parent: parent, into: &batch)
    let row = builder.row
    for member in members { builder.insert(member, parent: row, into: &batch) }
  }

  func revisionIndex(of client: HealthClient) throws(HealthStoreError) -> Int {
    for index in registry.revisions.indices
    where registry.revisions[index].revision.isOne(of: client) { return index }
    throw .invalidArgument(.unknownClient)
  }

  func sourceIndex(of client: HealthClient) -> Int {
    registry.sources.firstIndex { $0.bundleIdentifier == client.bundleIdentifier } ?? 0
  }

  private mutating func noteLongSamples(_ samples: [Sample]) {
    let span = samples.span
    for index in span.indices
    where span[index].duration >= .days(1) && !span[index].hasUndeterminedDuration {
      diagnostics.append(
        .longSample(span[index].uuid, span[index].type, span[index].duration))
    }
  }
}
