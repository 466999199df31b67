internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What explains that the records of a run differ.
struct RecordCircumstances: Sendable {
  /// What keeps the app from following the pump and from using the health store.
  var obstacles = AppObstacles()
  /// When the app was installed anew, and what the phone's clock showed then.
  private(set) var installations: [RecordCauses.Installation] = []
  /// The doses that were logged in an app, and that it lost, or did not take.
  var lostLogs: [RecordCauses.LostLog] = []
  /// How far the phone's clock was ahead of true time at most, and from when on.
  private(set) var furthestAhead: (span: TimeSpan, since: Instant)?
  /// When the clocks of phone and pump were wrong.
  var clocks = ClockWatch()
  /// What people deleted from the event histories of apps in whose place another was installed.
  private(set) var formerDeletions: [EventDeletion] = []
  /// What such apps had not written of carbohydrates.
  private(set) var formerUnstoredCarbs: [UnstoredCarbs] = []
  /// What people had deleted of carbohydrates in such apps, and the health store had not.
  private(set) var formerUndeletedCarbs: [CarbStore.Row] = []
  /// Sync identifiers of the samples that a person deleted.
  private(set) var deletedSamples: Set<SyncIdentifier> = []

  mutating func noteInstallation(at now: Instant, shown: Instant) {
    installations.append(RecordCauses.Installation(instant: now, shown: shown))
  }

  mutating func note(phoneClockError error: TimeSpan, at now: Instant) {
    if error > furthestAhead?.span ?? .zero { furthestAhead = (error, now) }
    clocks.note(.phone, error: error, at: now)
  }

  /// The app of a phone gives way to another, which knows nothing of what was deleted in it, or
  /// entered and not written.
  mutating func noteEnd(ofAppOf phone: Phone, at now: Instant) {
    formerDeletions += phone.deletions
    let rows = phone.fromApp(at: now) { app, _ in app.carbs.unstoredRows }
    formerUnstoredCarbs += rows.filter { $0.operation != .delete }.map {
      UnstoredCarbs(
        instant: $0.addedAt, mass: $0.entry.mass, isDeleted: false,
        cause: "the app was installed anew before it had written them")
    }
    formerUndeletedCarbs += rows.filter { $0.operation == .delete }
    lostLogs += phone.unwrittenLogs(at: now).map {
      .init(start: $0.start, units: $0.units, loss: .newInstallation, instant: now)
    }
  }

  mutating func noteDeletion(ofSample identifier: SyncIdentifier) {
    deletedSamples.insert(identifier)
  }
}
