internal import HealthStore
internal import Quantities

/// What a run knows of why a record may lack insulin.
struct RecordCauses: Sendable {
  /// A state that still held when the run ended.
  struct Obstacle: Sendable {
    var since: Instant
    /// What is so: "the phone has been off".
    var words: String
  }

  /// A sample that a person, or a fault, deleted from the health store.
  struct Deletion: Sendable {
    var start: Instant
    var end: Instant
    var syncIdentifier: SyncIdentifier?
    /// Whether the app under test had written it.
    var isOwn = true
    var instant: Instant
  }

  /// A dose that was logged in the app, and that it lost, or did not take.
  struct LostLog: Sendable {
    /// Why the app does not have it.
    enum Loss: Sendable {
      /// It was lost in a crash, after which the app started again.
      case crash
      /// The app was installed anew before it had written it.
      case newInstallation
      /// The phone was off when it was to be logged.
      case phoneOff
      /// The app takes no such dose.
      case refusal
    }

    /// When it was taken, as it was logged.
    var start: Instant
    var units: Double
    var loss = Loss.crash
    /// When the app lost it, or started again without it.
    var instant: Instant
  }

  /// Insulin that another app wrote, and that has not reached the health store.
  struct UndeliveredSample: Sendable {
    var start: Instant
    var source: String
    /// The fault that holds it back; `nil` where it waits for the phone.
    var fault: String?
  }

  /// That the app was installed anew.
  struct Installation: Sendable {
    var instant: Instant
    /// What the phone's clock showed then: the app's records begin at that time.
    var shown: Instant
  }

  /// Why the app no longer follows the pump.
  var stop: Obstacle?
  /// How far the phone's clock is behind true time; zero where it is not.
  var clockBehind = TimeSpan.zero
  /// How far back the app takes in and writes what the pump gave.
  var window: TimeSpan
  /// How far the phone's clock was ahead at most, and from when on.
  var clockAhead: (span: TimeSpan, since: Instant)?
  /// What kept the app from following the pump, or from writing insulin, and is over.
  var pastObstacles: [AppObstacles.Past] = []
  /// When a clock was wrong, by which insulin is dated.
  var wrongClocks: [WrongClock] = []
  /// That the app may not write insulin to the health store, or not read it.
  var writing: Obstacle?
  var reading: Obstacle?
  /// The stretches in which the app might not read insulin, that are over.
  var pastReadingDenials: [AppObstacles.ReadingDenial] = []
  /// When the app last looked at what others have written; `nil` if it never did.
  var lastLook: Instant?
  /// When the app last wrote what was due; `nil` if it never did.
  var lastWrite: Instant?
  /// When the loop last ran; `nil` if it never did.
  var lastLoop: Instant?
  /// Whether the app writes basal, and whether it reads insulin of other sources.
  var reportsBasal = true
  var readsForeignInsulin = true
  /// Whether the app reports rate times time, to the nearest 0.05 U, in place of pulses.
  var roundsBasal = false
  /// When the app was installed anew, the first time first.
  var installations: [Installation] = []
  var deletions: [Deletion] = []
  /// The doses that were logged and lost, or not taken, by time of the loss.
  var lostLogs: [LostLog] = []
  /// What other apps wrote of insulin before the end, and has not arrived.
  var undelivered: [UndeliveredSample] = []
  /// The pump events that a person deleted from the app's event history.
  var deletedEvents: Set<SyncIdentifier> = []
  /// The pump events that the app has not read, or could not be told of yet.
  var untoldEvents: Set<SyncIdentifier> = []
  /// The pump events of which the pump never tells.
  var hiddenEvents: Set<SyncIdentifier> = []
  /// The sync identifiers of samples that a person deleted from the health store.
  var deletedSamples: Set<SyncIdentifier> = []
  /// Two cycles, and by how much the phone's clock is behind: by then a dose is written where
  /// nothing stands in the way.
  var usualDelay = TimeSpan.minutes(10)
  /// From when on the event history is kept.
  var historyStart: Instant

  /// When the app was last installed anew; `nil` if it never was.
  var installedAnew: Instant? { installations.last?.instant }
  /// What the phone's clock showed then.
  var installedAnewShown: Instant? { installations.last?.shown }

  /// The new installation that took away what the app knew of insulin.
  ///
  /// - Parameters:
  ///   - end: When the insulin had been given.
  ///   - isInStore: Whether the health store has it, so that each new app might have read it there.
  /// - Returns: That installation; `nil` where none came after it.
  func installation(after end: Instant, isInStore: Bool) -> Installation? {
    isInStore
      ? installations.last { end <= $0.instant } : installations.first { end <= $0.instant }
  }

  /// The deletion that took a sample away.
  func deletion(of identifier: SyncIdentifier) -> Deletion? {
    deletions.last { $0.isOwn && $0.syncIdentifier == identifier }
  }

  /// The deletion of a sample of another source that covered exactly a stretch of time.
  func foreignDeletion(from start: Instant, to end: Instant) -> Deletion? {
    deletions.last { !$0.isOwn && $0.start == start && $0.end == end }
  }

  /// The deletion of a sample of another source, or of a dose that was logged in the app, from
  /// within an hour of an injection, to which none of the other injections is nearer.
  func deletionOfLog(of injection: Instant, among injections: [Instant]) -> Deletion? {
    deletions.last { deletion in
      let distance = (deletion.start - injection).magnitude
      return (!deletion.isOwn || deletion.start == deletion.end) && distance <= .hours(1)
        && !injections.contains { (deletion.start - $0).magnitude < distance }
    }
  }

  /// What another app wrote of insulin from within an hour of an injection, to which none of the
  /// other injections is nearer, and has not arrived.
  func undelivered(
    of injection: Instant, among injections: [Instant]
  ) -> UndeliveredSample? {
    undelivered.last { sample in
      let distance = (sample.start - injection).magnitude
      return distance <= .hours(1)
        && !injections.contains { (sample.start - $0).magnitude < distance }
    }
  }

  /// The log of an injection that was lost, or not taken: of as much, from within an hour of it,
  /// and none of the other injections is nearer.
  func lostLog(of injection: Instant, _ units: Double, among injections: [Instant]) -> LostLog? {
    lostLogs.last { log in
      let distance = (log.start - injection).magnitude
      return (log.units - units).magnitude <= ComparedRecords.tolerance && distance <= .hours(1)
        && !injections.contains { (log.start - $0).magnitude < distance }
    }
  }
}
