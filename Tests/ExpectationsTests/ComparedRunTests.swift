import Foundation
import Testing

@testable import Expectations

/// What is told of comparisons beside the verdict.
@Suite("What is told of compared runs")
struct ComparedRunTests {
  private typealias Joint = JointExpectationTests

  @Test("Of a difference and a ratio both are kept, with their bounds")
  func bothDifferenceAndRatio() throws {
    // 150 and 100 mg/dL at the most.
    let result = try #require(
      try Joint.results(
        """
        { id: 'both', compare: { metric: 'maxGlucose', this: 'high', other: 'low' },
          difference: { min: 0, max: 60 }, ratio: { max: 1.4 } }
        """, more: Joint.variants
      ).first)
    #expect(result.outcome == .failed)
    #expect(result.measure?.value == 50 && result.measure?.maximum == 60)
    #expect(result.ratio?.value == 1.5 && result.ratio?.maximum == 1.4)
  }

  @Test("What several runs come to is told in one sentence where it is to be a value")
  func joinedEquality() throws {
    let results = try Joint.results(
      """
      { id: 'none', metric: 'boluses', equals: 3, across: 'mean' },
      { id: 'few', metric: 'boluses', min: 3, across: 'p95' }
      """, more: Joint.sweep)
    #expect(
      results.map(\.message) == [
        "mean of boluses over 4 runs is 0, not 3", "p95 of boluses over 4 runs is 0 < 3",
      ])
  }

  @Test("Where several runs fail together, the one that lies farthest off is shown")
  func farthest() throws {
    // 100, 110, 120 and 130 mg/dL at the most, and at the least.
    let results = try Joint.results(
      """
      { id: 'high', metric: 'maxGlucose', max: 100, across: 'p95' },
      { id: 'low', metric: 'minGlucose', min: 200, across: 'mean' },
      { id: 'off', metric: 'maxGlucose', equals: 90, across: 'mean' }
      """, more: Joint.sweep)
    #expect(results.allSatisfy { $0.outcome == .failed })
    #expect(results.map { $0.moment?.run } == ["s/s3", "s/s0", "s/s3"])
  }

  /// The bolus brings glucose from 72 below 70 mg/dL within the half hour.
  private static let death = """
    { patient: { initialGlucose: 72, floor: { glucose: 70 } },
      events: [{ at: '00:00', bolus: { units: 10 } }] }
    """
  private static let deadly = "variants: { calm: {}, deadly: \(death) },"

  @Test("What is looked at of a run that ended within a stretch, or before its like, is told")
  func tellsOfEarlyEnds() throws {
    let results = try Joint.results(
      """
      { id: 'part', metric: 'maxGlucose', max: 110, after: '00:05' },
      { id: 'early', metric: 'maxGlucose', max: 110, between: ['00:00', '00:05'] },
      { id: 'whole', metric: 'maxGlucose', max: 110 },
      { id: 'against', compare: { metric: 'maxGlucose', this: 'deadly', other: 'calm' },
        difference: { min: 5 } },
      { id: 'mean', metric: 'maxGlucose', max: 110, after: '00:05', across: 'mean' }
      """, more: Self.deadly)
    func result(_ id: String, _ run: String) throws -> ExpectationResult {
      try #require(results.first { $0.expectation == id && $0.run == run })
    }
    let part = try result("part", "s/deadly")
    #expect(part.outcome == .passed)
    #expect(part.remark.hasPrefix("s/deadly ended as lethal at 2026-01-15T00:"), "\(part.remark)")
    #expect(part.remark.hasSuffix("Z, and is looked at until then"))
    let against = try result("against", "s/deadly")
    #expect(against.outcome == .failed)
    #expect(against.remark == part.remark)
    #expect(against.sentence.hasSuffix(" < 5; " + part.remark), "\(against.sentence)")
    #expect(try result("mean", "s/deadly").remark == part.remark)
    // Both ended, the one that is compared with first.
    let both = try Joint.results(
      """
      { id: 'both', compare: { metric: 'maxGlucose', this: 'deadly', other: 'too' },
        difference: { min: -1 } }
      """,
      more: Self.deadly.replacing("calm: {}", with: "too: \(Self.death)"))
    #expect(both.first?.remark.hasPrefix("2 runs ended as lethal, and are looked at until") == true)
    for (id, run) in [
      ("part", "s/calm"), ("early", "s/deadly"), ("whole", "s/deadly"), ("mean", "s/calm"),
    ] {
      #expect(try result(id, run).remark.isEmpty, "\(id) \(run)")
    }
  }
}
