import Quantities

/// What a pump delivers, and what it keeps of that.
///
/// Every act is whole. A pulse is counted on one side, taken from the reservoir, sent to the body
/// and told of in one; so is a program or a bolus ended, booked and put into the history. The
/// accounts therefore balance after every act, in whatever order they come: see ``ledger``.
///
/// An act happens at the instant up to which insulin was delivered. It is never refused: whether a
/// command arrives, and whether the pump takes it, is the matter of the ``Pump``.
struct PumpDelivery: Sendable {
  /// The instant up to which everything has happened.
  private(set) var now: Instant
  private(set) var basal: BasalSide
  private(set) var boluses: BolusSide
  private(set) var supply: PumpReservoir
  /// The schedules, and the clock by which they are followed.
  private(set) var timetable: PumpTimetable
  /// The age of the pump, or of its present reservoir or pod.
  private(set) var age: PumpAge
  private(set) var alarms = StoppingAlarms()
  /// The events of what was delivered; what is reported of them is the matter of the pump.
  var history: PumpHistory
  private var path: InsulinPath
  private var log: ContiguousArray<PumpLogEntry> = []
  private let pulse: InsulinAmount

  /// Begins to deliver by a schedule, with an empty accumulator; see
  /// ``Pump/init(profile:schedule:clock:at:activation:reservoir:serial:seed:)``.
  init(
    of profile: PumpProfile, by timetable: PumpTimetable, from start: Instant,
    activation: Instant, holding filled: InsulinAmount, serial: UInt32
  ) {
    now = start
    basal = BasalSide(of: profile, at: start)
    boluses = BolusSide(pulse: profile.pulse)
    supply = PumpReservoir(holding: filled, warningLevels: profile.lowReservoirLevels)
    self.timetable = timetable
    age = PumpAge(of: profile.life, from: activation, at: start)
    history = PumpHistory(serial: serial)
    path = InsulinPath(pulse: profile.pulse)
    pulse = profile.pulse
    startSchedule()
  }

  /// What the basal side is doing.
  var program: BasalProgram { basal.program }

  /// The accounts of all insulin, as of now.
  var ledger: DeliveryLedger {
    var ledger = DeliveryLedger()
    ledger.basal = basal.account
    ledger.boluses = boluses.account
    ledger.reservoir = supply.account
    ledger.body = path.account
    ledger.reporting = history.account
    return ledger
  }

  /// Forgets the single pulses at or before an instant; the totals stay.
  mutating func forgetPulses(through instant: Instant) {
    basal.forgetPulses(through: instant)
    boluses.forgetPulses(through: instant)
  }

  // MARK: - What is told

  /// Tells that something happens now.
  mutating func record(_ kind: PumpLogEntry.Kind) {
    log.append(PumpLogEntry(instant: now, kind: kind))
  }

  /// Takes what was told since the last time.
  mutating func takeLog() -> [PumpLogEntry] {
    defer { log.removeAll(keepingCapacity: true) }
    return Array(log)
  }

  /// Takes what was told since the last time, in exchange for the room of a list.
  mutating func takeLog(into list: inout ContiguousArray<PumpLogEntry>) {
    list.removeAll(keepingCapacity: true)
    guard !log.isEmpty else { return }
    swap(&list, &log)
  }

  // MARK: - Time

  /// The next instant at which something happens by itself.
  var nextInstant: Instant {
    var next = basal.nextPulse(after: now, activation: age.activation) ?? .distantFuture
    if let pulse = boluses.nextPulse { next = min(next, pulse) }
    if let end = basal.program.end { next = min(next, end) }
    if let entry = basal.nextEntry { next = min(next, entry) }
    if let alarm = age.nextAlarm { next = min(next, alarm.instant) }
    return next
  }

  /// Goes on with the schedule where one of its entries, or midnight, has come.
  mutating func enterDueEntry() {
    guard let entry = basal.nextEntry, entry <= now else { return }
    let discarded = basal.enterEntry(of: timetable, at: now)
    record(.scheduleEntry(basal.rate, discarded: discarded))
  }

  /// Delivers up to an instant before which nothing else happens by itself.
  mutating func run(to next: Instant, through faults: inout PumpFaults) {
    assert(next > now, "Work of a pump lies ahead.")
    basal.earn(for: next - now)
    now = next
    giveBasalPulses(through: &faults)
    giveBolusPulses(through: &faults)
    guard basal.hasExpired(at: now) else { return }
    endProgram(.expired)
    startSchedule()
  }

  // MARK: - Pulses

  /// Gives whole pulses now: counts them, takes them from the reservoir, and sends them to the
  /// body.
  private mutating func give(
    _ amount: InsulinAmount, as kind: PumpPulse.Kind, through faults: inout PumpFaults
  ) {
    assert(amount.milliunits % pulse.milliunits == 0, "A pump gives whole pulses.")
    supply.take(amount)
    switch kind {
    case .basal:
      basal.count(amount, at: now)
    default:
      boluses.count(amount, at: now)
    }
    record(.pulse(path.send(amount, as: kind, through: &faults, at: now)))
    if let level = supply.takeWarning() { raise(.lowReservoir(level)) }
  }

