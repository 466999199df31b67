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
  /// By how much that was more than the pump counted, pulse by pulse.
  private(set) var spilledUncounted = 0.0
  /// What did not arrive of basal and boluses, and may come free behind an occlusion.
  private var missingBasal = 0.0
  private var missingBolus = 0.0
  /// The rate that the pump runs into a body that is fed continuously, and since when.
  private var rate = 0.0
  private var reachesBody = true
  private var since: Instant?

  /// A pulse left the pump, of which so much would reach the body.
  mutating func take(
    _ channel: PumpPulseRecord.Channel, recorded: Double, physical: Double, isAttached: Bool
  ) {
    guard isAttached else {
      spilled += physical
      if channel != .unrequested, channel != .release {
        spilledUncounted += max(0, physical - recorded)
      }
      return
    }
    switch channel {
    case .basal:
      basal += physical
      missingBasal += max(0, recorded - physical)
    case .userBolus, .automaticBolus:
      bolus += physical
      missingBolus += max(0, recorded - physical)
    case .unrequested: unrequested += physical
    case .release: release(physical)
    }
  }

  /// What comes free is shared between basal and boluses as what did not arrive of them.
  private mutating func release(_ units: Double) {
    assert(
      missingBasal >= 0 && missingBolus >= 0, "No less than nothing waits behind an occlusion.")
    let missing = missingBasal + missingBolus
    let toBolus = missing > 0 ? units * missingBolus / missing : 0
    bolus += toBolus
    basal += units - toBolus
    missingBolus = max(0, missingBolus - toBolus)
    missingBasal = max(0, missingBasal - (units - toBolus))
  }

  /// A bolus enters the body at once, or is given while the pump is taken off.
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
