import HealthStore
import Quantities
import Testing

@Suite("Upkeep, migration and duplicates, on both backends")
struct UpkeepLaws {
  @Test(
    "H155 H156 A migration writes, then deletes, and repeating it changes nothing",
    arguments: Place.allCases)
  func migration(place: Place) throws {
    var world = try World(place)
    let fahrenheit = try HealthUnit("degF")
    let wrong = try (0..<3).map {
      try world.quantity(.bodyTemperature, 98, from: $0, unit: .degreeCelsius)
    }
    try world.store.save(wrong, as: world.loop, at: world.start)
    let anchor = try world.store.changes(of: .bodyTemperature, as: world.loop).anchor
    let right = try (0..<3).map {
      try world.quantity(.bodyTemperature, 98, from: $0, unit: fahrenheit)
    }
    let pairs = try world.store.replace(
      wrong.map(\.uuid), with: right, as: world.loop, at: world.start)
    #expect(pairs.map(\.old) == wrong.map(\.uuid))
    #expect(pairs.map(\.new) == right.map(\.uuid))
    let changes = try world.store.changes(of: .bodyTemperature, since: anchor, as: world.loop)
    #expect(changes.added.map(\.uuid) == right.map(\.uuid))
    #expect(changes.deleted.map(\.uuid) == wrong.map(\.uuid))
    for sample in changes.added { #expect(abs((sample.storedValue ?? 0) - 36.6667) < 1e-4) }
    let repeated = try (0..<3).map {
      try world.quantity(.bodyTemperature, 98, from: $0, unit: fahrenheit)
    }
    let again = try world.store.replace(
      wrong.map(\.uuid), with: repeated, as: world.loop, at: world.start)
    #expect(again.map(\.new) == right.map(\.uuid))
    #expect(try world.seen(.bodyTemperature, by: world.loop) == right.map(\.uuid))
  }

  @Test(
    "H156 A migration that stopped between writing and deleting is completed",
    arguments: Place.allCases)
  func interruptedMigration(place: Place) throws {
    var world = try World(place)
    let wrong = try world.quantity(.bodyTemperature, 98, from: 0)
    try world.save(wrong, by: world.loop)
    let fahrenheit = try HealthUnit("degF")
    let written = Sample(
      restoring: world.uuid(), type: .bodyTemperature, start: world.start, end: world.start,
      value: .quantity(HealthQuantity(98, fahrenheit)),
      metadata: [.migratedFrom: .text("\(wrong.uuid)")])
    try world.save(written, by: world.loop)
    let repeated = try world.quantity(.bodyTemperature, 98, from: 0, unit: fahrenheit)
    _ = try world.store.replace([wrong.uuid], with: [repeated], as: world.loop, at: world.start)
    #expect(try world.seen(.bodyTemperature, by: world.loop) == [written.uuid])
    #expect(
      failure {
        _ = try world.store.replace([wrong.uuid], with: [], as: world.loop, at: world.start)
      } == 3)
  }

  @Test(
    "A migration loses nothing where the repaired sample has the version of the old one",
    arguments: Place.allCases)
  func migrationOfVersions(place: Place) throws {
    var world = try World(place)
    let old = world.synced("old", version: 1)
    let (plain, newer) = (world.glucose(90, minute: 5), world.synced("newer", version: 2))
    try world.save(old, plain, newer, by: world.loop)
    let repaired = world.synced("old", version: 1, mgdL: 110)
    let pairs = try world.store.replace(
      [old.uuid, plain.uuid], with: [repaired, world.synced("newer", version: 1)],
      as: world.loop, at: world.start)
    // Of the second the store has a higher version, which takes the old sample's place.
    #expect(pairs.map(\.old) == [old.uuid, plain.uuid])
    #expect(pairs.map(\.new) == [repaired.uuid, newer.uuid])
    #expect(Set(try world.seen(by: world.loop)) == [repaired.uuid, newer.uuid])
  }

  @Test("H154 Values that the user only confirms are not saved again", arguments: Place.allCases)
  func prefilled(place: Place) throws {
    var world = try World(place)
    let height = try world.quantity(.height, 1.8, from: 0)
    try world.save(height, by: world.dexcom)
    // An on-boarding form reads what is there, and saves only what the user has changed.
    for (entered, count) in [(1.8, 1), (1.81, 2)] as [(Double, Int)] {
      let known = try world.store.latestSample(of: .height, as: world.loop)?.storedValue
      if known != entered {
        let changed = try world.quantity(.height, entered, from: 5)
        try world.save(changed, by: world.loop)
      }
      #expect(try world.seen(.height, by: world.loop).count == count)
    }
  }

  @Test(
    "H157 H158 Pruning is housekeeping: older samples are gone, and nobody is told",
    arguments: Place.allCases)
  func pruning(place: Place) throws {
    var world = try World(place)
    let samples = (0..<6).map { world.glucose(100, minute: $0) }
    try world.store.save(samples, as: world.loop, at: world.start)
    let primary = try world.seen(by: world.loop)
    let anchor = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    try world.store.prune(endingBefore: world.minute(3))
    #expect(try world.seen(by: world.loop) == Array(primary.dropFirst(3)))
    let changes = try world.store.changes(of: .bloodGlucose, since: anchor, as: world.loop)
    #expect(changes.isEmpty)
    #expect(!changes.mayHaveMissedDeletions)
    let old = world.glucose(100, minute: 2)
    #expect(failure { try world.store.save(old, as: world.loop, at: world.start) } == 3)
    let new = world.glucose(100, minute: 3)
    #expect(failure { try world.store.save(new, as: world.loop, at: world.start) } == nil)
  }

