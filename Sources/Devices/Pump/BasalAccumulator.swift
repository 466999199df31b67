public import Quantities

/// Turns a basal rate into whole pulses, exactly.
///
/// The pulse is due when the rate has earned it: the first one a full interval after the start. A
/// pulse that falls on the end of a stretch of time belongs to that stretch, so that stretches are
/// half-open, (start, end], and reporting never changes what is delivered.
public struct BasalAccumulator: Hashable, Sendable {
  /// The smallest amount the pump can deliver.
  public let pulse: InsulinAmount

  /// What has been earned and not been given: less than one pulse, right after pulses were taken.
  public private(set) var pending: AccruedInsulin = .zero

  /// Creates an accumulator for a pump that delivers multiples of `pulse`.
  ///
  /// - Precondition: `pulse` is more than nothing.
  public init(pulse: InsulinAmount) {
    precondition(pulse > .zero, "A pump pulse must be more than nothing.")
    self.pulse = pulse
  }

  /// Runs at `rate` for `span`, and returns the number of pulses that fell due.
  ///
  /// - Precondition: Neither `rate` nor `span` is negative.
  public mutating func run(at rate: InsulinRate, for span: TimeSpan) -> Int64 {
    earn(rate, for: span)
    return takePulses()
  }

  /// Adds what a rate earns over a span of time.
  ///
  /// - Precondition: Neither `rate` nor `span` is negative.
  mutating func earn(_ rate: InsulinRate, for span: TimeSpan) {
    precondition(rate >= .zero, "A basal rate cannot be negative.")
    precondition(span >= .zero, "Time cannot run backwards.")
    pending += AccruedInsulin(rate, for: span)
  }

  /// Takes the whole pulses that have been earned, and returns their number.
  mutating func takePulses() -> Int64 {
    let (pulses, rest) = pending.milliunitMillisecondsPerHour.quotientAndRemainder(
      dividingBy: cost)
    assert(pulses >= 0 && rest >= 0, "Pulses are taken out of what was earned.")
    pending = AccruedInsulin(milliunitMillisecondsPerHour: rest)
    return pulses
  }

  /// The time until the next pulse is due at a rate, rounded up to a whole millisecond.
  ///
  /// Returns nothing when the rate is zero and no pulse has been earned: none will ever be due.
  public func timeToNextPulse(at rate: InsulinRate) -> TimeSpan? {
    let missing = cost - pending.milliunitMillisecondsPerHour
    guard missing > 0 else { return .zero }
    guard rate > .zero else { return nil }
    let perHour = rate.milliunitsPerHour
    return TimeSpan(milliseconds: (missing + perHour - 1) / perHour)
  }

  /// Forgets the fraction of a pulse, and returns it.
  public mutating func discard() -> AccruedInsulin {
    defer { pending = .zero }
    return pending
  }

  /// Sets the fraction of a pulse to where a rate that began earlier would stand.
  ///
  /// Whole pulses of that earlier time are not given.
  public mutating func align(to rate: InsulinRate, runningFor span: TimeSpan) {
    let earned = AccruedInsulin(rate, for: span).milliunitMillisecondsPerHour
    assert(span >= .zero, "A program has run for some time.")
    pending = AccruedInsulin(milliunitMillisecondsPerHour: max(0, earned) % cost)
  }

  /// What one pulse costs.
  private var cost: Int64 { pulse.milliunits * AccruedInsulin.perMilliunit }
}
