import HealthStore
import Quantities
import TestSupport
import Testing

@Suite("Metadata keeps the sync identifier as one, and everyone else reads it as text")
struct MetadataTests {
  private static let identifiers: [SyncIdentifier] = [
    "", "0102", "0102 1/2", "any other", "é",
    .reading(sensor: 1, number: 7, at: Instant(secondsSince1970: 1_768_460_400)),
    .init(SampleUUID(high: 1, low: 2)),
  ]

  @Test("However it is set, it is the same metadata", arguments: identifiers)
  func same(_ identifier: SyncIdentifier) {
    let text = MetadataValue.text("\(identifier)")
    var set = Metadata()
    set.setSync(identifier: identifier, version: 3)
    var appended = Metadata()
    appended.appendSync(identifier: identifier, version: 3)
    var single = Metadata()
    single[.syncVersion] = .number(3)
    single[.syncIdentifier] = text
    let others = [
      appended, single, [.syncIdentifier: text, .syncVersion: .number(3)],
      Metadata([(.syncVersion, .number(3)), (.syncIdentifier, text)]),
      Metadata.none.with(.syncVersion, .number(3)).with(.syncIdentifier, text),
    ]
    for other in others {
      #expect(other == set)
      #expect(other.hashValue == set.hashValue)
      #expect(other.syncIdentifier == identifier)
      #expect(other.syncVersion == 3)
    }
    #expect(set.entries.map(\.value) == [text, .number(3)])
    #expect(set.entries.map(\.syncIdentifier) == [identifier, nil])
    #expect(set[.syncIdentifier] == text)
    #expect(set.text(.syncIdentifier) == identifier.description)
  }

  @Test("It is replaced and removed as every other value")
  func changed() {
    var metadata: Metadata = [.timeZone: .text("0102"), .insulinType: .text("Fiasp")]
    #expect(metadata.syncIdentifier == nil)
    metadata.setSync(identifier: "a", version: 1)
    metadata.setSync(identifier: "b", version: 2)
    #expect(metadata.syncIdentifier == "b")
    #expect(metadata.entries.map(\.key) == metadata.entries.map(\.key).sorted())
    #expect(metadata.entries.count == 4)
    metadata[.syncIdentifier] = nil
    #expect(metadata.syncIdentifier == nil)
    #expect(metadata.syncVersion == 2)
    #expect(metadata.text(.timeZone) == "0102")
  }

  @Test("What stands under its key and is no text is no sync identifier")
  func noText() {
    let metadata: Metadata = [.syncIdentifier: .number(1)]
    #expect(metadata.syncIdentifier == nil)
    #expect(metadata[.syncIdentifier] == .number(1))
  }

  @Test("Of few pairs or many, in any order, the later of two for a key stays")
  func pairs() {
    var chance = Chance(state: 4)
    for _ in 0..<200 {
      var pairs: [(MetadataKey, MetadataValue)] = []
      var plain: [MetadataKey: MetadataValue] = [:]
      for number in 0..<chance.below(40) {
        let key = MetadataKey("key \(chance.below(30))")
        pairs.append((key, .number(Double(number))))
        plain[key] = .number(Double(number))
      }
      let metadata = Metadata(pairs)
      #expect(metadata.entries.map(\.key) == plain.keys.sorted())
      for (key, value) in plain { #expect(metadata[key] == value) }
    }
  }
}
