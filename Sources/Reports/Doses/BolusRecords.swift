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
  private let events: [SyncIdentifier: Int]
  private let deliveries: [SyncIdentifier: Int]
  private let samples: [SyncIdentifier: Int]

  init(of run: RunResult) {
    self.run = run
    events = Self.places(in: run.eventHistory) { $0.identifier }
    deliveries = Self.places(in: run.insulinDelivery) { $0.kind == .bolus ? $0.identifier : nil }
    samples = Self.places(in: run.insulinSamples) {
      $0.isOwn && !$0.isBasal ? $0.syncIdentifier : nil
    }
  }

  /// Where the first record of each identifier is in a list.
  private static func places<Record>(
    in list: [Record], of identifier: (Record) -> SyncIdentifier?
  ) -> [SyncIdentifier: Int] {
    var places: [SyncIdentifier: Int] = [:]
    for (index, record) in list.enumerated() {
      if let identifier = identifier(record), places[identifier] == nil {
        places[identifier] = index
      }
    }
    return places
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
