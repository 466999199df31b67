public import Quantities

/// What an app learns when it reads a pump.
public struct PumpReport: Hashable, Sendable {
  /// Finished events since the last report, then those still running, each group by start.
  public var events: [PumpEvent]
  /// The instant up to which the history is complete.
  public var completeThrough: Instant
  /// What the pump says is left.
  public var reservoir: ReservoirReading
  /// What it says it is doing.
  public var status: PumpStatus
}

/// What a pump says about itself at an instant.
public struct PumpStatus: Hashable, Sendable {
  /// When it says so.
  public var instant: Instant
  /// What the basal side does; nothing when an alarm has stopped it, or when nobody knows.
  public var program: BasalProgram?
  /// The bolus that runs; `nil` where none does.
  public var bolus: BolusDelivery?
  /// The alarm that stands; `nil` where none does.
  public var alarm: PumpAlarm?
  /// The offset from UTC of the pump's own clock.
  public var zone: WallClock
  /// Whether a command has not been acknowledged and nobody knows what became of it.
  public var deliveryIsUncertain: Bool
}

/// The part of a pump's history that has not been reported.
struct PumpHistory: Hashable, Sendable {
  var finished: [PumpEvent] = []
}

extension Pump {
  /// Reads the pump now: the events since the last report, the reservoir, and the status.
  ///
  /// Running events come as mutable ones, and come again until they have ended. Reading takes the
  /// finished events: an app stores what it is given.
  ///
  /// - Throws: ``PumpError/noCommunication`` while the pump cannot be reached.
  public mutating func report() throws(PumpError) -> PumpReport {
    if faults.communicationLoss != nil { throw .noCommunication }
    resolve()
    var events: [PumpEvent] = []
    if !history.finished.isEmpty {
      // Events of a command that nobody can ask about yet stay until somebody can.
      let waiting = faults.unresolved.compactMap(\.event)
      var kept: [PumpEvent] = []
      for event in history.finished {
        if waiting.contains(event.identifier) {
          kept.append(event)
        } else if let said = reported(event) {
          events.append(said)
        }
      }
      history.finished = kept
    }
    appendRunning(to: &events)
    if profile.stampsEventsWithOwnClock {
      for index in events.indices { events[index] = stamped(events[index]) }
    }
    return PumpReport(
      events: events, completeThrough: now, reservoir: reservoirReading, status: status)
  }

  /// What the pump would say about itself now.
  public var status: PumpStatus {
    let isKnown = activeAlarm == nil && !deliveryIsUncertain
    return PumpStatus(
      instant: now, program: isKnown ? program : nil, bolus: isKnown ? bolus : nil,
      alarm: activeAlarm, zone: zone, deliveryIsUncertain: deliveryIsUncertain)
  }

  /// Appends what is said of events that may still change: a running temp basal and a running
  /// bolus, by start.
  private func appendRunning(to events: inout [PumpEvent]) {
    let first = events.count
    if program.kind == .tempBasal, let running = event(of: program, isMutable: true),
      let said = reported(running)
    {
      events.append(said)
    }
    guard let bolus, let said = reported(event(of: bolus, isMutable: true)) else { return }
    let isBefore =
      events.count > first
      && (said.start, said.identifier) < (events[first].start, events[first].identifier)
    events.insert(said, at: isBefore ? first : events.count)
  }

  mutating func finishEvent(of ended: BasalProgram) {
    guard ended.kind == .tempBasal else { return }
    if let event = event(of: ended, isMutable: false) { finish(event) }
  }

  mutating func finishEvent(of ended: BolusDelivery) {
    finish(event(of: ended, isMutable: false))
  }

  private mutating func finish(_ event: PumpEvent) {
    bookReport(of: event)
    history.finished.append(event)
  }

  private func event(of program: BasalProgram, isMutable: Bool) -> PumpEvent? {
    guard let identifier = program.event else { return nil }
    return PumpEvent(
      identifier: identifier, kind: .tempBasal, start: program.start,
      end: isMutable ? program.end : now, programmedRate: program.rate,
      deliveredAmount: program.delivered, isAutomatic: program.isAutomatic,
      isMutable: isMutable)
  }

  private func event(of bolus: BolusDelivery, isMutable: Bool) -> PumpEvent {
    PumpEvent(
      identifier: bolus.event, kind: .bolus, start: bolus.start, end: bolus.end,
      programmedAmount: bolus.asked, deliveredAmount: bolus.delivered,
      isAutomatic: bolus.isAutomatic, isMutable: isMutable)
  }

  @discardableResult
  mutating func addEvent(
    _ kind: PumpEvent.Kind, amount: InsulinAmount? = nil
  ) -> PumpEvent.Identifier {
    let event = PumpEvent(
      identifier: nextIdentifier(), kind: kind, start: now, programmedAmount: amount,
      deliveredAmount: amount)
    history.finished.append(event)
    return event.identifier
  }

  mutating func nextIdentifier() -> PumpEvent.Identifier {
    eventCount &+= 1
    return PumpEvent.Identifier(serial: serial, number: eventCount)
  }

  /// The event with its times by the pump's own clock.
  private func stamped(_ event: PumpEvent) -> PumpEvent {
    var stamped = event
    stamped.start = timetable.clock.reading(at: event.start)
    stamped.end = timetable.clock.reading(at: event.end)
    return stamped
  }
}
