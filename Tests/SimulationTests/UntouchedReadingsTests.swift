import Devices
import Physiology
import Quantities
import Simulation
import Testing

@Suite("Readings and what does not touch the body")
struct UntouchedReadingsTests {
  @Test("A remark, or a fault of the app, between two readings changes none")
  func remark() throws {
    func readings(_ more: [ScenarioEvent]) throws -> [GlucoseConcentration?] {
      var fixture = Fixture()
      fixture.duration = .hours(4)
      (fixture.sensor.lag, fixture.sensor.resolution) = (.minutes(6), 0.01)
      let meal = MealInput(grams: 60, absorption: .hours(3))
      fixture.events = [ScenarioEvent(at: .at(1), id: "m", .eat(meal, name: "m"))] + more
      return try fixture.result().trace.rows.map(\.reading)
    }
    let plain = try readings([])
    #expect(Set(plain.compactMap { $0 }).count > 30)
    let remarks = (0..<40).map { index in
      ScenarioEvent(at: .at(1, 1 + 4 * index), id: "r\(index)", .remark("Nothing."))
    }
    let fault = Fault(id: "slow", .app(.skipLoops(count: 1)))
    let touched = remarks + [ScenarioEvent(at: .at(1, 2, 30), id: "slow", .beginFault(fault))]
    #expect(try readings(touched) == plain)
  }
}
