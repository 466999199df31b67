import HealthStore
import Quantities
import Testing

@Suite("Sample queries, on both backends")
struct QueryLaws {
  @Test(
    "H143 A stretch of time has its start and not its end; strict ends leave out what crosses",
    arguments: Place.allCases)
  func timePredicate(place: Place) throws {
    var world = try World(place)
    let spans: [(Int64, Int64)] = [(0, 0), (5, 5), (10, 10), (-5, 0), (-5, 3), (8, 15), (-9, 20)]
    var samples: [Sample] = []
    for span in spans {
      samples.append(try world.quantity(.stepCount, 1, from: span.0, to: span.1))
    }
    try world.store.save(samples, as: world.loop, at: world.start)
    func matches(_ options: SamplePredicate.TimeOptions) throws -> Set<Int> {
      let found = try world.store.samples(
        of: .stepCount,
        matching: .samples(start: world.start, end: world.minute(10), options: options),
        as: world.loop)
      return Set(found.compactMap { found in samples.firstIndex { $0.uuid == found.uuid } })
    }
    #expect(try matches([]) == [0, 1, 3, 4, 5, 6])
    #expect(try matches(.strictStartDate) == [0, 1, 5])
    #expect(try matches(.strictEndDate) == [0, 1, 3, 4])
    #expect(try matches([.strictStartDate, .strictEndDate]) == [0, 1])
  }

