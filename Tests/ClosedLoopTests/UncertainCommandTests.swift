import Devices
import Dosing
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Commands without a reply")
struct UncertainCommandTests {
  @Test("A bolus without a reply counts once when the pump tells of it, while another is unknown")
  func settlesWhatIsTold() throws {
    var bench = try Bench(schedule: [(0, 500)], from: at(7), profile: .omnipodDASH)
    try bench.run(until: at(7, 30))
    let lost = UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(1))
    bench.pump.begin(.uncertainDelivery(lost), id: "radio", at: bench.now)
    for (minute, milliunits) in [(31, 2_000), (81, 1_000)] as [(Int64, Int64)] {
      try bench.run(until: at(7, minute - 1))
      bench.now = at(7, minute)
      #expect(!bench.send(.startBolus(.milliunits(milliunits), automatic: false)))
    }
    bench.pump.end(id: "radio", at: at(8, 22))
    try bench.run(until: at(8, 35))
    #expect(bench.app.pump.uncertain.map(\.instant) == [at(8, 21)])
    #expect(bench.app.pump.isUncertain)
    let input = bench.app.algorithmInput(at: bench.now, for: .manualBolus)
    #expect(input.doses.filter { $0.type == .bolus }.map(\.volume) == [2, 1])
    // With another pod nobody learns what became of the second: it counts as given.
    try bench.pump.replaceReservoir(at: at(8, 36))
    try bench.run(until: at(8, 40))
    #expect(!bench.app.pump.isUncertain)
    let boluses = bench.app.pump.events.events.filter { $0.kind == .bolus }
    #expect(boluses.map(\.date) == [at(7, 31), at(8, 21)])
  }
}
