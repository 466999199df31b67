public import Devices
internal import Dosing
internal import HealthStore
public import Quantities

extension LoopApp {
  /// Takes in a value of the CGM.
  ///
  /// A value the sensor itself calls unreliable is not stored, and stops automatic dosing until a
  /// reliable one comes.
  public mutating func ingest(_ reading: GlucoseReading, at now: Instant) {
    knownGlucose.take(reading, at: now)
  }

  /// Takes in what the pump said when it was read, and the pulses it counted since.
  ///
  /// Running events replace those of the last report. Beside them the app learns the basal pulses
  /// that the pump counted since it was last read. While insulin follows from the
  /// reservoir the events are listed all the same, but the history does not count as read.
  public mutating func ingest(
    _ report: PumpReport, pulses: [CountedPulses], at now: Instant
  ) {
    pump.note(pulses)
    settleUncertainCommands(by: report.status, at: now)
    let followsLevel = configuration.insulinDataSource == .reservoir
    pump.takeReservoir(report, keepsLevel: followsLevel)
    let readsHistory =
      !followsLevel || report.reservoir.amount == nil
      || !pump.reservoirIsContinuous(at: report.completeThrough, therapies.current)
    pump.take(report, insulin: therapies.current.insulinType, readsHistory: readsHistory, at: now)
    pump.refreshPrograms(reportedUntil: insulin.reporter.reportedUntil)
  }

  /// Notes the basal pulses the pump counted, where the pump's report comes later.
  public mutating func note(_ pulses: [CountedPulses]) { pump.note(pulses) }

  /// Learns what became of a command.
  ///
  /// A command without a reply blocks dosing until the pump has been read again; until then a bolus
  /// counts as given.
  public mutating func acknowledge(
    _ command: PumpCommand, result: Result<Void, PumpError>, at now: Instant
  ) {
    switch result {
    case .success:
      switch command {
      case .startTempBasal(let rate, _, _):
        pump.noteTempBasal(rate, at: now)
      case .replaceSchedule(let schedule):
        therapies.replaceBasal(
          with: schedule, from: now, on: configuration.scheduleClock(savedAt: now))
      default: break
      }
    case .failure(.uncertainDelivery):
      pump.noteUncertain(command, at: now)
    case .failure: break
    }
  }

  /// Settles the commands without a reply for good, once another pod has taken the place of the one
  /// they were sent to, which can no longer be asked.
  ///
  /// A bolus counts as given, and so does a temp basal above the schedule; a temp basal below it,
  /// and a command to stop, count as failed (OmniBLE, `PodCommsSession.swift`).
  private mutating func settleUncertainCommands(by status: PumpStatus, at now: Instant) {
    let assumed = pump.takeUncertain(replacedBy: status).compactMap { pending in
      HistoryEvent(
        assumed: pending, until: status.podActivation ?? now,
        scheduled: scheduledRate(at: pending.instant), insulin: therapies.current.insulinType)
    }
    if !assumed.isEmpty { pump.assume(assumed, at: now) }
  }
}
