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

  private func stuck(_ maker: RecordMaker) -> [AuditFinding] {
    Audit(maker.samples).findings.filter { $0.kind == .glucoseStuck }
  }

  @Test("What a sensor shows hours after equal readings is no jump", arguments: [5, 600])
  func jumpAfterPause(pause: Int64) throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<30 as Range<Int64> {
      maker.glucose(100 + 2 * Double(step), .minutes(5) * step, by: "Sensor")
    }
    // Seven readings of 180 up to 3 h, and the next is 200.
    for step in 30..<37 as Range<Int64> { maker.glucose(180, .minutes(5) * step, by: "Sensor") }
    for step in 0..<30 as Range<Int64> {
      maker.glucose(
        200 - Double(step), .minutes(180 + pause) + .minutes(5) * step, by: "Sensor")
    }
    let found = try #require(stuck(maker).first)
    #expect(stuck(maker).count == 1)
    #expect(found.severity == (pause == 5 ? .check : .note))
    #expect(found.cause.hasSuffix(", and jumped after it.") == (pause == 5))
    #expect(found.start == RecordMaker.midnight + .minutes(150))
    #expect(found.occurrences.map(\.end) == [RecordMaker.midnight + .minutes(180)])
  }

  @Test("A sensor that stands still again at once, elsewhere, is told of twice")
  func stuckTwice() throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<30 as Range<Int64> {
      maker.glucose(100 + 2 * Double(step), .minutes(5) * step, by: "Sensor")
    }
    // Six readings of 180, and right after them six of 140, of which the next is 141.
    for step in 30..<42 as Range<Int64> {
      maker.glucose(step < 36 ? 180 : 140, .minutes(5) * step, by: "Sensor")
    }
    for step in 42..<60 as Range<Int64> {
      maker.glucose(99 + Double(step), .minutes(5) * step, by: "Sensor")
    }
    let found = stuck(maker)
    #expect(found.map(\.severity) == [.check, .note])
    #expect(found.map(\.start) == [150, 180].map { RecordMaker.midnight + .minutes($0) })
    let ends = found.flatMap { $0.occurrences.map(\.end) }
    #expect(ends == [175, 205].map { RecordMaker.midnight + .minutes($0) })
  }

  @Test("A sensor of one reading in 15 minutes and some seconds may stand still too")
  func stuckQuarters() throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<60 as Range<Int64> {
      maker.glucose(
        step / 20 == 1 ? 180 : 100 + Double(step), .seconds(905) * step, by: "Sensor")
    }
    let found = try #require(stuck(maker).first)
    #expect(found.severity == .check)
    #expect(found.start == RecordMaker.midnight + .seconds(905 * 20))
    #expect(found.occurrences.map(\.end) == [RecordMaker.midnight + .seconds(905 * 39)])
  }
}
