/// The sum of two doubles that do not overlap: a number of twice the precision.
///
/// Each way to make one is exact or names its error; the low part is what the high one has lost.
struct DoublePair<Number: Lanes> {
  let high: Number
  let low: Number

  @inline(__always)
  init(high: Number, low: Number) {
    self.high = high
    self.low = low
  }

  /// The exact sum of two numbers (Knuth).
  @inline(__always)
  init(sum a: Number, _ b: Number) {
    high = a + b
    let bPart = high - a
    low = (a - (high - bPart)) + (b - bPart)
  }

  /// The exact sum of two numbers of which the first is not the smaller (Dekker).
  @inline(__always)
  init(quick a: Number, _ b: Number) {
    high = a + b
    low = b - (high - a)
  }

  /// The exact product of two numbers that are neither tiny nor huge (Dekker, Veltkamp).
  @inline(__always)
  init(product a: Number, _ b: Number) {
    high = a * b
    let (aHigh, aLow) = Self.split(a)
    let (bHigh, bLow) = Self.split(b)
    let rest = ((aHigh * bHigh - high) + aHigh * bLow) + aLow * bHigh
    low = rest + aLow * bLow
  }

  /// The leading 26 bits of a number, and the rest.
  @inline(__always)
  private static func split(_ a: Number) -> (Number, Number) {
    let shifted = .all(134_217_729) * a
    let high = shifted - (shifted - a)
    return (high, a - high)
  }
}

// MARK: - Logarithms

extension DoublePair<Double> {
  /// The natural logarithm of a positive finite number, with a relative error near 2⁻⁶⁶.
  init(logarithmOf x: Double) {
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
    let r = Self(sum: upper * scale - 1, (mantissa - upper) * scale)
    self = Self.assembled(r: r, exponent: Double(exponent), table: table)
  }

  /// log(1 + r) plus the logarithms of the table and of the power of two.
  private static func assembled(r: Self, exponent: Double, table: Int) -> Self {
    let h = r.high
    let square = Self(product: h, h)
    let linear = Self(quick: h, -0.5 * square.high)
    let h2 = square.high
    let odd = 1.0 / 3 + h2 * (1.0 / 5 + h2 * (1.0 / 7 + h2 * (1.0 / 9 + h2 * (1.0 / 11))))
    let even = 0.25 + h2 * (1.0 / 6 + h2 * (1.0 / 8 + h2 * (1.0 / 10 + h2 * (1.0 / 12))))
    let series = h * h2 * (odd - h * even)
    let tail = linear.low + ((r.low - h * r.low) - 0.5 * square.low) + series
    let constant = Self(sum: exponent * 0x1.62e42fefa2000p-1, MathTables.logHigh[table])
    let sum = Self(sum: constant.high, linear.high)
    let constantLow = exponent * 0x1.9ef35793c7673p-41 + MathTables.logLow[table]
    return Self(quick: sum.high, sum.low + (constant.low + (constantLow + tail)))
  }
}
