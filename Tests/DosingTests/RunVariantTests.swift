import Dosing
import Quantities
import Testing

/// Numbers of the original program for variants of one input.
@Suite("One change to the input changes the run as in the original")
struct RunVariantTests {
  func run(_ change: (inout AlgorithmInput) -> Void) -> AlgorithmOutput {
    var input = WorkedExample.input
    change(&input)
    return LoopAlgorithm.run(input)
  }

  @Test("A temp basal is cut to the maximum basal rate")
  func tempBasal() {
    let output = run { $0.recommendationType = .tempBasal }
    let expected = AutomaticDoseRecommendation(
      basalAdjustment: .init(unitsPerHour: 4, duration: .minutes(30)), direction: .increase)
    #expect(output.automatic == expected)
    #expect(output.reasoning?.limits == [.maximumBasalRate])
  }

  @Test("A manual bolus gives the whole correction")
  func manualBolus() throws {
    let bolus = try #require(run { $0.recommendationType = .manualBolus }.manual)
    #expect(agree(bolus.amount, 2.1362630652311942))
    #expect(bolus.notice == nil)
  }

  @Test("Mid-absorption ISF")
  func midAbsorption() throws {
    let output = run { $0.useMidAbsorptionISF = true }
    #expect(agree(try #require(output.predictedGlucose.last).quantity.mgdL, 202.66171696107244))
    #expect(agree(try #require(output.effects.insulin.last).quantity, -124.1514363004873))
    let total = try #require(output.effects.totalRetrospectiveCorrectionEffect)
    #expect(agree(total.mgdL, -1.2215192897240374))
    #expect(agree(try #require(output.automatic?.bolusUnits), 0.6681241002638292))
  }

  @Test(
    "Which effects count",
    arguments: [
      (false, 40.0, 211.2534775217835, 0.8500278201742681),
      (true, 5.0, 212.6547471493031, 0.8612379771944249),
    ])
  func effects(positive: Bool, threshold: Double, last: Double, bolus: Double) throws {
    let output = run {
      $0.includePositiveVelocityAndRC = positive
      $0.gradualTransitionsThreshold = .init(mgdL: threshold)
    }
    #expect(agree(try #require(output.predictedGlucose.last).quantity.mgdL, last))
    #expect(agree(try #require(output.automatic?.bolusUnits), bolus))
  }

  @Test("An inhaled insulin acts sooner, so a little less is needed")
  func afrezza() throws {
    let output = run { $0.recommendationInsulinModel = .afrezza }
    #expect(agree(try #require(output.automatic?.bolusUnits), 0.8535595370650922))
  }

  @Test("Without carbs, the rise is a discrepancy")
  func noCarbs() throws {
    let output = run { $0.carbEntries = [] }
    let expected = [
      -1.916868982766912, -2.774247037956801, -0.5620472856396272, 5.714989581859273,
      15.376541044631418, 26.893942521238234, 40.36863572442667, 55.30826317423583,
      68.68301505797665, 77.35778356162237, 81.22859849458693,
    ]
    let summed = output.effects.retrospectiveGlucoseDiscrepancies
    #expect(agree(summed.map(\.mgdL), expected))
    let effect = output.effects.retrospectiveCorrection
    #expect(effect.count == 13)
    let value = try #require(effect.quantity(at: WorkedExample.at(12, 55)))
    #expect(agree(value, 290.3140662960332))
    #expect(agree(try #require(output.predictedGlucose.last).quantity.mgdL, 190.9264651017466))
    #expect(agree(try #require(output.automatic?.bolusUnits), 0.6874117208139728))
  }

  @Test("Integral retrospective correction acts longer and more")
  func integral() throws {
    let output = run {
      $0.carbEntries = []
      $0.useIntegralRetrospectiveCorrection = true
    }
    let total = try #require(output.effects.totalRetrospectiveCorrectionEffect)
    #expect(agree(total.mgdL, 101.35176232986831))
    let effect = output.effects.retrospectiveCorrection
    #expect(effect.count == 27)
    let first = try #require(effect.quantity(at: WorkedExample.at(12, 0)))
    let last = try #require(effect.quantity(at: WorkedExample.at(14, 5)))
    #expect(agree([first, last], [210.32103792780384, 310.3734186893403]))
    #expect(agree(try #require(output.predictedGlucose.last).quantity.mgdL, 221.18044704539216))
    #expect(agree(try #require(output.automatic?.bolusUnits), 0.9294435763631373))
  }

