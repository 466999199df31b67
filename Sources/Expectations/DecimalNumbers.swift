/// Decimal numbers as people write them, which binary fractions miss by their last bits: 0.4 − 0.3
/// is more than 0.1 by itself.
enum DecimalNumbers {
  /// The nearest number of billionths; a number too large to have any as it is.
  static func rounded(_ value: Double) -> Double {
    let billionths = (value * 1e9).rounded()
    // Zero has no sign.
    return billionths.magnitude < 9e15 ? billionths / 1e9 + 0 : value
  }

  /// Whether two numbers are no farther apart than a tolerance.
  static func areNear(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
    (first - second).magnitude <= tolerance * (1 + 1e-9) + 1e-12
  }
}
