import Outcomes
import Quantities
import Testing

@testable import Expectations

/// In binary fractions 0.4 − 0.3 is more than 0.1, 0.3 − 0.1 less than 0.2, and 0.3 ÷ 0.1 less
/// than 3.
@Suite("Bounds of decimal numbers")
struct DecimalNumbersTests {
  private typealias Expectation = Expectations.Expectation

  @Test("A value lies as far off as its tolerance allows, and no farther")
  func tolerance() {
    let bounds = Expectation.Bounds(equals: 0.3, tolerance: 0.1)
    #expect(bounds.complaint(0.4) == nil)
    #expect(bounds.complaint(0.2) == nil)
    #expect(bounds.complaint(0.4001) == "0.4001 is not 0.3 ± 0.1")
    #expect(bounds.complaint(0.400000001) == "0.400000001 is not 0.3 ± 0.1")
    // Differences as large as those of glucose.
    #expect(Expectation.Bounds(equals: 400.3, tolerance: 0.1).complaint(400.4) == nil)
  }

  private static func sentence(
    _ this: Double, _ other: Double, difference: Expectation.Bounds? = nil,
    ratio: Expectation.Bounds? = nil
  ) throws -> (value: Double?, message: String?) {
    var check = CompareCheck(subject: .metric(try Metric.parse("bolusUnits")), other: .variant("b"))
    (check.difference, check.ratio) = (difference, ratio)
    let outcome = check.outcome(.value(this), .value(other), otherName: "b") { "\($0)" }
    return (outcome.value, outcome.complaint?.message)
  }

  @Test("The difference and the ratio of two runs are those of the numbers as they are written")
  func comparisons() throws {
    let most = Expectation.Bounds(minimum: 0.1, maximum: 0.1)
    let same = try Self.sentence(0.4, 0.3, difference: most)
    #expect(same.value == 0.1 && same.message == nil)
    #expect(
      try Self.sentence(0.4001, 0.3, difference: most).message
        == "bolusUnits 0.4001 − 0.3 (b) is 0.1001 > 0.1 U")
    let both = try Self.sentence(
      0.3, 0.1, difference: .init(minimum: 0.2), ratio: .init(minimum: 3, maximum: 3))
    #expect(both.value == 0.2 && both.message == nil)
    #expect(
      try Self.sentence(0.3, 0, ratio: .init(maximum: 3)).message
        == "bolusUnits is to be divided by 0 (b)")
  }

  @Test("Sums and differences of series are those of the numbers as they are written")
  func series() throws {
    func value(_ text: String, _ number: Double) throws -> Double? {
      let source = SeriesSource(at: [Instant(secondsSince1970: 0)]) { _, _ in number }
      return try SeriesExpression.parse(text).values(source)[0]
    }
    #expect(try value("delivered.bolus - 0.3", 0.4) == 0.1)
    #expect(try value("abs(delivered.bolus - 0.3)", 0.1) == 0.2)
    #expect(try value("delivered.bolus + 0.2", 0.1) == 0.3)
    // What is no sum stays as it is.
    #expect(try value("delivered.bolus", 0.1 + 0.2) == 0.1 + 0.2)
    #expect(try value("delivered.bolus - 1", 1e300) == 1e300)
  }

  @Test("A number in an expression or a metric is written in decimal")
  func decimals() throws {
    #expect(throws: Never.self) { try SeriesExpression.parse("iob.app + 16") }
    #expect(throws: (any Error).self) { try SeriesExpression.parse("iob.app + 0x10") }
    #expect(throws: Never.self) { try Metric.parse("tir(70,180)") }
    #expect(throws: (any Error).self) { try Metric.parse("tir(0x46,180)") }
  }
}
