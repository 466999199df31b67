public import Quantities

/// What to tell the pump about its temp basal.
public enum TempBasalCommand: Hashable, Sendable {
  /// Run at a rate for a while.
  case set(InsulinRate, for: TimeSpan)
  /// Go back to the schedule.
  case cancel
}

/// A temp basal that is running.
public struct RunningTempBasal: Hashable, Sendable {
  /// The rate.
  public var rate: InsulinRate
  /// When it ends.
  public var end: Instant

  /// Creates a `RunningTempBasal` from its parts; see the properties.
  public init(rate: InsulinRate, end: Instant) {
    self.rate = rate
    self.end = end
  }
}

/// Turns a recommended rate into a command, or none where the pump does it already.
///
/// Source: LoopKit/Loop (`tidepool-merge`), `Extensions/TempBasalRecommendation.swift`,
/// `adjustForCurrentDelivery`.
public struct TempBasalAdjustment: Hashable, Sendable {
  /// A running temp basal of the right rate is left alone while it has longer to go than this.
  public static let continuationInterval = TimeSpan.minutes(11)
  /// How long a temp basal is set for.
  public static let duration = TimeSpan.minutes(30)

  /// The scheduled rate, in U/h, with overrides and not rounded to the pump's steps.
  public var neutralRate: Double
  /// Whether the pump's own schedule gives the neutral rate: no override is active (in the older
  /// app, none that changes basal rates).
  public var neutralMatchesPump: Bool

  /// Creates a `TempBasalAdjustment` from its parts; see the properties.
  public init(neutralRate: Double, neutralMatchesPump: Bool) {
    assert(neutralRate.isFinite, "A scheduled rate is a number.")
    self.neutralRate = neutralRate
    self.neutralMatchesPump = neutralMatchesPump
  }

  /// The command for a recommended rate, already rounded to the pump's steps.
  public func command(
    for rate: InsulinRate, running: RunningTempBasal?, at now: Instant
  ) -> TempBasalCommand? {
    let isNeutral = Self.match(rate.unitsPerHour, neutralRate) && neutralMatchesPump
    guard let running, running.end > now else {
      return isNeutral ? nil : .set(rate, for: Self.duration)
    }
    if Self.match(rate.unitsPerHour, running.rate.unitsPerHour),
      running.end - now > Self.continuationInterval
    {
      return nil
    }
    return isNeutral ? .cancel : .set(rate, for: Self.duration)
  }

  private static func match(_ a: Double, _ b: Double) -> Bool { (a - b).magnitude < .ulpOfOne }
}