  @Test("A jump of glucose gates momentum now, and did not in the older app")
  func olderGates() {
    func jump(_ generation: LoopGeneration) -> AlgorithmOutput {
      run {
        $0.glucoseHistory[11].quantity = .mgdL(250)
        $0.generation = generation
      }
    }
    #expect(jump(.current).effects.momentum.isEmpty)
    #expect(jump(.current).reasoning?.usesRetrospectiveCorrection == false)
    #expect(jump(.older).effects.momentum.count == 5)
    #expect(jump(.older).reasoning?.usesRetrospectiveCorrection == true)
  }

  @Test("A correction given in a smaller part leaves the older app's limit of a bolus as it was")
  func olderLimit() throws {
    // Of more than 1.25 U a part of 0.32 is above 0.4 · 1 U, Loop's limit, and not 0.32 · 1 U.
    for (factor, bolus) in [(nil, 0.32), (0.4, 0.4), (1.5, nil)] as [(Double?, Double?)] {
      let output = run {
        $0.generation = .older
        $0.maximumBolus = 1
        $0.maximumActiveInsulinMultiplier = 10
        $0.automaticBolusApplicationFactor = 0.32
        $0.automaticBolusLimitFactor = factor
      }
      let found = try #require(output.automatic?.bolusUnits)
      if let bolus {
        #expect(found == bolus)
      } else {
        // Never more than the maximum bolus: the part of the correction, 0.4 to 1 U.
        #expect(found > 0.4 && found < 1)
      }
    }
  }

  @Test("The older app corrects towards the range in force at each predicted moment")
  func olderRange() throws {
    func bolus(_ generation: LoopGeneration) throws -> Double {
      let output = run {
        $0.generation = generation
        $0.target[0].endDate = WorkedExample.at(15, 0)
        $0.target.append(
          .init(
            startDate: WorkedExample.at(15, 0), endDate: WorkedExample.at(20, 0),
            lowerBound: .mgdL(140), upperBound: .mgdL(150)))
      }
      return try #require(output.automatic?.bolusUnits)
    }
    #expect(try bolus(.older) < bolus(.current))
  }

  @Test("The older app counts automatic doses from the last glucose, and others from now")
  func olderOrigin() throws {
    // 150 mg/dL to the end at 18:09:10, 6 h 10 min after the last glucose, when an automatic dose
    // aims at 105: 45 mg/dL, which at 50 mg/dL/U takes 0.9 U and at 100 half of it. A bolus of
    // 12:02:30 has still 3.302181e-5 of its effect to come then, and aims at 104.459459 mg/dL. In
    // the first hours little has acted, and it would take more.
    func dose(
      _ generation: LoopGeneration, _ type: RecommendationType, _ later: Double
    ) -> (units: Double?, end: Instant?) {
      let output = run {
        $0.generation = generation
        $0.recommendationType = type
        $0.maximumBolus = 30
        $0.automaticBolusApplicationFactor = 1
        $0.doses = []
        $0.carbEntries = []
        for index in $0.glucoseHistory.indices { $0.glucoseHistory[index].quantity = .mgdL(150) }
        $0.sensitivity = [
          WorkedExample.entry((6, 0), (12, 0), 50), WorkedExample.entry((12, 0), (20, 0), later),
        ]
      }
      let end = output.predictedGlucose.last?.startDate
      if case .success(.manual(let bolus)) = output.recommendation { return (bolus.amount, end) }
      return (output.automatic?.bolusUnits, end)
    }
    for (generation, type, at50, at100) in [
      (LoopGeneration.older, RecommendationType.automaticBolus, 0.9, 0.9),
      (.older, .manualBolus, 0.910840888, 0.455420444), (.current, .automaticBolus, 0.9, 0.45),
      (.current, .manualBolus, 0.9, 0.45),
    ] {
      for (later, units) in [(50.0, at50), (100, at100)] {
        let found = dose(generation, type, later)
        #expect(agree(try #require(found.units), units), "\(generation), \(type), \(later)")
        let end =
          generation == .older ? WorkedExample.at(18, 9, 10) : WorkedExample.at(18, 12, 30)
        #expect(found.end == end)
      }
    }
  }
}
