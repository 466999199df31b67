extension PortableMath {
  /// The error function, 2/√π ∫₀ˣ exp(−t²) dt.
  public static func erf(_ x: Double) -> Double {
    let size = x.magnitude
    guard size >= 0.5 else { return smallErf(x) }
    guard size < 6 else { return x.isNaN ? x : (x < 0 ? -1 : 1) }
    // Taylor series about the nearest multiple of 1/8, with its coefficients by the recurrence of
    // exp(−(c + t)²) = exp(−c²) Σ aₙ tⁿ, aₙ₊₁ = −2 (c aₙ + aₙ₋₁) / (n + 1).
    let nearest = Int(size * 8 + 0.5)
    let centre = Double(nearest) / 8
    let t = size - centre
    var before = 0.0
    var coefficient = 1.0
    var power = t
    var sum = 0.0
    for n in 0..<16 {
      let next = Double(n + 1)
      sum += coefficient * power / next
      let following = -2 * (centre * coefficient + before) / next
      before = coefficient
      coefficient = following
      power *= t
    }
    let rise = 0x1.20dd750429b6dp0 * exp(-centre * centre) * sum
    let result =
      MathTables.erfHigh[nearest - 4] + (MathTables.erfLow[nearest - 4] + rise)
    return x < 0 ? -result : result
  }

  /// The error function for |x| < 1/2, by its Maclaurin series.
  private static func smallErf(_ x: Double) -> Double {
    // 2/√π (−1)ⁿ / (n! (2n + 1)); the constant term is reduced by one.
    let u = x * x
    var sum = 0x1.f683ae4a97007p-42
    sum = sum * u - 0x1.d8453cb0c46eap-38
    sum = sum * u + 0x1.9e6ad5e55a730p-34
    sum = sum * u - 0x1.51d7181c5d36dp-30
    sum = sum * u + 0x1.fcc5720624c1cp-27
    sum = sum * u - 0x1.5f742ec43e71ap-23
    sum = sum * u + 0x1.b9e6c9dc651a3p-20
    sum = sum * u - 0x1.f4d25c3e0c2ebp-17
    sum = sum * u + 0x1.f9a326f9b89b7p-14
    sum = sum * u - 0x1.c02db40040b86p-11
    sum = sum * u + 0x1.565bcd0e6a53fp-8
    sum = sum * u - 0x1.b82ce31288b51p-6
    sum = sum * u + 0x1.ce2f21a042be2p-4
    sum = sum * u - 0x1.812746b0379e7p-2
    return x + x * (sum * u + 0x1.06eba8214db69p-3)
  }
}
