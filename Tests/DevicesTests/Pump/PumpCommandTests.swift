import Devices
import Quantities
import Testing

@Suite("Pump commands")
struct PumpCommandTests {
  static let now = Fixture.time(7)

  @Test("D49 An hour of suspension delivers nothing, and the schedule goes on after it")
  func suspension() throws {
    var pump = try Fixture.pump(always: 500)
    try pump.suspend(at: Fixture.time(7))
    try pump.resume(at: Fixture.time(8))
    _ = pump.advance(to: Fixture.time(9))
    #expect(pump.basal(Fixture.time(7), Fixture.time(8)) == 0)
    #expect(pump.basal(Fixture.time(8), Fixture.time(9)) == 500)
    #expect(try pump.report().events.map(\.kind) == [.suspend, .resume])
  }

  @Test("D50 A second suspend makes no event and discards nothing")
  func suspendTwice() throws {
    var pump = try Fixture.pump(always: 500)
    try pump.suspend(at: Fixture.time(7, 3))
    let before = pump.ledger
    try pump.suspend(at: Fixture.time(7, 3))
    #expect(pump.ledger == before)
    #expect(before.basal.discarded.milliunits == 25)
    #expect(try pump.report().events.count == 1)
  }

  @Test("D51 Resuming a running pump has no effect")
  func resumeRunning() throws {
    var pump = try Fixture.pump(always: 500)
    _ = pump.advance(to: Fixture.time(7, 3))
    let before = pump.ledger
    try pump.resume(at: Fixture.time(7, 3))
    #expect(pump.ledger == before)
    #expect(try pump.report().events.isEmpty)
    #expect(pump.takeOccurrences().isEmpty)
  }

