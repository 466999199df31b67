import Dosing
import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Records

@Suite("The audit of a record")
struct AuditTests {
  private func audit(
    _ maker: RecordMaker, _ options: Audit.Options = .init()
  ) -> Audit { Audit(maker.samples, options) }

  private func finding(_ audit: Audit, _ kind: AuditFinding.Kind) throws -> AuditFinding {
    try #require(audit.findings.first { $0.kind == kind }, "\(audit.findings.map(\.kind))")
  }

  private func time(_ span: TimeSpan) -> Instant { RecordMaker.midnight + span }

  @Test("A record that adds up has no finding above a note")
  func clean() {
    var maker = RecordMaker()
    maker.day()
    for hour in [7, 12, 18] as [Int64] { maker.bolus(2.5, .hours(hour)) }
    let result = audit(maker)
    #expect(!result.contains(.check))
    #expect(AuditText.headline(result).hasPrefix("The record adds up: 21.9 U a day from 1 source"))
    #expect(abs(result.days[0].plain - 21.9) < 1e-9)
    #expect(result.insulinOnBoard.largest == nil)
  }

  @Test("A gap is missing by the schedule, at its time")
  func gap() throws {
    var maker = RecordMaker()
    maker.day(without: [4, 5])
    let found = try finding(audit(maker), .gap)
    #expect(found.severity == .fault)
    #expect(found.start == time(.hours(2)))
    #expect(found.end == time(.hours(3)))
    #expect(abs(found.amount + 0.6) < 1e-9)
  }

  @Test("Overlapping segments of one source are counted twice by their shared part")
  func overlap() throws {
    var maker = RecordMaker()
    maker.day()
    maker.basal(0.2, .minutes(70), .minutes(80))
    let result = audit(maker)
    let found = try finding(result, .overlap)
    #expect(abs(found.amount - 0.2) < 1e-9)
    #expect(abs(result.days[0].twice - 0.2) < 1e-9)
  }

