import Determinism
public import Quantities

/// The delay of interstitial glucose behind plasma: diffusion of the first order.
///
/// `τ · dGi/dt = Gp − Gi`, solved exactly for plasma that runs in a straight line between samples.
public struct InterstitialLag: Hashable, Sendable {
  /// The time constant; nothing at all switches the lag off.
  public let timeConstant: TimeSpan
  private var last: Sample?

  private struct Sample: Hashable, Sendable {
    var instant: Instant
    var plasma: Double
    var interstitial: Double
  }

  /// Creates a lag with a time constant; a negative one counts as zero.
  public init(timeConstant: TimeSpan) { self.timeConstant = max(timeConstant, .zero) }

  /// Whether it has taken a sample.
  var hasBegun: Bool { last != nil }

  /// Takes the plasma concentration at an instant, and returns the interstitial one.
  ///
  /// The first sample is taken as a steady state. An instant that has passed changes nothing.
  public mutating func update(
    plasma: GlucoseConcentration, at instant: Instant
  ) -> GlucoseConcentration {
    guard let previous = last else {
      last = Sample(instant: instant, plasma: plasma.mgdL, interstitial: plasma.mgdL)
      return plasma
    }
    let dt = (instant - previous.instant).minutes
    guard dt > 0 else { return .mgdL(previous.interstitial) }
    let τ = timeConstant.minutes
    assert(dt > 0, "Glucose is taken forward in time.")
    var interstitial = plasma.mgdL
    if τ > 0 {
      let slope = (plasma.mgdL - previous.plasma) / dt
      let transient = previous.interstitial - previous.plasma + slope * τ
      interstitial = plasma.mgdL - slope * τ + transient * PortableMath.exp(-dt / τ)
    }
    last = Sample(instant: instant, plasma: plasma.mgdL, interstitial: interstitial)
    return .mgdL(interstitial)
  }
}
