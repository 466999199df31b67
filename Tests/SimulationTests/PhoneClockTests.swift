import ClosedLoop
import Devices
import Quantities
import Testing

@testable import Simulation

@Suite("What the phone's clock shows")
struct PhoneClockTests {
  /// A phone that flies from UTC to a zone six hours ahead at 03:00.
  private func setup(_ events: [ScenarioEvent] = []) throws -> Setup {
    var fixture = Fixture()
    fixture.duration = .hours(5)
    fixture.clock = Self.trip
    var setup = try fixture.setup()
    setup.stays = [(from: .at(0), clock: .utc), (from: .at(3), clock: Self.abroad)]
    setup.events = events
    return setup
  }

  private static let abroad = WallClock(initialOffset: .hours(6))
  private static let trip = WallClock(
    initialOffset: .zero, transitions: [.init(instant: .at(3), offset: .hours(6))])

  @Test("A clock that is wrong takes the phone on its trip neither early nor late")
  func wrongOnTrip() throws {
    var run = Run(
      try setup([
        ScenarioEvent(at: .at(2), .setPhoneClock(.by(.hours(2)))),
        ScenarioEvent(at: .at(3), .travel(Self.trip, pumpFollows: false)),
        ScenarioEvent(at: .at(4), .setPhoneClock(.by(.hours(-4)))),
      ]))
    while run.step() {}
    let told = run.finish().trace.happenings.filter { $0.kind == .phone || $0.kind == .timeZone }
    #expect(
      told.map(\.text) == [
        "The phone's clock now shows 2026-01-15T04:00:00.",
        "The phone now shows 2026-01-15T11:00:00.",
        "The phone's clock now shows 2026-01-15T08:00:00.",
      ])
  }

  @Test("A program that decides is told of the zone in which the phone is")
  func toldZone() throws {
    var phone = Phone(beginning: try setup())
    phone.setClock(.by(.hours(2)), at: .at(2))
    phone.apply(FaultState(), at: .at(2))
    func offset(at instant: Instant) -> TimeSpan {
      phone.controllerView(at: instant, history: .hours(1)).settings.offset
    }
    #expect(offset(at: .at(2)) == .zero)
    #expect(offset(at: .at(3)) == .hours(6))
  }

  /// The pod is thrown away at 01:20, before anybody could ask what became of a bolus at 01:00.
  @Test(
    "A bolus that is assumed by a wrong clock is the one that was given",
    arguments: [
      ([], []), ([10], ["01:10:00, 10m too late"]), ([-10], ["00:50:00, 10m too early"]),
      ([10, -10], []),
    ])
  func assumed(minutes: [Int64], recorded: [String]) throws {
    var fixture = Fixture()
    fixture.duration = .hours(5)
    fixture.profile = .omnipodDASH
    let lost = Fault(
      id: "lost",
      .pump(.uncertainDelivery(UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(1)))))
    fixture.events =
      zip([20, 40] as [Int64], minutes).map { minute, error in
        ScenarioEvent(at: .at(0, minute), .setPhoneClock(.by(.minutes(error))))
      } + [
        ScenarioEvent(at: .at(0, 59), id: "lost", .beginFault(lost)),
        ScenarioEvent(at: .at(1), id: "bolus", .bolus(BolusRequest(.units(2)))),
        ScenarioEvent(at: .at(1, 1), .endFault(id: "lost")),
        ScenarioEvent(at: .at(1, 20), .pump(.replaceReservoir(nil))),
      ]
    let run = try fixture.result()
    #expect(run.bolusIdentifiers.neverGiven.isEmpty)
    let told = run.agreement.differences.filter { $0.origin == .bolus }
    #expect(
      told.map(\.text).sorted()
        == recorded.map {
          "The bolus of 01:00:00 (2.00 U) is recorded at \($0): the phone's clock was wrong."
        } + [
          "The bolus of 01:00:00 (2.00 U) was never reported by the pump, and counts as given: its "
            + "command had no reply."
        ])
    #expect(told.allSatisfy { $0.units == 0 })
  }
}
