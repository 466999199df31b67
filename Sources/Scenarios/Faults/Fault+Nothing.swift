internal import ClosedLoop
internal import Devices
internal import Quantities
internal import Simulation

extension Fault.Effect {
  /// Why everything stays as it is without the fault, as the end of a sentence; `nil` where
  /// something changes.
  var reasonOfNothing: String? {
    switch self {
    case .pump(let fault): fault.reasonOfNothing
    case .sensor(let fault): fault.reasonOfNothing
    case .app(let fault): fault.reasonOfNothing
    case .healthStore(let fault): fault.reasonOfNothing
    case .wrongPump, .phone, .lowPower, .user: nil
    }
  }
}

extension PumpFault {
  fileprivate var reasonOfNothing: String? {
    switch self {
    case .occlusion(let occlusion):
      occlusion.changesNothing ? "all insulin gets through" : nil
    case .leak(fraction: 0): "nothing runs out"
    case .siteFailure(fraction: 1, timeConstant: _): "the site takes up all insulin"
    case .scale(basal: 1, bolus: 1): "both factors are 1"
    case .scatter(deviation: 0): "no pulse varies"
    case .airBubble(.zero), .unrequested(.zero): "it is of 0 U"
    case .clockDrift(perDay: .zero), .clockError(.zero): "the clock stays right"
    case .reject(let commands): commands.isEmpty ? "it names no command" : nil
    default: nil
    }
  }
}

extension Occlusion {
  /// Whether all gets through and nothing tells the pump otherwise.
  fileprivate var changesNothing: Bool {
    guard deliveredFraction >= 1, leakedFraction <= 0 else { return false }
    return switch detection {
    case .heldBack(let amount): amount > .zero
    case .drawn, .never: true
    case .after: false
    }
  }
}

extension SensorFault {
  fileprivate var reasonOfNothing: String? {
    switch self {
    case .noise(scale: 1, standardDeviation: 0, φ: _): "the noise is the sensor's own"
    case .bias(gain: 1, offset: 0), .drift(gainPerDay: 0, offsetPerDay: 0),
      .compression(depth: 0, rise: _, fall: _), .spike(delta: 0, samples: _):
      "readings stay as they are"
    case .timestamp(shift: .zero, duplicate: false): "stamps stay as they are"
    default: nil
    }
  }
}

extension AppFault {
  fileprivate var reasonOfNothing: String? {
    switch self {
    case .clockJump(.zero): "the clock stays right"
    // The same amount is another thing where it counts as eaten now.
    case .disturbed(.corrupt(.carbsOnBoard, _)): nil
    case .disturbed(.corrupt(_, .add(0))), .disturbed(.corrupt(_, .scale(1))):
      "the value stays as it is"
    default: nil
    }
  }
}

extension HealthStoreFault {
  fileprivate var reasonOfNothing: String? {
    if rate <= 0 { return "its \"rate\" is 0" }
    if data.isEmpty { return "its \"scope\" names no data" }
    guard case .conflict(factor: 1) = kind else { return nil }
    return "the other source writes what the app writes, as in \"duplicate\""
  }
}
