import Devices
import Quantities
import Simulation
import Testing

@Suite("Temp basals that people set above a maximum")
struct TempBasalLimitTests {
  @Test("In the app the maximum is set in place of more, on the pump what is asked for")
  func tempBasalAboveMaximum() throws {
    func rates(_ asked: Int64, onPump: Bool) throws -> (rates: [Double], told: [String]) {
      var lower = SettingsChange()
      lower.maximumBasalRate = InsulinRate(milliunitsPerHour: 1_520)
      let rate = InsulinRate(milliunitsPerHour: asked)
      var fixture = Fixture()
      fixture.duration = .hours(4)
      fixture.events = [
        ScenarioEvent(at: .at(1), id: "lower", .changeSettings(lower)),
        ScenarioEvent(
          at: .at(2), id: "t", .tempBasal(rate, duration: .minutes(30), onPump: onPump)),
      ]
      let run = try fixture.result()
      return (
        run.programs.filter { $0.kind == .tempBasal }.map(\.rate.unitsPerHour),
        run.troubles.filter { $0.kind == .refused }.map(\.text)
      )
    }
    // The pump runs steps of 0.05 U/h.
    let cut = try rates(2_500, onPump: false)
    #expect(cut.rates == [1.5])
    #expect(
      cut.told == [
        "The app takes no temp basal above its maximum of 1.52 U/h: of 2.50 U/h asked for, "
          + "1.50 U/h is set."
      ])
    let low = try rates(1_500, onPump: false)
    #expect(low.rates == [1.5] && low.told == [])
    let onPump = try rates(2_500, onPump: true)
    #expect(onPump.rates == [2.5] && onPump.told == [])
  }
}
