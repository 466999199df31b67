import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Records

@Suite("Audit: what each finding changes by itself")
struct AuditChangeTests {
  @Test("A bolus that is there twice is no change of insulin on board by basal that overlaps")
  func ownChange() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(6, .hours(12))
    maker.bolus(6, .hours(12) + .seconds(40), by: "Cloud")
    maker.bolus(1.5, .hours(13))
    maker.bolus(1.5, .hours(13))
    maker.basal(0.2, .hours(12), .hours(12) + .minutes(20))
    let audit = Audit(maker.samples, Audit.Options())
    func change(_ kind: AuditFinding.Kind) throws -> (units: Double, instant: Instant)? {
      try #require(audit.findings.first { $0.kind == kind }).change
    }
    let across = try #require(try change(.duplicateAcross))
    #expect(abs(across.units - 6) < 0.01)
    let within = try #require(try change(.duplicateWithin))
    #expect(abs(within.units - 1.5) < 1e-9)
    #expect(within.instant == RecordMaker.midnight + .hours(13))
    // What runs as scheduled adds nothing to the schedule.
    #expect(try change(.overlap) == nil)
    // Together they are the difference of the whole record.
    let worst = try #require(audit.insulinOnBoard.largest)
    #expect(worst.all - worst.reconciled > 6)
  }

  @Test("Of moments with the same difference the record and the finding name the first")
  func firstOfEqual() throws {
    var maker = RecordMaker()
    maker.basal(0.4, .hours(8), .hours(8) + .minutes(20), temp: 1.2)
    maker.basal(0, .hours(8) + .minutes(20), .hours(8) + .minutes(50), temp: 0)
    maker.bolus(2.5, .hours(9))
    maker.bolus(2.5, .hours(9) + .seconds(60), by: "xDrip")
    maker.glucose(120, .hours(9) + .minutes(15))
    let audit = Audit(maker.samples, Audit.Options())
    // The second is given a minute after nine and counts whole for ten: at 9:05 and at 9:10.
    let first = RecordMaker.midnight + .hours(9) + .minutes(5)
    let worst = try #require(audit.insulinOnBoard.largest)
    #expect(worst.instant == first)
    #expect(abs(worst.all - worst.reconciled - 2.5) < 1e-9)
    let change = try #require(audit.findings.first { $0.kind == .duplicateAcross }?.change)
    #expect(change.instant == first)
    #expect(abs(change.units - 2.5) < 1e-9)
  }

  @Test("The JSON has the insulin on board of every five minutes, with and without repeats")
  func points() throws {
    var maker = RecordMaker()
    maker.bolus(2, .hours(12))
    maker.bolus(2, .hours(12) + .seconds(30), by: "Cloud")
    maker.glucose(120, .hours(12) + .minutes(10))
    let json = Audit(maker.samples, Audit.Options()).json(file: "a")
    let points = try #require(json["insulinOnBoard"]?["points"]?.items)
    // A bolus counts whole for ten minutes after its start.
    #expect(
      points == [
        .array([.string("2026-03-04T12:00:00Z"), .number(2), .number(2)]),
        .array([.string("2026-03-04T12:05:00Z"), .number(4), .number(2)]),
        .array([.string("2026-03-04T12:10:00Z"), .number(4), .number(2)]),
      ])
  }

  @Test("A temp basal that overlaps another changes insulin on board by its own units")
  func overlappingTemp() throws {
    var maker = RecordMaker()
    maker.basal(1.5, .hours(10), .hours(11), temp: 1.5)
    maker.basal(0.75, .minutes(630), .hours(11), temp: 1.5)
    maker.bolus(8, .hours(11))
    maker.bolus(8, .hours(11) + .seconds(60), by: "Cloud")
    let audit = Audit(maker.samples, Audit.Options())
    let overlap = try #require(audit.findings.first { $0.kind == .overlap })
    #expect(abs(overlap.amount - 0.75) < 1e-9)
    let change = try #require(overlap.change)
    // Half an hour of 0.9 U/h above the schedule.
    #expect(change.units > 0.3 && change.units < 0.45)
  }
}
