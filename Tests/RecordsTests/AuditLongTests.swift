import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Records of many years, and of clocks that were not set")
struct AuditLongTests {
  private func units(_ audit: Audit) -> [String: Double] {
    Dictionary(
      audit.days.filter { $0.plain > 0 }.map { ($0.date, $0.plain) }, uniquingKeysWith: +)
  }

  @Test("A reading of a clock that was not set hides none of the days that count")
  func strayReading() throws {
    var maker = RecordMaker()
    // 2000-01-01 is 9,559 days before 2026-03-04.
    maker.glucose(120, .days(-9_559))
    maker.bolus(2, .hours(10))
    maker.bolus(3, .days(1) + .hours(10))
    maker.bolus(3, .days(1) + .hours(10), by: "Other")
    let audit = Audit(maker.samples)
    #expect(units(audit) == ["2026-03-04": 2, "2026-03-05": 6])
    #expect(audit.days.map(\.date) == ["2000-01-01", "2026-03-04", "2026-03-05"])
    #expect(audit.days.map(\.reconciled) == [0, 2, 3])
    let lines = AuditText.lines(audit, file: "a")
    // Of 9,559 days from the first to the last but one, one is listed.
    #expect(
      lines.contains(
        "  9558 days of stretches of more than a month in which nothing is recorded are left out."),
      "\(lines)")
    #expect(AuditText.headline(audit).contains("The samples of 2026-03-05 add up to 6 U"))
  }

  @Test("Of a record in which all was written at once it is not said that it tells no times")
  func writtenAtOnce() {
    var maker = RecordMaker()
    maker.bolus(2, .hours(10))
    let atOnce =
      "Late writing: by the record each sample was written as it began or ended, which is also "
      + "taken where it does not say when."
    #expect(Audit(maker.samples).notJudged.contains(atOnce))
    maker.bolus(3, .hours(12), written: .hours(12) + .seconds(90))
    #expect(!Audit(maker.samples).notJudged.contains { $0.hasPrefix("Late writing") })
  }

  @Test("A record of twelve years has the totals and the insulin on board of its last day")
  func twelveYears() throws {
    var maker = RecordMaker()
    let last: Int64 = 12 * 365
    for day in 0...last { maker.bolus(1, .days(day) + .hours(8)) }
    maker.bolus(4, .days(last) + .hours(12))
    maker.bolus(4, .days(last) + .hours(12), by: "Other")
    maker.glucose(120, .days(last) + .hours(23))
    let audit = Audit(maker.samples)
    #expect(audit.days.count == Int(last) + 1)
    #expect(audit.days.last?.plain == 9 && audit.days.last?.reconciled == 5)
    let worst = try #require(audit.insulinOnBoard.largest)
    #expect(worst.instant == RecordMaker.midnight + .days(last) + .hours(12))
    #expect(abs(worst.all - worst.reconciled - 4) < 1e-9)
  }

  @Test("Empty days within a month are listed, and insulin on board goes on over them")
  func shortGap() {
    var maker = RecordMaker()
    maker.bolus(2, .hours(10))
    maker.bolus(2, .days(20) + .hours(10))
    let audit = Audit(maker.samples)
    #expect(audit.days.count == 21)
    // Every five minutes of twenty days, with both ends.
    #expect(audit.insulinOnBoard.points.count == 20 * 288 + 1)
    #expect(!AuditText.lines(audit, file: "a").contains { $0.contains("left out") })
  }

  @Test("Before a pause of months insulin on board is told for as long as a bolus acts")
  func actsIntoAPause() {
    var maker = RecordMaker()
    maker.bolus(2, .hours(10))
    maker.bolus(2, .days(60) + .hours(10))
    let instants = Audit(maker.samples).insulinOnBoard.points.map(\.instant)
    // Six hours and ten minutes are 74 steps of five minutes.
    let first = (0...74).map { RecordMaker.midnight + .hours(10) + .minutes(5) * Int64($0) }
    #expect(instants == first + [RecordMaker.midnight + .days(60) + .hours(10)])
  }

  @Test(
    "What a record ends with at midnight is of the day that begins there",
    arguments: [1, 40] as [Int64])
  func endsAtMidnight(days: Int64) throws {
    var maker = RecordMaker()
    maker.bolus(1.5, .hours(10))
    maker.glucose(120, .days(days))
    maker.bolus(2.5, .days(days))
    let audit = Audit(maker.samples)
    let last = try #require(audit.days.last)
    #expect(last.start == RecordMaker.midnight + .days(days))
    #expect(last.plain == 2.5 && last.reconciled == 2.5 && last.readings == 1)
    #expect(audit.days.reduce(0) { $0 + $1.plain } == 4)
  }

  @Test(
    "No basal is missing up to a date that is wrong, nor from one on", arguments: [-9_559, 13_087])
  func strayBolus(day: Int64) {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(1, .days(day))
    let ends = Audit(maker.samples).findings.filter {
      $0.kind == .basalEnds || $0.kind == .basalBegins
    }
    #expect(ends.isEmpty, "\(ends)")
  }

  @Test("A date that is wrong is no day of which an amount a day is the mean")
  func strayDay() {
    var maker = RecordMaker()
    maker.day()
    maker.day(from: 1)
    maker.bolus(1, .days(-9_559) + .hours(3))
    let audit = Audit(maker.samples)
    #expect(audit.wholeDays.map(\.date) == ["2026-03-04", "2026-03-05"])
    // 48 segments of 0.3 U.
    #expect(abs(audit.amount(\.plain) - 14.4) < 1e-9)
  }

  @Test("Basal is missing while something else is recorded, and not in the pause after that")
  func missingBeforeAPause() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(1, .hours(30))
    maker.food(15, .days(300))
    maker.food(15, .days(300) + .hours(2))
    let audit = Audit(maker.samples)
    let found = try #require(audit.findings.first { $0.kind == .basalEnds })
    // Six hours after the last basal, and two after the pause, at 0.6 U/h.
    #expect(found.occurrences.map { $0.end - $0.start } == [.hours(6), .hours(2)])
    #expect(abs(found.amount + 4.8) < 1e-9)
    #expect(found.cause == "The last basal of Loop ends 299d2h before the record does.")
  }

  @Test("Basal that ends at midnight, and what is asked for until then, begin no other day")
  func noDayAfterMidnight() {
    var maker = RecordMaker()
    maker.day()
    #expect(Audit(maker.samples).days.map(\.date) == ["2026-03-04"])
    maker.bolus(2, .days(1))
    let part = Audit(maker.samples, .init(to: RecordMaker.midnight + .days(1)))
    #expect(part.days.map(\.date) == ["2026-03-04"])
  }

  @Test("A source of glucose alone has as many samples as it has readings")
  func countsReadings() throws {
    var maker = RecordMaker()
    for step in 0..<7 as Range<Int64> { maker.glucose(120, .minutes(5) * step) }
    maker.bolus(2, .hours(1))
    maker.food(20, .hours(1))
    let audit = Audit(maker.samples)
    #expect(audit.sources.map { "\($0.name) \($0.samples)" }.sorted() == ["CGM 7", "Loop 2"])
  }
}
