import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("What the schedule gave where basal is missing")
struct AuditScheduleTests {
  private func missing(_ maker: RecordMaker, _ options: Audit.Options = .init()) throws -> Double {
    let found = try #require(Audit(maker.samples, options).findings.first { $0.kind == .gap })
    return -found.amount
  }

  /// 1 U/h from midnight on, and another rate from a time of day.
  private func schedule(_ rate: Double, from start: TimeOfDay) throws -> DailySchedule<Double> {
    try DailySchedule([.init(start: .midnight, value: 1), .init(start: start, value: rate)])
  }

  @Test("A segment that passes midnight tells the rate of the whole night")
  func night() throws {
    var maker = RecordMaker()
    maker.basal(8, .hours(22), .hours(30), scheduled: 1)
    maker.basal(32, .hours(30), .hours(46), scheduled: 2)
    maker.basal(32, .hours(54), .hours(70), scheduled: 2)
    // The second night, from 22:00 to 06:00 at 1 U/h.
    #expect(abs(try missing(maker) - 8) < 1e-9)
  }

  @Test("The rate of a segment holds before its end, and not at it")
  func end() throws {
    var maker = RecordMaker()
    maker.basal(6, .zero, .hours(6), scheduled: 1)
    maker.basal(36, .hours(6), .hours(24), scheduled: 2)
    maker.basal(6, .hours(24), .hours(30), scheduled: 1)
    maker.basal(34, .hours(31), .hours(48), scheduled: 2)
    // The second day, from 06:00 to 07:00 at 2 U/h.
    #expect(abs(try missing(maker) - 2) < 1e-9)
  }

  @Test("A gap over a change of the schedule has both rates, wherever it begins")
  func change() throws {
    var maker = RecordMaker()
    maker.basal(5.75, .zero, .minutes(345), scheduled: nil)
    maker.basal(35.5, .minutes(375), .hours(24), scheduled: nil)
    let six = try #require(TimeOfDay(hour: 6, minute: 0))
    let odd = try #require(TimeOfDay(hour: 6, minute: 10))
    // From 05:45 to 06:15: a quarter of an hour at 1 U/h and one at 2 U/h.
    #expect(abs(try missing(maker, .init(schedule: try schedule(2, from: six))) - 0.75) < 1e-9)
    // 25 minutes at 1 U/h, and 5 at 4 U/h.
    #expect(abs(try missing(maker, .init(schedule: try schedule(4, from: odd))) - 0.75) < 1e-9)
  }

  @Test("A gap over a change that samples state has both rates, wherever the change is")
  func changeStated() throws {
    var maker = RecordMaker()
    for day in 0..<3 as Range<Int64> {
      let start = TimeSpan.days(1) * day
      let isShort = day == 1
      maker.basal(1, start, start + .minutes(isShort ? 370 : 380), scheduled: 1)
      maker.basal(4, start + .minutes(isShort ? 390 : 380), start + .days(1), scheduled: 4)
    }
    // From 06:10 to 06:30: ten minutes at 1 U/h and ten at 4 U/h.
    #expect(abs(try missing(maker) - 50.0 / 60) < 1e-9)
  }

  @Test("A gap of a time of day that no sample states has the rates of both of its sides by half")
  func halves() throws {
    var maker = RecordMaker()
    maker.basal(1, .zero, .minutes(370), scheduled: 1)
    maker.basal(4, .minutes(391), .days(1), scheduled: 4)
    // From 06:10 to 06:31: 10.5 minutes at 1 U/h and 10.5 at 4 U/h.
    #expect(abs(try missing(maker) - 52.5 / 60) < 1e-9)
  }

  @Test("In a gap of days each day has the schedule of the nearest", arguments: [4, 8_000])
  func nearestSide(days: Int64) throws {
    var maker = RecordMaker()
    maker.basal(24, .zero, .days(1), scheduled: 1)
    maker.basal(48, .days(days + 1), .days(days + 2), scheduled: 2)
    // The first half of the days at 24 U, the second at 48 U.
    #expect(abs(try missing(maker) - Double(days * 36)) < 1e-5)
  }

  /// A day at 0.6 U/h and two at 1.2 U/h, of the last of which the hour from noon on is missing.
  private func changed(stating: Bool = true) -> RecordMaker {
    var maker = RecordMaker()
    for hour in 0..<72 as Range<Int64> where hour != 60 {
      let rate = hour < 24 ? 0.6 : 1.2
      maker.basal(rate, .hours(hour), .hours(hour + 1), scheduled: stating ? rate : nil)
    }
    return maker
  }

  @Test("Where a schedule was changed that of the nearest day counts")
  func nearestDay() throws {
    #expect(abs(try missing(changed()) - 1.2) < 1e-9)
    // The day before is no part of what is asked for, and has the rate of noon.
    let from = RecordMaker.midnight + .hours(59)
    #expect(abs(try missing(changed(), .init(from: from)) - 1.2) < 1e-9)
  }

