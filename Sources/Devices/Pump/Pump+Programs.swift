import Quantities

extension Pump {
  /// Runs the schedule from now on.
  mutating func startSchedule(resuming: Bool = false) {
    basal.follow(timetable, at: now, resuming: resuming)
    record(.basalStarted(program))
  }

  /// Makes a program the running one.
  mutating func begin(_ next: BasalProgram) {
    basal.begin(next)
    record(.basalStarted(next))
  }

  /// Ends the running program, with what the residual rule says about the fraction of a pulse.
  mutating func endProgram(_ reason: BasalProgramEnd, dropping: Bool = false) {
    let discarded = basal.end(reason, dropping: dropping)
    history.add(program, endedAt: now)
    record(.basalEnded(program, reason, discarded: discarded))
  }

  /// Stops everything for an alarm, or gives a warning.
  ///
  /// - Parameters:
  ///   - alarm: What is raised.
  ///   - fault: The fault that holds the alarm up until it ends; `nil` for the pump's own.
  mutating func raise(_ alarm: PumpAlarm, heldBy fault: String? = nil) {
    history.add(.alarm(alarm), at: now)
    record(.alarm(alarm))
    guard alarm.stopsDelivery else { return }
    guard stoppingAlarms.add(alarm, heldBy: fault, whileSuspended: isSuspended) else { return }
    endBolus(.alarm)
    endProgram(.alarm)
    begin(BasalProgram(kind: .stopped(alarm), start: now))
  }
}
