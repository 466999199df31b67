import Determinism
import Quantities

/// A fault at work on a pump.
struct ActivePumpFault: Hashable, Sendable {
  var id: String
  var fault: PumpFault
  var since: Instant
  var stream: RandomStream
  /// What an occlusion holds back.
  var heldBack = PhysicalInsulin.zero
  /// What an occlusion must hold back for its alarm.
  var threshold: PhysicalInsulin?
  var hasAlarmed = false
  /// What is left of an air bubble.
  var air = PhysicalInsulin.zero

  init(id: String, fault: PumpFault, since: Instant, stream: RandomStream) {
    self.id = id
    self.fault = fault
    self.since = since
    self.stream = stream
    switch fault {
    case .airBubble(let amount): air = PhysicalInsulin(max(amount, .zero))
    case .occlusion(let occlusion):
      switch occlusion.detection {
      case .heldBack(let amount): threshold = PhysicalInsulin(amount)
      case .drawn:
        threshold = PhysicalInsulin(
          microunits: 2_000_000 + Int64(self.stream.integer(below: 3_000_001)))
      case .after, .never: threshold = nil
      }
    default: break
    }
  }
}

/// The faults at work on a pump, and what they have left behind.
struct PumpFaults: Hashable, Sendable {
  /// A command on its way.
  struct Delayed: Hashable, Sendable {
    var due: Instant
    var command: PumpCommand
  }

  var active: [ActivePumpFault] = []
  var delayed: [Delayed] = []

  var isIdle: Bool { active.isEmpty && delayed.isEmpty }

  /// The next instant at which a fault acts by itself.
  var nextInstant: Instant? {
    var next: Instant?
    for waiting in delayed { next = min(next ?? waiting.due, waiting.due) }
    for one in active {
      guard case .occlusion(let occlusion) = one.fault, !one.hasAlarmed,
        case .after(let span) = occlusion.detection
      else { continue }
      let due = one.since + span
      next = min(next ?? due, due)
    }
    return next
  }

  /// What the clock gains every day.
  var clockDriftPerDay: TimeSpan {
    active.reduce(.zero) { sum, one in
      if case .clockDrift(let perDay) = one.fault { sum + perDay } else { sum }
    }
  }

  var dropsFractionAtTempBasal: Bool { active.contains { $0.fault == .dropPulses } }

  var communicationLoss: CommunicationLoss? {
    for one in active {
      if case .communicationLoss(let loss) = one.fault { return loss }
    }
    return nil
  }

  func rejects(_ name: PumpCommand.Name) -> Bool {
    active.contains {
      guard case .reject(let names) = $0.fault else { return false }
      return names.contains(name)
    }
  }

  var uncertainDelivery: UncertainDelivery? {
    for one in active {
      if case .uncertainDelivery(let uncertain) = one.fault { return uncertain }
    }
    return nil
  }
}
