public import HealthStore
internal import Quantities

/// How far what is reported of basal segments may be from what their rates amount to.
///
/// Segments are held against their rates one after the other, as they follow: what a pump gives
/// late is short in one and too much in the next.
public struct BasalTolerance: Sendable {
  /// The pump's smallest amount, in U.
  private let pulse: Double
  /// The rate of the segment before, in U/h, and its end.
  private var before: (rate: Double, end: Instant)?

  /// Begins with a pump's smallest amount, in U.
  public init(pulse: Double) { self.pulse = pulse }

  /// Holds the next segment against its rate.
  ///
  /// - Parameters:
  ///   - sample: The segment, which starts after those before.
  ///   - units: What is reported of it, in U.
  ///   - rate: The rate that it states, in U/h.
  ///   - other: The rate before it where no segment ends as it starts, in U/h; `nil` where that is
  ///     not known.
  /// - Returns: What is reported beyond the rate where pulses do not explain it, in U; negative for
  ///   what is missing, and `nil` where they do.
  public mutating func excess(
    of sample: Sample, units: Double, rate: Double, after other: @autoclosure () -> Double?
  ) -> Double? {
    let wait = PulseSize.longestWait(pulse)
    let follows = before.map { (sample.start - $0.end).magnitude <= .seconds(1) } ?? false
    let earlier = wait == 0 ? 0 : follows ? before?.rate : other()
    // What was due when the pump was suspended may come when it goes on.
    let isIdle = rate == 0 && units == 0
    before = (isIdle ? earlier ?? .infinity : rate, sample.end)
    let difference = units - rate * sample.duration.hours
    let shortfall = Self.shortfall(
      of: sample.duration, isTemp: sample.metadata.programmedTempBasalRate != nil, pulse: pulse)
    let most = pulse + wait * (earlier ?? .infinity)
    let least = -shortfall - wait * rate
    return difference > most + 1e-6 || difference < least - 1e-6 ? difference : nil
  }

  /// What may be missing of a segment that is right, in U: a pulse, and one more for each command
  /// that the segment can hold.
  ///
  /// Loop re-issues a temp basal after 20 minutes at the earliest, and the pump may forget a
  /// fraction of a pulse each time; the reports of one rate are one segment.
  private static func shortfall(
    of duration: TimeSpan, isTemp: Bool, pulse: Double
  ) -> Double {
    pulse * (1 + (isTemp ? (duration.hours * 3).rounded(.down) : 0))
  }
}
