import Dosing
import Quantities
import Testing

@Suite("What makes a recommendation impossible is said, in the original's order")
struct RunErrorTests {
  func error(_ change: (inout AlgorithmInput) -> Void) -> AlgorithmError? {
    var input = WorkedExample.input
    change(&input)
    let output = LoopAlgorithm.run(input)
    if output.error != nil {
      #expect(output.predictedGlucose.isEmpty && output.effects == AlgorithmEffects())
      #expect(output.activeInsulin == nil && output.activeCarbs == nil)
    }
    return output.error
  }

  func at(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Instant {
    WorkedExample.at(hour, minute, second)
  }

  @Test("Glucose: none, too old at exactly 15 minutes, fine a second before and in the future")
  func glucose() {
    #expect(error { $0.glucoseHistory = [] } == .missingGlucose)
    #expect(error { $0.predictionStart = at(12, 14, 10) } == .glucoseTooOld)
    #expect(error { $0.predictionStart = at(12, 14, 9) } == nil)
    #expect(error { $0.predictionStart = at(12, 0) - .minutes(6) } == .futureBasalNotAllowed)
  }

  @Test("A running basal dose is refused for automatic dosing, a running bolus is not")
  func futureDoses() {
    #expect(error { $0.doses[2].endDate = at(12, 3) } == .futureBasalNotAllowed)
    #expect(error { $0.doses[1].endDate = at(12, 3) } == nil)
    #expect(
      error {
        $0.doses[2].endDate = at(12, 3)
        $0.recommendationType = .manualBolus
      } == nil)
  }

