import Devices
import Quantities
import Testing

@Suite("Pump faults")
struct PumpFaultTests {
  static func absorbed(_ occurrences: [PumpLogEntry]) -> Int64 {
    occurrences.compactMap { $0.pulse?.physical.microunits }.reduce(0, +)
  }

  @Test(
    "D94 An occlusion of 3 U at 1 U/h alarms after three hours; until then records say delivered")
  func occlusion() throws {
    var pump = try Fixture.pump(always: 1_000)
    pump.begin(.occlusion(Occlusion()), id: "kink", at: Fixture.midnight)
    let occurrences = pump.advance(to: Fixture.time(5))
    let alarm = occurrences.first { $0.kind == .alarm(.occlusion) }
    #expect(alarm?.instant == Fixture.time(3))
    #expect(pump.ledger.basal.delivered == .milliunits(3_000))
    #expect(Self.absorbed(occurrences) == 0)
    #expect(pump.ledger.body.heldBack.units == 3)
    #expect(pump.program.kind == .stopped(.occlusion))
    #expect(throws: PumpError.stopped(.occlusion)) {
      try pump.startBolus(.milliunits(50), at: Fixture.time(5))
    }
    pump.end(id: "kink", at: Fixture.time(6))
    #expect(pump.ledger.body[.occlusion].units == 3)
    #expect(pump.ledger.checkConservation() == nil)
    #expect(pump.program.kind == .scheduled)
  }

  @Test("An occlusion that is still there when its alarm is cleared is told again")
  func occlusionAfterAlarm() throws {
    let cases: [(Occlusion.Detection, [Int64])] = [
      (.heldBack(.milliunits(1_000)), [1, 3, 5]), (.after(.hours(2)), [2, 5, 8]),
    ]
    for (detection, hours) in cases {
      var pump = try Fixture.pump(always: 1_000)
      pump.begin(.occlusion(Occlusion(detection: detection)), id: "kink", at: Fixture.midnight)
      var alarms: [Instant] = []
      // Somebody clears each alarm after an hour.
      for hour in Int64(1)...9 {
        alarms += pump.advance(to: Fixture.time(hour)).filter { $0.kind == .alarm(.occlusion) }
          .map(\.instant)
        if alarms.last == Fixture.time(hour - 1) { try pump.clearAlarm(at: Fixture.time(hour)) }
      }
      #expect(alarms.prefix(3) == hours.map { Fixture.time($0) }[...])
      #expect(pump.ledger.checkConservation() == nil)
    }
  }

  @Test("What an occlusion held back in a pod is thrown away with it, and that of tubing is not")
  func occlusionInPod() throws {
    for (profile, released) in [(PumpProfile.omnipodDASH, 1.0), (.generic50, 2)] {
      var pump = try Fixture.pump(profile, always: 1_000)
      pump.begin(
        .occlusion(Occlusion(detection: .never, releasedFraction: 1)), id: "kink",
        at: Fixture.midnight)
      try pump.replaceReservoir(at: Fixture.time(1))
      pump.end(id: "kink", at: Fixture.time(2))
      let free = pump.takeOccurrences().filter { $0.pulse?.kind == .release }
      let units = free.compactMap { $0.pulse?.physical.units }
      #expect(units.filter { $0 > 0 } == [released])
      // Whatever is thrown away waits no more.
      #expect(free.compactMap { $0.pulse?.heldBack.units }.reduce(0, +) == -2)
      #expect(pump.ledger.body[.occlusion].units == 2 - released)
      #expect(pump.ledger.checkConservation() == nil)
    }
  }

  @Test("What an occlusion held back can come free at its end")
  func release() throws {
    var pump = try Fixture.pump(always: 1_000)
    pump.begin(
      .occlusion(Occlusion(deliveredFraction: 0.5, detection: .never, releasedFraction: 0.8)),
      id: "kink", at: Fixture.midnight)
    pump.end(id: "kink", at: Fixture.time(2))
    let occurrences = pump.takeOccurrences()
    let free = occurrences.first { $0.pulse?.kind == .release }
    #expect(free?.pulse?.physical.units == 0.8)
    #expect(free?.pulse?.recorded == .zero)
    #expect(Self.absorbed(occurrences) == 1_800_000)
    #expect(pump.ledger.body[.occlusion].units == 0.2)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("An Omnipod's occlusion alarm waits until the bolus has finished")
  func waitsForBolus() throws {
    for detection in [Occlusion.Detection.heldBack(.milliunits(1_000)), .after(.seconds(30))] {
      var pump = try Fixture.pump(.omnipodDASH, always: 0)
      pump.begin(
        .occlusion(Occlusion(detection: detection)), id: "kink", at: Fixture.midnight)
      try pump.startBolus(.milliunits(2_000), at: Fixture.midnight)
      let occurrences = pump.advance(to: Fixture.time(1))
      let alarm = occurrences.first { $0.kind == .alarm(.occlusion) }
      #expect(alarm?.instant == Fixture.time(0, 1, 20))
      #expect(pump.ledger.boluses.delivered == .milliunits(2_000))
    }
  }

  @Test(
    "The wait ends with a bolus that somebody stops, whenever the pump is looked at next",
    arguments: [PumpCommand.cancelBolus, .suspend])
  func waitEndsWithBolus(_ command: PumpCommand) throws {
    for detection in [Occlusion.Detection.heldBack(.milliunits(1_000)), .after(.seconds(30))] {
      for step in [TimeSpan.seconds(7), .hours(1)] {
        var pump = try Fixture.pump(.omnipodDASH, always: 0)
        pump.begin(
          .occlusion(Occlusion(detection: detection)), id: "kink", at: Fixture.midnight)
        try pump.startBolus(.milliunits(2_000), at: Fixture.midnight)
        // 30 pulses in a minute hold 1.5 U back.
        let stop = Fixture.time(0, 1, 1)
        try pump.perform(command, at: stop)
        var occurrences: [PumpLogEntry] = []
        while pump.now < Fixture.time(1) { occurrences += pump.advance(to: pump.now + step) }
        let alarms = occurrences.filter { $0.kind == .alarm(.occlusion) }
        #expect(alarms.map(\.instant) == [stop])
        #expect(pump.ledger.boluses.delivered == .milliunits(1_500))
      }
    }
  }

  @Test("An occlusion that is noticed before anything is held back alarms at once, and again")
  func noticedAtOnce() throws {
    var pump = try Fixture.pump(always: 0)
    pump.begin(
      .occlusion(Occlusion(detection: .heldBack(.zero))), id: "kink", at: Fixture.time(2))
    try pump.clearAlarm(at: Fixture.time(3))
    try pump.replaceReservoir(at: Fixture.time(4))
    let alarms = pump.advance(to: Fixture.time(5)).filter { $0.kind == .alarm(.occlusion) }
    #expect(alarms.map(\.instant) == [Fixture.time(2), Fixture.time(3), Fixture.time(4)])
  }

  @Test("What nobody asked for presses on an occlusion, too, which is noticed when it comes")
  func unrequestedIntoOcclusion() throws {
    var pump = try Fixture.pump(always: 0)
    pump.begin(.occlusion(Occlusion()), id: "kink", at: Fixture.midnight)
    pump.begin(.unrequested(.milliunits(4_000)), id: "motor", at: Fixture.time(1, 2))
    let alarm = pump.advance(to: Fixture.time(2)).first { $0.kind == .alarm(.occlusion) }
    #expect(alarm?.instant == Fixture.time(1, 2))
    #expect(pump.ledger.body.heldBack.units == 4)
  }

  @Test("D95 A failing site takes up a fifth of ten units; the pump's history says ten")
  func siteFailure() throws {
    var pump = try Fixture.pump(always: 0)
    pump.begin(
      .siteFailure(fraction: 0.2, timeConstant: .zero), id: "site", at: Fixture.midnight)
    try pump.startBolus(.milliunits(10_000), at: Fixture.midnight)
    let occurrences = pump.advance(to: Fixture.time(1))
    #expect(Self.absorbed(occurrences) == 2_000_000)
    let report = try pump.report()
    #expect(report.events.first?.deliveredAmount == .milliunits(10_000))
    #expect(pump.ledger.body[.siteFailure].units == 8)
  }

  @Test("D96 With scatter a hundred pulses are recorded as 5 U and differ in the body")
  func scatter() throws {
    var pump = try Fixture.pump(always: 0)
    pump.begin(.scatter(deviation: 0.34), id: "scatter", at: Fixture.midnight)
    try pump.startBolus(.milliunits(5_000), at: Fixture.midnight)
    let occurrences = pump.advance(to: Fixture.time(1))
    #expect(pump.ledger.delivered == .milliunits(5_000))
    let units = Double(Self.absorbed(occurrences)) / 1e6
    #expect(units != 5)
    // Five units in a hundred pulses vary with a deviation of 0.17 U.
    #expect(abs(units - 5) < 0.85)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("Air, scale and leak each have their own line in the ledger")
  func namedDifferences() throws {
    var pump = try Fixture.pump(always: 1_000)
    pump.begin(.airBubble(.milliunits(120)), id: "air", at: Fixture.midnight)
    pump.begin(.scale(basal: 0.9, bolus: 1), id: "scale", at: Fixture.midnight)
    pump.begin(.leak(fraction: 0.25), id: "leak", at: Fixture.midnight)
    let occurrences = pump.advance(to: Fixture.time(1))
    let body = pump.ledger.body
    #expect(body[.scale].microunits == 100_000)
    #expect(body[.airBubble].microunits == 120_000)
    #expect(body[.leak].microunits == 195_000)
    #expect(body.absorbed.microunits == 585_000)
    #expect(Self.absorbed(occurrences) == 585_000)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("Insulin given without a command leaves the reservoir and is in no record")
  func unrequested() throws {
    var pump = try Fixture.pump(always: 0, reservoir: .milliunits(10_000))
    pump.begin(.unrequested(.milliunits(2_000)), id: "leak", at: Fixture.time(1))
    let occurrences = pump.takeOccurrences()
    #expect(Self.absorbed(occurrences) == 2_000_000)
    #expect(pump.reservoir == .milliunits(8_000))
    #expect(pump.ledger.delivered == .zero)
    #expect(try pump.report().events.isEmpty)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("A pump that carries fractions forgets one when it drops pulses at a temp basal")
  func dropPulses() throws {
    var pump = try Fixture.pump(Fixture.profile(.carry), always: 500)
    pump.begin(.dropPulses, id: "drop", at: Fixture.midnight)
    try pump.startTempBasal(
      rate: .zero, duration: .minutes(30), at: Fixture.time(1, 15))
    #expect(pump.ledger.basal.discarded.milliunits == 25)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("An emptied reservoir stops delivery at the next pulse")
  func empty() throws {
    var pump = try Fixture.pump(always: 1_000)
    pump.begin(.empty, id: "empty", at: Fixture.time(1))
    let occurrences = pump.advance(to: Fixture.time(2))
    let alarm = occurrences.first { $0.kind == .alarm(.reservoirEmpty) }
    #expect(alarm?.instant == Fixture.time(1, 3))
    #expect(pump.ledger.basal.delivered == .milliunits(1_000))
    try pump.replaceReservoir(at: Fixture.time(3))
    #expect(pump.program.kind == .scheduled)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("A battery that dies stops delivery until the fault ends")
  func battery() throws {
    var pump = try Fixture.pump(always: 1_000)
    pump.begin(.alarm(.batteryDepleted), id: "battery", at: Fixture.time(1))
    pump.end(id: "battery", at: Fixture.time(2))
    _ = pump.advance(to: Fixture.time(3))
    #expect(pump.basal(Fixture.time(1), Fixture.time(2)) == 0)
    #expect(pump.basal(Fixture.time(2), Fixture.time(3)) == 1_000)
  }

  @Test("The alarm of an empty battery is not cleared, nor cured by a new reservoir")
  func emptyBattery() throws {
    for isReplaced in [false, true] {
      var pump = try Fixture.pump(always: 1_000)
      pump.begin(.alarm(.batteryDepleted), id: "battery", at: Fixture.time(1))
      let stopped = PumpError.stopped(.batteryDepleted)
      #expect(throws: stopped) { try pump.clearAlarm(at: Fixture.time(2)) }
      #expect(throws: stopped) {
        try pump.replaceReservoir(keepsPump: true, at: Fixture.time(2, 10))
      }
      #expect(throws: stopped) { try pump.prime(.milliunits(1_000), at: Fixture.time(2, 20)) }
      if isReplaced {
        try pump.replaceReservoir(at: Fixture.time(3))
      } else {
        pump.end(id: "battery", at: Fixture.time(3))
      }
      _ = pump.advance(to: Fixture.time(4))
      #expect(pump.basal(Fixture.time(1), Fixture.time(3)) == 0)
      #expect(pump.basal(Fixture.time(3), Fixture.time(4)) == 1_000)
      #expect(pump.ledger.reservoir.primed == .zero)
      #expect(pump.ledger.checkConservation() == nil)
    }
    // A pod and its battery are one.
    var pod = try Fixture.pump(.omnipodDASH, always: 1_000)
    pod.begin(.alarm(.batteryDepleted), id: "battery", at: Fixture.time(1))
    try pod.replaceReservoir(keepsPump: true, at: Fixture.time(2))
    #expect(pod.activeAlarm == nil)
  }

  @Test("Of two alarms it is told of each when it is cleared")
  func clearedOneByOne() throws {
    for isByHand in [false, true] {
      var pump = try Fixture.pump(always: 1_000)
      pump.begin(.alarm(.failure), id: "failure", at: Fixture.time(1))
      pump.begin(.alarm(.autoOff), id: "off", at: Fixture.time(1, 10))
      if !isByHand { pump.end(id: "failure", at: Fixture.time(2)) }
      try pump.clearAlarm(at: Fixture.time(3))
      let cleared = pump.takeOccurrences().compactMap { entry -> String? in
        guard case .alarmCleared(let alarm) = entry.kind else { return nil }
        return "\(alarm) \((entry.instant - Fixture.midnight).hours)"
      }
      #expect(cleared == ["pump failure \(isByHand ? 3.0 : 2.0)", "auto-off 3.0"])
      // The pump's history has one clearing, at which delivery begins again.
      let events = try pump.report().events.filter { $0.kind == .alarmCleared }
      #expect(events.map(\.start) == [Fixture.time(3)])
    }
  }

  @Test("An alarm that two faults hold up is cleared once, at the end of the last or by hand")
  func heldUpTwice() throws {
    for isByHand in [false, true] {
      var pump = try Fixture.pump(always: 1_000)
      pump.begin(.alarm(.failure), id: "first", at: Fixture.time(1))
      pump.begin(.alarm(.failure), id: "second", at: Fixture.time(1, 10))
      if isByHand {
        try pump.clearAlarm(at: Fixture.time(3))
      } else {
        pump.end(id: "first", at: Fixture.time(2))
        #expect(pump.activeAlarm == .failure)
        pump.end(id: "second", at: Fixture.time(3))
      }
      #expect(pump.activeAlarm == nil)
      let cleared = pump.takeOccurrences().compactMap { entry -> Instant? in
        guard case .alarmCleared = entry.kind else { return nil }
        return entry.instant
      }
      #expect(cleared == [Fixture.time(3)])
    }
  }

  @Test("Faults in pieces of time give the same as in one piece")
  func splitting() throws {
    func run(_ step: TimeSpan) throws -> (Pump, [PumpLogEntry]) {
      var pump = try Fixture.pump(always: 1_150)
      pump.begin(.scatter(deviation: 0.34), id: "scatter", at: Fixture.midnight)
      pump.begin(.clockDrift(perDay: .minutes(7)), id: "drift", at: Fixture.midnight)
      pump.begin(
        .siteFailure(fraction: 0.3, timeConstant: .hours(5)), id: "site", at: Fixture.midnight)
      pump.begin(.occlusion(Occlusion(detection: .drawn)), id: "o", at: Fixture.time(9))
      var occurrences: [PumpLogEntry] = []
      while pump.now < Fixture.time(36) {
        occurrences += pump.advance(to: min(Fixture.time(36), pump.now + step))
      }
      return (pump, occurrences)
    }
    let whole = try run(.days(2))
    let split = try run(.seconds(77))
    #expect(whole.1 == split.1)
    #expect(whole.0.ledger == split.0.ledger)
    #expect(whole.0.ledger.checkConservation() == nil)
  }
}
