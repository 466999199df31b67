public import Devices
internal import Dosing
internal import HealthStore
public import Quantities

/// What the devices say to the app.
extension LoopApp {
  /// Takes in a value of the CGM.
  ///
  /// A value the sensor itself calls unreliable is not stored, and stops automatic dosing until a
  /// reliable one comes.
  public mutating func ingest(_ reading: GlucoseReading, at now: Instant) {
    glucose.take(reading, at: now)
  }

  /// Takes in what the pump said when it was read, and the pulses it counted since.
  ///
  /// Running events replace those of the last report. Beside them the app learns the basal pulses
  /// that the pump counted since it was last read. While insulin follows from the
  /// reservoir the events are listed all the same, but the history does not count as read.
  public mutating func ingest(
    _ report: PumpReport, pulses: [CountedPulses], at now: Instant
  ) {
    pump.read(
      report, pulses: pulses, therapies, reportedUntil: insulin.reporter.reportedUntil, at: now)
    follow(pumpOn: report.status.zone, at: now)
  }

  /// Schedules that keep the pump's offset from UTC follow the clock that it says it has, however
  /// that was set: the reply to the command may have been lost, or the app restored as it was
  /// before (Loop, `DeviceDataManager.swift`, `pumpManager(_:didUpdate:oldStatus:)`).
  private mutating func follow(pumpOn clock: WallClock, at now: Instant) {
    guard configuration.scheduleZone == .fixedOffset,
      clock.offset(at: now) != therapies.basal.clock.offset(at: now)
    else { return }
    therapies.follow(clock, from: now)
  }

  /// The phone is in a zone, whose clock the schedules follow from now on if they follow the
  /// phone's.
  public mutating func follow(phoneOn clock: WallClock, at now: Instant) {
    guard configuration.scheduleZone == .wallClock, therapies.basal.clock != clock else { return }
    therapies.follow(clock, from: now)
  }

  /// Learns what became of a command.
  ///
  /// A command without a reply blocks dosing until the pump has been read again; until then a bolus
  /// counts as given.
  public mutating func acknowledge(
    _ command: PumpCommand, result: Result<Void, PumpError>, at now: Instant
  ) {
    pump.note(command, result, at: now)
    guard case .success = result else { return }
    switch command {
    case .replaceSchedule(let schedule):
      therapies.replaceBasal(with: schedule, from: now)
    case .setClock(let clock) where configuration.scheduleZone == .fixedOffset:
      therapies.follow(clock, from: now)
    default: break
    }
  }
}
