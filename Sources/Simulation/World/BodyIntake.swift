internal import Devices
internal import Quantities

/// The insulin that entered the body, by where it came from.
struct BodyIntake: Hashable, Sendable {
  /// In units, like all amounts here.
  private(set) var basal = 0.0
  private(set) var bolus = 0.0
  /// By injection or by inhaler.
  private(set) var injected = 0.0
  /// From a pump without a command.
  private(set) var unrequested = 0.0
  /// What the pump gave while it was taken off.
  private(set) var spilled = 0.0
  /// By how much that was more than the pump measured out, pulse by pulse.
  private(set) var spilledExcess = 0.0
  /// What of it, and no more than was measured out, nobody asked for, or the pump did not count as
  /// a bolus.
  private(set) var spilledUnrequested = 0.0
  /// What waits behind an occlusion, by why the pump gave it.
  private var heldBasal = 0.0
  private var heldBolus = 0.0
  private var heldUnrequested = 0.0
  /// The rate that the pump runs into a body that is fed continuously, and since when.
  private var rate = 0.0
  private var reachesBody = true
  private var since: Instant?

  /// A pulse left the pump, of which a part may reach the body, and another waits behind an
  /// occlusion.
  mutating func take(
    _ pulse: PumpPulse, _ channel: PumpPulseRecord.Channel, isAttached: Bool
  ) {
    let (physical, held) = (pulse.physical.units, pulse.heldBack.units)
    // It waits in the tubing, also of a pump that is off.
    switch channel {
    case .basal: heldBasal += held
    case .userBolus, .automaticBolus: heldBolus += held
    case .unrequested: heldUnrequested += held
    case .release: return release(physical, of: -held, isAttached: isAttached)
    }
    guard isAttached else {
      let excess = max(0, physical - pulse.measured.units)
      spilled += physical
      spilledExcess += excess
      if channel == .unrequested { spilledUnrequested += physical - excess }
      return
    }
    switch channel {
    case .basal: basal += physical
    case .userBolus, .automaticBolus: bolus += physical
    case .unrequested: unrequested += physical
    case .release: break
    }
  }

  /// What comes free, and what of it is lost, is shared as what waits was given.
  private mutating func release(_ units: Double, of waiting: Double, isAttached: Bool) {
    let all = heldBasal + heldBolus + heldUnrequested
    let (toBolus, toUnrequested) = all > 0 ? (heldBolus / all, heldUnrequested / all) : (0, 0)
    let toBasal = 1 - toBolus - toUnrequested
    heldBasal = max(0, heldBasal - waiting * toBasal)
    heldBolus = max(0, heldBolus - waiting * toBolus)
    heldUnrequested = max(0, heldUnrequested - waiting * toUnrequested)
    guard isAttached else {
      spilled += units
      spilledUnrequested += units * toUnrequested
      return
    }
    basal += units * toBasal
    bolus += units * toBolus
    unrequested += units * toUnrequested
  }

  /// A bolus enters the body at once, or is given while the pump is taken off; below 0 it is what
  /// is not given of one.
  mutating func take(bolus units: Double, isAttached: Bool = true) {
    if isAttached { bolus += units } else { spilled += units }
  }

  /// Insulin enters the body without the pump.
  mutating func inject(_ units: Double) { injected += units }

  /// From an instant on the pump runs a rate in U/h into a body that is fed continuously.
  mutating func flow(_ unitsPerHour: Double, isAttached: Bool, at instant: Instant) {
    settle(at: instant)
    rate = unitsPerHour
    reachesBody = isAttached
    since = instant
  }

  /// Adds what has flowed up to an instant, where basal enters continuously.
  mutating func settle(at instant: Instant) {
    guard let since else { return }
    assert(since <= instant, "A body takes insulin forward in time.")
    assert(rate >= 0, "A basal rate cannot be negative.")
    let units = rate * (instant - since).hours
    if reachesBody { basal += units } else { spilled += units }
    self.since = instant
  }
}
