public import Quantities

extension Pump {
  /// When the commands reach the pump that a fault holds up, in the order in which they were sent.
  public var arrivalsOfCommands: [Instant] { faults.arrivals }

  /// The number of the command that a fault held up last; they count from 1.
  package var latestHeldUp: Int { faults.latestDelayed }

  /// Whether the command of a number has not reached the pump, and may.
  package func isHeldUp(_ number: Int) -> Bool { faults.isDelayed(number) }

  /// The event that the command of a number made when it reached the pump; `nil` where it has not,
  /// or made none.
  package func event(madeByHeldUp number: Int) -> PumpEvent.Identifier? { faults.made[number] }

  /// When a command reaches the pump that sets its clock and that a fault holds up; `nil` for none.
  public var arrivalOfClock: Instant? { faults.arrivalOfClock }

  /// Lets faults keep a command from being carried out as asked.
  ///
  /// What a person does with the pump's own buttons is not lost on the way, nor is the reply.
  ///
  /// - Returns: Whether the command has been dealt with.
  mutating func disturb(_ command: PumpCommand, isByHand: Bool) throws(PumpError) -> Bool {
    if !isByHand, let commands = faults.commandsWithoutContact {
      guard case .late(let latency) = commands else {
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
    guard !isByHand, let uncertain = faults.uncertainDelivery else { return false }
    loseReply(to: command, uncertain)
    throw .uncertainDelivery(command)
  }

  /// Carries a command out, or a part of it, without telling anyone.
  private mutating func loseReply(to command: PumpCommand, _ uncertain: UncertainDelivery) {
    let until = now + max(uncertain.resolveAfter, .zero)
    guard uncertain.trulyDelivered > 0 else {
      let told = uncertain.reported == .full ? tellOfBolus(command) : nil
      delivery.history.leaveOpen(told, until: until)
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

  /// Enters a bolus in the history as given of which nothing is given, if the pump would take it.
  private mutating func tellOfBolus(_ command: PumpCommand) -> PumpEvent.Identifier? {
    guard case .startBolus = command else { return nil }
    var carriedOut = self
    guard (try? carriedOut.execute(command)) != nil, var bolus = carriedOut.bolus else {
      return nil
    }
    assert(bolus.delivered == .zero, "A bolus that has just begun has given nothing.")
    (bolus.end, bolus.outcome) = (now, .interrupted)
    bolus.event = delivery.history.nextIdentifier()
    delivery.history.rewrite(bolus.event, as: .full)
    delivery.history.add(bolus)
    return bolus.event
  }
}
