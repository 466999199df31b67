import ClosedLoop
import Devices
import Dosing
import Foundation
import Physiology
import Quantities
import TestSupport
import Testing

@testable import Simulation

@Suite("Insulin on board, net and total, by the app and by the body")
struct InsulinOnBoardTests {
  /// The fraction of a dose still on board, as LoopKit/LoopAlgorithm publishes it
  /// (`ExponentialInsulinModel.swift`), for rapid-acting insulin of adults: 6 h, peak at 75 min,
  /// 10 min of delay.
  private func fraction(minutes: Double) -> Double {
    let duration = 360.0
    let peak = 75.0
    let time = minutes - 10
    if time <= 0 { return 1 }
    if time >= duration { return 0 }
    let tau = peak * (1 - peak / duration) / (1 - 2 * peak / duration)
    let a = 2 * tau / duration
    let s = 1 / (1 - a + (1 + a) * exp(-duration / tau))
    return 1 - s * (1 - a)
      * ((time * time / (tau * duration * (1 - a)) - time / tau - 1) * exp(-time / tau) + 1)
  }

  private func onBoard(_ fixture: Fixture) throws -> [(row: TraceRow, iob: InsulinOnBoard)] {
    let result = try fixture.result()
    return Array(zip(result.trace.rows, result.insulinOnBoard()))
  }

  @Test("Scheduled basal alone is no net insulin, and a total of rate times mean time of action")
  func schedule() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000)]
    fixture.duration = .hours(12)
    // The mean time in the body is the integral of what remains, here in steps of a minute.
    let mean = (0..<370).map { fraction(minutes: Double($0) + 0.5) }.reduce(0, +) / 60
    for (row, iob) in try onBoard(fixture) {
      #expect(abs(iob.body.net) <= 0.05 + 1e-9, "\(row.instant)")
      #expect(abs(iob.body.total - 1.0 * mean) <= 0.06, "\(row.instant)")
      let app = try #require(iob.app)
      #expect(abs(app.net) <= 0.05 + 1e-9, "\(row.instant)")
      #expect(abs(app.total - app.net - 1.0 * mean) <= 0.01, "\(row.instant)")
    }
  }

  @Test("Insulin from a pen that nobody logs is in the body, and in no record of the app")
  func pen() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000)]
    fixture.events = [
      ScenarioEvent(at: .at(1), .inject(units: 3, formulation: .humalog, name: "humalog"))
    ]
    for (row, iob) in try onBoard(fixture) {
      let given = row.instant < .at(1) ? 0 : 3 * fraction(minutes: (row.instant - .at(1)).minutes)
      #expect(abs(iob.body.net - given) <= 0.05 + 1e-9, "\(row.instant)")
      #expect(abs(try #require(iob.app).net) <= 0.05 + 1e-9, "\(row.instant)")
    }
  }

  @Test("Under a preset both are counted against the schedule that the preset changes")
  func preset() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000)]
    fixture.events = [
      ScenarioEvent(
        at: .at(1),
        .startPreset(
          PresetRequest(
            name: "half", kind: .custom, target: nil, insulinNeeds: 0.5, duration: .hours(4)))),
      ScenarioEvent(at: .at(2), .bolus(BolusRequest(.units(1)))),
    ]
    let rows = try onBoard(fixture)
    for (row, iob) in rows {
      let app = try #require(iob.app)
      // A bolus that is being given counts in whole for the app.
      if row.instant >= .at(2), row.instant < .at(2, 5) { continue }
      #expect(abs(iob.body.net - app.net) <= 0.06, "\(row.instant)")
      #expect(abs(iob.body.total - app.total) <= 0.06, "\(row.instant)")
    }
    // The pump goes on with 1 U/h, of which the preset expects 0.5: that half is net insulin.
    let before = try #require(rows.last { $0.row.instant < .at(2) })
    let half = (0..<55).map { 0.5 / 60 * fraction(minutes: Double($0) + 0.5) }.reduce(0, +)
    #expect(abs(before.iob.body.net - half) <= 0.06)
  }

  @Test("A schedule of many days is known from its first hour to its last")
  func days() throws {
    let days = Extent.of(2, whole: 8)
    var fixture = Fixture()
    fixture.basal = [(0, 1_000), (6, 600), (20, 1_400)]
    fixture.duration = .days(Int64(days))
    let result = try fixture.result()
    #expect(result.scheduledBasal.segments.first?.start == fixture.start)
    #expect(result.scheduledBasal.segments.last?.end == fixture.start + fixture.duration)
    #expect(result.scheduledBasal.segments.count == 1 + days * 3 - 1)
    for (before, next) in zip(
      result.scheduledBasal.segments, result.scheduledBasal.segments.dropFirst())
    {
      #expect(before.end == next.start)
    }
    for iob in result.insulinOnBoard() { #expect(abs(iob.body.net) <= 0.05 + 1e-9) }
  }
}

