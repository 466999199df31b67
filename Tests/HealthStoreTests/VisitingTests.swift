import HealthStore
import Quantities
import Testing

@Suite("Samples that are handed over one by one")
struct VisitingTests {
  @Test("They are those of a query, in its order", arguments: ObjectType.allCases)
  func same(type: ObjectType) throws {
    guard type.isSampleType else { return }
    var fixture = Fixture()
    var store = InMemoryHealthStore()
    let loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"), granting: .full)
    let samples = [(110, 15), (120, 5), (130, 10), (140, 5)].map {
      fixture.glucose($0.0, minute: $0.1)
    }
    try store.save(samples, as: loop, at: fixture.start + .hours(1))
    var visited: [Sample] = []
    try store.visitSamples(of: type, as: .user) { visited.append($0) }
    #expect(try store.samples(of: type, as: .user) == visited)
    let values: [Double] = type == .bloodGlucose ? [120, 140, 130, 110] : []
    #expect(visited.compactMap { $0.glucose?.mgdL } == values)
    var none = 0
    if type != .bloodGlucose { return }
    let other = try store.register(
      HealthClient(bundleIdentifier: "org.example", name: "Other"), granting: nil)
    #expect(throws: HealthStoreError.self) {
      try store.visitSamples(of: type, as: other) { _ in none += 1 }
    }
    #expect(none == 0)
  }
}
