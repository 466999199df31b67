import HealthStore
import Quantities
import Testing

@Suite("Authorization, on both backends")
struct AuthorizationLaws {
  @Test(
    "H88 H89 H90 H91 What a client may save and sees follows the matrix of its permissions",
    arguments: Place.allCases,
    [
      (Authorization.full, true, 2), (.readOnly, false, 2), (.writeOnly, true, 1),
      (.denied, false, 0),
    ] as [(Authorization, Bool, Int)])
  func matrix(place: Place, row: (Authorization, Bool, Int)) throws {
    var world = try World(place)
    let (own, other) = (world.glucose(100, minute: 0), world.glucose(110, minute: 5))
    try world.save(own, by: world.loop)
    try world.save(other, by: world.dexcom)
    try world.store.setAuthorization(row.0, of: world.loop, for: [.bloodGlucose])
    let seen = try world.seen(by: world.loop)
    #expect(seen == Array([own.uuid, other.uuid].prefix(row.2)))
    let more = world.glucose(120, minute: 10)
    let code = failure { try world.store.save(more, as: world.loop, at: world.start) }
    #expect(code == (row.1 ? nil : 4))
  }

  @Test(
    "H92 Without reading, revoking writing hides own samples, and granting restores them",
    arguments: Place.allCases)
  func revocation(place: Place) throws {
    var world = try World(place, granting: .writeOnly)
    let own = world.glucose(100, minute: 0)
    try world.save(own, by: world.loop)
    #expect(try world.seen(by: world.loop) == [own.uuid])
    try world.store.setAuthorization(.denied, of: world.loop, for: [.bloodGlucose])
    #expect(try world.seen(by: world.loop).isEmpty)
    try world.store.setAuthorization(.writeOnly, of: world.loop, for: [.bloodGlucose])
    #expect(try world.seen(by: world.loop) == [own.uuid])
  }

  @Test("H93 With reading, revoking writing hides nothing", arguments: Place.allCases)
  func revocationWithReading(place: Place) throws {
    var world = try World(place)
    let (own, other) = (world.glucose(100, minute: 0), world.glucose(110, minute: 5))
    try world.save(own, by: world.loop)
    try world.save(other, by: world.dexcom)
    try world.store.setAuthorization(.readOnly, of: world.loop, for: [.bloodGlucose])
    #expect(try world.seen(by: world.loop) == [own.uuid, other.uuid])
  }

  @Test("H94 A refused reader cannot tell its store from an empty one", arguments: Place.allCases)
  func indistinguishable(place: Place) throws {
    var full = try World(place)
    var empty = try World(place)
    for world in 0..<2 {
      let authorization = Authorization.denied
      if world == 0 {
        let (other, gone) = (full.glucose(100, minute: 0), full.glucose(90, minute: 5))
        let pressures = try [0, 5].map { try SavingLaws().pressure(&full, minute: $0) }
        let documents = ["Visit", "Summary"].map { DocumentLaws().document(&full, $0) }
        try full.store.save(
          [other, gone] + pressures + documents, as: full.dexcom, at: full.start)
        try full.store.delete(
          [gone.uuid, pressures[1].uuid, documents[1].uuid], as: .user, at: full.start)
        try full.store.setAuthorization(authorization, of: full.loop, for: ObjectType.allCases)
      } else {
        try empty.store.setAuthorization(authorization, of: empty.loop, for: ObjectType.allCases)
      }
    }
    func answers(_ world: World) throws -> [String] {
      let client = world.loop
      let changes = try world.store.changes(of: .bloodGlucose, as: client)
      let latest = try world.store.latestSample(of: .bloodGlucose, as: client)
      let sources = try world.store.sources(of: .bloodGlucose, as: client)
      let figures = failure {
        _ = try world.store.statistics(
          of: .bloodGlucose, options: .discreteAverage, as: client)
      }
      let correlations = try world.store.correlations(of: .bloodPressure, as: client)
      var store = world.store
      let documents = try store.documents(includingContent: true, as: client) { sheet in
        sheet.documents.map(\.uuid)
      }
      let others = try [ObjectType.bloodPressure, .bloodPressureSystolic, .clinicalDocument]
        .map { type in
          let changes = try store.changes(of: type, as: client)
          let sources = try store.sources(of: type, as: client)
          let found = try store.samples(of: type, as: client)
          return "\(changes.added) \(changes.deleted) \(sources) \(found)"
        }
      return others + [
        "\(correlations) \(documents)", "\(try world.seen(by: client))",
        "\(changes.added) \(changes.deleted)", "\(latest as Any)",
        "\(sources)", "\(figures ?? 0)",
      ]
    }
    #expect(try answers(full) == answers(empty))
  }

