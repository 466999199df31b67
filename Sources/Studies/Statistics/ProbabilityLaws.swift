internal import Determinism

/// The probability laws behind intervals and tests, from portable mathematics alone.
///
/// Tails are computed as tails, never as one less a number close to one, so that they keep their
/// relative accuracy down to 10⁻³⁰⁰.
public enum NormalLaw {
  /// The probability of a value below `z`.
  public static func lowerTail(_ z: Double) -> Double {
    PortableMath.erfc(-z * 0.5.squareRoot()) / 2
  }

  /// The value below which a share `p` lies.
  public static func quantile(_ p: Double) -> Double { PortableMath.normalQuantile(p) }
}

/// Student's t law.
public struct StudentLaw: Hashable, Sendable {
  /// How many degrees of freedom it has.
  public let degreesOfFreedom: Double

  /// Creates the law; degrees of freedom below one count as one.
  public init(degreesOfFreedom: Double) { self.degreesOfFreedom = max(1, degreesOfFreedom) }

  /// The probability of a value above `t`.
  public func upperTail(_ t: Double) -> Double {
    guard t.magnitude < .infinity else { return t > 0 ? 0 : 1 }
    assert(degreesOfFreedom >= 1, "Student's law has a degree of freedom or more.")
    let square = t * t
    let total = degreesOfFreedom + square
    let half =
      PortableMath.incompleteBeta(
        degreesOfFreedom / total, complement: square / total, degreesOfFreedom / 2, 0.5) / 2
    return t < 0 ? 1 - half : half
  }

  /// The probability of a value as far from zero as `t`, on either side.
  public func twoSidedP(_ t: Double) -> Double { min(1, 2 * upperTail(t.magnitude)) }

  /// The value below which a share `p` lies.
  public func quantile(_ p: Double) -> Double {
    guard p > 0, p < 1 else { return p <= 0 ? -.infinity : .infinity }
    guard p != 0.5 else { return 0 }
    let tail = min(p, 1 - p)
    var high = 1.0
    while upperTail(high) > tail { high *= 2 }
    let size = Root.ofFalling(in: 0...high) { upperTail($0) - tail }
    return p < 0.5 ? -size : size
  }
}

/// The law of a sum of squares of standard normal values.
public struct ChiSquaredLaw: Hashable, Sendable {
  /// How many degrees of freedom it has.
  public let degreesOfFreedom: Double

  /// Creates the law.
  ///
  /// - Precondition: There is at least a part of a degree of freedom.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "A chi-squared law needs degrees of freedom.")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The probability of a value above `x`.
  public func upperTail(_ x: Double) -> Double {
    PortableMath.incompleteGamma(degreesOfFreedom / 2, max(0, x) / 2).upper
  }

  /// The value below which a share `p` lies.
  public func quantile(_ p: Double) -> Double {
    guard p > 0, p < 1 else { return p <= 0 ? 0 : .infinity }
    var high = degreesOfFreedom + 1
    while upperTail(high) > 1 - p { high *= 2 }
    let isLower = p < 0.5
    return Root.ofFalling(in: 0...high) { x in
      let tails = PortableMath.incompleteGamma(degreesOfFreedom / 2, x / 2)
      return isLower ? p - tails.lower : tails.upper - (1 - p)
    }
  }
}

/// How many of `count` independent trials succeed.
public struct BinomialLaw: Hashable, Sendable {
  /// How many trials there are.
  public let count: Int
  /// How likely each succeeds.
  public let probability: Double

  /// Creates the law; the probability is clamped to 0 to 1.
  public init(count: Int, probability: Double) {
    self.count = max(0, count)
    self.probability = min(1, max(0, probability))
  }

  /// The probability of at most `k` successes.
  public func atMost(_ k: Int) -> Double {
    guard k >= 0 else { return 0 }
    guard k < count else { return 1 }
    return PortableMath.incompleteBeta(
      1 - probability, complement: probability, Double(count - k), Double(k + 1))
  }

  /// The probability of at least `k` successes.
  public func atLeast(_ k: Int) -> Double {
    guard k > 0 else { return 1 }
    guard k <= count else { return 0 }
    return PortableMath.incompleteBeta(
      probability, complement: 1 - probability, Double(k), Double(count - k + 1))
  }

  /// The least number of successes that is not exceeded with probability `p`.
  public func quantile(_ p: Double) -> Int {
    assert(p >= 0 && p <= 1, "A probability lies between 0 and 1.")
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if atMost(middle) * (1 + 64 * .ulpOfOne) >= p { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Finds where a function that falls passes zero.
enum Root {
  /// The place where `function` changes from positive to negative, to the last bit or as close as
  /// `tolerance`.
  ///
  /// Bisection: it cannot fail, and it takes the same steps on every machine.
  static func ofFalling(
    in range: ClosedRange<Double>, tolerance: Double = 0, _ function: (Double) -> Double
  ) -> Double {
    assert(tolerance >= 0, "A root is found to within some distance.")
    var low = range.lowerBound
    var high = range.upperBound
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high, high - low > tolerance else { return middle }
      if function(middle) > 0 { low = middle } else { high = middle }
    }
  }
}
