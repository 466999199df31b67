/// Location and spread of glucose readings, and the haemoglobin that they suggest.
public struct GlucoseSummary: Hashable, Sendable {
  /// The number of readings.
  public let count: Int
  /// The mean reading, mg/dL.
  public let mean: Double
  /// The median reading, mg/dL.
  public let median: Double
  /// The least reading, mg/dL.
  public let minimum: Double
  /// The greatest reading, mg/dL.
  public let maximum: Double
  /// The quantile at 5 %, mg/dL; this and the others are of type 7.
  public let p05: Double
  /// The quantile at 25 %, mg/dL.
  public let p25: Double
  /// The quantile at 75 %, mg/dL.
  public let p75: Double
  /// The quantile at 95 %, mg/dL.
  public let p95: Double
  /// The sample standard deviation in mg/dL; nothing for one reading.
  public let standardDeviation: Double?

  /// Summarises values in mg/dL; nothing without values.
  public init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let mean = Statistics.mean(values), let first = sorted.first, let last = sorted.last
    else { return nil }
    func quantile(_ share: Double) -> Double {
      Statistics.quantile(sorted: sorted, share) ?? first
    }
    assert(first <= last || first.isNaN || last.isNaN, "Sorted values ascend.")
    count = values.count
    self.mean = mean
    median = quantile(0.5)
    minimum = first
    maximum = last
    p05 = quantile(0.05)
    p25 = quantile(0.25)
    p75 = quantile(0.75)
    p95 = quantile(0.95)
    standardDeviation = Statistics.standardDeviation(values)
  }

  /// The distance between the quartiles, in mg/dL.
  public var interquartileRange: Double { p75 - p25 }

  /// The coefficient of variation in percent; at most 36 counts as stable.
  public var coefficientOfVariation: Double? {
    guard mean > 0 else { return nil }
    return standardDeviation.map { 100 * $0 / mean }
  }

  /// The glucose management indicator in percent (Bergenstal and others 2018, Diabetes Care
  /// 41:2275).
  public var glucoseManagementIndicator: Double { 3.31 + 0.02392 * mean }

  /// The estimated A1c in percent (Nathan and others 2008, Diabetes Care 31:1473); older than the
  /// GMI.
  public var estimatedA1c: Double { (46.7 + mean) / 28.7 }

  /// The updated glucose management indicator in percent, as the package cgmguru codes it.
  public var updatedGlucoseManagementIndicator: Double? {
    mean > 0 ? 1 / (15.36 / mean + 0.0425) : nil
  }
}

extension GlucoseSeries {
  /// Location and spread of the readings; nothing without readings.
  public var summary: GlucoseSummary? { GlucoseSummary(values) }
}
