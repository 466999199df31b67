import HealthStore
import Quantities
import Testing

@Suite("Observers and wake-ups, on both backends")
struct ObserverLaws {
  @Test(
    "H137 An observer tells once at its start and after each matching commit, and no data",
    arguments: Place.allCases)
  func observer(place: Place) throws {
    var world = try World(place)
    let query = try world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.store.execute(query)
    #expect(try world.store.takeDeliveries() == [.update(query)])
    #expect(try world.store.takeDeliveries().isEmpty)
    let steps = try world.quantity(.stepCount, 5, from: 0)
    try world.save(steps, by: world.loop)
    #expect(try world.store.takeDeliveries().isEmpty)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    #expect(try world.store.takeDeliveries() == [.update(query)])
    #expect(try world.seen(by: world.loop) == [sample.uuid])
    try world.store.delete([sample.uuid], as: world.dexcom, at: world.start)
    #expect(try world.store.takeDeliveries() == [.update(query)])
  }

  @Test("H145 A stopped query is silent, and a query is executed once", arguments: Place.allCases)
  func stopping(place: Place) throws {
    var world = try World(place)
    let query = try world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop)
    try world.store.execute(query)
    #expect(failure { try world.store.execute(query) } == 3)
    world.store.stop(query)
    world.store.stop(query)
    #expect(try world.store.takeDeliveries().isEmpty)
    #expect(failure { try world.store.execute(query) } == 3)
  }

  /// A world whose Loop observes a type and wants to be woken for it.
  func woken(
    _ place: Place, _ type: ObjectType, _ frequency: UpdateFrequency
  ) throws -> World {
    var world = try World(place)
    try world.store.enableBackgroundDelivery(of: type, frequency: frequency, as: world.loop)
    try world.store.execute(world.store.makeQuery(.observer(of: [type]), as: world.loop))
    return world
  }

  @Test("H138 A restarted client is woken only when it asks again", arguments: Place.allCases)
  func restart(place: Place) throws {
    var world = try woken(place, .bloodGlucose, .immediate)
    world.store.relaunch(world.loop)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    #expect(try world.store.takeWakeUps(at: world.start).isEmpty)
    try world.store.enableBackgroundDelivery(
      of: .bloodGlucose, frequency: .immediate, as: world.loop)
    #expect(try world.store.takeWakeUps(at: world.start).isEmpty)
    try world.store.execute(world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop))
    let wakeUps = try world.store.takeWakeUps(at: world.start)
    #expect(wakeUps.map(\.target) == [.init(client: world.loop, type: .bloodGlucose)])
  }

  @Test(
    "H139 H140 Hourly wake-ups merge what happens in between, and steps are never more often",
    arguments: Place.allCases,
    [(ObjectType.heartRate, UpdateFrequency.hourly), (.stepCount, .immediate)])
  func hourly(place: Place, wish: (ObjectType, UpdateFrequency)) throws {
    var world = try woken(place, wish.0, wish.1)
    var anchor = try world.store.changes(of: wish.0, as: world.loop).anchor
    var (wakeUps, received) = (0, 0)
    for minute in 0..<120 as Range<Int64> {
      if minute % 2 == 0 {
        let sample = try world.quantity(wish.0, 60, from: minute)
        try world.save(sample, by: world.dexcom)
      }
      for wakeUp in try world.store.takeWakeUps(at: world.minute(minute)) {
        wakeUps += 1
        let changes = try world.store.changes(of: wish.0, since: anchor, as: world.loop)
        received += changes.added.count
        anchor = changes.anchor
        try world.store.complete(wakeUp)
      }
    }
    #expect(wakeUps == 2)
    #expect(received == 1 + 30)
  }

  @Test(
    "H141 Three wake-ups in vain end them, and enabling begins again", arguments: Place.allCases)
  func noCompletion(place: Place) throws {
    var world = try woken(place, .bloodGlucose, .immediate)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    var woken: [Int64] = []
    for minute in 0..<60 as Range<Int64>
    where try !world.store.takeWakeUps(at: world.minute(minute)).isEmpty {
      woken.append(minute)
    }
    #expect(woken == [0, 1, 3])
    try world.store.enableBackgroundDelivery(
      of: .bloodGlucose, frequency: .immediate, as: world.loop)
    #expect(try world.store.takeWakeUps(at: world.minute(70)).count == 1)
  }

  @Test(
    "H141 A wake-up that is answered takes back those before it in vain",
    arguments: Place.allCases)
  func completionAfterFailure(place: Place) throws {
    var world = try woken(place, .bloodGlucose, .immediate)
    var woken: [Int64] = []
    for minute in 0..<60 as Range<Int64> {
      if minute == 0 || minute == 10 {
        let sample = world.glucose(100, minute: minute)
        try world.save(sample, by: world.dexcom)
      }
      for wakeUp in try world.store.takeWakeUps(at: world.minute(minute)) {
        woken.append(minute)
        if minute == 1 { try world.store.complete(wakeUp) }
      }
    }
    // That of minute 0 is in vain, and three from minute 10 on.
    #expect(woken == [0, 1, 10, 11, 13])
  }

  @Test("H142 Neither a correlation nor a watch is woken for", arguments: Place.allCases)
  func refused(place: Place) throws {
    var world = try World(place)
    let watch = try world.store.register(
      HealthClient(bundleIdentifier: "w", name: "Watch", isOnWatch: true), granting: .full)
    for (client, type) in [(world.loop, ObjectType.bloodPressure), (watch, .bloodGlucose)] {
      #expect(
        failure {
          try world.store.enableBackgroundDelivery(of: type, frequency: .hourly, as: client)
        } == 3)
    }
  }

  @Test(
    "Disabled wake-ups stay away, and clients are woken in their order",
    arguments: Place.allCases)
  func disabling(place: Place) throws {
    var world = try woken(place, .bloodGlucose, .immediate)
    try world.store.enableBackgroundDelivery(
      of: .bloodGlucose, frequency: .immediate, as: world.dexcom)
    try world.store.execute(world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.dexcom))
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    let order = try world.store.takeWakeUps(at: world.start)
    #expect(order.map(\.target.client) == [world.loop, world.dexcom])
    for wakeUp in order { try world.store.complete(wakeUp) }
    try world.store.disableAllBackgroundDelivery(as: world.loop)
    let second = world.glucose(100, minute: 5)
    try world.save(second, by: world.dexcom)
    #expect(
      try world.store.takeWakeUps(at: world.minute(5)).map(\.target.client) == [world.dexcom])
  }

  @Test("A client is woken only for what its observers match", arguments: Place.allCases)
  func matching(place: Place) throws {
    var world = try World(place)
    let high = SamplePredicate.quantity(.greater, .init(180, .milligramPerDecilitre))
    try world.store.enableBackgroundDelivery(
      of: .bloodGlucose, frequency: .immediate, as: world.loop)
    let query = try world.store.makeQuery(
      .observer(of: [.bloodGlucose]), matching: high, as: world.loop)
    try world.store.execute(query)
    #expect(try world.store.takeDeliveries() == [.update(query)])
    let (low, above) = (world.glucose(100, minute: 0), world.glucose(181, minute: 5))
    try world.save(low, by: world.dexcom)
    #expect(try world.store.takeWakeUps(at: world.start).isEmpty)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.save(above, by: world.dexcom)
    #expect(try world.store.takeWakeUps(at: world.start).count == 1)
    #expect(try world.store.takeDeliveries() == [.update(query)])
  }

  @Test(
    "A client that may not read any more keeps nothing from the others", arguments: Place.allCases)
  func notEntitled(place: Place) throws {
    var world = try World(place)
    var queries: [LiveQuery] = []
    for client in [world.loop, world.dexcom] {
      try world.store.enableBackgroundDelivery(
        of: .bloodGlucose, frequency: .immediate, as: client)
      for kind in [LiveQuery.Kind.observer(of: [.bloodGlucose]), .changes(of: [.bloodGlucose])] {
        queries.append(try world.store.makeQuery(kind, as: client))
        try world.store.execute(queries[queries.count - 1])
      }
    }
    #expect(try world.store.takeDeliveries().map(\.query) == queries)
    func register(isEntitled: Bool) throws {
      try world.store.register(
        HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop", isEntitled: isEntitled))
    }
    try register(isEntitled: false)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    #expect(try world.store.takeDeliveries().map(\.query) == Array(queries[2...]))
    #expect(try world.store.takeWakeUps(at: world.start).map(\.target.client) == [world.dexcom])
    try register(isEntitled: true)
    #expect(try world.store.takeDeliveries().map(\.query) == Array(queries[..<2]))
    #expect(try world.store.takeWakeUps(at: world.start).map(\.target.client) == [world.loop])
  }

  @Test(
    "H136 Who follows changes is told that deletions may have been missed",
    arguments: Place.allCases)
  func gap(place: Place) throws {
    var world = try World(place)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    let observer = try world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop)
    let changes = try world.store.makeQuery(.changes(of: [.bloodGlucose]), as: world.loop)
    for query in [observer, changes] { try world.store.execute(query) }
    #expect(try world.store.takeDeliveries().count == 2)
    try world.store.delete([sample.uuid], as: world.dexcom, at: world.start)
    try world.store.purgeTombstones(at: world.start + .days(31))
    let told = try world.store.takeDeliveries()
    #expect(told.map(\.query) == [observer, changes])
    guard case .changes(_, _, let missed) = told.last else {
      Issue.record("The changes are told.")
      return
    }
    #expect(missed.mayHaveMissedDeletions)
    #expect(missed.isEmpty)
    #expect(try world.store.takeDeliveries().isEmpty)
  }

  @Test("H134 A limit of 0 is none, and updates may follow", arguments: Place.allCases)
  func limits(place: Place) throws {
    var world = try World(place)
    for limit in [nil, 0] as [Int?] {
      let query = try world.store.makeQuery(
        .changes(of: [.bloodGlucose], limit: limit), as: world.loop)
      try world.store.execute(query)
    }
    #expect(try world.store.takeDeliveries().count == 2)
    #expect(
      failure {
        _ = try world.store.makeQuery(.changes(of: [.bloodGlucose], limit: 1), as: world.loop)
      } == 3)
  }

  @Test(
    "H137 What changes while the user has taken back every decision is told afterwards",
    arguments: Place.allCases)
  func undetermined(place: Place) throws {
    var world = try World(place)
    let observer = try world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop)
    let changes = try world.store.makeQuery(.changes(of: [.bloodGlucose]), as: world.loop)
    for query in [observer, changes] { try world.store.execute(query) }
    #expect(try world.store.takeDeliveries().count == 2)
    try world.store.setAuthorization(.notDetermined, of: world.loop, for: [.bloodGlucose])
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.store.setAuthorization(.full, of: world.loop, for: [.bloodGlucose])
    #expect(try world.store.takeDeliveries().map(\.query) == [observer, changes])
  }
}
