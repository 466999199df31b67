import Determinism
public import Quantities

/// How the effect of one unit of insulin is spread over time.
///
/// Every curve has an area of one: it says what part of the effect comes when.
public enum InsulinActivityCurve: Hashable, Sendable {
  /// The exponential model of LoopKit, for a duration and a peak counted from the end of a delay.
  ///
  /// The peak must come before the middle of the duration.
  case exponential(duration: TimeSpan, peak: TimeSpan, delay: TimeSpan)
  /// A trapezoid: a straight rise from onset to peak, a plateau, and a straight fall to the end.
  case trapezoid(onset: TimeSpan, peak: ClosedRange<TimeSpan>, duration: TimeSpan)

  /// The part of the effect still to come, 1 at the dose and 0 at the end.
  public func fractionRemaining(after time: TimeSpan) -> Double {
    switch self {
    case .exponential(let duration, let peak, let delay):
      Exponential(duration: duration, peak: peak).remaining((time - delay).minutes)
    case .trapezoid(let onset, let peak, let duration):
      1 - Trapezoid(onset, peak, duration).area(upTo: time.minutes)
    }
  }

  /// The part of the effect that comes per minute at a time after the dose.
  public func activity(after time: TimeSpan) -> Double {
    switch self {
    case .exponential(let duration, let peak, let delay):
      Exponential(duration: duration, peak: peak).activity((time - delay).minutes)
    case .trapezoid(let onset, let peak, let duration):
      Trapezoid(onset, peak, duration).height(at: time.minutes)
    }
  }

  /// The time after which nothing is left.
  public var effectDuration: TimeSpan {
    switch self {
    case .exponential(let duration, _, let delay): duration + delay
    case .trapezoid(_, _, let duration): duration
    }
  }

  /// Whether the curve can be computed: times ascend, and an exponential peak is early enough.
  public var isValid: Bool {
    switch self {
    case .exponential(let duration, let peak, let delay):
      peak > .zero && delay >= .zero && peak.milliseconds * 2 < duration.milliseconds
    case .trapezoid(let onset, let peak, let duration):
      onset >= .zero && onset <= peak.lowerBound && peak.upperBound < duration
    }
  }
}

/// The exponential model: LoopKit, `ExponentialInsulinModel`.
private struct Exponential {
  let td: Double
  let τ: Double
  let a: Double
  let S: Double

  init(duration: TimeSpan, peak: TimeSpan) {
    assert(
      peak > .zero && peak.milliseconds * 2 < duration.milliseconds,
      "A peak lies in the first half of the action.")
    td = duration.minutes
    let tp = peak.minutes
    τ = tp * (1 - tp / td) / (1 - 2 * tp / td)
    a = 2 * τ / td
    S = 1 / (1 - a + (1 + a) * PortableMath.exp(-td / τ))
  }

  func remaining(_ t: Double) -> Double {
    guard t > 0 else { return 1 }
    guard t < td else { return 0 }
    let inner = (t * t / (τ * td * (1 - a)) - t / τ - 1) * PortableMath.exp(-t / τ) + 1
    return 1 - S * (1 - a) * inner
  }

  func activity(_ t: Double) -> Double {
    guard t > 0, t < td else { return 0 }
    return S / (τ * τ) * t * (1 - t / td) * PortableMath.exp(-t / τ)
  }
}

/// A trapezoid of area one, in minutes.
private struct Trapezoid {
  let onset: Double
  let rise: Double
  let fall: Double
  let end: Double
  let top: Double

  init(_ onset: TimeSpan, _ peak: ClosedRange<TimeSpan>, _ duration: TimeSpan) {
    assert(
      onset <= peak.lowerBound && peak.upperBound < duration, "A plateau lies within the action.")
    self.onset = onset.minutes
    rise = peak.lowerBound.minutes
    fall = peak.upperBound.minutes
    end = duration.minutes
    top = 2 / ((fall - rise) + (end - self.onset))
  }

  func height(at t: Double) -> Double {
    if t <= onset || t >= end { return 0 }
    if t < rise { return top * (t - onset) / (rise - onset) }
    if t <= fall { return top }
    return top * (end - t) / (end - fall)
  }

  func area(upTo t: Double) -> Double {
    if t <= onset { return 0 }
    if t >= end { return 1 }
    if t < rise { return height(at: t) * (t - onset) / 2 }
    let risen = top * (rise - onset) / 2
    if t <= fall { return risen + top * (t - rise) }
    return 1 - height(at: t) * (end - t) / 2
  }
}
