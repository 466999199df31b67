import Determinism
import Quantities

/// A fault at work on a pump, and what it has gathered so far.
struct ActivePumpFault: Hashable, Sendable {
  let id: String
  let fault: PumpFault
  let since: Instant
  /// What an occlusion holds back.
  private(set) var heldBack = PhysicalInsulin.zero
  private var stream: RandomStream
  /// What an occlusion must hold back for its alarm.
  private var threshold: PhysicalInsulin?
  private var hasAlarmed = false
  /// Since when an occlusion is looked for, and what it held back then: from the beginning, or from
  /// when somebody cleared the alarm that it raised.
  private var armedSince: Instant
  private var heldBackBefore = PhysicalInsulin.zero
  /// What is left of an air bubble.
  private var air = PhysicalInsulin.zero

  init(id: String, fault: PumpFault, since: Instant, stream: RandomStream) {
    self.id = id
    self.fault = fault
    self.since = since
    self.stream = stream
    armedSince = since
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

  /// Whether it is of the tube, the cannula or the site, and not of the pump itself.
  var isOfInfusionSet: Bool {
    switch fault {
    case .occlusion, .leak, .siteFailure: true
    case .airBubble: air > .zero
    default: false
    }
  }

  // MARK: - Alarms

  /// When an occlusion is detected by the time that has passed; `nil` if it is not, or was.
  var detection: Instant? {
    guard case .occlusion(let occlusion) = fault, !hasAlarmed,
      case .after(let span) = occlusion.detection
    else { return nil }
    return armedSince + span
  }

  /// Whether an occlusion is detected now, which it is once.
  mutating func takeDetection(at now: Instant) -> Bool {
    guard case .occlusion = fault, !hasAlarmed else { return false }
    if let threshold {
      hasAlarmed = heldBack - heldBackBefore >= threshold
    } else if let detection {
      hasAlarmed = detection <= now
    }
    return hasAlarmed
  }

  /// Looks for the occlusion anew, because its alarm was cleared and it is still there.
  mutating func rearm(at now: Instant) {
    guard hasAlarmed else { return }
    hasAlarmed = false
    armedSince = now
    heldBackBefore = heldBack
  }

  // MARK: - Insulin on its way

  /// Takes what an occlusion holds back.
  mutating func takeHeldBack() -> PhysicalInsulin {
    defer { (heldBack, heldBackBefore) = (.zero, .zero) }
    return heldBack
  }

  /// What runs out of a damaged tube before its blockage.
  func leaked(of flow: PhysicalInsulin) -> PhysicalInsulin {
    guard case .occlusion(let occlusion) = fault, occlusion.leakedFraction > 0 else { return .zero }
    let lost = flow.scaled(by: min(occlusion.leakedFraction, 1))
    assert(lost <= flow || flow < .zero, "No more leaks than flows.")
    return lost
  }

  /// Lets a flow pass; a difference without a name is held back.
  mutating func pass(
    _ flow: PhysicalInsulin, as kind: PumpPulse.Kind, of pulse: InsulinAmount, at now: Instant
  ) -> (flow: PhysicalInsulin, difference: BodyLedger.Difference?) {
    switch fault {
    case .scatter(let deviation): return (scattered(flow, by: deviation, of: pulse), .scatter)
    case .scale(let basal, let bolus):
      return (flow.scaled(by: kind == .basal ? basal : bolus), .scale)
    case .misreportedBolus(let factor):
      return (kind == .bolus ? flow.scaled(by: factor) : flow, .scale)
    case .airBubble:
      let air = min(flow, air)
      self.air = self.air - air
      return (flow - air, .airBubble)
    case .occlusion(let occlusion):
      let through = flow.scaled(by: min(max(occlusion.deliveredFraction, 0), 1))
      heldBack += flow - through
      return (through, nil)
    case .leak(let fraction):
      return (flow.scaled(by: 1 - min(max(fraction, 0), 1)), .leak)
    case .siteFailure(let fraction, let time):
      let rest = min(max(fraction, 0), 1)
      let age = (now - since).minutes
      let fading = time > .zero ? PortableMath.exp(-age / time.minutes) : 0
      return (flow.scaled(by: rest + (1 - rest) * fading), .siteFailure)
    default: return (flow, .scale)
    }
  }

  /// Multiplies each single pulse of a flow by its own random factor.
  private mutating func scattered(
    _ flow: PhysicalInsulin, by deviation: Double, of pulse: InsulinAmount
  ) -> PhysicalInsulin {
    let pulse = PhysicalInsulin(pulse).microunits
    var rest = flow.microunits
    var sum = PhysicalInsulin.zero
    while rest > 0 {
      let part = PhysicalInsulin(microunits: min(pulse, rest))
      rest -= part.microunits
      sum += part.scaled(by: 1 + deviation * stream.normal())
    }
    return sum
  }
}

extension PumpFault {
  /// Where on the way from the pump to the body a fault acts, in the order of the way.
  enum Stage: CaseIterable {
    case strokes, tubing, site
  }

  var stage: Stage? {
    switch self {
    case .scatter, .scale, .misreportedBolus: .strokes
    case .airBubble, .occlusion: .tubing
    case .leak, .siteFailure: .site
    default: nil
    }
  }
}
