internal import ClosedLoop
internal import Determinism
internal import HealthStore
internal import Quantities

/// What goes wrong in the health store.
extension Run {
  mutating func begin(_ effect: HealthStoreFault, id: String) {
    state.faults.store.append(
      ActiveStoreFault(
        id: id, fault: effect,
        stream: RandomStream(seed: setup.seed, name: "healthStore.fault.\(id)")))
    let index = state.faults.store.count - 1
    switch effect.kind {
    case .writeFails, .readDenied: state.faults.store[index].isRefusing = effect.rate >= 1
    case .wipe: wipe(at: index)
    case .duplicate, .conflict:
      for type in effect.data.map(\.type) {
        let changes = tryStore { (store) throws(HealthStoreError) in
          try store.changes(of: type, as: .user)
        }
        state.faults.store[index].anchors.append(changes?.anchor)
      }
    case .lateSync: break
    }
  }

  mutating func end(_ fault: HealthStoreFault, id: String) {
    guard let index = state.faults.store.firstIndex(where: { $0.id == id }) else { return }
    switch fault.kind {
    case .writeFails, .readDenied, .wipe: break
    case .duplicate, .conflict:
      let count = state.faults.store[index].copies
      note(.healthStore, id, "\(count) sample\(count == 1 ? "" : "s") came from another source.")
    case .lateSync:
      let held = state.faults.store[index].held
      state.faults.store.remove(at: index)
      for (write, name) in held { self.write(write, for: name) }
      return
    }
    state.faults.store.remove(at: index)
  }

  /// Decides for a cycle whether the store can be used, where it only fails now and then.
  mutating func drawStoreAccess() {
    guard !state.faults.store.isEmpty else { return }
    for index in state.faults.store.indices {
      let fault = state.faults.store[index].fault
      guard fault.kind == .writeFails || fault.kind == .readDenied, fault.rate < 1 else { continue }
      state.faults.store[index].isRefusing = state.faults.store[index].stream.unit() < fault.rate
    }
    applyPermissions()
  }

  // MARK: - Samples of others

  /// Holds back what another app writes, where a fault delays it.
  mutating func holdsBack(_ write: HealthStoreWrite, for name: String) -> Bool {
    for index in state.faults.store.indices {
      let fault = state.faults.store[index].fault
      guard fault.kind == .lateSync, fault.data.contains(write.content.data),
        state.faults.store[index].stream.unit() < fault.rate
      else { continue }
      state.faults.store[index].held.append((write, name))
      return true
    }
    return false
  }

  /// Whether the samples of the sensor maker's app wait.
  var holdsBackGlucose: Bool {
    state.faults.store.contains {
      $0.fault.kind == .lateSync && $0.fault.data.contains(.glucose)
    }
  }

  /// Another source writes what the app has just written, the same or something else.
  mutating func copySamples() {
    for index in state.faults.store.indices {
      switch state.faults.store[index].fault.kind {
      case .duplicate: copySamples(at: index, factor: 1, source: "Copy")
      case .conflict(let factor): copySamples(at: index, factor: factor, source: "Contradiction")
      default: break
      }
    }
  }

  private mutating func copySamples(at index: Int, factor: Double, source: String) {
    assert(state.faults.store.indices.contains(index), "A fault that acts is one of the run.")
    let fault = state.faults.store[index].fault
    assert(
      state.faults.store[index].anchors.count == fault.data.count,
      "Each kind of data has an anchor.")
    let own = setup.app.configuration.bundleIdentifier
    var copies: [Sample] = []
    for (place, data) in fault.data.enumerated() {
      let anchor = state.faults.store[index].anchors[place]
      let answer = tryStore { (store) throws(HealthStoreError) in
        try store.changes(of: data.type, since: anchor, as: .user)
      }
      guard let changes = answer else { continue }
      state.faults.store[index].anchors[place] = changes.anchor
      for sample in changes.added where sample.source?.bundleIdentifier == own {
        guard state.faults.store[index].stream.unit() < fault.rate else { continue }
        copies.append(sample.told(state.storeUse.nextIdentity(at: state.now), factor))
      }
    }
    assert(factor >= 0, "A copy tells of no less than nothing.")
    guard !copies.isEmpty else { return }
    do throws(HealthStoreError) {
      let client = try state.store.register(
        HealthClient(bundleIdentifier: "loopsim.\(source)", name: source), granting: .full,
        for: ObjectType.allCases.filter { type in copies.contains { $0.type == type } })
      try state.store.save(copies, as: client, at: state.now)
      state.faults.store[index].copies += copies.count
    } catch {
      note(.warning, source, "The health store refused the samples: \(error)")
    }
  }

  // MARK: - Everything gone

  private mutating func wipe(at index: Int) {
    assert(state.faults.store.indices.contains(index), "A fault that acts is one of the run.")
    let fault = state.faults.store[index].fault
    var lost: [Sample] = []
    for type in fault.data.map(\.type) {
      let all = tryStore { (store) throws(HealthStoreError) in
        try store.samples(of: type, as: .user)
      }
      guard let all else { continue }
      var chosen: [Sample] = []
      // Nothing is drawn where all goes.
      for sample in all
      where fault.rate >= 1 || state.faults.store[index].stream.unit() < fault.rate {
        chosen.append(sample)
      }
      guard !chosen.isEmpty, deleteAsUser(chosen) else { continue }
      lost += chosen
    }
    state.storeUse.backup = lost
    note(
      .healthStore, "wipe",
      fault.rate >= 1 && fault.data.count == HealthStoreAccess.Data.allCases.count
        ? "Everything in the health store is deleted."
        : "\(lost.count) samples in the health store are deleted.")
  }

  /// The health store gets back from a backup what it last lost.
  mutating func restoreHealthStore() {
    guard !state.storeUse.backup.isEmpty else {
      note(.warning, "restore", "Nothing was lost from the health store; there is no backup.")
      return
    }
    var count = 0
    for sample in state.storeUse.backup {
      guard let source = sample.source,
        let client = state.store.client(bundleIdentifier: source.bundleIdentifier)
      else { continue }
      let copy = sample.restored(state.storeUse.nextIdentity(at: state.now))
      // What the app has written anew meanwhile stays.
      let now = state.now
      let outcome = tryStore { (store) throws(HealthStoreError) in
        try store.save(copy, as: client, at: now)
      }
      if case .inserted? = outcome { count += 1 }
    }
    state.storeUse.backup = []
    note(.restore, "healthStore", "\(count) samples come back from a backup.")
  }
}

/// A fault of the health store at work.
struct ActiveStoreFault: Sendable {
  var id: String
  var fault: HealthStoreFault
  var stream: RandomStream
  /// Whether nothing can be written or read now.
  var isRefusing = false
  /// How far each kind of data has been copied.
  var anchors: [QueryAnchor?] = []
  var copies = 0
  /// What other apps have written and does not arrive yet.
  var held: [(HealthStoreWrite, String)] = []
}

extension HealthStoreWrite.Content {
  var data: HealthStoreAccess.Data {
    switch self {
    case .glucose: .glucose
    case .carbs: .carbs
    case .bolus, .basal: .insulin
    }
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
