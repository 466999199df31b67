import Quantities

/// The history of a pump: the events that it has not reported yet, and what a report says of them,
/// which is not always what happened.
struct PumpHistory: Hashable, Sendable {
  /// A command that has not been acknowledged.
  private struct Unresolved: Hashable, Sendable {
    /// The event it made, if it was carried out.
    var event: PumpEvent.Identifier?
    /// When somebody can ask about it.
    var until: Instant
  }

  /// An event whose report is changed for good.
  private struct Rewritten: Hashable, Sendable {
    var event: PumpEvent.Identifier
    var reported: UncertainDelivery.Reported
  }

  /// The identifier that was given last; its number is 0 before the first.
  private(set) var latest: PumpEvent.Identifier
  /// What the reports hide and overstate.
  private(set) var account = DeliveryLedger.Reporting()
  /// The events of which no report tells, and none will.
  private(set) var hidden: Set<PumpEvent.Identifier> = []
  private var finished: [PumpEvent] = []
  private var unresolved: [Unresolved] = []
  private var rewritten: [Rewritten] = []

  /// Creates the history of the pump with a serial number.
  init(serial: UInt32) { latest = PumpEvent.Identifier(serial: serial, number: 0) }

  /// Gives the identifier of the next event.
  mutating func nextIdentifier() -> PumpEvent.Identifier {
    latest.number &+= 1
    return latest
  }

  /// Adds an event that takes no time.
  @discardableResult
  mutating func add(
    _ kind: PumpEvent.Kind, amount: InsulinAmount? = nil, at instant: Instant
  ) -> PumpEvent.Identifier {
    let identifier = nextIdentifier()
    finished.append(
      PumpEvent(
        identifier: identifier, kind: kind, start: instant, programmedAmount: amount,
        deliveredAmount: amount))
    return identifier
  }

  /// Adds an event to the next report that an earlier one may have told of.
  mutating func tellAgain(_ event: PumpEvent) {
    guard !finished.contains(where: { $0.kind == event.kind && $0.start == event.start })
    else { return }
    finished.append(event)
  }

  /// Adds a temp basal that ended at an instant; other programs are no events.
  mutating func add(_ ended: BasalProgram, endedAt instant: Instant) {
    if let event = PumpEvent(ended, endedAt: instant) { finish(event) }
  }

  /// Adds a bolus that ended.
  mutating func add(_ ended: BolusDelivery) { finish(PumpEvent(ended)) }

  private mutating func finish(_ event: PumpEvent) {
    book(event)
    finished.append(event)
  }

  /// Books what a finished event's report hides or overstates.
  private mutating func book(_ event: PumpEvent) {
    guard let rewritten = rewritten.first(where: { $0.event == event.identifier }),
      let delivered = event.deliveredAmount
    else { return }
    switch rewritten.reported {
    case .full where event.kind == .bolus:
      account.overstated += (event.programmedAmount ?? delivered) - delivered
    case .none:
      account.hidden += delivered
      hidden.insert(event.identifier)
    default: break
    }
  }

  // MARK: - Reports

  /// Takes the events of a report: those finished since the last one, then those still running,
  /// each group by start.
  mutating func takeEvents(
    at now: Instant, running program: BasalProgram, _ bolus: BolusDelivery?
  ) -> [PumpEvent] {
    if !unresolved.isEmpty { unresolved.removeAll { $0.until <= now } }
    var events = takeFinished()
    appendRunning(program, bolus, to: &events)
    return events
  }

  /// Takes the finished events, by start; those of a command that nobody can ask about yet stay
  /// until somebody can.
  private mutating func takeFinished() -> [PumpEvent] {
    var events: [PumpEvent] = []
    guard !finished.isEmpty else { return events }
    let waiting = unresolved.compactMap(\.event)
    var kept: [PumpEvent] = []
    for event in finished {
      if waiting.contains(event.identifier) {
        kept.append(event)
      } else if let said = reported(event) {
        events.append(said)
      }
    }
    finished = kept
    // They were added as they ended, an alarm before the temp basal that it put an end to.
    if events.count > 1 {
      events.sort { ($0.start, $0.identifier) < ($1.start, $1.identifier) }
    }
    return events
  }

  /// Appends what is said of events that may still change: a running temp basal and a running
  /// bolus, by start.
  private func appendRunning(
    _ program: BasalProgram, _ bolus: BolusDelivery?, to events: inout [PumpEvent]
  ) {
    let first = events.count
    if let running = PumpEvent(program, endedAt: nil), let said = reported(running) {
      events.append(said)
    }
    guard let bolus, let said = reported(PumpEvent(bolus)) else { return }
    let isBefore =
      events.count > first
      && (said.start, said.identifier) < (events[first].start, events[first].identifier)
    events.insert(said, at: isBefore ? first : events.count)
  }

