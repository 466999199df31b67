import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Two sources of glucose beside one another")
struct GlucosePairTests {
  @Test("Each reading is held against the nearest of another source, and counts once")
  func pairs() throws {
    for (dense, sparse) in [("A", "B"), ("B", "A")] {
      var maker = RecordMaker()
      maker.day()
      for minute in 0..<600 as Range<Int64> {
        // Two mg/dL a minute, up and down in an hour.
        let value = 100 + 2 * Double(minute % 60 < 30 ? minute % 60 : 60 - minute % 60)
        maker.glucose(value, .minutes(minute), by: dense)
        if minute % 5 == 0 { maker.glucose(value, .minutes(minute), by: sparse) }
      }
      let audit = Audit(maker.samples, Audit.Options())
      let found = try #require(audit.findings.first { $0.kind == .glucosePair })
      #expect(
        found.cause
          == "120 readings of \(sparse) stand beside those of \(dense); they differ by 0 mg/dL, "
          + "SD 0.")
    }
  }

  @Test("Readings of one time are not held twice against the one of another source")
  func fewPairs() {
    var maker = RecordMaker()
    maker.day()
    for _ in 0..<4 { maker.glucose(100, .hours(8), by: "A") }
    maker.glucose(120, .hours(8), by: "B")
    #expect(!Audit(maker.samples, Audit.Options()).findings.contains { $0.kind == .glucosePair })
  }

  @Test("Among thousands of sources those are found that have enough", .timeLimit(.minutes(1)))
  func manySources() throws {
    // Each of the others has one reading, in the middle of those of the two.
    var maker = RecordMaker()
    maker.day()
    for source in 0..<2_000 { maker.glucose(110, .hours(8) + .minutes(5), by: "meter \(source)") }
    for minute in [0, 5, 10] as [Int64] {
      maker.glucose(100, .hours(8) + .minutes(minute), by: "A")
      maker.glucose(120, .hours(8) + .minutes(minute), by: "B")
    }
    let found = Audit(maker.samples, Audit.Options()).findings.filter { $0.kind == .glucosePair }
    #expect(found.map(\.sources) == [["A", "B"]])
    #expect(
      found.first?.cause
        == "3 readings of B stand beside those of A; they differ by 20 mg/dL, SD 0.")
  }
}
