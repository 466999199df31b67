@testable import Studies

/// Check data with values from R 4.2.2 (stats, boot, exactRankTests, coin), SciPy 1.17 and
/// statsmodels 0.15, and for the bootstraps from the same published generator in Python.
enum CheckData {
  /// Eight differences.
  static let eight: [Double] = [4, 1, 5, -2, 8, 1, 7, 3]

  /// Time in range of twelve patients under two arms.
  static let range = differences(
    [62.1, 70.4, 55.9, 81.2, 66.7, 74.0, 48.3, 69.5, 77.8, 59.6, 64.2, 72.9],
    [64.0, 71.1, 59.2, 80.5, 69.9, 75.2, 53.8, 70.1, 77.0, 63.3, 66.6, 74.5])

  /// Time below 54 of twenty patients under two arms.
  static let low = differences(
    [0, 0, 0.1, 0, 1.2, 0.4, 0, 2.3, 0, 0.6, 0, 0.2, 3.1, 0, 0.9, 0, 0.3, 1.7, 0, 0.5],
    [0, 0.1, 0, 0, 0.7, 0.4, 0, 1.1, 0, 0.2, 0, 0.3, 1.4, 0, 0.5, 0, 0.1, 1.0, 0, 0.5])

  static func differences(_ control: [Double], _ treatment: [Double]) -> [Double] {
    zip(control, treatment).map { PairedDifferences.rounded($1 - $0) }
  }
}

func agree(_ value: Double?, _ expected: Double, _ relative: Double = 1e-8) -> Bool {
  guard let value else { return false }
  return (value - expected).magnitude <= relative * max(expected.magnitude, 1e-300)
}