  @Test("Two uploaders: six boluses again 20 seconds later, basal again for an afternoon")
  func twoUploaders() throws {
    var maker = RecordMaker()
    maker.day()
    for hour in 1...6 as ClosedRange<Int64> {
      maker.bolus(1.5, .hours(hour))
      maker.bolus(1.5, .hours(hour) + .seconds(20), by: "Cloud")
    }
    for half in 24..<32 as Range<Int64> {
      maker.basal(0.3, .minutes(30) * half, .minutes(30) * (half + 1), by: "Cloud")
    }
    let result = audit(maker)
    let twice = result.findings.filter { $0.kind == .duplicateAcross }
    #expect(twice.map(\.title) == ["Boluses counted twice", "Basal counted twice"])
    #expect(abs(twice[0].amount - 9) < 1e-9)
    #expect(twice[0].occurrences.count == 6)
    #expect(abs(twice[1].amount - 2.4) < 1e-9)
    #expect(twice[1].start == time(.hours(12)))
    #expect(twice[1].end == time(.hours(16)))
    let day = result.days[0]
    #expect(abs(day.plain - 34.8) < 1e-9)
    #expect(abs(day.reconciled - 23.4) < 1e-9)
    #expect(
      AuditText.headline(result)
        == "The samples of 2026-03-04 add up to 34.8 U; 11.4 U of it are counted twice")
    #expect(result.sources.map(\.role) == [.dosing, .copies])
  }

  @Test("A copy within one source is found by time and units; versions by their identifier")
  func within() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(2, .hours(9))
    maker.bolus(2, .hours(9))
    maker.bolus(1, .hours(10), sync: "a")
    maker.bolus(1.2, .hours(10), sync: "a")
    let result = audit(maker)
    #expect(abs(try finding(result, .duplicateWithin).amount - 2) < 1e-9)
    // Of two samples of one version the first counts: a store would not have taken the 1.2 U.
    #expect(abs(try finding(result, .syncConflict).amount - 1.2) < 1e-9)
    // 14.4 U of basal, 2 U of two, and 1 U.
    #expect(abs(result.days[0].plain - 20.6) < 1e-9)
    #expect(abs(result.days[0].reconciled - 17.4) < 1e-9)
  }

  @Test("A bolus of 67 U/h written as basal is no rate")
  func impossibleRate() throws {
    var maker = RecordMaker()
    maker.day(without: [25])
    maker.basal(2.05, .minutes(750), .milliseconds(750 * 60_000 + 110_000))
    maker.basal(0.3, .milliseconds(750 * 60_000 + 110_000), .minutes(780))
    let found = try finding(audit(maker), .impossibleRate)
    #expect(found.cause.hasPrefix("67.09 U/h"))
    #expect(found.severity == .fault)
  }

  @Test("What is late, long, mute, negative or off the pulse is named")
  func singleDoses() throws {
    var maker = RecordMaker()
    maker.day()
    for hour in 1...8 as ClosedRange<Int64> { maker.bolus(1, .hours(hour)) }
    maker.bolus(2.4, .hours(18), written: .hours(20) + .minutes(57))
    maker.bolus(1.23, .hours(19))
    maker.bolus(3, .hours(20), hasReason: false)
    maker.basal(30, .days(2), .days(3) + .minutes(1), scheduled: nil)
    let result = audit(maker, Audit.Options(pulse: 0.05))
    let late = try finding(result, .late)
    #expect(late.severity == .check)
    #expect(late.consequence.contains("2.4 U"))
    #expect(try finding(result, .unlabelled).amount == 3)
    #expect(abs(try finding(result, .offPulse).amount - (-0.02)) < 1e-9)
    #expect(try finding(result, .longSample).severity == .check)
  }

  @Test("A pen is expected, and the store's own total leaves it out where the pump covers the time")
  func pen() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(1.5, .hours(22), by: "Pen", isByHand: true)
    maker.food(20, .hours(12), by: "Diary")
    let result = audit(maker)
    #expect(try finding(result, .foreignInsulin).severity == .expected)
    #expect(try finding(result, .foreignCarbs).amount == 20)
    let day = result.days[0]
    #expect(abs(day.foreign - 1.5) < 1e-9)
    #expect(abs(day.plain - day.storeOwn - 1.5) < 1e-9)
    #expect(abs(day.reconciled - day.plain) < 1e-9)
  }

  @Test("A bolus that no pump and no pen gives is a fault")
  func huge() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(100, .hours(12))
    #expect(audit(maker).findings.allSatisfy { $0.kind != .impossibleRate })
    maker.bolus(500, .hours(14))
    let found = try finding(audit(maker), .impossibleRate)
    #expect(found.severity == .fault && found.amount == 500)
    #expect(found.cause == "1 sample holds more than 100 U, up to 500 U.")
  }

  @Test("Food that two apps wrote is there twice, and a backtest is told so")
  func foodOfTwo() throws {
    var maker = RecordMaker()
    maker.day()
    maker.food(40, .hours(12))
    maker.food(40, .hours(12) + .seconds(60), by: "Diary")
    maker.food(30, .hours(14), by: "Diary")
    let found = try finding(audit(maker), .duplicateAcross)
    #expect(found.quantity == .carbohydrates && found.amount == 40)
    #expect(found.sources == ["Loop", "Diary"])
    #expect(AuditText.headline(audit(maker)) == "The record has 1 fault: food counted twice")
    maker.bolus(2, .hours(12))
    maker.bolus(2, .hours(12) + .seconds(20), by: "Cloud")
    // 2 U of insulin come before 40 g of food.
    #expect(
      audit(maker).findings.map(\.title).prefix(2)
        == ["Boluses counted twice", "Food counted twice"])
    #expect(
      BacktestText.twice(Audit.copies(in: maker.samples))
        == "The record holds 2 U of insulin and 40 g of carbohydrates twice, and every cycle "
        + "counts them twice; 'loopsim audit' names them.")
    var single = RecordMaker()
    single.day()
    #expect(BacktestText.twice(Audit.copies(in: single.samples)) == nil)
  }

  @Test("Food that is there twice is counted in grams, and changes no insulin")
  func foodTwice() throws {
    var maker = RecordMaker()
    maker.day()
    maker.food(40, .hours(12))
    maker.food(40, .hours(12))
    let result = audit(maker)
    let found = try finding(result, .duplicateWithin)
    #expect(found.quantity == .carbohydrates)
    #expect(found.amount == 40)
    #expect(found.change == nil)
    #expect(
      AuditText.headline(result) == "The record has 1 fault: food is there twice in one source")
    let lines = AuditText.lines(result, file: "f")
    #expect(
      lines.contains(
        "  1. Food is there twice in one source [fault, duplicateWithin], +40 g (Loop)"))
    #expect(lines.contains("     2026-03-04T12:00:00Z, 40 g"))
    #expect(
      found.cause == "1 sample of Loop stands twice, with the same time and grams.")
    let json = result.json(file: "f")["findings"]?.items?.first
    #expect(json?["grams"] == .number(40))
    #expect(json?["units"] == nil)
  }

  @Test("Food and a bolus that are each there twice change insulin on board by the bolus alone")
  func bothTwice() throws {
    var maker = RecordMaker()
    maker.day()
    for _ in 0..<2 {
      maker.food(40, .hours(12))
      maker.bolus(4, .hours(12))
    }
    let found = audit(maker).findings.filter { $0.kind == .duplicateWithin }
    #expect(found.map(\.quantity) == [.insulin, .carbohydrates])
    #expect(abs(try #require(found[0].change).units - 4) < 1e-9)
    #expect(found[1].change == nil)
  }

  @Test("A record of hours tells what it holds, and not an amount a day")
  func hours() {
    var maker = RecordMaker()
    maker.basal(1.2, .hours(14), .hours(16))
    #expect(
      AuditText.headline(audit(maker))
        == "The record adds up: 1.2 U in 2h from 1 source, nothing twice")
  }

  @Test("Days that the record covers in part count in no amount a day")
  func cutDays() {
    var maker = RecordMaker()
    for day in 1...3 as ClosedRange<Int64> { maker.day(from: day) }
    for half in [46, 47] as [Int64] {
      maker.basal(0.3, .minutes(30) * half, .minutes(30) * (half + 1))
    }
    let result = audit(maker)
    #expect(result.insulinDays.count == 4)
    #expect(result.wholeDays.map(\.date) == ["2026-03-05", "2026-03-06", "2026-03-07"])
    #expect(AuditText.headline(result).hasPrefix("The record adds up: 14.4 U a day from 1 source"))
  }

  @Test("Units that are not what the rate amounts to are something to check")
  func mismatch() {
    var maker = RecordMaker()
    maker.basal(0, .hours(14), .hours(18))
    let result = audit(maker)
    #expect(
      AuditText.headline(result)
        == "The record has no fault and 1 thing to check; 0 U in 4h from 1 source, nothing twice")
    #expect(
      result.findings[0].cause
        == "1 segment differs from rate times time by more than pulses explain.")
  }

  @Test("Missing basal leads, and what else is a fault is counted")
  func missingAndMore() {
    var maker = RecordMaker()
    maker.day(without: [4, 5])
    maker.food(40, .hours(12))
    maker.food(40, .hours(12))
    #expect(
      AuditText.headline(audit(maker))
        == "The record lacks 0.6 U of basal, and has 1 other fault")
  }

  @Test("Nothing missing is 0 and not -0")
  func noNegativeZero() {
    var maker = RecordMaker()
    for minute in stride(from: 0, through: 1_440, by: 5) as StrideThrough<Int64> {
      maker.glucose(100 + Double(minute % 7), .minutes(minute))
    }
    maker.basal(6, .hours(14), .hours(24))
    let result = audit(maker)
    #expect(result.findings.contains { $0.kind == .basalBegins })
    #expect(!JSONWriter().text(result.json(file: "f")).contains("-0.0"))
  }

  @Test("Temp basals alone are an uploader that writes no schedule")
  func scheduleMissing() throws {
    var maker = RecordMaker()
    for hour in 0..<12 as Range<Int64> {
      maker.basal(0.5, .hours(2 * hour), .hours(2 * hour) + .minutes(30), temp: 1)
    }
    let found = try finding(audit(maker), .scheduleMissing)
    #expect(found.severity == .check)
    #expect(abs(found.amount + 11 * 1.5 * 0.6) < 1e-9)
    #expect(AuditText.headline(audit(maker)).hasSuffix("nothing twice, without scheduled basal"))
  }

  @Test("Glucose: a gap, a sensor that stands still and jumps, and two sources")
  func glucose() throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<120 as Range<Int64> where !(40..<50).contains(step) {
      let value = (60..<70).contains(step) ? 140.0 : 100 + Double(step % 7)
      maker.glucose(value, .minutes(5) * step)
      maker.glucose(value + 5, .minutes(5) * step + .seconds(30), by: "Other")
    }
    let result = audit(maker)
    #expect(try finding(result, .glucoseGap).occurrences.count == 1)
    #expect(try finding(result, .glucoseStuck).severity == .check)
    #expect(try finding(result, .glucosePair).cause.contains("differ by 5 mg/dL, SD 0."))
  }

  @Test("Two sources of glucose: which follows, which is smoothed, which writes hours later")
  func glucosePair() throws {
    var maker = RecordMaker()
    maker.day()
    // Up and down in two hours with noise of 1 mg/dL; its mean of three readings, ten minutes on.
    func value(_ step: Int64) -> Double {
      let height = step % 24 < 12 ? step % 12 : 12 - step % 12
      return 100 + 80 * Double(height) / 12 + (step % 2 == 0 ? 1 : -1)
    }
    for step in 4..<240 as Range<Int64> {
      let time = TimeSpan.minutes(5) * step
      maker.glucose(value(step), time, written: time + .seconds(20))
      let smooth = (value(step - 3) + value(step - 2) + value(step - 1)) / 3
      maker.glucose(
        smooth, time + .seconds(10), by: "Vendor", written: time + .hours(3) + .minutes(1))
    }
    let pair = try finding(audit(maker), .glucosePair)
    #expect(pair.severity == .note)
    #expect(pair.cause.contains("Vendor follows CGM by 10 min"), "\(pair.cause)")
    #expect(pair.cause.contains("Vendor is smoothed"), "\(pair.cause)")
    #expect(pair.cause.contains("Vendor writes its readings three hours later"))
  }

  @Test("Samples that name another time zone are a journey")
  func zones() throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<40 as Range<Int64> {
      let zone = step < 25 ? "Europe/Berlin" : "America/New_York"
      maker.glucose(100 + Double(step % 3), .minutes(5) * step, zone: zone)
    }
    let found = try finding(audit(maker), .clockChange)
    #expect(found.severity == .note)
    #expect(found.start == RecordMaker.midnight + .minutes(120))
    #expect(found.end == RecordMaker.midnight + .minutes(125))
    #expect(found.cause.contains("Europe/Berlin"))
  }

  @Test("Insulin on board is that of the algorithm on the same doses")
  func insulinOnBoard() throws {
    var maker = RecordMaker()
    maker.basal(1, .zero, .minutes(30), scheduled: 0.6, temp: 2)
    maker.basal(0.3, .minutes(30), .minutes(60))
    maker.bolus(2, .minutes(40))
    maker.bolus(2, .minutes(40), by: "Cloud")
    let result = audit(maker, Audit.Options(to: RecordMaker.midnight + .hours(3)))
    let start = RecordMaker.midnight
    let basal = [
      AlgorithmInput.ScheduleEntry(startDate: start, endDate: start + .days(1), value: 0.6)
    ]
    let doses = [
      AlgorithmInput.InsulinDose(
        type: .basal, startDate: start, endDate: start + .minutes(30), volume: 1,
        insulinModel: .rapidActingAdult),
      .init(
        type: .bolus, startDate: start + .minutes(40), endDate: start + .minutes(40), volume: 2,
        insulinModel: .rapidActingAdult),
    ]
    for point in result.insulinOnBoard.points {
      let expected = try LoopAlgorithm.insulinOnBoard(of: doses, basal: basal, at: point.instant)
      #expect(abs(point.reconciled - expected) < 1e-9)
    }
    let worst = try #require(result.insulinOnBoard.largest)
    #expect(worst.all - worst.reconciled > 1.9)
  }

  @Test("The order of samples, a file twice and a file in two parts change nothing")
  func order() throws {
    var maker = RecordMaker()
    maker.day(without: [4])
    for hour in 1...6 as ClosedRange<Int64> {
      maker.bolus(1.5, .hours(hour))
      maker.bolus(1.5, .hours(hour) + .seconds(20), by: "Cloud")
    }
    let text = JSONWriter().text(audit(maker).json(file: "a"))
    var shuffled = maker
    shuffled.samples = Array(maker.samples.reversed()) + maker.samples
    #expect(JSONWriter().text(audit(shuffled).json(file: "a")) == text)
  }

  @Test("The text names the kind, the amount and the time of every finding")
  func text() {
    var maker = RecordMaker()
    maker.day(without: [4, 5])
    maker.bolus(2, .hours(9))
    maker.bolus(2, .hours(9))
    let lines = AuditText.lines(audit(maker), file: "record.json")
    #expect(
      lines[0] == "The samples of 2026-03-04 add up to 17.8 U; 2 U of it are counted twice.")
    #expect(lines.contains { $0.contains("[fault, gap], -0.6 U (Loop)") })
    #expect(lines.contains { $0.contains("2026-03-04T02:00:00Z to 2026-03-04T03:00:00Z, -0.6 U") })
    #expect(lines.last?.hasPrefix("Not a medical device.") == true)
  }
}
