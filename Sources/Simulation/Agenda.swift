internal import Determinism
internal import Quantities

/// What is due and when: events, cycles of the app, and rows of the trace.
struct Agenda: Sendable {
  private var queue = EventQueue<ScenarioEvent>()
  private(set) var nextCycle: Instant
  private(set) var nextRow: Instant
  private var cycleStream: RandomStream

  init(beginning setup: Setup) {
    nextCycle = setup.beginning
    nextRow = setup.start
    cycleStream = RandomStream(seed: setup.seed, name: "loop")
    for event in setup.events { queue.add(event, at: max(event.instant, setup.beginning)) }
  }

  /// The next instant at which something is due.
  var next: Instant { min(nextCycle, nextRow, queue.nextDue ?? nextCycle) }

  /// Adds an event that was planned, or could have been.
  mutating func add(_ event: ScenarioEvent, at due: Instant) { queue.add(event, at: due) }

  /// Adds an event that follows from another; at one instant it comes after all that are planned.
  mutating func addConsequence(_ event: ScenarioEvent, at due: Instant) {
    queue.addConsequence(event, at: due)
  }

  /// Takes the next event that is due at or before an instant; `nil` if there is none.
  mutating func takeEvent(through now: Instant) -> ScenarioEvent? {
    queue.takeNext(through: now)?.event
  }

  /// Sets the next cycle: at the next multiple of the interval after the one that was due, and a
  /// little later where the setup asks for jitter.
  mutating func planCycle(by setup: Setup) {
    let count = (nextCycle - setup.beginning).quotient(by: setup.cycleInterval) + 1
    var next = setup.beginning + setup.cycleInterval * count
    if setup.cycleJitter > .zero {
      let part = Double(setup.cycleJitter.milliseconds) * cycleStream.unit()
      next += .milliseconds(Int64(part.rounded(.down)))
    }
    assert(next > nextCycle, "The next cycle is after the one that was due.")
    nextCycle = next
  }

  mutating func planRow(at instant: Instant) { nextRow = instant }
}
