import Determinism
import Quantities

/// The faults at work on a pump, and the commands that they hold up.
struct PumpFaults: Hashable, Sendable {
  /// A command on its way.
  struct Delayed: Hashable, Sendable {
    fileprivate(set) var number: Int
    fileprivate(set) var due: Instant
    fileprivate(set) var command: PumpCommand
  }

  /// The faults at work, in the order they began.
  private(set) var active: [ActivePumpFault] = []
  private var delayed: [Delayed] = []
  /// The number of the command that was held up last; they count from 1.
  private(set) var latestDelayed = 0
  /// What the commands made that were held up and have arrived, by their numbers.
  private(set) var made: [Int: PumpEvent.Identifier] = [:]
  private let seed: UInt64

  /// Creates a pump without a fault; faults that draw by chance do so by the seed of the run.
  init(seed: UInt64) { self.seed = seed }

  var isIdle: Bool { active.isEmpty && delayed.isEmpty }

  /// The next instant at which a command arrives or, while they are looked for, an occlusion is
  /// detected.
  func nextInstant(detecting: Bool) -> Instant? {
    var next: Instant?
    for waiting in delayed { next = min(next ?? waiting.due, waiting.due) }
    guard detecting else { return next }
    for one in active {
      guard let due = one.detection else { continue }
      next = min(next ?? due, due)
    }
    return next
  }

  /// Begins a fault under an id.
  mutating func begin(_ fault: PumpFault, id: String, at instant: Instant) {
    let stream = RandomStream(seed: seed, name: "pump.fault.\(id)")
    active.append(ActivePumpFault(id: id, fault: fault, since: instant, stream: stream))
  }

  /// Ends the faults of an id, and returns them.
  mutating func end(id: String) -> [ActivePumpFault] {
    let ended = active.filter { $0.id == id }
    active.removeAll { $0.id == id }
    return ended
  }

  /// Holds a command up.
  mutating func delay(_ command: PumpCommand, until due: Instant) {
    latestDelayed += 1
    delayed.append(Delayed(number: latestDelayed, due: due, command: command))
  }

  /// When the commands that are held up arrive, in the order in which they were sent.
  var arrivals: [Instant] { delayed.map(\.due) }

  /// When a held-up command arrives that sets the clock; `nil` for none.
  var arrivalOfClock: Instant? {
    delayed.lazy.filter { $0.command.name == .clock }.map(\.due).min()
  }

  /// Takes a command that arrives by an instant.
  mutating func takeDelayed(by instant: Instant) -> Delayed? {
    guard let index = delayed.firstIndex(where: { $0.due <= instant }) else { return nil }
    return delayed.remove(at: index)
  }

  /// Notes what a command made that was held up and has arrived.
  mutating func note(_ event: PumpEvent.Identifier, madeBy command: Delayed) {
    made[command.number] = event
  }

  /// Whether the command of a number is still held up.
  func isDelayed(_ number: Int) -> Bool { delayed.contains { $0.number == number } }

  /// Forgets the commands on their way, and returns them.
  mutating func takeAllDelayed() -> [PumpCommand] {
    defer { delayed.removeAll() }
    return delayed.map(\.command)
  }

  /// Takes the id of an occlusion that is detected now and was not before.
  mutating func takeDetectedOcclusion(at instant: Instant) -> String? {
    for index in active.indices where active[index].takeDetection(at: instant) {
      return active[index].id
    }
    return nil
  }

  /// Looks anew for the occlusions of which an alarm has told.
  mutating func rearmOcclusions(at now: Instant) {
    for index in active.indices { active[index].rearm(at: now) }
  }

  /// Takes all that occlusions hold back.
  mutating func takeHeldBack() -> PhysicalInsulin {
    active.indices.reduce(.zero) { sum, index in sum + active[index].takeHeldBack() }
  }

  /// Lets each fault between pump and body act, in the order of the way.
  mutating func forEach(onTheWay act: (inout ActivePumpFault) -> Void) {
    for stage in PumpFault.Stage.allCases {
      for index in active.indices where active[index].fault.stage == stage { act(&active[index]) }
    }
  }

  /// What the clock gains every day.
  var clockDriftPerDay: TimeSpan {
    active.reduce(.zero) { sum, one in
      if case .clockDrift(let perDay) = one.fault { sum + perDay } else { sum }
    }
  }

  var dropsFractionAtTempBasal: Bool { active.contains { $0.fault == .dropPulses } }

  /// What becomes of commands while there is no contact; `nil` while there is.
  ///
  /// Of several losses one by which commands never arrive decides, and else the one by which they
  /// arrive last, whichever began first.
  var commandsWithoutContact: CommunicationLoss.Commands? {
    var latest: TimeSpan?
    for one in active {
      guard case .communicationLoss(let loss) = one.fault else { continue }
      guard case .late(let latency) = loss.commands else { return .fail }
      latest = max(latest ?? latency, latency)
    }
    return latest.map { .late($0) }
  }

  func rejects(_ name: PumpCommand.Name) -> Bool {
    active.contains {
      guard case .reject(let names) = $0.fault else { return false }
      return names.contains(name)
    }
  }

  /// What becomes of a command whose reply is lost.
  ///
  /// Of several such faults the one by which least is given decides, whichever began first, and
  /// nobody can ask before all of them let them: what one loses on the way another cannot bring.
  var uncertainDelivery: UncertainDelivery? {
    var worst: UncertainDelivery?
    for one in active {
      guard case .uncertainDelivery(let uncertain) = one.fault else { continue }
      let former = worst ?? uncertain
      var worse = uncertain.trulyDelivered < former.trulyDelivered ? uncertain : former
      worse.resolveAfter = max(uncertain.resolveAfter, former.resolveAfter)
      worst = worse
    }
    return worst
  }
}