  @Test("The ISF timeline must cover insulin action, in whole five minutes")
  func sensitivityTimeline() {
    #expect(error { $0.sensitivity = [] } == .sensitivityTimelineStartsTooLate)
    #expect(
      error { $0.sensitivity[0].startDate = at(10, 45, 1) } == .sensitivityTimelineStartsTooLate)
    // Without a dose it is the glucose that asks for it.
    let words = AlgorithmError.sensitivityTimelineStartsTooLate.description
    #expect(words.contains("first dose and the first glucose"))
    #expect(error { $0.sensitivity[0].startDate = at(10, 45) } == nil)
    #expect(
      error { $0.sensitivity[1].endDate = at(18, 14, 59) } == .sensitivityTimelineEndsTooEarly)
    #expect(error { $0.sensitivity[1].endDate = at(18, 15) } == nil)
  }

  @Test("Basal, target and threshold must be in force now")
  func settings() {
    #expect(error { $0.basal = [] } == .basalTimelineIncomplete)
    #expect(
      error { $0.basal = [WorkedExample.entry((12, 3), (14, 0), 1)] } == .basalTimelineIncomplete)
    #expect(
      error {
        $0.target = []
        $0.suspendThreshold = nil
      } == .missingSuspendThreshold)
    #expect(error { $0.target = [] } == .targetTimelineIncomplete)
  }

  @Test("A gap in a schedule that the original cannot survive is an error")
  func gaps() {
    #expect(
      error { $0.carbRatio[0].startDate = at(11, 19) } == .carbRatioMissingAtCarbs(at(11, 18)))
    #expect(
      error { $0.carbEntries[0].date = at(5, 0) } == .sensitivityMissingAtCarbs(at(5, 0)))
    #expect(
      error {
        $0.sensitivity = [
          WorkedExample.entry((6, 0), (11, 0), 50), WorkedExample.entry((12, 0), (20, 0), 60),
        ]
      } == .sensitivityMissingAtDose(at(11, 16)))
    #expect(
      error {
        $0.sensitivity = [
          WorkedExample.entry((6, 0), (12, 0), 50), WorkedExample.entry((12, 5), (20, 0), 60),
        ]
      } == .sensitivityMissingAtStart)
    #expect(
      error {
        $0.useMidAbsorptionISF = true
        $0.sensitivity[0].endDate = at(12, 30)
      } == .sensitivityMissingInPrediction(at(12, 35)))
    #expect(
      error {
        $0.useMidAbsorptionISF = true
        $0.sensitivity[0].endDate = at(5, 0)
      } == .sensitivityEntryEndsBeforeStart(at(6, 0)))
  }

  @Test("Unsorted arrays are named with the element that is out of order")
  func order() {
    #expect(error { $0.glucoseHistory.swapAt(3, 4) } == .notSorted(.glucoseHistory, index: 4))
    #expect(error { $0.basal.swapAt(0, 1) } == .notSorted(.basal, index: 1))
    #expect(error { $0.sensitivity.swapAt(0, 1) } == .notSorted(.sensitivity, index: 1))
  }

  @Test("A carb ratio of zero, or doses a lifetime apart, end in an error and not in a trap")
  func extremes() {
    #expect(error { $0.carbRatio[0].value = 0 } == .notFinite)
    // A rise of glucose, divided by nothing, is no number of grams.
    let noSensitivity: (inout AlgorithmInput) -> Void = { input in
      for index in input.sensitivity.indices { input.sensitivity[index].value = 0 }
    }
    #expect(error(noSensitivity) == .notFinite)
    // A jump as this one keeps retrospective correction out, which is listed all the same.
    let jump: (inout AlgorithmInput) -> Void = {
      $0.glucoseHistory[5].isDisplayOnly = true
      $0.glucoseHistory[6].quantity = .mgdL(-1e308)
    }
    #expect(error(jump) == .notFinite)
    for change in [noSensitivity, jump] {
      var input = WorkedExample.input
      change(&input)
      var engine = DosingEngine()
      #expect(engine.cycle(input).recommendation == .failure(.notFinite))
    }
    #expect(error { $0.maximumBolus = .nan } == .notFinite)
    let early = Instant(secondsSince1970: 0)
    guard case .timelineTooLong = error({ $0.doses[0].startDate = early }) else {
      Issue.record("a dose of 1970 is too far away")
      return
    }
    guard case .timelineTooLong = error({ $0.carbEntries[0].absorptionTime = .days(9_999) }) else {
      Issue.record("carbs cannot last for decades")
      return
    }
  }

  @Test("An inhaled insulin with nothing on board still gets its recommendation")
  func shortPrediction() {
    let output = error {
      $0.recommendationInsulinModel = .afrezza
      $0.doses = []
      $0.carbEntries = []
    }
    #expect(output == nil)
  }

  @Test("Odd numbers that do not trap follow the formulas")
  func oddNumbers() {
    #expect(error { $0.carbEntries[0].quantity.grams = -5 } == nil)
    #expect(error { $0.doses[1].volume = -1 } == nil)
    #expect(error { $0.doses[0].endDate = at(10, 0) } == nil)
    #expect(error { $0.carbEntries[0].absorptionTime = .zero } == nil)
    #expect(error { $0.carbEntries[0].quantity.grams = 0 } == nil)
    #expect(error { $0.target[0].upperBound = .mgdL(50) } == nil)
  }

  @Test("A basal schedule that starts after the first dose leaves insulin out")
  func lateBasal() {
    var input = WorkedExample.input
    input.basal = [WorkedExample.entry((11, 0), (14, 0), 1)]
    let output = LoopAlgorithm.run(input)
    #expect(output.error == nil)
    #expect(output.activeInsulin == 0)
    #expect(output.effects.insulin.isEmpty && output.dosesRelativeToBasal.isEmpty)
    #expect(output.effects.insulinCounteraction.isEmpty)
  }

  @Test("Every error names itself and says what would help")
  func descriptions() {
    let errors: [AlgorithmError] = [
      .missingGlucose, .glucoseTooOld, .futureBasalNotAllowed, .sensitivityTimelineStartsTooLate,
      .sensitivityTimelineEndsTooEarly, .basalTimelineIncomplete, .missingSuspendThreshold,
      .targetTimelineIncomplete, .sensitivityMissingAtCarbs(at(1, 0)),
      .carbRatioMissingAtCarbs(at(1, 0)), .sensitivityMissingAtDose(at(1, 0)),
      .sensitivityMissingAtStart, .sensitivityMissingInPrediction(at(1, 0)),
      .sensitivityEntryEndsBeforeStart(at(1, 0)), .predictionTooShort,
      .notSorted(.carbEntries, index: 3), .timelineTooLong(.days(400), limit: .days(366)),
      .notFinite,
    ]
    #expect(Set(errors.map(\.name)).count == errors.count)
    for error in errors {
      #expect(error.description.hasSuffix("."))
      #expect(error.description.split(separator: ". ").count == 2, "\(error)")
    }
    let unsorted = AlgorithmError.notSorted(.carbEntries, index: 3)
    #expect(unsorted.description.hasPrefix("carbEntries[3] starts before the item ahead of it."))
  }
}
