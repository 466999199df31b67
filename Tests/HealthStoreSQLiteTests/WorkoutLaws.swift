import HealthStore
import Quantities
import Testing

@Suite("Workouts and what belongs to them, on both backends")
struct WorkoutLaws {
  private func walk(in world: inout World) -> Sample {
    Sample(
      workout: Workout(
        activity: .walking, duration: .minutes(25), kilocalories: 90, metres: 1_800,
        events: [
          .init(.pause, at: world.minute(10)), .init(.resume, at: world.minute(15)),
          .init(.segment, at: world.minute(0), duration: .minutes(10)),
        ]),
      start: world.start, end: world.minute(30), uuid: world.uuid())
  }

  @Test("A workout comes back with its events in their order", arguments: Place.allCases)
  func events(place: Place) throws {
    var world = try World(place)
    let walk = walk(in: &world)
    try world.save(walk, by: world.loop)
    let back = try #require(try world.store.sample(walk.uuid, as: .user))
    #expect(back.workout == walk.workout)
    #expect(back.workout?.events.map(\.kind) == [.pause, .resume, .segment])
  }

  @Test("Parts are found by their workout and stay when it goes", arguments: Place.allCases)
  func parts(place: Place) throws {
    var world = try World(place)
    let walk = walk(in: &world)
    let alone = try world.quantity(.stepCount, 7, from: 0, to: 1)
    let known = try world.quantity(.stepCount, 50, from: 1, to: 2)
    let new = try world.quantity(.stepCount, 60, from: 2, to: 3)
    try world.save(walk, alone, known, by: world.loop)
    try world.store.add([known, new], toWorkout: walk.uuid, as: world.loop, at: world.start)
    let parts = SamplePredicate.ofWorkout(walk.uuid)
    func found() throws -> [SampleUUID] {
      try world.store.samples(of: .stepCount, matching: parts, as: world.loop).map(\.uuid)
    }
    #expect(try found() == [known.uuid, new.uuid])
    let others = try world.store.samples(of: .stepCount, matching: .not(parts), as: world.loop)
    #expect(others.map(\.uuid) == [alone.uuid])
    try world.store.delete([known.uuid], as: world.loop, at: world.start)
    #expect(try found() == [new.uuid])
    try world.store.delete([walk.uuid], as: world.loop, at: world.start)
    #expect(try found().isEmpty)
    #expect(try world.seen(.stepCount, by: world.loop) == [alone.uuid, new.uuid])
  }

  @Test("A newer version of a part takes its place", arguments: Place.allCases)
  func replacedPart(place: Place) throws {
    var world = try World(place)
    let walk = walk(in: &world)
    let old = world.synced("pulse", version: 1)
    let new = world.synced("pulse", version: 2, mgdL: 120)
    try world.save(walk, by: world.loop)
    try world.store.add([old], toWorkout: walk.uuid, as: world.loop, at: world.start)
    try world.save(new, by: world.loop)
    let parts = try world.store.samples(
      of: .bloodGlucose, matching: .ofWorkout(walk.uuid), as: world.loop)
    #expect(parts.map(\.uuid) == [new.uuid])
  }

  @Test("Nobody adds to another's workout, or to what is none", arguments: Place.allCases)
  func foreignWorkout(place: Place) throws {
    var world = try World(place)
    let walk = walk(in: &world)
    let steps = try world.quantity(.stepCount, 7, from: 0, to: 1)
    try world.save(walk, by: world.loop)
    #expect(
      failure {
        try world.store.add([steps], toWorkout: walk.uuid, as: world.dexcom, at: world.start)
      } == 4)
    #expect(
      failure {
        try world.store.add([steps], toWorkout: steps.uuid, as: world.loop, at: world.start)
      } == 3)
    #expect(try world.seen(.stepCount, by: world.loop).isEmpty)
  }
}