  /// Gives the basal pulses that are due, as far as the reservoir has insulin for them.
  private mutating func giveBasalPulses(through faults: inout PumpFaults) {
    let due = basal.takePulses(at: now, activation: age.activation)
    guard due > 0 else { return }
    let given = supply.pulses(atMost: due, of: pulse)
    assert(given >= 0, "A reservoir holds no less than nothing.")
    assert(given <= due, "A pump gives no pulse that is not due.")
    if given > 0 { give(pulse * given, as: .basal, through: &faults) }
    guard given < due else { return }
    basal.lose(due - given)
    raise(.reservoirEmpty)
  }

  /// Gives the pulses of the running bolus that are due, and ends it with its last one.
  private mutating func giveBolusPulses(through faults: inout PumpFaults) {
    guard let due = boluses.pulsesDue(at: now) else { return }
    let given = supply.pulses(atMost: due, of: pulse)
    if given > 0 { give(pulse * given, as: .bolus, through: &faults) }
    if boluses.hasReachedLimit {
      endBolus(.interrupted)
    } else if given < due {
      raise(.reservoirEmpty)
    } else if let bolus = boluses.running, bolus.remaining == .zero {
      endBolus(.completed)
    }
  }

  /// Gives what nobody asked for, in whole pulses and no more than there is.
  mutating func giveUnrequested(_ amount: InsulinAmount, through faults: inout PumpFaults) {
    let given = supply.takeUnrequested(amount, of: pulse)
    guard given > .zero else { return }
    record(.pulse(path.sendUnrequested(given, through: &faults, at: now)))
  }

  /// Lets a part of what an occlusion held back into the body; the rest is lost.
  mutating func release(_ held: PhysicalInsulin, fraction: Double) {
    guard held > .zero else { return }
    record(.pulse(path.release(held, fraction: fraction)))
  }

  // MARK: - Boluses

  /// Begins to give a bolus of whole pulses.
  mutating func startBolus(_ asked: InsulinAmount, over duration: TimeSpan, automatic: Bool) {
    let started = boluses.start(
      asked, over: duration, automatic: automatic, as: history.nextIdentifier(), at: now)
    record(.bolusStarted(started))
  }

  /// Lets the running bolus stop by itself when a part of it has been given, from 0 to 1.
  mutating func limitBolus(to part: Double) { boluses.limit(to: part) }

  /// Ends the running bolus, if there is one.
  mutating func endBolus(_ outcome: BolusDelivery.Outcome) {
    guard let ended = boluses.end(outcome, at: now) else { return }
    history.add(ended)
    record(.bolusEnded(ended))
  }

  // MARK: - Basal programs

  /// Runs a temp basal in place of whatever program runs.
  mutating func startTempBasal(
    rate: InsulinRate, percent: Int64?, duration: TimeSpan, automatic: Bool, dropping: Bool
  ) {
    endProgram(.replaced, dropping: dropping)
    let program = BasalProgram(
      kind: .tempBasal, start: now, end: now + duration, rate: rate, percent: percent,
      isAutomatic: automatic, event: history.nextIdentifier())
    basal.begin(tempBasal: program, by: timetable)
    record(.basalStarted(program))
  }

  /// Returns from a temp basal to the schedule; no effect when none runs.
  mutating func cancelTempBasal() {
    guard program.kind == .tempBasal else { return }
    endProgram(.cancelled)
    startSchedule()
  }

  /// Stops all delivery until it is resumed; no effect when it is suspended already.
  mutating func suspend() {
    guard !basal.isSuspended else { return }
    endBolus(.suspended)
    endProgram(.suspended)
    let event = history.add(.suspend, at: now)
    begin(BasalProgram(kind: .suspended, start: now, event: event))
  }

  /// Returns to the schedule after a suspend; no effect when delivery is not suspended.
  mutating func resume() {
    guard basal.isSuspended else { return }
    history.add(.resume, at: now)
    endProgram(.resumed)
    startSchedule(resuming: true)
  }

  /// Runs the schedule from now on.
  private mutating func startSchedule(resuming: Bool = false) {
    basal.follow(timetable, at: now, resuming: resuming)
    record(.basalStarted(program))
  }

  /// Makes a program the running one.
  private mutating func begin(_ next: BasalProgram) {
    basal.begin(next)
    record(.basalStarted(next))
  }

  /// Ends the running program, with what the residual rule says about the fraction of a pulse.
  private mutating func endProgram(_ reason: BasalProgramEnd, dropping: Bool = false) {
    let discarded = basal.end(reason, dropping: dropping)
    history.add(program, endedAt: now)
    record(.basalEnded(program, reason, discarded: discarded))
  }

  // MARK: - Schedule and clock

  /// Runs another schedule from now on, as the pump's own.
  mutating func follow(programmed schedule: DailySchedule<InsulinRate>) {
    timetable.programmed = schedule
    restartSchedule()
  }

