/// The exponential of a number as 2^exponent · (high + low), with a relative error near 2⁻⁶⁴.
struct ExponentialParts {
  let exponent: Int
  let high: Double
  let low: Double

  /// Computes the exponential of `x` + `rest`, for |x| < 1,500 and a `rest` far smaller.
  init(of x: Double, plus rest: Double = 0) {
    // Adding and subtracting 1.5 · 2⁵² rounds to the nearest whole number.
    let rounded = (x * 0x1.71547652b82fep5 + 0x1.8p52) - 0x1.8p52
    let whole = Int(rounded)
    let r = DoublePair(sum: x - rounded * 0x1.62e42fefa0000p-6, -rounded * 0x1.cf79abc9e3b3ap-45)
    let h = r.high
    let h2 = h * h
    // The exponential series from the square term on; |h| is at most ln 2 / 64.
    let odd = 1.0 / 6 + h2 * (1.0 / 120 + h2 * (1.0 / 5_040))
    let even = 0.5 + h2 * (1.0 / 24 + h2 * (1.0 / 720))
    let left = r.low + rest
    let tail = left + (h * left + h2 * (even + h * odd))
    let table = whole & 31
    let top = MathTables.powerHigh[table]
    let low = MathTables.powerLow[table] + top * tail
    let product = DoublePair(product: top, h)
    let sum = DoublePair(quick: top, product.high)
    exponent = whole >> 5
    high = sum.high
    self.low = sum.low + (product.low + low)
  }

  /// The exponential as a double.
  var value: Double { Self.scaled(high + low, by: exponent) }

  /// A number times 2 to the power of the exponent, rounded once more where that is subnormal.
  func scaled(_ value: Double) -> Double { Self.scaled(value, by: exponent) }

  // Only the exponent is handed on: as a method this took all parts, at each exponential.
  private static func scaled(_ value: Double, by exponent: Int) -> Double {
    guard exponent < -1_021 || exponent > 1_022 else {
      return value * Double(bitPattern: UInt64(exponent + 1_023) << 52)
    }
    if exponent > 1_022 {
      guard exponent < 1_100 else { return value * .infinity }
      return value * 0x1p1000 * Double(bitPattern: UInt64(exponent - 1_000 + 1_023) << 52)
    }
    guard exponent > -1_100 else { return value * 0 }
    return value * 0x1p-200 * Double(bitPattern: UInt64(exponent + 200 + 1_023) << 52)
  }
}
