extension PortableMath {
  /// The regularised incomplete beta function Iₓ(a, b), with `x` given together with 1 − x.
  ///
  /// Both are taken because the difference from one may be known better than it can be computed.
  /// The continued fraction (DiDonato and Morris, ACM TOMS 18:360, 1992) is evaluated by Lentz's
  /// method.
  ///
  /// - Precondition: `a` and `b` are above zero; `x` and `complement` are not negative.
  public static func incompleteBeta(
    _ x: Double, complement: Double, _ a: Double, _ b: Double
  ) -> Double {
    precondition(a > 0 && b > 0, "The incomplete beta function needs a > 0 and b > 0.")
    precondition(x >= 0 && complement >= 0, "A share is from 0 to 1.")
    if x == 0 { return 0 }
    if complement == 0 { return 1 }
    if x > (a + 1) / (a + b + 2) {
      return 1 - betaTerm(complement, x, b, a) * betaFraction(complement, b, a) / b
    }
    return betaTerm(x, complement, a, b) * betaFraction(x, a, b) / a
  }

  /// xᵃ (1 − x)ᵇ / B(a, b).
  private static func betaTerm(
    _ x: Double, _ complement: Double, _ a: Double, _ b: Double
  ) -> Double {
    if a >= 10, b >= 10 {
      // Around the maximum at a / (a + b) the two logarithms cancel to second order.
      let u = (x * b - complement * a) / a
      let v = (complement * a - x * b) / b
      let exponent =
        a * log1pLessArgument(u) + b * log1pLessArgument(v) + stirlingError(a + b)
        - stirlingError(a) - stirlingError(b)
      return (a * b / (2 * .pi * (a + b))).squareRoot() * exp(exponent)
    }
    let logOfX = x < 0.5 ? log(x) : log1p(-complement)
    let logOfComplement = complement < 0.5 ? log(complement) : log1p(-x)
    return exp(a * logOfX + b * logOfComplement - logBeta(a, b))
  }

  /// The natural logarithm of the beta function, without the cancellation of three large numbers.
  static func logBeta(_ a: Double, _ b: Double) -> Double {
    let (p, q) = (min(a, b), max(a, b))
    guard q >= 10 else { return logGamma(p) + logGamma(q) - logGamma(p + q) }
    let rest = (q - 0.5) * log1p(-p / (p + q))
    guard p >= 10 else {
      return logGamma(p) + stirlingError(q) - stirlingError(p + q) + p - p * log(p + q) + rest
    }
    return -0.5 * log(q) + halfLogOfTwoPi + stirlingError(p) + stirlingError(q)
      - stirlingError(p + q) + (p - 0.5) * log(p / (p + q)) + rest + 0.5 * log1p(-p / (p + q))
  }

  private static func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    var c = 1.0
    var d = 1 / nonZero(1 - (a + b) * x / (a + 1))
    var fraction = d
    var m = 1.0
    while m < iterationLimit {
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / nonZero(1 + even * d)
      c = nonZero(1 + even / c)
      fraction *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / nonZero(1 + odd * d)
      c = nonZero(1 + odd / c)
      let factor = d * c
      fraction *= factor
      if (factor - 1).magnitude < 1e-16 { break }
      m += 1
    }
    return fraction
  }
}
