import Quantities

extension Pump {
  /// Gives whole pulses now: counts them, takes them from the reservoir, and sends them to the
  /// body.
  mutating func give(_ amount: InsulinAmount, as kind: PumpPulse.Kind) {
    assert(amount.milliunits % profile.pulse.milliunits == 0, "A pump gives whole pulses.")
    supply.take(amount)
    switch kind {
    case .basal:
      basal.count(amount, at: now)
    default:
      boluses.count(amount, at: now)
    }
    let physical = path.send(amount, as: kind, through: &faults, at: now)
    record(.pulse(PumpPulse(kind: kind, recorded: amount, physical: physical)))
    if let level = supply.takeWarning() { raise(.lowReservoir(level)) }
  }

  /// Gives the basal pulses that are due, as far as the reservoir has insulin for them.
  mutating func giveBasalPulses() {
    let due = basal.takePulses(at: now, activation: activation)
    guard due > 0 else { return }
    let given = supply.pulses(atMost: due, of: profile.pulse)
    assert(given >= 0, "A reservoir holds no less than nothing.")
    assert(given <= due, "A pump gives no pulse that is not due.")
    if given > 0 { give(profile.pulse * given, as: .basal) }
    guard given < due else { return }
    basal.lose(due - given)
    raise(.reservoirEmpty)
  }

  /// Gives the pulses of the running bolus that are due, and ends it with its last one.
  mutating func giveBolusPulses() {
    guard let due = boluses.pulsesDue(at: now) else { return }
    let given = supply.pulses(atMost: due, of: profile.pulse)
    if given > 0 { give(profile.pulse * given, as: .bolus) }
    if boluses.hasReachedLimit {
      endBolus(.interrupted)
    } else if given < due {
      raise(.reservoirEmpty)
    } else if let bolus, bolus.remaining == .zero {
      endBolus(.completed)
    }
  }

  /// Ends the running bolus, if there is one.
  mutating func endBolus(_ outcome: BolusDelivery.Outcome) {
    guard let ended = boluses.end(outcome, at: now) else { return }
    history.add(ended)
    record(.bolusEnded(ended))
  }
}
