import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Records

@Suite("How complete an audited record is")
struct AuditCompletenessTests {
  @Test("Basal covers the time in which some sample lasts, and no time twice")
  func covered() throws {
    var maker = RecordMaker()
    // 48 half hours less two are 46; a second source covers one of the two, and one that is
    // covered already.
    maker.day(without: [10, 20])
    maker.basal(0.3, .minutes(300), .minutes(360), by: "Other")
    #expect(try #require(Audit(maker.samples).completeness.basalCovered) == 47.0 / 48)
    // Of the two hours from 04:00 to 06:00 half an hour from 05:00 on is missing.
    var part = RecordMaker()
    part.day(without: [10])
    let options = Audit.Options(
      from: RecordMaker.midnight + .hours(4), to: RecordMaker.midnight + .hours(6))
    #expect(try #require(Audit(part.samples, options).completeness.basalCovered) == 0.75)
    var boluses = RecordMaker()
    boluses.bolus(1, .hours(1))
    #expect(Audit(boluses.samples).completeness.basalCovered == nil)
    boluses.bolus(1, .hours(2))
    #expect(Audit(boluses.samples).completeness.basalCovered == 0)
  }

  @Test("Boluses count as written in time up to ten minutes after their end, where it is said when")
  func written() throws {
    var maker = RecordMaker()
    maker.day()
    for hour in [1, 2] as [Int64] { maker.bolus(1, .hours(hour)) }
    #expect(Audit(maker.samples).completeness.writtenInTime == nil)
    // Two of one minute each, written 10 min and 10 min 1 s after their end.
    maker.bolus(1, .hours(3), lasting: .minutes(1), written: .hours(3) + .minutes(11))
    maker.bolus(
      1, .hours(4), lasting: .minutes(1), written: .hours(4) + .minutes(11) + .seconds(1))
    // Of another source nobody knows when it wrote.
    maker.bolus(1, .hours(5), by: "Silent")
    let found = try #require(Audit(maker.samples).completeness.writtenInTime)
    #expect(found.count == 3 && found.of == 4)
  }

  @Test("Text and JSON say the same")
  func forms() throws {
    var maker = RecordMaker()
    maker.day(without: [10])
    maker.bolus(1, .hours(3), written: .hours(4))
    let audit = Audit(maker.samples)
    // 47 of 48 half hours are 97.917 %.
    let lines = AuditText.lines(audit, file: "r")
    #expect(lines.contains("Basal covers 97.9 % of the time."))
    #expect(lines.contains("Written within two cycles after their end: 0 of 1 bolus."))
    guard case .object(let members) = audit.json(file: "r") else {
      Issue.record("An audit is an object.")
      return
    }
    #expect(
      members.suffix(2).map(\.key) == ["basalCoveredPercent", "bolusesWrittenWithinTwoCycles"])
    #expect(members.last?.value == ["count": 0, "of": 1])
    guard case .number(let percent)? = members.dropLast().last?.value else {
      Issue.record("The share is a number.")
      return
    }
    #expect(abs(percent - 97.91667) < 1e-4)
  }
}
