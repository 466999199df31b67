internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What people and other apps do with the app's history and the health store.
extension Run {
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
    let deleted = state.store.delete(
      request, at: state.now, knowing: state.names, noting: &state.trace)
    for identifier in deleted.compactMap(\.metadata.syncIdentifier) {
      state.circumstances.noteDeletion(ofSample: identifier)
    }
    return deleted.count
  }

  /// Another app writes a sample; while the phone is off, the sample waits for it.
  mutating func take(_ written: NamedWrite) {
    guard state.phoneState != .off else { return state.store.keep(written) }
    state.store.take(written, at: state.now, noting: &state.trace, naming: &state.names)
  }

  /// Other devices and apps hand over what they have kept for a phone that was off.
  mutating func handOverWaitingSamples() {
    guard state.phoneState != .off else { return }
    state.store.takeWaiting(at: state.now, noting: &state.trace, naming: &state.names)
  }
}
