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
  @specialized(where Backend == MemoryBackend)
  @discardableResult
  public mutating func save(
    _ samples: [Sample], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> [SaveOutcome] {
    if samples.count == 1, try saveAlone(samples[0], as: client, at: now) { return [.inserted] }
    return try saveTogether(samples, as: client, at: now)
  }

  /// Saves samples in one batch.
  private mutating func saveTogether(
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
      try contents.commit(&batch)
    } catch .invalidArgument(.duplicateUUID(let uuid), nil) {
      let index = samples.lastIndex { sample in
        sample.uuid == uuid || sample.members.contains { $0.uuid == uuid }
      }
      throw .invalidArgument(.duplicateUUID(uuid), object: index)
    }
    let span = samples.span
    for index in span.indices { noteLongSample(span[index]) }
  }

  /// Saves one sample.
  ///
  /// HealthKit: `save(_:withCompletion:)`.
  @specialized(where Backend == MemoryBackend)
  @discardableResult
  public mutating func save(
    _ sample: Sample, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> SaveOutcome {
    if try saveAlone(sample, as: client, at: now) { return .inserted }
    return try saveTogether([sample], as: client, at: now).first ?? .inserted
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
    let writer = try contents.registry.checkedClient(client)
    try checkSaveable(samples)
    try checkAuthorization(samples, writer, client)
    try checkContent(samples)
    var batch = StoreBatch()
    var builder = BatchBuilder(
      writer: client, revision: Int32(try contents.registry.revisionIndex(of: writer)),
      source: Int32(contents.registry.sourceIndex(of: writer)), now: now, row: contents.lastRow,
      isSingle: Self.isSingle(samples))
    batch.inserted.reserveCapacity(samples.count)
    var outcomes: [SaveOutcome] = []
    outcomes.reserveCapacity(samples.count)
    for index in samples.indices {
      outcomes.append(try add(samples[index], index: index, &builder, &batch))
    }
    assert(outcomes.count == samples.count, "Each sample that is saved has an outcome.")
    assert(builder.row >= contents.lastRow, "New rows come after those that are there.")
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
    for index in span.indices { try checkSaveable(span[index].type, object: index) }
  }

  private func checkSaveable(_ type: ObjectType, object: Int) throws(HealthStoreError) {
    guard type.isSampleType else { throw .invalidArgument(.notSaveable(type), object: object) }
  }

  /// Checks the permission for every type once: first that all were asked for, then that all are
  /// granted.
  private func checkAuthorization(
    _ samples: [Sample], _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    if Self.isSingle(samples) {
      return try checkAuthorization(samples[0].type, writer, client)
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
    for type in types { try checkAsked(type, writer, client) }
    for type in types { try checkGranted(type, writer, client, object: first[Int(type.rawValue)]) }
  }

  /// Checks the permission for the type of a single sample.
  private func checkAuthorization(
    _ type: ObjectType, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    try checkAsked(type, writer, client)
    try checkGranted(type, writer, client, object: 0)
  }

  private func checkAsked(
    _ type: ObjectType, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard contents.registry.authorization(of: client, for: type).share != .notDetermined else {
      throw .authorizationNotDetermined(client: writer.name, type: type)
    }
  }

  /// Checks that a type may be written; `object` is the index at which it comes first.
  private func checkGranted(
    _ type: ObjectType, _ writer: HealthClient, _ client: ClientID, object: Int
  ) throws(HealthStoreError) {
    guard contents.registry.authorization(of: client, for: type).share != .denied, type.isShareable
    else {
      throw .authorizationDenied(client: writer.name, type: type, object: object)
    }
  }

  private func checkContent(_ samples: [Sample]) throws(HealthStoreError) {
    var type = samples.first?.type ?? .bloodGlucose
    var row = type.row
    let span = samples.span
    for index in span.indices {
      if span[index].type != type {
        type = span[index].type
        row = type.row
      }
      try checkContent(span[index], row, object: index)
    }
  }

  private func checkContent(
    _ sample: Sample, _ row: TypeRow, object: Int
  ) throws(HealthStoreError) {
    let earliest = contents.registry.settings.earliestPermittedSampleDate
    if let fault = SavingRules.faultOfSaved(sample, row, earliest: earliest) {
      throw .invalidArgument(fault, object: object)
    }
    for member in sample.members {
      if let fault = SavingRules.fault(member, member.type.row, earliest: earliest) {
        throw .invalidArgument(fault, object: object)
      }
    }
  }

  /// Checks that no sample of the store has the identity of one with a sync identifier.
  private func checkIdentity(_ sample: Sample, object: Int) throws(HealthStoreError) {
    guard try contents.backend.stored(sample.uuid) == nil else {
      throw .invalidArgument(.duplicateUUID(sample.uuid), object: object)
    }
  }

  /// Adds one sample to a batch by the rule of sync identifiers, with its members.
  func add(
    _ sample: Sample, index: Int, _ builder: inout BatchBuilder, _ batch: inout StoreBatch
  ) throws(HealthStoreError) -> SaveOutcome {
    if let identifier = sample.metadata.syncIdentifier, let version = sample.metadata.syncVersion {
      try checkIdentity(sample, object: index)
      guard !builder.has(sample.uuid, in: batch) else {
        throw .invalidArgument(.duplicateUUID(sample.uuid), object: index)
      }
      var existing = builder.pending(identifier, sample.type, in: batch)
      if existing == nil {
        existing = try contents.backend.stored(
          syncIdentifier: identifier, type: sample.type, source: builder.source)
        if let found = existing, builder.isDeleted(found.sample.uuid) { existing = nil }
      }
      if let existing {
        guard existing.givesWay(to: version) else {
          return .ignored(existing: existing.sample.uuid)
        }
        let isPending = existing.row > contents.lastRow
        let members =
          isPending
          ? builder.members(of: existing.row, in: batch)
          : try contents.backend.members(of: existing.row)
        for member in members { builder.delete(member, from: &batch) }
        builder.delete(existing, from: &batch)
        insert(sample, parent: existing.parent, &builder, &batch)
        for workout in try contents.backend.workouts(ofSample: existing.sample.uuid) {
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

  /// Saves a sample that is one row and has nothing to do with another, without a batch; says
  /// whether it did.
  ///
  /// Where it did not, nothing has changed, and the sample is saved as one of several.
  private mutating func saveAlone(
    _ sample: Sample, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> Bool {
    if case .correlation = sample.value { return false }
    let writer = try contents.registry.checkedClient(client)
    try checkSaveable(sample.type, object: 0)
    try checkAuthorization(sample.type, writer, client)
    try checkContent(sample, sample.type.row, object: 0)
    let revision = Int32(try contents.registry.revisionIndex(of: writer))
    let source = Int32(contents.registry.sourceIndex(of: writer))
    if let identifier = sample.metadata.syncIdentifier, sample.metadata.syncVersion != nil {
      try checkIdentity(sample, object: 0)
      let existing = try contents.backend.stored(
        syncIdentifier: identifier, type: sample.type, source: source)
      guard existing == nil else { return false }
    }
    do {
      try contents.insert(
        StoredSample(
          saving: sample, row: contents.lastRow + 1, revision: revision, source: source,
          created: now))
    } catch .invalidArgument(.duplicateUUID(let uuid), nil) {
      throw .invalidArgument(.duplicateUUID(uuid), object: 0)
    }
    noteLongSample(sample)
    return true
  }

  private mutating func noteLongSample(_ sample: Sample) {
    guard sample.duration >= .days(1), !sample.hasUndeterminedDuration else { return }
    diagnostics.append(.longSample(sample.uuid, sample.type, sample.duration))
  }
}
