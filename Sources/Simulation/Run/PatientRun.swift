internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities

/// Body, pump and sensor of a scenario without app, phone and health store, for programs that need
/// very many days.
///
///     var run = PatientRun(setup)
///     while run.liveToNextCycle() { run.act(unitsPerHour: 1.2, bolusUnits: 0) }
///
/// A step is that of a ``Run`` in which a program has the seat of the controller, without what only
/// records: the same commands give the same pulses and the same glucose. What a scenario asks of an
/// app is refused; see ``obstacle(in:)``.
public struct PatientRun: Sendable {
  private var run: Run
  private let limits: CommandLimits
  private let recency: DataRecency
  private var insulin: PulseInsulin
  /// The newest reading that is fit to be dosed on.
  private var newest: GlucoseReading?
  /// When the newest reading is of, which an app has also where it is a calibration.
  private var heard: Instant?
  /// Whether the sensor marks what it measures now as unreliable.
  private var isUnreliable = false
  /// The sensor and the number of the reading that says so.
  private var latest = (sensor: Int.min, number: Int64.min)
  /// How many pulses and injections have been counted.
  private var (pulsesSeen, injectionsSeen) = (0, 0)
  /// Until when the schedule has been counted.
  private var scheduleCounted: Instant

  /// What a program sees at a cycle, and what is true.
  public private(set) var view = View()

  /// What a program sees at a cycle.
  public struct View: Sendable {
    /// The newest reading, in mg/dL; 0 before the first.
    public internal(set) var glucose = 0.0
    /// How old it is, in minutes.
    public internal(set) var age = 0.0
    /// Its trend, in mg/dL/min.
    public internal(set) var trend = 0.0
    /// Net insulin on board by the pulses that were given, in U.
    public internal(set) var insulinOnBoard = 0.0
    /// The pump's rate, in U/h.
    public internal(set) var rate = 0.0
    /// The scheduled rate, in U/h.
    public internal(set) var scheduledRate = 0.0
    /// Minutes since midnight.
    public internal(set) var minuteOfDay = 0.0
    /// The bolus of the last answer as the pump took it, in U.
    public internal(set) var bolus = 0.0
    /// The carbohydrates that were entered since the cycle before, or the start, in g.
    public internal(set) var carbsEntered = 0.0
    /// How long the temp basal that runs goes on, in minutes; 0 where none does.
    public internal(set) var tempBasalLeft = 0.0
    /// True glucose in plasma, in mg/dL.
    public internal(set) var trueGlucose = 0.0
    /// True glucose where the sensor sits, in mg/dL.
    public internal(set) var sensedGlucose = 0.0
    /// The insulin that reached the body since the cycle before, or the start, in U, injections
    /// included.
    public internal(set) var insulinReachedBody = 0.0
  }

  /// Prepares a run; nothing has happened yet.
  ///
  /// - Parameters:
  ///   - setup: What the run is made from; it has no ``obstacle(in:)``.
  ///   - fractions: The curve of the pump's insulin, which many runs may share.
  public init(_ setup: Setup, counting fractions: InsulinFractions? = nil) {
    assert(Self.obstacle(in: setup) == nil, "What needs an app was refused.")
    var alone = setup
    alone.hasApp = false
    run = Run(unchecked: alone)
    limits = CommandLimits(of: setup.app)
    recency = DataRecency(setup.app.configuration.generation)
    insulin = PulseInsulin(fractions ?? InsulinFractions(of: setup))
    scheduleCounted = setup.beginning
  }

  /// Whether the body did not survive.
  public var isLethal: Bool { run.ending.lethalEnd != nil }

  // MARK: - Living

  /// Where a run stands.
  public struct Stand: Sendable {
    /// What is seen.
    public let view: View
    /// Whether the run is over.
    public let isOver: Bool
    /// Whether the body did not survive.
    public let isLethal: Bool
  }

  /// Lives to the next cycle, and says how the run stands then.
  public mutating func live() -> Stand {
    let goesOn = liveToNextCycle()
    return Stand(view: view, isOver: !goesOn, isLethal: isLethal)
  }

  /// Lives to the next cycle from the start on; false where the run is over.
  public mutating func liveToNextCycle() -> Bool {
    view.insulinReachedBody = 0
    view.carbsEntered = 0
    while let isCycle = stepWithoutApp() {
      if isCycle {
        look()
        return true
      }
    }
    // What is left of a run after its last cycle is lived as well.
    run.advanceDevicesAndBody(to: run.setup.end)
    countPulses()
    seeTruth()
    return false
  }