  /// Runs someone else's schedule from now on; `nil` for the programmed one.
  mutating func follow(foreign schedule: DailySchedule<InsulinRate>?) {
    timetable.foreign = schedule
    restartSchedule()
  }

  /// Sets the clock right and to a zone, and follows it.
  mutating func setClock(to zone: WallClock) {
    timetable.clock.set(to: zone, at: now)
    restartSchedule()
  }

  /// Runs the schedule anew after it, or the clock it follows, was changed.
  private mutating func restartSchedule() {
    guard !basal.isSuspended, alarms.first == nil else { return }
    endProgram(.scheduleEdited)
    startSchedule()
  }

  /// The clock jumps, without anyone setting it.
  mutating func jumpClock(by error: TimeSpan) {
    timetable.clock.jump(by: error, at: now)
    basal.clockDidJump(at: now)
  }

  /// The clock gains so much every day from here on.
  mutating func driftClock(by perDay: TimeSpan) {
    timetable.clock.setDrift(perDay, at: now)
    basal.clockDidChangePace(at: now, of: timetable)
  }

  // MARK: - Alarms

  /// Stops everything for an alarm, or gives a warning.
  ///
  /// - Parameters:
  ///   - alarm: What is raised.
  ///   - fault: The fault that holds the alarm up until it ends; `nil` for the pump's own.
  mutating func raise(_ alarm: PumpAlarm, heldBy fault: String? = nil) {
    history.add(.alarm(alarm), at: now)
    record(.alarm(alarm))
    guard alarm.stopsDelivery else { return }
    guard alarms.add(alarm, heldBy: fault, during: program) else { return }
    endBolus(.alarm)
    endProgram(.alarm)
    begin(BasalProgram(kind: .stopped(alarm), start: now))
  }

  /// Raises the alarms of age that are due.
  mutating func raiseAlarmsOfAge() {
    while let alarm = age.takeAlarm(by: now) { raise(alarm) }
  }

  /// Clears the alarm that a fault holds up; delivery stays stopped while another one stops it.
  ///
  /// An alarm that several faults hold up is cleared at the end of the last.
  mutating func clearAlarm(heldBy fault: String) {
    switch alarms.clear(heldBy: fault) {
    case .nothing: break
    case .last: restart()
    case .gone(let alarm, let other):
      if !alarms.all.contains(alarm) { record(.alarmCleared(alarm)) }
      basal.stand(by: other)
    }
  }

  /// Clears all alarms, and runs the schedule again; delivery that was suspended stays so.
  mutating func restart() { restart(resuming: alarms.suspension == nil) }

  /// Clears all alarms, and runs the schedule again, or goes on with the suspension before them.
  private mutating func restart(resuming: Bool) {
    let suspension = alarms.suspension?.event
    history.add(.alarmCleared, at: now)
    for (index, alarm) in alarms.all.enumerated() where !alarms.all[..<index].contains(alarm) {
      record(.alarmCleared(alarm))
    }
    alarms.clearAll()
    endProgram(.cleared)
    guard !resuming else { return startSchedule() }
    // Whoever has not been told of the suspension takes the end of the alarm for the end of all.
    let event: PumpEvent.Identifier? =
      history.isUnresolved(suspension) ? history.add(.suspend, at: now) : suspension
    begin(BasalProgram(kind: .suspended, start: now, event: event))
  }

  // MARK: - Reservoir

  /// Puts a new reservoir or pod on, primes it, and returns to the schedule.
  ///
  /// - Parameters:
  ///   - filled: What it holds.
  ///   - priming: What fills its tubing or cannula, if it holds so much.
  ///   - isPod: Whether a suspension is gone with the old one.
  /// - Returns: Whether the history tells of a resumption.
  @discardableResult
  mutating func replaceReservoir(
    with filled: InsulinAmount, priming: InsulinAmount, isPod: Bool
  ) -> Bool {
    endBolus(.suspended)
    supply.replace(with: filled)
    history.add(.rewind, at: now)
    record(.reservoirReplaced(filled, isPod: isPod))
    prime(min(priming, filled))
    supply.skipWarnings()
    age.restart(at: now)
    let isSuspended = alarms.suspension != nil || basal.isSuspended
    let suspension = alarms.suspension?.event ?? program.event
    let tellsResumption = isPod && isSuspended && !history.isUnresolved(suspension)
    if alarms.first != nil {
      restart(resuming: isPod || !isSuspended)
    } else if isPod || !isSuspended {
      endProgram(isSuspended ? .resumed : .cleared)
      startSchedule()
    }
    if tellsResumption { history.add(.resume, at: now) }
    return tellsResumption
  }

  /// Fills tubing or cannula from the reservoir, which holds so much; nothing of it reaches the
  /// body.
  mutating func prime(_ amount: InsulinAmount) {
    guard amount > .zero else { return }
    supply.prime(amount)
    history.add(.prime, amount: amount, at: now)
    record(.primed(amount))
  }

  /// Loses everything that is left in the reservoir.
  mutating func drain() { supply.drain() }
}
