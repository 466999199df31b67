internal import ClosedLoop
internal import Dosing
internal import HealthStore
internal import Quantities

/// How a person deletes in the world, and what.
extension DeletionRequest {
  /// A person deletes entries: in the event history, in the health store, or in both at once.
  func carryOut(in world: inout World) {
    let events = place == .healthStore ? nil : deleteEvents(in: &world)
    let samples = place == .eventHistory ? nil : deleteSamples(in: &world)
    guard events ?? 0 > 0 || samples ?? 0 > 0 else { return noteNothing(in: place, of: &world) }
    if let events, isInEventHistory { noteMissing(in: .eventHistory, found: events, of: &world) }
    if let samples { noteMissing(in: .healthStore, found: samples, of: &world) }
  }

  private func noteNothing(in place: Place, of world: inout World) {
    world.note(.warning, "delete", "There was nothing to delete in \(place.words).")
  }

  /// Tells where a place had fewer entries than were to be deleted.
  private func noteMissing(in place: Place, found: Int, of world: inout World) {
    guard found > 0 else { return noteNothing(in: place, of: &world) }
    guard let last, found < last else { return }
    let entries = found == 1 ? "1 entry was" : "\(found) entries were"
    world.note(
      .warning, "delete",
      "Only \(entries) there to delete in \(place.words), of the last \(last) that were meant.")
  }

  /// Whether the event history has entries of the kind.
  package var isInEventHistory: Bool {
    switch kind {
    case .any, .bolus, .tempBasal, .suspend: true
    case .basal, .carbs, .glucose: false
    }
  }

  private func deleteEvents(in world: inout World) -> Int {
    var matching = Array(world.phone.eventHistory).filter { event in
      guard let dose = event.dose else { return false }
      return matches(dose.kind) && covers(event.date)
        && world.names.isMade(event.syncIdentifier, by: id)
    }
    if let last { matching = Array(matching.suffix(last)) }
    for event in matching {
      guard let deletion = world.phone.deletePumpEvent(event.syncIdentifier, at: world.now)
      else { continue }
      world.note(.deletion, "eventHistory", deletion.description)
    }
    return matching.count
  }

  private func deleteSamples(in world: inout World) -> Int {
    let deleted = world.store.delete(
      self, at: world.now, knowing: world.names, noting: &world.trace)
    for identifier in deleted.compactMap(\.metadata.syncIdentifier) {
      world.circumstances.noteDeletion(ofSample: identifier)
    }
    return deleted.count
  }

  // MARK: - What is meant

  /// Whether an instant lies in the stretch.
  func covers(_ instant: Instant) -> Bool {
    from.map { $0 <= instant } ?? true && through.map { instant <= $0 } ?? true
  }

  /// Whether a dose of the event history is of the kind.
  func matches(_ dose: DoseEntry.Kind) -> Bool {
    switch (kind, dose) {
    case (.any, _), (.bolus, .bolus), (.tempBasal, .tempBasal), (.basal, .basal),
      (.suspend, .suspend):
      true
    default: false
    }
  }

  /// Whether a sample is of the kind.
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

  /// The types of the samples in the health store.
  var types: [ObjectType] {
    switch kind {
    case .bolus, .tempBasal, .basal, .suspend: [.insulinDelivery]
    case .carbs: [.dietaryCarbohydrates]
    case .glucose: [.bloodGlucose]
    case .any: [.insulinDelivery, .dietaryCarbohydrates, .bloodGlucose]
    }
  }
}

extension DeletionRequest.Place {
  /// The place in a sentence.
  fileprivate var words: String {
    switch self {
    case .healthStore: "the health store"
    case .eventHistory: "the event history"
    case .both: "the event history and the health store"
    }
  }
}
