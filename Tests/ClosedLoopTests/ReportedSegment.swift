import HealthStore
import Quantities

@testable import ClosedLoop

/// A basal segment that is over, as it stands among the app's deliveries.
struct ReportedSegment: Equatable {
  var start: Instant
  var end: Instant
  var kind: DoseEntry.Kind
  var rate: InsulinRate
  var units: InsulinAmount
  var syncIdentifier: SyncIdentifier
  var writtenAt: Instant?
}

extension InsulinRecords {
  /// The basal segments that are over, by start.
  var segments: [ReportedSegment] {
    delivery.rows.compactMap { row in
      let dose = row.dose
      guard row.isActive, !dose.isMutable, dose.isBasalKind,
        let rate = InsulinRate(roundingUnitsPerHour: dose.unitsPerHour),
        let units = InsulinAmount(roundingUnits: dose.deliveredUnits ?? 0)
      else { return nil }
      return ReportedSegment(
        start: dose.start, end: dose.end, kind: dose.kind, rate: rate, units: units,
        syncIdentifier: row.syncIdentifier, writtenAt: row.writtenAt)
    }
  }
}

extension LoopApp {
  /// The basal segments that are over, by start.
  var segments: [ReportedSegment] { insulin.segments }
}
