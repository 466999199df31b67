internal import Determinism
internal import Quantities

/// What is due and when: events, cycles of the app with their decisions, and rows of the trace.
struct Agenda: Sendable {
  private var queue = EventQueue<ScenarioEvent>()
  private(set) var nextCycle: Instant
  private(set) var nextRow: Instant
  private var cycleStream: RandomStream
  /// Whether the step that is underway is one of a cycle.
  private(set) var isInCycle = false
  /// How often the loop still runs in the cycle that is underway.
  private var decisionsLeft = 0

  init(beginning setup: Setup) {
    nextCycle = setup.beginning
    nextRow = setup.start
    cycleStream = RandomStream(seed: setup.seed, name: "loop")
    for event in setup.events { queue.add(event, at: max(event.instant, setup.beginning)) }
  }

  /// When the next event is due; `nil` where none is left.
  var nextEvent: Instant? { queue.nextDue }

  /// Adds an event that was planned, or could have been.
  mutating func add(_ event: ScenarioEvent, at due: Instant) { queue.add(event, at: due) }

  /// Adds an event that at one instant comes before all that are planned.
  mutating func addPrecedent(_ event: ScenarioEvent, at due: Instant) {
    queue.addPrecedent(event, at: due)
  }

  /// Adds an event that follows from another; at one instant it comes after all that are planned.
  mutating func addConsequence(_ event: ScenarioEvent, at due: Instant) {
    queue.addConsequence(event, at: due)
  }

  /// Takes the next event that is due at or before an instant; `nil` if there is none.
  mutating func takeEvent(through now: Instant) -> ScenarioEvent? {
    queue.takeNext(through: now)?.event
  }

  // MARK: - Cycles

  /// Begins a cycle if one is due, and plans the next.
  ///
  /// - Returns: When it was due; `nil` if none is.
  mutating func beginCycle(at now: Instant, by setup: Setup) -> Instant? {
    guard nextCycle <= now else { return nil }
    let due = nextCycle
    isInCycle = true
    planCycle(by: setup)
    assert(nextCycle > now, "The next cycle is after this one.")
    return due
  }

  /// The loop is to run so often in the cycle that is underway.
  mutating func expect(decisions: Int) {
    assert(isInCycle, "Decisions are asked for in cycles.")
    decisionsLeft = decisions
  }

  /// Takes one of the decisions that are left in the cycle; false if none is.
  mutating func takeDecision() -> Bool {
    guard decisionsLeft > 0 else { return false }
    decisionsLeft -= 1
    return true
  }

  /// Ends the cycle that is underway; false if none is.
  mutating func endCycle() -> Bool {
    assert(decisionsLeft == 0, "A cycle ends when all of its decisions are made.")
    defer { isInCycle = false }
    return isInCycle
  }

  /// Sets the next cycle: at the next multiple of the interval after the one that was due, and a
  /// little later where the setup asks for jitter.
  private mutating func planCycle(by setup: Setup) {
    let count = (nextCycle - setup.beginning).quotient(by: setup.cycleInterval) + 1
    var next = setup.beginning + setup.cycleInterval * count
    if setup.cycleJitter > .zero {
      let part = Double(setup.cycleJitter.milliseconds) * cycleStream.unit()
      next += .milliseconds(Int64(part.rounded(.down)))
    }
    assert(next > nextCycle, "The next cycle is after the one that was due.")
    nextCycle = next
  }

  // MARK: - Rows

  mutating func planRow(at instant: Instant) { nextRow = instant }
}
