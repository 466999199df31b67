import Studies
import TestSupport
import Testing

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of statistics", .enabled(if: hasAssertions))
struct PreconditionTests {
  @Test("A chi-squared law without degrees of freedom")
  func hasNoFreedom() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ChiSquaredLaw(degreesOfFreedom: 0)
    }
    #expect(says(result?.standardErrorContent, "A chi-squared law needs degrees of freedom."))
  }

  @Test("A confidence of all certainty")
  func hasAllConfidence() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let rate = EventRate(counts: [1, 2], times: [1, 1])
      _ = rate?.exactInterval(confidence: 100)
    }
    #expect(says(result?.standardErrorContent, "A confidence lies between 0 and 100 percent."))
  }
}
