import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("The audit of a part of a record")
struct AuditPartTests {
  private func time(_ span: TimeSpan) -> Instant { RecordMaker.midnight + span }

  private func finding(_ audit: Audit, _ kind: AuditFinding.Kind) throws -> AuditFinding {
    try #require(audit.findings.first { $0.kind == kind }, "\(audit.findings.map(\.kind))")
  }

  /// A day of basal with a bolus from 11:00 to 19:00.
  private var dayWithLongBolus: RecordMaker {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(4, .hours(11), lasting: .hours(8))
    return maker
  }

  @Test("The rest of a bolus before or after what is asked for is no time without basal")
  func ends() {
    let samples = dayWithLongBolus.samples
    #expect(!Audit(samples, .init(to: time(.hours(12)))).contains(.basalEnds))
    let late = Audit(samples, .init(from: time(.hours(13))))
    #expect(!late.contains(.basalBegins))
    // The first point is that of the time that is asked for, too.
    #expect(late.insulinOnBoard.points.first?.instant == time(.hours(13)))
  }

  @Test("A temp basal that ends with a bolus going on has no scheduled basal before it begins")
  func scheduleBefore() throws {
    var maker = RecordMaker()
    maker.bolus(1, .hours(1), lasting: .hours(2))
    maker.basal(0.5, .hours(3), .hours(4), temp: 0.5)
    let found = try finding(
      Audit(maker.samples, .init(from: time(.hours(2)))), .scheduleMissing)
    // From 02:00 to 03:00 at 0.6 U/h.
    #expect(found.start == time(.hours(2)) && abs(found.amount + 0.6) < 1e-9)
  }

  @Test("Who writes the schedule in another part of the record writes it, and lacks it where not")
  func scheduleElsewhere() throws {
    // From 09:00 to 12:00 temp basals alone, without those from 10:00 to 11:00.
    var maker = RecordMaker()
    maker.day(without: Set(18..<24))
    for half in [18, 19, 22, 23] as [Int64] {
      maker.basal(0.5, .minutes(30) * half, .minutes(30) * (half + 1), temp: 1)
    }
    let part = Audit(maker.samples, .init(from: time(.hours(9)), to: time(.hours(12))))
    for audit in [Audit(maker.samples), part] {
      let found = try finding(audit, .gap)
      #expect(found.severity == .fault)
      #expect(found.start == time(.hours(10)) && found.end == time(.hours(11)))
      // An hour at 0.6 U/h.
      #expect(abs(found.amount + 0.6) < 1e-9)
      #expect(!audit.contains(.scheduleMissing))
    }
  }

  @Test("A gap of which a part is asked for is one, and no beginning or end of the record")
  func partOfAGap() throws {
    // Readings all day, and no basal from 10:00 to 13:00, at 0.6 U/h.
    var maker = RecordMaker()
    maker.day(without: Set(20..<26))
    for step in 0..<288 as Range<Int64> {
      maker.glucose(100 + Double(step % 7), .minutes(5) * step)
    }
    for (options, from, to) in [
      (Audit.Options(from: time(.hours(11))), 11, 13), (.init(to: time(.hours(12))), 10, 12),
      (.init(from: time(.hours(9)), to: time(.hours(14))), 10, 13),
    ] as [(Audit.Options, Int64, Int64)] {
      let audit = Audit(maker.samples, options)
      let found = try finding(audit, .gap)
      #expect(found.severity == .fault)
      #expect(found.start == time(.hours(from)) && found.end == time(.hours(to)))
      #expect(abs(found.amount + Double(to - from) * 0.6) < 1e-9)
      #expect(!audit.contains(.basalBegins) && !audit.contains(.basalEnds))
    }
    // Of a part without any basal the gap is the whole.
    maker.bolus(1, .minutes(690))
    let within = Audit(
      maker.samples, .init(from: time(.minutes(630)), to: time(.minutes(750))))
    let found = try finding(within, .gap)
    #expect(found.start == time(.minutes(630)) && found.end == time(.minutes(750)))
    #expect(abs(found.amount + 1.2) < 1e-9)
    #expect(!within.contains(.basalAbsent))
  }

