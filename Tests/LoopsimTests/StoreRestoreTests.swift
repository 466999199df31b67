import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@testable import loopsim

@Suite("A deletion by command, and what takes it back")
struct StoreRestoreTests {
  /// Adds food to a store, and gives its identity.
  private func added(to fixture: StoreFixture) async -> String {
    let added = await fixture.run(
      "add", fixture.path, "DietaryCarbohydrates", "20", "--at", "2026-01-01T09:00:00Z")
    return String(added.output.dropLast())
  }

  private func records(_ fixture: StoreFixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
      .filter { $0.contains("deleted-") }.sorted()
  }

  @Test(
    "The record lies beside the store's file, also where its folder is named", arguments: ["", "/"])
  func besideStore(ending: String) async throws {
    let fixture = try StoreFixture()
    let identity = await added(to: fixture)
    let deleted = await fixture.run("delete", fixture.folder + ending, identity)
    #expect(deleted.code == 0, "\(deleted.error)")
    let records = try records(fixture)
    #expect(records.count == 1 && records[0].hasPrefix("health.sqlite.deleted-"), "\(records)")
    let words = try #require(deleted.error.split(separator: "loopsim store ").last)
      .split(separator: "\n")[0].split(separator: " ").map(String.init)
    #expect(words.first == "restore")
    let restored = await fixture.run(words: words)
    #expect(restored.output == "Restored: 1. Here already, or deleted again: 0.\n")
  }

  @Test("The command that takes it back is one for a shell, whatever the file is called")
  func quotesNames() async throws {
    let fixture = try StoreFixture()
    let path = "\(fixture.folder)/my store.sqlite"
    try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
    let added = await fixture.run(
      "add", path, "DietaryCarbohydrates", "20", "--at", "2026-01-01T09:00:00Z")
    let deleted = await fixture.run("delete", path, String(added.output.dropLast()))
    #expect(deleted.error.contains("store restore '\(path)' '\(path).deleted-"), "\(deleted.error)")
  }

