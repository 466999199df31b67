import HealthStore
import Quantities
import Testing

@Suite("Samples that their source alone deletes")
struct OwnSamplesTests {
  /// A sample as a list without an order has it.
  private struct Known {
    var sample: Sample
    var owner: Int
  }

  @Test(
    "Of a stretch of time they are those that a look at every sample finds", arguments: 1...12)
  func ownSamples(seed: UInt64) throws {
    var fixture = Fixture()
    fixture.generator = SplitMix(state: seed)
    var store = InMemoryHealthStore()
    let clients = try ["loop", "vendor", "meter"].map {
      try store.register(
        HealthClient(bundleIdentifier: "org.example.\($0)", name: $0), granting: .full)
    }
    var known: [Known] = []
    for step in 0..<120 as Range<Int64> {
      let owner = Int(fixture.generator.next() % 3)
      // Odd seeds have late samples, so that rows and times are in two orders.
      let late = seed.isMultiple(of: 2) ? 0 : Int64(fixture.generator.next() % 40)
      let now = fixture.start + .minutes(step)
      let sample = fixture.glucose(Double(100 + step), minute: step - late)
      try store.save(sample, as: clients[owner], at: now)
      known.append(Known(sample: sample, owner: owner))
      guard fixture.generator.next().isMultiple(of: 3) else { continue }
      let from = fixture.start + .minutes(Int64(fixture.generator.next() % 120) - 40)
      let end = from + .minutes(Int64(fixture.generator.next() % 60))
      try store.deleteSamples(
        of: .bloodGlucose,
        matching: .samples(start: from, end: end, options: .strictStartDate),
        as: clients[owner], at: now)
      known.removeAll { $0.owner == owner && $0.sample.start >= from && $0.sample.start < end }
      let left = try store.samples(of: .bloodGlucose, as: .user).map(\.uuid)
      #expect(Set(left) == Set(known.map(\.sample.uuid)), "after minute \(step)")
      #expect(left.count == known.count)
    }
  }
}
