import Dosing
import Quantities
import Testing

@testable import ClosedLoop

@Suite("The released Loop 3, whose algorithm is the older one")
struct OlderAppTests {
  @Test("The older app gives less of a correction after 4 minutes, and limits it as ever")
  func olderAppLoopsMoreOften() throws {
    // 4/5 of the part of 0.4; the limit stays 0.4 of the maximum bolus (Loop, branch `dev`,
    // `LoopDataManager.swift`).
    for (generation, minutes, factor, limit) in [
      (LoopGeneration.older, 4, 0.4 * 0.8, 0.4), (.older, 5, 0.4, nil), (.current, 4, 0.4, nil),
    ] as [(LoopGeneration, Int64, Double, Double?)] {
      var bench = try Bench(from: at(9), strategy: .automaticBolus) {
        $0.generation = generation
      }
      bench.readPump()
      bench.sense()
      #expect(bench.app.decide(at: at(9)).refusal == nil)
      let input = bench.app.algorithmInput(at: at(9, minutes), for: .automaticBolus)
      let found = try #require(input.automaticBolusApplicationFactor)
      #expect(abs(found - factor) < 1e-15)
      #expect(input.automaticBolusLimitFactor == limit)
    }
  }

  @Test("The older app aims at the correction range of each predicted moment")
  func olderAppAimsAhead() throws {
    // 160 mg/dL to the end of the action at 15:10, where the range is 100 to 110 since noon: 55 of
    // 50 mg/dL/U. The current app aims at 150, the middle of the range that holds now: 10 of 50.
    let targets = try DailySchedule<GlucoseRange>([
      .init(start: .midnight, value: .init(lower: .mgdL(140), upper: .mgdL(160))),
      .init(
        start: TimeOfDay(milliseconds: 43_200_000),
        value: .init(lower: .mgdL(100), upper: .mgdL(110))),
    ])
    for (generation, units) in [(LoopGeneration.older, 1.1), (.current, 0.2)] {
      var bench = try Bench(from: at(9)) {
        $0.generation = generation
        $0.therapy.targets = targets
      }
      bench.mgdL = 160
      bench.sense()
      let input = bench.app.algorithmInput(at: at(9), for: .manualBolus)
      #expect(input.generation == generation)
      let recommendation = try LoopAlgorithm.run(input).recommendation.get()
      guard case .manual(let bolus) = recommendation else {
        Issue.record("The recommendation is \(recommendation).")
        continue
      }
      #expect(abs(bolus.amount - units) < 1e-9)
    }
  }
}
