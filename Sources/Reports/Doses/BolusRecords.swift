internal import ClosedLoop
internal import HealthStore
internal import Simulation

/// What event history, app and health store have of boluses, by their identifiers.
///
/// Of several records with one identifier it is the first. A search through the records for each
/// bolus would cost the square of a long run.
struct BolusRecords: Sendable {
  private let run: RunResult
  // Places in the lists of the run.
  private var events: [SyncIdentifier: Int] = [:]
  private var deliveries: [SyncIdentifier: Int] = [:]
  private var samples: [SyncIdentifier: Int] = [:]

  init(of run: RunResult) {
    self.run = run
    for index in run.eventHistory.indices {
      Self.note(run.eventHistory[index].identifier, at: index, in: &events)
    }
    for index in run.insulinDelivery.indices where run.insulinDelivery[index].kind == .bolus {
      Self.note(run.insulinDelivery[index].identifier, at: index, in: &deliveries)
    }
    for index in run.insulinSamples.indices {
      let sample = run.insulinSamples[index]
      guard sample.isOwn, !sample.isBasal, let identifier = sample.syncIdentifier else { continue }
      Self.note(identifier, at: index, in: &samples)
    }
  }

  private static func note(
    _ identifier: SyncIdentifier, at index: Int, in places: inout [SyncIdentifier: Int]
  ) {
    if places[identifier] == nil { places[identifier] = index }
  }

  /// What the event history tells of a bolus.
  func event(_ identifier: SyncIdentifier) -> EventHistoryRecord? {
    events[identifier].map { run.eventHistory[$0] }
  }

  /// What the app counts of a bolus.
  func delivery(_ identifier: SyncIdentifier) -> InsulinDeliveryRecord? {
    deliveries[identifier].map { run.insulinDelivery[$0] }
  }

  /// The app's own sample of a bolus.
  func sample(_ identifier: SyncIdentifier) -> InsulinSampleRecord? {
    samples[identifier].map { run.insulinSamples[$0] }
  }
}
