internal import ClosedLoop
internal import Devices
internal import HealthStore
package import Quantities

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
      isAutomatic: program.isAutomatic, delivered: program.delivered,
      percent: kind == .tempBasal ? program.percent.map(Int.init) : nil)
  }

  /// Whether its rate changes with the schedule.
  package var followsSchedule: Bool { kind == .scheduled || percent != nil }

  /// What it runs while the schedule has a rate, where it follows the schedule.
  package func rate(beside scheduled: InsulinRate) -> InsulinRate {
    percent.map { scheduled.scaled(toPercent: Int64($0)) } ?? scheduled
  }
}
