import Quantities
import Testing

@testable import Dosing

/// The original package's own test predictions: range 90 to 120, suspend threshold 55, ISF 60,
/// neutral rate 1 U/h, maximum basal 3 U/h, maximum bolus 6 U, nothing on board.
@Suite("Dose math gives the original's corrections and recommendations")
struct DoseMathTests {
  struct Example: Sendable {
    var prediction: [(hours: Double, mgdL: Double)]
    var direction: AutomaticDoseRecommendation.Direction
    var units = 0.0
    var tempBasal: Double
    var besideBolus = 1.0
    var notice: CompactDecision.Notice?
  }

  static let examples = [
    Example(
      prediction: [(0, 100), (6.2, 100)], direction: .neutral, tempBasal: 1,
      notice: .predictedGlucoseInRange),
    Example(
      prediction: [(0, 200), (0.5, 180), (1, 150), (1.5, 120), (6.2, 100)], direction: .neutral,
      tempBasal: 1, notice: .predictedGlucoseInRange),
    Example(
      prediction: [(0, 60), (0.5, 70), (1, 80), (1.5, 90), (6.2, 100)], direction: .neutral,
      tempBasal: 1, notice: .predictedGlucoseInRange),
    Example(
      prediction: [(0, 200), (0.5, 160), (1, 120), (1.5, 80), (6.2, 60)], direction: .decrease,
      units: -0.75, tempBasal: 0, besideBolus: 0, notice: .allGlucoseBelowTarget(4)),
    Example(
      prediction: [(0, 60), (0.5, 80), (1, 120), (1.5, 160), (6.2, 200)], direction: .increase,
      units: 1.5833333333333333, tempBasal: 1, notice: .predictedGlucoseBelowTarget(0)),
    Example(
      prediction: [(0, 200), (6.2, 200)], direction: .increase, units: 1.5833333333333333,
      tempBasal: 3),
    Example(
      prediction: [(0, 240), (1, 220), (2, 200), (3, 160), (6.2, 124)], direction: .increase,
      units: 0.31666666666666665, tempBasal: 1.6333333333333333),
    Example(
      prediction: [(0, 90), (1, 100), (2, 110), (3, 120), (6.2, 125)], direction: .increase,
      units: 0.3333333333333333, tempBasal: 1.6666666666666665),
    Example(
      prediction: [(0, 140), (1, 150), (2, 160), (3, 170), (6.2, 180)], direction: .increase,
      units: 1.25, tempBasal: 3),
    Example(
      prediction: [(0, 60), (1, 50), (2, 60), (3, 70), (6.2, 100)], direction: .decrease,
      tempBasal: 0, besideBolus: 0, notice: .glucoseBelowSuspendThreshold(1)),
  ]

  let now = WorkedExample.at(12, 0)
  let axis = TimeAxis(near: WorkedExample.at(12, 0))

  func series(_ example: Example) -> FreeSeries {
    FreeSeries(
      example.prediction.map {
        .init(startDate: now + .minutes(Int64(($0.hours * 60).rounded())), quantity: .mgdL($0.mgdL))
      }, axis)
  }

  func correction(_ example: Example) throws -> CorrectionMath.Correction {
    let target = [TargetSpan(start: -3_600, end: 86_400, lower: 90, upper: 120)]
    let math = CorrectionMath(
      now: 0, target: target, targetNow: 0, suspendThreshold: 55,
      model: .rapidActingAdult, axis: axis)
    var segments: [CorrectionMath.Segment] = []
    math.segments([ScheduleSpan(start: -3_600, end: 86_400, value: 60)], into: &segments)
    return try math.correction(series(example), segments)
  }

  func limits(iob: Double = 0) -> DoseLimits {
    DoseLimits(
      scheduledBasalRate: 1, maximumBolus: 6, maximumBasalRate: 3, activeInsulinLimit: 12,
      activeInsulin: iob, applicationFactor: 0.4)
  }

  @Test("Of each prediction", arguments: 0..<10)
  func ofEachPrediction(index: Int) throws {
    let example = Self.examples[index]
    let correction = try correction(example)
    #expect(correction.direction == example.direction)
    #expect(agree(correction.units, example.units, to: 1e-14))
    func decide(_ type: RecommendationType) -> CompactDecision {
      CorrectionMath.decide(
        type, correction, series(example), limits: limits(), currentIsBelowTarget: false)
    }
    #expect(agree(try #require(decide(.tempBasal).basalRate), example.tempBasal, to: 1e-14))
    let automatic = decide(.automaticBolus)
    let bolus = example.tempBasal > 1 ? example.units * 0.4 : 0
    #expect(agree(try #require(automatic.bolus), bolus, to: 1e-14))
    #expect(automatic.basalRate == example.besideBolus)
    let manual = decide(.manualBolus)
    #expect(agree(try #require(manual.bolus), max(0, example.units), to: 1e-14))
    #expect(manual.notice == example.notice)
  }

