import ClosedLoop
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
}
