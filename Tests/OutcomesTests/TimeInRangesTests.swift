import Quantities
import Testing

@testable import Outcomes

@Suite("Time in ranges")
struct TimeInRangesTests {
  @Test("Both ends of the target range belong to it")
  func includesBothEnds() throws {
    let ranges = try #require(
      TimeInRanges([53.9, 54, 69.9, 70, 140, 140.1, 180, 180.1, 250, 250.1]))
    #expect(ranges.below54 == 10)
    #expect(ranges.from54To69 == 20)
    #expect(ranges.from70To180 == 40)
    #expect(ranges.from70To140 == 20)
    #expect(ranges.from181To250 == 20)
    #expect(ranges.above250 == 10)
  }

  @Test("The shares add up", arguments: 0..<20 as Range<UInt64>)
  func sharesAddUp(seed: UInt64) throws {
    var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    let values = (0..<97).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 55)
    }
    let ranges = try #require(TimeInRanges(values))
    #expect(agree(ranges.below70 + ranges.from70To180 + ranges.above180, 100))
    #expect(agree(ranges.below54 + ranges.from54To69, ranges.below70))
    #expect(agree(ranges.from181To250 + ranges.above250, ranges.above180))
    #expect(wholePercentages(ranges.stacked).reduce(0, +) == 100)
  }

  @Test("Largest remainder gives the missing points to the largest fractions, ties to the first")
  func roundsToAHundred() {
    #expect(wholePercentages([33.4, 33.3, 33.3]) == [34, 33, 33])
    #expect(wholePercentages([0.5, 99.5]) == [1, 99])
    #expect(wholePercentages([20.2, 30.7, 49.1]) == [20, 31, 49])
    #expect(wholePercentages([.nan, 1]).isEmpty)
  }

  @Test("Night is from midnight to before six on the clock on the wall")
  func knowsNight() throws {
    let values = run(60, 72) + run(120, 216)
    let night = try #require(series(values).timeInRanges(.night))
    #expect(night.count == 72)
    #expect(night.below70 == 100)
    #expect(try #require(series(values).timeInRanges(.day)).below70 == 0)
    #expect(series([]).timeInRanges() == nil)
  }

  @Test("Location and spread follow their definitions")
  func summarises() throws {
    let summary = try #require(GlucoseSummary([70, 65, 80, 72, 55, 90, 61, 77]))
    #expect(summary.median == 71)
    #expect(summary.p25 == 64)
    #expect(summary.p75 == 77.75)
    #expect(summary.mean == 71.25)
    #expect(agree(summary.standardDeviation, 11.157956802210698, relative: 1e-14))
    #expect(summary.interquartileRange == 13.75)
  }

  @Test("A mean of 154 mg/dL is a GMI near 7 % and an estimated A1c near 7 %")
  func estimatesHaemoglobin() throws {
    let summary = try #require(GlucoseSummary([154, 154]))
    #expect(agree(summary.glucoseManagementIndicator, 6.99368))
    #expect(agree(summary.estimatedA1c, 200.7 / 28.7))
    #expect(summary.coefficientOfVariation == 0)
    #expect(try #require(GlucoseSummary([154])).standardDeviation == nil)
  }
}
