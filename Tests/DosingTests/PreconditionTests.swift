import Quantities
import TestSupport
import Testing

@testable import Dosing

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of the algorithm", .enabled(if: hasAssertions))
struct PreconditionTests {
  @Test("More elements to leave than a list has")
  func leavesWithoutElements() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var list = SlidingList<Int>()
      list.append(1)
      list.removeFirst(2)
    }
    #expect(says(result?.standardErrorContent, "No more elements leave than there are."))
  }

  @Test("An element in a place that is not there")
  func insertsBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var list = SlidingList<Int>()
      list.insert(1, at: 1)
    }
    #expect(
      says(result?.standardErrorContent, "An element is put among those that are there."))
  }

  @Test("A change of glucose from a later step to an earlier")
  func changesBackwards() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = InsulinEffectGrid(over: 0...9).change(from: 5, to: 4)
    }
    #expect(says(result?.standardErrorContent, "A change is asked for forward in time."))
  }

  @Test("Insulin on board before an instant that was asked for")
  func looksBack() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var doses = MomentaryDoses(of: .rapidActingAdult)
      let start = Instant(secondsSince1970: 0)
      doses.append(1, at: start)
      _ = doses.onBoard(at: start + .minutes(5))
      _ = doses.onBoard(at: start)
    }
    #expect(says(result?.standardErrorContent, "Instants are asked for in the order of time."))
  }
}
