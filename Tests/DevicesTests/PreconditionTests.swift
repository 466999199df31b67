import Quantities
import TestSupport
import Testing

@testable import Devices

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of devices", .enabled(if: hasAssertions))
struct PreconditionTests {
  @Test("Pulses of nothing")
  func pulsesOfNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = BasalAccumulator(pulse: .zero)
    }
    #expect(says(result?.standardErrorContent, "A pump pulse must be more than nothing."))
  }

  @Test("A rate below nothing, and time that runs backwards")
  func earnsBackwards() async {
    let rate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var accumulator = BasalAccumulator(pulse: .milliunits(50))
      accumulator.earn(InsulinRate(milliunitsPerHour: -1), for: .hours(1))
    }
    #expect(says(rate?.standardErrorContent, "A basal rate cannot be negative."))
    let time = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var accumulator = BasalAccumulator(pulse: .milliunits(50))
      accumulator.earn(InsulinRate(milliunitsPerHour: 1_000), for: .hours(-1))
    }
    #expect(says(time?.standardErrorContent, "Time cannot run backwards."))
  }
}
