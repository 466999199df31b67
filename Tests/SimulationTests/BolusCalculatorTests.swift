import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

/// The settings are 10 g/U, 50 mg/dL per U and a range of 100 to 115 mg/dL.
@Suite("A bolus calculator")
struct BolusCalculatorTests {
  private static func run(
    _ calculator: BolusCalculator, scale: Double = 1, cap: Double? = nil, _ glucose: Double = 200,
    before: [ScenarioEvent] = [], _ change: (inout Fixture) -> Void = { _ in }
  ) throws -> (asked: Double, shown: Double, result: RunResult) {
    var fixture = Fixture()
    fixture.glucose = glucose
    fixture.duration = .hours(3)
    let request = BolusRequest(.calculated(calculator, scale: scale, cap: cap), name: "dose")
    fixture.events = before + [ScenarioEvent(at: .at(2, 1), id: "dose", .bolus(request))]
    change(&fixture)
    let result = try fixture.result()
    let shown = result.trace.rows.last { $0.instant < .at(2, 1) && $0.reading != nil }?.reading
    let asked = result.bolusRequests.filter { $0.name == "dose" }.reduce(0) { $0 + $1.asked.units }
    return (asked, shown?.mgdL ?? .nan, result)
  }

  @Test("Carbohydrates by the carb ratio, and glucose above the target by the sensitivity")
  func adds() throws {
    let found = try Self.run(
      BolusCalculator(
        carbohydrates: .init(grams: 60), target: .mgdL(120), countsInsulinOnBoard: false))
    #expect(abs(found.asked - (6 + (found.shown - 120) / 50)) < 0.001)
    #expect(found.shown > 150)
  }

  @Test("A bolus of just the smallest amount is worth taking, and a milliunit less is not")
  func smallest() throws {
    // 30 g at 10 g/U are 3 U.
    let meal = BolusCalculator(carbohydrates: .init(grams: 30), target: .mgdL(390))
    for (least, asked) in [(3.0, 3.0), (3.001, 0.0)] {
      var fixture = Fixture()
      fixture.glucose = 200
      fixture.duration = .hours(3)
      let request = BolusRequest(
        .calculated(meal, scale: 1, cap: nil), minimumUnits: least, name: "dose")
      fixture.events = [ScenarioEvent(at: .at(2, 1), id: "dose", .bolus(request))]
      let requests = try fixture.result().bolusRequests.filter { $0.name == "dose" }
      #expect(requests.reduce(0) { $0 + $1.asked.units } == asked)
    }
  }

  @Test("Without a target it aims at the middle of the correction range")
  func aimsAtTheRange() throws {
    let found = try Self.run(
      BolusCalculator(carbohydrates: .init(grams: 0), countsInsulinOnBoard: false))
    #expect(abs(found.asked - (found.shown - 107.5) / 50) < 0.001)
  }

  @Test("While a preset holds it goes by that, but for a meal not by the pre-meal range")
  func presets() throws {
    func asked(
      _ kind: PresetRequest.Kind, _ range: GlucoseRange?, grams: Double = 0
    ) throws -> (asked: Double, shown: Double) {
      let preset = PresetRequest(
        name: "p", kind: kind, target: range, insulinNeeds: kind == .preMeal ? 1 : 0.5,
        duration: .hours(1))
      let found = try Self.run(
        BolusCalculator(carbohydrates: .init(grams: grams), countsInsulinOnBoard: false),
        before: [ScenarioEvent(at: .at(2), id: "p", .startPreset(preset))])
      return (found.asked, found.shown)
    }
    // Half the needs: 100 mg/dL for each unit.
    let walk = try asked(.custom, .init(lower: .mgdL(150), upper: .mgdL(170)))
    #expect(abs(walk.asked - (walk.shown - 160) / 100) < 0.001)
    #expect(walk.asked > 0)
    let needs = try asked(.custom, nil)
    #expect(abs(needs.asked - (needs.shown - 107.5) / 100) < 0.001)
    let range = GlucoseRange(lower: .mgdL(80), upper: .mgdL(90))
    let before = try asked(.preMeal, range)
    #expect(abs(before.asked - (before.shown - 85) / 50) < 0.001)
    let meal = try asked(.preMeal, range, grams: 20)
    #expect(abs(meal.asked - (2 + (meal.shown - 107.5) / 50)) < 0.001)
  }

