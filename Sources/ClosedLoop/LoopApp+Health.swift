public import HealthStore
public import Quantities

/// What the app exchanges with the health store.
extension LoopApp {
  /// How far back samples are read when the app first opens a store: 8 hours, twice the time that
  /// slow food takes (LoopKit).
  static let firstReading = TimeSpan.hours(8)

  /// The types that the app reads and writes, and asks for: what Loop asks for.
  static let healthTypes: [ObjectType] = [.insulinDelivery, .bloodGlucose, .dietaryCarbohydrates]

  /// Makes the app known to a health store.
  ///
  /// What the user allows holds for the types that the app asks for; `nil` leaves the permissions
  /// as they are.
  ///
  /// - Throws: `HealthStoreError` when the store has no health data.
  public mutating func open(
    _ store: inout InMemoryHealthStore, granting authorization: Authorization? = .full
  ) throws(HealthStoreError) {
    client = try store.register(
      HealthClient(bundleIdentifier: configuration.bundleIdentifier, name: configuration.name),
      granting: authorization, for: Self.healthTypes)
  }

  /// Takes in what others did in the health store since the app last looked.
  ///
  /// A store that cannot be read leaves everything as it is; the next call catches up.
  public mutating func ingestChanges(of store: inout InMemoryHealthStore, at now: Instant) {
    guard let client else { return }
    anchors.passOverOwn(through: store.lastRow)
    if anchors.haveSeen(store.lastRow), store.isReadable(by: client) { return }
    do {
      try ingestInsulin(of: store, as: client, at: now)
      try ingestGlucose(of: store, as: client, at: now)
      try ingestCarbs(of: store, as: client, at: now)
      anchors.known = store.lastRow
    } catch {
      if !isUndetermined(error) { warned.note(.readRefused("\(error)")) }
    }
  }

  /// Writes what is due to the health store.
  ///
  /// Glucose and carbohydrates are written at once. Insulin is written in a cycle, or at its
  /// trigger when the policy says so. What the store refuses stays due.
  public mutating func report(to store: inout InMemoryHealthStore, at now: Instant) {
    writeGlucose(to: &store, at: now)
    writeCarbs(to: &store, at: now)
    guard configuration.reporting.write == .atTrigger || lastCycle == now else { return }
    synchronise(at: now)
    writeInsulin(to: &store, at: now)
  }

  /// Closes what is open and writes everything, at the end of a run.
  ///
  /// What the pump gave since it was last read is not known, and is not made up.
  public mutating func flush(to store: inout InMemoryHealthStore, at now: Instant) {
    synchronise(at: now)
    insulin.closeSegments(of: &pump, therapies, at: now, isFinal: true)
    writeGlucose(to: &store, at: now)
    writeCarbs(to: &store, at: now)
    writeInsulin(to: &store, at: now)
  }

  // MARK: - Reading

  private mutating func ingestInsulin(
    of store: InMemoryHealthStore, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    let changes = try store.changes(of: .insulinDelivery, since: anchors.insulin, as: client)
    for sample in changes.added where isRecent(sample, anchors.insulin, now) {
      let source = sample.source?.bundleIdentifier ?? ""
      let isOwn = source == configuration.bundleIdentifier
      guard isOwn || configuration.readsForeignInsulin else { continue }
      insulin.receive(sample, from: source, at: now)
    }
    for deleted in changes.deleted {
      guard insulin.noteDeletion(ofSample: deleted.uuid, at: now), isClosedLoop else { continue }
      warned.note(.deletionInClosedLoop)
    }
    anchors.insulin = changes.anchor
  }

  private mutating func ingestGlucose(
    of store: InMemoryHealthStore, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    let changes = try store.changes(of: .bloodGlucose, since: anchors.glucose, as: client)
    for deleted in changes.deleted { glucose.noteDeletion(ofSample: deleted.uuid) }
    for sample in changes.added where isRecent(sample, anchors.glucose, now) {
      let source = sample.source?.bundleIdentifier ?? ""
      guard source == configuration.bundleIdentifier || configuration.readsForeignGlucose
      else { continue }
      glucose.receive(sample, from: source)
    }
    anchors.glucose = changes.anchor
  }

  private mutating func ingestCarbs(
    of store: InMemoryHealthStore, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    let changes = try store.changes(of: .dietaryCarbohydrates, since: anchors.carbs, as: client)
    for deleted in changes.deleted { carbs.noteDeletion(ofSample: deleted.uuid, at: now) }
    for sample in changes.added where isRecent(sample, anchors.carbs, now) {
      let source = sample.source?.bundleIdentifier ?? ""
      let isOwn = source == configuration.bundleIdentifier
      guard isOwn || configuration.readsForeignCarbs else { continue }
      carbs.receive(sample, from: source, isOwn: isOwn, at: now)
    }
    anchors.carbs = changes.anchor
  }

  /// The first look at a store goes back some hours only.
  private func isRecent(_ sample: Sample, _ anchor: QueryAnchor?, _ now: Instant) -> Bool {
    anchor != nil || sample.end >= now - Self.firstReading
  }

  // MARK: - Writing

