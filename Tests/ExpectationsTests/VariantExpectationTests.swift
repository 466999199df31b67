import Expectations
import Testing

@Suite("Expectations of several runs that a variant changes")
struct VariantExpectationTests {
  /// A start of the body, and what a variant changes of the expectation `a`.
  private static func variant(_ glucose: Int, _ change: String) -> String {
    """
    { patient: { initialGlucose: \(glucose) },
      expect: { $merge: { byKey: 'id', items: [{ id: 'a', \(change) }] } } }
    """
  }

  @Test("Each variant is held to bounds of its own, in the way that it says")
  func ownBounds() throws {
    let results = try JointExpectationTests.results(
      "{ id: 'a', metric: 'maxGlucose', max: 120, across: 'mean' }",
      more: """
        variants: { low: \(Self.variant(100, "max: 90")), high: \(Self.variant(150, "max: 160")),
          all: \(Self.variant(110, "max: 105, across: 'all', severity: 'warn'")) },
        """)
    #expect(results.map(\.run) == ["s/low", "s/high", "s/all"])
    #expect(results.map(\.outcome) == [.failed, .passed, .failed])
    #expect(results.map(\.isWarning) == [false, false, true])
    #expect(
      results.map(\.message) == [
        "mean of maxGlucose@true over 1 run is 100 > 90 mg/dL", "",
        "1 of 1 run fails; the first is s/all: maxGlucose@true 110 > 105 mg/dL",
      ])
  }

  @Test("What is to be compared with a run that came to no result says so")
  func lackingOther() throws {
    let results = try JointExpectationTests.results(
      "{ id: 'a', compare: { metric: 'maxGlucose', other: 'high' }, difference: { max: 0 } }",
      more: JointExpectationTests.variants, lacking: "s/high")
    #expect(results.map(\.run) == ["s/low"])
    #expect(results.map(\.outcome) == [.failed])
    #expect(results.map(\.message) == ["the run s/high to compare with came to no result"])
  }
}
