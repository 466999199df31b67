internal import ClosedLoop
internal import Determinism
internal import HealthStore
internal import Quantities

/// The phone's health store, and who acts on it besides the app under test: the person, other apps
/// and devices, and faults.
///
/// What is refused, deleted, written and restored is noted in the trace.
struct SharedHealthStore: Sendable {
  /// What the store holds, which the apps on the phone use.
  var records: InMemoryHealthStore
  /// The bundle identifier of the app under test.
  private let own: String
  private let seed: UInt64
  /// The unit of glucose in sentences.
  private let glucoseUnit: GlucoseUnit
  /// What the person allows the app, whatever faults make of it.
  private var permissions: [(data: HealthStoreAccess.Data, allowed: Authorization)]
  /// What the store last lost.
  private var backup: [Sample] = []
  /// What faults have done to food.
  private(set) var faultedCarbs = FaultedCarbs()
  /// The copies that faults have made of readings, each with the fault's name.
  private(set) var copiedGlucose: [SampleUUID: String] = [:]
  /// What faults have deleted of the app's readings and entries, and nobody has brought back.
  private(set) var deletions = FaultDeletions()
  /// What other devices and apps keep for a phone that is off.
  private var waiting: [NamedWrite] = []
  /// Identities of samples that other apps write.
  private var identities: RandomStream
  /// The faults in force, in the order in which they began.
  private(set) var faults: [ActiveStoreFault] = []

  init(beginning setup: Setup) {
    records = setup.store
    own = setup.app.configuration.bundleIdentifier
    seed = setup.seed
    glucoseUnit = setup.glucoseUnit
    permissions = Self.permissions(of: own, in: setup.store)
    identities = RandomStream(seed: setup.seed, name: "healthStore")
  }

  /// Uses the store; what it refuses is noted.
  ///
  /// - Returns: `nil` if it refused.
  private mutating func attempt<Answer>(
    at now: Instant, noting trace: inout Trace,
    _ use: (inout InMemoryHealthStore) throws(HealthStoreError) -> Answer
  ) -> Answer? {
    do throws(HealthStoreError) {
      return try use(&records)
    } catch {
      trace.note(error, at: now)
      return nil
    }
  }

  // MARK: - Permissions

  /// The person allows or refuses data, where the app has asked for them.
  mutating func answer(_ access: HealthStoreAccess, at now: Instant, noting trace: inout Trace) {
    let answer = access.isGranted ? AuthorizationStatus.authorized : .denied
    for index in permissions.indices where access.data.contains(permissions[index].data) {
      if access.directions.contains(.write) { permissions[index].allowed.share = answer }
      if access.directions.contains(.read) { permissions[index].allowed.read = answer }
    }
    applyPermissions(at: now, noting: &trace)
    var names: [String] = []
    for data in access.data where !names.contains(data.rawValue) { names.append(data.rawValue) }
    let data = names.joined(separator: ", ")
    trace.note(
      .healthStore, "permission",
      "The person \(access.isGranted ? "allows" : "revokes") "
        + "\(access.directions.map(\.rawValue).joined(separator: " and ")) of \(data).", at: now)
  }

  /// The app may do what the person allows and no fault forbids.
  mutating func applyPermissions(at now: Instant, noting trace: inout Trace) {
    guard let client = records.registry.client(bundleIdentifier: own) else { return }
    for (data, allowed) in permissions {
      let left = faults.reduce(allowed) { $1.restrict($0, of: data) }
      guard left != records.registry.authorization(of: client, for: data.type) else { continue }
      _ = attempt(at: now, noting: &trace) { (store) throws(HealthStoreError) in
        try store.setAuthorization(left, of: client, for: [data.type])
      }
    }
  }

  /// What faults keep the store from taking, though the person lets the app write it.
  var typesNotTaken: [ObjectType] {
    guard !faults.isEmpty else { return [] }
    return permissions.lazy.filter { data, allowed in
      allowed.share == .authorized
        && faults.contains { $0.restrict(allowed, of: data).share != .authorized }
    }.map(\.data.type)
  }

