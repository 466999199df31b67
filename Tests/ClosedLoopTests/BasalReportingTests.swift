import Devices
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Basal reporting to the health store")
struct BasalReportingTests {
  /// The day of the worked table in LoopDocs, Apple HealthKit FAQs, run to 08:05.
  static func tableDay(
    profile: PumpProfile = .generic50, change: (inout LoopAppConfiguration) -> Void = { _ in }
  ) throws -> Bench {
    try day(until: at(8, 5), profile: profile, change: change)
  }

  /// The same day, run to another time after the temp basal.
  static func day(
    until end: Instant, profile: PumpProfile = .generic50,
    change: (inout LoopAppConfiguration) -> Void = { _ in }
  ) throws -> Bench {
    var bench = try Bench(profile: profile, change: change)
    try bench.run(until: at(7, 15))
    bench.send(.startTempBasal(.zero, duration: .minutes(30), automatic: true))
    bench.readPump()
    try bench.run(until: end)
    return bench
  }

  @Test("H1: the worked table gives 2.4, 0.6, 0 and 0.1 U at 06:00, 07:15, 07:45 and 08:00")
  func givesTheWorkedTable() throws {
    let samples = try Self.tableDay().basalSamples()
    #expect(samples.map(\.end) == [at(6), at(7, 15), at(7, 45), at(8)])
    #expect(samples.map(\.units) == [2.4, 0.6, 0, 0.1])
  }

  @Test("H2: 62 pulses are reported, 0.025 U is discarded and 0.025 U is owed at 08:00")
  func accountsForTheWorkedTable() throws {
    let bench = try Self.tableDay()
    let total = bench.app.segments.reduce(InsulinAmount.zero) { $0 + $1.units }
    #expect(total == .milliunits(3_100))
    #expect(bench.pump.ledger.basal.discarded.milliunits == 25)
    #expect(bench.pump.basalDelivered(after: midnight, through: at(8)) == .milliunits(3_100))
    var pump = try Self.day(until: at(7, 55)).pump
    _ = pump.advance(to: at(8))
    #expect(pump.ledger.basal.programmed.milliunits == 3_150)
    #expect(pump.ledger.basal.delivered == .milliunits(62 * 50))
    #expect(pump.ledger.basal.pending.milliunits == 25)
  }

