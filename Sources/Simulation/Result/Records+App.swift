internal import ClosedLoop
internal import Quantities

extension EventHistoryRecord {
  /// The record of an event as the app keeps it.
  init(_ event: HistoryEvent) {
    var rate: InsulinRate?
    var programmed: InsulinAmount?
    switch event.dose?.amount {
    case .unitsPerHour(let value): rate = InsulinRate(roundingUnitsPerHour: value)
    case .units(let value) where event.kind == .bolus:
      programmed = InsulinAmount(roundingUnits: value)
    default: break
    }
    self.init(
      instant: event.date, kind: event.kind, end: event.dose?.end ?? event.date, rate: rate,
      programmed: programmed,
      delivered: event.dose?.deliveredUnits.flatMap { InsulinAmount(roundingUnits: $0) },
      isAutomatic: event.dose?.isAutomatic ?? false, isMutable: event.isMutable,
      identifier: event.syncIdentifier)
  }
}
