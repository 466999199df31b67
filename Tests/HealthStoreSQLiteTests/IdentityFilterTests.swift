import HealthStore
import Quantities
import Testing

@testable import HealthStoreSQLite

@Suite("The filter of identities")
struct IdentityFilterTests {
  @Test("What was inserted may be there, and hardly anything else")
  func filters() {
    var generator = SplitMix(state: 11)
    var filter = IdentityFilter()
    // A random identity, one that begins with a time, and one that follows from a name.
    func identity(_ number: Int) -> SampleUUID {
      switch number % 3 {
      case 0: SampleUUID(using: &generator)
      case 1: SampleUUID(at: .init(secondsSince1970: Int64(number)), using: &generator)
      default: SampleUUID(named: ["sample", "\(number)"])
      }
    }
    let inserted = (0..<30_000).map(identity)
    for uuid in inserted { filter.insert(uuid) }
    #expect(inserted.allSatisfy { filter.mayContain($0) })
    let doubtful = (30_000..<60_000).count { filter.mayContain(identity($0)) }
    #expect(doubtful <= 3)
  }

  @Test("A sample that was inserted may be found by its sync identifier, and hardly another")
  func filtersSyncIdentifiers() {
    var generator = SplitMix(state: 12)
    var filter = IdentityFilter()
    func identifier(_ number: Int) -> SyncIdentifier {
      number.isMultiple(of: 2)
        ? SyncIdentifier(hexadecimalOf: UInt64(number)) : SyncIdentifier("cgm-\(number)")
    }
    for number in 0..<3_000 {
      let sample = Sample(
        restoring: SampleUUID(using: &generator), type: .bloodGlucose,
        start: .init(secondsSince1970: 0), end: .init(secondsSince1970: 0),
        value: .quantity(.init(100, .milligramPerDecilitre)),
        metadata: [.syncIdentifier: .text(identifier(number).description)])
      filter.insert(sample)
      #expect(filter.mayContain(sample.uuid))
    }
    #expect((0..<3_000).allSatisfy { filter.mayContain(identifier($0)) })
    #expect((3_000..<6_000).count { filter.mayContain(identifier($0)) } <= 3)
  }
}