  /// Decides for a cycle whether the app can use the store, where that only fails now and then.
  mutating func drawAccess(at now: Instant, noting trace: inout Trace) {
    guard !faults.isEmpty else { return }
    for index in faults.indices { faults[index].drawAccess() }
    applyPermissions(at: now, noting: &trace)
  }

  /// What people allow the app in a store that exists before the run.
  private static func permissions(
    of bundleIdentifier: String, in store: InMemoryHealthStore
  ) -> [(data: HealthStoreAccess.Data, allowed: Authorization)] {
    guard let client = store.registry.client(bundleIdentifier: bundleIdentifier) else { return [] }
    return HealthStoreAccess.Data.allCases.map {
      ($0, store.registry.authorization(of: client, for: $0.type))
    }
  }

  // MARK: - Deleting

  /// A person deletes samples.
  ///
  /// - Returns: The samples that were deleted.
  mutating func delete(
    _ request: DeletionRequest, at now: Instant, knowing names: ScenarioNames,
    noting trace: inout Trace
  ) -> [Sample] {
    var matching = request.types.flatMap { type in
      samples(of: type, at: now, noting: &trace).filter {
        request.matches($0) && request.covers($0.start)
          && names.isMade($0.metadata.syncIdentifier ?? SyncIdentifier($0.uuid), by: request.id)
      }
    }
    if let last = request.last {
      // The latest of all kinds together; samples of one start stand in the order of their types.
      matching = Array(matching.sorted { $0.start < $1.start }.suffix(last))
    }
    var deleted: [Sample] = []
    for type in request.types {
      let chosen = matching.filter { $0.type == type }
      guard !chosen.isEmpty, delete(chosen, at: now, noting: &trace) else { continue }
      deleted += chosen
      for sample in chosen {
        trace.note(
          .deletion, "healthStore",
          "The sample of \(sample.start) (\(type)) is deleted in the health store.", at: now)
      }
    }
    return deleted
  }

  /// Deletes samples as the person may, whoever wrote them; false if the store refused.
  private mutating func delete(
    _ samples: [Sample], at now: Instant, noting trace: inout Trace
  ) -> Bool {
    attempt(at: now, noting: &trace) { (store) throws(HealthStoreError) in
      try store.delete(samples.map(\.uuid), as: .user, at: now)
    } != nil
  }

  /// All samples of a type, as the person sees them; none if the store refused.
  private mutating func samples(
    of type: ObjectType, at now: Instant, noting trace: inout Trace
  ) -> [Sample] {
    attempt(at: now, noting: &trace) { (store) throws(HealthStoreError) in
      try store.samples(of: type, as: .user)
    } ?? []
  }

  // MARK: - Other apps

  /// Keeps what another app writes until the phone is on.
  mutating func keep(_ written: NamedWrite) { waiting.append(written) }

  /// What other apps have written of insulin, and has not arrived.
  var undeliveredInsulin: [RecordCauses.UndeliveredSample] {
    let kept = waiting.map { (written: $0, fault: String?.none) }
    let held = faults.flatMap { fault in fault.held.map { (written: $0, fault: fault.id) } }
    return (kept + held).filter { $0.written.write.content.data == .insulin }.map {
      .init(start: $0.written.write.start, source: $0.written.write.source, fault: $0.fault)
    }
  }

  /// Other devices and apps hand over what they have kept for a phone that was off.
  mutating func takeWaiting(
    at now: Instant, noting trace: inout Trace, naming names: inout ScenarioNames
  ) {
    guard !waiting.isEmpty else { return }
    let handedOver = waiting
    waiting = []
    for written in handedOver { take(written, at: now, noting: &trace, naming: &names) }
  }

