import HealthStore
import Quantities
import Testing

@Suite("What is seen of correlations and documents, on both backends")
struct VisibilityLaws {
  private func pressure(_ world: inout World, minute: Int64) throws -> Sample {
    try SavingLaws().pressure(&world, minute: minute)
  }

  private func meal(_ world: inout World, minute: Int64) throws -> Sample {
    let members = [
      try world.quantity(.dietaryCarbohydrates, 40, from: minute),
      try world.quantity(.dietaryProtein, 12, from: minute),
    ]
    return try Sample(.food, members: members, start: world.minute(minute), uuid: world.uuid())
  }

  @Test("A limit counts correlations that are seen", arguments: Place.allCases)
  func limits(place: Place) throws {
    var world = try World(place)
    let foreign = try pressure(&world, minute: 0)
    try world.save(foreign, by: world.dexcom)
    let own = try [5, 10, 15].map { try pressure(&world, minute: $0) }
    try world.store.save(own, as: world.loop, at: world.start)
    try world.store.setAuthorization(
      .writeOnly, of: world.loop, for: [.bloodPressureSystolic, .bloodPressureDiastolic])
    #expect(
      try world.store.samples(of: .bloodPressure, limit: 2, as: world.loop).map(\.uuid)
        == own.prefix(2).map(\.uuid))
    var anchor: QueryAnchor?
    var seen: [[SampleUUID]] = []
    for _ in 0..<2 {
      let changes = try world.store.changes(
        of: .bloodPressure, since: anchor, limit: 2, as: world.loop)
      seen.append(changes.added.map(\.uuid))
      anchor = changes.anchor
    }
    #expect(seen == [own.prefix(2).map(\.uuid), [own[2].uuid]])
    #expect(try world.store.sample(foreign.uuid, as: world.loop) == nil)
    #expect(try world.store.sample(own[0].uuid, as: world.loop)?.members.count == 2)
    #expect(try world.store.sources(of: .bloodPressure, as: world.loop).map(\.name) == ["Loop"])
  }

  @Test(
    "The deletion of a correlation is told to those who could read its members",
    arguments: Place.allCases)
  func deletedCorrelations(place: Place) throws {
    var world = try World(place)
    let (pressure, meal) = (try pressure(&world, minute: 0), try meal(&world, minute: 5))
    try world.save(pressure, meal, by: world.dexcom)
    try world.store.delete([pressure.uuid, meal.uuid], as: .user, at: world.start)
    func told(_ type: ObjectType) throws -> [SampleUUID] {
      try world.store.changes(of: type, as: world.loop).deleted.map(\.uuid)
    }
    #expect(try told(.bloodPressure) == [pressure.uuid])
    #expect(try told(.food) == [meal.uuid])
    let nutrients = ObjectType.allCases.filter(\.isDietary)
    try world.store.setAuthorization(
      .denied, of: world.loop, for: [.bloodPressureDiastolic] + nutrients)
    #expect(try told(.bloodPressure).isEmpty)
    #expect(try told(.food).isEmpty)
  }

  @Test(
    "A predicate on a member finds nothing by what the client may not read",
    arguments: Place.allCases)
  func hiddenMembers(place: Place) throws {
    var world = try World(place)
    let meal = try meal(&world, minute: 0)
    try world.save(meal, by: world.dexcom)
    let some = SamplePredicate.quantity(.greater, HealthQuantity(0, .gram))
    func found() throws -> [Sample] {
      try world.store.correlations(of: .food, members: [(.dietaryProtein, some)], as: world.loop)
    }
    #expect(try found().first?.members.count == 2)
    try world.store.setAuthorization(.denied, of: world.loop, for: [.dietaryProtein])
    #expect(try found().isEmpty)
    let rest = try world.store.correlations(of: .food, as: world.loop)
    #expect(rest.first?.members.map(\.type) == [.dietaryCarbohydrates])
  }

  @Test(
    "Documents that were not granted count in no limit, and nobody hears of their end",
    arguments: Place.allCases)
  func documents(place: Place) throws {
    var world = try World(place)
    let documents = ["A", "B", "C"].map { DocumentLaws().document(&world, $0) }
    try world.store.save(documents, as: world.loop, at: world.start)
    try world.store.setGrant(.granted, of: documents[2].uuid, to: world.dexcom)
    #expect(
      try world.store.samples(of: .clinicalDocument, limit: 1, as: world.dexcom).map(\.uuid)
        == [documents[2].uuid])
    let first = try world.store.changes(of: .clinicalDocument, limit: 1, as: world.dexcom)
    #expect(first.added.map(\.uuid) == [documents[2].uuid])
    let observer = try world.store.makeQuery(.observer(of: [.clinicalDocument]), as: world.dexcom)
    try world.store.execute(observer)
    _ = try world.store.takeDeliveries()
    try world.store.delete([documents[0].uuid], as: world.loop, at: world.start)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.store.delete([documents[2].uuid], as: world.loop, at: world.start)
    #expect(try world.store.takeDeliveries() == [.update(observer)])
    #expect(
      try world.store.changes(of: .clinicalDocument, as: world.dexcom).deleted.map(\.uuid)
        == [documents[2].uuid])
  }

  @Test(
    "A client that comes back has to be granted documents again, and its old sheet is gone",
    arguments: Place.allCases)
  func reinstalled(place: Place) throws {
    var world = try World(place)
    let document = DocumentLaws().document(&world, "A")
    try world.save(document, by: world.loop)
    try world.store.setGrant(.granted, of: document.uuid, to: world.dexcom)
    let asking = try world.store.register(HealthClient(bundleIdentifier: "new", name: "New"))
    _ = try world.store.requestAuthorization(toShare: [], read: [.height], as: asking)
    #expect(world.store.visibleSheet != nil)
    try world.store.uninstall(asking)
    #expect(world.store.visibleSheet == nil)
    try world.store.uninstall(world.dexcom)
    let again = try world.store.register(
      HealthClient(bundleIdentifier: "com.dexcom.G7", name: "Dexcom"), granting: .full)
    #expect(try world.store.documents(as: again).isEmpty)
    var offered = 0
    _ = try world.store.documents(
      as: again,
      asking: { sheet in
        offered = sheet.documents.count
        return []
      })
    #expect(offered == 1)
    if case .file(let backend) = world.store.backend {
      let kept = try HealthRecordStore(opening: backend).registry.grants
      #expect(kept == world.store.registry.grants)
    }
  }

  @Test("The last members of a food only go with it", arguments: Place.allCases)
  func lastMembers(place: Place) throws {
    var world = try World(place)
    let meal = try meal(&world, minute: 0)
    try world.save(meal, by: world.loop)
    let members = meal.members.map(\.uuid)
    #expect(failure { try world.store.delete(members, as: world.loop, at: world.start) } == 3)
    try world.store.delete([members[1]], as: world.loop, at: world.start)
    #expect(
      try world.store.deleteSamples(
        of: .dietaryCarbohydrates, matching: .all, as: world.loop, at: world.start) == 0)
    #expect(
      try world.store.correlations(of: .food, as: world.loop).first?.members.map(\.uuid)
        == [members[0]])
    try world.store.setAuthorization(.readOnly, of: world.loop, for: [.dietaryCarbohydrates])
    #expect(
      failure {
        try world.store.deleteSamples(of: .food, matching: .all, as: world.loop, at: world.start)
      } == 4)
    try world.store.setAuthorization(.full, of: world.loop, for: [.dietaryCarbohydrates])
    #expect(
      try world.store.deleteSamples(
        of: .food, matching: .all, as: world.loop, at: world.start) == 1)
    #expect(try world.seen(.dietaryCarbohydrates, by: world.loop).isEmpty)
    #expect(
      failure {
        try world.store.deleteSamples(
          of: .bloodType, matching: .all, as: world.loop, at: world.start)
      } == 3)
  }

  @Test("The anchor of an empty store has missed nothing", arguments: Place.allCases)
  func firstAnchor(place: Place) throws {
    var world = try World(place)
    let anchor = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    #expect(anchor == .beginning)
    let samples = (0..<2).map { world.glucose(100, minute: $0) }
    try world.store.save(samples, as: world.loop, at: world.start)
    try world.store.delete([samples[0].uuid], as: world.loop, at: world.start)
    try world.store.purgeTombstones(at: world.start + .days(31))
    let changes = try world.store.changes(of: .bloodGlucose, since: anchor, as: world.loop)
    #expect(!changes.mayHaveMissedDeletions)
    #expect(changes.added.map(\.uuid) == [samples[1].uuid])
  }

  @Test(
    "A query whose type is no longer asked for waits, and holds up no other",
    arguments: Place.allCases)
  func undetermined(place: Place) throws {
    var world = try World(place)
    let queries = [
      try world.store.makeQuery(.observer(of: [.stepCount]), as: world.loop),
      try world.store.makeQuery(.changes(of: [.stepCount]), as: world.loop),
      try world.store.makeQuery(.observer(of: [.bloodGlucose]), as: world.loop),
    ]
    for query in queries { try world.store.execute(query) }
    _ = try world.store.takeDeliveries()
    try world.store.setAuthorization(.notDetermined, of: world.loop, for: [.stepCount])
    let (steps, glucose) = (
      try world.quantity(.stepCount, 5, from: 0), world.glucose(100, minute: 0)
    )
    try world.save(steps, by: world.dexcom)
    try world.save(glucose, by: world.dexcom)
    #expect(try world.store.takeDeliveries() == [.update(queries[2])])
    #expect(
      failure { _ = try world.store.makeQuery(.observer(of: [.bloodType]), as: world.loop) } == 3)
  }
}
