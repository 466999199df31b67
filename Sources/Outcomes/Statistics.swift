/// The descriptive statistics that every outcome shares, computed in the order of the values.
public enum Statistics {
  /// The arithmetic mean; nothing without values.
  public static func mean(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    return sum(values) / Double(values.count)
  }

  /// The sample standard deviation, with N − 1 in the denominator; nothing below two values.
  public static func standardDeviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// The middle value, or the mean of the middle two; nothing without values.
  public static func median(_ values: [Double]) -> Double? { quantile(values, 0.5) }

  /// The quantile of type 7 (Hyndman and Fan 1996): linear between the order statistics.
  ///
  /// `share` is 0 to 1 and is clamped to that range; nothing without values.
  public static func quantile(_ values: [Double], _ share: Double) -> Double? {
    quantile(sorted: values.sorted(), share)
  }

  /// The quantile of type 7 of values that already ascend.
  public static func quantile(sorted values: [Double], _ share: Double) -> Double? {
    guard let last = values.indices.last, share.isFinite else { return nil }
    assert(
      values[0] <= values[last] || values[0].isNaN || values[last].isNaN,
      "Values ascend before quantiles are taken.")
    let position = Double(last) * min(1, max(0, share))
    let lower = Int(position.rounded(.down))
    let upper = min(lower + 1, last)
    return values[lower] + (position - Double(lower)) * (values[upper] - values[lower])
  }

  static func sum(_ values: [Double]) -> Double { values.reduce(0, +) }
}
