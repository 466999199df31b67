import HealthStore
import Quantities
import Testing

@Suite("A replica on a second device")
struct ReplicaTests {
  let start = Instant(secondsSince1970: 1_700_000_000)
  let loop = HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop")

  @Test("H158 Pruning on the replica reports no deletion, and the primary keeps its samples")
  func pruning() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    let samples = (0..<10).map { fixture.glucose(100, minute: $0 * 60) }
    try primary.save(samples, as: client, at: start)
    var replica = StoreReplica(retention: .hours(4))
    try replica.synchronise(with: &primary, at: start)
    let anchor = try replica.store.changes(of: .bloodGlucose, as: client).anchor
    try replica.synchronise(with: &primary, at: start + .hours(9))
    let kept = try replica.store.samples(of: .bloodGlucose, as: client)
    #expect(kept.map(\.uuid) == samples.dropFirst(5).map(\.uuid))
    #expect(try replica.store.changes(of: .bloodGlucose, since: anchor, as: client).isEmpty)
    #expect(try primary.samples(of: .bloodGlucose, as: client).count == 10)
    try replica.synchronise(with: &primary, at: start + .hours(9))
    #expect(try primary.changes(of: .bloodGlucose, as: client).deleted.isEmpty)
  }

  @Test("Samples and deletions cross after the delay, in both directions, once each")
  func exchange() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    var replica = StoreReplica(delay: .minutes(2))
    let (first, second) = (fixture.glucose(100, minute: 0), fixture.glucose(110, minute: 5))
    try primary.save(first, as: client, at: start)
    try replica.synchronise(with: &primary, at: start + .minutes(1))
    #expect(try replica.store.samples(of: .bloodGlucose, as: client).isEmpty)
    try replica.synchronise(with: &primary, at: start + .minutes(2))
    let copy = try #require(try replica.store.samples(of: .bloodGlucose, as: client).first)
    #expect(copy.uuid == first.uuid)
    #expect(copy.source?.name == "Loop")
    try replica.store.save(second, as: client, at: start + .minutes(3))
    try primary.delete([first.uuid], as: client, at: start + .minutes(3))
    for minute in [5, 9, 20] as [Int64] {
      try replica.synchronise(with: &primary, at: start + .minutes(minute))
      for store in [primary, replica.store] {
        #expect(try store.samples(of: .bloodGlucose, as: client).map(\.uuid) == [second.uuid])
      }
    }
    try replica.store.delete([second.uuid], as: client, at: start + .minutes(21))
    try replica.synchronise(with: &primary, at: start + .minutes(23))
    #expect(try primary.samples(of: .bloodGlucose, as: client).isEmpty)
    try replica.synchronise(with: &primary, at: start + .minutes(30))
    #expect(try replica.store.samples(of: .bloodGlucose, as: client).isEmpty)
    #expect(try primary.changes(of: .bloodGlucose, as: client).deleted.count == 2)
  }

  @Test(
    "What is saved again after its deletion crosses again", arguments: [true, false])
  func again(crossesBetween: Bool) throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    var replica = StoreReplica()
    let sample = fixture.glucose(100, minute: 0)
    try primary.save(sample, as: client, at: start)
    try replica.synchronise(with: &primary, at: start)
    for minute in [1, 2] as [Int64] {
      let now = start + .minutes(minute)
      try primary.delete([sample.uuid], as: client, at: now)
      if crossesBetween {
        try replica.synchronise(with: &primary, at: now)
        #expect(try replica.store.samples(of: .bloodGlucose, as: client).isEmpty)
      }
      try primary.save(sample, as: client, at: now)
      for _ in 0..<2 {
        try replica.synchronise(with: &primary, at: now)
        for store in [primary, replica.store] {
          #expect(try store.samples(of: .bloodGlucose, as: client).map(\.uuid) == [sample.uuid])
        }
      }
    }
  }

  @Test("What both sides have saved by themselves stays on both")
  func both() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    var replica = StoreReplica()
    try replica.synchronise(with: &primary, at: start)
    let sample = fixture.glucose(100, minute: 0)
    try primary.save(sample, as: client, at: start)
    try replica.store.save(sample, as: client, at: start)
    try replica.synchronise(with: &primary, at: start)
    for store in [primary, replica.store] {
      #expect(try store.samples(of: .bloodGlucose, as: client).map(\.uuid) == [sample.uuid])
    }
  }

  @Test("Nothing is pruned on the replica that is still on its way to the primary")
  func pruningOnTheWay() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    var replica = StoreReplica(delay: .minutes(10), retention: .hours(4))
    let now = start + .hours(4)
    try replica.synchronise(with: &primary, at: now)
    let (old, young) = (fixture.glucose(100, minute: 5), fixture.glucose(101, minute: 60))
    try replica.store.save([old, young], as: client, at: now)
    // At 6 minutes the first is older than 4 hours, and has not crossed; at 11 minutes it has.
    try replica.synchronise(with: &primary, at: now + .minutes(6))
    try replica.synchronise(with: &primary, at: now + .minutes(11))
    let arrived = try primary.samples(of: .bloodGlucose, as: client).map(\.uuid)
    #expect(arrived == [old.uuid, young.uuid])
    let kept = try replica.store.samples(of: .bloodGlucose, as: client).map(\.uuid)
    #expect(kept == [young.uuid])
  }

  @Test("What an app may do is undetermined on the replica, too, when it is gone")
  func uninstalling() throws {
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    var replica = StoreReplica()
    try replica.synchronise(with: &primary, at: start)
    func permitted(_ store: InMemoryHealthStore) -> Authorization {
      store.registry.authorization(of: loop.family, for: .bloodGlucose)
    }
    #expect(permitted(replica.store) == .full)
    try primary.uninstall(client)
    try replica.synchronise(with: &primary, at: start)
    #expect(permitted(replica.store) == permitted(primary))
    #expect(permitted(primary) == .notDetermined)
  }

  @Test("Workouts cross with their events, and what belongs to them on either side")
  func workouts() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    let walk = Sample(
      workout: Workout(
        activity: .wheelchairWalkPace, duration: .minutes(20), metres: 900,
        events: [.init(.pause, at: start + .minutes(5)), .init(.lap, at: start + .minutes(9))]),
      start: start, end: start + .minutes(30), uuid: fixture.uuid())
    let (before, during, later) = (
      fixture.glucose(100, minute: 0), fixture.glucose(101, minute: 5),
      fixture.glucose(102, minute: 10)
    )
    try primary.save([before, walk], as: client, at: start)
    try primary.add([during], toWorkout: walk.uuid, as: client, at: start)
    var replica = StoreReplica()
    func parts(_ store: InMemoryHealthStore) throws -> [SampleUUID] {
      try store.samples(of: .bloodGlucose, matching: .ofWorkout(walk.uuid), as: client).map(\.uuid)
    }
    try replica.synchronise(with: &primary, at: start)
    #expect(try replica.store.sample(walk.uuid, as: client)?.workout == walk.workout)
    #expect(try parts(replica.store) == [during.uuid])
    // A sample that both sides have is made a part here, and a new one there.
    try primary.add([before], toWorkout: walk.uuid, as: client, at: start)
    try replica.store.add([later], toWorkout: walk.uuid, as: client, at: start)
    try replica.synchronise(with: &primary, at: start)
    for store in [primary, replica.store] {
      #expect(try parts(store) == [before.uuid, during.uuid, later.uuid])
    }
    try primary.delete([walk.uuid], as: client, at: start)
    try replica.synchronise(with: &primary, at: start)
    #expect(try parts(replica.store).isEmpty)
    #expect(try replica.store.samples(of: .bloodGlucose, as: client).count == 3)
  }

  @Test("A delay by chance lies between its bounds, keeps the order, and follows from the seed")
  func jitter() throws {
    func arrivals(seed: UInt64) throws -> [Int64] {
      var fixture = Fixture()
      var primary = InMemoryHealthStore()
      let client = try primary.register(loop, granting: .full)
      var replica = StoreReplica(delay: .minutes(2), jitter: .minutes(10), seed: seed)
      var arrivals: [Int64] = []
      for minute in 0..<200 as Range<Int64> {
        if minute % 20 == 0 {
          try primary.save(
            [fixture.glucose(100, minute: minute), fixture.glucose(110, minute: minute)],
            as: client, at: start + .minutes(minute))
        }
        let before = try replica.store.samples(of: .bloodGlucose, as: .user).count
        try replica.synchronise(with: &primary, at: start + .minutes(minute))
        let after = try replica.store.samples(of: .bloodGlucose, as: .user).count
        // What was saved together arrives together.
        #expect((after - before) % 2 == 0)
        if after > before { arrivals.append(minute) }
      }
      return arrivals
    }
    let first = try arrivals(seed: 1)
    #expect(first.count == 10)
    for (index, minute) in first.enumerated() {
      #expect((2...12).contains(minute - Int64(index) * 20))
    }
    #expect(Set(first.map { $0 % 20 }).count > 2)
    #expect(try arrivals(seed: 1) == first)
    #expect(try arrivals(seed: 2) != first)
  }

  @Test("A blood pressure crosses whole")
  func correlations() throws {
    var fixture = Fixture()
    var primary = InMemoryHealthStore()
    let client = try primary.register(loop, granting: .full)
    let members = try [(ObjectType.bloodPressureSystolic, 120.0), (.bloodPressureDiastolic, 80)]
      .map { type, value in
        try Sample(
          type, quantity: HealthQuantity(value, .millimetreOfMercury), start: start,
          uuid: fixture.uuid())
      }
    let pressure = try Sample(
      .bloodPressure, members: members, start: start, uuid: fixture.uuid())
    let noise = fixture.glucose(90, minute: 0)
    try primary.save([noise, pressure], as: client, at: start)
    var replica = StoreReplica()
    try replica.synchronise(with: &primary, at: start)
    let found = try replica.store.correlations(of: .bloodPressure, as: client)
    #expect(found.first?.members.map(\.uuid) == members.map(\.uuid))
  }
}
