import Quantities

extension Pump {
  /// Gives whole pulses now: counts them, takes them from the reservoir, and sends them to the
  /// body.
  mutating func give(_ amount: InsulinAmount, as kind: PumpPulse.Kind) {
    assert(amount.milliunits % profile.pulse.milliunits == 0, "A pump gives whole pulses.")
    supply.take(amount)
    switch kind {
    case .basal:
      accounts.basal.delivered += amount
      basalLog.append(amount, at: now)
      program.delivered += amount
    default:
      accounts.boluses.delivered += amount
      bolusLog.append(amount, at: now)
      bolus?.delivered += amount
    }
    accounts.body.recorded += PhysicalInsulin(amount)
    let physical = sendToBody(PhysicalInsulin(amount), as: kind)
    record(.pulse(PumpPulse(kind: kind, recorded: amount, physical: physical)))
    if let level = supply.takeWarning() { raise(.lowReservoir(level)) }
  }

  // MARK: - Boluses

  /// The number of pulses of a bolus.
  private func pulseCount(of bolus: BolusDelivery) -> Int64 {
    bolus.asked.milliunits / profile.pulse.milliunits
  }

  /// When the next pulse of the running bolus is due.
  ///
  /// Pulses closer together than a second are given once a second.
  var nextBolusPulse: Instant? {
    guard let bolus else { return nil }
    let count = pulseCount(of: bolus)
    assert(count > 0, "A bolus that runs has a pulse or more.")
    let given = bolus.delivered.milliunits / profile.pulse.milliunits
    let total = bolusDuration.milliseconds
    var due = ((given + 1) * total + count - 1) / count
    if total < count * 1_000 { due = min(total, (due + 999) / 1_000 * 1_000) }
    return bolus.start + .milliseconds(due)
  }

  mutating func giveBolusPulses() {
    guard let running = bolus, let next = nextBolusPulse, next <= now else { return }
    let count = pulseCount(of: running)
    let elapsed = (now - running.start).milliseconds
    let total = bolusDuration.milliseconds
    assert(elapsed >= 0, "A bolus that runs has begun.")
    let reached = total == 0 ? count : min(count, elapsed * count / total)
    let due = reached - running.delivered.milliunits / profile.pulse.milliunits
    let given = supply.pulses(atMost: due, of: profile.pulse)
    if given > 0 { give(profile.pulse * given, as: .bolus) }
    if let bolus, let limit = faults.bolusLimit, bolus.delivered >= limit {
      endBolus(.interrupted)
    } else if given < due {
      raise(.reservoirEmpty)
    } else if let bolus, bolus.remaining == .zero {
      endBolus(.completed)
    }
  }

  /// Ends the running bolus, if there is one.
  mutating func endBolus(_ outcome: BolusDelivery.Outcome) {
    guard var ended = bolus else { return }
    bolus = nil
    faults.bolusLimit = nil
    ended.end = now
    ended.outcome = outcome
    switch outcome {
    case .cancelled, .suspended: accounts.boluses.cancelled += ended.remaining
    default: accounts.boluses.lost += ended.remaining
    }
    assert(ended.delivered <= ended.asked, "A bolus gives no more than was asked for.")
    assert(outcome != .running, "A bolus that ends no longer runs.")
    finishEvent(of: ended)
    record(.bolusEnded(ended))
  }
}
