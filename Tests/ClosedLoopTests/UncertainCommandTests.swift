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
      let isHeard = bench.send(.startBolus(.milliunits(milliunits), automatic: false))
      #expect(!isHeard)
    }
    bench.pump.end(id: "radio", at: at(8, 22))
    try bench.run(until: at(8, 35))
    #expect(bench.app.pump.uncertain.map(\.instant) == [at(8, 21)])
    #expect(bench.app.pump.isUncertain)
    // A program gives nothing beside it.
    let answer = ControllerAnswer(
      tempBasal: .start(unitsPerHour: 1, duration: .minutes(30)), bolus: 0.5)
    for asked in answer.asked {
      let obstacle = bench.app.pump.obstacle(to: asked, of: answer, at: bench.now)
      #expect(obstacle == .deliveryUncertain)
    }
    let input = bench.app.algorithmInput(at: bench.now, for: .manualBolus)
    #expect(input.doses.filter { $0.type == .bolus }.map(\.volume) == [2, 1])
    // With another pod nobody learns what became of the second: it counts as given.
    try bench.pump.replaceReservoir(at: at(8, 36))
    try bench.run(until: at(8, 40))
    #expect(!bench.app.pump.isUncertain)
    let boluses = bench.app.pump.events.events.filter { $0.kind == .bolus }
    #expect(boluses.map(\.date) == [at(7, 31), at(8, 21)])
  }

  /// A pump that runs 1 U/h from 08:00, an alarm of 09:10 to 09:40, and a command of 09:01 without
  /// a reply, of which the pump tells an hour later.
  private static func alarm(
    after command: PumpCommand, _ before: (inout Bench) throws -> Void = { _ in }
  ) throws -> Bench {
    var bench = try Bench(schedule: [(0, 1_000)], from: at(8))
    try before(&bench)
    try bench.run(until: at(9))
    let lost = UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(1))
    bench.pump.begin(.uncertainDelivery(lost), id: "radio", at: bench.now)
    bench.now = at(9, 1)
    let isHeard = bench.send(command)
    #expect(!isHeard)
    bench.pump.end(id: "radio", at: at(9, 2))
    try bench.run(until: at(9, 5))
    bench.pump.begin(.alarm(.failure), id: "failure", at: at(9, 10))
    try bench.run(until: at(9, 39))
    bench.pump.end(id: "failure", at: at(9, 40))
    try bench.run(until: at(10, 29))
    return bench
  }

  @Test("An alarm after a resume without a reply stops delivery, though the resume is told later")
  func alarmAfterResume() throws {
    var bench = try Self.alarm(after: .resume) { try $0.send(.suspend, at: at(8, 50)) }
    // Half a unit of an hour ago, of which four fifths still count, and a little of before.
    #expect(try #require(bench.app.insulinOnBoard(at: bench.now)) < -0.4)
    try bench.run(until: at(11))
    bench.app.flush(to: &bench.store, at: at(11))
    #expect(bench.app.segments.map(\.kind) == [.basal, .suspend, .basal, .suspend, .basal])
    #expect(bench.app.segments.map(\.end) == [at(8, 50), at(9, 1), at(9, 10), at(9, 40), at(11)])
  }

  @Test("A suspension without a reply counts from its beginning, though an alarm came meanwhile")
  func alarmAfterSuspension() throws {
    var bench = try Self.alarm(after: .suspend)
    try bench.send(.resume, at: at(10, 30))
    try bench.run(until: at(11))
    bench.app.flush(to: &bench.store, at: at(11))
    #expect(bench.app.segments.map(\.kind) == [.basal, .suspend, .basal])
    #expect(bench.app.segments.map(\.end) == [at(9, 1), at(10, 30), at(11)])
  }

  @Test("Basal is not reported beyond a temp basal of which nobody knows whether it runs")
  func alarmAfterTempBasal() throws {
    let temp = PumpCommand.startTempBasal(.zero, duration: .hours(2), automatic: false)
    var bench = try Self.alarm(after: temp)
    try bench.run(until: at(11))
    bench.app.flush(to: &bench.store, at: at(11))
    #expect(bench.app.segments.map(\.kind) == [.basal, .tempBasal, .suspend, .basal])
    #expect(bench.app.segments.map(\.end) == [at(9, 1), at(9, 10), at(9, 40), at(11)])
  }
}
