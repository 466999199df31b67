import ClosedLoop
import Devices
import Dosing
import Quantities
import Testing

@testable import Simulation

/// The settings are 10 g/U, 50 mg/dL per U and a range of 100 to 115 mg/dL.
@Suite("The calculator in a pump")
struct PumpCalculatorTests {
  private static func calculator(
    pulses: PumpPulses = [], injections: [InjectionRecord] = []
  ) throws -> PumpCalculator {
    PumpCalculator(
      therapy: try Fixture().setup().app.configuration.therapy, clock: .utc, pulses: pulses,
      injections: injections, model: .rapidActingAdult)
  }

  private static func pulse(
    _ units: Int64, _ channel: PumpPulseRecord.Channel, at instant: Instant
  ) -> PumpPulseRecord {
    PumpPulseRecord(
      instant: instant, recorded: .milliunits(units * 1_000), physicalUnits: Double(units),
      channel: channel)
  }

  @Test("A bolus of this moment is on board as a whole, and of one hour ago a part")
  func acts() throws {
    let calculator = try Self.calculator(pulses: [Self.pulse(2, .userBolus, at: .at(1))])
    #expect(calculator.bolusOnBoard(at: .at(1)) == 2)
    let left = LoopAlgorithm.fractionOnBoard(of: .rapidActingAdult, secondsAfter: 3_600)
    #expect(left > 0.5 && left < 1)
    #expect(calculator.bolusOnBoard(at: .at(2)) == 2 * left)
    // The curve ends after 6 h 10 min.
    #expect(calculator.bolusOnBoard(at: .at(7, 10)) == 0)
    #expect(calculator.bolusOnBoard(at: .at(9)) == 0)
  }

  @Test(
    "It counts what the pump gave as boluses of a person, whatever came of it"
  )
  func knowsBoluses() throws {
    var blocked = Self.pulse(3, .userBolus, at: .at(1))
    blocked.physicalUnits = 0
    let calculator = try Self.calculator(pulses: [
      Self.pulse(1, .basal, at: .at(1)), Self.pulse(1, .automaticBolus, at: .at(1)),
      Self.pulse(1, .release, at: .at(1)), Self.pulse(1, .unrequested, at: .at(1)), blocked,
    ])
    #expect(calculator.bolusOnBoard(at: .at(1)) == 3)
  }

  /// Loop has no curve for regular insulin, which the app counts as rapid-acting insulin.
  @Test("Injections count by the curve by which the app counts them, basal insulin not at all")
  func knowsInjections() throws {
    let calculator = try Self.calculator(injections: [
      InjectionRecord(instant: .at(1), units: 10, name: "glargine", model: nil),
      InjectionRecord(
        instant: .at(1), units: 4, name: "fiasp", model: .fiasp, countedModel: .fiasp),
      InjectionRecord(
        instant: .at(1), units: 2, name: "regular", model: nil, countedModel: .rapidActingAdult),
    ])
    func left(_ model: InsulinModel) -> Double {
      LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: 3_600)
    }
    let expected = 4 * left(.fiasp) + 2 * left(.rapidActingAdult)
    #expect(abs(calculator.bolusOnBoard(at: .at(2)) - expected) < 1e-12)
  }

  @Test("What is on board is taken off the correction, and not off the meal")
  func advises() throws {
    let calculator = try Self.calculator(pulses: [Self.pulse(1, .userBolus, at: .at(1))])
    let meal = BolusCalculator(carbohydrates: .init(grams: 60), target: .mgdL(100))
    // 6 U for the meal, and 100 mg/dL at 50 mg/dL per U less the one unit on board.
    let high = calculator.bolus(by: meal, glucose: .mgdL(200), at: .at(1))
    #expect(high.meal == 6)
    #expect(abs(high.units - 7) < 1e-9)
    let unknown = calculator.bolus(by: meal, glucose: nil, at: .at(1))
    #expect(!unknown.hasGlucose)
    #expect(unknown.units == 6)
  }

  @Test("Its settings change by the pump's clock, whatever zone the phone is in and however wrong")
  func pumpClock() throws {
    var change = SettingsChange()
    change.carbRatio = try DailySchedule([
      .init(start: .midnight, value: .init(gramsPerUnit: 10)),
      .init(start: TimeOfDay(milliseconds: 12 * 3_600_000), value: .init(gramsPerUnit: 20)),
    ])
    let settings = ScenarioEvent(at: .at(1), id: "settings", .changeSettings(change))
    let calculator = BolusCalculator(
      carbohydrates: CarbohydrateMass(grams: 40), correctsAbove: .mgdL(400),
      countsInsulinOnBoard: false)
    let request = BolusRequest(
      .calculated(calculator, scale: 1, cap: nil), by: .pump, name: "lunch")
    func given(_ events: [ScenarioEvent]) throws -> [InsulinAmount] {
      var fixture = Fixture()
      fixture.duration = .hours(10)
      fixture.events =
        [settings] + events + [
          ScenarioEvent(at: .at(8), .setPhone(.off)),
          ScenarioEvent(at: .at(9), id: "lunch", .bolus(request)),
        ]
      return try fixture.result().boluses.map(\.asked)
    }
    #expect(try given([]) == [.milliunits(4_000)])
    // The phone shows 15:00 and the pump 09:00.
    let east = WallClock(initialOffset: .hours(6))
    #expect(
      try given([ScenarioEvent(at: .at(3), .travel(east, pumpFollows: false))])
        == [.milliunits(4_000)])
    #expect(
      try given([ScenarioEvent(at: .at(3), .travel(east, pumpFollows: true))])
        == [.milliunits(2_000)])
    let wrong = Fault(id: "clock", .pump(.clockError(.hours(4))))
    #expect(
      try given([ScenarioEvent(at: .at(3), id: "clock", .beginFault(wrong))])
        == [.milliunits(2_000)])
  }
}
