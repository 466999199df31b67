import Devices
import Physiology
import Quantities
import Testing

@testable import Simulation

@Suite("The laws of a run")
struct RunLawTests {
  /// A body whose glucose is no number from an instant on.
  private struct BrokenPatient: Patient {
    var now: Instant
    var breaks: Instant
    var glucose: GlucoseConcentration { .mgdL(now < breaks ? 110 : .nan) }
    var sensedGlucose: GlucoseConcentration { glucose }
    var computedGlucose: GlucoseConcentration { glucose }
    var modelRange: ModelRange { .compartments }
    var insulinOnBoard: Double? { nil }
    mutating func advance(to instant: Instant) { now = max(now, instant) }
    mutating func receive(_ insulin: InsulinInput) {}
    mutating func eat(_ meal: MealInput) {}
    mutating func apply(_ condition: BodyCondition) -> Bool { false }
  }

  private func run() throws -> Run {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    return Run(try fixture.setup())
  }

  @Test("A body without a glucose ends the run there, with one sentence")
  func finiteGlucose() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    var setup = try fixture.setup()
    setup.patient = BrokenPatient(now: setup.start, breaks: .at(0, 31))
    var run = Run(setup)
    while run.step() {}
    let goesOn = run.step()
    #expect(!goesOn)
    run.advance(through: .at(1, 30))
    #expect(run.now < .at(0, 40))
    let result = run.finish()
    #expect(result.violations.map(\.name) == ["finite-glucose"])
    #expect(result.end == run.now)
    let told = result.trace.happenings.filter { $0.name == "finite-glucose" }
    #expect(told.count == 1)
    #expect(told.first?.text.contains("not a number any more") == true)
  }

  @Test("A pulse that is not whole, less than nothing or out of order ends the run")
  func pulses() throws {
    let pulses: [(name: String, PumpPulseRecord)] = [
      (
        "delivery-is-whole-pulses",
        PumpPulseRecord(
          instant: .at(1), recorded: .milliunits(70), physicalUnits: 0.07, channel: .basal)
      ),
      (
        "no-negative-insulin",
        PumpPulseRecord(
          instant: .at(1), recorded: .milliunits(-50), physicalUnits: 0.05, channel: .basal)
      ),
      (
        "no-negative-insulin",
        PumpPulseRecord(
          instant: .at(1), recorded: .milliunits(50), physicalUnits: .nan, channel: .basal)
      ),
      (
        "monotone-time",
        PumpPulseRecord(
          instant: .at(0, 1), recorded: .milliunits(50), physicalUnits: 0.05, channel: .basal)
      ),
    ]
    for (name, pulse) in pulses {
      var run = try run()
      run.advance(through: .at(1))
      run.world.delivery.note(pulse)
      let steps = (run.step(), run.step())
      #expect(steps == (false, false), "\(name)")
      let result = run.finish()
      #expect(result.violations.map(\.name) == [name])
      #expect(result.end < .at(1, 6))
    }
  }

  @Test("A dose while delivery is suspended is found when the run ends")
  func suspendedDose() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), .suspend), ScenarioEvent(at: .at(1), .resume),
    ]
    var run = Run(try fixture.setup())
    run.advance(through: .at(0, 45))
    run.world.delivery.note(
      PumpPulseRecord(
        instant: .at(0, 45), recorded: .milliunits(50), physicalUnits: 0.05, channel: .basal))
    while run.step() {}
    #expect(run.finish().violations.map(\.name) == ["no-dose-while-suspended"])
  }

  @Test("A sound run keeps all laws")
  func soundRun() throws {
    var run = try run()
    while run.step() {}
    let result = run.finish()
    #expect(result.violations.isEmpty)
    #expect(RunLaw.allCases.allSatisfy { $0.violation(in: result) == nil })
  }

  @Test("Commands that take time reach the pump one after the other")
  func commandsQueue() throws {
    var fixture = Fixture()
    fixture.duration = .hours(1)
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), .tempBasal(.zero, duration: .minutes(30))),
      ScenarioEvent(at: .at(0, 30), .bolus(BolusRequest(.units(1)))),
      ScenarioEvent(at: .at(0, 30, 10), .suspend),
    ]
    fixture.commandLatency = .seconds(20)
    let happenings = try fixture.result().trace.happenings
    func instants(_ kind: Happening.Kind, _ name: String) -> [Instant] {
      happenings.filter { $0.kind == kind && $0.name == name }.map(\.instant)
    }
    #expect(instants(.tempBasal, "start") == [.at(0, 30, 20)])
    #expect(instants(.bolus, "start") == [.at(0, 30, 40)])
    #expect(instants(.suspend, "suspend") == [.at(0, 31)])
  }
}