  /// Another app writes a sample, unless a fault delays it.
  mutating func take(
    _ written: NamedWrite, at now: Instant, noting trace: inout Trace,
    naming names: inout ScenarioNames
  ) {
    if faults.indices.contains(where: { faults[$0].holdsBack(written) }) { return }
    let source = written.write.source
    let sample = written.write.sample(nextIdentity(at: now))
    do throws(HealthStoreError) {
      let client = try records.register(
        HealthClient(bundleIdentifier: "loopsim.\(source)", name: source),
        granting: .full, for: [sample.type])
      try records.save(sample, as: client, at: now)
      names.note(written.event, made: SyncIdentifier(sample.uuid))
      trace.note(
        .externalDose, source, "\(source) writes \(written.write.content.words(glucoseUnit)).",
        at: now)
    } catch {
      trace.note(.warning, source, "The health store refused the sample: \(error)", at: now)
    }
  }

  /// The sensor maker's app writes what is due, or keeps it for the next cycle.
  mutating func takeVendorSamples(
    of phone: inout Phone, at now: Instant, noting trace: inout Trace
  ) {
    do throws(HealthStoreError) {
      try phone.writeVendorSamples(to: &records, &faults, at: now)
    } catch {
      trace.note(error, at: now)
    }
  }

  /// The identity of a sample that another app writes at an instant.
  private mutating func nextIdentity(at now: Instant) -> SampleUUID {
    SampleUUID(at: now, using: &identities)
  }

  // MARK: - Faults

  /// A fault takes hold.
  mutating func begin(
    _ fault: HealthStoreFault, id: String, at now: Instant, noting trace: inout Trace
  ) {
    faults.append(ActiveStoreFault(fault, id: id, seed: seed))
    let index = faults.count - 1
    switch fault.kind {
    case .writeFails, .readDenied, .lateSync: break
    case .wipe: wipe(by: index, at: now, noting: &trace)
    case .duplicate, .conflict:
      faults[index].beginCopying(after: QueryAnchor(row: records.lastRow))
    }
  }

  /// The earliest fault in force of an id is over.
  ///
  /// - Returns: What other apps have written meanwhile and arrives now.
  mutating func end(id: String, at now: Instant, noting trace: inout Trace) -> [NamedWrite] {
    guard let index = faults.firstIndex(where: { $0.id == id }) else { return [] }
    let ended = faults.remove(at: index)
    if ended.copying != nil {
      let count = ended.copyCount
      trace.note(
        .healthStore, id, "\(count) sample\(count == 1 ? "" : "s") came from another source.",
        at: now)
    }
    return ended.held
  }

  /// Another source writes what the app has just written, the same or something else.
  mutating func copySamples(at now: Instant, noting trace: inout Trace) {
    for index in faults.indices {
      guard let (source, factor) = faults[index].copying else { continue }
      assert(factor >= 0, "A copy tells of no less than nothing.")
      let copies = copies(by: index, factor, at: now, noting: &trace)
      guard !copies.isEmpty else { continue }
      do throws(HealthStoreError) {
        let client = try records.register(
          HealthClient(bundleIdentifier: "loopsim.\(source)", name: source), granting: .full,
          for: ObjectType.allCases.filter { type in copies.contains { $0.type == type } })
        try records.save(copies, as: client, at: now)
        faults[index].countCopies(copies.count)
        for copy in copies where copy.type == .dietaryCarbohydrates {
          faultedCarbs.copied[copy.uuid] = faults[index].id
        }
        for copy in copies where copy.type == .bloodGlucose {
          copiedGlucose[copy.uuid] = faults[index].id
        }
      } catch {
        trace.note(.warning, source, "The health store refused the samples: \(error)", at: now)
      }
    }
  }

