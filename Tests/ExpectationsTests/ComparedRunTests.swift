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
    #expect(against.sentence.hasSuffix(" < 5 mg/dL; " + part.remark), "\(against.sentence)")
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

  /// A timeline with 110 mg/dL every ten minutes from five minutes after the start, up to a time.
  private static func kept(_ times: [String]) -> String {
    "time,glucose_true_mgdL\n" + times.map { "2026-01-15T\($0):00Z,110\n" }.joined()
  }

  @Test("Moments that the run or a kept table alone has are counted, of a metric too")
  func momentsOfOneSide() throws {
    // The run has rows from 00:00 to 00:30, every five minutes.
    let table = Self.kept(["00:05", "00:12", "00:15", "00:40", "00:50"])
    let results = try Joint.results(
      """
      { id: 's', compare: { series: 'glucose.true', other: 'k.csv' },
        difference: { min: -1, max: 1 } },
      { id: 'm', compare: { metric: 'mean', other: 'k.csv' }, difference: { min: -1, max: 1 } },
      { id: 'part', compare: { series: 'glucose.true', other: 'k.csv' },
        difference: { min: -1, max: 1 }, between: ['00:05', '00:15'] },
      { id: 'all', compare: { series: 'glucose.true', other: 'k.csv' },
        difference: { min: -1, max: 1 }, between: ['00:15', '00:16'], across: 'all' }
      """, files: ["d/k.csv": table])
    #expect(results.allSatisfy { $0.outcome == .passed }, "\(results.map(\.message))")
    #expect(
      results.map(\.remark) == [
        "not compared: 5 moments of this run alone and 3 moments of d/k.csv alone",
        "not compared: 5 moments of this run alone and 3 moments of d/k.csv alone",
        "not compared: 1 moment of this run alone and 1 moment of d/k.csv alone", "",
      ])
    #expect(results[2].sentence == "part: \(results[2].remark)")
  }

  @Test("Of two variants that do not last as long, the moments of one alone are counted")
  func momentsOfOneVariant() throws {
    let results = try Joint.results(
      """
      { id: 's', compare: { series: 'glucose.true', this: 'short', other: 'long' },
        difference: { min: -50, max: 50 } }
      """, more: "variants: { short: { clock: { duration: '20m' } }, long: {} },")
    #expect(results.map(\.outcome) == [.passed])
    #expect(results.first?.remark == "not compared: 2 moments of long alone")
  }

  @Test("Rows of a golden file after the end of a run are missing in it")
  func goldenRowsAfterTheEnd() throws {
    let times = ["00:00", "00:05", "00:10", "00:15", "00:20", "00:25", "00:30", "00:35"]
    let results = try Joint.results(
      "{ id: 'g', golden: 'g.csv' }, { id: 'p', golden: 'g.csv', between: ['00:10', '00:30'] }",
      files: ["d/g.csv": Self.kept(times)])
    #expect(results.map(\.outcome) == [.failed, .passed])
    #expect(
      results.first?.message == "d/g.csv: the row 2026-01-15T00:35:00Z is only in kept")
  }

  @Test("Each of several readings that are nearest to one row is compared with it")
  func severalObserved() throws {
    let results = try Joint.results(
      """
      { id: 'o', compare: { series: 'glucose.true', other: 'observed' },
        difference: { min: -5, max: 5 } }
      """, more: "history: { observed: { csv: 'o.csv' } },",
      files: ["d/o.csv": "time,glucose\n+9m,200\n+10m,111\n+11m,109\n"])
    #expect(results.map(\.outcome) == [.failed])
    #expect(results.first?.message.contains("110 − 200 (observed) is -90 < -5") == true)
    #expect(results.first?.remark == "")
  }

  @Test("Glucose in two units is not subtracted")
  func twoUnits() throws {
    let molar = """
      glucoseUnit: 'mmol/L', patient: { initialGlucose: 6.1,
        needs: { sensitivity: [['00:00', 3]] } }, therapy: { sensitivity: [['00:00', 3]] }
      """
    let results = try Joint.results(
      """
      { id: 'mean', compare: { metric: 'mean', this: 'b', other: 'a' }, difference: { max: 1 } },
      { id: 'rows', compare: { series: 'glucose.true', this: 'b', other: 'a' },
        difference: { max: 1 } },
      { id: 'share', compare: { metric: 'cv', this: 'b', other: 'a' }, difference: { max: 1 } }
      """, more: "variants: { a: {}, b: { \(molar) } },")
    #expect(results.map(\.outcome) == [.failed, .failed, .passed], "\(results.map(\.message))")
    #expect(
      results.prefix(2).allSatisfy {
        $0.message.contains(
          "the glucose of this run and that of s/a are in two units; give their variants one "
            + "glucoseUnit")
      }, "\(results.map(\.message))")
  }
}