  @Test("Insulin on board above its limit leaves no room, and makes the raw rate negative")
  func activeInsulinLimit() throws {
    let example = Self.examples[5]
    let correction = try correction(example)
    func decide(_ type: RecommendationType, iob: Double) -> CompactDecision {
      CorrectionMath.decide(
        type, correction, series(example), limits: limits(iob: iob), currentIsBelowTarget: false)
    }
    #expect(decide(.tempBasal, iob: 11.5).basalRate == 2)
    #expect(decide(.tempBasal, iob: 13).basalRate == -1)
    #expect(decide(.tempBasal, iob: 13).acted == .activeInsulin)
    #expect(decide(.automaticBolus, iob: 11.9).bolus.map { agree($0, 0.1, to: 1e-13) } == true)
    #expect(decide(.automaticBolus, iob: 13).bolus == 0)
    #expect(decide(.manualBolus, iob: 13).bolus == correction.units)
  }

  @Test(
    "A limit is named where it takes something away, and not where it is just reached",
    arguments: [
      (5.9, 5.9, []), (6, 6, []), (6.1, 6, [.maximumBolus]), (-0.1, 0, [.nothingLessThanZero]),
    ] as [(Double, Double, [DosingReasoning.Limit])])
  func namedLimits(wanted: Double, given: Double, named: [DosingReasoning.Limit]) {
    let correction = CorrectionMath.Correction.aboveRange(
      minimum: 0, correcting: 1, minimumTarget: 90, units: wanted)
    let manual = limits().manualBolus(correction)
    #expect(manual.value == given)
    #expect(manual.acted.limits == named)
    // All of the correction at once, and of the maximum bolus.
    var whole = limits()
    whole.applicationFactor = 1
    let automatic = whole.automaticBolus(correction, lowFirst: false)
    #expect(automatic.value == given)
    #expect(automatic.acted.limits == named)
  }

  @Test("A last glucose below the range in force then overrides every other notice")
  func currentBelowTarget() throws {
    let example = Self.examples[0]
    let decision = CorrectionMath.decide(
      .manualBolus, try correction(example), series(example), limits: limits(),
      currentIsBelowTarget: true)
    #expect(decision.notice == .currentGlucoseBelowTarget)
  }

  @Test("The older app reports a low current glucose only in place of a predicted low")
  func olderNotice() throws {
    var older = limits()
    older.generation = .older
    for (index, expected) in [
      (0, CompactDecision.Notice.predictedGlucoseInRange), (4, .currentGlucoseBelowTarget),
    ] {
      let example = Self.examples[index]
      let decision = CorrectionMath.decide(
        .manualBolus, try correction(example), series(example), limits: older,
        currentIsBelowTarget: true)
      #expect(decision.notice == expected)
    }
  }

  @Test("A prediction that ends at a bound of the range is in range, and one beyond is not")
  func atTheBounds() throws {
    func level(_ mgdL: Double) throws -> CorrectionMath.Correction {
      try correction(
        Example(prediction: [(0, mgdL), (6.2, mgdL)], direction: .neutral, tempBasal: 1))
    }
    for bound in [90.0, 120] { #expect(try level(bound) == .inRange) }
    for beyond in [89.9, 120.1] { #expect(try level(beyond) != .inRange) }
  }

  @Test("A prediction equal to the suspend threshold does not suspend")
  func atThreshold() throws {
    let example = Example(
      prediction: [(0, 100), (1, 55), (6.2, 100)], direction: .neutral, tempBasal: 1)
    #expect(try correction(example) == .inRange)
  }

  @Test("A correction needs a prediction, a range and an ISF")
  func failures() {
    let prediction = [
      PredictedGlucose(startDate: now, quantity: .mgdL(100)),
      PredictedGlucose(startDate: now + .hours(7), quantity: .mgdL(100)),
    ]
    let target = WorkedExample.input.target
    let sensitivity = [WorkedExample.entry((6, 0), (13, 0), 50)]
    func fails(
      _ prediction: [PredictedGlucose], _ target: [AlgorithmInput.TargetEntry]
    ) -> AlgorithmError? {
      do {
        _ = try LoopAlgorithm.insulinCorrection(
          for: prediction, at: now, target: target, sensitivity: sensitivity)
        return nil
      } catch {
        return error
      }
    }
    #expect(fails([], target) == .predictionTooShort)
    #expect(fails([prediction[0]], target) == .predictionTooShort)
    #expect(fails(prediction, []) == .targetTimelineIncomplete)
    #expect(fails(prediction, target) == .sensitivityMissingInPrediction(now + .hours(7)))
  }
}