  /// The events that have ended and that no report has told of.
  var untold: [PumpEvent.Identifier] { finished.map(\.identifier) }

  /// What the history says of an event; nothing when it is silent.
  private func reported(_ event: PumpEvent) -> PumpEvent? {
    guard !unresolved.isEmpty || !rewritten.isEmpty else { return event }
    return isUnresolved(event.identifier) ? nil : reportedOnceResolved(event)
  }

  /// What the history says of an event when somebody can ask about it.
  private func reportedOnceResolved(_ event: PumpEvent) -> PumpEvent? {
    guard let rewritten = rewritten.first(where: { $0.event == event.identifier })
    else { return event }
    guard rewritten.reported == .full else { return nil }
    var full = event
    if event.kind == .bolus { full.deliveredAmount = event.programmedAmount }
    return full
  }

  // MARK: - Faults

  /// Whether a command has not been acknowledged and cannot be asked about yet.
  var isUncertain: Bool { !unresolved.isEmpty }

  /// Leaves open what became of a command.
  ///
  /// - Parameters:
  ///   - event: The event that it made; `nil` if it was not carried out.
  ///   - reported: What the history says of the event afterwards.
  ///   - instant: When somebody can ask about it.
  mutating func leaveOpen(
    _ event: PumpEvent.Identifier? = nil, reported: UncertainDelivery.Reported = .unknown,
    until instant: Instant
  ) {
    unresolved.append(Unresolved(event: event, until: instant))
    if let event { rewrite(event, as: reported) }
  }

  /// Notes the event that a command made which was left open and has reached the pump since.
  mutating func noteArrival(of event: PumpEvent.Identifier, due: Instant) {
    let place = unresolved.firstIndex { $0.event == nil && $0.until == due }
    if let place { unresolved[place].event = event }
  }

  /// Changes for good what the reports say of an event.
  mutating func rewrite(
    _ event: PumpEvent.Identifier, as reported: UncertainDelivery.Reported
  ) {
    guard reported != .unknown else { return }
    rewritten.append(Rewritten(event: event, reported: reported))
  }

  /// Whether nobody has been told of an event, because its command has not been acknowledged.
  func isUnresolved(_ event: PumpEvent.Identifier?) -> Bool {
    unresolved.contains { $0.event != nil && $0.event == event }
  }

  /// Loses what became of the commands that have not been acknowledged, for good.
  ///
  /// The programs and boluses that they began must have ended.
  ///
  /// - Returns: Whether one of them resumed delivery, of which nobody will be told.
  mutating func loseUnresolved() -> Bool {
    guard !unresolved.isEmpty else { return false }
    let lost = Set(unresolved.compactMap(\.event))
    let hasResumed = finished.contains { $0.kind == .resume && lost.contains($0.identifier) }
    loseFinished { lost.contains($0.identifier) }
    unresolved.removeAll()
    return hasResumed
  }

  /// Loses the events that finished since an instant.
  mutating func lose(since instant: Instant) {
    loseFinished { $0.end >= instant }
  }

  /// Loses finished events that no report has told of, and books that none will.
  private mutating func loseFinished(where isLost: (PumpEvent) -> Bool) {
    for event in finished where isLost(event) {
      // What is never reported of it is booked already where the report was to be silent.
      guard event.kind == .bolus || event.kind == .tempBasal,
        let said = reportedOnceResolved(event)
      else { continue }
      let delivered = event.deliveredAmount ?? .zero
      account.overstated -= (said.deliveredAmount ?? .zero) - delivered
      account.hidden += delivered
      hidden.insert(event.identifier)
    }
    finished.removeAll(where: isLost)
  }
}

extension PumpEvent {
  /// The event of a temp basal, which is mutable until it has ended; `nil` for other programs.
  fileprivate init?(_ program: BasalProgram, endedAt end: Instant?) {
    guard program.kind == .tempBasal, let identifier = program.event else { return nil }
    self.init(
      identifier: identifier, kind: .tempBasal, start: program.start, end: end ?? program.end,
      programmedRate: program.rate, deliveredAmount: program.delivered,
      isAutomatic: program.isAutomatic, isMutable: end == nil)
  }

  /// The event of a bolus, which is mutable while it runs.
  fileprivate init(_ bolus: BolusDelivery) {
    self.init(
      identifier: bolus.event, kind: .bolus, start: bolus.start, end: bolus.end,
      programmedAmount: bolus.asked, deliveredAmount: bolus.delivered,
      isAutomatic: bolus.isAutomatic, isMutable: bolus.outcome == .running)
  }
}
