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
  /// What the run is made from.
  public let setup: Setup
  var state: State

  /// Prepares a run; nothing has happened yet.
  public init(_ setup: Setup) {
    precondition(setup.start <= setup.end, "A run ends after it starts.")
    precondition(setup.preRoll >= .zero, "A pre-roll lies before the start, not after it.")
    precondition(setup.cycleInterval > .zero, "Cycles of the loop are some time apart.")
    precondition(setup.cycleJitter >= .zero, "A cycle comes late, never early.")
    precondition(setup.outputInterval > .zero, "Rows of the trace are some time apart.")
    precondition(setup.commandLatency >= .zero, "A command does not arrive before it is sent.")
    precondition(setup.hasApp || setup.needOfApp == nil, "What needs an app has one.")
    self.init(unchecked: setup)
    state.trace.expectRows(from: setup.start, to: setup.end, every: setup.outputInterval)
  }

  /// Prepares a run of a setup whose need of an app somebody else looks after.
  init(unchecked setup: Setup) {
    self.setup = setup
    state = State(beginning: setup)
    guard setup.hasApp else { return }
    for warning in setup.app.warnings { note(.warning, "app", warning.description) }
  }

  /// The share of the run that is over, from 0 to 1, for progress.
  public var progress: Double {
    let whole = (setup.end - setup.beginning).seconds
    return whole > 0 ? min(1, max(0, (state.now - setup.beginning).seconds / whole)) : 1
  }

  /// Lives up to the next instant that has work, and does it; false when the run is over, or
  /// stands at a ``question``.
  ///
  /// The phases of a step are those below, in this order. Faults and the phone change before the
  /// body lives up to the instant; what people do comes after that. The app works in cycles only,
  /// but for segments that it reports at the instant of their trigger. Where there is no app, a
  /// cycle is when the person looks at the sensor's receiver and at the devices.
  public mutating func step() -> Bool {
    guard state.ending.brokenLaw == nil, state.asking.question == nil else { return false }
    if state.delivery.body.isAsked, state.delivery.body.external?.livedThrough == nil {
      askBody(before: nil)
      return true
    }
    guard let instant = nextInstant, instant <= setup.end, checkSurvival(until: instant) else {
      return false
    }
    assert(instant >= state.now, "A step never goes back in time.")
    let asksBody = state.delivery.body.isAsked && isBodyDue(at: instant)
    state.now = instant
    let acts = performEnvironmentChanges()
    state.delivery.live(to: state.now, noting: &state.trace)
    guard !asksBody else {
      askBody(before: acts)
      return true
    }
    return goOn(with: acts)
  }

  /// The part of a step that comes after the body has lived: what people do, then sensor and app.
  mutating func goOn(with acts: [ScenarioEvent]) -> Bool {
    state.model.look(at: state.delivery.body, now: state.now, noting: &state.trace)
    guard checkSurvival() else { return false }
    carryOutArrivedCommands()
    return goOn(performing: acts[...])
  }

  /// The part of a step that comes after what people do.
  mutating func goOnAfterActs() -> Bool {
    noteLimits()
    reportAtTrigger()
    sense()
    if state.agenda.nextCycle <= state.now {
      state.asking.isInCycle = true
      if let runs = ingest() {
        state.asking.cyclesLeft = runs
        return goOn()
      }
    }
    return endStep()
  }

  /// The rest of a step, after the decisions of a cycle.
  mutating func endStep() -> Bool {
    if state.asking.isInCycle {
      assert(state.asking.cyclesLeft == 0, "A step ends when all of its cycles have decided.")
      assert(state.asking.question == nil, "A step ends when its question is answered.")
      state.asking.isInCycle = false
      react()
      replaceWhatIsDue()
    }
    if state.agenda.nextRow <= state.now { record() }
    return check()
  }

  /// Lives up to an instant and through it: everything due at or before it has happened then.
  ///
  /// Pump and body stand at the instant itself, also where nothing is due. An instant after the end
  /// of the run means its end. A run that asks a question on the way stands there.
  public mutating func advance(through instant: Instant) {
    let last = min(instant, setup.end)
    while let next = nextInstant, next <= last, step() {}
    if state.now < last, state.ending.brokenLaw == nil, question == nil {
      advanceDevicesAndBody(to: last)
    }
  }

  /// Ends the run: writes what is due, compares the records, and collects everything.
  public mutating func finish() -> RunResult {
    if state.ending.brokenLaw == nil { advanceDevicesAndBody(to: setup.end) }
    receiveReadings()
    ingestPump()
    if isAppRunning { state.phone.flush(to: &state.store.records, at: state.now) }
    state.delivery.endPrograms(at: state.now)
    state.appRecord.noteSchedules(of: state.phone, at: lastInstant, always: true)
    _ = check()
    return EndedRun(setup, state).result
  }

  /// The next instant at which something is due.
  private var nextInstant: Instant? {
    var next = state.agenda.next
    if let command = state.link.nextCommand { next = min(next, command) }
    if reportsAtTriggers {
      if let trigger = state.phone.nextScheduledTrigger(after: state.now) {
        next = min(next, trigger)
      }
      if let end = state.delivery.pump.program.end, end > state.now { next = min(next, end) }
    }
    return min(next, state.sensor.nextSample(after: state.now))
  }

  /// Whether basal is written at the instant of its trigger rather than in the next cycle.
  var reportsAtTriggers: Bool {
    setup.hasApp && setup.app.configuration.reporting.write == .atTrigger
  }

  // MARK: - Sensor

  /// The sensor measures when a reading is due; the app gets it when it arrives.
  ///
  /// Of a body outside it is shown only what that body has said of this instant.
  mutating func sense() {
    if let external = state.delivery.body.external, external.livedThrough != state.now { return }
    if let reading = state.sensor.observe(state.delivery.body.sensedGlucose, at: state.now) {
      state.link.send(reading)
    }
  }

  // MARK: - Record

  /// Adds to the list of what happened.
  mutating func note(_ kind: Happening.Kind, _ name: String, _ text: String) {
    state.trace.note(kind, name, text, at: state.now)
  }
}
