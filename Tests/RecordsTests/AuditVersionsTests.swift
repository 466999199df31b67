import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Versions of one sample in a record")
struct AuditVersionsTests {
  private func audit(_ maker: RecordMaker) -> Audit { Audit(maker.samples, Audit.Options()) }

  @Test("The higher version counts wherever it was given, and doses apart are no versions")
  func versions() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(2, .hours(9), sync: "moved", version: 2)
    maker.bolus(3, .hours(15), sync: "moved", version: 1)
    let moved = audit(maker)
    #expect(abs(try conflict(moved).amount - 3) < 1e-9)
    #expect(abs(moved.days[0].reconciled - 16.4) < 1e-9)
    #expect(try conflict(moved).change != nil)

    let part = Audit(maker.samples, .init(from: RecordMaker.midnight + .hours(12)))
    #expect(abs(try conflict(part).amount - 3) < 1e-9)
    // 12 hours at 0.6 U/h.
    #expect(abs(part.days[0].reconciled - 7.2) < 1e-9)

    maker.bolus(1, .hours(10), sync: "two")
    maker.bolus(4, .hours(20), sync: "two")
    let both = audit(maker)
    let clash = try #require(
      both.findings.first { $0.title == "One sync identifier of two doses" })
    #expect(clash.kind == .syncConflict && clash.amount == 0)
    // 14.4 U of basal, and 2, 1 and 4 U.
    #expect(abs(both.days[0].reconciled - 21.4) < 1e-9)
  }

  @Test("Of equal versions that written first counts, as in a health store")
  func equal() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(3, .hours(9), written: .hours(10), sync: "one")
    maker.bolus(2, .hours(9) + .minutes(1), written: .hours(9) + .minutes(5), sync: "one")
    let audit = Audit(maker.samples, Audit.Options())
    // 14.4 U of basal, and the 2 U.
    #expect(abs(audit.days[0].reconciled - 16.4) < 1e-9)
    #expect(abs(try conflict(audit).amount - 3) < 1e-9)
    var store = InMemoryHealthStore()
    let byWriting = maker.samples.filter { $0.sample.metadata.syncIdentifier != nil }
      .sorted { $0.created < $1.created }
    _ = try store.restore(byWriting)
    #expect(try store.allSamples(of: [.insulinDelivery]).map(\.sample.storedValue) == [2])
  }

  @Test("Of equal versions of one instant that counts which the record has first, as in a store")
  func ofOneInstant() throws {
    var maker = RecordMaker()
    maker.day()
    let written = TimeSpan.hours(10)
    maker.bolus(3, .hours(9) + .minutes(1), written: written, sync: "one")
    maker.bolus(2, .hours(9), written: written, sync: "one")
    // 14.4 U of basal, and the 3 U.
    #expect(abs(audit(maker).days[0].reconciled - 17.4) < 1e-9)
    var store = InMemoryHealthStore()
    _ = try store.restore(maker.samples.filter { $0.sample.metadata.syncIdentifier != nil })
    #expect(try store.allSamples(of: [.insulinDelivery]).map(\.sample.storedValue) == [3])
  }

  @Test("Of a version that is asked for in part that part is told, however long the others last")
  func part() throws {
    var maker = RecordMaker()
    maker.day()
    maker.basal(0.6, .hours(24), .hours(25), sync: "segment")
    maker.basal(1.2, .hours(24), .hours(26), sync: "segment")
    let from = RecordMaker.midnight + .minutes(24 * 60 + 30)
    let audit = Audit(maker.samples, Audit.Options(from: from))
    let found = try conflict(audit)
    // An hour and a half of the two with 1.2 U, which were written later.
    #expect(abs(found.amount - 0.9) < 1e-9 && found.start == from)
    #expect(abs(audit.days[0].twice - 0.9) < 1e-9)
  }

  private func conflict(_ audit: Audit) throws -> AuditFinding {
    try #require(audit.findings.first { $0.kind == .syncConflict })
  }
}
