import Devices
import Quantities
import Testing

@Suite("Pump profiles, age and clock")
struct PumpDeviceTests {
  @Test("D58 Rates in decimal become exact milliunits")
  func decimals() {
    for (rate, milliunits) in [(0.3, 300), (0.15, 150), (0.35, 350), (16.15, 16_150), (8.2, 8_200)]
      as [(Double, Int64)]
    {
      #expect(InsulinRate(roundingUnitsPerHour: rate)?.milliunitsPerHour == milliunits)
    }
  }

  @Test("D59 A schedule of 0.12 U/h is refused with the pump's step; 0.1 is accepted")
  func scheduleStep() throws {
    let error = #expect(throws: PumpError.self) { try Fixture.pump(always: 120) }
    #expect(
      error?.description
        == "Entry 1 of the basal schedule has 0.12 U/h, but Generic 0.05 U pump takes steps of "
        + "0.05 U/h from 0.00 U/h up to 30.00 U/h. Choose such a rate.")
    _ = try Fixture.pump(always: 100)
  }

  @Test("The rates that are told beside a refused one are those about it")
  func acceptedRates() {
    func told(_ profile: PumpProfile, _ milliunits: Int64) -> String {
      profile.basalRates.rates(about: Fixture.rate(milliunits))
    }
    #expect(told(.ypsopump, 1_010) == "steps of 0.02 U/h from 1.00 U/h")
    #expect(told(.ypsopump, 10) == "steps of 0.01 U/h from 0.02 U/h")
    #expect(told(.tandemX2, 50) == "0.00 U/h, or steps of 0.001 U/h from 0.10 U/h")
    #expect(told(.omnipodEros, 0) == "steps of 0.05 U/h from 0.05 U/h")
    #expect(told(.medtronic523, 985) == "steps of 0.025 U/h from 0.00 U/h")
    #expect(told(.medtronic523, 1_010) == "steps of 0.05 U/h from 1.00 U/h")
  }

  @Test("Schedules with too many entries, or entries off the grid, are refused")
  func schedules() throws {
    #expect(throws: PumpError.self) {
      try Pump(
        profile: .generic50, schedule: Fixture.schedule([("00:00", 500), ("06:10", 600)]),
        clock: .utc, at: Fixture.midnight)
    }
    let half = (0..<48).map {
      ("\($0 < 20 ? "0" : "")\($0 / 2):\($0 % 2 == 0 ? "00" : "30")", Int64(500))
    }
    let many = try Fixture.schedule(half)
    #expect(many.entries.count == 48)
    _ = try Pump(profile: .generic50, schedule: many, clock: .utc, at: Fixture.midnight)
    #expect(throws: PumpError.tooManyScheduleEntries(48, pump: "Omnipod DASH", maximum: 24)) {
      try Pump(profile: .omnipodDASH, schedule: many, clock: .utc, at: Fixture.midnight)
    }
  }

  @Test("D63 Wanted rates are rounded down to supported ones, sums of decimals too")
  func roundsDown() {
    let pump = PumpProfile.generic50
    #expect(pump.supportedRate(atMostUnitsPerHour: 0.87) == Fixture.rate(850))
    #expect(pump.supportedRate(atMostUnitsPerHour: 0.05 + 0.35) == Fixture.rate(400))
    #expect(pump.supportedRate(atMostUnitsPerHour: 0.7 + 0.1) == Fixture.rate(800))
    #expect(pump.supportedRate(atMostUnitsPerHour: -3) == .zero)
    #expect(pump.supportedRate(atMostUnitsPerHour: .nan) == .zero)
    #expect(pump.supportedRate(atMostUnitsPerHour: 1e12) == Fixture.rate(30_000))
    #expect(pump.supportedBolus(atMostUnits: 0.04) == .zero)
    #expect(PumpProfile.dana.supportedBolus(atMostUnits: 4.35) == .milliunits(4_350))
    let x23 = PumpProfile.medtronic723
    #expect(x23.supportedRate(atMost: Fixture.rate(990)) == Fixture.rate(975))
    #expect(x23.supportedRate(atMost: Fixture.rate(1_049)) == Fixture.rate(1_000))
    #expect(x23.supportedBolus(atMost: .milliunits(12_345)) == .milliunits(12_300))
    #expect(PumpProfile.medtronic522.supportedBolus(atMost: .milliunits(99)) == .zero)
  }

  @Test("Every sum of two table rates is found again, although doubles miss some")
  func sumsOfRates() {
    for first in Int64(1)...100 {
      for second in Int64(1)...100 {
        let sum = Double(first) * 0.05 + Double(second) * 0.05
        let expected = Fixture.rate((first + second) * 50)
        #expect(PumpProfile.generic50.supportedRate(atMostUnitsPerHour: sum) == expected)
      }
    }
  }

  @Test("D68 A pod says only that it holds more than 50 U, and the volume from 50 U on")
  func podReservoir() throws {
    let full = try Fixture.pump(.omnipodDASH, always: 0, reservoir: .milliunits(51_000))
    #expect(full.reservoirReading == .moreThan(.milliunits(50_000)))
    #expect(full.reservoirReading.amount == nil)
    let half = try Fixture.pump(.omnipodDASH, always: 0, reservoir: .milliunits(50_000))
    #expect(half.reservoirReading.amount == .milliunits(50_000))
    let rounded = try Fixture.pump(.medtronic722, always: 0, reservoir: .milliunits(123_450))
    #expect(rounded.reservoirReading.amount == .milliunits(123_400))
  }

  @Test("D69, D70 A pod warns at 72 and 79 hours and stops at 80; a temp basal does not outlive it")
  func podLife() throws {
    var pump = try Fixture.pump(.omnipodEros, always: 1_000)
    _ = pump.advance(to: Fixture.time(79, 30))
    try pump.startTempBasal(
      rate: Fixture.rate(2_000), duration: .hours(2), at: Fixture.time(79, 30))
    let occurrences = pump.advance(to: Fixture.time(90))
    #expect(pump.activeAlarm == .expired)
    #expect(occurrences.pulseTimes(.basal).last == Fixture.time(80))
    let events = try pump.report().events
    let alarms = events.compactMap { event -> String? in
      guard case .alarm(let alarm) = event.kind else { return nil }
      return "\(alarm) \((event.start - Fixture.midnight).hours)"
    }
    #expect(
      alarms == [
        "expiration advisory 72.0", "about to expire 79.0", "expired 80.0",
      ])
    #expect(events.first { $0.kind == .tempBasal }?.end == Fixture.time(80))
    #expect(throws: PumpError.stopped(.expired)) { try pump.clearAlarm(at: Fixture.time(91)) }
    try pump.replaceReservoir(at: Fixture.time(91))
    #expect(pump.program.kind == .scheduled)
    #expect(pump.ledger.reservoir.primed == .milliunits(3_100))
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("A stopped pump says what is needed: an alarm that is cleared without it does not help")
  func wordsOfStopped() {
    #expect("\(PumpError.stopped(.expired))" == "The pump has stopped (expired); replace it.")
    #expect(
      "\(PumpError.stopped(.reservoirEmpty))"
        == "The pump has stopped (reservoir empty); refill or replace it.")
    #expect(
      "\(PumpError.stopped(.occlusion))"
        == "The pump has stopped (occlusion); clear the alarm or replace the pump.")
    #expect(
      "\(PumpError.stopped(.batteryDepleted))"
        == "The pump has stopped (battery depleted); change its battery or replace it.")
  }

  @Test("A low reservoir is told once at each level")
  func lowReservoir() throws {
    var pump = try Fixture.pump(.medtronic522, always: 10_000, reservoir: .milliunits(32_000))
    let occurrences = pump.advance(to: Fixture.time(3))
    let alarms = occurrences.compactMap { occurrence -> PumpAlarm? in
      guard case .alarm(let alarm) = occurrence.kind else { return nil }
      return alarm
    }
    #expect(
      alarms == [
        .lowReservoir(.milliunits(30_000)), .lowReservoir(.milliunits(20_000)),
        .lowReservoir(.milliunits(10_000)),
      ])
  }

  @Test("D75 A pump that nobody resets keeps its schedule by its own clock")
  func travel() throws {
    var pump = try Pump(
      profile: .generic50, schedule: Fixture.documentedSchedule(), clock: .utc,
      at: Fixture.midnight)
    let phone = WallClock(
      initialOffset: .zero,
      transitions: [.init(instant: Fixture.time(3), offset: .hours(3))])
    _ = pump.advance(to: Fixture.time(4))
    #expect(pump.scheduledRate(at: Fixture.time(5)) == Fixture.rate(400))
    #expect(pump.scheduledRate(at: Fixture.time(6)) == Fixture.rate(500))
    try pump.setClock(phone, at: Fixture.time(4))
    #expect(pump.basalRate == Fixture.rate(500))
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("A pump dates its history by what its clock showed then, whatever it shows when it is read")
  func datesByItsOwnClock() throws {
    var pump = try Fixture.pump(.medtronic722, always: 500)
    try pump.startBolus(.milliunits(1_000), at: Fixture.time(1))
    pump.begin(.clockError(.hours(1)), id: "clock", at: Fixture.time(1, 3))
    try pump.startBolus(.milliunits(1_000), at: Fixture.time(1, 10))
    _ = pump.advance(to: Fixture.time(1, 15))
    #expect(try pump.report().events.map(\.start) == [Fixture.time(1), Fixture.time(2, 10)])
    try pump.startTempBasal(
      rate: Fixture.rate(1_000), duration: .minutes(30), at: Fixture.time(1, 16))
    #expect(try pump.report().events.map(\.end) == [Fixture.time(2, 46)])
    // That ends the temp basal after four minutes.
    try pump.setClock(.utc, at: Fixture.time(1, 20))
    try pump.startBolus(.milliunits(1_000), at: Fixture.time(1, 25))
    _ = pump.advance(to: Fixture.time(1, 30))
    let events = try pump.report().events
    #expect(events.map(\.start) == [Fixture.time(2, 16), Fixture.time(1, 25)])
    #expect(events.map(\.end) == [Fixture.time(2, 20), Fixture.time(1, 25, 40)])
  }

  @Test("D76 By a clock that follows summer time the day has 23 hours, by a fixed one 24")
  func daylightSaving() throws {
    // Clocks in California go forward at 10:00 UTC on 8 March 2026.
    let change = Instant(secondsSince1970: 1_772_964_000)
    let clock = WallClock(
      initialOffset: .hours(-8), transitions: [.init(instant: change, offset: .hours(-7))])
    let dayStart = clock.startOfDay(containing: change)
    let dayEnd = clock.midnight(after: change)
    for (zone, expected) in [(clock, 9_200), (WallClock(initialOffset: .hours(-8)), 9_200)]
      as [(WallClock, Int64)]
    {
      var pump = try Pump(
        profile: .generic50, schedule: DailySchedule(always: Fixture.rate(400)), clock: zone,
        at: dayStart)
      let boundaries = pump.advance(to: dayEnd + .hours(2)).filter {
        if case .scheduleEntry = $0.kind { true } else { false }
      }
      #expect(pump.basal(dayStart, dayEnd) == expected)
      let midnight = zone == clock ? dayEnd : dayEnd + .hours(1)
      #expect(boundaries.map(\.instant) == [midnight])
    }
  }

  @Test("A clock that gains a minute a day comes to its entries earlier and earlier")
  func drift() throws {
    var pump = try Pump(
      profile: .medtronic722, schedule: Fixture.documentedSchedule(), clock: .utc,
      at: Fixture.midnight)
    pump.begin(.clockDrift(perDay: .minutes(1)), id: "drift", at: Fixture.midnight)
    let entries = pump.advance(to: Fixture.time(24 * 10)).filter {
      if case .scheduleEntry = $0.kind { true } else { false }
    }
    // Every entry and midnight of ten days, the last midnight ten minutes early.
    #expect(entries.count == 30)
    let error = (Fixture.time(24 * 10) - (entries.last?.instant ?? Fixture.midnight)).seconds
    #expect(abs(error - 600) < 1)
    #expect(abs(pump.clockError.seconds - 600) < 1)
    try pump.suspend(at: Fixture.time(24 * 10))
    let event = try #require(try pump.report().events.last)
    #expect(abs((event.start - Fixture.time(24 * 10)).seconds - 600) < 1)
    try pump.setClock(.utc, at: Fixture.time(24 * 10))
    #expect(pump.clockError == .zero)
  }

  @Test("A wrong clock moves the schedule at once")
  func wrongClock() throws {
    var pump = try Pump(
      profile: .generic50, schedule: Fixture.documentedSchedule(), clock: .utc,
      at: Fixture.midnight)
    pump.begin(.clockError(.hours(6)), id: "clock", at: Fixture.time(1))
    #expect(pump.basalRate == Fixture.rate(500))
    _ = pump.advance(to: Fixture.time(1, 30))
    #expect(pump.basalRate == Fixture.rate(500))
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("A refused temp basal is told the rates that whole percents of the schedule come to")
  func nearestPercent() throws {
    // Beside 0.80 U/h 23 % are 0.184 U/h, 24 % are 0.192 U/h, and 500 % are 4 U/h.
    for (asked, nearest) in [(189, "0.184"), (20_000, "4.00")] as [(Int64, String)] {
      var pump = try Fixture.pump(.dana, always: 800)
      let error = #expect(throws: PumpError.self) {
        try pump.startTempBasal(
          rate: Fixture.rate(asked), duration: .hours(1), at: Fixture.midnight)
      }
      #expect(
        error?.description
          == "Dana RS / Dana-i cannot run a temp basal of \(Fixture.rate(asked)); the next lower "
          + "rate is \(nearest) U/h, the highest 4.00 U/h.")
    }
  }

  @Test("A Dana runs more than 200 % of the schedule for a quarter of an hour at most")
  func cutOff() throws {
    // Beside 0.80 U/h 200 % are 1.60 U/h, and 202 % are 1.616 U/h.
    for (asked, hour, runs) in [
      (1_600, TimeSpan.hours(1), TimeSpan.hours(1)), (1_616, .hours(1), .minutes(15)),
      (4_000, .minutes(30), .minutes(15)), (4_000, .minutes(15), .minutes(15)),
    ] as [(Int64, TimeSpan, TimeSpan)] {
      var pump = try Fixture.pump(.dana, always: 800)
      try pump.startTempBasal(rate: Fixture.rate(asked), duration: hour, at: Fixture.midnight)
      #expect(pump.program.end == Fixture.midnight + runs)
      let rule = pump.profile.tempBasal
      #expect(rule.duration(hour, of: Fixture.rate(asked), beside: Fixture.rate(800)) == runs)
    }
    // A Tandem runs what it accepts for as long as it is asked.
    var tandem = try Fixture.pump(.tandemX2, always: 800)
    try tandem.startTempBasal(
      rate: Fixture.rate(2_000), duration: .hours(2), at: Fixture.midnight)
    #expect(tandem.program.percent == 250)
    #expect(tandem.program.end == Fixture.time(2))
  }

  @Test("Percent pumps follow the schedule during a temp basal")
  func percent() throws {
    var pump = try Pump(
      profile: .tandemX2, schedule: Fixture.schedule([("00:00", 400), ("06:00", 800)]),
      clock: .utc, at: Fixture.midnight)
    try pump.startTempBasal(
      rate: Fixture.rate(600), duration: .hours(2), at: Fixture.time(5))
    #expect(pump.program.percent == 150)
    _ = pump.advance(to: Fixture.time(7))
    #expect(pump.basal(Fixture.time(5), Fixture.time(6)) == 600)
    #expect(pump.basal(Fixture.time(6), Fixture.time(7)) == 1_200)
    #expect(throws: PumpError.self) {
      try pump.startTempBasal(
        rate: Fixture.rate(10_000), duration: .hours(1), at: Fixture.time(7))
    }
  }

  @Test("Every pump conserves insulin over a day of temp basals and boluses")
  func everyPump() throws {
    for profile in PumpProfile.catalogue {
      var pump = try Fixture.pump(profile, always: 1_000)
      for hour in Int64(1)...20 {
        let rate = profile.supportedRate(atMost: Fixture.rate(500 + 100 * (hour % 7)))
        try pump.startTempBasal(
          rate: rate, duration: .hours(1), at: Fixture.time(hour))
        try pump.startBolus(
          profile.supportedBolus(atMost: .milliunits(735 * (hour % 5 + 1))),
          at: Fixture.time(hour, 20))
      }
      _ = pump.advance(to: Fixture.time(24))
      #expect(pump.ledger.checkConservation() == nil)
      #expect(pump.ledger.boluses.pending == .zero)
      #expect(pump.ledger.boluses.delivered == pump.ledger.boluses.asked)
      #expect(pump.ledger.basal.delivered.milliunits % profile.pulse.milliunits == 0)
      #expect(PumpProfile.named(profile.id) == profile)
    }
  }

  @Test("Bolus speeds of a Medtronic x23 depend on the volume")
  func bolusSpeeds() {
    let speed = PumpProfile.medtronic554.bolusSpeed
    #expect(speed.duration(of: .milliunits(750)) == .seconds(60))
    #expect(speed.duration(of: .milliunits(1_500)) == .seconds(60))
    #expect(speed.duration(of: .milliunits(20_000)) == .minutes(5))
    #expect(PumpProfile.ypsopump.bolusSpeed.duration(of: .milliunits(10_000)) == .seconds(19))
  }

  @Test("Pulse intervals are the published fractions of an hour")
  func intervals() {
    for (rate, numerator, denominator) in [
      (50, 3_600, 1), (350, 3_600, 7), (1_150, 3_600, 23), (16_150, 3_600, 323), (25_000, 36, 5),
    ] as [(Int64, Int64, Int64)] {
      let accumulator = BasalAccumulator(pulse: .milliunits(50))
      let exact = (numerator * 1_000 + denominator - 1) / denominator
      #expect(accumulator.timeToNextPulse(at: Fixture.rate(rate)) == .milliseconds(exact))
    }
  }

  @Test("After a suspend a pod goes on where its schedule's grid would be")
  func resumesOnGrid() throws {
    var pump = try Fixture.pump(.omnipodDASH, always: 500)
    try pump.suspend(at: Fixture.time(1))
    try pump.resume(at: Fixture.time(1, 10))
    // The grid of six minutes from midnight has a point at 01:12.
    #expect(
      pump.advance(to: Fixture.time(2)).pulseTimes(.basal).first { $0 > Fixture.time(1, 10) }
        == Fixture.time(1, 12))
    #expect(pump.ledger.checkConservation() == nil)
  }
}