@Suite("Fractions of insulin on board that are computed once")
struct FractionsOnBoardTests {
  @Test("Each is that of the algorithm to the bit, when first asked for and later, kept or not")
  func sameBits() {
    var generator = Chance(state: 20_261_126)
    var kept = FractionsOnBoard(keeps: true)
    var notKept = FractionsOnBoard(keeps: false)
    for _ in 0..<4_000 {
      let model = InsulinModel.allCases[generator.below(InsulinModel.allCases.count)]
      // From before the delivery to after all has acted; every other time half a second later.
      let seconds = Double(generator.below(46_000) - 600) / 2
      let own = LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: seconds)
      for _ in 0..<2 {
        #expect(kept.fraction(of: model, secondsAfter: seconds) == own)
        #expect(notKept.fraction(of: model, secondsAfter: seconds) == own)
      }
    }
  }

  @Test("One instant alone is counted as among all others", arguments: 0..<20 as Range<UInt64>)
  func oneInstant(seed: UInt64) {
    var generator = Chance(state: seed)
    func instant(within hours: Int) -> Instant {
      .at(0) + .seconds(Int64(generator.below(hours * 3_600)))
    }
    let pulses = (0..<800).map { _ in
      PumpPulseRecord(
        instant: instant(within: 72), recorded: .milliunits(50),
        physicalUnits: 0.01 * Double(generator.below(6)), channel: .basal)
    }.sorted { $0.instant < $1.instant }
    let injections = (0..<6).map { _ in
      InjectionRecord(
        instant: instant(within: 72), units: Double(generator.below(9)), name: "fiasp",
        model: generator.below(4) == 0 ? nil : .fiasp)
    }
    let seam = instant(within: 48)
    let reference = [
      Timeline<Double>.Segment(start: .at(0) - .hours(30), end: seam, value: 1.1),
      Timeline<Double>.Segment(start: seam, end: .at(72), value: 0.7),
    ]
    var all = InsulinOnBoardCounter(
      pulses: pulses, injections: injections, reference: reference, model: .rapidActingAdult)
    var fractions = FractionsOnBoard(keeps: true)
    for moment in (0..<40).map({ _ in instant(within: 72) }).sorted() {
      var one = InsulinOnBoardCounter(
        pulses: pulses, injections: injections, reference: reference, model: .rapidActingAdult,
        from: moment)
      var own = FractionsOnBoard(keeps: false)
      #expect(
        one.onBoard(at: moment, app: 1, &own) == all.onBoard(at: moment, app: 1, &fractions),
        "\(moment)")
    }
  }
}

@Suite("Insulin on board that is estimated")
struct InsulinOnBoardEstimateTests {
  @Test(
    "It lies within five thousandths of a unit of what is counted pulse by pulse",
    arguments: 0..<Extent.of(3 as UInt64, whole: 8))
  func isNear(seed: UInt64) throws {
    var chance = Chance(state: seed)
    var fixture = Fixture()
    fixture.duration = .hours(30)
    fixture.isClosedLoop = true
    fixture.seed = seed
    fixture.basal = [
      (0, 400 + 50 * Int64(chance.below(30))), (5, 400 + 50 * Int64(chance.below(30))),
      (19, 400 + 50 * Int64(chance.below(30))),
    ]
    fixture.events = (0..<5).map { _ in
      ScenarioEvent(
        at: .at(Int64(chance.below(29)), Int64(chance.below(60)), Int64(chance.below(60))),
        .bolus(BolusRequest(.units(0.05 * Double(1 + chance.below(160))), by: .user)))
    }
    let run = try fixture.result()
    var estimate = InsulinOnBoardEstimate(run)
    let exact = run.insulinOnBoard()
    #expect(exact.contains { $0.body.net.magnitude > 0.5 })
    for (row, onBoard) in zip(run.trace.rows, exact) {
      let difference = (estimate.net(at: row.instant) - onBoard.body.net).magnitude
      #expect(difference < 0.005, "\(row.instant)")
    }
  }

  @Test(
    "It does so between whole minutes, and after hours in which nobody asks",
    arguments: 0..<Extent.of(2 as UInt64, whole: 4))
  func isNearAnywhere(seed: UInt64) throws {
    var chance = Chance(state: seed)
    var fixture = Fixture()
    fixture.duration = .hours(40)
    fixture.seed = seed
    fixture.events = (0..<3).map { _ in
      ScenarioEvent(
        at: .at(Int64(chance.below(39)), Int64(chance.below(60)), Int64(chance.below(60))),
        .bolus(BolusRequest(.units(0.05 * Double(1 + chance.below(160))), by: .user)))
    }
    let run = try fixture.result()
    var estimate = InsulinOnBoardEstimate(run)
    var now = run.start - .hours(1)
    for _ in 0..<40 {
      now += .milliseconds(Int64(chance.below(chance.below(9) == 0 ? 36_000_000 : 4_000_000)))
      var counter = InsulinOnBoardCounter(
        pulses: run.pulses, injections: [], reference: run.referenceBasal.segments,
        model: run.pumpInsulinModel, from: now)
      var fractions = FractionsOnBoard(keeps: false)
      let exact = counter.onBoard(at: now, app: nil, &fractions).body.net
      #expect((estimate.net(at: now) - exact).magnitude < 0.005, "\(now)")
    }
  }
}
