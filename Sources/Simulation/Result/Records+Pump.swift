internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

extension PumpBolusRecord {
  /// The record of a bolus as the pump knows it now.
  init(_ bolus: BolusDelivery, isRunning: Bool) {
    self.init(
      identifier: SyncIdentifier(bolus.event), start: bolus.start, end: bolus.end,
      asked: bolus.asked,
      delivered: bolus.delivered, isAutomatic: bolus.isAutomatic, isRunning: isRunning)
  }
}

extension PumpProgramRecord {
  /// The record of a basal program that ran up to an instant.
  init(_ program: BasalProgram, end: Instant) {
    let kind: Kind =
      switch program.kind {
      case .scheduled: .scheduled
      case .tempBasal: .tempBasal
      case .suspended: .suspended
      case .stopped: .stopped
      }
    self.init(
      start: program.start, end: end, kind: kind, rate: program.rate,
      isAutomatic: program.isAutomatic, delivered: program.delivered)
  }
}
