public import Determinism
public import Quantities

/// Skewed, correlated sensor noise: a Johnson SU transform of an AR(1) sequence.
///
/// M. Breton, B. Kovatchev, "Analysis, Modeling, and Simulation of the Accuracy of Continuous
/// Glucose Sensors", J Diabetes Sci Technol 2008; the figures are those of jxx123/simglucose
/// 0.2.11. Note that the innovation is scaled as well: `e_n = φ · (e_(n−1) + z_n)`, so the
/// sequence's variance is `φ² / (1 − φ²)`, not 1.
public struct JohnsonNoise: Hashable, Sendable {
  /// The parameters of the base sequence and of its transform.
  public struct Parameters: Hashable, Sendable {
    /// The partial autocorrelation of the base sequence.
    public var φ: Double
    /// The shape that skews the noise.
    public var γ: Double
    /// The scale, in milligrams per decilitre.
    public var λ: Double
    /// The shape that gives it its tails.
    public var δ: Double
    /// The location, in milligrams per decilitre.
    public var ξ: Double
    /// The time between values of the base sequence.
    public var baseStep: TimeSpan
    /// How values between those of the base sequence are found.
    public var interpolation: Interpolation

    /// Creates a `Parameters` from its parts; see the properties.
    public init(
      φ: Double, γ: Double, λ: Double, δ: Double, ξ: Double,
      baseStep: TimeSpan = .minutes(15), interpolation: Interpolation = .spline
    ) {
      self.φ = φ
      self.γ = γ
      self.λ = λ
      self.δ = δ
      self.ξ = ξ
      self.baseStep = baseStep
      self.interpolation = interpolation
    }

    /// The sensors of simglucose (Dexcom, GuardianRT and Navigator share them).
    public static let simglucose = Self(
      φ: 0.7, γ: -0.5444, λ: 15.9574, δ: 1.6898, ξ: -5.47)

    /// The base sequence's value in milligrams per decilitre.
    public func transform(_ e: Double) -> Double {
      assert(δ != 0, "The shape of the noise is not zero.")
      let x = (e - γ) / δ
      return ξ + λ * (PortableMath.exp(x) - PortableMath.exp(-x)) / 2
    }
  }

  /// How values between those of the base sequence are found.
  public enum Interpolation: String, Hashable, Sendable {
    /// A cubic spline over blocks of eleven base values with the not-a-knot condition, as in
    /// simglucose; the slope is not continuous from block to block.
    case spline
    /// On the straight line between two base values.
    case linear
    /// The mean of the linear interpolation over the last fifteen minutes, as in LoopInsighT1.
    case movingAverage
  }

  /// The parameters.
  public let parameters: Parameters
  private var e: Double?
  /// Base values in milligrams per decilitre, the first at `blockStart` steps.
  private var block: [Double] = []
  private var curvature: [Double] = []
  private var blockStart: Int64 = 0

  /// Creates noise that begins with its first draw.
  public init(_ parameters: Parameters) { self.parameters = parameters }

  /// Draws the next value of the base sequence, transformed.
  public mutating func nextBaseValue(from stream: inout RandomStream) -> Double {
    let z = stream.normal()
    let value = e.map { parameters.φ * ($0 + z) } ?? z
    e = value
    return parameters.transform(value)
  }

  /// The noise at a time since insertion, which must not lie before an earlier one asked for.
  mutating func value(at elapsed: TimeSpan, from stream: inout RandomStream) -> Double {
    guard parameters.interpolation == .movingAverage else {
      return interpolated(elapsed, from: &stream)
    }
    prepare(through: elapsed, from: &stream)
    var sum = 0.0
    for minute in Int64(0)..<15 {
      sum += interpolated(max(.zero, elapsed - .minutes(14 - minute)), from: &stream)
    }
    return sum / 15
  }

  private static let blockLength = 11

  private mutating func interpolated(
    _ elapsed: TimeSpan, from stream: inout RandomStream
  ) -> Double {
    prepare(through: elapsed, from: &stream)
    let step = parameters.baseStep
    let whole = elapsed.quotient(by: step)
    let fraction = (elapsed - step * whole).minutes / step.minutes
    assert(step > .zero, "Base values are some time apart.")
    let index = Int(whole - blockStart)
    guard index >= 0 else { return block.first ?? 0 }
    guard index + 1 < block.count else { return block.last ?? 0 }
    let linear = block[index] * (1 - fraction) + block[index + 1] * fraction
    guard parameters.interpolation == .spline else { return linear }
    let a = 1 - fraction
    let b = fraction
    let bend = (a * a * a - a) * curvature[index] + (b * b * b - b) * curvature[index + 1]
    return linear + bend / 6
  }

  /// Draws blocks until one reaches an instant; for averages the block before stays.
  private mutating func prepare(through elapsed: TimeSpan, from stream: inout RandomStream) {
    let whole = elapsed.quotient(by: parameters.baseStep)
    if block.isEmpty { block = [nextBaseValue(from: &stream)] }
    while whole + 1 >= blockStart + Int64(block.count) {
      if parameters.interpolation == .spline {
        blockStart += Int64(block.count - 1)
        block = [block[block.count - 1]]
        while block.count < Self.blockLength { block.append(nextBaseValue(from: &stream)) }
        curvature = CubicSpline.notAKnot(block)
      } else {
        block.append(nextBaseValue(from: &stream))
        if block.count > 4 {
          block.removeFirst()
          blockStart += 1
        }
      }
    }
  }
}

/// Second differences of a cubic spline through equally spaced values.
enum CubicSpline {
  /// The second derivatives (for a spacing of one) with the not-a-knot condition at both ends.
  ///
  /// At least four values are needed; fewer give a spline without bend.
  static func notAKnot(_ y: [Double]) -> [Double] {
    let n = y.count
    guard n >= 4 else { return Array(repeating: 0, count: n) }
    // Interior: m[i−1] + 4 m[i] + m[i+1] = 6 (y[i−1] − 2 y[i] + y[i+1]); ends: m[0] = 2 m[1] −
    // m[2].
    var diagonal = Array(repeating: 4.0, count: n)
    var right = Array(repeating: 0.0, count: n)
    for i in 1..<(n - 1) { right[i] = 6 * (y[i - 1] - 2 * y[i] + y[i + 1]) }
    // Substituting the ends leaves 6 m[1] = right[1] and 6 m[n−2] = right[n−2].
    var m = Array(repeating: 0.0, count: n)
    m[1] = right[1] / 6
    m[n - 2] = right[n - 2] / 6
    if n > 4 {
      right[2] -= m[1]
      right[n - 3] -= m[n - 2]
      if n - 3 > 2 {
        for i in 3...(n - 3) {
          let factor = 1 / diagonal[i - 1]
          diagonal[i] -= factor
          right[i] -= factor * right[i - 1]
        }
      }
      for i in stride(from: n - 3, through: 2, by: -1) {
        let next = i + 1 <= n - 3 ? m[i + 1] : 0
        m[i] = (right[i] - next) / diagonal[i]
      }
    }
    m[0] = 2 * m[1] - m[2]
    m[n - 1] = 2 * m[n - 2] - m[n - 3]
    return m
  }
}
