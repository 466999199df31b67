import Devices
import Quantities
import Simulation
import Testing

@Suite("A suspension that another pod ends")
struct PodSuspensionTests {
  @Test("Its end is no resumption any more, be the phone on or off", arguments: [false, true])
  func endsWithThePod(isPhoneOff: Bool) throws {
    var fixture = Fixture()
    fixture.profile = .omnipodDASH
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "s", .suspend),
      ScenarioEvent(at: .at(1, 20), id: "new", .pump(.replaceReservoir(nil))),
      ScenarioEvent(at: .at(1, 30), id: "off", .setPhone(isPhoneOff ? .off : .on)),
      ScenarioEvent(at: .at(2), id: "s", .resume),
    ]
    let told = try fixture.result().trace.happenings.filter { $0.instant == .at(2) }
    #expect(told.allSatisfy { $0.kind != .warning && $0.kind != .note && $0.kind != .resume })
  }
}
