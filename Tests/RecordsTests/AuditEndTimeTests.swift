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
