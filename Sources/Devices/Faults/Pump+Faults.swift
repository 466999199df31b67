public import Quantities

extension Pump {
  /// Starts a fault of a scenario, under an id that ends it later.
  ///
  /// The pump advances to the instant first; an instant that has passed means now. What follows is
  /// told by occurrences, and every difference between record and body is in the ledger by name.
  public mutating func begin(_ fault: PumpFault, id: String, at instant: Instant) {
    run(until: instant)
    record(.faultBegan(id))
    faults.begin(fault, id: id, at: now)
    switch fault {
    case .empty: supply.drain()
    case .alarm(let alarm): raise(alarm, heldBy: id)
    case .unrequested(let amount): giveUnrequested(amount)
    case .clockDrift: drift()
    case .clockError(let error):
      timetable.clock.jump(by: error, at: now)
      basal.clockDidJump(at: now)
    default: break
    }
  }

  /// Ends the faults of an id.
  ///
  /// An alarm that the fault raised is cleared, an occlusion lets go of what it is set to release,
  /// and a clock keeps the error it has gathered.
  public mutating func end(id: String, at instant: Instant) {
    run(until: instant)
    let ended = faults.end(id: id)
    guard !ended.isEmpty else { return }
    for one in ended { finish(one) }
    record(.faultEnded(id))
  }

  /// The ids of the faults at work, in the order they began.
  public var activeFaults: [String] { faults.active.map(\.id) }

  private mutating func finish(_ ended: ActivePumpFault) {
    switch ended.fault {
    case .occlusion(let occlusion):
      release(ended.heldBack, fraction: occlusion.releasedFraction)
      clearAlarm(heldBy: ended.id)
    case .alarm: clearAlarm(heldBy: ended.id)
    case .communicationLoss(let loss) where loss.history == .none:
      history.lose(since: ended.since)
    case .clockDrift: drift()
    default: break
    }
  }

  /// Clears the alarm that a fault holds up; the pump stays stopped while another one stops it.
  private mutating func clearAlarm(heldBy id: String) {
    switch stoppingAlarms.clear(heldBy: id) {
    case .nothing: break
    case .last(let alarm): restart(after: alarm)
    case .stillStopped(let alarm): basal.stand(by: alarm)
    }
  }

  /// The clock gains what all the faults at work make it gain.
  private mutating func drift() {
    timetable.clock.setDrift(faults.clockDriftPerDay, at: now)
    basal.clockDidChangePace(at: now, of: timetable)
  }

  /// What faults do by themselves at an instant.
  mutating func runFaults() {
    while let command = faults.takeDelayed(by: now) {
      do throws(PumpError) {
        try execute(command)
        record(.commandDisturbed(command, .carriedOut))
      } catch {
        record(.commandDisturbed(command, .refusedLate(error)))
      }
    }
    if profile.occlusionAlarmWaitsForBolus, bolus != nil { return }
    while let id = faults.takeDetectedOcclusion(at: now) { raise(.occlusion, heldBy: id) }
  }

  private mutating func giveUnrequested(_ amount: InsulinAmount) {
    let given = supply.takeUnrequested(amount, of: profile.pulse)
    guard given > .zero else { return }
    let physical = path.sendUnrequested(given, through: &faults, at: now)
    record(.pulse(PumpPulse(kind: .unrequested, recorded: .zero, physical: physical)))
  }

  /// Lets a part of what an occlusion held back into the body; the rest is lost.
  private mutating func release(_ held: PhysicalInsulin, fraction: Double) {
    let free = path.release(held, fraction: fraction)
    guard free > .zero else { return }
    record(.pulse(PumpPulse(kind: .release, recorded: .zero, physical: free)))
  }
}
