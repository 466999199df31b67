public import Determinism

/// A random sequence in which each value depends on the two before it: AR(2).
///
/// `e_k = φ1 · e_(k−1) + φ2 · e_(k−2) + σ · z_k` with independent standard normal `z`.
public struct AutoregressiveNoise: Hashable, Sendable {
  /// The weight of the value before.
  public let φ1: Double
  /// The weight of the value before that.
  public let φ2: Double
  /// The standard deviation of the innovation, in milligrams per decilitre.
  public let σ: Double
  private var last = 0.0
  private var beforeLast = 0.0

  /// Creates a `AutoregressiveNoise` from its parts; see the properties.
  public init(φ1: Double, φ2: Double = 0, σ: Double) {
    self.φ1 = φ1
    self.φ2 = φ2
    self.σ = σ
  }

  /// The same sequence with the innovation's variance in place of its standard deviation.
  public init(φ1: Double, φ2: Double, variance: Double) {
    self.init(φ1: φ1, φ2: φ2, σ: max(0, variance).squareRoot())
  }

  /// Whether the sequence has a stationary distribution.
  public var isStationary: Bool { φ2.magnitude < 1 && φ1 + φ2 < 1 && φ2 - φ1 < 1 }

  /// The standard deviation in the long run; nothing when there is none.
  public var stationaryDeviation: Double? {
    let variance = stationaryVariance
    return isStationary && variance >= 0 && variance.isFinite ? variance.squareRoot() : nil
  }

  var stationaryVariance: Double {
    σ * σ * (1 - φ2) / ((1 + φ2) * ((1 - φ2) * (1 - φ2) - φ1 * φ1))
  }

  /// The correlation of values one step apart.
  public var lagOneCorrelation: Double { φ1 / (1 - φ2) }

  /// Draws the next value.
  public mutating func next(from stream: inout RandomStream) -> Double {
    let value = φ1 * last + φ2 * beforeLast + σ * stream.normal()
    beforeLast = last
    last = value
    return value
  }

  /// Runs two hundred steps, so that a sequence that began at zero is as loud as it will be.
  public mutating func settle(from stream: inout RandomStream) {
    for _ in 0..<200 { _ = next(from: &stream) }
  }

  /// The same sequence with other noise variances, by a factor on the variance.
  public func scalingVariance(by factor: Double) -> Self {
    Self(φ1: φ1, φ2: φ2, σ: σ * max(0, factor).squareRoot())
  }
}
