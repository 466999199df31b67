import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

@Suite("The metadata that glucose samples share")
struct GlucoseMetadataTests {
  @Test("A sample has the metadata of its own row, whatever was written before")
  func ofItsOwnRow() {
    var chance = Chance(state: 11)
    var known = GlucoseMetadata()
    for number in 0..<3_000 {
      let rate: Double? =
        switch chance.below(4) {
        case 0: nil
        case 1: [0, -0.0, 0.1, 1][chance.below(4)]
        default: Double(chance.below(200) - 100) / 50
        }
      let row = GlucoseStore.Row(
        date: Instant(secondsSince1970: Int64(number)), glucose: .mgdL(100),
        syncIdentifier: SyncIdentifier("\(number)"), provenance: "app",
        isDisplayOnly: chance.below(9) == 0, wasUserEntered: chance.below(9) == 0,
        condition: chance.below(9) == 0 ? "belowRange" : nil,
        trend: [nil, "flat", "up"][chance.below(3)], trendRate: rate)
      let sample = row.sample(uuid: SampleUUID(high: 0, low: 1), knowing: &known)
      var fresh = GlucoseMetadata()
      #expect(sample == row.sample(uuid: SampleUUID(high: 0, low: 1), knowing: &fresh))
      #expect(sample.metadata.syncIdentifier == row.syncIdentifier)
      #expect(sample.metadata.text(.glucoseTrend) == row.trend)
      let quantity = sample.metadata.quantity(.glucoseTrendRate)
      #expect(quantity?.value.bitPattern == row.trendRate?.bitPattern)
      #expect(sample.metadata.text(.glucoseCondition) == row.condition)
      #expect(sample.metadata.wasUserEntered == row.wasUserEntered)
      #expect(sample.metadata.isGlucoseDisplayOnly == row.isDisplayOnly)
    }
  }
}
