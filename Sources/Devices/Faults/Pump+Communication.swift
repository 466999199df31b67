import Quantities

extension Pump {
  /// Lets faults keep a command from being carried out as asked.
  ///
  /// - Returns: Whether the command has been dealt with.
  mutating func disturb(_ command: PumpCommand) throws(PumpError) -> Bool {
    if let loss = faults.communicationLoss {
      guard case .late(let latency) = loss.commands else {
        delivery.record(.commandDisturbed(command, .lost))
        throw .noCommunication
      }
      let due = now + max(latency, .milliseconds(1))
      faults.delay(command, until: due)
      delivery.history.leaveOpen(until: due)
      delivery.record(.commandDisturbed(command, .delayed(until: due)))
      throw .uncertainDelivery(command)
    }
    if faults.rejects(command.name) {
      delivery.record(.commandDisturbed(command, .rejected))
      throw .rejected(command)
    }
    guard let uncertain = faults.uncertainDelivery else { return false }
    loseReply(to: command, uncertain)
    throw .uncertainDelivery(command)
  }

  /// Carries a command out, or a part of it, without telling anyone.
  private mutating func loseReply(to command: PumpCommand, _ uncertain: UncertainDelivery) {
    let until = now + max(uncertain.resolveAfter, .zero)
    guard uncertain.trulyDelivered > 0 else {
      delivery.history.leaveOpen(until: until)
      delivery.record(.commandDisturbed(command, .lost))
      return
    }
    let before = delivery.history.latest
    do throws(PumpError) {
      try execute(command)
    } catch {
      delivery.history.leaveOpen(until: until)
      delivery.record(.commandDisturbed(command, .refusedLate(error)))
      return
    }
    let part = min(uncertain.trulyDelivered, 1)
    if case .startBolus = command, part < 1 { delivery.limitBolus(to: part) }
    let event = delivery.history.latest == before ? nil : delivery.history.latest
    delivery.history.leaveOpen(event, reported: uncertain.reported, until: until)
    delivery.record(.commandDisturbed(command, .replyLost(trulyDelivered: part)))
    if delivery.boluses.hasReachedLimit { delivery.endBolus(.interrupted) }
  }
}
