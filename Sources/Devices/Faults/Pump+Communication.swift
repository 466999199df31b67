import Quantities

extension Pump {
  /// Lets faults keep a command from being carried out as asked.
  ///
  /// - Returns: Whether the command has been dealt with.
  mutating func disturb(_ command: PumpCommand) throws(PumpError) -> Bool {
    if let loss = faults.communicationLoss {
      guard case .late(let latency) = loss.commands else {
        record(.commandDisturbed(command, .lost))
        throw .noCommunication
      }
      let due = now + max(latency, .milliseconds(1))
      faults.delay(command, until: due)
      history.leaveOpen(until: due)
      record(.commandDisturbed(command, .delayed(until: due)))
      throw .uncertainDelivery(command)
    }
    if faults.rejects(command.name) {
      record(.commandDisturbed(command, .rejected))
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
      history.leaveOpen(until: until)
      record(.commandDisturbed(command, .lost))
      return
    }
    let before = history.latest
    do throws(PumpError) {
      try execute(command)
    } catch {
      history.leaveOpen(until: until)
      record(.commandDisturbed(command, .refusedLate(error)))
      return
    }
    let part = min(uncertain.trulyDelivered, 1)
    if case .startBolus = command, part < 1 { boluses.limit(to: part) }
    let event = history.latest == before ? nil : history.latest
    history.leaveOpen(event, reported: uncertain.reported, until: until)
    record(.commandDisturbed(command, .replyLost(trulyDelivered: part)))
    if boluses.hasReachedLimit { endBolus(.interrupted) }
  }
}
