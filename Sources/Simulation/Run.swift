internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Physiology
public import Quantities

/// One simulation: a setup that never changes, and a state that does.
///
///     var run = Run(setup)
///     while run.step() {}
///     let result = run.finish()
///
/// A run is synchronous and uses no clock, no file and no chance but its named streams. Copying it
/// is a checkpoint: the copy goes on to the same bytes.
public struct Run: Sendable {
  public let setup: Setup
  var state: State

  /// Prepares a run; nothing has happened yet.
  public init(_ setup: Setup) {
    self.setup = setup
    state = State(beginning: setup)
  }

  /// The share of the run that is over, from 0 to 1, for progress.
  public var progress: Double {
    let whole = (setup.end - setup.beginning).seconds
    return whole > 0 ? min(1, max(0, (state.now - setup.beginning).seconds / whole)) : 1
  }

  /// Lives up to the next instant that has work, and does it; false when the run is over.
  ///
  /// The order of work at one instant: faults and the phone; delivery; the body; what people do;
  /// the sensor; what the app takes in; the decision and its commands; the report to the health
  /// store; the record; the checks.
  public mutating func step() -> Bool {
    guard let instant = nextInstant, instant <= setup.end, survives(until: instant) else {
      return false
    }
    state.now = instant
    var actions: [WorldEvent] = []
    while let next = state.queue.takeNext(through: instant) {
      if next.event.changesSurroundings, !happens(next.event) { continue }
      if !changesSurroundings(next.event) { actions.append(next.event) }
    }
    deliver()
    live()
    guard isAlive() else { return false }
    carryOutArrivedCommands()
    for event in actions where happens(event) { perform(event) }
    if reportsAtTriggers, isAppRunning {
      ingestPump()
      state.phone.report(to: &state.store, at: state.now)
      copySamples()
    }
    sense()
    if state.nextCycle <= instant {
      cycle()
      react()
    }
    if state.nextRow <= instant { record() }
    check()
    return true
  }

  /// Lives up to an instant and through it: everything due at or before it has happened then.
  ///
  /// Pump and body stand at the instant itself, also where nothing is due. An instant after the end
  /// of the run means its end.
  public mutating func advance(through instant: Instant) {
    let last = min(instant, setup.end)
    while let next = nextInstant, next <= last, step() {}
    if state.now < last { liveOn(to: last) }
  }

  /// The next instant at which something is due.
  private var nextInstant: Instant? {
    var next = min(state.nextCycle, state.nextRow)
    if let due = state.queue.nextDue { next = min(next, due) }
    if let command = state.commandsUnderway.first { next = min(next, command.due) }
    if reportsAtTriggers {
      if let trigger = state.phone.nextScheduledTrigger(after: state.now) {
        next = min(next, trigger)
      }
      if let end = state.pump.program.end, end > state.now { next = min(next, end) }
    }
    return min(next, state.sensor.nextSample(after: state.now))
  }

  /// Whether basal is written at the instant of its trigger rather than in the next cycle.
  private var reportsAtTriggers: Bool {
    setup.app.configuration.reporting.write == .atTrigger
  }

  // MARK: - Delivery and body

  /// The pump gives what is due up to now, and each pulse enters the body at its own instant.
  mutating func deliver() {
    for occurrence in state.pump.advance(to: state.now) { take(occurrence) }
  }

  /// Takes note of what happened in the pump; pulses enter the body.
  mutating func take(_ occurrence: PumpOccurrence) {
    state.unreadOccurrences.append(occurrence)
    switch occurrence.kind {
    case .pulse(let pulse): take(pulse, at: occurrence.instant)
    case .basalStarted(let program): flow(program.rate, at: occurrence.instant)
    case .scheduleEntry(let rate, _): flow(rate, at: occurrence.instant)
    case .bolusStarted(let bolus):
      if setup.inflow == .continuous {
        let truth = state.misreportedBolus ?? bolus.asked
        state.patient.advance(to: occurrence.instant)
        let units = state.isPumpAttached ? truth.units : 0
        state.patient.receive(pumped(units))
        state.intake.take(bolus: truth.units, isAttached: state.isPumpAttached)
      }
      state.isBolusAutomatic = bolus.isAutomatic
      note(bolus, isRunning: true)
    case .bolusEnded(let bolus): note(bolus, isRunning: false)
    case .basalEnded(let program, _, _):
      state.programs.append(PumpProgramRecord(program, end: occurrence.instant))
    default: break
    }
    if let happening = Happening(occurrence) { note(happening) }
  }

  /// An amount of the insulin in the pump.
  private func pumped(_ units: Double) -> InsulinInput {
    .pulse(units: units, absorption: setup.pumpInsulin)
  }

  /// Another basal rate flows into a body that is fed continuously.
  mutating func flow(_ rate: InsulinRate, at instant: Instant) {
    guard setup.inflow == .continuous else { return }
    state.patient.advance(to: instant)
    let units = state.isPumpAttached ? rate.unitsPerHour : 0
    state.patient.receive(.rate(unitsPerHour: units))
    state.intake.flow(rate.unitsPerHour, isAttached: state.isPumpAttached, at: instant)
  }

  private mutating func take(_ pulse: PumpPulse, at instant: Instant) {
    let physical = state.isPumpAttached ? pulse.physical.units : 0
    let entersBody =
      setup.inflow == .pulses || pulse.kind == .unrequested || pulse.kind == .release
    if entersBody {
      state.patient.advance(to: instant)
      if physical > 0 { state.patient.receive(pumped(physical)) }
    }
    let channel: PumpPulseRecord.Channel =
      switch pulse.kind {
      case .basal: .basal
      case .bolus: state.isBolusAutomatic ? .automaticBolus : .userBolus
      case .release: .release
      case .unrequested: .unrequested
      }
    if entersBody {
      state.intake.take(
        channel, recorded: pulse.recorded.units, physical: pulse.physical.units,
        isAttached: state.isPumpAttached)
    }
    state.pulses.append(
      PumpPulseRecord(
        instant: instant, recorded: pulse.recorded, physicalUnits: physical, channel: channel))
  }

  /// Notes a bolus that began, or what became of it.
  private mutating func note(_ bolus: BolusDelivery, isRunning: Bool) {
    let record = PumpBolusRecord(bolus, isRunning: isRunning)
    if let index = state.boluses.lastIndex(where: { $0.identifier == record.identifier }) {
      state.boluses[index] = record
    } else {
      state.boluses.append(record)
    }
  }

  /// The body lives up to now.
  mutating func live() { state.patient.advance(to: state.now) }

  // MARK: - Sensor

  /// The sensor measures when a reading is due; the app gets it when it arrives.
  mutating func sense() {
    let sensed =
      setup.sensorSite == .plasma ? state.patient.glucose : state.patient.sensedGlucose
    if let reading = state.sensor.observe(sensed, at: state.now) {
      state.readingsUnderway.append(reading)
    }
  }

  // MARK: - Record

  /// Adds to the list of what happened.
  mutating func note(_ happening: Happening) { state.trace.happenings.append(happening) }

  mutating func note(_ kind: Happening.Kind, _ name: String, _ text: String) {
    note(Happening(instant: state.now, kind: kind, name: name, text: text))
  }
}