  @Test("Single pulses are no further apart in a part of a record than in the whole")
  func pulses() {
    var maker = RecordMaker()
    for hour in stride(from: 0, to: 24, by: 2) as StrideTo<Int64> {
      maker.basal(0.1, .hours(hour), .hours(hour) + .seconds(2), scheduled: nil)
    }
    #expect(!Audit(maker.samples).contains(.gap))
    #expect(!Audit(maker.samples, .init(from: time(.hours(5)), to: time(.hours(7)))).contains(.gap))
  }

  @Test("No schedule is missing after the end of a record, up to whenever it is asked for")
  func scheduleAfter() throws {
    var maker = RecordMaker()
    maker.basal(1, .hours(11), .hours(12), temp: 1)
    maker.glucose(120, .hours(12))
    #expect(!Audit(maker.samples, .init(to: time(.hours(24)))).contains(.scheduleMissing))
    // A bolus that runs on until 15:00 tells of the time until its beginning.
    maker.bolus(2, .hours(14), lasting: .hours(1))
    let found = try finding(Audit(maker.samples, .init(to: time(.hours(24)))), .scheduleMissing)
    #expect(found.start == time(.hours(12)) && found.end == time(.hours(14)))
    #expect(abs(found.amount + 1.2) < 1e-9)
  }

  @Test("A segment that ends with the beginning of what is asked for is none of it")
  func counts() {
    let audit = Audit(dayWithLongBolus.samples, .init(from: time(.hours(13))))
    // 22 halves of an hour, and the bolus.
    #expect(audit.counts.insulin == 23)
    #expect(audit.sources.map(\.samples) == [23])
    var maker = RecordMaker()
    maker.bolus(1, .hours(13))
    #expect(Audit(maker.samples, .init(from: time(.hours(13)))).counts.insulin == 1)
  }

