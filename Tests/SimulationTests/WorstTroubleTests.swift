import Devices
import Quantities
import Simulation
import Testing

@Suite("The first of what went wrong is the worst")
struct WorstTroubleTests {
  @Test("Of two stops of the pump the longer one is told first")
  func longestStop() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let alarms: [(id: String, hour: Int64, cleared: Instant)] = [
      ("first", 1, .at(1, 10)), ("second", 2, .at(3, 30)),
    ]
    for alarm in alarms {
      let fault = Fault(id: alarm.id, .pump(.alarm(.autoOff)))
      fixture.events += [
        ScenarioEvent(at: .at(alarm.hour), id: alarm.id, .beginFault(fault)),
        ScenarioEvent(at: alarm.cleared, .pump(.clearAlarm)),
      ]
    }
    let stops = try fixture.result().troubles.filter { $0.kind == .stop }
    #expect(stops.map(\.duration) == [.minutes(90), .minutes(10)])
    #expect(stops.map(\.start) == [.at(2), .at(1)])
    #expect(
      stops.map(\.text) == [
        "The pump gave nothing for 1h30m from 02:00:00: All delivery stops: auto-off.",
        "The pump gave nothing for 10m from 01:00:00: All delivery stops: auto-off.",
      ])
  }
}