  @Test("D52 A temp basal while suspended is refused and changes nothing")
  func tempWhileSuspended() throws {
    var pump = try Fixture.pump(always: 500)
    try pump.suspend(at: Self.now)
    let before = (pump.ledger, pump.program)
    #expect(throws: PumpError.suspended) {
      try pump.startTempBasal(
        rate: Fixture.rate(1_000), duration: .minutes(30), at: Self.now)
    }
    #expect(throws: PumpError.suspended) {
      try pump.startBolus(.milliunits(1_000), at: Self.now)
    }
    #expect(pump.ledger == before.0)
    #expect(pump.program == before.1)
  }

  @Test("D53 A temp basal runs across a schedule entry, and the entry's rate follows it")
  func tempAcrossEntry() throws {
    var pump = try Pump(
      profile: .generic50, schedule: Fixture.schedule([("00:00", 500), ("14:00", 1_000)]),
      clock: .utc, at: Fixture.midnight)
    _ = pump.advance(to: Fixture.time(13, 50))
    try pump.startTempBasal(
      rate: Fixture.rate(2_000), duration: .minutes(30), at: Fixture.time(13, 50))
    let occurrences = pump.advance(to: Fixture.time(15))
    let changes = occurrences.filter { $0.pulse == nil }
    #expect(
      changes.map(\.instant) == [
        Fixture.time(13, 50), Fixture.time(13, 50), Fixture.time(14, 20), Fixture.time(14, 20),
      ])
    #expect(pump.basalRate == Fixture.rate(1_000))
    #expect(pump.basal(Fixture.time(13, 50), Fixture.time(14, 20)) == 1_000)
    let event = try #require(try pump.report().events.first)
    #expect(event.deliveredAmount == .milliunits(1_000))
    #expect(event.end == Fixture.time(14, 20))
    #expect(!event.isMutable)
  }

  @Test("D56 A pump that carries fractions keeps one through a suspension")
  func carryThroughSuspension() throws {
    var pump = try Fixture.pump(Fixture.profile(.carry), always: 500)
    try pump.suspend(at: Fixture.time(0, 3))
    try pump.resume(at: Fixture.time(1))
    let times = pump.advance(to: Fixture.time(2)).pulseTimes(.basal)
    #expect(times.first == Fixture.time(1, 3))
  }

  @Test("D61 Temp basals last multiples of 30 minutes up to 12 hours")
  func durations() throws {
    for (minutes, accepted) in [(30, true), (720, true), (45, false), (750, false), (-30, false)]
      as [(Int64, Bool)]
    {
      var pump = try Fixture.pump(always: 500)
      let command = PumpCommand.startTempBasal(
        Fixture.rate(1_000), duration: .minutes(minutes), automatic: true)
      if accepted {
        try pump.perform(command, at: Self.now)
      } else {
        #expect(throws: PumpError.self) { try pump.perform(command, at: Self.now) }
      }
    }
  }

  @Test("A refused duration is told with every duration that the pump accepts")
  func refusedDuration() throws {
    for (profile, minutes, sentence) in [
      (
        PumpProfile.tandemX2, 10,
        "Tandem t:slim X2 cannot run a temp basal for 10m; it takes 15m to 3d in steps of 1m."
      ),
      (
        .dana, 45,
        "Dana RS / Dana-i cannot run a temp basal for 45m; it takes 15m, 30m, 1h to 1d in steps "
          + "of 1h."
      ),
    ] as [(PumpProfile, Int64, String)] {
      var pump = try Fixture.pump(profile, always: 500)
      let error = #expect(throws: PumpError.self) {
        try pump.startTempBasal(
          rate: Fixture.rate(500), duration: .minutes(minutes), at: Self.now)
      }
      #expect(error?.description == sentence)
    }
  }

  @Test("D62 31 U/h is refused; 30 and 0 are accepted")
  func rates() throws {
    for (milliunits, accepted) in [(31_000, false), (30_000, true), (0, true), (120, false)]
      as [(Int64, Bool)]
    {
      var pump = try Fixture.pump(always: 500)
      let command = PumpCommand.startTempBasal(
        Fixture.rate(milliunits), duration: .minutes(30), automatic: true)
      if accepted {
        try pump.perform(command, at: Self.now)
      } else {
        #expect(throws: PumpError.self) { try pump.perform(command, at: Self.now) }
      }
    }
  }

  @Test("D64 A bolus of 1 U cancelled after 10 s has given five pulses")
  func cancelledBolus() throws {
    var pump = try Fixture.pump(always: 0)
    try pump.startBolus(.milliunits(1_000), at: Self.now)
    try pump.cancelBolus(at: Self.now + .seconds(10))
    #expect(pump.ledger.boluses.delivered == .milliunits(250))
    #expect(pump.ledger.boluses.cancelled == .milliunits(750))
    let event = try #require(try pump.report().events.first)
    #expect(event.deliveredAmount == .milliunits(250))
    #expect(event.programmedAmount == .milliunits(1_000))
    #expect(throws: PumpError.noBolusInProgress) { try pump.cancelBolus(at: pump.now) }
  }

  @Test("D65 While a pod gives a bolus it takes no second one and no temp basal")
  func duringBolus() throws {
    var pump = try Fixture.pump(.omnipodDASH, always: 500)
    try pump.startBolus(.milliunits(5_000), at: Self.now)
    let later = Self.now + .seconds(20)
    let busy = PumpError.bolusInProgress(remaining: .milliunits(4_500))
    #expect(throws: busy) { try pump.startBolus(.milliunits(1_000), at: later) }
    #expect(throws: busy) {
      try pump.startTempBasal(rate: .zero, duration: .minutes(30), at: later)
    }
    try pump.cancelTempBasal(at: later)
    try pump.cancelBolus(at: later)
  }

  @Test("D66 Boluses of 0.03 U and 30.05 U are refused; 30 U is accepted")
  func bolusVolumes() throws {
    for (milliunits, accepted) in [
      (30, false), (30_050, false), (30_000, true), (0, false), (-50, false),
    ]
      as [(Int64, Bool)]
    {
      var pump = try Fixture.pump(always: 500)
      if accepted {
        try pump.startBolus(.milliunits(milliunits), at: Self.now)
      } else {
        #expect(throws: PumpError.self) {
          try pump.startBolus(.milliunits(milliunits), at: Self.now)
        }
      }
    }
  }

  @Test("D67 A bolus of 3 U from a reservoir of 2.4 U ends after 48 pulses with an alarm")
  func emptyReservoir() throws {
    var pump = try Fixture.pump(always: 0, reservoir: .milliunits(2_400))
    try pump.startBolus(.milliunits(3_000), at: Self.now)
    let occurrences = pump.advance(to: Fixture.time(8))
    #expect(occurrences.pulseTimes(.bolus).count == 48)
    #expect(occurrences.contains { $0.kind == .alarm(.reservoirEmpty) })
    #expect(pump.activeAlarm == .reservoirEmpty)
    #expect(pump.ledger.boluses.lost == .milliunits(600))
    #expect(pump.status.program == nil)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("A bolus gives its first pulse after two seconds, and 30 U in 20 minutes")
  func bolusPulses() throws {
    var pump = try Fixture.pump(always: 0)
    try pump.startBolus(.milliunits(30_000), at: Self.now)
    let times = pump.advance(to: Fixture.time(8)).pulseTimes(.bolus)
    #expect(times.first == Self.now + .seconds(2))
    #expect(times.last == Self.now + .minutes(20))
    #expect(times.count == 600)
  }

  @Test("A running bolus is a mutable event with what has been given so far")
  func mutableEvent() throws {
    var pump = try Fixture.pump(always: 0)
    try pump.startBolus(.milliunits(1_000), automatic: true, at: Self.now)
    _ = pump.advance(to: Self.now + .seconds(11))
    let running = try #require(try pump.report().events.first)
    #expect(running.isMutable && running.isAutomatic)
    #expect(running.deliveredAmount == .milliunits(250))
    _ = pump.advance(to: Self.now + .minutes(1))
    let finished = try #require(try pump.report().events.first)
    #expect(finished.identifier == running.identifier)
    #expect(finished.identifier.raw.count == 8)
    #expect(!finished.isMutable)
    #expect(try pump.report().events.isEmpty)
  }

  @Test("A command before the pump's present is refused")
  func past() throws {
    var pump = try Fixture.pump(always: 0)
    _ = pump.advance(to: Self.now)
    #expect(throws: PumpError.inThePast(Fixture.time(6), now: Self.now)) {
      try pump.suspend(at: Fixture.time(6))
    }
  }

  @Test("Another's schedule runs from when it was programmed, and what ran before is given first")
  func foreignSchedule() throws {
    var pump = try Fixture.pump(always: 1_000)
    try pump.run(
      foreignSchedule: DailySchedule(always: Fixture.rate(2_000)), at: Fixture.time(1))
    _ = pump.advance(to: Fixture.time(2))
    #expect(pump.basal(Fixture.midnight, Fixture.time(1)) == 1_000)
    #expect(pump.basal(Fixture.time(1), Fixture.time(2)) == 2_000)
  }

  @Test("The identifier of an event is the number of the pump and its own, of four bytes each")
  func rawIdentifier() {
    let identifier = PumpEvent.Identifier(serial: 0x8102_0304, number: 0x0506_0708)
    #expect(identifier.raw == [0x81, 2, 3, 4, 5, 6, 7, 8])
  }
}
