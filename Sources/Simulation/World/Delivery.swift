internal import ClosedLoop
internal import Devices
internal import Quantities
internal import WorkCounting

/// The pump, the body, and the way of insulin from one to the other.
///
/// Whatever is done with the pump is done here, so that nothing that happens in it is missed: each
/// pulse enters the body at its own instant and is written down, and the rest is noted in the
/// trace.
struct Delivery: Sendable {
  private(set) var pump: Pump
  /// The body; what else than the pump's insulin enters it concerns nobody here.
  var body: Body
  /// What the pump did.
  private(set) var record = DeliveryRecord()
  /// What happened in the pump and the app has not read yet.
  private(set) var unread: [CountedPulses] = []
  /// Whether an app reads the pump.
  private let isRead: Bool
  /// Whether the algorithm asked for the bolus that the pump gives, which the pump does not know.
  private var givesAutomaticBolus = false
  /// When the command was sent that is being carried out; `nil` if it took no time to arrive.
  private var commandSent: Instant?
  /// Whether the pump's clock was set without a word to the app, and nobody has asked since.
  private var hasSetClock = false
  /// What happened in the pump at the last look.
  private var occurrences: ContiguousArray<PumpLogEntry> = []

  init(beginning setup: Setup) {
    pump = setup.pump
    body = Body(beginning: setup)
    isRead = setup.hasApp
  }

  /// The pump gives what is due up to an instant, and the body lives up to it.
  mutating func live(to now: Instant, noting trace: inout Trace) {
    givePulses(to: now, noting: &trace)
    body.live(to: now)
  }

  /// The pump gives what is due up to an instant, and the body lives up to the last of it.
  mutating func givePulses(to now: Instant, noting trace: inout Trace) {
    pump.run(until: now)
    takeOccurrences(noting: &trace)
  }

  // MARK: - What is done with the pump

  /// The pump carries out a command, or refuses it.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - sent: When it was sent; `nil` if it took no time to arrive.
  ///   - isByHand: Whether a person presses the pump's own buttons.
  ///   - now: When it reaches the pump.
  ///   - trace: Where it is noted what happens.
  /// - Throws: What the pump says where it refuses.
  mutating func perform(
    _ command: PumpCommand, sent: Instant? = nil, byHand isByHand: Bool = false,
    at now: Instant, noting trace: inout Trace
  ) throws(PumpError) {
    assert(sent.map { $0 <= now } ?? true, "A command does not arrive before it is sent.")
    commandSent = sent
    defer {
      takeOccurrences(noting: &trace)
      commandSent = nil
    }
    try pump.perform(command, byHand: isByHand, at: now)
  }

  /// Somebody does something with the pump itself; what it refuses is noted.
  ///
  /// The clock is set by a command.
  mutating func perform(_ service: PumpService, at now: Instant, noting trace: inout Trace) {
    do throws(PumpError) {
      switch service {
      case .replaceReservoir(let amount, let keepsPump):
        try pump.replaceReservoir(with: amount, keepsPump: keepsPump, at: now)
        // A pod that was taken off is thrown away, and the next one is put on.
        if pump.profile.isPatchPump, !body.isPumpAttached {
          takeOccurrences(noting: &trace)
          attach(true, saying: "The next pod is on the body.", at: now, noting: &trace)
        }
      case .prime(let amount): try pump.prime(amount, at: now)
      case .clearAlarm:
        if pump.activeAlarm == nil {
          trace.note(.note, "pump", "No alarm has stopped the pump that could be cleared.", at: now)
        }
        try pump.clearAlarm(at: now)
      case .remove: attach(false, at: now, noting: &trace)
      case .attach: attach(true, at: now, noting: &trace)
      case .setTime: assertionFailure("The clock of a pump is set by a command.")
      }
    } catch {
      trace.note(.warning, "pump", "The pump refused: \(error)", at: now)
    }
    takeOccurrences(noting: &trace)
  }

  /// Somebody takes the pump off, or puts it, or the next one, on again.
  private mutating func attach(
    _ isAttached: Bool, saying attached: String = "The pump is put on again.", at now: Instant,
    noting trace: inout Trace
  ) {
    guard body.isPumpAttached != isAttached else {
      trace.note(.note, "pump", "The pump is \(isAttached ? "on" : "off") already.", at: now)
      return
    }
    body.attachPump(
      isAttached, running: pump.basalRate, rest: pump.bolus?.remaining ?? .zero, at: now)
    trace.note(
      .pump, isAttached ? "attach" : "remove",
      isAttached ? attached : "The pump is taken off; nothing reaches the body.", at: now)
  }

  /// A fault of the pump takes hold, of which the pump itself tells.
  mutating func begin(
    _ fault: PumpFault, id: String, at now: Instant, noting trace: inout Trace
  ) {
    pump.begin(fault, id: id, at: now)
    takeOccurrences(noting: &trace)
  }

  /// A fault of the pump is over.
  mutating func endFault(id: String, at now: Instant, noting trace: inout Trace) {
    pump.end(id: id, at: now)
    takeOccurrences(noting: &trace)
  }

