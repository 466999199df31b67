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
      faults.delayed.append(.init(due: due, command: command))
      faults.unresolved.append(
        .init(command: command, event: nil, reported: .unknown, until: due))
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
    var unresolved = PumpFaults.Unresolved(
      command: command, event: nil, reported: uncertain.reported,
      until: now + max(uncertain.resolveAfter, .zero))
    defer { faults.unresolved.append(unresolved) }
    guard uncertain.trulyDelivered > 0 else {
      record(.commandDisturbed(command, .lost))
      return
    }
    let before = eventCount
    do throws(PumpError) {
      try execute(command)
    } catch {
      record(.commandDisturbed(command, .refusedLate(error)))
      return
    }
    let part = min(uncertain.trulyDelivered, 1)
    if case .startBolus = command, part < 1 { boluses.limit(to: part) }
    if eventCount != before {
      unresolved.event = PumpEvent.Identifier(serial: serial, number: eventCount)
    }
    if unresolved.reported != .unknown, unresolved.event != nil {
      faults.rewritten.append(unresolved)
    }
    record(.commandDisturbed(command, .replyLost(trulyDelivered: part)))
    if boluses.hasReachedLimit { endBolus(.interrupted) }
  }

  /// Whether a command has not been acknowledged and cannot be asked about yet.
  var deliveryIsUncertain: Bool { !faults.unresolved.isEmpty }

  /// Forgets what can be found out by now.
  mutating func resolve() {
    guard !faults.unresolved.isEmpty else { return }
    faults.unresolved.removeAll { $0.until <= now }
  }

  /// What the history says of an event, which is not always what happened; nothing when it is
  /// silent.
  func reported(_ event: PumpEvent) -> PumpEvent? {
    guard !faults.unresolved.isEmpty || !faults.rewritten.isEmpty else { return event }
    if faults.unresolved.contains(where: { $0.event == event.identifier }) { return nil }
    guard let rewritten = faults.rewritten.first(where: { $0.event == event.identifier })
    else { return event }
    guard rewritten.reported == .full else { return nil }
    var full = event
    if event.kind == .bolus { full.deliveredAmount = event.programmedAmount }
    return full
  }

  /// Books what a finished event's report hides or overstates.
  mutating func bookReport(of event: PumpEvent) {
    guard let rewritten = faults.rewritten.first(where: { $0.event == event.identifier }),
      let delivered = event.deliveredAmount
    else { return }
    switch rewritten.reported {
    case .full where event.kind == .bolus:
      accounts.reporting.overstated += (event.programmedAmount ?? delivered) - delivered
    case .none: accounts.reporting.hidden += delivered
    default: break
    }
  }

  /// Loses the events that finished since an instant.
  mutating func dropHistory(since instant: Instant) {
    for event in history.finished where event.end >= instant {
      guard event.kind == .bolus || event.kind == .tempBasal else { continue }
      accounts.reporting.hidden += event.deliveredAmount ?? .zero
    }
    history.finished.removeAll { $0.end >= instant }
  }
}