  @Test("Glucose below the limit, or the target, is not corrected, and takes nothing off the meal")
  func leavesTheMeal() throws {
    let limited = BolusCalculator(
      carbohydrates: .init(grams: 30), target: .mgdL(100), correctsAbove: .mgdL(390))
    #expect(try Self.run(limited).asked == 3)
    let low = BolusCalculator(carbohydrates: .init(grams: 30), target: .mgdL(390))
    #expect(try Self.run(low).asked == 3)
  }

  @Test(
    "While the phone is off it is the pump's: by its boluses and the last reading that was shown")
  func ofThePump() throws {
    func asked(_ calculator: BolusCalculator, phoneOff: Instant) throws -> Double {
      let request = BolusRequest(.calculated(calculator, scale: 1, cap: nil), by: .pump, name: "d")
      let run = try Self.run(
        calculator,
        before: [
          // Half the app's insulin on board is that of this temp basal, which no calculator of a
          // pump counts.
          ScenarioEvent(
            at: .at(1), .tempBasal(.init(milliunitsPerHour: 3_000), duration: .minutes(60))),
          ScenarioEvent(at: phoneOff, .setPhone(.off)),
          ScenarioEvent(at: .at(2), id: "d", .bolus(request)),
        ]
      ).result
      return try #require(run.bolusRequests.first { $0.name == "d" }?.asked.units)
    }
    let meal = BolusCalculator(carbohydrates: .init(grams: 20), target: .mgdL(100))
    // The reading of 01:55 is shown on a phone that was switched off since, and corrected as a
    // whole: nobody has given a bolus.
    let recent = try asked(meal, phoneOff: .at(1, 58))
    let blind = BolusCalculator(
      carbohydrates: .init(grams: 20), target: .mgdL(100), countsInsulinOnBoard: false)
    #expect(try recent == asked(blind, phoneOff: .at(1, 58)))
    #expect(recent > 3)
    // After a quarter of an hour there is no reading to correct.
    #expect(try asked(meal, phoneOff: .at(1, 30)) == 2)
  }

  @Test("Insulin on board is taken off the correction alone")
  func countsInsulinOnBoard() throws {
    let before = [ScenarioEvent(at: .at(1, 30), id: "first", .bolus(BolusRequest(.units(8))))]
    let calculator = BolusCalculator(carbohydrates: .init(grams: 20))
    let found = try Self.run(calculator, before: before)
    #expect(found.asked == 2)
    let blind = BolusCalculator(carbohydrates: .init(grams: 20), countsInsulinOnBoard: false)
    #expect(try Self.run(blind, before: before).asked > 2)
  }

  @Test("A person gives a part of it, and no more than a cap")
  func scales() throws {
    let calculator = BolusCalculator(carbohydrates: .init(grams: 60), correctsAbove: .mgdL(400))
    #expect(try Self.run(calculator, scale: 0.5).asked == 3)
    #expect(try Self.run(calculator, cap: 4).asked == 4)
  }

  @Test("Without a glucose value of the last 15 minutes the meal alone is counted, with a warning")
  func warnsWithoutGlucose() throws {
    let found = try Self.run(BolusCalculator(carbohydrates: .init(grams: 60))) {
      $0.events.append(
        ScenarioEvent(
          at: .at(1, 40), id: "gap",
          .beginFault(Fault(id: "gap", .sensor(.dropout(backfill: false))))))
    }
    #expect(found.asked == 6)
    let warnings = found.result.trace.happenings.filter { $0.kind == .warning }.map(\.text)
    #expect(
      warnings.contains(
        "The calculator has no glucose of the last 15 minutes and corrects nothing."))
  }
}
