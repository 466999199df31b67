import Determinism
import Testing

@Suite("Portable mathematics")
struct PortableMathTests {
  /// The largest error over rows of (argument, nearest double, rest in last places).
  private func worst(_ table: [Double], _ function: (Double) -> Double) -> (Double, at: Double) {
    var worst = (0.0, at: Double.nan)
    for row in stride(from: 0, to: table.count, by: 3) {
      let nearest = table[row + 1]
      let error = abs((function(table[row]) - nearest) / nearest.ulp - table[row + 2])
      if !(error <= worst.0) { worst = (error, at: table[row]) }
    }
    return worst
  }

  @Test("exp, expm1, log, log1p, tanh and erf lie within one last place of the true value")
  func withinOneLastPlace() {
    let found = [
      ("exp", worst(exponentialPoints, PortableMath.exp)),
      ("expm1", worst(expm1Points, PortableMath.expm1)),
      ("log", worst(logarithmPoints, PortableMath.log)),
      ("log1p", worst(log1pPoints, PortableMath.log1p)),
      ("tanh", worst(tanhPoints, PortableMath.tanh)),
      ("erf", worst(erfPoints, PortableMath.erf)),
    ]
    for (name, error) in found {
      #expect(error.0 <= 1, "\(name) is off by \(error.0) last places at \(error.at)")
    }
  }

  @Test("sine and cosine of turns lie within one last place, and are exact at quarter turns")
  func turns() {
    let sine = worst(sineOfTurnsPoints, PortableMath.sine(ofTurns:))
    let cosine = worst(cosineOfTurnsPoints, PortableMath.cosine(ofTurns:))
    #expect(sine.0 <= 1, "at \(sine.at)")
    #expect(cosine.0 <= 1, "at \(cosine.at)")
    #expect(PortableMath.sine(ofTurns: .infinity).isNaN)
    #expect(PortableMath.cosine(ofTurns: .nan).isNaN)
  }

  @Test("powers lie within one last place of the true value")
  func powers() {
    for row in stride(from: 0, to: powerPoints.count, by: 4) {
      let (x, y, nearest) = (powerPoints[row], powerPoints[row + 1], powerPoints[row + 2])
      let error = abs((PortableMath.pow(x, y) - nearest) / nearest.ulp - powerPoints[row + 3])
      #expect(error <= 1, "\(x) to the power of \(y) is off by \(error)")
    }
  }

  @Test("the normal quantile agrees with the true one to 1 in 10¹⁵, and is odd about a half")
  func quantiles() {
    for row in stride(from: 0, to: normalQuantilePoints.count, by: 3) {
      let (p, expected) = (normalQuantilePoints[row], normalQuantilePoints[row + 1])
      let error = abs(PortableMath.normalQuantile(p) - expected)
      #expect(error <= 1e-15 * max(abs(expected), 0.2), "the quantile of \(p)")
    }
    #expect(PortableMath.normalQuantile(0.25) == -PortableMath.normalQuantile(0.75))
    #expect(PortableMath.normalQuantile(0) == -.infinity)
    #expect(PortableMath.normalQuantile(1) == .infinity)
    #expect(PortableMath.normalQuantile(-0.1).isNaN)
    #expect(PortableMath.normalQuantile(.nan).isNaN)
  }

  @Test("Two exponentials at once are, bit for bit, those of each alone")
  func pairs() {
    var stream = RandomStream(seed: 7, name: "pairs")
    let special: [Double] = [
      0, -0.0, 1, -1, 0.5, 300, 700, -700, 709.79, -745, -746, 1e-300, .infinity, -.infinity,
      .nan,
    ]
    let drawn = (0..<2_000).map { index in
      (stream.unit() - 0.5) * (index.isMultiple(of: 2) ? 40 : 1_450)
    }
    let numbers = special + drawn
    for (x, y) in zip(numbers, numbers.reversed()) {
      let both = PortableMath.exp(x, y)
      #expect(both.0.bitPattern == PortableMath.exp(x).bitPattern)
      #expect(both.1.bitPattern == PortableMath.exp(y).bitPattern)
    }
  }

