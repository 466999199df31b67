import HealthStore
import Quantities
import Testing

@Suite("Correlations and the sync identifiers of their members, on both backends")
struct CorrelationLaws {
  /// A blood pressure whose members have sync identifiers, and it too where it has a version.
  private func pressure(
    _ world: inout World, members version: Int, whole: Int? = nil
  ) throws -> Sample {
    var members: [Sample] = []
    for (type, name) in [
      (ObjectType.bloodPressureSystolic, "systolic"), (.bloodPressureDiastolic, "diastolic"),
    ] as [(ObjectType, SyncIdentifier)] {
      members.append(try member(&world, type, name, version))
    }
    var metadata = Metadata()
    if let whole { metadata.setSync(identifier: "pressure", version: whole) }
    return try Sample(
      .bloodPressure, members: members, start: world.start, uuid: world.uuid(), metadata: metadata)
  }

  private func member(
    _ world: inout World, _ type: ObjectType, _ name: SyncIdentifier, _ version: Int
  ) throws -> Sample {
    var metadata = Metadata()
    metadata.setSync(identifier: name, version: version)
    return try Sample(
      type, quantity: HealthQuantity(100, .millimetreOfMercury), start: world.start,
      uuid: world.uuid(), metadata: metadata)
  }

  @Test(
    "Members are among all samples of a type where their correlation is not asked for",
    arguments: Place.allCases)
  func membersAlone(place: Place) throws {
    var world = try World(place)
    let whole = try pressure(&world, members: 1)
    try world.save(whole, by: world.loop)
    let (systolic, diastolic) = (whole.members[0].uuid, whole.members[1].uuid)
    func found(_ types: [ObjectType], besides others: [ObjectType] = []) throws -> [SampleUUID] {
      try world.store.allSamples(of: types, besides: others).map(\.sample.uuid)
    }
    #expect(try found([.bloodPressureSystolic]) == [systolic])
    #expect(try found([.bloodPressureDiastolic, .food]) == [diastolic])
    #expect(try found([.bloodPressureSystolic, .bloodPressure]) == [whole.uuid])
    #expect(try found([.bloodPressureSystolic], besides: [.bloodPressure]).isEmpty)
    #expect(try found(ObjectType.allCases) == [whole.uuid])
  }

  @Test(
    "H120 A member and then its correlation are replaced in one call, and each goes once",
    arguments: Place.allCases)
  func replacedTogether(place: Place) throws {
    var world = try World(place)
    let old = try pressure(&world, members: 1, whole: 1)
    try world.save(old, by: world.loop)
    let systolic = try member(&world, .bloodPressureSystolic, "systolic", 2)
    let new = try pressure(&world, members: 3, whole: 2)
    #expect(
      try world.store.save([systolic, new], as: world.loop, at: world.start)
        == [.replaced(old.members[0].uuid), .replaced(old.uuid)])
    #expect(try world.seen(.bloodPressureSystolic, by: world.loop) == [new.members[0].uuid])
    #expect(
      try world.store.changes(of: .bloodPressureSystolic, as: world.loop).deleted.map(\.uuid)
        == [old.members[0].uuid, systolic.uuid])
    let found = try world.store.correlations(of: .bloodPressure, as: world.loop)
    #expect(found.map { $0.members.map(\.uuid) } == [new.members.map(\.uuid)])
  }

  @Test(
    "Of two members with one sync identifier the one saved last is replaced, and then the other",
    arguments: Place.allCases)
  func namesakes(place: Place) throws {
    var world = try World(place)
    let (first, second) = (
      try pressure(&world, members: 1), try pressure(&world, members: 1)
    )
    try world.save(first, by: world.loop)
    try world.save(second, by: world.loop)
    let systolic = try member(&world, .bloodPressureSystolic, "systolic", 2)
    #expect(
      try world.store.save(systolic, as: world.loop, at: world.start)
        == .replaced(second.members[0].uuid))
    try world.store.delete([second.uuid], as: world.loop, at: world.start)
    let again = try member(&world, .bloodPressureSystolic, "systolic", 2)
    #expect(
      try world.store.save(again, as: world.loop, at: world.start)
        == .replaced(first.members[0].uuid))
    #expect(try world.seen(.bloodPressureSystolic, by: world.loop) == [again.uuid])
  }

  @Test("A required member is named by its place in the list", arguments: Place.allCases)
  func placeOfMember(place: Place) throws {
    var world = try World(place)
    let (whole, glucose) = (try pressure(&world, members: 1), world.glucose(100, minute: 0))
    try world.save(whole, glucose, by: world.loop)
    let member = whole.members[1].uuid
    #expect(
      throws: HealthStoreError.invalidArgument(.requiredMember(member), object: 2)
    ) {
      try world.store.delete(
        [glucose.uuid, glucose.uuid, member], as: world.loop, at: world.start)
    }
  }
}