  @Test("H5: without a change of rate nothing is written")
  func writesNothingWithoutATrigger() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.run(until: at(11, 30))
    #expect(try bench.samples(.insulinDelivery).isEmpty)
  }

  @Test("H6, H10: midnight ends one segment, even with a schedule entry and a temp basal there")
  func endsASegmentAtMidnight() throws {
    var bench = try Bench(schedule: [(0, 400), (12, 500)], from: at(20))
    try bench.run(until: at(24))
    bench.send(.startTempBasal(rate(1_000), duration: .minutes(30), automatic: true))
    bench.readPump()
    try bench.run(until: at(25))
    let segments = bench.app.segments
    #expect(segments.map(\.start) == [at(20), at(24)])
    #expect(segments.map(\.end) == [at(24), at(24, 30)])
  }

  @Test("H8: a temp basal that starts, is replaced, is cancelled or expires ends a segment there")
  func endsSegmentsAtTempBasals() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    let half = TimeSpan.minutes(30)
    try bench.send(.startTempBasal(rate(1_000), duration: half, automatic: true), at: at(10))
    try bench.send(.startTempBasal(rate(500), duration: half, automatic: true), at: at(10, 11))
    try bench.send(.cancelTempBasal, at: at(10, 20))
    try bench.send(.startTempBasal(rate(900), duration: half, automatic: true), at: at(11))
    try bench.run(until: at(12))
    #expect(
      try bench.basalSamples().map(\.end) == [at(10), at(10, 11), at(10, 20), at(11), at(11, 30)])
  }

  @Test("H9, H57: a temp basal of 0 U/h is written as 0 IU with its rates")
  func writesAnEmptyTempBasal() throws {
    let samples = try Self.tableDay().samples(.insulinDelivery)
    let sample = try #require(samples.first { $0.end == at(7, 45) })
    #expect(sample.storedValue == 0)
    #expect(sample.metadata.insulinDeliveryReason == .basal)
    #expect(sample.metadata.programmedTempBasalRate == .zero)
    #expect(sample.metadata.scheduledBasalRate == rate(500))
  }

  @Test("H15: 0.5 U/h for 77 minutes ended by a temp basal reports 0.60 U, not the nearest 0.65")
  func reportsPulsesNotTheNearestStep() throws {
    var bench = try Bench(schedule: [(0, 500)], from: at(1))
    try bench.send(.startTempBasal(.zero, duration: .minutes(30), automatic: true), at: at(2, 17))
    try bench.run(until: at(2, 25))
    #expect(try bench.basalSamples().map(\.units) == [0.6])
  }

  @Test("H18: 1.0 U/h replaced after 11 minutes reports 0.15 U, after 12 minutes 0.20 U")
  func countsWholePulsesOfACutTempBasal() throws {
    for (minutes, units) in [(11, 0.15), (12, 0.2)] as [(Int64, Double)] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9))
      let half = TimeSpan.minutes(30)
      try bench.send(.startTempBasal(rate(1_000), duration: half, automatic: true), at: at(10))
      try bench.send(
        .startTempBasal(rate(500), duration: half, automatic: true), at: at(10, minutes))
      try bench.run(until: at(10, 20))
      #expect(try bench.basalSamples().last?.units == units)
    }
  }

  @Test("H20: rounding to the nearest step reports 2.4, 0.65, 0 and 0.15 U, 0.10 U too much")
  func nearestRoundingDrifts() throws {
    let bench = try Self.tableDay { $0.reporting.value = .loopKitNearest }
    #expect(try bench.basalSamples().map(\.units) == [2.4, 0.65, 0, 0.15])
    let reported = try bench.samples(.insulinDelivery).compactMap(\.insulin).reduce(.zero, +)
    let given = bench.pump.basalDelivered(after: midnight, through: at(8))
    #expect(reported - given == .milliunits(100))
  }

  @Test("H21: a pump that carries its fractions over gives 0.15 U at 08:00")
  func carriesFractionsOver() throws {
    var profile = PumpProfile.generic50
    profile.residualRule = .carry
    #expect(try Self.tableDay(profile: profile).basalSamples().map(\.units) == [2.4, 0.6, 0, 0.15])
  }

  @Test("H22: a day of one rate is written as two samples of half a day, at midnight")
  func splitsADay() throws {
    var bench = try Bench(schedule: [(0, 400)])
    try bench.run(until: at(23, 55))
    #expect(try bench.samples(.insulinDelivery).isEmpty)
    try bench.run(until: at(24))
    let samples = try bench.samples(.insulinDelivery)
    #expect(samples.map(\.storedValue) == [4.8, 4.8])
    #expect(samples.map(\.end) == [at(12), at(24)])
    let names = samples.compactMap(\.metadata.syncIdentifier).map { "\($0)".suffix(4) }
    #expect(names == [" 1/2", " 2/2"])
  }

  @Test("H23: a segment that ends between two cycles is written in the next one")
  func writesInTheNextCycle() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.send(.startTempBasal(.zero, duration: .minutes(30), automatic: true), at: at(10, 2))
    bench.app.report(to: &bench.store, at: bench.now)
    #expect(try bench.samples(.insulinDelivery).isEmpty)
    try bench.run(until: at(10, 5))
    #expect(try bench.basalSamples().map(\.end) == [at(10, 2)])
    #expect(bench.app.insulin.segments.first?.writtenAt == at(10, 5))
  }

  @Test("A segment is written at its trigger when the policy says so")
  func writesAtTheTrigger() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9)) { $0.reporting.write = .atTrigger }
    try bench.send(.startTempBasal(.zero, duration: .minutes(30), automatic: true), at: at(10, 2))
    bench.app.report(to: &bench.store, at: bench.now)
    #expect(bench.app.insulin.segments.first?.writtenAt == at(10, 2))
  }

  @Test("H24, H64: a schedule border splits a temp basal, whose parts are written when it ends")
  func splitsATempBasalAtABorder() throws {
    var bench = try Bench(from: at(5))
    try bench.send(
      .startTempBasal(rate(1_000), duration: .minutes(30), automatic: true), at: at(5, 45))
    try bench.run(until: at(6, 10))
    #expect(try bench.basalSamples().map(\.end) == [at(5, 45)])
    try bench.run(until: at(6, 20))
    let samples = try bench.samples(.insulinDelivery).dropFirst()
    #expect(samples.map(\.end) == [at(6), at(6, 15)])
    #expect(samples.compactMap(\.metadata.scheduledBasalRate) == [rate(400), rate(500)])
    let names = samples.compactMap(\.metadata.syncIdentifier).map { "\($0)".suffix(4) }
    #expect(names == [" 1/2", " 2/2"])
  }

  @Test("A temp basal sent again with its rate is no trigger, unless the policy says so")
  func joinsReissues() throws {
    for (reports, ends) in [
      (false, [at(10), at(10, 50)]), (true, [at(10), at(10, 20), at(10, 50)]),
    ] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9)) {
        $0.reporting.reportsOnReissue = reports
      }
      let half = TimeSpan.minutes(30)
      try bench.send(.startTempBasal(rate(1_000), duration: half, automatic: true), at: at(10))
      try bench.send(.startTempBasal(rate(1_000), duration: half, automatic: true), at: at(10, 20))
      try bench.run(until: at(11))
      #expect(try bench.basalSamples().map(\.end) == ends)
    }
  }

  @Test("H26, D54: a pump of 0.025 U reports 2.4, 0.625, 0 and 0.125 U")
  func reportsFinerPulses() throws {
    var profile = PumpProfile.generic50
    profile.pulse = .milliunits(25)
    #expect(
      try Self.tableDay(profile: profile).basalSamples().map(\.units) == [2.4, 0.625, 0, 0.125])
  }
}
