internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What people and other apps do with the app's history and the health store.
extension World {
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
    var matching = phone.eventHistory.filter { event in
      guard let dose = event.dose else { return false }
      return request.matches(dose.kind) && request.covers(event.date)
        && names.isMade(event.syncIdentifier, by: request.id)
    }
    if let last = request.last { matching = Array(matching.suffix(last)) }
    for event in matching {
      guard let deletion = phone.deletePumpEvent(event.syncIdentifier, at: now)
      else { continue }
      circumstances.noteDeletion(ofEvent: event.syncIdentifier)
      note(.deletion, "eventHistory", deletion.description)
    }
    return matching.count
  }

  private mutating func deleteSamples(_ request: DeletionRequest) -> Int {
    let deleted = store.delete(
      request, at: now, knowing: names, noting: &trace)
    for identifier in deleted.compactMap(\.metadata.syncIdentifier) {
      circumstances.noteDeletion(ofSample: identifier)
    }
    return deleted.count
  }

  /// Another app writes a sample; while the phone is off, the sample waits for it.
  mutating func take(_ written: NamedWrite) {
    guard phoneState != .off else { return store.keep(written) }
    store.take(written, at: now, noting: &trace, naming: &names)
  }

  /// Other devices and apps hand over what they have kept for a phone that was off.
  mutating func handOverWaitingSamples() {
    guard phoneState != .off else { return }
    store.takeWaiting(at: now, noting: &trace, naming: &names)
  }
}
