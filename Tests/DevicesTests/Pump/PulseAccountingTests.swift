import Devices
import Quantities
import Testing

@Suite("Pulse accounting")
struct PulseAccountingTests {
  @Test("D35 0.4 U/h for a day is exactly 192 pulses and leaves nothing")
  func aDayAtFourTenths() throws {
    var pump = try Fixture.pump(always: 400)
    _ = pump.advance(to: Fixture.time(24))
    #expect(pump.ledger.basal.delivered == .milliunits(9_600))
    #expect(pump.ledger.basal.pending == .zero)
  }

  @Test("D36 Every rate from 0.05 to 30 U/h gives its exact number of pulses in a day")
  func everyRate() {
    for step in Int64(1)...600 {
      var accumulator = BasalAccumulator(pulse: .milliunits(50))
      #expect(accumulator.run(at: Fixture.rate(step * 50), for: .days(1)) == 24 * step)
      #expect(accumulator.pending == .zero)
    }
  }

  @Test("D37 288 reports of a day add up to one report", arguments: [50, 350, 1_150, 16_150])
  func reportsAddUp(milliunits: Int64) throws {
    var pump = try Fixture.pump(always: milliunits, reservoir: .milliunits(900_000))
    _ = pump.advance(to: Fixture.time(24))
    var sum: Int64 = 0
    for index in Int64(0)..<288 {
      let start = Fixture.midnight + .minutes(5 * index)
      sum += pump.basal(start, start + .minutes(5))
    }
    #expect(sum == pump.basal(Fixture.midnight, Fixture.time(24)))
    #expect(sum == milliunits * 24 - (milliunits * 24) % 50)
  }

  @Test("D39 A rate that is no multiple of a pulse leaves the exact rest")
  func oddRate() {
    var accumulator = BasalAccumulator(pulse: .milliunits(50))
    #expect(accumulator.run(at: Fixture.rate(333), for: .days(1)) == 159)
    #expect(accumulator.pending.milliunitMillisecondsPerHour == 151_200 * 1_000)
  }

  @Test("D40 Temp basals of 0.55 U/h cut every five minutes deliver nothing, unless pulses carry")
  func reissuedTempBasalsStarve() throws {
    let starved = try reissued(.resetOnCommand, rate: 550, every: .seconds(300))
    #expect(starved == 0)
    let carried = try reissued(.carry, rate: 550, every: .seconds(300))
    #expect(carried == 65)
  }

  @Test("D41 At 0.60 U/h each five-minute temp basal gives its pulse on the boundary")
  func boundaryPulse() throws {
    #expect(try reissued(.resetOnCommand, rate: 600, every: .seconds(300)) == 71)
  }

  @Test("D42 Cut one second earlier, none of them does")
  func oneSecondShort() throws {
    #expect(try reissued(.resetOnCommand, rate: 600, every: .seconds(299)) == 0)
  }

  /// The pulses of re-issued temp basals over six hours.
  private func reissued(
    _ rule: ResidualRule, rate: Int64, every step: TimeSpan
  ) throws -> Int64 {
    var pump = try Fixture.pump(Fixture.profile(rule), always: 0)
    var instant = Fixture.midnight
    while instant < Fixture.time(6) {
      try pump.startTempBasal(
        rate: Fixture.rate(rate), duration: .minutes(30), at: instant)
      instant += step
    }
    return pump.ledger.basal.delivered.milliunits / 50
  }

  @Test("Frequent commands starve rates as the published table says")
  func starvationTable() throws {
    // Units in a day, with a new command every 5, 20 and 30 minutes.
    let table: [(Int64, Int64, Int64, Int64)] = [
      (100, 0, 0, 2_400), (550, 0, 10_800, 12_000), (850, 14_400, 18_000, 19_200),
      (1_000, 14_400, 21_600, 24_000), (1_200, 28_800, 28_800, 28_800),
      (1_500, 28_800, 36_000, 36_000),
    ]
    for (rate, five, twenty, thirty) in table {
      for (minutes, expected) in [(5, five), (20, twenty), (30, thirty)] as [(Int64, Int64)] {
        var pump = try Fixture.pump(always: 0)
        for index in 0..<(1_440 / minutes) {
          try pump.startTempBasal(
            rate: Fixture.rate(rate), duration: .minutes(30),
            at: Fixture.midnight + .minutes(minutes * index))
        }
        _ = pump.advance(to: Fixture.time(24))
        #expect(pump.ledger.basal.delivered.milliunits == expected)
      }
    }
  }

  @Test(
    "D43 A schedule entry with the same rate resets nothing",
    arguments: ResidualRule.allCases.filter { $0 != .resetOnEverySegment })
  func equalEntries(rule: ResidualRule) throws {
    guard rule != .scheduleGrid else { return }
    var pump = try Pump(
      profile: Fixture.profile(rule),
      schedule: Fixture.schedule([("00:00", 350), ("06:00", 350)]), clock: .utc,
      at: Fixture.midnight)
    _ = pump.advance(to: Fixture.time(24 * 10))
    #expect(pump.ledger.basal.discarded == .zero)
    #expect(pump.ledger.basal.delivered == .milliunits(84_000))
  }

  @Test("D44 Midnight keeps the fraction and the spacing of the pulses")
  func midnight() throws {
    var pump = try Fixture.pump(always: 350)
    let times = pump.advance(to: Fixture.time(48)).pulseTimes(.basal)
    #expect(times.count == 336)
    for (index, time) in times.enumerated() {
      // The k-th pulse is due k × 3600/7 s after the start, rounded up to a millisecond.
      let exact = Int64(index + 1) * 3_600_000
      #expect(time == Fixture.midnight + .milliseconds((exact + 6) / 7))
    }
  }

  @Test("D47 A bolus does not enter the basal account")
  func bolusStaysApart() throws {
    var pump = try Fixture.pump(always: 400)
    try pump.startBolus(.milliunits(1_000), at: Fixture.time(1))
    _ = pump.advance(to: Fixture.time(2))
    #expect(pump.basal(Fixture.midnight, Fixture.time(2)) == 800)
    #expect(
      pump.bolusDelivered(after: Fixture.time(1), through: Fixture.time(2))
        == .milliunits(1_000))
  }

  @Test("D55 Three days at 1.15 U/h are 1656 pulses")
  func threeDays() throws {
    var pump = try Fixture.pump(always: 1_150)
    _ = pump.advance(to: Fixture.time(72))
    #expect(pump.ledger.basal.delivered.milliunits == 1_656 * 50)
  }

  @Test("D57 A temp basal cancelled at 299 s has given nothing, at 300 s one pulse")
  func cancelOnTheBoundary() throws {
    for (seconds, expected) in [(299, 0), (300, 50)] as [(Int64, Int64)] {
      var pump = try Fixture.pump(always: 0)
      try pump.startTempBasal(
        rate: Fixture.rate(600), duration: .minutes(30), at: Fixture.midnight)
      try pump.cancelTempBasal(at: Fixture.midnight + .seconds(seconds))
      #expect(pump.ledger.basal.delivered.milliunits == expected)
    }
  }
}
