public import Quantities

extension Pump {
  /// Clears an alarm and returns to the schedule, or to a suspension before it; no effect when no
  /// alarm has stopped the pump.
  ///
  /// A pump that has expired stays stopped: it must be replaced.
  public mutating func clearAlarm(at instant: Instant) throws(PumpError) {
    try begin(at: instant)
    guard let alarm = activeAlarm else { return }
    if stoppingAlarms.haveExpired { throw .stopped(.expired) }
    restart(after: alarm)
  }

  /// Puts a new reservoir or pod on, primes it, and returns to the schedule.
  ///
  /// What was left in the old one is gone. Alarms are cleared, and the age starts anew. What became
  /// of commands that a pod has not acknowledged is thrown away with it, and the next pod runs the
  /// schedule where its owner was never told of a suspension.
  public mutating func replaceReservoir(
    with amount: InsulinAmount? = nil, at instant: Instant
  ) throws(PumpError) {
    try begin(at: instant)
    endBolus(.suspended)
    let filled = max(amount ?? profile.reservoirCapacity, .zero)
    supply.replace(with: filled)
    history.add(.rewind, at: now)
    record(.reservoirReplaced(filled))
    prime(min(profile.primeAmount, filled))
    supply.skipWarnings()
    age.restart(at: now)
    if let alarm = activeAlarm {
      restart(after: alarm)
    } else if !isSuspended || (profile.isPatchPump && history.isUnresolved(program.event)) {
      endProgram(.cleared)
      startSchedule()
    }
    if profile.isPatchPump { throwAwayUnresolved() }
  }

  /// Throws away what became of the commands that have not been acknowledged.
  private mutating func throwAwayUnresolved() {
    for command in faults.takeAllDelayed() { record(.commandDisturbed(command, .lost)) }
    history.loseUnresolved()
  }

  /// Fills tubing or cannula from the reservoir; nothing of it reaches the body.
  public mutating func prime(_ amount: InsulinAmount, at instant: Instant) throws(PumpError) {
    try begin(at: instant)
    prime(min(max(amount, .zero), reservoir))
  }

  private mutating func begin(at instant: Instant) throws(PumpError) {
    guard instant >= now else { throw .inThePast(instant, now: now) }
    run(until: instant)
  }

  private mutating func prime(_ amount: InsulinAmount) {
    guard amount > .zero else { return }
    supply.prime(amount)
    history.add(.prime, amount: amount, at: now)
    record(.primed(amount))
  }

  /// Clears all alarms, and runs the schedule again; delivery that was suspended stays so.
  mutating func restart(after alarm: PumpAlarm) {
    stoppingAlarms.clearAll()
    history.add(.alarmCleared, at: now)
    record(.alarmCleared(alarm))
    endProgram(.cleared)
    if stoppingAlarms.cameWhileSuspended {
      begin(BasalProgram(kind: .suspended, start: now))
    } else {
      startSchedule()
    }
  }
}
