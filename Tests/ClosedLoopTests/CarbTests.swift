import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Carbohydrates between person, app and health store")
struct CarbTests {
  static func meal(_ grams: Double, _ date: Instant = at(9, 5)) -> CarbStore.Entry {
    CarbStore.Entry(
      date: date, mass: CarbohydrateMass(grams: grams), absorptionTime: .hours(3), foodType: "🍕")
  }

  /// Carbohydrates that another app writes at 09:00.
  static func writeForeign(_ bench: inout Bench, grams: Double = 40) throws -> Sample {
    let diary = try bench.store.register(
      HealthClient(bundleIdentifier: "com.example.diary", name: "Diary"), granting: .full)
    let sample = Sample.dietaryCarbohydrates(
      CarbohydrateMass(grams: grams), at: at(9), uuid: SampleUUID(high: 2, low: 1))
    try bench.store.save([sample], as: diary, at: at(9, 1))
    return sample
  }

  @Test("An entry is written with its food, absorption time and version")
  func writesAnEntry() throws {
    var bench = try Bench(from: at(9))
    try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.run(until: at(9, 5))
    let sample = try #require(try bench.samples(.dietaryCarbohydrates).first)
    #expect(sample.carbohydrates?.grams == 30)
    #expect(sample.start == at(9, 5))
    #expect(sample.metadata.syncVersion == 1)
    #expect(sample.metadata.absorptionTime == .hours(3))
    #expect(sample.metadata.text(.foodType) == "🍕")
    #expect(try #require(bench.decisions.last?.carbsOnBoard) > 25)
  }

  @Test("H76: carbohydrates of another app change nothing by default, whatever the permission")
  func ignoresForeignCarbs() throws {
    var bench = try Bench(from: at(8, 55))
    var alone = bench
    _ = try Self.writeForeign(&bench)
    try bench.run(until: at(9, 30))
    try alone.run(until: at(9, 30))
    #expect(bench.decisions.map(\.carbsOnBoard) == alone.decisions.map(\.carbsOnBoard))
    #expect(bench.decisions.map(\.predictedGlucose) == alone.decisions.map(\.predictedGlucose))
    #expect(bench.app.warnings.isEmpty)
  }

  @Test(
    "H77, H78: with the switch on they count if the permission to read is there, with a warning")
  func readsForeignCarbsWhenAsked() throws {
    for (authorization, counts) in [(Authorization.full, true), (.writeOnly, false)] {
      var bench = try Bench(from: at(8, 55), grants: authorization) { $0.readsForeignCarbs = true }
      _ = try Self.writeForeign(&bench)
      try bench.run(until: at(9, 10))
      #expect((try #require(bench.decisions.last?.carbsOnBoard) > 20) == counts)
      #expect(bench.app.warnings == [.readsForeignCarbs])
    }
  }

  @Test("H79: with permission only to write, the app's own carbohydrates still count")
  func countsOwnCarbsWithoutReading() throws {
    var bench = try Bench(from: at(9), grants: .writeOnly) { $0.readsForeignCarbs = true }
    _ = try Self.writeForeign(&bench)
    try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.run(until: at(9, 10))
    #expect(bench.app.carbs.activeRows.map(\.entry.mass.grams) == [30])
  }

  @Test("H80, H82: an edit leaves one sample with a higher version, and the entry stays")
  func editsAnEntry() throws {
    var bench = try Bench(from: at(9))
    let identifier = try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.run(until: at(9, 5))
    let first = try #require(try bench.samples(.dietaryCarbohydrates).first)
    try bench.app.editCarbs(identifier, to: Self.meal(45), at: at(9, 6))
    try bench.run(until: at(9, 20))
    let samples = try bench.samples(.dietaryCarbohydrates)
    #expect(samples.map(\.carbohydrates?.grams) == [45])
    #expect(samples.first?.metadata.syncVersion == 2)
    #expect(samples.first?.metadata.syncIdentifier == first.metadata.syncIdentifier)
    #expect(samples.first?.uuid != first.uuid)
    #expect(bench.app.carbs.activeRows.map(\.entry.mass.grams) == [45])
    #expect(bench.app.carbs.activeRows.first?.userCreatedAt == at(9))
    #expect(bench.app.carbs.rows.map(\.operation) == [.create, .update])
  }

  @Test("H81: an entry whose sample is deleted in the health store is gone, and counts no more")
  func losesDeletedSamples() throws {
    var bench = try Bench(from: at(9))
    try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.run(until: at(9, 5))
    let sample = try #require(try bench.samples(.dietaryCarbohydrates).first)
    try bench.store.delete([sample.uuid], as: .user, at: at(9, 6))
    try bench.run(until: at(9, 15))
    #expect(bench.app.carbs.activeRows.isEmpty)
    #expect(bench.decisions.last?.carbsOnBoard == 0)
    #expect(bench.app.carbs.rows.last?.operation == .delete)
    #expect(bench.app.carbs.rows.last?.userDeletedAt == at(9, 10))
    #expect(try bench.samples(.dietaryCarbohydrates).isEmpty)
  }

