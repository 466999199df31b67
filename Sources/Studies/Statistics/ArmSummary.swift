internal import Outcomes

/// One metric over the patients of an arm: one value for each patient, never pooled readings.
public struct ArmSummary: Hashable, Sendable {
  /// The patients with a value.
  public let count: Int
  /// The mean over patients.
  public let mean: Double
  /// The sample standard deviation; `nil` below two patients.
  public let standardDeviation: Double?
  /// The lower quartile over patients.
  ///
  /// All quantiles are of type 7 (Hyndman and Fan, Am Stat 50:361, 1996).
  public let lowerQuartile: Double
  /// The median over patients.
  public let median: Double
  /// The upper quartile over patients.
  public let upperQuartile: Double
  /// The least value of a patient.
  public let minimum: Double
  /// The greatest value of a patient.
  public let maximum: Double

  /// Summarises one value for each patient; those without a value are left out and show in `count`.
  ///
  /// `nil` when nobody has a value.
  public init?(_ perPatient: [Double?]) {
    let values = perPatient.compactMap(\.self).filter(\.isFinite)
    let sorted = values.sorted()
    guard let mean = Statistics.mean(values), let first = sorted.first, let last = sorted.last
    else { return nil }
    assert(first <= last, "Sorted values ascend.")
    count = values.count
    self.mean = mean
    standardDeviation = Statistics.standardDeviation(values)
    lowerQuartile = Statistics.quantile(sorted: sorted, 0.25) ?? first
    median = Statistics.quantile(sorted: sorted, 0.5) ?? first
    upperQuartile = Statistics.quantile(sorted: sorted, 0.75) ?? first
    minimum = first
    maximum = last
  }
}
