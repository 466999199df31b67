/// A number that is fixed, or drawn anew each time.
///
/// The normal laws are cut off at their limits: a number beyond them is never drawn, and the
/// numbers between keep their proportions.
public enum Distribution: Hashable, Sendable {
  /// Always the same number.
  case constant(Double)
  /// Every number between the bounds alike.
  case uniform(ClosedRange<Double>)
  /// The normal law, of which nothing outside the range is drawn.
  case normal(mean: Double, standardDeviation: Double, within: ClosedRange<Double>)
  /// The logarithm is normal with standard deviation `sigma`.
  case logNormal(median: Double, sigma: Double, within: ClosedRange<Double>)
  /// Every number of the list alike.
  case choices([Double])

  /// No limits.
  public static let unlimited = -Double.infinity...Double.infinity

  /// A positive factor with a mean and a standard deviation: log-normal, and without limits.
  ///
  /// - Precondition: The mean is above zero.
  public static func factor(mean: Double, standardDeviation: Double) -> Self {
    precondition(mean > 0, "The mean of a positive factor is above zero.")
    let ratio = standardDeviation / mean
    guard ratio > 0 else { return .constant(mean) }
    let variance = PortableMath.log1p(ratio * ratio)
    return .logNormal(
      median: mean * PortableMath.exp(-variance / 2), sigma: variance.squareRoot(),
      within: unlimited)
  }

  /// Draws a number; a constant leaves the stream as it is, everything else takes one draw.
  public func draw(from stream: inout RandomStream) -> Double {
    switch self {
    case .constant(let value): return value
    case .uniform(let range): return stream.uniform(in: range)
    case .normal(let mean, let deviation, let limits):
      let drawn = mean + deviation * Self.standard(between(limits), &stream)
      return min(max(drawn, limits.lowerBound), limits.upperBound)
    case .logNormal(let median, let sigma, let limits):
      let drawn = median * PortableMath.exp(sigma * Self.standard(between(limits), &stream))
      return min(max(drawn, limits.lowerBound), limits.upperBound)
    case .choices(let values): return values[Int(stream.integer(below: UInt64(values.count)))]
    }
  }

  /// The number below which a share of the law lies, from 0 to 1.
  ///
  /// Shares that are spread evenly give numbers that are spread as the law says. A share of 2⁻⁵³ is
  /// left out at either end, so that laws without limits give finite numbers too.
  public func quantile(at share: Double) -> Double {
    let share = min(max(share, 0x1p-53), 1 - 0x1p-53)
    switch self {
    case .constant(let value): return value
    case .uniform(let range):
      let span = range.upperBound - range.lowerBound
      return min(range.lowerBound + span * share, range.upperBound)
    case .normal(let mean, let deviation, let limits):
      let found = mean + deviation * Self.standard(between(limits), at: share)
      return min(max(found, limits.lowerBound), limits.upperBound)
    case .logNormal(let median, let sigma, let limits):
      let found = median * PortableMath.exp(sigma * Self.standard(between(limits), at: share))
      return min(max(found, limits.lowerBound), limits.upperBound)
    case .choices(let values):
      return values[min(Int(share * Double(values.count)), values.count - 1)]
    }
  }

  /// The share of the law without limits that lies within its limits, from 0 to 1.
  public var shareWithinLimits: Double {
    switch self {
    case .constant, .uniform, .choices: return 1
    case .normal(_, _, let limits), .logNormal(_, _, let limits):
      let shares = between(limits)
      return shares.upperBound - shares.lowerBound
    }
  }

  /// A draw from the standard normal law between two of its shares.
  private static func standard(
    _ shares: ClosedRange<Double>, _ stream: inout RandomStream
  ) -> Double {
    standard(shares, at: (Double(stream.next() >> 12) + 0.5) * 0x1p-52)
  }

  /// The number of the standard normal law at a share of what lies between two of its shares.
  private static func standard(_ shares: ClosedRange<Double>, at share: Double) -> Double {
    PortableMath.normalQuantile(
      shares.lowerBound + (shares.upperBound - shares.lowerBound) * share)
  }

  /// The shares of the law without limits that lie below each limit.
  private func between(_ limits: ClosedRange<Double>) -> ClosedRange<Double> {
    let low = shareBelow(limits.lowerBound)
    return low...max(low, shareBelow(limits.upperBound))
  }

  private func shareBelow(_ limit: Double) -> Double {
    if limit == -.infinity { return 0 }
    if limit == .infinity { return 1 }
    let distance: Double
    let deviation: Double
    switch self {
    case .normal(let mean, let standardDeviation, _):
      (distance, deviation) = (limit - mean, standardDeviation)
    case .logNormal(let median, let sigma, _):
      guard limit > 0 else { return 0 }
      (distance, deviation) = (PortableMath.log(limit / median), sigma)
    case .constant, .uniform, .choices: return limit < 0 ? 0 : 1
    }
    guard deviation > 0 else { return distance < 0 ? 0 : 1 }
    return (1 + PortableMath.erf(distance / deviation * 0.5.squareRoot())) / 2
  }
}
