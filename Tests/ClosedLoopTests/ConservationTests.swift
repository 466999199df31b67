import Devices
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

@Suite("Conservation of basal insulin between pump and reports")
struct ConservationTests {
  /// Runs a day and a half of random commands and ends the run.
  static func randomRun(seed: UInt64, splits: Bool = true, reissues: Bool = false) throws -> Bench {
    var stream = TestStream(state: seed)
    let rates = (0..<6).map { ($0 * 4, Int64(stream.next() % 40) * 50) }
    var bench = try Bench(
      schedule: rates, from: midnight + .minutes(Int64(stream.next() % 600))
    ) {
      $0.reporting.splitsLongSegments = splits
      $0.reporting.reportsOnReissue = reissues
    }
    bench.sendsGlucose = false
    let end = bench.now + .hours(36)
    while bench.now < end {
      let next = bench.now + .seconds(Int64(stream.next() % 9_000) + 1)
      let choice = stream.next() % 7
      let command: PumpCommand =
        switch choice {
        case 0: .suspend
        case 1: .resume
        case 2: .cancelTempBasal
        case 3: .startBolus(.milliunits(Int64(stream.next() % 60 + 1) * 50), automatic: true)
        default:
          .startTempBasal(
            rate(Int64(stream.next() % 4) * 500), duration: .minutes(30), automatic: true)
        }
      try bench.send(command, at: min(next, end))
      // Earned = given + forgotten + the fraction of the next pulse, after every event.
      let basal = bench.pump.ledger.basal
      #expect(
        basal.programmed + basal.anticipated
          == AccruedInsulin(basal.delivered) + basal.discarded + basal.pending)
      let given = bench.pump.basalLog.total + bench.pump.bolusLog.total
      #expect(bench.pump.ledger.reservoir.remaining == .milliunits(200_000) - given)
      #expect(bench.app.pump.reservoir?.amount == bench.pump.ledger.reservoir.remaining)
    }
    bench.readPump()
    bench.app.flush(to: &bench.store, at: end)
    return bench
  }

  @Test(
    "H3, H4, H11: samples tile the run and add up to the pump's pulses",
    arguments: 0..<Extent.of(6, whole: 24) as Range<UInt64>)
  func tilesTheRun(seed: UInt64) throws {
    let bench = try Self.randomRun(seed: seed, splits: seed % 2 == 0, reissues: seed % 3 == 0)
    let segments = bench.app.segments
    #expect(segments.first?.start == bench.app.start)
    #expect(segments.last?.end == bench.now)
    for (earlier, later) in zip(segments, segments.dropFirst()) {
      #expect(earlier.end == later.start)
    }
    #expect(segments.allSatisfy { $0.start < $0.end && $0.units.milliunits % 50 == 0 })
    for segment in segments {
      #expect(
        segment.units == bench.pump.basalDelivered(after: segment.start, through: segment.end))
    }
    let basal = try bench.samples(.insulinDelivery, byBolus: false)
    #expect(basal.count == segments.count)
    let reported = basal.compactMap(\.insulin).reduce(.zero, +)
    #expect(reported == bench.pump.basalLog.total)
    #expect(Set(segments.map(\.syncIdentifier)).count == segments.count)
  }

  @Test(
    "Boluses in the health store are the pump's, one sample each",
    arguments: 0..<Extent.of(3, whole: 12) as Range<UInt64>)
  func reportsEachBolusOnce(seed: UInt64) throws {
    let bench = try Self.randomRun(seed: seed)
    let boluses = try bench.samples(.insulinDelivery, byBolus: true)
    let given = boluses.compactMap(\.insulin).reduce(.zero, +)
    let running = bench.pump.bolus?.delivered ?? .zero
    #expect(given + running == bench.pump.bolusLog.total)
  }

  @Test(
    "H17: 0.33 U/h over three days reports 7.90, 7.90, 7.95 U, or 7.90 each when midnight clears",
    arguments: [
      (ResidualRule.resetOnCommand, [7_900, 7_900, 7_950]),
      (.resetOnEverySegment, [7_900, 7_900, 7_900]),
    ])
  func carriesFractionsOverMidnight(rule: ResidualRule, milliunits: [Int64]) throws {
    var profile = PumpProfile.generic50
    profile.residualRule = rule
    profile.basalRates = SupportedSteps(0, 30_000, step: 1)
    var bench = try Bench(schedule: [(0, 330)], profile: profile)
    bench.sendsGlucose = false
    try bench.run(until: at(72))
    let days = (0..<3).map { day in
      bench.app.segments.filter {
        $0.end > at(24 * day) && $0.end <= at(24 * day + 24)
      }.map(\.units).reduce(.zero, +)
    }
    #expect(days.map(\.milliunits) == milliunits)
  }

  @Test("H16: 0.1 U/h for 1290 minutes reports 43 pulses")
  func countsInIntegers() throws {
    var bench = try Bench(schedule: [(0, 100)])
    try bench.send(.startTempBasal(.zero, duration: .minutes(30), automatic: true), at: at(21, 30))
    try bench.run(until: at(21, 35))
    #expect(try bench.basalSamples().map(\.units) == [2.15])
  }

  @Test("H27: the reservoir falls by every pulse, basal and bolus")
  func accountsForTheReservoir() throws {
    let bench = try Self.randomRun(seed: 5)
    let given = bench.pump.basalLog.total + bench.pump.bolusLog.total
    #expect(bench.app.pump.reservoir?.amount == .milliunits(200_000) - given)
  }
}

