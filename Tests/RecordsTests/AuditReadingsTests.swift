import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Where readings of glucose are missing")
struct AuditReadingsTests {
  private func gaps(_ maker: RecordMaker) -> [AuditFinding] {
    Audit(maker.samples).findings.filter { $0.kind == .glucoseGap }
  }

  @Test("A meter that is read four times a day for ten days lacks nothing")
  func meter() {
    var maker = RecordMaker()
    maker.day()
    for day in 0..<10 as Range<Int64> {
      for hour in [7, 12, 18, 22] as [Int64] {
        maker.glucose(100 + Double(hour), .days(day) + .hours(hour), by: "Meter")
      }
    }
    #expect(gaps(maker).isEmpty)
  }

  @Test("A sensor of one reading in 15 minutes and some seconds lacks what it left out")
  func quarters() throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<90 as Range<Int64> where step != 40 {
      maker.glucose(100 + Double(step % 7), .seconds(905) * step, by: "Sensor")
    }
    let found = try #require(gaps(maker).first)
    #expect(found.occurrences.count == 1)
    #expect(found.start == RecordMaker.midnight + .seconds(905 * 39))
    #expect(found.cause == "Sensor gave no reading for more than 22 minutes, once.")
  }
}
