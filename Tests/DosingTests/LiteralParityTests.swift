import Dosing
import Quantities
import TestSupport
import Testing

@Suite("The fast arrangement gives the numbers of the literal one")
struct LiteralParityTests {
  @Test("On random inputs that reach every branch", arguments: 0..<Extent.of(1, whole: 8))
  func randomInputs(batch: Int) throws {
    for seed in 0..<20 {
      var random = RandomInput(seed: UInt64(batch * 20 + seed))
      let input = random.input()
      let output = LoopAlgorithm.run(input)
      let literal = LiteralAlgorithm(input)
      #expect(output.error == nil, "seed \(batch * 20 + seed)")
      compare(output, literal, "seed \(batch * 20 + seed)")
    }
  }

  @Test("On the worked example, so that the literal one is the original's too")
  func workedExample() {
    for isMid in [false, true] {
      var input = WorkedExample.input
      input.useMidAbsorptionISF = isMid
      compare(LoopAlgorithm.run(input), LiteralAlgorithm(input), "mid \(isMid)")
    }
  }

  func compare(_ output: AlgorithmOutput, _ literal: LiteralAlgorithm, _ name: Comment) {
    let effects = output.effects
    let status = effects.carbStatus
    let decision = LiteralDecision(literal)
    let pairs: [(String, [Double], [Double])] = [
      ("insulin on board", [output.activeInsulin ?? .nan], [literal.activeInsulin]),
      ("carbs on board", [output.activeCarbs ?? .nan], [literal.activeCarbs]),
      ("dose volumes", output.dosesRelativeToBasal.map(\.volume), literal.elements.map(\.volume)),
      ("insulin effect", effects.insulin.map(\.quantity), literal.insulin.map(\.value)),
      (
        "counteraction", effects.insulinCounteraction.map { $0.mgdLPerSecond * 300 },
        literal.velocities.map { $0.v * 300 }
      ),
      ("carb effect", effects.carbs.map(\.quantity), literal.carbEffect.map(\.value)),
      ("remaining carbs", status.map(\.remaining), literal.carbs.map { $0.g - $0.clamped }),
      (
        "timelines", status.map { Double($0.observedTimeline?.count ?? -1) },
        literal.carbs.map { $0.showsTimeline ? Double($0.timeline.count) : -1 }
      ),
      (
        "discrepancies", effects.retrospectiveGlucoseDiscrepancies.map(\.mgdL),
        literal.summed.map(\.value)
      ),
      (
        "correction", effects.retrospectiveCorrection.map(\.quantity),
        literal.correction.map(\.value)
      ),
      ("momentum", effects.momentum.map(\.quantity), literal.momentum.map(\.value)),
      (
        "predicted times", output.predictedGlucose.map(\.startDate.literalSeconds),
        literal.prediction.map(\.t)
      ),
      (
        "prediction", output.predictedGlucose.map(\.quantity.mgdL), literal.prediction.map(\.value)
      ),
      ("correction units", [output.reasoning?.correction.units ?? .nan], [decision.units]),
      (
        "basal", [output.automatic?.basalAdjustment.unitsPerHour ?? -1], [decision.basal ?? -1]
      ),
      (
        "bolus", [output.automatic?.bolusUnits ?? output.manual?.amount ?? -1],
        [decision.bolus ?? -1]
      ),
    ]
    for (what, ours, theirs) in pairs {
      let found = difference(ours, theirs).map { "\(what): \($0)" }
      #expect(found == nil, name)
    }
  }
}
