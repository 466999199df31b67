package import Devices
internal import Dosing
internal import HealthStore
internal import LargeValues
internal import Quantities

/// What the app knows of the pump: its history, what it last said about itself, and the commands
/// whose outcome matters later.
package struct KnownPump: Sendable {
  private let mark = PassedByAddress()

  /// The event history: what the pump reported.
  package private(set) var events = PumpEventStore()
  /// What the pump last said about itself.
  package private(set) var status: PumpStatus?
  /// What the pump last said of its reservoir.
  package private(set) var reservoir: ReservoirReading?
  /// What the pump said of its reservoir, where insulin is to follow from that.
  private(set) var reservoirHistory = ReservoirHistory()
  /// The basal pulses that are not reported yet.
  private(set) var pulses = PulseLog()
  /// The instant up to which the pump's pulses are known.
  private(set) var pulsesKnownThrough: Instant
  private var openPrograms: RunningPrograms
  /// The temp basals and suspensions as the pump carried them out, those at least that basal not
  /// yet reported follows from.
  var programs: [DoseEntry] { openPrograms.all }
  /// Rises whenever ``programs`` are found anew.
  private(set) var programsRevision: Int64 = 0
  /// The commands of which nobody knows whether they were carried out, in the order in which they
  /// were sent.
  package private(set) var uncertain: [UncertainCommand] = []
  private var commandedTemp: CommandedTemp?
  /// The change of the event history up to which ``programs`` are known.
  private var programsSeen: Int64?
  /// The last event that the pump reported as running, and what it is in the history.
  private var running: (event: PumpEvent, entry: HistoryEvent, insulin: InsulinType)?
  /// The change of the event history after which a report that tells of the event that runs, and
  /// of nothing else, only repeats it; `nil` where that is not known.
  private var repetition: Int64?
  /// Whether an alarm stopped a pump that was not suspended.
  private var isStoppedByAlarm = false

  /// How far the phone's clock, by which the app lives, is ahead of true time, by which the pump
  /// tells of itself.
  var clockError = TimeSpan.zero
  /// Where insulin on board comes from.
  let source: InsulinDataSource

  init(_ configuration: LoopAppConfiguration, from start: Instant) {
    source = configuration.insulinDataSource
    openPrograms = RunningPrograms(configuration.reporting)
    pulsesKnownThrough = start
    events.retention = configuration.retention
  }

  /// Gives up the event history.
  mutating func releaseEvents() { events = PumpEventStore(retention: events.retention) }

  // MARK: - What the pump says

  /// Takes in what the pump said when it was read.
  ///
  /// Running events replace those of the last report.
  mutating func take(
    _ report: PumpReport, insulin: InsulinType, readsHistory: Bool, at now: Instant
  ) {
    pulsesKnownThrough = max(pulsesKnownThrough, report.completeThrough)
    let reconciled = readsHistory ? report.completeThrough : nil
    if repeatsLast(report, insulin: insulin) {
      events.repeatLast(lastReconciliation: reconciled)
    } else {
      let isRepeated = events.add(
        historyEvents(report.events, insulin: insulin), lastReconciliation: reconciled, at: now)
      repetition = isRepeated || isRunningNewest ? events.counter : nil
    }
    if repetition != nil { repetition = events.counter }
    assert(pulsesKnownThrough >= report.completeThrough, "What is known does not become less.")
    status = report.status
    if !uncertain.isEmpty, !report.status.deliveryIsUncertain {
      // The pump was read after the command: what it reports is what happened.
      uncertain.removeAll { report.completeThrough >= $0.sent }
    }
  }

  /// Whether a report says what the last one said, which only repeated the event that runs, and
  /// nothing has happened to the history since.
  private func repeatsLast(_ report: PumpReport, insulin: InsulinType) -> Bool {
    guard repetition == events.counter, report.events.count == 1, report.events[0].isMutable,
      let running, running.insulin == insulin, events.isNewestRunning
    else { return false }
    var programmed = report.events[0]
    programmed.deliveredAmount = nil
    return running.event == programmed
  }

  /// Whether the newest event of the history is the one that runs, and alone at its time.
  private var isRunningNewest: Bool { running.map { events.newestRuns(as: $0.entry) } ?? false }

  /// Takes in the level of the reservoir, and keeps it where insulin is to follow from it.
  mutating func takeReservoir(_ report: PumpReport, keepsLevel: Bool) {
    reservoir = report.reservoir
    if keepsLevel, let amount = report.reservoir.amount {
      reservoirHistory.add(.init(amount, at: report.completeThrough))
    }
  }

  /// Notes the basal pulses the pump counted, where the pump's report comes later.
  mutating func note(_ counted: [CountedPulses]) {
    for pulse in counted {
      assert(pulse.amount >= .zero, "A pump counts no less than nothing.")
      pulses.append(pulse.amount, at: pulse.instant)
    }
  }

  /// The events as the app keeps them.
  private mutating func historyEvents(
    _ events: [PumpEvent], insulin: InsulinType
  ) -> [HistoryEvent] {
    var standstill = Standstill(
      isSuspended: programs.contains { $0.kind == .suspend && $0.isMutable },
      isByAlarm: isStoppedByAlarm)
    var kept: [HistoryEvent] = []
    for event in events {
      var entry = historyEvent(event, insulin: insulin)
      entry.dose = standstill.dose(of: entry)
      kept.append(entry)
    }
    isStoppedByAlarm = standstill.isByAlarm
    return kept
  }

  /// The event as the app keeps it; while it runs, most reports only repeat it.
  ///
  /// How much of it has been given makes no difference until it has ended.
  private mutating func historyEvent(_ event: PumpEvent, insulin: InsulinType) -> HistoryEvent {
    guard event.isMutable else { return HistoryEvent(event, insulin: insulin) }
    var programmed = event
    programmed.deliveredAmount = nil
    if let running, running.event == programmed, running.insulin == insulin { return running.entry }
    let entry = HistoryEvent(programmed, insulin: insulin)
    running = (programmed, entry, insulin)
    return entry
  }

  /// Finds the programs that basal not yet reported follows from.
  ///
  /// Nothing is done while the history has no other programs; the list then reaches back further,
  /// which adds only what has been reported.
  mutating func refreshPrograms(reportedUntil reported: Instant) {
    guard programsSeen != events.programChanges else { return }
    programsSeen = events.programChanges
    openPrograms.refresh(&events, reportedUntil: reported)
    programsRevision += 1
  }

  // MARK: - Commands

  /// Learns what became of a command: a temp basal may have begun at another rate than was asked
  /// for, and of one without a reply nobody knows.
  mutating func note(
    _ command: PumpCommand, _ result: Result<Void, PumpError>, at now: Instant
  ) {
    switch (command, result) {
    case (.startTempBasal(let rate, _, _), .success):
      commandedTemp = CommandedTemp(rate: rate, sent: now - clockError)
    case (_, .failure(.uncertainDelivery)):
      uncertain.append(
        UncertainCommand(
          command: command, instant: now, sent: now - clockError,
          podActivation: status?.podActivation))
    default: break
    }
  }

  /// Takes the commands without a reply that were sent to a pod which another has replaced.
  mutating func takeUncertain(replacedBy status: PumpStatus) -> [UncertainCommand] {
    guard !uncertain.isEmpty, let activation = status.podActivation else { return [] }
    let isGone = { (pending: UncertainCommand) in
      activation >= pending.sent && activation != pending.podActivation
    }
    defer { uncertain.removeAll(where: isGone) }
    return uncertain.filter(isGone)
  }

  /// Settles the commands without a reply of which the history tells, while others may be unknown.
  mutating func settleUncertain(toldBy events: [PumpEvent]) {
    guard !uncertain.isEmpty else { return }
    uncertain.removeAll { pending in events.contains { pending.isTold(by: $0) } }
  }

  /// Adds events that nobody reported.
  ///
  /// The basal pulses of the time are those that the pump counted, whatever is assumed.
  mutating func assume(_ assumed: [HistoryEvent], at now: Instant) {
    assert(
      assumed.allSatisfy { ($0.dose?.programmedUnits ?? 0) >= 0 },
      "What is assumed as given is no less than nothing.")
    events.add(assumed, lastReconciliation: nil, replacingPending: false, at: now)
  }

  /// Whether what is delivered is not known: a command has no reply, or the pump says so.
  var isUncertain: Bool { !uncertain.isEmpty || status?.deliveryIsUncertain == true }

  /// The instant up to which it is known what the basal side of the pump did: a command without a
  /// reply may have changed it since.
  var programsKnownThrough: Instant {
    uncertain.reduce(pulsesKnownThrough) { known, pending in
      switch pending.command {
      case .startBolus, .cancelBolus: known
      default: min(known, pending.sent)
      }
    }
  }

  /// The temp basal that runs on the pump, at the rate it was asked for, with its end by the
  /// phone's clock.
  var runningTemp: RunningTempBasal? {
    guard let program = status?.program, program.kind == .tempBasal, let end = program.end
    else { return nil }
    var rate = program.rate
    if let commandedTemp, commandedTemp.sent == program.start { rate = commandedTemp.rate }
    return RunningTempBasal(rate: rate, end: end + clockError)
  }

  /// Whether the pump was giving a bolus when it was read, which is not over yet.
  func isBolusRunning(at now: Instant) -> Bool {
    status?.bolus.map { $0.outcome == .running && $0.end + clockError > now } ?? false
  }

  /// When the pump was last read to the end of its history.
  var lastReading: Instant? {
    guard let level = reservoirHistory.values.last?.date else { return events.lastReconciliation }
    return max(level, events.lastReconciliation ?? level)
  }

  // MARK: - The event history

  /// Removes an event from the history that is shown; `nil` if there is none with the identifier.
  mutating func deleteEvent(_ syncIdentifier: SyncIdentifier, at now: Instant) -> HistoryEvent? {
    events.delete(syncIdentifier: syncIdentifier, at: now)
  }

  /// Shows a deleted event again.
  mutating func restoreEvent(_ syncIdentifier: SyncIdentifier) {
    events.restore(syncIdentifier: syncIdentifier)
  }

  // MARK: - Forgetting

  mutating func purge(at now: Instant) { events.purge(at: now) }

  /// Forgets pulses that have been reported.
  mutating func forgetPulses(through instant: Instant) { pulses.forget(through: instant) }

  /// Forgets what is not kept on disk.
  mutating func forgetMemory() {
    commandedTemp = nil
    status = nil
    reservoir = nil
  }
}
