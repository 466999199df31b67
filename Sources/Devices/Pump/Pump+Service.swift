public import Quantities

extension Pump {
  /// Clears an alarm and returns to the schedule, or to a suspension before it; no effect when no
  /// alarm has stopped the pump.
  ///
  /// Of an occlusion that is still there the pump alarms anew. A pump that has expired stays
  /// stopped: it must be replaced.
  public mutating func clearAlarm(at instant: Instant) throws(PumpError) {
    try begin(at: instant)
    guard let alarm = activeAlarm else { return }
    if delivery.alarms.haveExpired { throw .stopped(.expired) }
    delivery.restart(after: alarm)
    faults.rearmOcclusions(at: now)
    detectOcclusions()
  }

  /// Puts a new reservoir or pod on, primes it, and returns to the schedule.
  ///
  /// What was left in the old one is gone. Alarms are cleared, and the age starts anew. What became
  /// of commands that a pod has not acknowledged is thrown away with it, as is what an occlusion
  /// held back in it.
  ///
  /// A pod runs its schedule from the beginning, and whoever was told that the last one was
  /// suspended is told that delivery was resumed, as by OmniKit's `programInitialBasalSchedule`.
  /// Another pump that was suspended stays so.
  public mutating func replaceReservoir(
    with amount: InsulinAmount? = nil, at instant: Instant
  ) throws(PumpError) {
    try begin(at: instant)
    let tellsResumption = delivery.replaceReservoir(
      with: max(amount ?? profile.reservoirCapacity, .zero), priming: profile.primeAmount,
      isPod: profile.isPatchPump)
    faults.rearmOcclusions(at: now)
    guard profile.isPatchPump else { return detectOcclusions() }
    throwAwayUnresolved(isResumptionTold: tellsResumption)
    delivery.release(faults.takeHeldBack(), fraction: 0)
  }

  /// Throws away what became of the commands that have not been acknowledged.
  ///
  /// Whoever was told of a suspension and not of its end learns of the next pod that it delivers.
  private mutating func throwAwayUnresolved(isResumptionTold: Bool) {
    for command in faults.takeAllDelayed() {
      delivery.record(.commandDisturbed(command, .lost))
    }
    let hasLostResume = delivery.history.loseUnresolved()
    if hasLostResume, !isResumptionTold { delivery.history.add(.resume, at: now) }
  }

  /// Fills tubing or cannula from the reservoir; nothing of it reaches the body.
  public mutating func prime(_ amount: InsulinAmount, at instant: Instant) throws(PumpError) {
    try begin(at: instant)
    delivery.prime(min(max(amount, .zero), reservoir))
  }

  private mutating func begin(at instant: Instant) throws(PumpError) {
    guard instant >= now else { throw .inThePast(instant, now: now) }
    run(until: instant)
  }
}
