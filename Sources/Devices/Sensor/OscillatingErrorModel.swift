import Determinism
public import Quantities

/// A sensor whose gain swings slowly around a wrong value, with independent noise on top.
///
/// The structure is that of the iCGM generator in tidepool-org/data-science-models: a bias turned
/// into a factor `(55 + bias) / 55`, times a drift between two bounds that follows a sine, plus
/// normal noise. Its batch code searches for figures that just meet the FDA's limits; none are
/// fixed.
public struct OscillatingErrorModel: Hashable, Sendable {
  /// The error at 55 mg/dL, in milligrams per decilitre.
  public var bias: Double
  /// The bounds of the drift's factor.
  public var drift: ClosedRange<Double>
  /// The number of swings in the stated span.
  public var oscillations: Double
  /// The span in which they are counted, such as ten days.
  public var span: TimeSpan
  /// The standard deviation of the noise, in milligrams per decilitre; the generator uses 2.5 to
  /// 20.
  public var noise: Double

  /// Creates a `OscillatingErrorModel` from its parts; see the properties.
  public init(
    bias: Double, drift: ClosedRange<Double> = 0.85...1.15, oscillations: Double = 1,
    span: TimeSpan = .days(10), noise: Double
  ) {
    self.bias = bias
    self.drift = drift
    self.oscillations = oscillations
    self.span = max(span, .minutes(1))
    self.noise = noise
  }

  /// The factor on glucose at a time since insertion, for a phase from 0 to 1 of a whole turn.
  public func gain(at elapsed: TimeSpan, phase: Double) -> Double {
    // The generator's argument is sin(π · oscillations · t + phase): half a turn for each.
    let turns = oscillations * (elapsed.minutes / span.minutes) / 2 + phase
    let swing = (PortableMath.sine(ofTurns: turns) + 1) / 2
    let factor = drift.lowerBound + (drift.upperBound - drift.lowerBound) * swing
    return (55 + bias) / 55 * factor
  }
}
