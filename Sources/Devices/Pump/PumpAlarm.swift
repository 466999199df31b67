public import Quantities

/// Something a pump warns of, or stops for.
public enum PumpAlarm: Hashable, Sendable {
  /// Insulin does not get through.
  case occlusion
  /// Nothing is left in the reservoir.
  case reservoirEmpty
  /// The reservoir has reached a warning level.
  case lowReservoir(InsulinAmount)
  /// The battery is empty, and the pump stops.
  case batteryDepleted
  /// The battery is nearly empty.
  case lowBattery
  /// The nominal life is over; the pump still works.
  case expirationAdvisory
  /// The pump is about to stop.
  case expirationImminent
  /// The pod's life is over, and it stops.
  case expired
  /// Nobody used the pump for so long that it stops.
  case autoOff
  /// A fault of the pump itself.
  case failure

  /// Whether all delivery stops.
  public var stopsDelivery: Bool {
    switch self {
    case .occlusion, .reservoirEmpty, .batteryDepleted, .expired, .autoOff, .failure: true
    case .lowReservoir, .lowBattery, .expirationAdvisory, .expirationImminent: false
    }
  }

  /// Whether a person who acknowledges the alarm ends it.
  ///
  /// What has expired stays stopped, and so does a pump whose battery is empty.
  public var canBeCleared: Bool { self != .expired && self != .batteryDepleted }

  /// That the pump has stopped for this alarm, and what must be done before it delivers again.
  ///
  /// An alarm that is cleared without that comes again at once, or is not cleared at all.
  public var stopped: String {
    let remedy =
      switch self {
      case .expired: "replace it"
      case .reservoirEmpty: "refill or replace it"
      case .batteryDepleted: "change its battery or replace it"
      default: "clear the alarm or replace the pump"
      }
    return "The pump has stopped (\(self)); \(remedy)."
  }
}

extension PumpAlarm: CustomStringConvertible {
  /// The alarm in words, such as `occlusion` or `low reservoir (10.00 U)`.
  public var description: String {
    switch self {
    case .occlusion: "occlusion"
    case .reservoirEmpty: "reservoir empty"
    case .lowReservoir(let level): "low reservoir (\(level))"
    case .batteryDepleted: "battery depleted"
    case .lowBattery: "low battery"
    case .expirationAdvisory: "expiration advisory"
    case .expirationImminent: "about to expire"
    case .expired: "expired"
    case .autoOff: "auto-off"
    case .failure: "pump failure"
    }
  }
}