  @Test("H144 The latest sample is the first by descending end", arguments: Place.allCases)
  func sorting(place: Place) throws {
    var world = try World(place)
    let long = try world.quantity(.stepCount, 3, from: 0, to: 90)
    let late = try world.quantity(.stepCount, 1, from: 50, to: 60)
    let equal = try world.quantity(.stepCount, 2, from: 50, to: 70)
    try world.save(late, long, equal, by: world.loop)
    #expect(try world.store.latestSample(of: .stepCount, as: world.loop)?.uuid == long.uuid)
    func order(_ sorts: SampleSort...) throws -> [SampleUUID] {
      try world.store.samples(of: .stepCount, sortedBy: sorts, as: world.loop).map(\.uuid)
    }
    #expect(try order(SampleSort(.start)) == [long, late, equal].map(\.uuid))
    #expect(try order(SampleSort(.value)) == [late, equal, long].map(\.uuid))
    #expect(
      try order(SampleSort(.start, ascending: false), SampleSort(.end, ascending: false))
        == [equal, late, long].map(\.uuid))
    #expect(
      try world.store.samples(of: .stepCount, limit: 2, as: world.loop).map(\.uuid)
        == [long, late].map(\.uuid))
    // HealthKit's `HKObjectQueryNoLimit` is 0.
    #expect(try world.store.samples(of: .stepCount, limit: 0, as: world.loop).count == 3)
    #expect(try world.store.changes(of: .stepCount, limit: 0, as: world.loop).added.count == 3)
  }

  @Test("H147 Samples can be listed by type, by app and by device", arguments: Place.allCases)
  func listing(place: Place) throws {
    var world = try World(place)
    let devices = [Device(name: "G7", manufacturer: "Dexcom"), Device(name: "Libre")]
    for (index, device) in devices.enumerated() {
      let sample = Sample.bloodGlucose(
        .mgdL(100), at: world.minute(Int64(index)), uuid: world.uuid(), device: device)
      try world.save(sample, by: index == 0 ? world.dexcom : world.loop)
    }
    func count(_ predicate: SamplePredicate) throws -> Int {
      try world.store.samples(of: .bloodGlucose, matching: predicate, as: world.loop).count
    }
    #expect(try count(.from(sources: ["com.dexcom.G7"])) == 1)
    #expect(try count(.fromDevices([devices[1]])) == 1)
    #expect(try count(.device(.manufacturer, allowed: ["Dexcom", "Abbott"])) == 1)
    #expect(try count(.device(.model, allowed: ["x"])) == 0)
    #expect(
      try world.store.sources(of: .bloodGlucose, as: world.loop).map(\.name) == ["Loop", "Dexcom"])
    #expect(try world.store.devices(of: .bloodGlucose, as: world.loop) == devices)
  }

  @Test(
    "Predicates combine, compare in any unit, and never match a missing key",
    arguments: Place.allCases)
  func predicates(place: Place) throws {
    var world = try World(place)
    for (minute, mgdL) in [60, 90, 120, 150, 180].enumerated() {
      let metadata: Metadata =
        minute % 2 == 0
        ? [.wasTakenInLab: .flag(true), .absorptionTime: .number(Double(minute))] : [:]
      let sample = world.glucose(Double(mgdL), minute: Int64(minute), metadata: metadata)
      try world.save(sample, by: world.loop)
    }
    func values(_ predicate: SamplePredicate) throws -> [Double] {
      try world.store.samples(of: .bloodGlucose, matching: predicate, as: world.loop)
        .compactMap(\.storedValue)
    }
    let high = SamplePredicate.quantity(.greaterOrEqual, HealthQuantity(6.6, .millimolePerLitre))
    #expect(try values(high) == [120, 150, 180])
    #expect(try values(.not(high)) == [60, 90])
    #expect(try values(.and([high, .metadata(.wasTakenInLab)])) == [120, 180])
    #expect(
      try values(.or([.not(high), .samples(start: world.minute(4))])) == [60, 90, 180])
    #expect(
      try values(.metadataComparison(.absorptionTime, .greater, .number(1))) == [120, 180])
    #expect(try values(.metadataValue(.wasTakenInLab, allowed: [.flag(false)])).isEmpty)
    #expect(
      try values(.metadataComparison(.wasTakenInLab, .notEqual, .flag(false))) == [60, 120, 180])
    #expect(try values(.metadataComparison(.wasTakenInLab, .equal, .number(1))).isEmpty)
    #expect(try values(.none).isEmpty)
    let wrong = SamplePredicate.quantity(.less, HealthQuantity(1, .gram))
    #expect(failure { _ = try values(.and([.all, .not(wrong)])) } == 3)
    #expect(failure { _ = try world.store.samples(of: .bloodType, as: world.loop) } == 3)
  }

  @Test("A sample that matches two descriptors comes once", arguments: Place.allCases)
  func descriptors(place: Place) throws {
    var world = try World(place)
    let (glucose, steps) = (
      world.glucose(100, minute: 5), try world.quantity(.stepCount, 1, from: 0)
    )
    try world.save(glucose, steps, by: world.loop)
    let found = try world.store.samples(
      matchingAnyOf: [(.bloodGlucose, .all), (.stepCount, .all), (.bloodGlucose, .all)],
      as: world.loop)
    #expect(found.map(\.uuid) == [steps.uuid, glucose.uuid])
  }

  @Test("H187 What may not be read is not set", arguments: Place.allCases)
  func characteristics(place: Place) throws {
    var world = try World(place)
    try world.store.setCharacteristic(.wheelchairUse, to: 2)
    try world.store.setDateOfBirth(CivilTime(year: 1980, month: 2, day: 29))
    #expect(try world.store.registry.characteristic(.wheelchairUse, as: world.loop) == 2)
    #expect(
      try world.store.registry.dateOfBirth(as: world.loop)
        == CivilTime(year: 1980, month: 2, day: 29))
    try world.store.setAuthorization(
      .denied, of: world.loop, for: [.wheelchairUse, .dateOfBirth])
    #expect(try world.store.registry.characteristic(.wheelchairUse, as: world.loop) == 0)
    #expect(try world.store.registry.dateOfBirth(as: world.loop) == nil)
    #expect(
      failure { _ = try world.store.registry.characteristic(.stepCount, as: world.loop) } == 3)
  }

  @Test("The display unit is the user's, and must measure the type", arguments: Place.allCases)
  func displayUnit(place: Place) throws {
    var world = try World(place)
    #expect(world.store.registry.preferredUnit(for: .bloodGlucose) == .milligramPerDecilitre)
    try world.store.setPreferredUnit(.millimolePerLitre, for: .bloodGlucose)
    #expect(world.store.registry.preferredUnit(for: .bloodGlucose) == .millimolePerLitre)
    #expect(failure { try world.store.setPreferredUnit(.gram, for: .bloodGlucose) } == 3)
  }
}
