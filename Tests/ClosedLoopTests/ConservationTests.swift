import Devices
import HealthStore
import Quantities
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
    }
    bench.readPump()
    bench.app.flush(to: &bench.store, at: end)
    return bench
  }

  @Test(
    "H3, H4, H11: samples tile the run and add up to the pump's pulses",
    arguments: 0..<24 as Range<UInt64>)
  func tilesTheRun(seed: UInt64) throws {
    let bench = try Self.randomRun(seed: seed, splits: seed % 2 == 0, reissues: seed % 3 == 0)
    let segments = bench.app.segments.map(\.segment)
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
    arguments: 0..<12 as Range<UInt64>)
  func reportsEachBolusOnce(seed: UInt64) throws {
    let bench = try Self.randomRun(seed: seed)
    let boluses = try bench.samples(.insulinDelivery, byBolus: true)
    let given = boluses.compactMap(\.insulin).reduce(.zero, +)
    let running = bench.pump.bolus?.delivered ?? .zero
    #expect(given + running == bench.pump.bolusLog.total)
  }

  @Test("H17: 0.33 U/h over three days reports 7.90, 7.90 and 7.95 U")
  func carriesFractionsOverMidnight() throws {
    var profile = PumpProfile.generic50
    profile.basalRates = SupportedSteps(0, 30_000, step: 1)
    var bench = try Bench(schedule: [(0, 330)], profile: profile)
    try bench.run(until: at(72))
    let days = (0..<3).map { day in
      bench.app.segments.map(\.segment).filter {
        $0.end > at(24 * day) && $0.end <= at(24 * day + 24)
      }.map(\.units).reduce(.zero, +)
    }
    #expect(days == [.milliunits(7_900), .milliunits(7_900), .milliunits(7_950)])
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
    #expect(bench.app.reservoir?.amount == .milliunits(200_000) - given)
  }
}
