public import Quantities

extension Pump {
  /// Clears an alarm and returns to the schedule, or to a suspension before it; no effect when no
  /// alarm has stopped the pump.
  ///
  /// Of several alarms all are cleared, or none. Of an occlusion that is still there the pump
  /// alarms anew. A pump that has expired stays stopped until it is replaced, and one whose battery
  /// is empty until the battery is changed, which ends the fault, or the pump is replaced.
  public mutating func clearAlarm(at instant: Instant) throws(PumpError) {
    try begin(at: instant)
    guard activeAlarm != nil else { return }
    if let lasting = delivery.alarms.firstToStay { throw .stopped(lasting) }
    delivery.restart()
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
  ///
  /// - Parameters:
  ///   - amount: What the new one holds; full when not given.
  ///   - keepsPump: Whether a pump with a tube is the same as before, and not replaced with its
  ///     reservoir: one whose battery is empty takes none.
  ///   - instant: When that is.
  /// - Throws: ``PumpError`` where the pump does not take it.
  public mutating func replaceReservoir(
    with amount: InsulinAmount? = nil, keepsPump: Bool = false, at instant: Instant
  ) throws(PumpError) {
    try begin(at: instant)
    if keepsPump, !profile.isPatchPump { try requireBattery() }
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
    try requireBattery()
    delivery.prime(min(max(amount, .zero), reservoir))
  }

  /// Refuses what a motor is needed for while the battery is empty.
  private func requireBattery() throws(PumpError) {
    if delivery.alarms.all.contains(.batteryDepleted) { throw .stopped(.batteryDepleted) }
  }

  private mutating func begin(at instant: Instant) throws(PumpError) {
    guard instant >= now else { throw .inThePast(instant, now: now) }
    run(until: instant)
  }
}