  @Test("infinities, NaN, overflow and signed zeros come out as IEEE 754 asks")
  func extremes() {
    #expect(PortableMath.exp(.infinity) == .infinity)
    #expect(PortableMath.exp(-.infinity) == 0)
    #expect(PortableMath.exp(709.79) == .infinity)
    #expect(PortableMath.exp(-746) == 0)
    #expect(PortableMath.expm1(-.infinity) == -1)
    #expect(PortableMath.expm1(.infinity) == .infinity)
    #expect(PortableMath.expm1(-0.0).sign == .minus)
    #expect(PortableMath.log(0) == -.infinity)
    #expect(PortableMath.log(.infinity) == .infinity)
    #expect(PortableMath.log(-1).isNaN)
    #expect(PortableMath.log1p(-1) == -.infinity)
    #expect(PortableMath.log1p(-1.5).isNaN)
    #expect(PortableMath.log1p(.infinity) == .infinity)
    #expect(PortableMath.tanh(.infinity) == 1)
    #expect(PortableMath.tanh(-.infinity) == -1)
    #expect(PortableMath.tanh(-0.0).sign == .minus)
    #expect(PortableMath.erf(.infinity) == 1)
    #expect(PortableMath.erf(-.infinity) == -1)
    let functions: [(Double) -> Double] = [
      PortableMath.exp, PortableMath.expm1, PortableMath.log, PortableMath.log1p,
      PortableMath.tanh, PortableMath.erf,
    ]
    for function in functions { #expect(function(.nan).isNaN) }
  }

  @Test(
    "powers of zero, one, infinity and negative numbers follow IEEE 754",
    arguments: [
      (0, 0, 1), (.nan, 0, 1), (1, .nan, 1), (1, .infinity, 1), (-1, .infinity, 1),
      (0, 3, 0), (0, -2, .infinity), (2, .infinity, .infinity), (0.5, .infinity, 0),
      (2, -.infinity, 0), (.infinity, 2, .infinity), (.infinity, -1, 0), (-2, 3, -8), (-2, 2, 4),
      (-.infinity, 3, -.infinity), (-.infinity, 2, .infinity), (2, 1e300, .infinity),
      (2, -1e300, 0), (0.5, 1e300, 0), (2, 1e-300, 1), (2, 1_024, .infinity), (2, -1_076, 0),
      (-1, 1e300, 1),
    ] as [(Double, Double, Double)])
  func specialPowers(x: Double, y: Double, expected: Double) {
    #expect(PortableMath.pow(x, y) == expected)
  }

  @Test("a negative number has no fractional power, and odd powers keep the sign of zero")
  func signs() {
    #expect(PortableMath.pow(-2, 0.5).isNaN)
    #expect(PortableMath.pow(.nan, 1).isNaN)
    #expect(PortableMath.pow(-0.0, 3).sign == .minus)
    #expect(PortableMath.pow(-0.0, -3) == -.infinity)
    #expect(PortableMath.pow(-0.0, 2).sign == .plus)
  }

  // Every bit over seeded arguments is pinned, so that a processor, an optimiser or a change of
  // code that alters a last bit is seen. CI runs the same test with the C library's fused
  // operations switched off: GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-AVX.
  @Test("the bits are the same on every machine")
  func pinnedBits() {
    var stream = RandomStream(seed: 1, name: "portable mathematics")
    var digest = RunningDigest()
    for _ in 0..<2_000 {
      let x = stream.uniform(in: -20...20)
      digest.absorb(PortableMath.exp(x))
      digest.absorb(PortableMath.expm1(x / 20))
      digest.absorb(PortableMath.log(x.magnitude))
      digest.absorb(PortableMath.log1p(x.magnitude))
      digest.absorb(PortableMath.tanh(x / 5))
      digest.absorb(PortableMath.erf(x / 4))
      digest.absorb(PortableMath.pow(x.magnitude, x / 3))
      digest.absorb(PortableMath.sine(ofTurns: x))
      digest.absorb(stream.normal())
    }
    #expect(digest.hexadecimal == "afaf94776479843c")
  }
}
