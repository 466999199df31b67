import Quantities

extension Pump {
  /// Runs the schedule from now on.
  mutating func startSchedule(resuming: Bool = false) {
    let scheduled = scheduledRate(at: now)
    begin(BasalProgram(kind: .scheduled, start: now, rate: scheduled))
    nextEntry = clock.nextEntry(of: schedule, after: now)
    let isOnGrid =
      switch profile.residualRule {
      case .scheduleGrid: true
      case .carry: false
      default: resuming && profile.resumesOnScheduleGrid
      }
    if isOnGrid { alignToGrid(of: scheduled) }
  }

  /// Makes a program the running one.
  mutating func begin(_ next: BasalProgram) {
    assert(next.rate >= .zero, "A basal rate cannot be negative.")
    assert(next.end.map { $0 >= next.start } ?? true, "A program ends after it begins.")
    program = next
    rate = next.rate
    nextEntry = nil
    record(.basalStarted(next))
  }

  /// Ends the running program, with what the residual rule says about the fraction of a pulse.
  mutating func endProgram(_ reason: BasalProgramEnd, dropping: Bool = false) {
    let discarded = dropping || discards(at: reason) ? discardFraction() : .zero
    finishEvent(of: program)
    record(.basalEnded(program, reason, discarded: discarded))
  }

  private func discards(at reason: BasalProgramEnd) -> Bool {
    switch profile.residualRule {
    case .resetOnCommand, .resetOnRateChange, .resetOnEverySegment, .scheduleGrid: true
    case .carry: false
    case .resetOnTempStart: reason == .replaced || reason == .suspended || reason == .alarm
    }
  }

  /// Forgets the fraction of a pulse, in the ledger's sight.
  @discardableResult
  mutating func discardFraction() -> AccruedInsulin {
    let fraction = accumulator.discard()
    guard fraction > .zero else { return .zero }
    accounts.basal.discarded += fraction
    accounts.basal.discards += 1
    return fraction
  }

  /// Stands where the schedule's entry would stand if it had run all along (rule R4).
  ///
  /// A fraction that is still there is forgotten first, in the ledger's sight.
  mutating func alignToGrid(of rate: InsulinRate) {
    discardFraction()
    accumulator.align(to: rate, runningFor: clock.timeSinceEntry(of: schedule, at: now))
    accounts.basal.anticipated += accumulator.pending
  }

  /// Stops everything for an alarm, or gives a warning.
  ///
  /// - Parameters:
  ///   - alarm: What is raised.
  ///   - fault: The fault that holds the alarm up until it ends; `nil` for the pump's own.
  mutating func raise(_ alarm: PumpAlarm, heldBy fault: String? = nil) {
    addEvent(.alarm(alarm))
    record(.alarm(alarm))
    guard alarm.stopsDelivery else { return }
    guard stoppingAlarms.add(alarm, heldBy: fault, whileSuspended: isSuspended) else { return }
    endBolus(.alarm)
    endProgram(.alarm)
    begin(BasalProgram(kind: .stopped(alarm), start: now))
  }
}
