extension PortableMath {
  /// The natural logarithm of the gamma function, for numbers above zero; NaN for others.
  ///
  /// Stirling's series, after the argument has been raised to at least ten by the recurrence. The
  /// error stays below 2·10⁻¹⁴, or below 10⁻¹⁵ of the value where that is more.
  public static func logGamma(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == .infinity ? x : .nan }
    var product = 1.0
    var raised = x
    while raised < 10 {
      product *= raised
      raised += 1
    }
    let stirling = (raised - 0.5) * log(raised) - raised + halfLogOfTwoPi
    return stirling + stirlingSeries(raised) - log(product)
  }

  /// By how much Stirling's formula is short: log Γ(x) − ((x − ½) log x − x + ½ log 2π).
  public static func stirlingError(_ x: Double) -> Double {
    if x >= 10 { return stirlingSeries(x) }
    return logGamma(x) - ((x - 0.5) * log(x) - x + halfLogOfTwoPi)
  }

  /// log(1 + u) − u without the loss that the difference has where `u` is small.
  static func log1pLessArgument(_ u: Double) -> Double {
    guard u.magnitude < 0.5 else { return log1p(u) - u }
    // 2 artanh r with r = u / (2 + u); its first term less u is −u r.
    let r = u / (2 + u)
    let square = r * r
    var sum = 0.0
    for n in stride(from: 27, through: 3, by: -2) { sum = sum * square + 1 / Double(n) }
    return 2 * r * square * sum - u * r
  }

  /// xᵃ exp(−x) / Γ(a + 1), the probability of `a` events where `x` are expected.
  static func poissonTerm(_ a: Double, _ x: Double) -> Double {
    guard x > 0 else { return a == 0 ? 1 : 0 }
    guard a >= 10 else { return exp(a * log(x) - x - logGamma(a + 1)) }
    let exponent = a * log1pLessArgument((x - a) / a) - stirlingSeries(a)
    return exp(exponent) / (2 * .pi * a).squareRoot()
  }

  /// The two regularised incomplete gamma functions P(a, x) and Q(a, x), which add up to one.
  ///
  /// Each is found without cancellation where it is the smaller one: by the power series for
  /// x < a + 1, by the continued fraction above (W. Gautschi, ACM TOMS 5:466, 1979).
  ///
  /// - Precondition: `a` is above zero and `x` is not negative.
  public static func incompleteGamma(_ a: Double, _ x: Double) -> (lower: Double, upper: Double) {
    precondition(a > 0 && x >= 0, "The incomplete gamma function needs a > 0 and x >= 0.")
    guard x > 0 else { return (0, 1) }
    guard x < .infinity else { return (1, 0) }
    if x < a + 1 {
      var term = 1.0
      var sum = 1.0
      var n = 1.0
      while n < iterationLimit {
        term *= x / (a + n)
        sum += term
        if term < sum * 1e-17 { break }
        n += 1
      }
      let lower = poissonTerm(a, x) * sum
      return (lower, 1 - lower)
    }
    var b = x + 1 - a
    var c = 1 / tiny
    var d = 1 / b
    var fraction = d
    var n = 1.0
    while n < iterationLimit {
      let numerator = -n * (n - a)
      b += 2
      d = 1 / nonZero(numerator * d + b)
      c = nonZero(b + numerator / c)
      let factor = d * c
      fraction *= factor
      if (factor - 1).magnitude < 1e-16 { break }
      n += 1
    }
    let upper = poissonTerm(a, x) * a * fraction
    return (1 - upper, upper)
  }

  /// The complementary error function, 1 − erf(x), with a relative error below 10⁻¹² in its tail
  /// down to 10⁻³⁰⁰.
  public static func erfc(_ x: Double) -> Double {
    guard x >= 1.5 else { return 1 - erf(x) }
    guard x < 27.3 else { return x.isNaN ? x : 0 }
    return incompleteGamma(0.5, x * x).upper
  }

  static let halfLogOfTwoPi = 0.918_938_533_204_672_741_78
  static let iterationLimit = 1e6
  static let tiny = 1e-300

  /// A number for a denominator, never zero (Lentz, Applied Optics 15:668, 1976).
  static func nonZero(_ value: Double) -> Double { value.magnitude < tiny ? tiny : value }

  /// Stirling's series for numbers from ten on.
  private static func stirlingSeries(_ x: Double) -> Double {
    let square = 1 / (x * x)
    var sum = 1.0 / 156
    sum = sum * square - 691.0 / 360_360
    sum = sum * square + 1.0 / 1_188
    sum = sum * square - 1.0 / 1_680
    sum = sum * square + 1.0 / 1_260
    sum = sum * square - 1.0 / 360
    sum = sum * square + 1.0 / 12
    return sum / x
  }
}