  @Test("A finding tells what lies in the time that is asked for, with its share of the units")
  func share() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(2, .hours(8), by: "Pen", lasting: .hours(2))
    maker.basal(0.6, .minutes(70), .minutes(130))
    let whole = Audit(maker.samples)
    #expect(try finding(whole, .foreignInsulin).amount == 2)
    // 20 of the minutes from 01:10 on with the segment before, 30 and 10 with those after it.
    #expect(abs(try finding(whole, .overlap).amount - (0.2 + 0.3 + 0.1)) < 1e-9)
    let pen = try finding(Audit(maker.samples, .init(from: time(.hours(9)))), .foreignInsulin)
    #expect(pen.start == time(.hours(9)) && pen.end == time(.hours(10)))
    #expect(abs(pen.amount - 1) < 1e-9)
    // 20 minutes of the segment from 01:30 on, and 10 of the next.
    let twice = try finding(Audit(maker.samples, .init(from: time(.minutes(100)))), .overlap)
    #expect(twice.start == time(.minutes(100)))
    #expect(abs(twice.amount - (0.2 + 0.1)) < 1e-9)
    let before = Audit(maker.samples, .init(to: time(.minutes(75))))
    #expect(abs(try finding(before, .overlap).amount - 0.05) < 1e-9)
  }

  @Test("Of basal that is there twice the part of each sample counts, and not that of their time")
  func shareOfCopies() throws {
    var maker = RecordMaker()
    maker.day()
    maker.basal(0, .hours(12), .hours(13), temp: 0, by: "Cloud")
    maker.basal(2, .hours(13), .hours(14), temp: 2, by: "Cloud")
    let from = time(.hours(12) + .minutes(30))
    let found = try finding(Audit(maker.samples, .init(from: from)), .duplicateAcross)
    #expect(found.start == from && found.end == time(.hours(14)))
    #expect(abs(found.amount - 2) < 1e-9)
    let to = time(.hours(13) + .minutes(30))
    let half = try finding(Audit(maker.samples, .init(to: to)), .duplicateAcross)
    #expect(half.end == to && abs(half.amount - 1) < 1e-9)
  }

  @Test("A dose and its copy count once where the edge of what is asked for lies between them")
  func copiesAcrossTheEdge() throws {
    var maker = RecordMaker()
    maker.day()
    let seven = TimeSpan.hours(7)
    maker.bolus(2, seven - .seconds(30))
    maker.bolus(2, seven + .seconds(20), by: "Cloud")
    let late = Audit(maker.samples, .init(from: time(seven)))
    // 17 hours at 0.6 U/h, and the copy of a dose that was given before.
    #expect(abs(late.days[0].plain - 12.2) < 1e-9 && abs(late.days[0].reconciled - 10.2) < 1e-9)
    let found = try finding(late, .duplicateAcross)
    #expect(found.amount == 2 && found.cause == "1 sample of Loop stands again under Cloud.")
    #expect(found.start == time(seven) && found.end == time(seven + .seconds(20)))
    #expect(late.sources.map(\.role) == [.dosing, .copies])
    let early = Audit(maker.samples, .init(to: time(seven)))
    #expect(!early.contains(.duplicateAcross) && early.sources.map(\.name) == ["Loop"])
    // 7 hours at 0.6 U/h, and the dose.
    #expect(abs(early.days[0].plain - 6.2) < 1e-9 && abs(early.days[0].reconciled - 6.2) < 1e-9)
  }

  @Test("What doses in the part that is asked for has what another source repeats of it")
  func otherPump() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(2, .hours(6))
    maker.bolus(2, .hours(6) + .seconds(20), by: "Cloud")
    // Another pump from the next day on, of which the record has less.
    for hour in 24..<36 as Range<Int64> {
      maker.basal(0.3, .hours(hour), .hours(hour + 1), by: "Trio")
    }
    maker.bolus(3, .hours(30), by: "Trio")
    maker.bolus(3, .hours(30) + .seconds(20), by: "Cloud")
    let audit = Audit(maker.samples, .init(from: time(.hours(24))))
    let found = try finding(audit, .duplicateAcross)
    #expect(found.cause == "1 sample of Trio stands again under Cloud.")
    #expect(!audit.contains(.foreignInsulin))
    #expect(audit.sources.map(\.role) == [.dosing, .copies])
  }

  @Test("Basal that two sources have for half an hour is there twice in a part of that, too")
  func copiedBasal() throws {
    var maker = RecordMaker()
    maker.day()
    maker.basal(0.4, .hours(12), .minutes(760), by: "Cloud")
    let audit = Audit(maker.samples, .init(from: time(.minutes(740))))
    // A half of the 40 minutes.
    #expect(abs(try finding(audit, .duplicateAcross).amount - 0.2) < 1e-9)
  }

  @Test("Insulin on board of a part counts what was given before it and still acts")
  func insulinOnBoard() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(5, .hours(11))
    maker.bolus(5, .hours(11) + .seconds(20), by: "Cloud")
    maker.bolus(2, .hours(15))
    let part = Audit(maker.samples, .init(from: time(.hours(12)), to: time(.hours(18))))
    // An hour after 5 U, by LoopKit's exponential model of 360 min with its peak at 75 min and a
    // delay of 10 min, 0.833799 are on board; the copy is 20 seconds younger.
    let first = try #require(part.insulinOnBoard.points.first)
    #expect(first.instant == time(.hours(12)))
    #expect(abs(first.reconciled - 4.168997) < 1e-5 && first.all > 2 * first.reconciled)
    let whole = Audit(maker.samples).insulinOnBoard.points
    let asked = whole.filter { (time(.hours(12))...time(.hours(18))).contains($0.instant) }
    #expect(part.insulinOnBoard.points == asked && asked.count == 73)
    // What was given before counts in nothing else.
    #expect(part.counts.insulin == 13 && !part.contains(.duplicateAcross))
  }

  @Test("A midnight before what is asked for is not crossed", arguments: [(23, true), (25, false)])
  func midnight(from hour: Int64, isCrossed: Bool) {
    var maker = RecordMaker()
    maker.basal(2.4, .hours(22), .hours(26))
    let audit = Audit(maker.samples, .init(from: time(.hours(hour))))
    #expect(audit.contains(.missingMidnight) == isCrossed)
  }
}
