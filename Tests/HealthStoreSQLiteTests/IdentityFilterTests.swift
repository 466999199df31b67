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
}
