import Quantities
import TestSupport
import Testing

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of quantities", .enabled(if: hasAssertions))
struct PreconditionTests {
  @Test("A time of day after midnight of the next day")
  func timeBeyondTheDay() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TimeOfDay(milliseconds: 86_400_000)
    }
    #expect(says(result?.standardErrorContent, "A time of day lies between 00:00 and 24:00."))
  }

  @Test("A span divided by nothing")
  func dividedByNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TimeSpan.hours(1).quotient(by: .zero)
    }
    #expect(
      says(
        result?.standardErrorContent, "A span can only be divided by a part longer than nothing."))
  }

  @Test("A range of glucose upside down")
  func rangeUpsideDown() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = GlucoseRange(lower: .mgdL(180), upper: .mgdL(70))
    }
    #expect(says(result?.standardErrorContent, "A glucose range starts at its lower bound."))
  }

  @Test("Less than nothing counted in pulses")
  func negativePulses() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = InsulinAmount.milliunits(-50).flooredToMultiple(of: .milliunits(50))
    }
    #expect(
      says(
        result?.standardErrorContent, "Only an amount that can be delivered is counted in pulses."))
  }
}
