import HealthStore
import Quantities
import Testing

@Suite("Saving, on both backends")
struct SavingLaws {
  @Test("H109 H113 A sample that its type cannot hold is refused when it is made")
  func creation() throws {
    var world = try World(.memory)
    #expect(
      failure { _ = try world.quantity(.bloodGlucose, 5, from: 0, unit: .millimetreOfMercury) } == 3
    )
    #expect(failure { _ = try world.quantity(.height, 5, from: 0, unit: .gram) } == 3)
    for text in ["cm", "m", "ft", "in"] {
      let unit = try HealthUnit(text)
      #expect(failure { _ = try world.quantity(.height, 1, from: 0, unit: unit) } == nil)
    }
    for (value, code) in [(0, nil), (5, nil), (6, 3), (-1, 3)] as [(Int, Int?)] {
      let uuid = world.uuid()
      #expect(
        failure {
          _ = try Sample(.sleepAnalysis, category: value, start: world.start, uuid: uuid)
        } == code)
    }
    #expect(failure { _ = try world.quantity(.bloodGlucose, -.infinity, from: 0) } == 3)
    #expect(failure { _ = try world.quantity(.stepCount, -1, from: 0) } == 3)
  }

  @Test("H112 A sample may end when it starts, and not before", arguments: Place.allCases)
  func order(place: Place) throws {
    var world = try World(place)
    for (end, code) in [(0, nil), (1, nil), (-1, 3)] as [(Int64, Int?)] {
      let sample = try world.quantity(.stepCount, 5, from: 0, to: end)
      #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == code)
    }
  }

  @Test("H114 A sample of a day or more is saved with a diagnostic", arguments: Place.allCases)
  func longSamples(place: Place) throws {
    var world = try World(place)
    let short = try world.quantity(.stepCount, 5, from: 0, to: 1_439)
    try world.save(short, by: world.loop)
    #expect(world.store.diagnostics.isEmpty)
    let long = try world.quantity(.stepCount, 5, from: 0, to: 1_440)
    try world.save(long, by: world.loop)
    #expect(world.store.diagnostics == [.longSample(long.uuid, .stepCount, .days(1))])
    // What is not saved is no bad practice, and what is saved with a workout may be.
    func synced() throws -> Sample {
      var metadata = Metadata()
      metadata.setSync(identifier: "s", version: 1)
      return try Sample(
        .stepCount, quantity: HealthQuantity(5, .count), start: world.start,
        end: world.minute(1_440), uuid: world.uuid(), metadata: metadata)
    }
    let (first, again, third) = (try synced(), try synced(), try synced())
    for sample in [first, again] { try world.save(sample, by: world.loop) }
    try world.store.save([third, world.glucose(100, minute: 0)], as: world.loop, at: world.start)
    #expect(world.store.diagnostics.count == 2)
    let walk = Sample(
      workout: Workout(activity: .walking, duration: .minutes(5)), start: world.start,
      end: world.minute(5), uuid: world.uuid())
    try world.save(walk, by: world.loop)
    let part = try world.quantity(.stepCount, 5, from: 0, to: 1_440)
    for _ in 0..<2 {
      try world.store.add([part], toWorkout: walk.uuid, as: world.loop, at: world.start)
    }
    #expect(world.store.diagnostics.last == .longSample(part.uuid, .stepCount, .days(1)))
    #expect(world.store.diagnostics.count == 3)
  }

  @Test("No number that is saved is infinite or none at all", arguments: Place.allCases)
  func notFinite(place: Place) throws {
    var world = try World(place)
    let key = MetadataKey("x")
    for value in [
      MetadataValue.number(.nan), .number(.infinity), .quantity(HealthQuantity(.nan, .gram)),
    ] {
      let sample = world.glucose(100, minute: 0, metadata: [key: value])
      #expect(
        throws: HealthStoreError.invalidArgument(.metadataNotFinite(key), object: 0)
      ) {
        try world.store.save(sample, as: world.loop, at: world.start)
      }
    }
    // 1e308 teragrams are finite, and the kilograms in which they are kept are not.
    let heavy = Sample(
      restoring: world.uuid(), type: .bodyMass, start: world.start, end: world.start,
      value: .quantity(HealthQuantity(1e308, try HealthUnit("Tg"))))
    let run = Workout(activity: .running, duration: .minutes(5), kilocalories: .nan)
    let workout = Sample(
      workout: run, start: world.start, end: world.minute(5), uuid: world.uuid())
    for sample in [heavy, workout] {
      for samples in [[sample], [sample, world.glucose(100, minute: 0)]] {
        #expect(
          throws: HealthStoreError.invalidArgument(.valueNotFinite, object: 0)
        ) {
          try world.store.save(samples, as: world.loop, at: world.start)
        }
      }
    }
    #expect(try world.seen(by: world.loop).isEmpty)
  }

  @Test(
    "H115 H116 One bad object or one known identity keeps the whole list out",
    arguments: Place.allCases)
  func allOrNothing(place: Place) throws {
    var world = try World(place)
    let good = world.glucose(100, minute: 0)
    let bad = try world.quantity(.stepCount, 5, from: 0, to: -1)
    #expect(failure { try world.store.save([good, bad], as: world.loop, at: world.start) } == 3)
    #expect(try world.seen(by: world.loop).isEmpty)
    try world.save(good, by: world.loop)
    let row = world.store.lastRow
    let more = world.glucose(110, minute: 5)
    #expect(failure { try world.store.save([more, good], as: world.loop, at: world.start) } == 3)
    #expect(failure { try world.store.save([more, more], as: world.loop, at: world.start) } == 3)
    #expect(throws: HealthStoreError.invalidArgument(.duplicateUUID(good.uuid), object: 1)) {
      try world.store.save([more, good], as: world.loop, at: world.start)
    }
    #expect(try world.seen(by: world.loop) == [good.uuid])
    #expect(world.store.lastRow == row)
    try world.save(more, by: world.loop)
    #expect(try world.seen(by: world.loop) == [good.uuid, more.uuid])
  }

  func pressure(_ world: inout World, minute: Int64) throws -> Sample {
    let members = [
      try world.quantity(.bloodPressureSystolic, 120, from: minute),
      try world.quantity(.bloodPressureDiastolic, 80, from: minute),
    ]
    return try Sample(
      .bloodPressure, members: members, start: world.minute(minute), uuid: world.uuid())
  }

  @Test("H117 A blood pressure is found as itself and by its members", arguments: Place.allCases)
  func bloodPressure(place: Place) throws {
    var world = try World(place)
    let pressure = try pressure(&world, minute: 0)
    let pulse = try world.quantity(.heartRate, 72, from: 0)
    try world.save(pressure, pulse, by: world.loop)
    let systolic = try world.store.samples(of: .bloodPressureSystolic, as: world.loop)
    #expect(systolic.map(\.quantity) == [HealthQuantity(120, .millimetreOfMercury)])
    let found = try world.store.correlations(of: .bloodPressure, as: world.loop)
    #expect(found.count == 1)
    #expect(found.first?.members.map(\.type) == [.bloodPressureSystolic, .bloodPressureDiastolic])
    let all = systolic + found + (try world.store.samples(of: .heartRate, as: world.loop))
    #expect(all.count == 3)
    #expect(Set(all.map(\.start)) == [world.start])
    #expect(Set(all.map(\.end)) == [world.start])
    let high = SamplePredicate.quantity(.greater, HealthQuantity(130, .millimetreOfMercury))
    #expect(
      try world.store.correlations(
        of: .bloodPressure, members: [(.bloodPressureSystolic, high)], as: world.loop
      ).isEmpty)
    try world.store.delete([pressure.uuid], as: world.loop, at: world.start)
    #expect(try world.seen(.bloodPressureSystolic, by: world.loop).isEmpty)
  }

  @Test(
    "H118 H119 A correlation has exactly its members, none of them saved before",
    arguments: Place.allCases)
  func correlationContent(place: Place) throws {
    var world = try World(place)
    let systolic = try world.quantity(.bloodPressureSystolic, 120, from: 0)
    let diastolic = try world.quantity(.bloodPressureDiastolic, 80, from: 0)
    for members in [[systolic], [systolic, systolic], [systolic, diastolic, diastolic], []] {
      let uuid = world.uuid()
      #expect(
        failure {
          _ = try Sample(.bloodPressure, members: members, start: world.start, uuid: uuid)
        } == 3)
    }
    let late = try world.quantity(.bloodPressureDiastolic, 80, from: 5)
    let uuid = world.uuid()
    #expect(
      failure {
        _ = try Sample(.bloodPressure, members: [systolic, late], start: world.start, uuid: uuid)
      } == 3)
    try world.save(systolic, by: world.loop)
    let pressure = try Sample(
      .bloodPressure, members: [systolic, diastolic], start: world.start, uuid: world.uuid())
    #expect(failure { try world.store.save(pressure, as: world.loop, at: world.start) } == 3)
    #expect(try world.store.correlations(of: .bloodPressure, as: world.loop).isEmpty)
  }

  @Test("A required member is only deleted with its correlation", arguments: Place.allCases)
  func requiredMembers(place: Place) throws {
    var world = try World(place)
    let pressure = try pressure(&world, minute: 0)
    try world.save(pressure, by: world.loop)
    let member = try #require(pressure.members.first)
    #expect(failure { try world.store.delete([member.uuid], as: world.loop, at: world.start) } == 3)
    try world.store.delete([member.uuid, pressure.uuid], as: world.loop, at: world.start)
    #expect(try world.seen(.bloodPressureDiastolic, by: world.loop).isEmpty)
  }

  @Test(
    "H120 H121 H123 The highest version of a sync identifier stays, until it is deleted",
    arguments: Place.allCases)
  func syncVersions(place: Place) throws {
    var world = try World(place)
    let (first, second) = (world.synced("a", version: 1), world.synced("a", version: 2))
    #expect(try world.store.save(first, as: world.loop, at: world.start) == .inserted)
    #expect(
      try world.store.save(second, as: world.loop, at: world.start) == .replaced(first.uuid))
    #expect(try world.seen(by: world.loop) == [second.uuid])
    let changes = try world.store.changes(of: .bloodGlucose, as: world.loop)
    #expect(changes.deleted.map(\.uuid) == [first.uuid])
    #expect(changes.deleted.first?.metadata.syncIdentifier == "a")
    for version in [1, 2] {
      let late = world.synced("a", version: version)
      #expect(
        try world.store.save(late, as: world.loop, at: world.start)
          == .ignored(existing: second.uuid))
    }
    #expect(try world.seen(by: world.loop) == [second.uuid])
    let others = world.synced("a", version: 1)
    try world.save(others, by: world.dexcom)
    try world.store.delete([second.uuid], as: world.loop, at: world.start)
    let again = world.synced("a", version: 1)
    #expect(try world.store.save(again, as: world.loop, at: world.start) == .inserted)
  }

  @Test("Several versions in one list leave the highest", arguments: Place.allCases)
  func syncVersionsInOneList(place: Place) throws {
    var world = try World(place)
    let samples = [2, 1, 3, 3].map { world.synced("b", version: $0) }
    let outcomes = try world.store.save(samples, as: world.loop, at: world.start)
    #expect(
      outcomes == [
        .inserted, .ignored(existing: samples[0].uuid), .replaced(samples[0].uuid),
        .ignored(existing: samples[2].uuid),
      ])
    #expect(try world.seen(by: world.loop) == [samples[2].uuid])
  }

  @Test(
    "A correlation that replaces another takes its members with it, in one list or in two",
    arguments: Place.allCases, [false, true])
  func syncedCorrelations(place: Place, isOneList: Bool) throws {
    var world = try World(place)
    var samples: [Sample] = []
    for version in 1...2 {
      let plain = try pressure(&world, minute: 0)
      var metadata = Metadata()
      metadata.setSync(identifier: "cuff", version: version)
      samples.append(
        try Sample(
          .bloodPressure, members: plain.members, start: plain.start, uuid: plain.uuid,
          metadata: metadata))
    }
    for list in isOneList ? [samples] : samples.map({ [$0] }) {
      try world.store.save(list, as: world.loop, at: world.start)
    }
    let found = try world.store.correlations(of: .bloodPressure, as: world.loop)
    #expect(found.map(\.uuid) == [samples[1].uuid])
    #expect(
      try world.seen(.bloodPressureSystolic, by: world.loop) == [samples[1].members[0].uuid])
    #expect(
      try world.store.changes(of: .bloodPressureDiastolic, as: world.loop).deleted.map(\.uuid)
        == [samples[0].members[1].uuid])
  }

  @Test("Times are checked before the members of a correlation", arguments: Place.allCases)
  func orderOfChecks(place: Place) throws {
    var world = try World(place)
    let systolic = try world.quantity(.bloodPressureSystolic, 120, from: 0)
    let both = Sample(
      restoring: world.uuid(), type: .bloodPressure, start: world.minute(5), end: world.start,
      value: .correlation([systolic]))
    let expected = InvalidArgument.endBeforeStart(start: world.minute(5), end: world.start)
    #expect(throws: HealthStoreError.invalidArgument(expected, object: 0)) {
      try world.store.save(both, as: world.loop, at: world.start)
    }
    // Permission comes before all of this.
    try world.store.setAuthorization(.readOnly, of: world.loop, for: [.bloodPressureSystolic])
    #expect(failure { try world.store.save(both, as: world.loop, at: world.start) } == 4)
  }

  @Test("H122 A sync identifier and a version come together", arguments: Place.allCases)
  func syncPairs(place: Place) throws {
    var world = try World(place)
    for metadata in [
      [.syncIdentifier: .text("a")] as Metadata, [.syncVersion: .number(1)] as Metadata,
    ] {
      let sample = world.glucose(100, minute: 0, metadata: metadata)
      #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 3)
    }
  }

  @Test("H60 Insulin without a reason is refused", arguments: Place.allCases)
  func insulinReason(place: Place) throws {
    var world = try World(place)
    let sample = try world.quantity(.insulinDelivery, 1, from: 0)
    #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 3)
  }

  @Test(
    "H126 H127 A sample has its source when it comes back, and the user's is marked",
    arguments: Place.allCases)
  func sources(place: Place) throws {
    var world = try World(place)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.loop)
    let manual = world.glucose(105, minute: 5)
    try world.store.addByUser(manual, at: world.start)
    let found = try world.store.samples(of: .bloodGlucose, as: world.loop)
    #expect(sample.sourceRevision == nil)
    #expect(found.map { $0.sourceRevision?.source.name } == ["Loop", "Health"])
    #expect(found.first?.sourceRevision?.version == "3.4")
    #expect(found.map(\.metadata.wasUserEntered) == [false, true])
    #expect(found.last?.source == .healthApp)
  }

  @Test("H127 What the user adds is marked with all its members", arguments: Place.allCases)
  func marksMembers(place: Place) throws {
    var world = try World(place)
    let carbs = try world.quantity(.dietaryCarbohydrates, 40, from: 0)
    let food = try Sample(.food, members: [carbs], start: world.start, uuid: world.uuid())
    try world.store.addByUser(food, at: world.start)
    let members = try world.store.samples(of: .dietaryCarbohydrates, as: .user)
    #expect(members.map(\.metadata.wasUserEntered) == [true])
  }

  @Test(
    "H128 A locked store saves in order and answers nothing until it is unlocked",
    arguments: Place.allCases)
  func locked(place: Place) throws {
    var world = try World(place)
    let observer = try world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop)
    try world.store.execute(observer)
    _ = try world.store.takeDeliveries()
    try world.store.changeSettings { $0.isLocked = true }
    let samples = [world.glucose(100, minute: 5), world.glucose(101, minute: 0)]
    for sample in samples { try world.save(sample, by: world.loop) }
    #expect(failure { _ = try world.seen(by: world.loop) } == 6)
    #expect(failure { _ = try world.store.changes(of: .bloodGlucose, as: world.loop) } == 6)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.store.changeSettings { $0.isLocked = false }
    #expect(try world.store.takeDeliveries() == [.update(observer)])
    #expect(
      try world.store.changes(of: .bloodGlucose, as: world.loop).added.map(\.uuid)
        == samples.map(\.uuid))
  }

  @Test(
    "A sample comes back with the bits of the unit it was written in, and all its metadata",
    arguments: Place.allCases)
  func fidelity(place: Place) throws {
    var world = try World(place)
    let metadata: Metadata = [
      .timeZone: .text("Europe/Berlin \u{0} ü"), .wasTakenInLab: .flag(true),
      .userCreatedDate: .date(world.start), .absorptionTime: .number(0.1 + 0.2),
      .glucoseTrendRate: .quantity(HealthQuantity(-1.5, .milligramPerDecilitrePerMinute)),
      MetadataKey("unknown"): .text(""),
    ]
    let sample = Sample(
      restoring: world.uuid(), type: .bloodGlucose, start: world.start, end: world.start,
      value: .quantity(HealthQuantity(5.1, .millimolePerLitre)),
      device: Device(name: "CGM", localIdentifier: "7"), metadata: metadata)
    try world.save(sample, by: world.loop)
    let found = try #require(try world.store.sample(sample.uuid, as: world.loop))
    #expect(found.quantity == sample.quantity)
    #expect(found.metadata == sample.metadata)
    #expect(found.device == sample.device)
    let workout = Sample(
      workout: Workout(activity: .wheelchairRunPace, duration: .minutes(20), metres: 900),
      start: world.start, end: world.minute(25), uuid: world.uuid())
    try world.save(workout, by: world.loop)
    #expect(try world.store.samples(of: .workout, as: world.loop).first?.value == workout.value)
  }

  @Test("H185 What is only read cannot be saved", arguments: Place.allCases)
  func readOnlyTypes(place: Place) throws {
    var world = try World(place)
    for type in [ObjectType.activitySummary, .bloodType] {
      let sample = Sample(
        restoring: world.uuid(), type: type, start: world.start, end: world.start,
        value: .category(1))
      #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 3)
    }
    let exercise = try world.quantity(.appleExerciseTime, 5, from: 0, to: 5)
    #expect(failure { try world.store.save(exercise, as: world.loop, at: world.start) } == 4)
  }
}