  private mutating func writeInsulin(to store: inout InMemoryHealthStore, at now: Instant) {
    guard let client else { return }
    let due = insulin.due(at: now)
    guard !due.isEmpty else { return }
    var rows: [InsulinDeliveryStore.Row] = []
    var samples: [Sample] = []
    for row in due {
      if row.dose.isBasalKind, !configuration.reporting.reportsBasal { continue }
      guard let sample = row.dose.sample(uuid: identities.next(at: now)) else { continue }
      rows.append(row)
      samples.append(sample)
    }
    guard let outcomes = save(samples, to: &store, as: client, at: now) else { return }
    assert(outcomes.count == samples.count, "Each sample that was saved has an outcome.")
    for (index, outcome) in outcomes.enumerated() {
      let uuid = outcome.uuid(of: samples[index])
      insulin.noteSample(uuid, for: rows[index], at: now)
    }
  }

  private mutating func writeGlucose(to store: inout InMemoryHealthStore, at now: Instant) {
    guard let client else { return }
    // A value that arrives while writing is not allowed is never written (LoopKit).
    if !canWrite(.bloodGlucose, store) { glucose.keepBack(after: glucoseSeen) }
    glucoseSeen = glucose.counter
    let due = glucose.due(at: now)
    guard let newest = due.last, writeGlucose(at: due, to: &store, as: client, at: now)
    else { return }
    let window = glucose.managedWindow(newest: glucose.rows[newest].date, at: now)
    guard let window else { return }
    let predicate = SamplePredicate.samples(
      start: window.start, end: window.end, options: .strictStartDate)
    do {
      try store.deleteSamples(of: .bloodGlucose, matching: predicate, as: client, at: now)
    } catch {
      warned.note(.writeRefused("\(error)"))
    }
  }

  /// Writes the rows at some places; says whether the store took them.
  private mutating func writeGlucose(
    at places: [Int], to store: inout InMemoryHealthStore, as client: ClientID, at now: Instant
  ) -> Bool {
    // Mostly there is one, which needs no lists.
    if places.count == 1 {
      let sample = glucoseSample(at: places[0])
      guard let outcome = save(sample, to: &store, as: client, at: now) else { return false }
      glucose.noteSample(outcome.uuid(of: sample), at: places[0])
      return true
    }
    let samples = places.map { glucoseSample(at: $0) }
    guard let outcomes = save(samples, to: &store, as: client, at: now) else { return false }
    assert(outcomes.count == places.count, "Each sample that was saved has an outcome.")
    for (index, place) in places.enumerated() {
      glucose.noteSample(outcomes[index].uuid(of: samples[index]), at: place)
    }
    return true
  }

  /// The sample for the row at a place, with a new identity.
  private mutating func glucoseSample(at place: Int) -> Sample {
    let uuid = identities.next(at: glucose.rows[place].date)
    return glucose.rows[place].sample(uuid: uuid)
  }

  private mutating func writeCarbs(to store: inout InMemoryHealthStore, at now: Instant) {
    guard let client else { return }
    for row in carbs.pendingWrites {
      let sample = row.sample(uuid: identities.next(at: now))
      guard let outcome = save(sample, to: &store, as: client, at: now) else { return }
      carbs.noteSample(outcome.uuid(of: sample), forRow: row.modificationCounter)
    }
    for (counter, sample) in carbs.pendingDeletions {
      // A sample that is gone already needs no deletion.
      try? store.delete([sample], as: client, at: now)
      carbs.noteSample(nil, forRow: counter)
    }
  }

  private mutating func save(
    _ samples: [Sample], to store: inout InMemoryHealthStore, as client: ClientID, at now: Instant
  ) -> [SaveOutcome]? {
    guard !samples.isEmpty else { return nil }
    return write(to: &store) { (store) throws(HealthStoreError) in
      let outcomes = try store.save(samples, as: client, at: now)
      return (outcomes, outcomes.allSatisfy { $0 == .inserted })
    }
  }

  private mutating func save(
    _ sample: Sample, to store: inout InMemoryHealthStore, as client: ClientID, at now: Instant
  ) -> SaveOutcome? {
    write(to: &store) { (store) throws(HealthStoreError) in
      let outcome = try store.save(sample, as: client, at: now)
      return (outcome, outcome == .inserted)
    }
  }

  /// Does what writes to a store and says whether all of it was new there; `nil` where the store
  /// refuses.
  private mutating func write<Outcome>(
    to store: inout InMemoryHealthStore,
    _ save: (inout InMemoryHealthStore) throws(HealthStoreError) -> (Outcome, isNew: Bool)
  ) -> Outcome? {
    do {
      let before = store.lastRow
      let (outcome, isNew) = try save(&store)
      // A sample that replaced another is a deletion as well, and is looked at.
      if anchors.known == before, isNew { anchors.known = store.lastRow }
      return outcome
    } catch {
      if !isUndetermined(error) { warned.note(.writeRefused("\(error)")) }
      return nil
    }
  }

  private func isUndetermined(_ error: HealthStoreError) -> Bool {
    if case .authorizationNotDetermined = error { true } else { false }
  }

  private func canWrite(_ type: ObjectType, _ store: InMemoryHealthStore) -> Bool {
    guard client != nil else { return false }
    return store.registry.authorization(
      of: configuration.bundleIdentifier, for: type
    ).share == .authorized
  }
}

extension SaveOutcome {
  /// The identity under which the store holds the object now.
  func uuid(of sample: Sample) -> SampleUUID {
    if case .ignored(let existing) = self { existing } else { sample.uuid }
  }
}
