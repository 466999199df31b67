/// One metric over the patients of a cohort: one value per patient, never pooled readings.
public struct CohortSummary: Hashable, Sendable {
  /// The patients with a value.
  public let count: Int
  /// Mean, sample SD, quartiles of type 7, least and greatest value.
  public let mean: Double
  public let standardDeviation: Double?
  public let lowerQuartile: Double
  public let median: Double
  public let upperQuartile: Double
  public let minimum: Double
  public let maximum: Double

  /// Summarises one value per patient; patients without a value are left out and show in `count`.
  public init?(_ perPatient: [Double?]) {
    let values = perPatient.compactMap(\.self).filter(\.isFinite)
    let sorted = values.sorted()
    guard let mean = Statistics.mean(values), let first = sorted.first, let last = sorted.last
    else { return nil }
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

/// An interval by the percentile bootstrap: patients are drawn with replacement.
///
/// Percentile intervals are too narrow below 15 patients. The generator is the SplitMix64 of
/// Steele, Lea and Flood 2014, started anew for each interval.
public struct BootstrapInterval: Hashable, Sendable {
  public let lower: Double
  public let upper: Double

  /// Draws `resamples` cohorts and takes the statistic's quantiles at 2.5 and 97.5 %.
  public init?(
    _ values: [Double], resamples: Int = 2_000, seed: UInt64 = 1,
    statistic: ([Double]) -> Double?
  ) {
    guard !values.isEmpty, resamples > 0 else { return nil }
    var generator = SplitMix64(state: seed)
    var results: [Double] = []
    results.reserveCapacity(resamples)
    for _ in 0..<resamples {
      let sample = values.map { _ in values[generator.index(below: values.count)] }
      if let result = statistic(sample) { results.append(result) }
    }
    results.sort()
    guard let lower = Statistics.quantile(sorted: results, 0.025),
      let upper = Statistics.quantile(sorted: results, 0.975)
    else { return nil }
    self.lower = lower
    self.upper = upper
  }
}

/// A comparison of two treatments of the same patients, by the difference in each patient.
public struct PairedComparison: Hashable, Sendable {
  /// The differences, second treatment minus first.
  public let differences: [Double]
  public let mean: Double
  public let median: Double
  /// How many patients have a higher, an equal and a lower value under the second treatment.
  public let higher: Int
  public let equal: Int
  public let lower: Int
  /// The two-sided p of the sign-flip test: exact up to 20 patients, else of 10,000 random flips.
  public let signFlipP: Double
  /// Wilcoxon's signed rank sums with mid-ranks, zeros dropped.
  public let wilcoxonPositive: Double
  public let wilcoxonNegative: Double
  /// The exact two-sided p of the signed ranks; nothing above 20 patients.
  public let wilcoxonP: Double?

  /// Compares values of the same patients in the same order; nothing for none or unequal counts.
  public init?(first: [Double], second: [Double], seed: UInt64 = 1) {
    guard first.count == second.count else { return nil }
    let differences = zip(second, first).map { $0 - $1 }
    guard let mean = Statistics.mean(differences), let median = Statistics.median(differences)
    else { return nil }
    self.differences = differences
    self.mean = mean
    self.median = median
    higher = differences.count { $0 > 0 }
    equal = differences.count { $0 == 0 }
    lower = differences.count { $0 < 0 }
    signFlipP = Self.signFlip(differences, seed: seed)
    let ranks = Self.signedRanks(differences)
    wilcoxonPositive = ranks.reduce(0) { $0 + max(0, $1) }
    wilcoxonNegative = ranks.reduce(0) { $0 + max(0, -$1) }
    wilcoxonP = ranks.count <= 20 ? Self.exactP(ranks) : nil
  }

  /// Whether the second treatment is not worse by more than a margin.
  ///
  /// The upper end of the interval of the mean difference, in the direction that is worse, has to
  /// stay below the margin.
  public func isNotInferior(margin: Double, higherIsWorse: Bool, seed: UInt64 = 1) -> Bool? {
    let worse = higherIsWorse ? differences : differences.map { -$0 }
    return BootstrapInterval(worse, seed: seed, statistic: Statistics.mean).map {
      $0.upper < margin
    }
  }

  private static func signFlip(_ differences: [Double], seed: UInt64) -> Double {
    if differences.count <= 20 { return exactP(differences) }
    let observed = abs(Statistics.sum(differences))
    var generator = SplitMix64(state: seed)
    let flips = 10_000
    var extreme = 0
    for _ in 0..<flips {
      let sum = differences.reduce(0) { generator.unit() < 0.5 ? $0 + $1 : $0 - $1 }
      if abs(sum) >= observed - 1e-9 { extreme += 1 }
    }
    return Double(extreme) / Double(flips)
  }

  /// The share of all sign vectors whose sum is as far from zero as the observed one.
  private static func exactP(_ values: [Double]) -> Double {
    let observed = abs(Statistics.sum(values))
    let magnitudes = values.map(abs)
    let vectors = 1 << values.count
    var extreme = 0
    for signs in 0..<vectors {
      var sum = 0.0
      for (index, magnitude) in magnitudes.enumerated() {
        sum += signs >> index & 1 == 1 ? magnitude : -magnitude
      }
      if abs(sum) >= observed - 1e-9 { extreme += 1 }
    }
    return Double(extreme) / Double(vectors)
  }

  private static func signedRanks(_ differences: [Double]) -> [Double] {
    let sorted = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
    var ranks: [Double] = []
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, abs(sorted[end]) == abs(sorted[start]) { end += 1 }
      let rank = Double(start + end + 1) / 2
      for index in start..<end { ranks.append(sorted[index] > 0 ? rank : -rank) }
      start = end
    }
    return ranks
  }
}

/// Adjusts p values of several metrics by Holm's method, in the order given.
public func holmAdjusted(_ values: [Double]) -> [Double] {
  let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
  var adjusted = values
  var greatest = 0.0
  for (rank, index) in order.enumerated() {
    greatest = max(greatest, min(1, values[index] * Double(values.count - rank)))
    adjusted[index] = greatest
  }
  return adjusted
}

/// The plain SplitMix64 generator, as published, for draws that other programs can repeat.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func index(below count: Int) -> Int { Int(unit() * Double(count)) }
}
