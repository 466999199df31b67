/// Shares in per cent, as texts and pages write them.
public enum PercentText {
  /// A share with decimals and without the sign; one that is there is never written as none, nor
  /// one short of all as all: `<0.1`, `>99`.
  ///
  /// - Parameters:
  ///   - share: The share in per cent.
  ///   - decimals: How many digits stand after the point.
  /// - Returns: The number, such as `99.7`.
  public static func number(_ share: Double, decimals: Int) -> String {
    func text(_ value: Double) -> String { FixedDecimal.text(value, decimals: decimals) }
    var step = 1.0
    for _ in 0..<decimals { step /= 10 }
    if share > 0, text(share) == text(0) { return "<\(text(step))" }
    if share < 100, text(share) == text(100) { return ">\(text(100 - step))" }
    return text(share)
  }

  /// A share as the whole number that it is rounded to where several are to add up.
  ///
  /// - Parameters:
  ///   - share: The share in per cent.
  ///   - rounded: The whole number.
  /// - Returns: The number without the sign; `<1` or `>99` where it would be none or all untruly.
  public static func whole(_ share: Double, rounded: Int) -> String {
    if share > 0, rounded == 0 { return "<1" }
    return share < 100 && rounded == 100 ? ">99" : "\(rounded)"
  }
}
