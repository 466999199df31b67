import Dosing
import Quantities
import Testing

@Suite("Library calls beside a recommendation")
struct LibraryCallTests {
  func at(_ hour: Int, _ minute: Int) -> Instant { WorkedExample.at(hour, minute) }

  let basal = [
    WorkedExample.entry((6, 0), (11, 0), 0.8), WorkedExample.entry((11, 0), (14, 0), 1),
  ]

  @Test("Filling gaps makes the basal record continuous, and adds nothing to the schedule")
  func fillingGaps() throws {
    let doses = try LoopAlgorithm.annotate(WorkedExample.input.doses, fillingGapsIn: basal)
    var end = at(6, 0)
    for dose in doses {
      guard case .basal(let rate) = dose.type else { continue }
      #expect(dose.startDate == end)
      end = dose.endDate
      guard ![at(10, 45), at(11, 0), at(11, 30)].contains(dose.startDate) else { continue }
      #expect(agree(dose.volume, rate * (dose.endDate - dose.startDate).hours, to: 1e-14))
    }
    #expect(end == at(14, 0))
    let nothing = try LoopAlgorithm.annotate([], fillingGapsIn: basal)
    #expect(nothing.map(\.volume) == [4, 3])
  }

  @Test("A schedule is clipped to an interval; an entry that only touches it keeps no length")
  func trimming() {
    #expect(
      basal.trimmed(from: at(11, 0), to: at(12, 0)) == [
        WorkedExample.entry((11, 0), (11, 0), 0.8), WorkedExample.entry((11, 0), (12, 0), 1),
      ])
  }

  @Test("Insulin on board falls from the whole bolus to nothing, on the grid")
  func insulinOnBoard() throws {
    let bolus = RelativeDose(
      type: .bolus, startDate: at(12, 2), endDate: at(12, 2), volume: 2,
      insulinModel: .rapidActingAdult)
    let timeline = try LoopAlgorithm.insulinOnBoard([bolus])
    #expect(timeline.first?.date == at(12, 0) && timeline.first?.units == 0)
    #expect(timeline[1].units == 2)
    #expect(timeline.last?.date == at(18, 15) && timeline.last?.units == 0)
    #expect(try LoopAlgorithm.insulinOnBoard([]).isEmpty)
  }

  @Test("Static carbs on board follow the entered time; half are left at the linear curve's middle")
  func staticCarbs() {
    let entry = AlgorithmInput.CarbEntry(
      date: at(12, 0), quantity: .init(grams: 40), absorptionTime: .hours(2))
    #expect(entry.carbsOnBoard(at: at(11, 59)) == 0)
    #expect(entry.carbsOnBoard(at: at(12, 10)) == 40)
    #expect(entry.carbsOnBoard(at: at(13, 10), model: .linear) == 20)
    #expect(entry.carbsOnBoard(at: at(14, 10)) == 0)
  }

  @Test("Clamped carbs on board are what remains when absorption was last observed")
  func clampedCarbs() throws {
    let status = LoopAlgorithm.run(WorkedExample.input).effects.carbStatus
    let clamped = try #require(status.clampedCarbsOnBoard)
    #expect(agree(clamped.grams, 18.50148264988494))
    #expect(clamped.date == WorkedExample.at(11, 59, 10))
    #expect([CarbStatus]().clampedCarbsOnBoard == nil)
  }

  @Test(
    "Insulin computed beforehand predicts the same, for every kind of ISF",
    arguments: [false, true])
  func precomputedInsulin(isMid: Bool) throws {
    let input = WorkedExample.input
    let prediction = PredictionInput(
      start: input.predictionStart, glucoseHistory: input.glucoseHistory, doses: input.doses,
      carbEntries: input.carbEntries, basal: input.basal, sensitivity: input.sensitivity,
      carbRatio: input.carbRatio, options: .init(useMidAbsorptionISF: isMid))
    let plain = try LoopAlgorithm.generatePrediction(prediction)
    let annotated = try PrecomputedInsulin.annotate(doses: input.doses, basal: input.basal)
    let built = try PrecomputedInsulin.build(
      doses: input.doses, basal: input.basal, sensitivity: input.sensitivity,
      useMidAbsorptionISF: isMid)
    for insulin in [annotated, built] {
      let found = try LoopAlgorithm.generatePrediction(prediction, insulin: insulin)
      #expect(
        agree(found.glucose.map(\.quantity.mgdL), plain.glucose.map(\.quantity.mgdL), to: 1e-12))
      #expect(agree(found.activeInsulin, plain.activeInsulin))
    }
    #expect(built.sliced(from: at(11, 15), to: at(11, 30)).dosesRelativeToBasal.count == 1)
  }

  @Test("A prediction can leave effects out")
  func effects() throws {
    let input = WorkedExample.input
    func last(_ effects: AlgorithmEffectsOptions) throws -> Double {
      let prediction = try LoopAlgorithm.generatePrediction(
        PredictionInput(
          start: input.predictionStart, glucoseHistory: input.glucoseHistory, doses: input.doses,
          carbEntries: input.carbEntries, basal: input.basal, sensitivity: input.sensitivity,
          carbRatio: input.carbRatio, options: .init(effects: effects)))
      return try #require(prediction.glucose.last).quantity.mgdL
    }
    #expect(try last([]) == 209)
    #expect(agree(try last(.all), 211.8131532615597))
    // All insulin left to act: from 11:55 on, minus what is left of 115 mg/dL by then.
    #expect(try last(.insulin) < 209 && last(.carbs) > 209)
  }
}
