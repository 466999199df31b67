internal import Devices
internal import Quantities

/// Which devices a person replaces in time, so that a run does not go on without insulin or
/// readings.
public struct Supplies: Hashable, Sendable {
  /// Whether the reservoir or the pod is replaced: at the age at which it asks for it, or when
  /// little insulin is left.
  public var replacesPump: Bool
  /// Whether the sensor is replaced at the end of its life.
  public var replacesSensor: Bool

  /// Creates a `Supplies` from its parts; see the properties.
  public init(replacesPump: Bool, replacesSensor: Bool) {
    self.replacesPump = replacesPump
    self.replacesSensor = replacesSensor
  }

  /// Nothing is replaced by itself.
  public static let none = Supplies(replacesPump: false, replacesSensor: false)
  /// Everything is replaced when it is due.
  public static let automatic = Supplies(replacesPump: true, replacesSensor: true)
}

extension Supplies {
  /// What is left in a reservoir that is replaced: 20 U, or a tenth of a smaller one.
  private static let lowReservoir = InsulinAmount.milliunits(20_000)

  /// Why the pump or its reservoir is replaced now, in a sentence; `nil` while it lasts, while a
  /// bolus runs, and while a failure that a new reservoir does not cure has stopped it.
  func reasonToReplace(_ pump: Pump, isAttached: Bool, at now: Instant) -> String? {
    guard replacesPump, isAttached, pump.bolus == nil else { return nil }
    let profile = pump.profile
    // A pod is replaced with all that has stopped it.
    let stops = profile.isPatchPump ? pump.activeAlarms.prefix(1) : pump.activeAlarms[...]
    guard stops.allSatisfy({ $0 == .expired || $0 == .reservoirEmpty }) else { return nil }
    if let life = profile.life, now - pump.activation >= life.advisory {
      return "The \(profile.name) has been worn for \(life.advisory)."
    }
    let tenth = InsulinAmount.milliunits(profile.reservoirCapacity.milliunits / 10)
    guard pump.reservoir <= min(Self.lowReservoir, tenth) else { return nil }
    return "The reservoir of the \(profile.name) holds \(unitsText(pump.reservoir.units)) U."
  }

  /// Why the sensor is replaced now, in a sentence; `nil` while it lasts.
  func reasonToReplace(_ sensor: GlucoseSensor, at now: Instant) -> String? {
    let wear = sensor.profile.wear
    guard replacesSensor, now - sensor.insertion >= wear else { return nil }
    return "The sensor has been worn for \(wear)."
  }
}
