import Quantities

/// The way of insulin from a pump to the body, with an account of every difference on it by name.
struct InsulinPath: Hashable, Sendable {
  private(set) var account = BodyLedger()
  private let pulse: InsulinAmount

  /// Creates the way from a pump that gives multiples of `pulse`.
  init(pulse: InsulinAmount) { self.pulse = pulse }

  /// Sends pulses that the pump counts.
  ///
  /// - Returns: What of them reaches the body now, and what waits.
  mutating func send(
    _ amount: InsulinAmount, as kind: PumpPulse.Kind, through faults: inout PumpFaults,
    at now: Instant
  ) -> PumpPulse {
    account.recorded += PhysicalInsulin(amount)
    var pulse = carry(PhysicalInsulin(amount), as: kind, through: &faults, at: now)
    pulse.recorded = amount
    return pulse
  }

  /// Sends what the pump gives without a command.
  ///
  /// - Returns: What of it reaches the body now, and what waits.
  mutating func sendUnrequested(
    _ amount: InsulinAmount, through faults: inout PumpFaults, at now: Instant
  ) -> PumpPulse {
    account.unrequested += PhysicalInsulin(amount)
    return carry(PhysicalInsulin(amount), as: .unrequested, through: &faults, at: now)
  }

  private mutating func carry(
    _ sent: PhysicalInsulin, as kind: PumpPulse.Kind, through faults: inout PumpFaults,
    at now: Instant
  ) -> PumpPulse {
    let before = account.heldBack
    var flow = sent
    if !faults.active.isEmpty {
      faults.forEach(onTheWay: { fault in
        let leaked = fault.leaked(of: flow)
        account[.leak] += leaked
        flow = flow - leaked
        let through = fault.pass(flow, as: kind, of: pulse, at: now)
        if let difference = through.difference {
          account.note(flow - through.flow, for: difference)
        } else {
          account.heldBack += flow - through.flow
        }
        flow = through.flow
      })
    }
    assert(
      flow >= .zero || !faults.active.isEmpty,
      "Without a fault a pump gives the body no less than nothing.")
    account.absorbed += flow
    return PumpPulse(
      kind: kind, recorded: .zero, measured: sent, physical: flow,
      heldBack: account.heldBack - before)
  }

  /// Lets a part of what an occlusion held back into the body, and loses the rest.
  ///
  /// - Returns: What reaches the body, and that all of it waits no more.
  mutating func release(_ held: PhysicalInsulin, fraction: Double) -> PumpPulse {
    assert(held > .zero, "What is let go was held back.")
    let free = min(held, held.scaled(by: fraction))
    assert(free <= held, "No more is released than was held back.")
    account.heldBack = account.heldBack - held
    account[.occlusion] += held - free
    account.absorbed += free
    return PumpPulse(kind: .release, recorded: .zero, physical: free, heldBack: .zero - held)
  }
}