  /// What another source says of that which the app has written since it was last looked through.
  private mutating func copies(
    by index: Int, _ factor: Double, at now: Instant, noting trace: inout Trace
  ) -> [Sample] {
    var copies: [Sample] = []
    for (place, data) in faults[index].fault.data.enumerated() {
      let anchor = faults[index].anchor(at: place)
      let answer = attempt(at: now, noting: &trace) { (store) throws(HealthStoreError) in
        try store.changes(of: data.type, since: anchor, as: .user)
      }
      guard let changes = answer else { continue }
      faults[index].lookedThrough(place, to: changes.anchor)
      for sample in changes.added where sample.source?.bundleIdentifier == own {
        guard faults[index].concernsNext() else { continue }
        copies.append(sample.told(nextIdentity(at: now), factor))
      }
    }
    return copies
  }

  // MARK: - Everything gone

  private mutating func wipe(by index: Int, at now: Instant, noting trace: inout Trace) {
    let fault = faults[index].fault
    var lost: [Sample] = []
    for type in fault.data.map(\.type) {
      var chosen = samples(of: type, at: now, noting: &trace)
      // Nothing is drawn where all goes.
      if fault.rate < 1 { chosen = chosen.filter { _ in faults[index].concernsNext() } }
      guard !chosen.isEmpty, delete(chosen, at: now, noting: &trace) else { continue }
      lost += chosen
    }
    for sample in lost where sample.type == .dietaryCarbohydrates {
      faultedCarbs.wiped[sample.uuid] = faults[index].id
    }
    // What was lost before stays in the backup where nothing more is.
    if !lost.isEmpty {
      backup = lost
      deletions.note(lost, of: own, by: faults[index].id, at: now)
    }
    trace.note(
      .healthStore, "wipe",
      fault.rate >= 1 && fault.data.count == HealthStoreAccess.Data.allCases.count
        ? "Everything in the health store is deleted."
        : lost.count == 1
          ? "1 sample in the health store is deleted."
          : "\(lost.count) samples in the health store are deleted.", at: now)
  }

  /// The store gets back from a backup what it last lost.
  mutating func restore(at now: Instant, noting trace: inout Trace) {
    guard !backup.isEmpty else {
      trace.note(
        .warning, "restore", "Nothing was lost from the health store; there is no backup.",
        at: now)
      return
    }
    deletions.takeBackLast()
    var count = 0
    for sample in backup {
      guard let source = sample.source,
        let client = records.registry.client(bundleIdentifier: source.bundleIdentifier)
      else { continue }
      let copy = sample.restored(nextIdentity(at: now))
      // What the app has written anew meanwhile stays.
      let outcome = attempt(at: now, noting: &trace) { (store) throws(HealthStoreError) in
        try store.save(copy, as: client, at: now)
      }
      guard case .inserted? = outcome else { continue }
      count += 1
      // A copy that comes back is the same fault's.
      copiedGlucose[copy.uuid] = copiedGlucose[sample.uuid]
      faultedCarbs.copied[copy.uuid] = faultedCarbs.copied[sample.uuid]
    }
    backup = []
    let samples = count == 1 ? "1 sample comes" : "\(count) samples come"
    trace.note(.restore, "healthStore", "\(samples) back from a backup.", at: now)
  }
}

extension Trace {
  /// Notes what the health store refused.
  mutating func note(_ refusal: HealthStoreError, at now: Instant) {
    note(.warning, "healthStore", "The health store refused: \(refusal)", at: now)
  }
}

extension Sample {
  /// The same sample under another identity.
  fileprivate func restored(_ uuid: SampleUUID) -> Sample {
    Sample(
      restoring: uuid, type: type, start: start, end: end, value: value, device: device,
      metadata: metadata)
  }

  /// What another app says of the same thing, its quantity times a factor.
  ///
  /// It knows nothing of what LoopKit adds, by which a copy of its own would be recognised.
  fileprivate func told(_ uuid: SampleUUID, _ factor: Double) -> Sample {
    guard case .quantity(let quantity) = value else { return restored(uuid) }
    var metadata = Metadata.none
    metadata.insulinDeliveryReason = self.metadata.insulinDeliveryReason
    return Sample(
      restoring: uuid, type: type, start: start, end: end,
      value: .quantity(HealthQuantity(quantity.value * factor, quantity.unit)),
      metadata: metadata)
  }
}
