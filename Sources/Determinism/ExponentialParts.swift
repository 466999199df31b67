/// The exponential of a number as 2^exponent · (high + low), with a relative error near 2⁻⁶⁴.
struct ExponentialParts {
  let exponent: Int
  let high: Double
  let low: Double

  /// Computes the exponential of `x` + `rest`, for |x| < 1,500 and a `rest` far smaller.
  init(of x: Double, plus rest: Double = 0) {
    let reduced = Reduced(x)
    let whole = Int(reduced.rounded)
    let parts = reduced.times(
      MathTables.powerHigh[whole & 31], MathTables.powerLow[whole & 31], plus: rest)
    exponent = whole >> 5
    high = parts.high
    low = parts.low
  }

  /// The exponential as a double.
  var value: Double { Self.scaled(high + low, by: exponent) }

  /// The exponentials of two numbers, both within ±700.
  static func values(_ x: Double, _ y: Double) -> (Double, Double) {
    assert(x.magnitude <= 700 && y.magnitude <= 700, "What is beyond has no ordinary exponential.")
    let reduced = Reduced(DoubleLanes(x, y))
    let first = Int(reduced.rounded.first)
    let second = Int(reduced.rounded.second)
    let parts = reduced.times(
      DoubleLanes(MathTables.powerHigh[first & 31], MathTables.powerHigh[second & 31]),
      DoubleLanes(MathTables.powerLow[first & 31], MathTables.powerLow[second & 31]))
    let sum = parts.high + parts.low
    return (sum.first * power(first >> 5), sum.second * power(second >> 5))
  }

  /// A number times 2 to the power of the exponent, rounded once more where that is subnormal.
  func scaled(_ value: Double) -> Double { Self.scaled(value, by: exponent) }

  // Only the exponent is handed on: as a method this took all parts, at each exponential.
  private static func scaled(_ value: Double, by exponent: Int) -> Double {
    guard exponent < -1_021 || exponent > 1_022 else { return value * power(exponent) }
    if exponent > 1_022 {
      guard exponent < 1_100 else { return value * .infinity }
      return value * 0x1p1000 * power(exponent - 1_000)
    }
    guard exponent > -1_100 else { return value * 0 }
    return value * 0x1p-200 * power(exponent + 200)
  }

  /// 2 to the power of an exponent that an ordinary double has.
  @inline(__always)
  private static func power(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(exponent + 1_023) << 52)
  }
}

/// A number without the multiples of ln 2 / 32 that are in it.
private struct Reduced<Number: Lanes> {
  /// How many of them there are, which is whole.
  let rounded: Number
  private let rest: DoublePair<Number>

  @inline(__always)
  init(_ x: Number) {
    // Adding and subtracting 1.5 · 2⁵² rounds to the nearest whole number.
    let rounded = (x * .all(0x1.71547652b82fep5) + .all(0x1.8p52)) - .all(0x1.8p52)
    self.rounded = rounded
    rest = DoublePair(
      sum: x - rounded * .all(0x1.62e42fefa0000p-6), rounded * .all(-0x1.cf79abc9e3b3ap-45))
  }

  /// The exponential of what is left and of `more`, times the sum of two numbers.
  @inline(__always)
  func times(_ top: Number, _ bottom: Number, plus more: Number = .all(0)) -> DoublePair<Number> {
    let h = rest.high
    let h2 = h * h
    // The exponential series from the square term on; |h| is at most ln 2 / 64.
    let odd = .all(1.0 / 6) + h2 * (.all(1.0 / 120) + h2 * .all(1.0 / 5_040))
    let even = .all(0.5) + h2 * (.all(1.0 / 24) + h2 * .all(1.0 / 720))
    let left = rest.low + more
    let tail = left + (h * left + h2 * (even + h * odd))
    let low = bottom + top * tail
    let product = DoublePair(product: top, h)
    let sum = DoublePair(quick: top, product.high)
    return DoublePair(high: sum.high, low: sum.low + (product.low + low))
  }
}
