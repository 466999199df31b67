import Devices
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Schedules over midnight, time zones and summer time")
struct ScheduleHistoryTests {
  /// Los Angeles in 2026: summer time from 8 March 10:00 UTC to 1 November 09:00 UTC.
  static let losAngeles = WallClock(
    initialOffset: .hours(-8),
    transitions: [
      .init(instant: Instant(secondsSince1970: 1_772_964_000), offset: .hours(-7)),
      .init(instant: Instant(secondsSince1970: 1_793_523_600), offset: .hours(-8)),
    ])

  static func local(_ day: Int, _ month: Int, _ hour: Int, _ minute: Int = 0) -> Instant {
    losAngeles.reading(
      of: CivilTime(
        year: 2026, month: month, day: day,
        timeOfDay: TimeOfDay(milliseconds: Int64(hour * 60 + minute) * 60_000))
    ).instant
  }

  /// The basal reports of the 36 hours from noon before a day, as local times.
  static func reports(
    _ zone: ScheduleZone, day: Int, month: Int, _ schedule: [(hour: Int, rate: Int64)]
  ) throws -> [(end: String, units: InsulinAmount)] {
    let start = local(day - 1, month, 12)
    var bench = try Bench(schedule: schedule, from: start) {
      $0.clock = losAngeles
      $0.scheduleZone = zone
      $0.reporting.splitsLongSegments = false
    }
    bench.sendsGlucose = false
    try bench.run(until: start + .hours(37))
    return bench.app.segments.map {
      (losAngeles.iso8601($0.end), $0.units)
    }
  }

