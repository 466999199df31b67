import HealthStore
import Testing

@Suite("Deleting, on both backends")
struct DeletingLaws {
  @Test("H124 A client deletes only its own samples, and the user any", arguments: Place.allCases)
  func ownership(place: Place) throws {
    var world = try World(place)
    let (own, other) = (world.glucose(100, minute: 0), world.glucose(110, minute: 5))
    try world.save(own, by: world.loop)
    try world.save(other, by: world.dexcom)
    #expect(
      failure {
        try world.store.delete([own.uuid, other.uuid], as: world.loop, at: world.start)
      } == 4)
    #expect(try world.seen(by: world.loop).count == 2)
    try world.store.delete([other.uuid], as: .user, at: world.start)
    #expect(try world.seen(by: world.loop) == [own.uuid])
    #expect(
      failure { try world.store.delete([other.uuid], as: .user, at: world.start) } == 3)
    #expect(failure { try world.store.delete([], as: .user, at: world.start) } == 3)
    try world.store.setAuthorization(.readOnly, of: world.loop, for: [.bloodGlucose])
    #expect(failure { try world.store.delete([own.uuid], as: world.loop, at: world.start) } == 4)
  }

  @Test("H125 Deleting by predicate passes over what others saved", arguments: Place.allCases)
  func byPredicate(place: Place) throws {
    var world = try World(place)
    for minute in 0..<6 as Range<Int64> {
      let sample = world.glucose(100, minute: minute)
      try world.save(sample, by: minute % 2 == 0 ? world.loop : world.dexcom)
    }
    let early = SamplePredicate.samples(end: world.minute(4))
    #expect(
      try world.store.deleteSamples(
        of: .bloodGlucose, matching: early, as: world.loop, at: world.start) == 2)
    #expect(
      try world.store.deleteSamples(
        of: .bloodGlucose, matching: early, as: world.loop, at: world.start) == 0)
    #expect(try world.seen(by: world.loop).count == 4)
  }

  @Test("H189 No row is given out twice, whatever is deleted", arguments: Place.allCases)
  func rowsGrow(place: Place) throws {
    var world = try World(place)
    var highest = world.store.lastRow
    for minute in 0..<20 as Range<Int64> {
      let sample = world.glucose(100, minute: minute)
      try world.save(sample, by: world.loop)
      #expect(world.store.lastRow == highest + 1)
      try world.store.delete([sample.uuid], as: world.loop, at: world.start)
      #expect(world.store.lastRow == highest + 2)
      highest = world.store.lastRow
    }
  }
}