  @Test(
    "H95 H96 A request succeeds even when all is denied, and only asks what is undetermined",
    arguments: Place.allCases)
  func requests(place: Place) throws {
    var world = try World(place, granting: nil)
    let types: [ObjectType] = [.bloodGlucose, .insulinDelivery]
    let request = try world.store.requestAuthorization(
      toShare: types, read: types, as: world.loop)
    let sheet = try #require(world.store.visibleSheet)
    #expect(request == .pending(sheet))
    #expect(try world.store.answer(sheet, share: [], read: []))
    #expect(
      try world.store.requestAuthorization(toShare: types, read: types, as: world.loop)
        == .processed)
    #expect(world.store.visibleSheet == nil)
    let more = try world.store.requestAuthorization(
      toShare: types + [.dietaryCarbohydrates], read: [], as: world.loop)
    guard case .pending(let second) = more else {
      Issue.record("The second request shows no sheet.")
      return
    }
    #expect(second.share == [.dietaryCarbohydrates])
    #expect(second.read.isEmpty)
    #expect(
      world.store.registry.requestStatus(toShare: types, read: types, as: world.loop)
        == .unnecessary)
    #expect(
      try world.store.registry.authorizationStatus(for: .bloodGlucose, as: world.loop) == .denied)
  }

  @Test("H97 There is no permission for a correlation", arguments: Place.allCases)
  func correlationRequest(place: Place) throws {
    var world = try World(place)
    let code = failure {
      _ = try world.store.requestAuthorization(
        toShare: [.bloodPressure], read: [], as: world.loop)
    }
    #expect(code == 3)
    #expect(
      failure { _ = try world.store.requestAuthorization(toShare: [], read: [], as: world.loop) }
        == 3)
    #expect(
      failure {
        _ = try world.store.requestAuthorization(
          toShare: [.appleExerciseTime], read: [], as: world.loop)
      } == 3)
    // What no app may write is granted to none, and a request that cannot be made has no status.
    let registry = world.store.registry
    #expect(registry.authorization(of: world.loop, for: .appleExerciseTime) == .readOnly)
    #expect(registry.authorization(of: world.loop, for: .stepCount) == .full)
    for share in [[.appleExerciseTime], [.bloodPressure]] as [[ObjectType]] {
      #expect(registry.requestStatus(toShare: share, read: [], as: world.loop) == .unknown)
    }
    #expect(registry.requestStatus(toShare: [], read: [], as: world.loop) == .unknown)
  }

  @Test(
    "H98 A client that does not say why it asks is refused in that direction",
    arguments: Place.allCases)
  func usageDescriptions(place: Place) throws {
    var world = try World(place)
    let silent = try world.store.register(
      HealthClient(
        bundleIdentifier: "silent", name: "Silent", hasReadUsageDescription: false))
    let mute = try world.store.register(
      HealthClient(bundleIdentifier: "mute", name: "Mute", hasShareUsageDescription: false))
    #expect(throws: missing("NSHealthUpdateUsageDescription")) {
      try world.store.requestAuthorization(toShare: [.height], read: [.height], as: mute)
    }
    #expect(
      failure {
        _ = try world.store.requestAuthorization(toShare: [], read: [.height], as: mute)
      } == nil)
    #expect(throws: missing("NSHealthShareUsageDescription")) {
      try world.store.requestAuthorization(toShare: [.height], read: [.height], as: silent)
    }
    #expect(
      failure {
        _ = try world.store.requestAuthorization(toShare: [], read: [.height], as: silent)
      } == 3)
    #expect(
      failure {
        _ = try world.store.requestAuthorization(toShare: [.height], read: [], as: silent)
      } == nil)
  }

  private func missing(_ key: String) -> HealthStoreError {
    .invalidArgument(.missingUsageDescription(key))
  }

  @Test("H99 A changed permission holds at the very next call", arguments: Place.allCases)
  func changesAtOnce(place: Place) throws {
    var world = try World(place)
    for isAllowed in [true, false, true] {
      try world.store.setAuthorization(
        isAllowed ? .full : .denied, of: world.loop, for: [.bloodGlucose])
      let sample = world.glucose(100, minute: 0)
      let code = failure { try world.store.save(sample, as: world.loop, at: world.start) }
      #expect((code == nil) == isAllowed)
    }
  }

  @Test(
    "H100 A sheet that cannot be shown stays pending and blocks nothing",
    arguments: Place.allCases)
  func pendingSheet(place: Place) throws {
    var world = try World(place, granting: nil)
    try world.store.changeSettings { $0.canPrompt = false }
    let request = try world.store.requestAuthorization(
      toShare: [.bloodGlucose], read: [], as: world.loop)
    #expect(request != .processed)
    #expect(world.store.visibleSheet == nil)
    let sample = world.glucose(90, minute: 0)
    #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 5)
    try world.store.changeSettings { $0.canPrompt = true }
    let sheet = try #require(world.store.visibleSheet)
    try world.store.answer(sheet, share: [.bloodGlucose], read: [])
    #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == nil)
  }

  @Test(
    "H101 H102 A family shares permissions, and loses them with its last client",
    arguments: Place.allCases)
  func family(place: Place) throws {
    var world = try World(place)
    let watch = try world.store.register(
      HealthClient(
        bundleIdentifier: "com.loopkit.Loop.watch", name: "Loop", family: "com.loopkit.Loop",
        isOnWatch: true))
    #expect(
      try world.store.registry.authorizationStatus(for: .bloodGlucose, as: watch) == .authorized)
    let own = world.glucose(100, minute: 0)
    try world.save(own, by: world.loop)
    try world.store.uninstall(world.loop)
    #expect(
      try world.store.registry.authorizationStatus(for: .bloodGlucose, as: watch) == .authorized)
    try world.store.uninstall(watch)
    let again = try world.store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"))
    #expect(
      try world.store.registry.authorizationStatus(for: .bloodGlucose, as: again) == .notDetermined)
    #expect(try world.seen(by: .user) == [own.uuid])
  }

  @Test(
    "H103 Permission for activity summaries shows no samples, nor the reverse",
    arguments: Place.allCases)
  func summariesApart(place: Place) throws {
    var world = try World(place)
    let energy = try world.quantity(.activeEnergyBurned, 300, from: 0, to: 60)
    try world.save(energy, by: world.dexcom)
    let day = DayComponents(era: 1, year: 2023, month: 11, day: 15)
    let goals = ActivityGoals(activeEnergy: 500, exercise: .minutes(30), standHours: 12)
    func summaries() throws -> Int {
      try world.store.activitySummaries(
        from: day, through: day, goals: goals, on: .utc, as: world.loop
      ).count
    }
    try world.store.setAuthorization(.denied, of: world.loop, for: [.activeEnergyBurned])
    #expect(try summaries() == 1)
    #expect(try world.seen(.activeEnergyBurned, by: world.loop).isEmpty)
    try world.store.setAuthorization(.full, of: world.loop, for: [.activeEnergyBurned])
    try world.store.setAuthorization(.denied, of: world.loop, for: [.activitySummary])
    #expect(try summaries() == 0)
    // Where only one direction is determined the other counts as denied, which is no error.
    try world.store.setAuthorization(
      Authorization(share: .denied, read: .notDetermined), of: world.loop,
      for: [.activitySummary])
    #expect(try summaries() == 0)
    try world.store.setAuthorization(.notDetermined, of: world.loop, for: [.activitySummary])
    #expect(failure { _ = try summaries() } == 5)
    #expect(try world.seen(.activeEnergyBurned, by: world.loop).count == 1)
  }

  @Test(
    "H104 H105 Nothing works without health data, and nothing is saved that was never asked for",
    arguments: Place.allCases)
  func unavailable(place: Place) throws {
    var world = try World(place, granting: nil)
    let sample = world.glucose(100, minute: 0)
    #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 5)
    #expect(failure { _ = try world.seen(by: world.loop) } == 5)
    // A correlation was asked for when one of its members was.
    func pressures() -> Int? {
      failure { _ = try world.store.correlations(of: .bloodPressure, as: world.loop) }
    }
    #expect(pressures() == 5)
    #expect(
      failure { _ = try world.store.makeQuery(.observer(of: [.food]), as: world.loop) } == 5)
    try world.store.setAuthorization(
      .denied, of: world.loop, for: [.bloodPressureSystolic])
    #expect(pressures() == nil)
    try world.store.changeSettings { $0.isAvailable = false }
    #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 1)
    #expect(failure { _ = try world.seen(by: world.loop) } == 1)
    #expect(failure { try world.store.delete([sample.uuid], as: .user, at: world.start) } == 1)
    #expect(
      failure {
        _ = try world.store.requestAuthorization(toShare: [], read: [.height], as: world.loop)
      } == 1)
    #expect(
      failure { _ = try world.store.registry.characteristic(.bloodType, as: world.loop) } == 1)
    #expect(failure { _ = try world.store.changes(of: .bloodGlucose, as: world.loop) } == 1)
    #expect(failure { _ = try world.store.sources(of: .bloodGlucose, as: world.loop) } == 1)
    #expect(failure { _ = try world.store.correlations(of: .food, as: world.loop) } == 1)
    #expect(failure { _ = try world.store.documents(as: world.loop) } == 1)
    #expect(
      failure {
        _ = try world.store.statistics(of: .stepCount, options: .cumulativeSum, as: world.loop)
      } == 1)
    #expect(
      failure { _ = try world.store.makeQuery(.observer(of: [.stepCount]), as: world.loop) } == 1)
    #expect(
      failure {
        try world.store.enableBackgroundDelivery(
          of: .stepCount, frequency: .hourly, as: world.loop)
      } == 1)
    #expect(
      failure {
        try world.store.deleteSamples(
          of: .stepCount, matching: .all, as: world.loop, at: world.start)
      } == 1)
    try world.store.changeSettings {
      $0.isAvailable = true
      $0.isRestricted = true
    }
    #expect(failure { try world.store.save(sample, as: world.loop, at: world.start) } == 2)
  }
}
