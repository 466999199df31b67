internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

/// What people and other apps do in and around the health store.
extension Run {
  // MARK: - Deleting

  /// A person deletes entries: in the event history, in the health store, or in both at once.
  mutating func delete(_ request: DeletionRequest) {
    var found = 0
    if request.place != .healthStore { found += deleteEvents(request) }
    if request.place != .eventHistory { found += deleteSamples(request) }
    if found == 0 {
      note(.warning, "delete", "There was nothing to delete in \(request.place.rawValue).")
    }
  }

  private mutating func deleteEvents(_ request: DeletionRequest) -> Int {
    var matching = state.phone.eventHistory.filter { event in
      guard let dose = event.dose else { return false }
      return request.matches(dose.kind) && request.covers(event.date)
        && state.names.isMade(event.syncIdentifier, by: request.id)
    }
    if let last = request.last { matching = Array(matching.suffix(last)) }
    for event in matching {
      guard let deletion = state.phone.deletePumpEvent(event.syncIdentifier, at: state.now)
      else { continue }
      state.circumstances.noteDeletion(ofEvent: event.syncIdentifier)
      note(.deletion, "eventHistory", deletion.description)
    }
    return matching.count
  }

  private mutating func deleteSamples(_ request: DeletionRequest) -> Int {
    var count = 0
    for type in request.types {
      let all = tryStore { (store) throws(HealthStoreError) in
        try store.samples(of: type, as: .user)
      }
      guard let all else { continue }
      var matching = all.filter {
        request.matches($0) && request.covers($0.start)
          && state.names.isMade(
            $0.metadata.syncIdentifier ?? SyncIdentifier($0.uuid), by: request.id)
      }
      if let last = request.last { matching = Array(matching.suffix(last)) }
      guard !matching.isEmpty, deleteAsUser(matching) else { continue }
      count += matching.count
      for sample in matching {
        if let identifier = sample.metadata.syncIdentifier {
          state.circumstances.noteDeletion(ofSample: identifier)
        }
        note(
          .deletion, "healthStore",
          "The sample of \(sample.start) (\(type)) is deleted in the health store.")
      }
    }
    return count
  }

  /// Deletes samples as the person may, whoever wrote them; false if the store refused.
  mutating func deleteAsUser(_ samples: [Sample]) -> Bool {
    let now = state.now
    return tryStore { (store) throws(HealthStoreError) in
      try store.delete(samples.map(\.uuid), as: .user, at: now)
    } != nil
  }

  // MARK: - Other apps

  /// Another app writes a sample, for the event of a name; while the phone is off, the sample
  /// waits for it.
  mutating func write(_ write: HealthStoreWrite, for name: String = "") {
    guard state.phoneState != .off else {
      state.storeUse.waiting.append((write, name))
      return
    }
    if holdsBack(write, for: name) { return }
    let uuid = state.storeUse.nextIdentity(at: state.now)
    let sample: Sample
    switch write.content {
    case .glucose(let value): sample = .bloodGlucose(value, at: write.start, uuid: uuid)
    case .carbs(let grams):
      sample = .dietaryCarbohydrates(.init(grams: grams), at: write.start, uuid: uuid)
    case .bolus(let units, let insulin):
      var metadata = Metadata.none
      metadata.insulinType = insulin
      sample = .insulinDelivery(
        units: units, reason: .bolus, start: write.start, end: write.start, uuid: uuid,
        metadata: metadata)
    case .basal(let units, let duration):
      sample = .insulinDelivery(
        units: units, reason: .basal, start: write.start, end: write.start + duration, uuid: uuid)
    }
    do throws(HealthStoreError) {
      let client = try state.store.register(
        HealthClient(bundleIdentifier: "loopsim.\(write.source)", name: write.source),
        granting: .full, for: [sample.type])
      try state.store.save(sample, as: client, at: state.now)
      state.names.note(name, made: SyncIdentifier(uuid))
      note(
        .externalDose, write.source,
        "\(write.source) writes \(write.content.words(setup.glucoseUnit)).")
    } catch {
      note(.warning, write.source, "The health store refused the sample: \(error)")
    }
  }

  // MARK: - Permissions

  mutating func authorize(_ access: HealthStoreAccess) {
    state.storeUse.answer(access)
    applyPermissions()
    var names: [String] = []
    for data in access.data where !names.contains(data.rawValue) { names.append(data.rawValue) }
    let data = names.joined(separator: ", ")
    note(
      .healthStore, "permission",
      "The person \(access.isGranted ? "allows" : "revokes") "
        + "\(access.directions.map(\.rawValue).joined(separator: " and ")) of \(data).")
  }
}

extension DeletionRequest {
  func covers(_ instant: Instant) -> Bool {
    from.map { $0 <= instant } ?? true && through.map { instant <= $0 } ?? true
  }

  func matches(_ dose: DoseEntry.Kind) -> Bool {
    switch (kind, dose) {
    case (.any, _), (.bolus, .bolus), (.tempBasal, .tempBasal), (.basal, .basal),
      (.suspend, .suspend):
      true
    default: false
    }
  }

  func matches(_ sample: Sample) -> Bool {
    switch kind {
    case .any, .carbs, .glucose: true
    case .bolus: sample.metadata.insulinDeliveryReason == .bolus
    case .tempBasal: sample.metadata.programmedTempBasalRate != nil
    case .suspend: sample.metadata.isSuspend == true
    case .basal:
      sample.metadata.insulinDeliveryReason == .basal
        && sample.metadata.programmedTempBasalRate == nil && sample.metadata.isSuspend != true
    }
  }

  var types: [ObjectType] {
    switch kind {
    case .bolus, .tempBasal, .basal, .suspend: [.insulinDelivery]
    case .carbs: [.dietaryCarbohydrates]
    case .glucose: [.bloodGlucose]
    case .any: [.insulinDelivery, .dietaryCarbohydrates, .bloodGlucose]
    }
  }
}

extension HealthStoreAccess.Data {
  var type: ObjectType {
    switch self {
    case .glucose: .bloodGlucose
    case .carbs: .dietaryCarbohydrates
    case .insulin: .insulinDelivery
    }
  }
}

extension HealthStoreWrite.Content {
  /// What is written, with glucose in a unit.
  func words(_ unit: GlucoseUnit) -> String {
    switch self {
    case .glucose(let value):
      unit == .milligramsPerDecilitre
        ? "a glucose of \(value.mgdL) mg/dL"
        : "a glucose of \((value.mgdL / unit.mgdL * 10).rounded() / 10) \(unit.rawValue)"
    case .carbs(let grams): "\(grams) g of carbohydrate"
    case .bolus(let units, _): "a bolus of \(units) U"
    case .basal(let units, let duration): "a basal of \(units) U over \(duration)"
    }
  }
}
