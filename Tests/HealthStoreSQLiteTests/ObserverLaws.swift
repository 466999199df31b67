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
}