  @Test("H49, D82: overlay fills a gap with pieces cut at schedule borders and midnight")
  func fillsGaps() throws {
    let basal = try history([(0, 400), (12, 500)])
    let doses = [
      temp(1, at(23, 0), at(23, 30), id: "a"), temp(2, at(36, 30), at(37), id: "b"),
    ]
    let filled = doses.overlaying(basal, from: at(23), to: at(40))
    #expect(filled.map(\.kind) == [.tempBasal, .basal, .basal, .basal, .tempBasal])
    #expect(filled.map(\.end) == [at(23, 30), at(24), at(36), at(36, 30), at(37)])
    #expect(
      filled[1].syncIdentifier == "BasalRateSchedule 2026-03-08T23:30:00Z 2026-03-09T00:00:00Z")
    #expect(filled[2].unitsPerHour == 0.4)
    #expect(filled[3].unitsPerHour == 0.5)
  }

  @Test("Overlay keeps a dose that ends exactly at the end")
  func keepsADoseThatEndsAtTheEnd() throws {
    let doses = [temp(1, at(8), at(9), id: "a")]
    let basal = try history([(0, 400)])
    #expect(doses.overlaying(basal, from: at(8), to: at(9)).map(\.syncIdentifier) == ["a"])
    #expect(doses.overlaying(basal, from: at(8), to: at(8, 59)).isEmpty)
  }

  @Test("H50, D81: overlay adds nothing after the last dose and leaves out what still runs")
  func stopsAtTheLastDose() throws {
    let basal = try history([(0, 400)])
    let doses = [temp(1, at(9), at(9, 30)), temp(1, at(11, 50), at(12, 20), isMutable: true)]
    let filled = doses.overlaying(basal, from: at(8), to: at(12))
    #expect(filled.map(\.end) == [at(9), at(9, 30)])
    #expect(doses.overlaying(basal, from: at(8), to: at(12), insertingScheduled: false).count == 1)
  }

  @Test("Annotating shares a dose out over schedule pieces, with identifiers i/n")
  func annotates() throws {
    let basal = try history([(0, 400), (10, 500)])
    let parts = temp(1, at(9, 45), at(10, 15), id: "x").annotated(with: basal)
    #expect(parts.map(\.scheduledBasalRate) == [0.4, 0.5])
    #expect(parts.map(\.syncIdentifier) == ["x 1/2", "x 2/2"])
    let whole = temp(1, at(8), at(9), id: "y").annotated(with: basal)
    #expect(whole.map(\.syncIdentifier) == ["y"])
    #expect(mark(.suspend, at(12)).annotated(with: basal).map(\.scheduledBasalRate) == [0.5])
    let bolus = DoseEntry(.bolus, from: at(9), to: at(11), .units(1))
    #expect(bolus.annotated(with: basal) == [bolus])
  }

  @Test("H160: with a fixed offset the entry of 06:00 starts at 07:00 local, on the wall at 06:00")
  func startsByItsZone() throws {
    for (zone, time) in [
      (ScheduleZone.fixedOffset, "2026-03-08T07:00:00-07:00"),
      (.wallClock, "2026-03-08T06:00:00-07:00"),
    ] {
      let reports = try Self.reports(zone, day: 8, month: 3, [(0, 400), (6, 500)])
      #expect(reports[1].end == time)
    }
  }

  @Test("A fixed offset does not follow summer time: 06:00 is 07:00 on the wall from then on")
  func fixedOffsetStays() throws {
    let reports = try Self.reports(.fixedOffset, day: 8, month: 3, [(0, 400), (6, 500)])
    #expect(
      reports.map(\.end) == [
        "2026-03-08T00:00:00-08:00", "2026-03-08T07:00:00-07:00", "2026-03-09T01:00:00-07:00",
      ])
    #expect(reports.map(\.units.milliunits) == [6_000, 2_400, 9_000])
  }

  @Test("On the wall clock a day of 23 hours has 9.2 U at 0.4 U/h, one of 25 hours 10.0 U")
  func wallClockDays() throws {
    let short = try Self.reports(.wallClock, day: 8, month: 3, [(0, 400)])
    #expect(short.map(\.units.milliunits) == [4_800, 9_200])
    #expect(short.last?.end == "2026-03-09T00:00:00-07:00")
    let long = try Self.reports(.wallClock, day: 1, month: 11, [(0, 400)])
    #expect(long.map(\.units.milliunits) == [4_800, 10_000])
    #expect(long.last?.end == "2026-11-02T00:00:00-08:00")
  }

  @Test("An entry in the hour that is skipped begins when the hour is over")
  func skipsToTheNextHour() throws {
    let schedule = try DailySchedule([
      .init(start: .midnight, value: rate(400)),
      .init(start: TimeOfDay(milliseconds: 9_000_000), value: rate(500)),
    ])
    let basal = ScheduleHistory(schedule, from: at(0), on: Self.losAngeles)
    let pieces = basal.timeline(from: Self.local(8, 3, 0), to: Self.local(8, 3, 5)).segments
    #expect(pieces.map { Self.losAngeles.iso8601($0.start) }.last == "2026-03-08T03:00:00-07:00")
  }

  @Test("An entry in the hour that comes twice holds as the pump's clock shows it")
  func agreesWithThePump() throws {
    let schedule = try DailySchedule([
      .init(start: .midnight, value: rate(400)),
      .init(start: TimeOfDay(milliseconds: 5_400_000), value: rate(600)),
    ])
    let start = Self.local(1, 11, 0)
    let basal = ScheduleHistory(schedule, from: start, on: Self.losAngeles)
    var pump = try Pump(
      profile: .generic50, schedule: schedule, clock: Self.losAngeles, at: start)
    for minute in 1...240 as ClosedRange<Int64> {
      _ = pump.advance(to: start + .minutes(minute))
      #expect(basal.value(at: pump.now) == pump.basalRate)
    }
  }

  @Test("H7: a schedule saved anew is a program change and ends a segment there")
  func editsEndSegments() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    var therapy = bench.app.therapy
    therapy.basal = DailySchedule(always: rate(600))
    try bench.run(until: at(10))
    for command in bench.app.change(to: therapy, at: at(10)) { bench.send(command) }
    try bench.run(until: at(11, 30))
    bench.app.flush(to: &bench.store, at: at(11, 30))
    #expect(bench.app.segments.map(\.end) == [at(10), at(11, 30)])
    #expect(bench.app.segments.map(\.rate) == [rate(400), rate(600)])
    #expect(bench.app.segments.map(\.units.milliunits) == [400, 900])
  }

  @Test("The value at every instant is that of the timeline", arguments: [3, 11])
  func agreesWithItsTimeline(month: Int) throws {
    let schedule = try dailyRates([(0, 100), (1, 200), (2, 300), (3, 400), (17, 500)])
    let basal = ScheduleHistory(schedule, from: at(0), on: Self.losAngeles)
    let start = Self.local(month == 3 ? 7 : 31, month == 3 ? 3 : 10, 0)
    let timeline = basal.timeline(from: start, to: start + .days(3))
    for minute in stride(from: 0, to: 3 * 1_440, by: 7) as StrideTo<Int64> {
      let instant = start + .minutes(minute)
      #expect(timeline.value(at: instant) == basal.value(at: instant))
    }
  }

  @Test("H193: the settings at an instant are the latest not after it; the newest never expire")
  func keepsSettings() throws {
    var settings = therapy(basal: DailySchedule(always: rate(400)))
    var store = SettingsStore(settings, at: at(1))
    let same = store.store(settings, at: at(2))
    settings.maximumBolus = .milliunits(5_000)
    let other = store.store(settings, at: at(3))
    #expect([same, other] == [false, true])
    #expect(store.settings(at: at(2))?.maximumBolus == .milliunits(10_000))
    #expect(store.settings(at: at(3))?.maximumBolus == .milliunits(5_000))
    #expect(store.settings(at: at(99))?.maximumBolus == .milliunits(5_000))
    #expect(store.settings(at: at(0)) == nil)
    store.purge(before: at(2))
    #expect(store.snapshots.map(\.date) == [at(1), at(3)])
    store.purge(before: at(99))
    #expect(store.snapshots.map(\.date) == [at(3)])
  }

  @Test("Settings saved at an earlier time, or as a history begins, hold from then on")
  func savedEarlier() throws {
    let (low, high) = (try dailyRates([(0, 400)]), try dailyRates([(0, 500)]))
    func values(_ basal: ScheduleHistory<InsulinRate>) -> [Int64] {
      [7, 9, 11].map { basal.value(at: at($0)).milliunitsPerHour }
    }
    var basal = ScheduleHistory(low, from: midnight, on: .utc)
    basal.replace(with: high, from: at(10), on: .utc)
    #expect(values(basal) == [400, 400, 500])
    // The phone's clock was set back by two hours, and the same is saved again, or the first.
    var back = basal
    back.replace(with: high, from: at(8), on: .utc)
    #expect(values(back) == [400, 500, 500])
    basal.replace(with: low, from: at(8), on: .utc)
    #expect(values(basal) == [400, 400, 400] && basal.editions.count == 1)
    basal.replace(with: high, from: midnight, on: .utc)
    #expect(values(basal) == [500, 500, 500] && basal.editions.count == 1)
  }
}
