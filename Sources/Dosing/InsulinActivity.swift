import Determinism

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
    return 1 - absorbed(t, PortableMath.exp(-t / tau))
  }

  /// `1 − R` at `t` seconds after the delay, within the action, given `e^(−t/τ)`.
  @inline(__always)
  func absorbed(_ t: Double, _ exponential: Double) -> Double {
    scale * ((t * t / square - t / tau - 1) * exponential + 1)
  }

  /// `E(x)`, the fraction of effect of a delivery over `duration` seconds, `x` seconds after its start.
  ///
  /// A delivery longer than 315 s (1.05 Δ) acts as slices of 300 s, each at its start; a shorter one
  /// at once. All slices lie on one lattice, so one exponential serves them.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`.
  func fractionActed(_ x: Double, over duration: Double) -> Double {
    let last = x - delay
    if last <= 0 { return 0 }
    if duration <= Self.momentary { return 1 - remaining(x) }
    let step = TimeAxis.step
    let full = (duration / step).rounded(.down)
    let slice = min(full, (last / step).rounded(.up) - 1)
    // The newest slice that has begun to act, then ever older ones.
    var t = last - slice * step
    var index = slice
    var sum = 0.0
    if t < actionDuration {
      let first = PortableMath.exp(-t / tau)
      var k = 0
      while index >= 0, t < actionDuration {
        let weight = index == full ? (duration - full * step) / duration : step / duration
        sum += weight * absorbed(t, first * decay[k])
        k += 1
        index -= 1
        t = last - index * step
      }
    }
    guard index >= 0 else { return sum }
    let slices = index == full ? full : index + 1
    let partial = index == full ? (duration - full * step) / duration : 0
    return sum + slices * (step / duration) + partial
  }

  /// The fraction of a delivery over `duration` seconds still on board `x` seconds after its start.
  ///
  /// For a delivery longer than 315 s the original counts slices that start up to the delay (10
  /// minutes) ahead; in exact arithmetic that is `min(D, 300(⌊(x + d)/300⌋ + 1))/D − E(x)`.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `insulinOnBoardForDose`.
  func fractionOnBoard(_ x: Double, of duration: Double) -> Double {
    if x < 0 { return 0 }
    if duration <= Self.momentary { return remaining(x) }
    let begun = TimeAxis.step * (((x + delay) / TimeAxis.step).rounded(.down) + 1)
    return min(duration, begun) / duration - fractionActed(x, over: duration)
  }

  /// The longest delivery that counts as given at once: 1.05 Δ, in seconds.
  ///
  /// A microsecond is added, since differences of times with milliseconds are not exact.
  static let momentary = 1.05 * TimeAxis.step + 1e-6
}
