extension PortableMath {
  /// `x` to the power of `y`, with the special cases of IEEE 754.
  public static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    if x.isNaN || y.isNaN { return .nan }
    if y.isInfinite { return powerToInfinity(of: x, y) }
    let isOdd = isOddInteger(y)
    let isNegative = x.sign == .minus && isOdd
    let size = x.magnitude
    if size == 0 || size.isInfinite {
      let grows = (size == 0) == (y < 0)
      let result: Double = grows ? .infinity : 0
      return isNegative ? -result : result
    }
    if x < 0 && !isOdd && !isInteger(y) { return .nan }
    let result = positivePower(size, y)
    return isNegative ? -result : result
  }

  /// A positive finite number to a finite power.
  private static func positivePower(_ x: Double, _ y: Double) -> Double {
    if x == 1 { return 1 }
    // Beyond these bounds every x other than 1 overflows, vanishes, or rounds to 1.
    if y.magnitude > 0x1p65 { return (x > 1) == (y > 0) ? .infinity : 0 }
    if y.magnitude < 0x1p-65 { return 1 }
    let logarithm = DoublePair(logarithmOf: x)
    let product = DoublePair(product: logarithm.high, y)
    let low = product.low + logarithm.low * y
    let exponent = DoublePair(quick: product.high, low)
    guard exponent.high < 709.8 else { return .infinity }
    guard exponent.high > -745.2 else { return 0 }
    return ExponentialParts(of: exponent.high, plus: exponent.low).value
  }

  private static func powerToInfinity(of x: Double, _ y: Double) -> Double {
    let size = x.magnitude
    if size == 1 { return 1 }
    return (size > 1) == (y > 0) ? .infinity : 0
  }

  private static func isInteger(_ y: Double) -> Bool {
    guard y.magnitude < 0x1p53 else { return true }
    return Double(Int64(y)) == y
  }

  private static func isOddInteger(_ y: Double) -> Bool {
    guard y.magnitude < 0x1p53, isInteger(y) else { return false }
    return Int64(y) & 1 == 1
  }
}
