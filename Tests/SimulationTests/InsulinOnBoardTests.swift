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

  @Test("A run that begins a second after the clock's five minutes has no basal of before twice")
  func beginsBesideTheGrid() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 10_000)]
    fixture.start = .at(0, 0, 1)
    fixture.duration = .hours(2)
    let mean = (0..<370).map { fraction(minutes: Double($0) + 0.5) }.reduce(0, +) / 60
    // Of 10 U/h 0.83 U are due in five minutes, and a pulse of 0.05 U every 18 s.
    for (row, iob) in try onBoard(fixture) {
      #expect(abs(iob.body.net) <= 0.05 + 1e-9, "\(row.instant)")
      #expect(abs(iob.body.total - 10 * mean) <= 0.1, "\(row.instant)")
    }
    #expect(!(try fixture.result().troubles.contains { $0.kind == .wrongInsulinOnBoard }))
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

@Suite("Insulin on board at instants that come one after the other")
struct InsulinOnBoardCounterTests {
  /// What was given and scheduled, at random within three days.
  private struct History {
    var pulses: PumpPulses
    var injections: [InjectionRecord]
    var reference: [Timeline<Double>.Segment]
    var moments: [Instant]

    init(_ generator: inout Chance) {
      func instant(within hours: Int) -> Instant {
        .at(0) + .milliseconds(Int64(generator.below(hours * 3_600_000)))
      }
      pulses = PumpPulses(
        (0..<800).map { _ in
          PumpPulseRecord(
            instant: instant(within: 72), recorded: .milliunits(50),
            physicalUnits: 0.01 * Double(generator.below(6)), channel: .basal)
        }.sorted { $0.instant < $1.instant })
      injections = (0..<6).map { _ in
        let model = InsulinModel.allCases[generator.below(InsulinModel.allCases.count)]
        return InjectionRecord(
          instant: instant(within: 72), units: Double(generator.below(9)), name: "any",
          model: model, countedModel: generator.below(4) == 0 ? nil : model)
      }
      let seam = instant(within: 48)
      reference = [
        Timeline<Double>.Segment(start: .at(0) - .hours(30), end: seam, value: 1.1),
        Timeline<Double>.Segment(start: seam, end: .at(72), value: 0.7),
      ]
      moments = (0..<60).map { _ in instant(within: 72) }.sorted()
    }

    func counter(from now: Instant? = nil) -> InsulinOnBoardCounter {
      InsulinOnBoardCounter(
        pulses: pulses, injections: injections, reference: reference, model: .rapidActingAdult,
        from: now)
    }

    /// What is on board, dose by dose and piece of five minutes by piece, without a sum kept.
    func plain(at now: Instant) -> (total: Double, basal: Double) {
      func part(_ units: Double, _ start: Instant, over span: TimeSpan, _ model: InsulinModel)
        -> Double
      {
        guard start <= now else { return 0 }
        let age = (now - start).seconds
        let elapsed = min(age, span.seconds)
        let given = span > .zero ? elapsed / span.seconds : 1
        return units * given
          * LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: age - elapsed / 2)
      }
      var total = pulses.reduce(0) {
        $0 + part($1.physicalUnits, $1.instant, over: .zero, .rapidActingAdult)
      }
      for injection in injections {
        guard let model = injection.countedModel else { continue }
        total += part(injection.units, injection.instant, over: .zero, model)
      }
      var basal = 0.0
      for segment in reference {
        var start = segment.start
        while start < segment.end {
          let end = min(segment.end, start.floored(to: .minutes(5)) + .minutes(5))
          let one = part(
            segment.value * (end - start).hours, start, over: end - start, .rapidActingAdult)
          basal += one
          // Before the run the body had its schedule.
          if start < reference[0].start + ScheduleRecord.lead { total += one }
          start = end
        }
      }
      return (total, basal)
    }
  }

  @Test(
    "It is what each dose and each piece of the schedule has on board",
    arguments: 0..<Extent.of(4 as UInt64, whole: 20))
  func isSumOfDoses(seed: UInt64) {
    var generator = Chance(state: seed)
    let history = History(&generator)
    var counter = history.counter()
    var largest = 0.0
    for moment in history.moments {
      let found = counter.onBoard(at: moment, app: 1)
      let (total, basal) = history.plain(at: moment)
      #expect(abs(found.body.total - total) < 1e-11, "\(moment)")
      #expect(abs(found.body.net - (total - basal)) < 1e-11, "\(moment)")
      #expect(found.app?.net == 1)
      #expect(abs((found.app?.total ?? .nan) - (1 + basal)) < 1e-11, "\(moment)")
      largest = max(largest, total)
    }
    #expect(largest > 0.5)
  }

  @Test(
    "One instant alone is counted as among all others",
    arguments: 0..<Extent.of(6 as UInt64, whole: 20))
  func oneInstant(seed: UInt64) {
    var generator = Chance(state: seed)
    let history = History(&generator)
    var all = history.counter()
    for moment in history.moments {
      var one = history.counter(from: moment)
      let alone = one.onBoard(at: moment, app: nil).body
      let among = all.onBoard(at: moment, app: nil).body
      #expect(abs(alone.net - among.net) < 1e-11, "\(moment)")
      #expect(abs(alone.total - among.total) < 1e-11, "\(moment)")
    }
  }
}