  @Test("An entry deleted in the app is deleted in the health store")
  func deletesAnEntry() throws {
    var bench = try Bench(from: at(9))
    let identifier = try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.run(until: at(9, 5))
    try bench.app.deleteCarbs(identifier, at: at(9, 6))
    try bench.run(until: at(9, 10))
    #expect(try bench.samples(.dietaryCarbohydrates).isEmpty)
    #expect(bench.app.carbs.activeRows.isEmpty)
    #expect(throws: CarbStore.Refusal.unknownEntry(identifier)) {
      try bench.app.deleteCarbs(identifier, at: at(9, 11))
    }
  }

  @Test("An entry deleted before its change was written is deleted in the health store too")
  func deletesAnUnwrittenChange() throws {
    for wipes in [false, true] {
      var bench = try Bench(from: at(9))
      let identifier = try bench.app.enterCarbs(Self.meal(30), at: at(9))
      try bench.run(until: at(9, 5))
      let sample = try #require(try bench.samples(.dietaryCarbohydrates).first)
      try bench.app.editCarbs(identifier, to: Self.meal(45), at: at(9, 6))
      try bench.app.editCarbs(identifier, to: Self.meal(50), at: at(9, 7))
      if wipes { try bench.store.delete([sample.uuid], as: .user, at: at(9, 7)) }
      try bench.app.deleteCarbs(identifier, at: at(9, 8))
      #expect(bench.app.carbs.unstoredRows.map(\.sampleID) == [sample.uuid])
      try bench.run(until: at(9, 10))
      #expect(try bench.samples(.dietaryCarbohydrates).isEmpty)
      #expect(bench.app.carbs.unstoredRows.isEmpty)
      #expect(bench.app.carbs.activeRows.isEmpty)
    }
  }

  @Test("An entry deleted before it was written never reaches the health store")
  func deletesBeforeWriting() throws {
    var bench = try Bench(from: at(9))
    let identifier = try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.app.deleteCarbs(identifier, at: at(9, 1))
    try bench.run(until: at(9, 10))
    #expect(try bench.samples(.dietaryCarbohydrates).isEmpty)
  }

  @Test("H83: an entry of another app cannot be edited in Loop")
  func refusesForeignEntries() throws {
    var bench = try Bench(from: at(8, 55)) { $0.readsForeignCarbs = true }
    let sample = try Self.writeForeign(&bench)
    try bench.run(until: at(9, 5))
    let identifier = try #require(bench.app.carbs.activeRows.first?.syncIdentifier)
    #expect(identifier == SyncIdentifier(sample.uuid))
    #expect(throws: CarbStore.Refusal.unauthorized(identifier, provenance: "com.example.diary")) {
      try bench.app.editCarbs(identifier, to: Self.meal(10), at: at(9, 6))
    }
  }

  @Test("Masses, times and absorption times outside the app's limits are refused")
  func refusesNonsense() throws {
    var bench = try Bench(from: at(9))
    var slow = Self.meal(30)
    slow.absorptionTime = .hours(9)
    let cases = [
      Self.meal(0), Self.meal(-5), Self.meal(.nan), Self.meal(251), slow,
      Self.meal(30, at(10, 1)), Self.meal(30, at(9) - .hours(13)),
    ]
    for entry in cases {
      #expect(throws: CarbStore.Refusal.self) { try bench.app.enterCarbs(entry, at: at(9)) }
    }
    #expect(bench.app.carbs.rows.isEmpty)
  }

  @Test("H191: presets are told to a remote side as they are started and ended")
  func replaysPresets() throws {
    var bench = try Bench(from: at(9))
    let run = TherapyOverride(name: "run", insulinNeeds: 0.5, from: at(9), until: at(10))
    bench.app.start(run)
    bench.app.endOverride(at: at(9, 30))
    bench.app.start(TherapyOverride(name: "ill", insulinNeeds: 1.3, from: at(9, 40)))
    let app = bench.app
    var sent: [OverrideChange] = []
    let count = bench.app.uploads.upload(
      .overrides, to: "nightscout", limit: 2,
      query: { app.therapies.presets.changes(after: $0, limit: $1) }, counter: \.modificationCounter
    ) { rows in
      sent += rows
      return true
    }
    #expect(count == 3)
    #expect(sent.map(\.override.name) == ["run", "run", "ill"])
    #expect(sent.map(\.override.end) == [at(10), at(9, 30), nil])
    #expect(bench.app.uploads.anchor(of: .overrides, for: "nightscout") == 3)
    #expect(bench.app.uploads.anchor(of: .dosingDecisions, for: "nightscout") == 0)
  }

  @Test("The log replays to a remote side in the order of its changes")
  func replaysTheLog() throws {
    var bench = try Bench(from: at(9))
    let first = try bench.app.enterCarbs(Self.meal(30), at: at(9))
    try bench.app.editCarbs(first, to: Self.meal(35), at: at(9, 1))
    try bench.app.enterCarbs(Self.meal(10), at: at(9, 2))
    var sent: [CarbStore.Row] = []
    let carbs = bench.app.carbs
    var succeeds = false
    for expected in [0, 4, 0] {
      let count = bench.app.uploads.upload(
        .carbs, to: "nightscout", limit: 2, query: { carbs.rows(changedAfter: $0, limit: $1) },
        counter: \.modificationCounter
      ) { rows in
        guard succeeds else { return false }
        sent += rows
        return true
      }
      #expect(count == (expected == 4 ? carbs.rows.count : 0))
      succeeds = true
    }
    #expect(sent.map(\.operation) == [.create, .update, .create])
    #expect(
      zip(sent, sent.dropFirst()).allSatisfy { $0.modificationCounter < $1.modificationCounter })
  }
}
