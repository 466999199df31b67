import Quantities
import Testing

@testable import Devices

@Suite("The parts of a pump")
struct PumpPartsTests {
  @Test("A reservoir warns once of each level, and of those it skips not at all")
  func warnsOnce() {
    var reservoir = PumpReservoir(
      holding: .milliunits(30_000),
      warningLevels: [.milliunits(50_000), .milliunits(20_000), .milliunits(10_000)])
    #expect(reservoir.takeWarning() == nil, "The first level was known from the start.")
    reservoir.take(.milliunits(10_000))
    #expect(reservoir.takeWarning() == .milliunits(20_000))
    #expect(reservoir.takeWarning() == nil)
    reservoir.take(.milliunits(15_000))
    #expect(reservoir.takeWarning() == .milliunits(10_000))
    reservoir.replace(with: .milliunits(15_000))
    reservoir.skipWarnings()
    #expect(reservoir.takeWarning() == nil)
  }

  @Test("An alarm that a fault holds up is cleared with it, and the others stay")
  func clearsOneAlarm() {
    var alarms = StoppingAlarms()
    let event = PumpEvent.Identifier(serial: 1, number: 4)
    let suspended = BasalProgram(kind: .suspended, start: Fixture.midnight, event: event)
    let stopped = BasalProgram(kind: .stopped(.occlusion), start: Fixture.midnight)
    let isFirst = alarms.add(.occlusion, heldBy: "kink", during: suspended)
    let isFirstToo = alarms.add(.failure, heldBy: nil, during: stopped)
    #expect(isFirst && !isFirstToo)
    #expect(alarms.suspension?.event == event)
    guard case .nothing = alarms.clear(heldBy: "other") else {
      Issue.record("No alarm is held by another fault.")
      return
    }
    guard case .gone(.occlusion, stillStoppedBy: .failure) = alarms.clear(heldBy: "kink") else {
      Issue.record("The failure still stops the pump.")
      return
    }
    #expect(alarms.first == .failure)
    alarms.clearAll()
    #expect(alarms.first == nil)
    #expect(alarms.suspension == nil)
  }

  @Test("An occlusion that is not looked for is no work ahead, and a command on its way is")
  func workOfFaults() {
    var faults = PumpFaults(seed: 1)
    faults.begin(
      .occlusion(Occlusion(detection: .after(.minutes(1)))), id: "kink", at: Fixture.midnight)
    #expect(faults.nextInstant(detecting: true) == Fixture.time(0, 1))
    #expect(faults.nextInstant(detecting: false) == nil)
    faults.delay(.suspend, until: Fixture.time(0, 2))
    #expect(faults.nextInstant(detecting: true) == Fixture.time(0, 1))
    #expect(faults.nextInstant(detecting: false) == Fixture.time(0, 2))
  }

  @Test("The end of a bolus forgets where it was to stop")
  func endForgetsLimit() {
    let start = Fixture.midnight
    let event = PumpEvent.Identifier(serial: 1, number: 1)
    var side = BolusSide(pulse: .milliunits(50))
    _ = side.start(.milliunits(1_000), over: .seconds(40), automatic: false, as: event, at: start)
    side.limit(to: 0.51)
    #expect(side.pulsesDue(at: start + .seconds(1)) == nil)
    #expect(side.pulsesDue(at: start + .seconds(20)) == 10)
    side.count(.milliunits(450), at: start + .seconds(20))
    #expect(!side.hasReachedLimit)
    side.count(.milliunits(50), at: start + .seconds(20))
    #expect(side.hasReachedLimit, "The limit is a whole number of pulses.")
    let ended = side.end(.interrupted, at: start + .seconds(20))
    #expect(ended?.remaining == .milliunits(500))
    #expect(side.account.lost == .milliunits(500))
    _ = side.start(.milliunits(1_000), over: .seconds(40), automatic: false, as: event, at: start)
    side.count(.milliunits(900), at: start + .seconds(36))
    #expect(!side.hasReachedLimit)
  }

  @Test("A history keeps the event of an open command until someone can ask about it")
  func keepsOpenEvents() {
    let start = Fixture.midnight
    let program = BasalProgram(kind: .scheduled, start: start)
    var history = PumpHistory(serial: 7)
    let event = history.add(.suspend, at: start)
    history.leaveOpen(event, until: start + .minutes(5))
    #expect(history.isUncertain)
    #expect(history.takeEvents(at: start, running: program, nil).isEmpty)
    let said = history.takeEvents(at: start + .minutes(5), running: program, nil)
    #expect(said.map(\.identifier) == [event])
    #expect(!history.isUncertain)
  }
}
