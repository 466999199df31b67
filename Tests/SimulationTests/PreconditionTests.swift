import Quantities
import Simulation
import TestSupport
import Testing

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of a run", .enabled(if: hasAssertions))
struct PreconditionTests {
  @Test("A run that ends before it starts")
  func endsBeforeItStarts() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var setup = try Fixture().setup()
      setup.end = setup.start - .minutes(1)
      _ = Run(setup)
    }
    #expect(says(result?.standardErrorContent, "A run ends after it starts."))
  }

  @Test("Cycles that take no time")
  func hasNoInterval() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var setup = try Fixture().setup()
      setup.cycleInterval = .zero
      _ = Run(setup)
    }
    #expect(says(result?.standardErrorContent, "Cycles of the loop are some time apart."))
  }

  @Test("A command that arrives before it is sent")
  func hasNegativeLatency() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var setup = try Fixture().setup()
      setup.commandLatency = .seconds(-1)
      _ = Run(setup)
    }
    #expect(says(result?.standardErrorContent, "A command does not arrive before it is sent."))
  }

  @Test("A difference that says nothing")
  func differenceWithoutText() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RecordDifference(
        .fault, .unexplained, from: Fixture.midnight, to: Fixture.midnight, units: 1, "")
    }
    #expect(says(result?.standardErrorContent, "A difference says what is so."))
  }

  @Test("A trouble that never happened")
  func troubleThatNeverHappened() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RunTrouble(.alarm, from: Fixture.midnight, to: Fixture.midnight, count: 0, "Alarm.")
    }
    #expect(says(result?.standardErrorContent, "A trouble happened at least once."))
  }
}
