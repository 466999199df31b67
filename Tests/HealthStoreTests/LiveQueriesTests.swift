import Quantities
import Testing

@testable import HealthStore

@Suite("Live queries and wake-ups, by themselves")
struct LiveQueriesTests {
  private let type = ObjectType.bloodGlucose

  /// Contents with a client that may do everything.
  private func contents() throws -> (StoreContents<MemoryBackend>, ClientID) {
    var contents = StoreContents()
    let (number, changes) = contents.registry.changes(
      registering: HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"),
      granting: .full, for: ObjectType.allCases)
    try contents.commit(changes)
    return (contents, ClientID(number: number))
  }

  private func add(
    _ fixture: inout Fixture, to contents: inout StoreContents<MemoryBackend>
  ) throws {
    try contents.insert(
      StoredSample(
        saving: fixture.glucose(100, minute: 0), row: contents.lastRow + 1, revision: 0, source: 0,
        created: fixture.start))
  }

  @Test("Queries are numbered on, tell only once they are executed, and are forgotten")
  func telling() throws {
    var fixture = Fixture()
    var (contents, client) = try contents()
    var queries = LiveQueries()
    let first = try queries.add(.observer(of: [type]), matching: .all, as: client, in: contents)
    let second = try queries.add(
      .changes(of: [type]), matching: .all, as: client, in: contents)
    #expect([first.number, second.number] == [1, 2])
    #expect(try queries.takeDeliveries(from: contents).isEmpty)
    try queries.execute(second, in: contents)
    let target = WakeUp.Target(client: client, type: type)
    #expect(queries.predicates(observing: target).isEmpty, "The observer has not started.")
    try queries.execute(first, in: contents)
    #expect(queries.predicates(observing: target) == [.all])
    #expect(try queries.takeDeliveries(from: contents).map(\.query) == [first, second])
    #expect(try queries.takeDeliveries(from: contents).isEmpty)
    try add(&fixture, to: &contents)
    #expect(try queries.takeDeliveries(from: contents).map(\.query) == [first, second])
    queries.stopAll(of: client)
    try add(&fixture, to: &contents)
    #expect(try queries.takeDeliveries(from: contents).isEmpty)
  }

  @Test("A wake-up that nobody deals with comes three times, and then no more")
  func failing() throws {
    var fixture = Fixture()
    var (contents, client) = try contents()
    var (queries, wakeUps) = (LiveQueries(), WakeUps())
    try queries.execute(
      queries.add(.observer(of: [type]), matching: .all, as: client, in: contents), in: contents)
    try wakeUps.enable(of: type, frequency: .immediate, as: client, in: &contents)
    try add(&fixture, to: &contents)
    var minutes: [Int64] = []
    for minute in 0..<20 as Range<Int64> {
      let woken = try wakeUps.take(
        at: fixture.start + .minutes(minute), observing: queries, in: &contents)
      if !woken.isEmpty { minutes.append(minute) }
    }
    #expect(minutes == [0, 1, 3])
    #expect(contents.registry.deliveries.map(\.isEnabled) == [false])
  }

  @Test("A wake-up is not given while nothing observes, nor again once it is dealt with")
  func completing() throws {
    var fixture = Fixture()
    var (contents, client) = try contents()
    var (queries, wakeUps) = (LiveQueries(), WakeUps())
    try wakeUps.enable(of: type, frequency: .immediate, as: client, in: &contents)
    try add(&fixture, to: &contents)
    #expect(try wakeUps.take(at: fixture.start, observing: queries, in: &contents).isEmpty)
    try queries.execute(
      queries.add(.observer(of: [type]), matching: .all, as: client, in: contents), in: contents)
    let woken = try wakeUps.take(at: fixture.start, observing: queries, in: &contents)
    #expect(woken.map(\.target) == [.init(client: client, type: type)])
    for wakeUp in woken { try wakeUps.complete(wakeUp, in: &contents) }
    let later = fixture.start + .hours(1)
    #expect(try wakeUps.take(at: later, observing: queries, in: &contents).isEmpty)
    try add(&fixture, to: &contents)
    wakeUps.stopAll(of: client)
    #expect(try wakeUps.take(at: later, observing: queries, in: &contents).isEmpty)
  }
}
