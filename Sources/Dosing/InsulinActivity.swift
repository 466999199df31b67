import Determinism
public import Quantities

/// The exponential insulin activity model with its derived terms computed once.
///
/// With action duration `T`, time of peak `p`, delay `d` (seconds) and `t = x − d`:
///
///     τ = p(1 − p/T) / (1 − 2p/T)     a = 2τ/T     S = 1 / (1 − a + (1 + a)·e^(−T/τ))
///     R(x) = 1 − S(1 − a)·((t²/(τT(1 − a)) − t/τ − 1)·e^(−t/τ) + 1)     for 0 < t < T
///
/// `R` is the fraction of effect remaining `x` seconds after delivery: 1 before, 0 after.
///
/// Source: LoopKit/LoopAlgorithm, `ExponentialInsulinModel.swift`.
struct InsulinActivity: Sendable {
  let actionDuration: Double
  let delay: Double
  let tau: Double
  let a: Double
  let S: Double
  /// `S(1 − a)`.
  let scale: Double
  /// `τT(1 − a)`.
  let square: Double
  /// `e^(−300k/τ)` for `k = 0, 1, …` until the dose has acted.
  let decay: [Double]

  var effectDuration: Double { actionDuration + delay }

  init(_ model: InsulinModel) {
    let T = model.actionDuration
    let p = model.peakActivityTime
    assert(p > 0 && 2 * p < T, "Insulin peaks in the first half of its action.")
    let tau = p * (1 - p / T) / (1 - 2 * p / T)
    let a = 2 * tau / T
    let S = 1 / (1 - a + (1 + a) * PortableMath.exp(-T / tau))
    actionDuration = T
    delay = model.delay
    self.tau = tau
    self.a = a
    self.S = S
    scale = S * (1 - a)
    square = tau * T * (1 - a)
    let count = Int((T / TimeAxis.step).rounded(.up)) + 1
    decay = (0..<count).map { PortableMath.exp(-(TimeAxis.step * Double($0)) / tau) }
  }

  /// The terms of every preset, by raw value.
  private static let presets = InsulinModel.allCases.map { Self($0) }

  static func of(_ model: InsulinModel) -> Self { presets[Int(model.rawValue)] }

  /// `R(x)`, the fraction of effect remaining `x` seconds after delivery.
  func remaining(_ x: Double) -> Double {
    let t = x - delay
    if t <= 0 { return 1 }
    if t >= actionDuration { return 0 }
    return 1 - absorbed(t, exponential(t))
  }

  /// `e^(−t/τ)`.
  ///
  /// Most doses begin with a cycle, so that most times are whole steps: for these the same number
  /// stands in the table.
  func exponential(_ t: Double) -> Double {
    if t >= 0, t < actionDuration {
      let k = Int(t / TimeAxis.step)
      if Double(k) * TimeAxis.step == t { return decay[k] }
    }
    return computedExponential(t)
  }

  /// `e^(−t/τ)`, never from the table.
  func computedExponential(_ t: Double) -> Double { PortableMath.exp(-t / tau) }

  /// `1 − R` at `t` seconds after the delay, within the action, given `e^(−t/τ)`.
  @inline(__always)
  func absorbed(_ t: Double, _ exponential: Double) -> Double {
    scale * ((t * t / square - t / tau - 1) * exponential + 1)
  }

  /// `E(x)`, the fraction of effect of a delivery over `duration` seconds, `x` seconds after its
  /// start.
  ///
  /// A delivery longer than 315 s (1.05 Δ) acts as slices of 300 s, each at its start; a shorter
  /// one at once. All slices lie on one lattice, so one exponential serves them.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`.
  func fractionActed(_ x: Double, over duration: Double) -> Double {
    fractionActed(x, over: duration) { exponential($0) }
  }

  /// `E(x)` with `e^(−t/τ)` for one `t` from a function, where it is known already.
  @inline(__always)
  func fractionActed(
    _ x: Double, over duration: Double, exponential: (Double) -> Double
  ) -> Double {
    let last = x - delay
    if last <= 0 { return 0 }
    if duration <= Self.momentary {
      return last >= actionDuration ? 1 : absorbed(last, exponential(last))
    }
    let step = TimeAxis.step
    let full = (duration / step).rounded(.down)
    // The newest slice that has begun to act, then ever older ones.
    let slice = min(full, (last / step).rounded(.up) - 1)
    let newest = last - slice * step
    let whole = step / duration
    let part = (duration - full * step) / duration
    guard newest < actionDuration else { return slice * whole + (slice == full ? part : whole) }
    let first = exponential(newest)
    let acting = min(slice, ((actionDuration - newest) / step).rounded(.up) - 1)
    assert(Int(acting) < decay.count, "A slice that acts is within its action.")
    var sum = (slice == full ? part : whole) * absorbed(newest, first)
    var k = 1
    while k <= Int(acting) {
      let t = newest + Double(k) * step
      sum += whole * absorbed(t, first * decay[k])
      k += 1
    }
    return sum + (slice - acting) * whole
  }

  /// The fraction of a delivery over `duration` seconds still on board `x` seconds after its start.
  ///
  /// For a delivery longer than 315 s the original counts slices that start up to the delay (10
  /// minutes) ahead; in exact arithmetic that is `min(D, 300(⌊(x + d)/300⌋ + 1))/D − E(x)`.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `insulinOnBoardForDose`.
  func fractionOnBoard(_ x: Double, of duration: Double) -> Double {
    fractionOnBoard(x, of: duration) { exponential($0) }
  }

  /// The fraction on board with `e^(−t/τ)` for one `t` from a function.
  @inline(__always)
  func fractionOnBoard(
    _ x: Double, of duration: Double, exponential: (Double) -> Double
  ) -> Double {
    if x < 0 { return 0 }
    let acted = fractionActed(x, over: duration, exponential: exponential)
    if duration <= Self.momentary { return 1 - acted }
    let begun = TimeAxis.step * (((x + delay) / TimeAxis.step).rounded(.down) + 1)
    return min(duration, begun) / duration - acted
  }

  /// The longest delivery that counts as given at once: 1.05 Δ, in seconds.
  ///
  /// A microsecond is added, since differences of times with milliseconds are not exact.
  static let momentary = 1.05 * TimeAxis.step + 1e-6
}

extension InsulinModel {
  /// The part of a dose's effect that is still to come some time after it was given at once: 1 at
  /// first, 0 after ``effectDuration``.
  public func fractionRemaining(after span: TimeSpan) -> Double {
    InsulinActivity.of(self).remaining(span.seconds)
  }
}