  /// Notes why the schedule of another person is never run, where the pump cannot.
  func check(
    foreignSchedule schedule: DailySchedule<InsulinRate>, id: String, at now: Instant,
    noting trace: inout Trace
  ) {
    do throws(PumpError) {
      try pump.profile.check(schedule)
    } catch {
      trace.note(
        .warning, id, "The pump does not take the schedule of the fault \(id): \(error)", at: now)
    }
  }

  /// The pump runs the schedule of another person, or its own where there is none.
  mutating func run(
    foreignSchedule schedule: DailySchedule<InsulinRate>?, at now: Instant,
    noting trace: inout Trace
  ) {
    guard schedule != pump.foreignSchedule else { return }
    do throws(PumpError) {
      try pump.run(foreignSchedule: schedule, at: now)
    } catch {
      trace.note(.warning, "pump", "The pump does not take the schedule: \(error)", at: now)
    }
    takeOccurrences(noting: &trace)
  }

  // MARK: - What the pump tells

  /// What the pump tells the app, to which ``unread`` belongs.
  mutating func report() throws(PumpError) -> PumpReport { try pump.report() }

  /// Whether the pump's clock was set, without a word to the app, since this was last asked.
  mutating func takeClockSetting() -> Bool {
    defer { hasSetClock = false }
    return hasSetClock
  }

  /// Another app begins to read the pump: what happened before it never reads.
  mutating func meetApp() {
    forgetUnread()
    pump.meetApp()
  }

  /// The app has read everything, or will never read it.
  mutating func forgetUnread() { unread.removeAll(keepingCapacity: true) }

  /// Nobody asks the pump again for its pulses up to an instant.
  mutating func forgetPulses(through instant: Instant) { pump.forgetPulses(through: instant) }

  // MARK: - What happens in the pump

  private mutating func takeOccurrences(noting trace: inout Trace) {
    pump.takeOccurrences(into: &occurrences)
    Work.visit(rows: occurrences.count)
    for index in occurrences.indices {
      // Nearly all are pulses, for which the whole entry need not be copied.
      if case .pulse(let pulse) = occurrences[index].kind {
        take(pulse, at: occurrences[index].instant)
      } else {
        take(occurrences[index], noting: &trace)
      }
    }
  }

  /// Takes in what is no pulse.
  private mutating func take(_ occurrence: PumpLogEntry, noting trace: inout Trace) {
    switch occurrence.kind {
    case .basalStarted(let program):
      body.flow(program.rate, at: occurrence.instant)
      record.noteStart(program, sent: commandSent)
    case .scheduleEntry(let rate, _):
      body.flow(rate, at: occurrence.instant)
      record.note(rate: rate, at: occurrence.instant)
    case .bolusStarted(let bolus):
      body.receiveBolus(bolus.asked, at: occurrence.instant)
      givesAutomaticBolus = bolus.isAutomatic
      record.noteStart(PumpBolusRecord(bolus, isRunning: true))
    case .bolusEnded(let bolus):
      body.takeBack(bolus.remaining, at: occurrence.instant)
      record.note(PumpBolusRecord(bolus, isRunning: false))
    case .commandDisturbed(.startBolus, .delayed(let due)):
      record.noteHeldUpBolus(sent: occurrence.instant, due: due)
    case .commandDisturbed(.setClock, .carriedOut), .commandDisturbed(.setClock, .replyLost):
      hasSetClock = true
    case .basalEnded(let program, _, _):
      record.note(PumpProgramRecord(program, end: occurrence.instant))
    default: break
    }
    if let happening = Happening(occurrence) { trace.add(happening) }
  }

  private mutating func take(_ pulse: PumpPulse, at instant: Instant) {
    if isRead, let counted = pulse.countedBasal(at: instant) { unread.append(counted) }
    let channel: PumpPulseRecord.Channel =
      switch pulse.kind {
      case .basal: .basal
      case .bolus: givesAutomaticBolus ? .automaticBolus : .userBolus
      case .release: .release
      case .unrequested: .unrequested
      }
    let physical = body.receive(pulse, channel, at: instant)
    // What waited and is lost shows in no record.
    guard pulse.kind != .release || pulse.physical > .zero else { return }
    note(
      PumpPulseRecord(
        instant: instant, recorded: pulse.recorded, physicalUnits: physical, channel: channel))
  }

  // MARK: - What is written down

  /// Writes down a pulse.
  mutating func note(_ pulse: PumpPulseRecord) { record.note(pulse) }

  /// What still runs when the run ends becomes a record as far as it has come.
  mutating func endPrograms(at now: Instant) {
    record.note(PumpProgramRecord(pump.program, end: now))
    guard let bolus = pump.bolus else { return }
    body.takeBack(bolus.remaining, at: now)
    record.note(PumpBolusRecord(bolus, isRunning: true))
  }

  /// The law that pump or body break now, or that a pulse broke since this was last asked.
  mutating func brokenLaw(at now: Instant) -> InvariantViolation? {
    if let loss = pump.ledger.checkConservation() {
      return RunLaw.insulinConservation.broken(at: now, loss.description)
    }
    guard body.glucose.mgdL.isFinite else {
      return RunLaw.finiteGlucose.broken(at: now, RunLaw.noNumber)
    }
    let size = pump.profile.pulse
    return record.firstBroken { pulse, before in
      RunLaw.broken(by: pulse, after: before, ofPulses: size, at: now)
    }
  }
}