  /// Commands a temp basal for 30 minutes, and a bolus, at the cycle that was reached.
  ///
  /// The guards are those of the scenario, which are the app's unless it says others: see
  /// `CommandGuard`. The limit of active insulin is held against the pulses that were given, which
  /// the app knows only as the pump has told them.
  ///
  /// - Parameters:
  ///   - rate: The rate in U/h; `nil` or less than 0 where none is sent.
  ///   - units: The bolus in U; 0 where none is sent.
  public mutating func act(unitsPerHour rate: Double?, bolusUnits units: Double) {
    view.bolus = 0
    guard run.world.delivery.pump.activeAlarm == nil, !run.world.delivery.pump.isSuspended
    else { return }
    let guards = run.setup.controllerRules.guards
    if let rate, rate.isFinite, rate >= 0 {
      let command = limits.tempBasal(
        rate, for: .minutes(30), by: guards,
        scheduledRate: InsulinRate(roundingUnitsPerHour: view.scheduledRate) ?? .zero,
        neutralRate: view.scheduledRate, caution: caution)
      // As with an app, what comes after a command that the pump did not take is not sent.
      if let given = command.given, !perform(given) { return }
    }
    guard units.isFinite, units > 0, run.world.delivery.pump.bolus == nil else { return }
    let command = limits.bolus(
      units, by: guards, insulinOnBoard: view.insulinOnBoard, caution: caution)
    guard let given = command.given, perform(given), case .startBolus(let amount, _) = given
    else { return }
    view.bolus = amount.units
  }

  /// Why no more insulin than the schedule's may be given.
  private var caution: CommandGuard? {
    let now = run.world.now
    let isRecent: Void? = try? recency.check(
      at: now, lastGlucose: heard, lastPumpData: now)
    return isRecent == nil ? .staleGlucose : isUnreliable ? .unreliableGlucose : nil
  }

  // MARK: - Looking

  private mutating func look() {
    let (now, interval) = (run.world.now, run.setup.cycleInterval)
    for reading in takeReadings() {
      // A reading that comes late says nothing of the sensor now.
      if (reading.sensor, reading.number) >= latest {
        latest = (reading.sensor, reading.number)
        isUnreliable = reading.isUnreliable
      }
      guard !reading.isUnreliable else { continue }
      heard = max(heard ?? reading.instant, reading.instant)
      guard !reading.isDisplayOnly else { continue }
      if newest.map({ $0.instant < reading.instant }) ?? true { newest = reading }
    }
    if let newest {
      view.glucose = newest.glucose.mgdL
      view.age = (now - newest.instant).seconds / 60
      view.trend = newest.trendRate ?? 0
    } else {
      view.age += interval.seconds / 60
    }
    view.scheduledRate = scheduledRate(at: now)
    view.rate = run.world.delivery.pump.basalRate.unitsPerHour
    view.tempBasalLeft = run.world.delivery.pump.program.end.map { ($0 - now).seconds / 60 } ?? 0
    view.minuteOfDay =
      Double(run.setup.clock.timeOfDay(at: now).milliseconds) / 60_000
    countPulses()
    countSchedule(through: now)
    view.insulinOnBoard = insulin.onBoard(at: now)
    view.carbsEntered = takeCarbsEntered()
    seeTruth()
  }

  private mutating func countPulses() {
    let start = run.setup.start
    for pulse in run.world.delivery.record.pulses[pulsesSeen...] {
      if pulse.counts(from: start) { view.insulinReachedBody += pulse.physicalUnits }
      insulin.note(pulse.recorded.units, at: pulse.instant)
    }
    pulsesSeen = run.world.delivery.record.pulses.count
    let injections = run.world.delivery.body.injections
    for injection in injections[injectionsSeen...] where injection.instant >= start {
      view.insulinReachedBody += injection.units
    }
    injectionsSeen = injections.count
  }

  /// What the schedule would have given is taken off, piece by piece.
  private mutating func countSchedule(through now: Instant) {
    while scheduleCounted < now {
      let piece = min(run.setup.cycleInterval, now - scheduleCounted)
      let middle = scheduleCounted + .milliseconds(piece.milliseconds / 2)
      insulin.note(-scheduledRate(at: middle) * piece.hours, at: middle)
      scheduleCounted += piece
    }
  }

  /// The rate of the schedule in U/h as an app knows it: by the clock that its schedules follow,
  /// that to which the pump's was set or the phone's, without what is wrong with it.
  private func scheduledRate(at instant: Instant) -> Double {
    let time = run.world.scheduleClock(at: instant).timeOfDay(at: instant)
    return run.setup.app.therapy.basal.value(at: time).unitsPerHour
  }