@Suite("Pulses in reports and reports of stopped pumps")
struct PulseReportTests {
  @Test(
    "H12, H13, H14: pulses of the worked table come at its times, the last of each in its segment")
  func placesPulses() throws {
    let bench = try BasalReportingTests.tableDay()
    let pump = bench.pump
    let second = TimeSpan.seconds(1)
    func isPulse(_ instant: Instant) -> Bool {
      pump.basalDelivered(after: instant - second, through: instant) == .milliunits(50)
        && pump.basalDelivered(after: instant - second, through: instant - .milliseconds(1))
          == .zero
    }
    #expect(isPulse(at(6)))
    for minute in stride(from: 6, through: 72, by: 6) as StrideThrough<Int64> {
      #expect(isPulse(at(6, minute)))
    }
    #expect(isPulse(at(7, 51)) && isPulse(at(7, 57)))
    #expect(isPulse(at(8, 3, 45)))
  }

  @Test(
    "H19: 0.55 U/h sent anew every 5 minutes gives nothing in a day, every 20 minutes 10.8 U",
    arguments: [(5, 0), (20, 10_800), (30, 12_000)] as [(Int64, Int64)])
  func starvesUnderCommands(minutes: Int64, milliunits: Int64) throws {
    var bench = try Bench(schedule: [(0, 400)]) { $0.reporting.splitsLongSegments = false }
    bench.sendsGlucose = false
    while bench.now < at(24) {
      bench.send(.startTempBasal(rate(550), duration: .minutes(30), automatic: true))
      bench.readPump()
      try bench.run(until: bench.now + .minutes(minutes))
    }
    bench.app.flush(to: &bench.store, at: bench.now)
    #expect(
      try bench.basalSamples().compactMap { InsulinAmount(roundingUnits: $0.units) }
        .reduce(.zero, +) == .milliunits(milliunits))
    // Sent again at its very end, a temp basal has expired, and that is a trigger.
    #expect(bench.app.insulin.segments.count == (minutes < 30 ? 1 : 48))
  }

  @Test("A pump that an alarm stops is reported as suspended until the alarm is cleared")
  func reportsAStoppedPump() throws {
    var bench = try Bench(schedule: [(0, 1_000)], from: at(9))
    bench.pump = try Pump(
      profile: .generic50, schedule: dailyRates([(0, 1_000)]), clock: .utc, at: at(9),
      reservoir: .milliunits(1_000))
    try bench.run(until: at(11))
    #expect(bench.decisions.last?.refusal == .pumpStopped(.reservoirEmpty))
    #expect(try #require(bench.app.insulinOnBoard(at: at(11))) < -0.85)
    try bench.pump.replaceReservoir(at: at(11))
    try bench.run(until: at(12))
    bench.app.flush(to: &bench.store, at: at(12))
    #expect(bench.app.segments.map(\.kind) == [.basal, .suspend, .basal])
    // The reservoir is found empty when the pulse after the last one is due.
    #expect(bench.app.segments.map(\.end) == [at(10, 3), at(11), at(12)])
    let reported = bench.app.segments.map(\.units).reduce(.zero, +)
    #expect(reported == bench.pump.basalLog.total)
  }

  @Test(
    "A second alarm while the pump is stopped changes nothing, whichever is over first",
    arguments: [["failure", "battery"], ["battery", "failure"]])
  func twoAlarms(over: [String]) throws {
    var bench = try Bench(schedule: [(0, 1_000)], from: at(9))
    try bench.run(until: at(9, 59))
    bench.pump.begin(.alarm(.failure), id: "failure", at: at(10))
    try bench.run(until: at(10, 9))
    bench.pump.begin(.alarm(.batteryDepleted), id: "battery", at: at(10, 10))
    try bench.run(until: at(10, 29))
    bench.pump.end(id: over[0], at: at(10, 30))
    try bench.run(until: at(10, 39))
    bench.pump.end(id: over[1], at: at(10, 40))
    try bench.run(until: at(11))
    // A person suspends later, and the next alarm stops nothing.
    try bench.send(.suspend, at: at(11))
    bench.pump.begin(.alarm(.batteryDepleted), id: "again", at: at(11, 10))
    try bench.run(until: at(11, 19))
    bench.pump.end(id: "again", at: at(11, 20))
    try bench.run(until: at(11, 29))
    try bench.send(.resume, at: at(11, 30))
    try bench.run(until: at(12))
    bench.app.flush(to: &bench.store, at: at(12))
    #expect(bench.app.segments.map(\.kind) == [.basal, .suspend, .basal, .suspend, .basal])
    #expect(bench.app.segments.map(\.end) == [at(10), at(10, 40), at(11), at(11, 30), at(12)])
  }

  @Test("Nor does one of which the app hears together with the temp basal that the first one ended")
  func twoAlarmsHeardLate() throws {
    var bench = try Bench(schedule: [(0, 1_000)], from: at(9))
    try bench.send(
      .startTempBasal(rate(2_000), duration: .hours(1), automatic: false), at: at(10))
    bench.pump.begin(.alarm(.failure), id: "failure", at: at(10, 10))
    bench.pump.begin(.alarm(.batteryDepleted), id: "battery", at: at(10, 20))
    bench.now = at(10, 30)
    bench.readPump()
    let events = bench.app.pump.events.events
    #expect(events.map(\.date) == [at(10), at(10, 10), at(10, 20)])
    #expect(events.map { $0.dose?.kind } == [.tempBasal, .suspend, nil])
  }

  @Test("An alarm during a suspension leaves one suspension, which ends when a person resumes")
  func keepsASuspensionThroughAnAlarm() throws {
    var bench = try Bench(schedule: [(0, 1_000)], from: at(9))
    try bench.send(.suspend, at: at(10))
    bench.pump.begin(.alarm(.batteryDepleted), id: "battery", at: at(10, 10))
    try bench.run(until: at(10, 30))
    bench.pump.end(id: "battery", at: at(10, 31))
    try bench.run(until: at(11))
    #expect(bench.app.insulin.segments.count == 1)
    try bench.send(.resume, at: at(11))
    try bench.run(until: at(12))
    bench.app.flush(to: &bench.store, at: at(12))
    #expect(bench.app.segments.map(\.kind) == [.basal, .suspend, .basal])
    #expect(bench.app.segments.map(\.end) == [at(10), at(11), at(12)])
  }

  @Test("Remote services each have their own anchors, which are forgotten with the service")
  func keepsAnchorsByService() {
    var uploads = RemoteUploads()
    let rows: [Int64] = [1, 2, 3]
    func send(to service: String, _ uploads: inout RemoteUploads) -> Int {
      uploads.upload(
        .doses, to: service, limit: 2,
        query: { after, limit in Array(rows.filter { $0 > after }.prefix(limit)) },
        counter: { $0 }, send: { _ in true })
    }
    #expect(send(to: "a", &uploads) == 3)
    #expect(send(to: "a", &uploads) == 0)
    #expect(send(to: "b", &uploads) == 3)
    uploads.remove(service: "a")
    #expect(send(to: "a", &uploads) == 3)
    #expect(uploads.anchor(of: .glucose, for: "b") == 0)
  }
}
