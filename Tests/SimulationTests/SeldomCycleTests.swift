import Quantities
import Simulation
import Testing

/// The loop runs every 20 minutes, which is more than the quarter of an hour after which Loop shows
/// that it has not run.
@Suite("What goes wrong where cycles come seldom")
struct SeldomCycleTests {
  private static func troubles(
    _ events: [ScenarioEvent], jitter: TimeSpan = .zero
  ) throws -> [RunTrouble] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = events
    var setup = try fixture.setup()
    setup.cycleInterval = .minutes(20)
    setup.cycleJitter = jitter
    var run = Run(setup)
    while run.step() {}
    return run.finish().troubles
  }

  @Test("Cycles and readings that come as seldom as they are to are no trouble")
  func usual() throws {
    for minutes: Int64 in [0, 5] {
      let found = try Self.troubles([], jitter: .minutes(minutes))
      #expect(found.isEmpty, "\(found.map(\.text))")
    }
  }

  @Test("What is missing of them is told")
  func missing() throws {
    let found = try Self.troubles([
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
    ])
    #expect(
      found.map(\.text) == [
        "9 of the 12 cycles that were due completed; the longest time without one was 1h20m from "
          + "00:40:00: the app did not run.",
        "No reading reached the app for 1h20m from 00:40:00.",
      ])
  }
}
