import Quantities
import TestSupport
import Testing

@testable import HealthStore

/// Samples in memory share metadata that are written alike, and nothing else.
@Suite("Metadata that samples in memory share")
struct SharedMetadataTests {
  /// What a value is, to the last bit and letter.
  private static func form(_ value: MetadataValue) -> String {
    switch value {
    case .text(let text): "text \(text)"
    case .number(let number): "number \(number.bitPattern)"
    case .flag(let flag): "flag \(flag)"
    case .date(let date): "date \(date.millisecondsSince1970)"
    case .quantity(let quantity): "\(quantity.value.bitPattern) \(quantity.unit.unitString)"
    }
  }

  private static func forms(_ metadata: Metadata) -> [String] {
    metadata.entries.map { "\($0.key) \(form($0.value))" }
  }

  @Test("Every sample is read as it was saved, of few kinds of metadata or too many to share")
  func asSaved() throws {
    let units = try ["IU/hr", "hr^-1*IU", "mg/dL"].map { try HealthUnit($0) }
    // 0 and -0 are equal and written differently; NaN equals nothing.
    let numbers = [0, -0.0, 1, .nan, 0.1 + 0.2, 0.3]
    for kinds in [3, 5_000] {
      var chance = Chance(state: UInt64(kinds))
      var fixture = Fixture()
      var column = SampleColumn(.bloodGlucose)
      var saved: [StoredSample] = []
      for row in 0..<4_000 {
        var metadata = Metadata()
        if chance.below(3) > 0 { metadata[.syncVersion] = .number(numbers[chance.below(6)]) }
        if chance.below(2) == 0 {
          metadata[.glucoseTrendRate] = .quantity(
            .init(numbers[chance.below(6)], units[chance.below(3)]))
        }
        if chance.below(2) == 0 { metadata[.glucoseTrend] = .text(["up", "Up"][chance.below(2)]) }
        if chance.below(2) == 0 { metadata[.wasUserEntered] = .flag(chance.below(2) == 0) }
        if chance.below(3) > 0 {
          metadata[.userCreatedDate] = .date(
            fixture.start + .seconds(Int64(chance.below(kinds))))
        }
        if chance.below(3) > 0 {
          metadata[.syncIdentifier] = .text(["0102", "any other"][chance.below(2)])
        } else if chance.below(8) == 0 {
          metadata[.syncIdentifier] = .number(7)
        }
        let stored = StoredSample(
          saving: .bloodGlucose(
            .mgdL(Double(row)), at: fixture.start, uuid: fixture.uuid(), metadata: metadata),
          row: Int64(row) + 1, revision: Int32(chance.below(2)), source: Int32(chance.below(2)),
          created: fixture.start)
        if chance.below(5) == 0, !saved.isEmpty {
          column.removeLast()
          saved.removeLast()
        }
        column.append(stored)
        saved.append(stored)
      }
      for (position, stored) in saved.enumerated() {
        let read = column[position]
        #expect(Self.forms(read.sample.metadata) == Self.forms(stored.sample.metadata))
        #expect(read.sample.metadata.count == stored.sample.metadata.entries.count)
        #expect(read.sample.uuid == stored.sample.uuid)
        #expect(read.sample.value == stored.sample.value)
        #expect((read.row, read.source) == (stored.row, stored.source))
        #expect(read.revision == stored.revision)
        #expect(column.source(at: position) == stored.source)
        #expect(column.syncIdentifier(at: position) == stored.sample.metadata.syncIdentifier)
        var visited: [Metadata.Entry] = []
        read.sample.metadata.visitEntries { visited.append($0) }
        #expect(visited.map(\.key) == stored.sample.metadata.entries.map(\.key))
        #expect(visited.map(\.key) == visited.map(\.key).sorted())
      }
    }
  }

  @Test("Values of every kind tell metadata apart before they are compared")
  func folds() {
    let kinds: [(Int) -> MetadataValue] = [
      { .text("value \($0)") }, { .number(Double($0)) },
      { .date(Instant(secondsSince1970: Int64($0))) },
      { .quantity(.init(Double($0), .internationalUnitPerHour)) },
    ]
    for kind in kinds {
      let folds = (0..<1_000).map { Metadata([(.timeZone, kind($0))]).foldOfValues >> 32 & 4_095 }
      // Of 4,096 places a thousand values at random take about 890.
      #expect(Set(folds).count > 800)
    }
  }
}
