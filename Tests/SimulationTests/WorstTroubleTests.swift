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
        "The pump gave nothing for 1h30m from 02:00:00: All delivery stops (auto-off).",
        "The pump gave nothing for 10m from 01:00:00: All delivery stops (auto-off).",
      ])
  }

  @Test("Of insulin that was lost the larger part is told first, and a stop of a second after it")
  func largestLoss() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let torn = Fault(
      id: "torn", .pump(.occlusion(Occlusion(detection: .never, leakedFraction: 0.3))))
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "torn", .beginFault(torn)),
      ScenarioEvent(at: .at(2), .endFault(id: "torn")),
      ScenarioEvent(
        at: .at(3), id: "off", .beginFault(Fault(id: "off", .pump(.alarm(.autoOff))))),
      ScenarioEvent(at: .at(3, 0, 1), .pump(.clearAlarm)),
    ]
    let told = try fixture.result().troubles
    #expect(told.map(\.kind).prefix(3) == [.wrongDelivery, .wrongDelivery, .stop])
    // The pulses of an hour at 0.4 U/h, 8 of 0.05 U, of which 30 % ran out before the blockage.
    let lost = told.prefix(2)
    let when = "that the pump counted did not reach the body at times between 01:07:30 and 02:00:00"
    #expect(
      lost.map(\.text) == [
        "0.28 U \(when): an occlusion blocked it.", "0.12 U \(when): insulin leaked at the site.",
      ])
    #expect(lost.allSatisfy { $0.start == .at(1, 7, 30) && $0.end == .at(2) })
  }
}