  private mutating func seeTruth() {
    view.trueGlucose = run.world.delivery.body.glucose.mgdL
    view.sensedGlucose = run.world.delivery.body.sensedGlucose.mgdL
  }
}

// MARK: - Without an app

extension PatientRun {
  /// What of a setup needs the app or a person beside the program, in a sentence; `nil` where
  /// nothing does.
  public static func obstacle(in setup: Setup) -> String? {
    if setup.isBodyAsked { return "A program is the body." }
    if !setup.app.isClosedLoop { return "The app is in open loop: no command is sent." }
    if setup.behaviour != nil { return "People react to what the app shows (\"behaviour\")." }
    if setup.commandLatency > .zero { return "Commands take time to reach the pump." }
    if setup.app.configuration.reporting.write == .atTrigger {
      return "The app writes basal at the instant of its trigger."
    }
    for event in setup.events {
      // Doses of the history have no names.
      let name = event.id.isEmpty ? "A dose of \"history.doses\"" : "\"\(event.id)\""
      if event.condition != nil { return "\(name) stands under a condition (\"if\")." }
      // The program is told of entries.
      if case .enterCarbs = event.action { continue }
      switch event.action {
      case .logDose, .writeToHealthStore:
        return "\(name) is taken down in an app or on the phone; an injection that is "
          + "taken down nowhere has entry: false."
      case .beginFault(let fault)
      where fault.effect.movesPumpClock && setup.pump.profile.clockTolerance != nil:
        return "The app sets the clock of the pump, of which \(name) makes a wrong one."
      default: break
      }
      if event.action.needOfApp != nil {
        return "\(name) happens in the app or on the phone."
      }
      if event.action.isCommandOfPerson {
        return "\(name) is a command of a person, beside the program's."
      }
    }
    return nil
  }
}

extension Fault.Effect {
  /// Whether the pump's clock goes wrong.
  fileprivate var movesPumpClock: Bool {
    switch self {
    case .pump(.clockError), .pump(.clockDrift): true
    default: false
    }
  }
}

// MARK: - Steps

extension PatientRun {
  /// Lives up to the next instant that has work, as ``Run/step()`` does, and leaves out the app.
  ///
  /// - Returns: Whether a cycle of the part that counts is due then; `nil` where the run is over.
  private mutating func stepWithoutApp() -> Bool? {
    if run.agenda.endCycle() { run.replaceWhatIsDue() }
    let due = run.nextInstant
    guard due <= run.setup.end, run.checkSurvival(until: due) else { return nil }
    guard !run.isRowAlone(at: due) else {
      run.agenda.planRow(at: due + run.setup.rowInterval)
      return run.lookIfDue(at: due) ? false : nil
    }
    run.world.now = due
    let acts = run.performEnvironmentChanges()
    run.world.live()
    guard run.checkSurvival() else { return nil }
    for event in acts {
      if case .enterCarbs(let request) = event.action {
        // What no app takes is not entered, and what was entered before the run is no news.
        guard CarbStore.takes(request.entry, at: due), due >= run.setup.start else { continue }
        run.world.row.carbsEntered =
          run.world.row.carbsEntered + CarbohydrateMass(grams: request.grams)
      } else {
        run.perform(event)
      }
    }
    run.world.sense()
    forgetRecords()
    if run.agenda.nextRow <= run.world.now {
      run.agenda.planRow(at: run.world.now + run.setup.rowInterval)
    }
    guard let cycle = run.agenda.beginCycle(at: run.world.now, by: run.setup) else { return false }
    return cycle >= run.setup.start
  }

  /// What only records is not kept.
  private mutating func forgetRecords() {
    run.world.trace.happenings.removeAll(keepingCapacity: true)
  }

  /// The readings that have come since the last cycle.
  private mutating func takeReadings() -> [GlucoseReading] {
    run.world.link.send(run.world.sensor.takeLateReadings(at: run.world.now))
    defer { run.world.link.forgetReadings() }
    return run.world.link.readings
  }

  /// The carbohydrates that were entered since this was last asked, in g.
  private mutating func takeCarbsEntered() -> Double {
    defer { run.world.row.carbsEntered = .zero }
    return run.world.row.carbsEntered.grams
  }

  /// Gives the pump a command; false where it does not take it.
  private mutating func perform(_ command: PumpCommand) -> Bool {
    let taken: Void? = try? run.world.delivery.perform(
      command, at: run.world.now, noting: &run.world.trace)
    return taken != nil
  }
}
