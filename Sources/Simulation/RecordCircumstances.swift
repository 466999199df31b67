internal import HealthStore
internal import Quantities

/// What explains that the records of a run differ.
struct RecordCircumstances: Sendable {
  /// What keeps the app from following the pump and from using the health store.
  var obstacles = AppObstacles()
  /// When the app was installed anew, and what the phone's clock showed then.
  private(set) var installations: [RecordCauses.Installation] = []
  /// How far the phone's clock was ahead of true time at most, and from when on.
  private(set) var furthestAhead: (span: TimeSpan, since: Instant)?
  /// When the clocks of phone and pump were wrong.
  var clocks = ClockWatch()
  /// Sync identifiers of what a person deleted.
  private(set) var deletedEvents: Set<SyncIdentifier> = []
  private(set) var deletedSamples: Set<SyncIdentifier> = []

  mutating func noteInstallation(at now: Instant, shown: Instant) {
    installations.append(RecordCauses.Installation(instant: now, shown: shown))
  }

  mutating func note(phoneClockError error: TimeSpan, at now: Instant) {
    if error > furthestAhead?.span ?? .zero { furthestAhead = (error, now) }
    clocks.note(.phone, error: error, at: now)
  }

  mutating func noteDeletion(ofEvent identifier: SyncIdentifier) {
    deletedEvents.insert(identifier)
  }

  mutating func noteDeletion(ofSample identifier: SyncIdentifier) {
    deletedSamples.insert(identifier)
  }
}
