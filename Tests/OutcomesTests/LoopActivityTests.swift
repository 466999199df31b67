import Determinism
import Quantities
import Testing

@testable import Outcomes

struct LoopActivityTests {
  /// The percentage counted minute by minute, for activity that changes at whole minutes.
  private func counted(_ activity: LoopActivity, minutes: Int64) -> Double {
    let closed = (0..<minutes).count { minute in
      let instant = monday + .minutes(minute)
      let isOn = activity.switches.last { $0.instant <= instant }?.isOn ?? false
      let isFresh = activity.cycles.contains {
        $0.failure == nil && $0.instant <= instant && instant < $0.instant + .minutes(16)
      }
      return isOn && isFresh
    }
    return 100 * Double(closed) / Double(minutes)
  }

  /// Whole minutes around the four hours from Monday on, in the order of time.
  private func instants(_ count: Int, _ stream: inout RandomStream) -> [Instant] {
    (0..<count).map { _ in monday + .minutes(Int64(stream.integer(below: 300)) - 30) }.sorted()
  }

  @Test("The closed loop is measured as minute by minute, whatever is switched and fails")
  func closedLoopAsCounted() {
    var stream = RandomStream(seed: 20_261_127, name: "closed loop")
    for _ in 0..<200 {
      let cycles = instants(40, &stream).map { instant in
        LoopActivity.Cycle(at: instant, failure: stream.bernoulli(0.3) ? "failed" : nil)
      }
      let switches = instants(6, &stream).map { instant in
        LoopActivity.Switch(at: instant, isOn: stream.bernoulli(0.5))
      }
      let activity = LoopActivity(cycles: cycles, switches: switches)
      let percent = activity.closedLoopPercent(from: monday, to: monday + .minutes(240))
      #expect(agree(percent, counted(activity, minutes: 240)))
    }
  }

  @Test("A cycle at the end of a part belongs to the next one")
  func partsOfCycles() {
    let activity = LoopActivity(
      cycles: [0, 30, 60].map { .init(at: monday + .minutes($0), failure: nil) }, switches: [])
    func cycles(_ from: Int64, _ to: Int64) -> [Instant] {
      activity.restricted(from: monday + .minutes(from), to: monday + .minutes(to)).cycles
        .map(\.instant)
    }
    #expect(cycles(0, 60) == [monday, monday + .minutes(30)])
    #expect(cycles(60, 90) == [monday + .minutes(60)])
  }
}
