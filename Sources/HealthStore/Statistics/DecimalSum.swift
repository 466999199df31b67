/// A sum of what was written down in decimals: 37 pulses of 0.05 U are 1.85 U.
///
/// What is lost in each addition is kept (A. Neumaier, Z. Angew. Math. Mech. 54, 1974), and the
/// total is the number next to it of fifteen digits, which is as many as a `Double` always holds.
struct DecimalSum {
  private var sum = 0.0
  private var lost = 0.0

  /// The sum of values.
  init(_ values: [Double] = []) {
    for value in values { add(value) }
  }

  /// Adds a value.
  mutating func add(_ value: Double) {
    let next = sum + value
    lost += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
    sum = next
  }

  /// The sum so far.
  var total: Double {
    let exact = sum + lost
    guard exact.magnitude < 1e15 else { return exact }
    // Powers of ten are exact up to 10²².
    var scale = 1.0
    while exact.magnitude * scale < 1e14, scale < 1e22 { scale *= 10 }
    let digits = exact * scale
    return digits.magnitude < 1e13 ? exact : digits.rounded() / scale
  }
}
