import Determinism

/// One-sided 95 % lower confidence bounds of a share.
public enum BinomialBound {
  /// The 95 % quantile of the standard normal distribution.
  static let z = 1.6448536269514722

  /// `p − z √(p (1 − p) / n)`: no bound at all when everything passes.
  public static func normal(passed: Int, of count: Int) -> Double {
    guard count > 0 else { return 0 }
    let p = Double(passed) / Double(count)
    return max(0, p - z * (p * (1 - p) / Double(count)).squareRoot())
  }

  /// The lower end of Wilson's score interval (JASA 1927).
  public static func wilson(passed: Int, of count: Int) -> Double {
    guard count > 0 else { return 0 }
    let n = Double(count)
    let p = Double(passed) / n
    let centre = p + z * z / (2 * n)
    let width = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, (centre - width) / (1 + z * z / n))
  }

  /// The exact bound of Clopper and Pearson (Biometrika 1934).
  ///
  /// It is the share for which so many passes or more have a probability of 5 %.
  public static func exact(passed: Int, of count: Int) -> Double {
    guard count > 0, passed > 0, passed <= count else { return 0 }
    if passed == count {
      return PortableMath.exp(PortableMath.log(0.05) / Double(count))
    }
    let logChoose = logarithmOfChoose(count, passed)
    var low = 0.0
    var high = Double(passed) / Double(count)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let tail = upperTail(passed, count, middle, logChoose)
      if tail < 0.05 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func logarithmOfChoose(_ n: Int, _ k: Int) -> Double {
    assert(k >= 0 && k <= n, "No more are chosen than there are.")
    let smaller = min(k, n - k)
    var sum = 0.0
    for i in 0..<smaller { sum += PortableMath.log(Double(n - i) / Double(smaller - i)) }
    return sum
  }

  /// P(X ≥ k) for n trials with probability p, where p is below k/n: the terms fall from k on.
  private static func upperTail(_ k: Int, _ n: Int, _ p: Double, _ logChoose: Double) -> Double {
    guard p > 0 else { return 0 }
    let logTerm =
      logChoose + Double(k) * PortableMath.log(p) + Double(n - k) * PortableMath.log1p(-p)
    var term = 1.0
    var sum = 1.0
    let odds = p / (1 - p)
    for i in k..<n {
      term *= Double(n - i) / Double(i + 1) * odds
      sum += term
      if term < 1e-17 * sum { break }
    }
    return PortableMath.exp(logTerm) * sum
  }
}
