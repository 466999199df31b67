internal import Quantities

/// When a recommended rate becomes a command, given what the pump is doing.
///
/// A rate that already runs is left alone while more than 11 minutes of it remain, and the schedule's
/// own rate needs no temp basal (LoopKit, `DoseMath.swift`; Loop, `TempBasalRecommendation.swift`).
struct TempBasalRule: Sendable {
  /// A temp basal with more than this left is not sent again.
  static let continuation = TimeSpan.minutes(11)

  /// A temp basal that is running.
  struct Running: Sendable {
    /// In U/h.
    var rate: Double
    var end: Instant
  }

  /// The scheduled rate after overrides, in U/h.
  var neutralRate: Double
  /// Whether the pump's own schedule gives the neutral rate: no override is active.
  var neutralMatchesPump: Bool
  /// What runs on the pump.
  var running: Running?
  var duration: TimeSpan = .minutes(30)

  /// What to do about a rate that is rounded to what the pump can do.
  func change(to rate: InsulinRate, at now: Instant) -> Decision.BasalChange {
    let isNeutral = neutralMatchesPump && Self.match(rate.unitsPerHour, neutralRate)
    guard let running, running.end > now else {
      return isNeutral ? .none : .start(rate, duration: duration)
    }
    if Self.match(rate.unitsPerHour, running.rate), running.end - now > Self.continuation {
      return .none
    }
    return isNeutral ? .cancel : .start(rate, duration: duration)
  }

  /// Whether two rates are the same but for the last bit.
  static func match(_ lhs: Double, _ rhs: Double) -> Bool { (lhs - rhs).magnitude < .ulpOfOne }
}

extension ApplicationFactor {
  /// The part of a correction to give at once, for a glucose and the lower bound of the range in
  /// force, both in mg/dL (Loop, glucose based partial application).
  func value(glucose: Double, lowerBound: Double) -> Double? {
    switch self {
    case .constant: return nil
    case .glucoseBased:
      let lowest = lowerBound + 10
      let fraction = (0.80 - 0.20) / (200 - lowest)
      return min(0.20 + max(glucose - lowest, 0) * fraction, 0.80)
    }
  }
}