  @Test("What the samples state counts before a schedule that is given, which is told")
  func statedFirst() throws {
    let given = try schedule(5, from: try #require(TimeOfDay(hour: 6, minute: 0)))
    #expect(abs(try missing(changed(), .init(schedule: given)) - 1.2) < 1e-9)
    #expect(abs(try missing(changed(stating: false), .init(schedule: given)) - 5) < 1e-9)
    let told = [true, false].map { isStating in
      Audit(changed(stating: isStating).samples, .init(schedule: given)).notJudged
        .contains { $0.hasPrefix("Profile: the samples state the schedule themselves") }
    }
    #expect(told == [true, false])
  }

  @Test("For times of the day of which no sample states the schedule that counts which is given")
  func givenBeside() throws {
    var maker = RecordMaker()
    maker.day(without: [24, 25])
    let given = try schedule(5, from: try #require(TimeOfDay(hour: 12, minute: 30)))
    // Half an hour at 1 U/h and half an hour at 5 U/h; without it an hour at 0.6 U/h.
    #expect(abs(try missing(maker, .init(schedule: given)) - 3) < 1e-9)
    #expect(abs(try missing(maker) - 0.6) < 1e-9)
    let told = Audit(maker.samples, .init(schedule: given)).notJudged
    #expect(
      told.contains(
        "Profile: the samples state the schedule themselves, so that of --profile counts only for "
          + "times of the day of which they do not."), "\(told)")
  }

  @Test("A temp basal that does not state the schedule counts against that which others state")
  func unstatedTemp() throws {
    var maker = RecordMaker()
    maker.day(without: [24, 25])
    maker.basal(1.6, .hours(12), .hours(13), scheduled: nil, temp: 1.6)
    let points = Audit(maker.samples).insulinOnBoard.points
    let point = try #require(points.first { $0.instant == RecordMaker.midnight + .hours(14) })
    // Of 1 U above the 0.6 U/h of the schedule, from 12:00 to 13:00, 0.652437 U are left at 14:00:
    // LoopKit's exponential model of 360 min with its peak at 75 min and a delay of 10 min.
    #expect(abs(point.all - 0.652437) < 1e-5)
  }

  @Test(
    "What is missing between thousands of temp basals is found at once", .timeLimit(.minutes(1)))
  func manyTemps() throws {
    var maker = RecordMaker()
    for index in 0..<20_000 as Range<Int64> {
      let start = TimeSpan.hours(2) * index
      maker.basal(0.5, start, start + .minutes(30), temp: 1)
    }
    let found = Audit(maker.samples).findings.first { $0.kind == .scheduleMissing }
    // An hour and a half at 0.6 U/h between any two.
    #expect(abs(try #require(found).amount + 19_999 * 0.9) < 1e-5)
  }

  /// 1 U/h, and 5 U/h from two to three o'clock, which come twice on the first of three nights.
  @Test("A gap of days that begins as clocks are set back has that hour twice once")
  func clockSetBack() throws {
    var maker = RecordMaker()
    maker.basal(11, .zero, .hours(11), scheduled: nil)
    maker.basal(6, .hours(84), .hours(90), scheduled: nil)
    let clock = WallClock(
      initialOffset: .hours(1),
      transitions: [.init(instant: RecordMaker.midnight + .hours(26), offset: .zero)])
    let schedule = try DailySchedule([
      .init(start: .midnight, value: 1.0),
      .init(start: try #require(TimeOfDay(hour: 2, minute: 0)), value: 5),
      .init(start: try #require(TimeOfDay(hour: 3, minute: 0)), value: 1),
    ])
    // 73 hours, and 4 U more in each of four of them.
    #expect(abs(try missing(maker, .init(clock: clock, schedule: schedule)) - 89) < 1e-9)
  }

  @Test("The same time on the day before is sought nearby, also where it shows another date")
  func clockSetForward() throws {
    // A day at 1 U/h, one of 23 hours at 2 U/h, and one at 2 U/h whose first half hour is missing:
    // 24 hours before that the clock shows 23:00 of the first day.
    var maker = RecordMaker()
    maker.basal(24, .zero, .hours(24), scheduled: 1)
    maker.basal(46, .hours(24), .hours(47), scheduled: 2)
    maker.basal(47, .minutes(47 * 60 + 30), .hours(71), scheduled: 2)
    let clock = WallClock(
      initialOffset: .zero,
      transitions: [.init(instant: RecordMaker.midnight + .hours(27), offset: .hours(1))])
    #expect(abs(try missing(maker, .init(clock: clock)) - 1) < 1e-9)
  }

  @Test("What a source repeats is told once where the other source overlaps itself")
  func overlap() throws {
    var maker = RecordMaker()
    maker.basal(2, .zero, .hours(2), scheduled: 1)
    maker.basal(2, .hours(1), .hours(3), scheduled: 1)
    maker.basal(21, .hours(3), .hours(24), scheduled: 1)
    maker.basal(1, .hours(1), .hours(2), scheduled: 1, by: "Copy")
    maker.basal(1, .hours(5), .hours(6), scheduled: 1, by: "Copy")
    let audit = Audit(maker.samples)
    let copied = try #require(audit.findings.first { $0.kind == .duplicateAcross })
    #expect(abs(copied.amount - 2) < 1e-9)
    // 27 U, of which 2 are the copy's and 1 is the overlap of the first.
    #expect(abs(audit.days[0].twice - 3) < 1e-9)
  }
}
