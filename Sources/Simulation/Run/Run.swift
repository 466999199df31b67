internal import ClosedLoop
internal import Determinism
internal import Devices
public import HealthStore
internal import Physiology
public import Quantities

/// One simulation: a setup that never changes, a world that does, and what is due in it and asked.
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
  /// Everything in which something happens.
  var world: World
  /// What is due and when.
  var agenda: Agenda
  /// What is asked of a program outside.
  var asking: Asking
  /// Why the run is over before its time.
  var ending = Ending()

  /// Prepares a run; nothing has happened yet.
  public init(_ setup: Setup) {
    precondition(setup.start <= setup.end, "A run ends after it starts.")
    precondition(setup.preRoll >= .zero, "A pre-roll lies before the start, not after it.")
    precondition(setup.cycleInterval > .zero, "Cycles of the loop are some time apart.")
    precondition(setup.cycleJitter >= .zero, "A cycle comes late, never early.")
    precondition(setup.outputInterval > .zero, "Rows of the timeline are some time apart.")
    precondition(setup.commandLatency >= .zero, "A command does not arrive before it is sent.")
    precondition(setup.hasApp || setup.needOfApp == nil, "What needs an app has one.")
    self.init(unchecked: setup)
    world.trace.expectRows(from: setup.start, to: setup.end, every: setup.rowInterval)
  }

  /// Prepares a run of a setup whose need of an app somebody else looks after.
  init(unchecked setup: Setup) {
    self.setup = setup
    world = World(beginning: setup)
    agenda = Agenda(beginning: setup)
    asking = Asking(beginning: setup)
    guard setup.hasApp else { return }
    for warning in setup.app.warnings { world.note(.warning, "app", warning.description) }
  }

  /// The share of the run that is over, from 0 to 1, for progress.
  public var progress: Double {
    let whole = (setup.end - setup.beginning).seconds
    return whole > 0 ? min(1, max(0, (world.now - setup.beginning).seconds / whole)) : 1
  }

  /// Lives up to the next instant that has work, and does it; false when the run is over, or
  /// stands at a ``question``.
  ///
  /// The phases of a step are those below, in this order. Faults and the phone change before the
  /// body lives up to the instant; what people do comes after that. The app works in cycles only,
  /// but for segments that it reports at the instant of their trigger. Where there is no app, a
  /// cycle is when the person looks at the sensor's receiver and at the devices.
  public mutating func step() -> Bool {
    guard ending.brokenLaw == nil, asking.question == nil else { return false }
    if world.delivery.body.isAsked, world.delivery.body.external?.livedThrough == nil {
      askBody(before: nil)
      return true
    }
    let instant = nextInstant
    guard instant <= setup.end, checkSurvival(until: instant) else { return false }
    assert(instant >= world.now, "A step never goes back in time.")
    if asking.isStart(instant) { asking.noteCarbs(fromBefore: world.phone.carbEntries) }
    world.noteEndOfPreset(until: instant)
    guard !isRowAlone(at: instant) else { return addRowAlone(at: instant) }
    let asksBody = world.delivery.body.isAsked && isBodyDue(at: instant)
    world.isTrigger = world.reportsAtTriggers && nextByItself == instant
    world.now = instant
    let acts = performEnvironmentChanges()
    world.live()
    guard !asksBody else {
      askBody(before: acts)
      return true
    }
    return goOn(with: acts)
  }

  /// The part of a step that comes after the body has lived: what people do, then sensor and app.
  mutating func goOn(with acts: [ScenarioEvent]) -> Bool {
    world.watchModel()
    guard checkSurvival() else { return false }
    for later in world.carryOutArrivedCommands() {
      agenda.addConsequence(later, at: later.instant)
    }
    return goOn(performing: acts[...])
  }

  /// The part of a step that comes after what people do.
  mutating func goOnAfterActs() -> Bool {
    if setup.hasApp {
      world.noteSettingsOfFaults()
      world.appRecord.note(world.phone.most, at: world.now)
      world.appRecord.noteSettings(of: world.phone, at: world.now)
    }
    world.appRecord.note(world.phone.warnings, at: world.now)
    world.reportAtTrigger()
    world.sense()
    if let due = agenda.beginCycle(at: world.now, by: setup),
      let decisions = world.ingest(inCycleDue: due)
    {
      agenda.expect(decisions: decisions)
      return goOn()
    }
    return endStep()
  }

  /// The rest of a step, after the decisions of a cycle.
  mutating func endStep() -> Bool {
    assert(asking.question == nil, "A step ends when its question is answered.")
    if agenda.endCycle() {
      react()
      replaceWhatIsDue()
    }
    world.appRecord.note(world.phone.warnings, at: world.now)
    if agenda.nextRow <= world.now { record() }
    return check()
  }

  /// The person looks at what the cycle brought; what follows is done as if the scenario had it
  /// among its events.
  private mutating func react() {
    for reaction in world.person.look(at: world.now, glucose: world.delivery.body.glucose) {
      assert(reaction.instant > world.now, "A person reacts after seeing glucose.")
      for event in reaction.events { agenda.add(event, at: reaction.instant) }
    }
  }

  /// Whether all that is due at an instant up to which the run has lived is a row of the trace.
  ///
  /// A body outside is asked wherever there is a row.
  func isRowAlone(at instant: Instant) -> Bool {
    agenda.nextRow == instant && nextBesideRows > instant && !world.delivery.body.isAsked
  }

  /// Adds a row to the trace where nothing else is due.
  ///
  /// What happens in a run does not depend on how often it is written down: the app does not look
  /// at the pump, and the body is looked at and goes on from where it was, for its equations are
  /// solved from one occurrence to the next, and the next bits of glucose would differ.
  private mutating func addRowAlone(at instant: Instant) -> Bool {
    guard lookIfDue(at: instant) else { return false }
    world.now = instant
    world.givePulses()
    let body = world.delivery.body
    world.delivery.body.live(to: instant)
    world.watchModel()
    record()
    world.delivery.body = body
    return check()
  }

  /// Adds a row to the trace, and plans the next.
  mutating func record() {
    world.record()
    agenda.planRow(at: world.now + setup.rowInterval)
  }

  /// Lives up to an instant and through it: everything due at or before it has happened then.
  ///
  /// Pump and body stand at the instant itself, also where nothing is due. An instant after the end
  /// of the run means its end. A run that asks a question on the way stands there.
  public mutating func advance(through instant: Instant) {
    let last = min(instant, setup.end)
    while step(through: last) {}
    // At a row that stands alone the body has been left where it was.
    if world.now <= last, ending.brokenLaw == nil, question == nil {
      advanceDevicesAndBody(to: last)
    }
  }

  /// Lives through the next instant at which something is due, where it is not after `instant`.
  ///
  /// - Returns: Whether the run can go on; false too where nothing is due up to `instant`.
  public mutating func step(through instant: Instant) -> Bool {
    guard nextInstant <= min(instant, setup.end) else { return false }
    return step()
  }

  /// Ends the run: writes what is due, compares the records, and collects everything.
  ///
  /// It uses the run up: what the app kept makes room for the records that are made of it. Who asks
  /// something of the run afterwards has kept a copy, and the room is not saved.
  ///
  /// - Parameter share: Is given the health store as soon as nothing is written to it any more,
  ///   which is before the result is gathered.
  /// - Returns: Everything that the run leaves behind.
  public consuming func finish(
    sharingStore share: (InMemoryHealthStore) -> Void = { _ in }
  ) -> RunResult {
    writeWhatIsDue()
    share(world.store.records)
    var ended = EndedRun(consume self)
    return ended.makeResult()
  }

  /// The last look at the pump and the sensor, and what the app writes then.
  private mutating func writeWhatIsDue() {
    if ending.brokenLaw == nil { advanceDevicesAndBody(to: setup.end) }
    world.receiveReadings()
    world.ingestPump()
    world.flush()
    world.appRecord.note(world.phone.warnings, at: world.now)
    world.noteUnderwayAtEnd()
    world.delivery.endPrograms(at: world.now)
    world.appRecord.noteSchedules(of: world.phone, at: lastInstant, always: true)
    _ = check()
  }

  /// The next instant at which something is due.
  var nextInstant: Instant { min(agenda.nextRow, nextBesideRows) }

  /// The next instant at which something is due that is more than a row.
  private var nextBesideRows: Instant {
    let next = nextByItself
    return agenda.nextEvent.map { min($0, next) } ?? next
  }

  /// The next instant at which something is due that is neither a row nor an event.
  private var nextByItself: Instant {
    var next = agenda.nextCycle
    if let command = world.link.nextCommand { next = min(next, command) }
    if let clock = world.delivery.pump.arrivalOfClock, clock > world.now { next = min(next, clock) }
    if world.reportsAtTriggers {
      if let trigger = world.phone.nextScheduledTrigger(after: world.now) {
        next = min(next, trigger)
      }
      if let end = world.delivery.pump.program.end, end > world.now { next = min(next, end) }
    }
    return min(next, world.sensor.nextSample(after: world.now))
  }
}
