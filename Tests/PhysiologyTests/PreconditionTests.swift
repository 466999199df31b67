import Quantities
import TestSupport
import Testing

@testable import Physiology

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of a body", .enabled(if: hasAssertions))
struct PreconditionTests {
  private static let start = Instant(secondsSince1970: 0)

  @Test("Insulin to be taken from a depot that has none")
  func takesInsulinOut() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var depot = InsulinDepot()
      depot.add(-1, nil, at: Self.start)
    }
    #expect(
      says(result?.standardErrorContent, "A depot gives back no more than was put into it."))
  }

  @Test("What a depot releases from later to earlier")
  func releasesBackwards() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = InsulinDepot().released(from: Self.start, to: Self.start - .minutes(5))
    }
    #expect(says(result?.standardErrorContent, "A depot releases forward in time."))
  }

  @Test("A meal that is absorbed in no time")
  func absorbsAtOnce() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MealChainSpeeds(ownTimeConstant: 0)
    }
    #expect(says(result?.standardErrorContent, "A meal takes some time."))
  }

  @Test("A release that ends before it begins")
  func releaseWithoutTime() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = InsulinRelease(onset: 60, plateauStart: 15, plateauEnd: 30, end: 45)
    }
    #expect(says(result?.standardErrorContent, "A release rises, holds and falls."))
  }
}
