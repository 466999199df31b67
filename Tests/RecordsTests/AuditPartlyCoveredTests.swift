import Dosing
import Quantities
import Testing

@testable import Records

/// A segment of four hours over midnight, of which another source has the two after it.
@Suite("Audit: segments that another source covers in part")
struct AuditPartlyCoveredTests {
  private func audit(_ units: Double, temp: Double? = nil) -> Audit {
    var maker = RecordMaker()
    maker.basal(units, .hours(22), .hours(26), temp: temp, by: "Old")
    maker.day(from: 1)
    maker.day(from: 2)
    return Audit(maker.samples)
  }

  @Test("They are once on the day on which nobody else has them")
  func days() {
    let days = audit(2.4).days
    #expect(days.map(\.date) == ["2026-03-04", "2026-03-05", "2026-03-06"])
    // 0.6 U/h: two hours of the first day, and the other two beside the 14.4 U of the second.
    for (day, (plain, once)) in zip(days, [(1.2, 1.2), (15.6, 14.4), (14.4, 14.4)]) {
      #expect(abs(day.plain - plain) < 1e-9, "\(day.date)")
      #expect(abs(day.reconciled - once) < 1e-9, "\(day.date)")
      #expect(abs(day.storeOwn - once) < 1e-9, "\(day.date)")
    }
  }

  @Test("What is left of them acts in the time that nobody else covers", arguments: [3.0, 0])
  func insulinOnBoard(rate: Double) throws {
    let result = audit(4 * rate, temp: rate)
    let start = RecordMaker.midnight
    let basal = [
      AlgorithmInput.ScheduleEntry(startDate: start, endDate: start + .days(4), value: 0.6)
    ]
    let doses = [
      AlgorithmInput.InsulinDose(
        type: .basal, startDate: start + .hours(22), endDate: start + .hours(24),
        volume: 2 * rate, insulinModel: .rapidActingAdult)
    ]
    #expect(result.insulinOnBoard.points.count > 48 * 12)
    for point in result.insulinOnBoard.points {
      let expected = try LoopAlgorithm.insulinOnBoard(of: doses, basal: basal, at: point.instant)
      #expect(abs(point.reconciled - expected) < 1e-9, "\(point.instant)")
    }
  }

  @Test("What two pumps have between them is there twice where a third source has it in one sample")
  func betweenTwo() throws {
    var maker = RecordMaker()
    maker.day(by: "Old")
    maker.day(from: 1)
    maker.day(from: 2)
    maker.basal(2.4, .hours(22), .hours(26), by: "Cloud")
    let result = Audit(maker.samples)
    for (day, plain) in zip(result.days, [15.6, 15.6, 14.4]) {
      #expect(abs(day.plain - plain) < 1e-9, "\(day.date)")
      #expect(abs(day.reconciled - 14.4) < 1e-9, "\(day.date)")
    }
    let found = result.findings.filter { $0.kind == .duplicateAcross }
    #expect(Set(found.map(\.sources)) == [["Loop", "Cloud"], ["Old", "Cloud"]])
    #expect(found.allSatisfy { abs($0.amount - 1.2) < 1e-9 })
  }

  @Test("Less than half an hour of two pumps is nothing twice, however long their segments are")
  func atAChange() {
    var maker = RecordMaker()
    maker.day(by: "Old", without: Set(40..<48))
    for half in 0..<96 as Range<Int64> {
      let start = TimeSpan.minutes(1_190 + 30 * half)
      maker.basal(0.3, start, start + .minutes(30))
    }
    let result = Audit(maker.samples)
    #expect(!result.contains(.duplicateAcross))
    #expect(result.days.allSatisfy { $0.twice == 0 })
  }
}
