/// Transcendental functions that give the same bits on every machine.
///
/// The functions of the C library choose other instructions on other processors, and their last
/// bits differ. These use only additions, subtractions, multiplications and divisions of doubles,
/// which IEEE 754 defines exactly and which the compiler does not fuse. Exponentials, logarithms,
/// powers, the hyperbolic tangent and the error function stay within one unit in the last place of
/// the true value, subnormal results included, and the sine and the cosine within 1.01. The gamma
/// and the beta functions keep twelve digits; seven in tails beyond 10⁻⁷⁰, and of parameters near
/// 10⁸.
///
/// The methods are the classical ones: argument reduction in two parts (W. J. Cody and W. Waite,
/// *Software Manual for the Elementary Functions*, 1980), tables of powers and logarithms (P. T. P.
/// Tang, ACM TOMS 15 and 16, 1989 and 1990), and sums and products with their exact errors (T. J.
/// Dekker, Numerische Mathematik 18, 1971).
public enum PortableMath {
  /// The exponential function.
  public static func exp(_ x: Double) -> Double {
    guard x < 709.8 else { return x.isNaN ? x : .infinity }
    guard x > -745.2 else { return 0 }
    return ExponentialParts(of: x).value
  }

  /// The exponential function of two numbers, each with the bits that it has alone, in three
  /// quarters of the instructions that both take.
  public static func exp(_ x: Double, _ y: Double) -> (Double, Double) {
    guard x.magnitude <= 700, y.magnitude <= 700 else { return (exp(x), exp(y)) }
    return ExponentialParts.values(x, y)
  }

  /// The exponential function less one, accurate where `x` is close to zero.
  public static func expm1(_ x: Double) -> Double {
    if x.magnitude < 0.25 { return smallExpm1(x) }
    guard x < 60 else { return exp(x) }
    guard x > -40 else { return x.isNaN ? x : -1 }
    let power = ExponentialParts(of: x)
    let difference = DoublePair(sum: power.scaled(power.high), -1)
    return difference.high + (difference.low + power.scaled(power.low))
  }

  /// The natural logarithm; negative numbers give NaN, and zero gives negative infinity.
  public static func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return logOfSpecial(x) }
    let pair = DoublePair(logarithmOf: x)
    return pair.high + pair.low
  }

  /// The natural logarithm of 1 + `x`, accurate where `x` is close to zero.
  public static func log1p(_ x: Double) -> Double {
    guard x > -1, x < .infinity else { return logOfSpecial(1 + x) }
    guard x.magnitude > 0x1p-54 else { return x }
    let sum = DoublePair(sum: 1, x)
    let pair = DoublePair(logarithmOf: sum.high)
    return pair.high + (pair.low + sum.low / sum.high)
  }

  /// The hyperbolic tangent.
  public static func tanh(_ x: Double) -> Double {
    let size = x.magnitude
    guard size >= 0.25 else { return smallTanh(x) }
    guard size < 20 else { return x.isNaN ? x : (x < 0 ? -1 : 1) }
    // (E − 1) / (E + 1) with E = exp(2 |x|), and the remainder of the division put back.
    let power = ExponentialParts(of: 2 * size)
    let high = power.scaled(power.high)
    let low = power.scaled(power.low)
    let numerator = DoublePair(sum: high, -1)
    let denominator = DoublePair(sum: high, 1)
    let bottom = DoublePair(quick: denominator.high, denominator.low + low)
    let reciprocal = 1 / bottom.high
    let quotient = numerator.high * reciprocal
    let product = DoublePair(product: quotient, bottom.high)
    let remainder =
      ((numerator.high - product.high) - product.low)
      + ((numerator.low + low) - quotient * bottom.low)
    let result = quotient + remainder * reciprocal
    return x < 0 ? -result : result
  }

  /// The logarithm of what has no ordinary one.
  private static func logOfSpecial(_ x: Double) -> Double {
    if x == 0 { return -.infinity }
    return x > 0 ? x : .nan
  }

  /// The exponential less one for |x| < 1/4, by its Taylor series.
  private static func smallExpm1(_ x: Double) -> Double {
    guard x.magnitude > 0x1p-54 else { return x }
    let square = x * x
    var sum = 1.0 / 1_307_674_368_000
    sum = sum * x + 1.0 / 87_178_291_200
    sum = sum * x + 1.0 / 6_227_020_800
    sum = sum * x + 1.0 / 479_001_600
    sum = sum * x + 1.0 / 39_916_800
    sum = sum * x + 1.0 / 3_628_800
    sum = sum * x + 1.0 / 362_880
    sum = sum * x + 1.0 / 40_320
    sum = sum * x + 1.0 / 5_040
    sum = sum * x + 1.0 / 720
    sum = sum * x + 1.0 / 120
    sum = sum * x + 1.0 / 24
    sum = sum * x + 1.0 / 6
    return x + (0.5 * square + square * x * sum)
  }

  /// The hyperbolic tangent for |x| < 1/4, by a polynomial in x² with a relative error of 2⁻⁶⁹.
  private static func smallTanh(_ x: Double) -> Double {
    guard x.magnitude > 0x1p-30 else { return x }
    let u = x * x
    var sum = -0x1.bff153c36cb39p-13
    sum = sum * u + 0x1.33cf3deecb286p-11
    sum = sum * u - 0x1.7d971c140d5d9p-10
    sum = sum * u + 0x1.d6d39755b2859p-9
    sum = sum * u - 0x1.226e350f0cce6p-7
    sum = sum * u + 0x1.664f488245e56p-6
    sum = sum * u - 0x1.ba1ba1ba1b41ep-5
    sum = sum * u + 0x1.1111111111110p-3
    sum = sum * u - 0x1.5555555555555p-2
    return x + x * (u * sum)
  }
}
