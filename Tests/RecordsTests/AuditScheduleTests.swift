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
