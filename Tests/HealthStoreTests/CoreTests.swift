import HealthStore
import Quantities
import Testing

/// Identities and times for tests.
struct Fixture {
  var generator = SplitMix(state: 7)
  let start = Instant(secondsSince1970: 1_700_000_000)

  mutating func uuid() -> SampleUUID { SampleUUID(using: &generator) }

  mutating func glucose(_ mgdL: Double, minute: Int64) -> Sample {
    .bloodGlucose(.mgdL(mgdL), at: start + .minutes(minute), uuid: uuid())
  }
}

/// A small generator for tests (Steele, Lea and Flood 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite("The store in memory, in short")
struct CoreTests {
  @Test("A client reads back what it saved, with its source")
  func roundTrip() throws {
    var fixture = Fixture()
    var store = InMemoryHealthStore()
    let loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop", version: "3.4"),
      granting: .full)
    let saved = fixture.glucose(120, minute: 0)
    try store.save(saved, as: loop, at: fixture.start)
    let read = try #require(try store.samples(of: .bloodGlucose, as: loop).first)
    #expect(read.uuid == saved.uuid)
    #expect(read.glucose == .mgdL(120))
    #expect(read.source?.name == "Loop")
    #expect(saved.sourceRevision == nil)
  }

  @Test("Changes since an anchor are what was added and what was deleted")
  func anchored() throws {
    var fixture = Fixture()
    var store = InMemoryHealthStore()
    let loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"), granting: .full)
    let (first, second) = (fixture.glucose(100, minute: 0), fixture.glucose(105, minute: 5))
    try store.save([first, second], as: loop, at: fixture.start)
    let anchor = try store.changes(of: .bloodGlucose, as: loop).anchor
    let third = fixture.glucose(110, minute: 10)
    try store.save(third, as: loop, at: fixture.start)
    try store.delete([first.uuid], as: loop, at: fixture.start)
    let changes = try store.changes(of: .bloodGlucose, since: anchor, as: loop)
    #expect(changes.added.map(\.uuid) == [third.uuid])
    #expect(changes.deleted.map(\.uuid) == [first.uuid])
    #expect(try store.changes(of: .bloodGlucose, since: changes.anchor, as: loop).isEmpty)
  }
}
