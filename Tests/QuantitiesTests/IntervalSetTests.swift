import Quantities
import Testing

@Suite("Moments that are covered")
struct IntervalSetTests {
  private func at(_ minute: Int64) -> Instant {
    Instant(secondsSince1970: 0) + .minutes(minute)
  }

  /// From 10 to 20, and from 30 to 40.
  private var set: IntervalSet {
    IntervalSet([(at(10), at(15)), (at(12), at(20)), (at(25), at(25)), (at(30), at(40))])
  }

  @Test(
    "What is covered of a stretch and what is not are all of it, in the order of time",
    arguments: [
      (0, 50, [0, 10, 20, 30, 40, 50], [10, 20, 30, 40]), (12, 35, [20, 30], [12, 20, 30, 35]),
      (10, 20, [], [10, 20]), (20, 30, [20, 30], []), (40, 45, [40, 45], []), (15, 15, [], []),
    ] as [(Int64, Int64, [Int64], [Int64])])
  func parts(start: Int64, end: Int64, gaps: [Int64], covered: [Int64]) {
    let found = set.gaps(from: at(start), to: at(end))
    #expect(found.flatMap { [$0.start, $0.end] } == gaps.map(at))
    let within = set.within(at(start), at(end))
    #expect(within.stretches.flatMap { [$0.start, $0.end] } == covered.map(at))
    #expect(set.uncovered(at(start), at(end)) + within.length == .minutes(end - start))
  }
}
