/// Numbers with a fixed number of decimals, the same on every machine.
///
/// The exact value of the double is rounded, not an approximation of it: `0.615` is stored as
/// 0.61499999999999999…, so two decimals give `0.61`. Only a value exactly half way between two
/// results is a tie. A result of zero has no sign.
public enum FixedDecimal {
  /// What happens to a value exactly half way between two results.
  public enum Ties: Hashable, Sendable {
    /// The result further from zero, as people round.
    case awayFromZero
    /// The result whose last digit is even.
    case toEven
  }

  /// The number with exactly `decimals` digits after the point, at most 15.
  ///
  /// Numbers of 2^64 and above are written by `description`; those that are not finite as `nan`,
  /// `inf` and `-inf`.
  public static func text(_ value: Double, decimals: Int, ties: Ties = .awayFromZero) -> String {
    var bytes: [UInt8] = []
    append(value, decimals: decimals, ties: ties, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the number with exactly `decimals` digits after the point to UTF-8 text.
  public static func append(
    _ value: Double, decimals: Int, ties: Ties = .awayFromZero, to bytes: inout [UInt8]
  ) {
    let decimals = min(max(decimals, 0), 15)
    guard value.magnitude < 0x1p64 else {
      bytes.append(contentsOf: value.description.utf8)
      return
    }
    // Both parts are exact: the fraction is what is left after the whole number.
    var whole = UInt64(value.magnitude)
    var fraction = roundedProduct(
      value.magnitude - Double(whole), scale: decimals, ties: ties, wholeIsOdd: whole & 1 == 1)
    if fraction == wholePowersOfTen[decimals] {
      fraction = 0
      whole += 1  // A value with a fraction is below 2^53, so this cannot overflow.
    }
    if value < 0, whole != 0 || fraction != 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(whole, width: 1, to: &bytes)
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    appendDigits(fraction, width: decimals, to: &bytes)
  }

  /// A number of thousandths with three decimals, such as milliunits in units: `0.025`.
  ///
  /// With `atLeast`, zeros at the end are left out down to that many decimals: 600 gives `0.60`
  /// with two, and 25 still gives `0.025`.
  public static func text(thousandths: Int64, atLeast decimals: Int = 3) -> String {
    var bytes: [UInt8] = []
    append(thousandths: thousandths, atLeast: decimals, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a number of thousandths, as ``text(thousandths:atLeast:)`` writes it, to UTF-8 text.
  public static func append(
    thousandths: Int64, atLeast decimals: Int = 3, to bytes: inout [UInt8]
  ) {
    var fraction = thousandths.magnitude % 1_000
    var width = 3
    while width > max(decimals, 0), fraction % 10 == 0 {
      fraction /= 10
      width -= 1
    }
    if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(thousandths.magnitude / 1_000, width: 1, to: &bytes)
    if width > 0 {
      bytes.append(UInt8(ascii: "."))
      appendDigits(fraction, width: width, to: &bytes)
    }
  }

  static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private static let wholePowersOfTen: [UInt64] = powersOfTen.prefix(16).map { UInt64($0) }

  /// A fraction times a power of ten, rounded to an integer.
  private static func roundedProduct(
    _ fraction: Double, scale decimals: Int, ties: Ties, wholeIsOdd: Bool
  ) -> UInt64 {
    let scale = powersOfTen[decimals]
    let product = fraction * scale
    // A fused multiplication gives what the rounded product left out, exactly.
    let rest = (-product).addingProduct(fraction, scale)
    var floor = UInt64(product)
    var part = product - Double(floor)
    if part == 0, rest < 0 {
      floor -= 1
      part = 1
    }
    let isTie = part == 0.5 && rest == 0
    let isAbove = part > 0.5 || part == 0.5 && rest > 0
    let isOdd = decimals == 0 ? wholeIsOdd : floor & 1 == 1
    if isAbove || isTie && (ties == .awayFromZero || isOdd) { floor += 1 }
    return floor
  }

  private static func appendDigits(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    if number >= packable || width > 8 {
      appendDigits(number / packable, width: width - 8, to: &bytes)
      appendDigits(number % packable, width: 8, to: &bytes)
      return
    }
    // Digits are found from the last to the first: each goes below those found before.
    var digits: UInt64 = 0
    var count = 0
    var rest = number
    while rest > 0 || count < width {
      digits = digits << 8 | UInt64(UInt8(ascii: "0")) + rest % 10
      rest /= 10
      count += 1
    }
    for _ in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: digits))
      digits >>= 8
    }
  }

  /// Numbers below have at most eight digits, which one word holds.
  private static let packable: UInt64 = 100_000_000
}
