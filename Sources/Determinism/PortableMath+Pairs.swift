extension PortableMath {
  /// The sum of two doubles that do not overlap: a number of twice the precision.
  struct Pair {
    var high: Double
    var low: Double

    init(high: Double, low: Double) {
      self.high = high
      self.low = low
    }

    /// The exact sum of two numbers (Knuth).
    init(sum a: Double, _ b: Double) {
      high = a + b
      let bPart = high - a
      low = (a - (high - bPart)) + (b - bPart)
    }

    /// The exact sum of two numbers of which the first is not the smaller (Dekker).
    init(quick a: Double, _ b: Double) {
      high = a + b
      low = b - (high - a)
    }

    /// The exact product of two numbers that are neither tiny nor huge (Dekker, Veltkamp).
    init(product a: Double, _ b: Double) {
      high = a * b
      let (aHigh, aLow) = Self.split(a)
      let (bHigh, bLow) = Self.split(b)
      let rest = ((aHigh * bHigh - high) + aHigh * bLow) + aLow * bHigh
      low = rest + aLow * bLow
    }

    /// The leading 26 bits of a number, and the rest.
    private static func split(_ a: Double) -> (Double, Double) {
      let shifted = 134_217_729 * a
      let high = shifted - (shifted - a)
      return (high, a - high)
    }
  }

  /// The exponential of a number as 2^exponent · (high + low), with a relative error near 2⁻⁶⁴.
  struct Power {
    let exponent: Int
    let high: Double
    let low: Double

    /// Computes the exponential of `x` + `rest`, for |x| < 1,500 and a `rest` far smaller.
    init(of x: Double, plus rest: Double = 0) {
      // Adding and subtracting 1.5 · 2⁵² rounds to the nearest whole number.
      let rounded = (x * 0x1.71547652b82fep5 + 0x1.8p52) - 0x1.8p52
      let whole = Int(rounded)
      let r = Pair(sum: x - rounded * 0x1.62e42fefa0000p-6, -rounded * 0x1.cf79abc9e3b3ap-45)
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
      let product = Pair(product: top, h)
      let sum = Pair(quick: top, product.high)
      exponent = whole >> 5
      high = sum.high
      self.low = sum.low + (product.low + low)
    }
  }

  /// `value` times 2 to the power of `exponent`, rounded once more where the result is subnormal.
  static func scaled(_ value: Double, by exponent: Int) -> Double {
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

  /// The natural logarithm of a positive finite number, with a relative error near 2⁻⁶⁶.
  static func logarithm(_ x: Double) -> Pair {
    var bits = x.bitPattern
    var exponent = -1_023
    if bits < 0x0010_0000_0000_0000 {
      bits = (x * 0x1p54).bitPattern
      exponent -= 54
    }
    exponent += Int(bits >> 52)
    let fraction = bits & 0x000f_ffff_ffff_ffff
    let table = Int(fraction >> 45)
    let mantissa = Double(bitPattern: fraction | 0x3ff0_0000_0000_0000)
    let upper = Double(bitPattern: (fraction & ~0x07ff_ffff) | 0x3ff0_0000_0000_0000)
    let scale = MathTables.logScale[table]
    // From entry 53 on the mantissa counts as halved and the scale as doubled, so that numbers just
    // below 1 lose nothing. The scale has nine bits, so both products are exact.
    if table >= 53 { exponent += 1 }
    let r = Pair(sum: upper * scale - 1, (mantissa - upper) * scale)
    return assembled(r: r, exponent: Double(exponent), table: table)
  }

  /// log(1 + r) plus the logarithms of the table and of the power of two.
  private static func assembled(r: Pair, exponent: Double, table: Int) -> Pair {
    let h = r.high
    let square = Pair(product: h, h)
    let linear = Pair(quick: h, -0.5 * square.high)
    let h2 = square.high
    let odd = 1.0 / 3 + h2 * (1.0 / 5 + h2 * (1.0 / 7 + h2 * (1.0 / 9 + h2 * (1.0 / 11))))
    let even = 0.25 + h2 * (1.0 / 6 + h2 * (1.0 / 8 + h2 * (1.0 / 10 + h2 * (1.0 / 12))))
    let series = h * h2 * (odd - h * even)
    let tail = linear.low + ((r.low - h * r.low) - 0.5 * square.low) + series
    let constant = Pair(sum: exponent * 0x1.62e42fefa2000p-1, MathTables.logHigh[table])
    let sum = Pair(sum: constant.high, linear.high)
    let constantLow = exponent * 0x1.9ef35793c7673p-41 + MathTables.logLow[table]
    return Pair(quick: sum.high, sum.low + (constant.low + (constantLow + tail)))
  }
}
