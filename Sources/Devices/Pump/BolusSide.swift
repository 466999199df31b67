internal import LargeValues
import Quantities

/// The bolus side of a pump: the bolus being given, its pulses, and the account of all of them.
struct BolusSide: Hashable, Sendable {
  private let mark = PassedByAddress()

  /// The bolus being given.
  private(set) var running: BolusDelivery?
  /// The pulses counted as bolus.
  private(set) var log = PulseLog()
  private let pulse: InsulinAmount
  /// How long the running bolus takes.
  private var duration: TimeSpan = .zero
  /// Where the running bolus stops by itself, by a fault.
  private var limit: InsulinAmount?
  private var booked = DeliveryLedger.Boluses()

  /// Creates the side of a pump that gives multiples of `pulse`.
  init(pulse: InsulinAmount) { self.pulse = pulse }

  /// The account of boluses, as of now.
  var account: DeliveryLedger.Boluses {
    var account = booked
    account.pending = running?.remaining ?? .zero
    return account
  }

  /// Begins to give a bolus of whole pulses.
  mutating func start(
    _ asked: InsulinAmount, over duration: TimeSpan, automatic: Bool,
    as event: PumpEvent.Identifier, at instant: Instant
  ) -> BolusDelivery {
    assert(asked > .zero, "A bolus that the pump takes is a pulse or more.")
    self.duration = duration
    booked.asked += asked
    let started = BolusDelivery(
      event: event, start: instant, end: instant + duration, asked: asked, delivered: .zero,
      isAutomatic: automatic, outcome: .running)
    running = started
    return started
  }

  /// When the next pulse of the running bolus is due.
  ///
  /// Pulses closer together than a second are given once a second.
  var nextPulse: Instant? {
    guard let running else { return nil }
    let count = pulses(in: running.asked)
    assert(count > 0, "A bolus that runs has a pulse or more.")
    let total = duration.milliseconds
    var due = ((pulses(in: running.delivered) + 1) * total + count - 1) / count
    if total < count * 1_000 { due = min(total, (due + 999) / 1_000 * 1_000) }
    return running.start + .milliseconds(due)
  }

  /// The number of pulses that are due at an instant; `nil` before the next one.
  func pulsesDue(at instant: Instant) -> Int64? {
    guard let running, let nextPulse, nextPulse <= instant else { return nil }
    let count = pulses(in: running.asked)
    let elapsed = (instant - running.start).milliseconds
    let total = duration.milliseconds
    assert(elapsed >= 0, "A bolus that runs has begun.")
    let reached = total == 0 ? count : min(count, elapsed * count / total)
    // Of several that fall due at once no more are given than up to where it stops by itself.
    let last = limit.map { pulses(in: $0) } ?? count
    return min(reached, last) - pulses(in: running.delivered)
  }

  private func pulses(in amount: InsulinAmount) -> Int64 { amount.milliunits / pulse.milliunits }

  /// Counts pulses that came out.
  mutating func count(_ amount: InsulinAmount, at instant: Instant) {
    booked.delivered += amount
    log.append(amount, at: instant)
    running?.delivered += amount
  }

  /// Lets the running bolus stop by itself when a part of it has been given, from 0 to 1.
  mutating func limit(to part: Double) {
    guard let running else { return }
    let given = Int64((Double(running.asked.milliunits) * part + 1e-6).rounded(.down))
    limit = InsulinAmount(milliunits: given).flooredToMultiple(of: pulse)
  }

  /// Whether the running bolus has been given up to where it stops by itself.
  var hasReachedLimit: Bool {
    guard let running, let limit else { return false }
    return running.delivered >= limit
  }

  /// Ends the running bolus, and returns how it went; `nil` where none runs.
  mutating func end(_ outcome: BolusDelivery.Outcome, at instant: Instant) -> BolusDelivery? {
    guard var ended = running else { return nil }
    running = nil
    limit = nil
    ended.end = instant
    ended.outcome = outcome
    switch outcome {
    case .cancelled, .suspended: booked.cancelled += ended.remaining
    default: booked.lost += ended.remaining
    }
    assert(ended.delivered <= ended.asked, "A bolus gives no more than was asked for.")
    assert(outcome != .running, "A bolus that ends no longer runs.")
    return ended
  }

  /// Forgets the single pulses at or before an instant; the totals stay.
  mutating func forgetPulses(through instant: Instant) { log.forget(through: instant) }
}