  @Test("What is refused to be deleted leaves no record, from which it could be added once more")
  func refusedLeavesNothing() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "Food", "DietaryCarbohydrates=40", "--at", "2026-01-01T09:00:00Z")
    #expect(added.code == 0, "\(added.error)")
    let shown = await fixture.run(
      "samples", fixture.path, "DietaryCarbohydrates", "--format", "csv")
    let row = try #require(shown.output.split(separator: "\n").last)
    let member = try #require(row.split(separator: ",").last)
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let deleted = await fixture.run("delete", fixture.path, String(member))
    #expect(deleted.code == 65)
    #expect(deleted.error.contains("is a required member of a correlation"), "\(deleted.error)")
    #expect(try records(fixture).isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == before)
  }

  @Test("A temp basal counts in the insulin on board although another overlaps it")
  func overlappingTempBasals() async throws {
    let fixture = try StoreFixture()
    do {
      var store = try SQLiteHealthStore(path: fixture.path)
      let loop = try store.register(
        HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"), granting: .full)
      let temps: [(start: Int64, rate: Int64)] = [(600, 3_000), (630, 2_000)]
      let samples = temps.enumerated().map { index, temp in
        var metadata = Metadata()
        metadata.hasLoopKitOrigin = true
        metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: 1_000)
        metadata.programmedTempBasalRate = InsulinRate(milliunitsPerHour: temp.rate)
        let start = fixture.midnight + .minutes(temp.start)
        return Sample.insulinDelivery(
          InsulinAmount(milliunits: temp.rate), reason: .basal, start: start,
          end: start + .hours(1), uuid: SampleUUID(high: 3, low: UInt64(index)), metadata: metadata)
      }
      try store.save(samples, as: loop, at: fixture.midnight + .hours(12))
    }
    let deleted = await fixture.run(
      "delete", fixture.path, "\(SampleUUID(high: 3, low: 1))", "--at", "2026-01-01T12:00:00Z")
    // Of 2 U above the schedule from 10:00 to 11:00 there are 1.3049 U left at 12:00, and of 1 U
    // from 10:30 to 11:30 0.8154 U: LoopKit's exponential model of 360 min with its peak at 75 min
    // and a delay of 10 min, in steps of 5 min. Of 0.25 U that the temp basal
    // from 07:15 to 07:45 withheld 0.0110 U are.
    #expect(deleted.error.contains("goes from 2.11 to 1.29 U"), "\(deleted.error)")
  }

  @Test("A meal that is deleted is printed with what is in it")
  func printsMembers() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "Food", "DietaryCarbohydrates=40,DietaryProtein=12", "--at",
      "2026-01-01T09:00:00Z")
    let deleted = await fixture.run("delete", fixture.path, String(added.output.dropLast()))
    #expect(deleted.code == 0, "\(deleted.error)")
    #expect(
      deleted.output.contains("DietaryProtein 12 g, DietaryCarbohydrates 40 g"),
      "\(deleted.output)")
  }

  @Test("What was deleted again is not said to be there")
  func deletedAgain() async throws {
    let fixture = try StoreFixture()
    _ = await fixture.run("delete", fixture.path, await added(to: fixture))
    let record = "\(fixture.folder)/\(try #require(try records(fixture).first))"
    #expect(await fixture.run("restore", fixture.path, record).output.hasPrefix("Restored: 1."))
    let food = ["samples", fixture.path, "DietaryCarbohydrates", "--format", "csv"]
    let row = await fixture.run(words: food).output.split(separator: "\n").last
    let identity = try #require(row?.split(separator: ",").last)
    #expect(await fixture.run("delete", fixture.path, String(identity)).code == 0)
    let again = await fixture.run("restore", fixture.path, record)
    #expect(again.output == "Restored: 0. Here already, or deleted again: 1.\n")
    #expect(await fixture.run(words: food).output.split(separator: "\n").count == 1)
  }

  @Test("What cannot be restored is named, and is not said to be there; nothing at all is an error")
  func leftOut() async throws {
    let fixture = try StoreFixture()
    func record(_ type: String) -> String {
      """
      <Record type="HKQuantityTypeIdentifier\(type)" sourceName="x" unit="IU" value="5" \
      creationDate="2026-01-15 07:00:00 +0000" startDate="2026-01-15 07:00:00 +0000" \
      endDate="2026-01-15 07:00:00 +0000"/>
      """
    }
    let path = "\(fixture.folder)/foreign.xml"
    // Insulin without a reason is none that an app could save.
    try Files.write(
      "<HealthData>\(record("InsulinDelivery"))\(record("Nonsense"))</HealthData>", to: path)
    let restored = await fixture.run("restore", fixture.path, path)
    #expect(restored.code == 65)
    #expect(restored.output == "Restored: 0. Here already, or deleted again: 0.\n")
    #expect(restored.error.contains("Refused: InsulinDelivery, 5 U, 2026-01-15T07:00:00Z: "))
    #expect(restored.error.contains("warning: 1 record is left out: "), "\(restored.error)")
  }

  @Test("Of a meal that cannot be restored no amount is told")
  func refusedMeal() async throws {
    let fixture = try StoreFixture()
    let path = "\(fixture.folder)/foreign.xml"
    let dates = ["creationDate", "startDate", "endDate"]
      .map { "\($0)=\"2026-01-15 07:00:00 +0000\"" }.joined(separator: " ")
    try Files.write(
      "<HealthData><Correlation type=\"HKCorrelationTypeIdentifierFood\" sourceName=\"x\" "
        + "\(dates)/></HealthData>", to: path)
    let restored = await fixture.run("restore", fixture.path, path)
    #expect(restored.code == 65)
    #expect(restored.error.contains("Refused: Food, 2026-01-15T07:00:00Z: "), "\(restored.error)")
  }

  @Test("Without what was given below the schedule more is on board, and Loop may give less")
  func belowSchedule() async throws {
    let fixture = try StoreFixture()
    let (path, file) = ("\(fixture.folder)/below.sqlite", "\(fixture.folder)/export.xml")
    let loop = "com.loopkit.InsulinKit.MetadataKey"
    try """
    <HealthData><Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" \
    unit="IU" creationDate="2026-02-01 08:00:00 +0000" startDate="2026-02-01 07:00:00 +0000" \
    endDate="2026-02-01 08:00:00 +0000" value="0">
    <MetadataEntry key="HKInsulinDeliveryReason" value="1"/>
    <MetadataEntry key="HasLoopKitOrigin" value="1"/>
    <MetadataEntry key="\(loop)ScheduledBasalRate" value="0.6 IU/hr"/>
    <MetadataEntry key="\(loop)ProgrammedTempBasalRate" value="0 IU/hr"/></Record></HealthData>
    """.write(toFile: file, atomically: true, encoding: .utf8)
    _ = await fixture.run("import", path, file)
    let shown = await fixture.run("samples", path, "InsulinDelivery", "--format", "csv")
    let row = try #require(shown.output.split(separator: "\n").last)
    let identity = try #require(row.split(separator: ",").last)
    let deleted = await fixture.run("delete", path, String(identity))
    // An hour of 0.6 U/h that was not given.
    #expect(deleted.error.contains("insulin on board at 2026-02-01T08:00:00Z goes from -0.5"))
    #expect(
      deleted.error.contains(" to 0 U by this store's samples, so Loop may deliver less insulin "),
      "\(deleted.error)")
  }

  @Test("A store is brought to the current version by the name of its folder as well")
  func migratesFolder() async throws {
    let fixture = try StoreFixture()
    let migrated = await fixture.run("migrate", fixture.folder)
    #expect(migrated.code == 0, "\(migrated.error)")
    #expect(migrated.output.hasPrefix("\(fixture.path) has version "), "\(migrated.output)")
  }
}