  @Test(
    "A correlation is pruned when the last of its members has ended, and all of it",
    arguments: Place.allCases)
  func prunedCorrelation(place: Place) throws {
    var world = try World(place)
    func carbs(_ version: Int, to end: Int64) throws -> Sample {
      var metadata = Metadata()
      metadata.setSync(identifier: "carbs", version: version)
      return try Sample(
        .dietaryCarbohydrates, quantity: HealthQuantity(20, .gram), start: world.minute(0),
        end: world.minute(end), uuid: world.uuid(), metadata: metadata)
    }
    let food = try Sample(
      .food, members: [try carbs(1, to: 2)], start: world.minute(0), end: world.minute(2),
      uuid: world.uuid())
    let pressures = try [ObjectType.bloodPressureSystolic, .bloodPressureDiastolic].map {
      try world.quantity($0, 80, from: 0, to: $0 == .bloodPressureSystolic ? 2 : 10)
    }
    let pressure = try Sample(
      .bloodPressure, members: pressures, start: world.minute(0), end: world.minute(10),
      uuid: world.uuid())
    try world.store.save([food, pressure], as: world.loop, at: world.start)
    // The new version of the member ends after the food.
    try world.store.save(try carbs(2, to: 10), as: world.loop, at: world.start)
    try world.store.prune(endingBefore: world.minute(5))
    #expect(try world.seen(.dietaryCarbohydrates, by: world.loop).count == 1)
    #expect(try world.seen(.bloodPressureDiastolic, by: world.loop).count == 1)
    for type in [ObjectType.food, .bloodPressure, .bloodPressureSystolic] {
      #expect(try world.seen(type, by: world.loop).isEmpty)
    }
    #expect(try world.store.allSamples().count == 2)
    try world.store.prune(endingBefore: world.minute(11))
    #expect(try world.store.allSamples().isEmpty)
  }

  @Test(
    "H159 A client that remembers what was deleted does not add it again",
    arguments: Place.allCases)
  func notAddedAgain(place: Place) throws {
    var world = try World(place)
    var gone: Set<String> = []
    let record = world.glucose(100, minute: 0, metadata: [.externalUUID: .text("cloud-1")])
    try world.save(record, by: world.loop)
    let anchor = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    try world.store.delete([record.uuid], as: .user, at: world.start)
    let changes = try world.store.changes(of: .bloodGlucose, since: anchor, as: world.loop)
    gone.formUnion(changes.deleted.compactMap { $0.metadata.text(.externalUUID) })
    // The cloud sends the record once more.
    if !gone.contains("cloud-1") {
      let again = world.glucose(100, minute: 0, metadata: [.externalUUID: .text("cloud-1")])
      try world.save(again, by: world.loop)
    }
    #expect(try world.seen(by: world.loop).isEmpty)
  }

  @Test(
    "H186 Half a year of steps and half a year of pushes need both types",
    arguments: Place.allCases)
  func wheelchair(place: Place) throws {
    var world = try World(place)
    for month in 0..<12 as Range<Int64> {
      let sample = try world.quantity(
        month < 6 ? .stepCount : .pushCount, 1_000, from: month * 43_200)
      try world.save(sample, by: world.dexcom)
    }
    let steps = try world.store.samples(matchingAnyOf: [(.stepCount, .all)], as: world.loop)
    let both = try world.store.samples(
      matchingAnyOf: [(.stepCount, .all), (.pushCount, .all)], as: world.loop)
    #expect(steps.count == 6)
    #expect(both.count == 12)
    #expect(both.map(\.start) == both.map(\.start).sorted())
  }

  @Test("H190 The same operations give the same store, row for row", arguments: Place.allCases)
  func determinism(place: Place) throws {
    func run() throws -> SampleChanges {
      var world = try World(place)
      for minute in 0..<20 as Range<Int64> {
        let sample = world.synced("s\(minute % 7)", version: Int(minute))
        try world.save(sample, by: world.loop)
      }
      return try world.store.changes(of: .bloodGlucose, as: .user)
    }
    #expect(try run() == run())
  }

  @Test(
    "A sample is not replaced by another under its own identity, nor under that of one that goes",
    arguments: Place.allCases)
  func sameIdentity(place: Place) throws {
    var world = try World(place)
    let old = world.glucose(100, minute: 0)
    let synced = world.synced("s", version: 1)
    try world.save(old, synced, by: world.loop)
    func other(_ uuid: SampleUUID) -> Sample {
      .bloodGlucose(.mgdL(50), at: world.start, uuid: uuid)
    }
    #expect(
      failure {
        _ = try world.store.replace(
          [old.uuid], with: [other(old.uuid)], as: world.loop, at: world.start)
      } == 3)
    let next = world.synced("s", version: 2)
    #expect(
      throws: HealthStoreError.invalidArgument(.duplicateUUID(synced.uuid), object: 1)
    ) {
      try world.store.save([next, other(synced.uuid)], as: world.loop, at: world.start)
    }
    #expect(Set(try world.seen(by: world.loop)) == [old.uuid, synced.uuid])
  }

  @Test(
    "H159 A member that was deleted does not come back with its correlation",
    arguments: Place.allCases)
  func deletedMember(place: Place) throws {
    var world = try World(place)
    let member = try world.quantity(.dietaryCarbohydrates, 10, from: 0)
    try world.save(member, by: world.loop)
    try world.store.delete([member.uuid], as: .user, at: world.start)
    let food = try Sample(.food, members: [member], start: world.start, uuid: world.uuid())
    #expect(
      try world.store.restore([RestoredSample(food, created: world.start)]) == [.passedOver])
    #expect(try world.seen(.dietaryCarbohydrates, by: .user).isEmpty)
  }
}
