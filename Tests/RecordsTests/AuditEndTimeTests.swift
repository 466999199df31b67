import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Doses that one source dates by their beginning and another by their end")
struct AuditEndTimeTests {
  private static let noon = TimeSpan.hours(12)

  private func twice(_ maker: RecordMaker) -> [String] {
    Audit(maker.samples).findings.filter { $0.kind == .duplicateAcross }.map {
      "\($0.quantity) \($0.amount)"
    }
  }

  @Test("A bolus of three and a half minutes is one bolus, and its food is eaten once")
  func pairs() {
    var maker = RecordMaker()
    let span = TimeSpan.seconds(211)
    maker.bolus(6.35, Self.noon, by: "Table", lasting: span)
    maker.food(48, Self.noon, by: "Table")
    maker.bolus(6.35, Self.noon + span, by: "Uploader")
    maker.food(48, Self.noon + span, by: "Uploader")
    #expect(twice(maker) == ["insulin 6.35", "carbohydrates 48.0"])
  }

  @Test("What was given amid a bolus, long after it, or at the end of a long one is another")
  func keepsApart() {
    var maker = RecordMaker()
    maker.bolus(5, Self.noon, by: "Table", lasting: .minutes(20))
    maker.bolus(5, Self.noon + .minutes(10), by: "Uploader")
    maker.bolus(5, Self.noon + .minutes(24), by: "Uploader")
    maker.bolus(3, .hours(15), by: "Table", lasting: .hours(2))
    maker.bolus(3, .hours(17), by: "Uploader")
    #expect(twice(maker) == [])
    maker.bolus(5, Self.noon + .minutes(20) + .seconds(140), by: "Uploader")
    #expect(twice(maker) == ["insulin 5.0"])
  }
}

@Suite("Basal of an app that writes temp basals alone, beside the whole of it")
struct AuditTempsBesideBasalTests {
  private func audit(_ minutes: [Int64]) -> Audit {
    var maker = RecordMaker()
    maker.day()
    // Temp basals of ten minutes, with scheduled basal between them that is not written.
    for minute in minutes {
      maker.basal(0.1, .minutes(minute), .minutes(minute + 10), temp: 0.6, by: "Uploader")
    }
    return Audit(maker.samples)
  }

  @Test("Short temp basals that come to half an hour are there twice, and one at a change is not")
  func shortStretches() throws {
    let twice = audit([60, 120, 180, 240])
    let finding = try #require(twice.findings.first { $0.kind == .duplicateAcross })
    #expect(finding.occurrences.count == 4 && abs(finding.amount - 0.4) < 1e-9)
    // 48 segments of 0.3 U, once.
    #expect(abs((twice.days.first?.plain ?? 0) - 14.8) < 1e-9)
    #expect(abs((twice.days.first?.reconciled ?? 0) - 14.4) < 1e-9)
    // A third source that shares a few minutes with the second takes nothing back.
    var maker = RecordMaker()
    maker.day()
    maker.basal(0.1, .minutes(120), .minutes(130), by: "Short")
    maker.day(by: "Copy")
    let three = Audit(maker.samples)
    #expect(abs((three.days.first?.plain ?? 0) - 28.9) < 1e-9)
    #expect(abs((three.days.first?.reconciled ?? 0) - 14.5) < 1e-9)
    // What three sources have is there twice more, and not three times.
    maker.day(by: "Other copy")
    let found = Audit(maker.samples).findings.filter { $0.kind == .duplicateAcross }
    #expect(found.map(\.sources) == [["Loop", "Copy"], ["Loop", "Other copy"]])
    #expect(abs(found.reduce(0) { $0 + $1.amount } - 28.8) < 1e-9)
    let change = audit([60])
    #expect(!change.findings.contains { $0.kind == .duplicateAcross })
    #expect(abs((change.days.first?.reconciled ?? 0) - 14.5) < 1e-9)
  }
}
