import Testing

@testable import Outcomes

@Suite("Cohort statistics")
struct CohortStatisticsTests {
  static let first = [70.0, 65, 80, 72, 55, 90, 61, 77]
  static let second = [74.0, 66, 85, 70, 63, 91, 68, 80]

  @Test("One value per patient is summarised, and missing patients are not counted")
  func summarises() throws {
    let summary = try #require(CohortSummary(Self.first.map(Optional.some) + [nil, .nan]))
    #expect(summary.count == 8)
    #expect(summary.median == 71)
    #expect(summary.lowerQuartile == 64)
    #expect(summary.upperQuartile == 77.75)
    #expect(CohortSummary([nil]) == nil)
  }

  /// Figures of the same generator and definitions in an independent program.
  @Test("The bootstrap interval is the published generator's")
  func bootstraps() throws {
    let mean = try #require(BootstrapInterval(Self.first, statistic: Statistics.mean))
    #expect(agree(mean.lower, 64.125, relative: 1e-12))
    #expect(agree(mean.upper, 78.878125, relative: 1e-12))
    let median = try #require(BootstrapInterval(Self.first, statistic: Statistics.median))
    #expect(median.lower == 61)
    #expect(median.upper == 80)
    #expect(BootstrapInterval([], statistic: Statistics.mean) == nil)
  }

  @Test("Two treatments are compared by the difference in each patient")
  func comparesPairs() throws {
    let pair = try #require(PairedComparison(first: Self.first, second: Self.second))
    #expect(pair.differences == [4, 1, 5, -2, 8, 1, 7, 3])
    #expect(pair.mean == 3.375)
    #expect(pair.median == 3.5)
    #expect(pair.signFlipP == 0.0390625)
    #expect(pair.wilcoxonPositive == 33)
    #expect(pair.wilcoxonNegative == 3)
    #expect(pair.wilcoxonP == 0.0390625)
    #expect(pair.higher == 7)
    let interval = try #require(
      BootstrapInterval(pair.differences, statistic: Statistics.mean))
    #expect(interval.lower == 1.125)
    #expect(interval.upper == 5.5)
    let median = try #require(
      BootstrapInterval(pair.differences, statistic: Statistics.median))
    #expect(median.lower == 1)
    #expect(median.upper == 7)
    #expect(pair.isNotInferior(margin: 6, higherIsWorse: true) == true)
    #expect(pair.isNotInferior(margin: 5, higherIsWorse: true) == false)
  }

  @Test("Unequal cohorts are not compared")
  func refusesUnequalCohorts() {
    #expect(PairedComparison(first: [1], second: [1, 2]) == nil)
    #expect(PairedComparison(first: [], second: []) == nil)
  }

  @Test("Large cohorts are compared by random flips")
  func flipsAtRandom() throws {
    let low = (0..<40).map { Double($0) }
    let pair = try #require(PairedComparison(first: low, second: low.map { $0 + 1 }))
    #expect(pair.signFlipP == 0)
    #expect(pair.wilcoxonP == nil)
  }

  @Test("Holm's adjustment never lowers a p and keeps the order")
  func adjusts() {
    let adjusted = holmAdjusted([0.01, 0.04, 0.03])
    #expect(agree(adjusted[0], 0.03))
    #expect(agree(adjusted[1], 0.06))
    #expect(agree(adjusted[2], 0.06))
  }
}
