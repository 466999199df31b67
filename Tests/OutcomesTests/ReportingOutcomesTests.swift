import Quantities
import Testing

@testable import Outcomes

@Suite("Reporting outcomes")
struct ReportingOutcomesTests {
  /// Twelve pulses of 0.05 U, one every five minutes.
  private static let pulses = (1...12).map {
    InsulinRecord.Delivery(at: monday + .minutes(5 * $0), .milliunits(50), .basal)
  }

  private static func sample(
    _ from: Int64, _ to: Int64, milliunits: Int64, written: Int64, deleted: Int64? = nil
  ) -> ReportingOutcomes.Sample {
    .init(
      .basal, from: monday + .minutes(from), to: monday + .minutes(to), .milliunits(milliunits),
      written: monday + .minutes(written), deleted: deleted.map { monday + .minutes($0) })
  }

  @Test("A store that tells every pulse once has no error")
  func findsNoError() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 30, milliunits: 300, written: 35),
        Self.sample(30, 60, milliunits: 300, written: 65),
      ])
    #expect(outcomes.missing == .zero)
    #expect(outcomes.extra == .zero)
    #expect(outcomes.totalError == .zero)
    #expect(outcomes.gaps.isEmpty)
    #expect(outcomes.medianSpanMinutes == 30)
    #expect(outcomes.longestDelayMinutes == 30)
    #expect(outcomes.medianDelayMinutes == 17.5)
    #expect(outcomes.delay95Minutes == 30)
  }

  @Test("The median and the longest of lengths that come in any order")
  func findsMedianLength() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 30, milliunits: 300, written: 35),
        Self.sample(30, 35, milliunits: 50, written: 40),
        Self.sample(35, 60, milliunits: 250, written: 65),
      ])
    #expect(outcomes.medianSpanMinutes == 25)
    #expect(outcomes.longestSpanMinutes == 30)
  }

  @Test("A deleted sample leaves a gap with its amount and its time")
  func findsGaps() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 30, milliunits: 300, written: 35, deleted: 40),
        Self.sample(30, 60, milliunits: 300, written: 65),
      ])
    #expect(outcomes.missing == .milliunits(300))
    #expect(outcomes.totalError == .milliunits(-300))
    #expect(outcomes.gaps.count == 1)
    #expect(outcomes.gaps.first?.start == monday + .minutes(5))
    #expect(outcomes.gaps.first?.end == monday + .minutes(30))
    #expect(outcomes.rewrites == 0)
  }

  @Test("A stretch told twice is extra, and its double time is counted")
  func findsDuplicates() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 60, milliunits: 600, written: 65),
        Self.sample(0, 60, milliunits: 600, written: 70),
      ])
    #expect(outcomes.missing == .zero)
    #expect(outcomes.extra == .milliunits(600))
    #expect(outcomes.doubleCountedMinutes == 60)
  }

  @Test("A sample that gave way at once to one that is gone as well was written again all the same")
  func findsRewritesThatAreGone() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 60, milliunits: 550, written: 61, deleted: 66),
        Self.sample(0, 60, milliunits: 600, written: 66, deleted: 70),
      ])
    #expect(outcomes.rewrites == 1)
  }

  @Test("A sample that is deleted and written again is a rewrite, not a double")
  func findsRewrites() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 60, milliunits: 550, written: 61, deleted: 66),
        Self.sample(0, 60, milliunits: 600, written: 66),
      ])
    #expect(outcomes.rewrites == 1)
    #expect(outcomes.doubleCountedMinutes == 0)
    #expect(outcomes.totalError == .zero)
    #expect(outcomes.longestDelayMinutes == 56)
  }

  @Test("A bolus is covered by a bolus sample alone, and a pen stands apart")
  func separatesKinds() {
    let bolus = InsulinRecord.Delivery(at: monday, .milliunits(2_000), .userBolus)
    let pen = ReportingOutcomes.Sample(
      .bolus, from: monday, to: monday, .milliunits(4_000), written: monday, origin: .external)
    let uncovered = ReportingOutcomes(
      deliveries: [bolus],
      samples: [Self.sample(-5, 5, milliunits: 0, written: 5), pen])
    #expect(uncovered.missing == .milliunits(2_000))
    #expect(uncovered.external == .milliunits(4_000))
    let told = ReportingOutcomes.Sample(
      .bolus, from: monday, to: monday + .minutes(1), .milliunits(2_000), written: monday)
    #expect(ReportingOutcomes(deliveries: [bolus], samples: [told]).missing == .zero)
    #expect(ReportingOutcomes(deliveries: [], samples: []).medianDelayMinutes == nil)
  }

  @Test("Pulses an hour apart are missing in one gap, and a second more makes two")
  func joinsGaps() {
    func gaps(_ span: TimeSpan) -> Int {
      let pulses = [monday, monday + span].map {
        InsulinRecord.Delivery(at: $0, .milliunits(50), .basal)
      }
      return ReportingOutcomes(deliveries: pulses[...], samples: []).gaps.count
    }
    #expect(gaps(.minutes(60)) == 1)
    #expect(gaps(.minutes(60) + .seconds(1)) == 2)
  }

  @Test("What is written again in the instant of the deletion is a rewrite, though it goes too")
  func rewrittenAtOnce() {
    let outcomes = ReportingOutcomes(
      deliveries: Self.pulses[...],
      samples: [
        Self.sample(0, 60, milliunits: 550, written: 61, deleted: 66),
        Self.sample(0, 60, milliunits: 600, written: 66, deleted: 70),
      ])
    #expect(outcomes.rewrites == 1)
    #expect(outcomes.missing == .milliunits(600))
  }
}
