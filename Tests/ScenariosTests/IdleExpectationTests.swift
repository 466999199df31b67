import Scenarios
import Testing

/// Expectations that are held against nothing, or that nothing could break.
@Suite("Expectations that expect nothing")
struct IdleExpectationTests {
  private static func built(_ expectation: String) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', \(CheckTests.patient), expect: [{ \(expectation) }] }
      """
    ).1
  }

  @Test("A variant that is named alone must be there, as one in a list")
  func oneVariant() {
    for name in ["'zz'", "['zz']"] {
      for file in ["", "variants: { a: {} }, "] {
        let told = CheckTests.sentences(
          file + "expect: [{ metric: 'mean', min: 1, variants: \(name) }]")
        #expect(
          told.count == 1 && told.allSatisfy { $0.contains("There is no variant \"zz\".") },
          "\(name): \(told)")
      }
    }
    // The other variant is compared, though it is named alone.
    #expect(
      CheckTests.sentences(
        "variants: { a: {}, b: {} }, expect: [{ compare: { metric: 'sd', other: 'a' }, "
          + "ratio: { min: 1 }, variants: 'b' }]") == [])
    let variants = "variants: { a: {}, b: {} }"
    #expect(
      CheckTests.sentences("\(variants), expect: [{ metric: 'mean', min: 1, variants: 'a' }]") == []
    )
  }

  @Test(
    "What nothing could break is an error where it stands",
    arguments: [
      (
        "events: { kind: 'tempBasal' }, eachDuration: {}",
        "\"eachDuration\" is empty. Add min or max."
      ),
      ("events: { kind: 'tempBasal' }, eachDuration: { min: '1m' }", nil),
      ("timeline: 'healthStore.basal', equals: []", nil),
    ] as [(String, String?)])
  func unbreakable(expectation: String, expected: String?) {
    let told = Self.built(expectation)
    guard let expected else {
      #expect(told.isEmpty, "\(told)")
      return
    }
    #expect(
      told.count == 1 && told.allSatisfy { $0.contains("error: \(expected)") }, "\(told)")
  }

  @Test(
    "A bound that cannot be used is told where it stands, and not as one that is missing",
    arguments: [
      "metric: 'mean', max: 'x'", "metric: 'mean', equals: 'x'",
      "series: 'glucose.true', never: 'x'",
    ])
  func unusableBound(expectation: String) {
    let told = Self.built(expectation)
    #expect(told.count == 1 && told.allSatisfy { $0.contains("not \"x\"") }, "\(told)")
    #expect(Self.built("metric: 'mean'").contains { $0.contains("Add min, max or equals.") })
  }
}
