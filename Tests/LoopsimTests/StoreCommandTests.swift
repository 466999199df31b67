import Arguments
import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@testable import loopsim

/// A health store's file with a day of basal as LoopDocs' table has it, and some glucose.
final class StoreFixture {
  let folder: String
  var path: String { "\(folder)/health.sqlite" }
  let midnight = Instant(secondsSince1970: 1_767_225_600)

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("store-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
    var store = try SQLiteHealthStore(path: path)
    let loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"), granting: .full)
    let segments: [(Int64, Int64, Int64, Int64, Int64?)] = [
      (0, 360, 2_400, 400, nil), (360, 435, 600, 500, nil), (435, 465, 0, 500, 0),
      (465, 480, 100, 500, nil),
    ]
    var samples: [Sample] = []
    for (index, segment) in segments.enumerated() {
      var metadata = Metadata()
      metadata.hasLoopKitOrigin = true
      metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: segment.3)
      metadata.programmedTempBasalRate = segment.4.map { InsulinRate(milliunitsPerHour: $0) }
      samples.append(
        .insulinDelivery(
          InsulinAmount(milliunits: segment.2), reason: .basal,
          start: midnight + .minutes(segment.0), end: midnight + .minutes(segment.1),
          uuid: SampleUUID(high: 1, low: UInt64(index)), metadata: metadata))
    }
    for step in 0..<3 as Range<Int64> {
      samples.append(
        .bloodGlucose(
          .mgdL(100 + Double(10 * step)), at: midnight + .minutes(5 * step),
          uuid: SampleUUID(high: 2, low: UInt64(step))))
    }
    try store.save(samples, as: loop, at: midnight + .hours(8))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Runs the program's `store` command, and gives its output and its exit code.
  func run(_ words: String...) async -> (code: Int32, output: String, error: String) {
    await run(words: words)
  }

  func run(words: [String]) async -> (code: Int32, output: String, error: String) {
    await program(["store"] + words)
  }
}

@Suite("The store command")
struct StoreCommandTests {
  @Test("Types come with their counts and times")
  func types() async throws {
    let fixture = try StoreFixture()
    let result = await fixture.run("types", fixture.path, "--format", "csv")
    #expect(
      result.output == """
        type,kind,unit,samples,first,last
        BloodGlucose,quantity,mg/dL,3,2026-01-01T00:00:00Z,2026-01-01T00:10:00Z
        InsulinDelivery,quantity,IU,4,2026-01-01T00:00:00Z,2026-01-01T08:00:00Z

        """)
  }

  @Test("For a type that is none the nearest name is offered")
  func suggestions() async throws {
    let fixture = try StoreFixture()
    for (word, meant) in [
      ("BloodGlucos", "BloodGlucose"),
      ("HKQuantityTypeIdentifierHeartRat", "HKQuantityTypeIdentifierHeartRate"),
    ] {
      let result = await fixture.run("samples", fixture.path, word)
      #expect(result.code == 64)
      #expect(result.error.contains("Did you mean '\(meant)'?"), "\(result.error)")
    }
    let far = await fixture.run("samples", fixture.path, "Quux")
    #expect(!far.error.contains("Did you mean"))
  }

  @Test("Sources are put in order, and figures follow it")
  func priority() async throws {
    let fixture = try StoreFixture()
    let loop = "Loop (com.loopkit.Loop)"
    let usual = await fixture.run("priority", fixture.path, "StepCount")
    #expect(usual.output == "Health (com.apple.Health)\n\(loop)\n")
    let changed = await fixture.run("priority", fixture.path, "StepCount", "Loop")
    #expect(changed.output == "\(loop)\nHealth (com.apple.Health)\n")
    let kept = await fixture.run("priority", fixture.path, "StepCount")
    #expect(kept.output == changed.output)
    let unknown = await fixture.run("priority", fixture.path, "StepCount", "Watch")
    #expect(unknown.code == 65)
    #expect(unknown.error.contains("It has 'Health', 'Loop'."))
  }

  @Test("The rings of each day, and rolling hours for a user in a wheelchair")
  func activity() async throws {
    let fixture = try StoreFixture()
    for hour in ["07", "08"] {
      _ = await fixture.run(
        "add", fixture.path, "AppleStandHour", "0", "--at", "2026-01-01T\(hour):00:00Z")
    }
    _ = await fixture.run(
      "add", fixture.path, "ActiveEnergyBurned", "320", "--at", "2026-01-01T23:00:00Z", "--to",
      "2026-01-01T23:30:00Z")
    let words = ["activity", fixture.path, "--from", "2026-01-01", "--to", "2026-01-03"]
    let day = await fixture.run(words: words)
    #expect(day.output == "2026-01-01: move 320/500 kcal, exercise 0/30 min, stand 2/12 h\n")
    let east = await fixture.run(words: words + ["--zone", "+02:00", "--stand-goal", "9"])
    #expect(
      east.output == """
        2026-01-01: move 0/500 kcal, exercise 0/30 min, stand 2/9 h
        2026-01-02: move 320/500 kcal, exercise 0/30 min, stand 0/9 h

        """)
    do {
      var store = try SQLiteHealthStore(path: fixture.path)
      try store.setCharacteristic(.wheelchairUse, to: 2)
    }
    let rolling = await fixture.run(words: words)
    #expect(rolling.output.hasSuffix("roll 2/12 h\n"))
    let backwards = await fixture.run(
      "activity", fixture.path, "--from", "2026-01-03", "--to", "2026-01-01")
    #expect(backwards.code == 64)
    for goal in [["--exercise-goal", "9223372036854775807"], ["--stand-goal", "25"]] {
      let endless = await fixture.run(words: words + goal)
      #expect(endless.code == 64 && endless.error.contains("1440 minutes"), "\(endless.error)")
    }
    let nothing = await fixture.run("activity", fixture.path, "--from", "2025-01-01")
    #expect(nothing.output.isEmpty && nothing.error == "No activity in these days.\n")
  }

  @Test("Samples are chosen by device, and days by their time zone")
  func devicesAndZones() async throws {
    let fixture = try StoreFixture()
    do {
      var store = try SQLiteHealthStore(path: fixture.path)
      let loop = try #require(store.registry.client(bundleIdentifier: "com.loopkit.Loop"))
      try store.save(
        .bloodGlucose(
          .mgdL(133), at: fixture.midnight + .hours(23), uuid: SampleUUID(high: 4, low: 0),
          device: Device(name: "G7")), as: loop, at: fixture.midnight)
    }
    let found = await fixture.run(
      "samples", fixture.path, "BloodGlucose", "--device", "G7", "--format", "csv")
    #expect(found.output.split(separator: "\n").count == 2)
    #expect(found.output.contains(",133,mg/dL,"))
    for (zone, counts) in [
      ("UTC", ["4"]), ("Europe/Berlin", ["3", "1"]), ("-05:00", ["3", "1"]),
    ] {
      let figures = await fixture.run(
        "statistics", fixture.path, "BloodGlucose", "--every", "day", "--zone=\(zone)",
        "--format", "csv")
      let lines = figures.output.split(separator: "\n").dropFirst()
      let column = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false)[3] }
      #expect(column.map(String.init) == counts, "\(zone)")
    }
    let month = await fixture.run(
      "statistics", fixture.path, "BloodGlucose", "--every", "month", "--format", "csv")
    #expect(month.output.contains("2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,"))
    let words = ["statistics", fixture.path, "BloodGlucose", "--unit", "mmol/L"]
    #expect(await fixture.run(words: words).output.contains("  mmol/L\n"))
    // Programs read the unit as a health store writes it.
    #expect(await fixture.run(words: words + ["--format", "csv"]).output.contains(",mmol<180."))
  }

  @Test("What ends as the chosen time begins is no part of it, and an instant there is")
  func choosesByOverlap() async throws {
    let fixture = try StoreFixture()
    // 2.4 U end at 06:00; 0.6, 0 and 0.1 U follow.
    for (from, count, sum) in [("06:00:00", 3, "0.7"), ("05:59:59", 4, "3.1")] {
      let result = await fixture.run(
        "statistics", fixture.path, "InsulinDelivery", "--from", "2026-01-01T\(from)Z", "--format",
        "csv")
      #expect(result.output.contains(",all sources,\(count),\(sum),"), "\(result.output)")
    }
    let listed = await fixture.run(
      "timeline", fixture.path, "--from", "2026-01-01T06:00:00Z", "--format", "csv")
    #expect(!listed.output.contains("\n2026-01-01T00:00:00"), "\(listed.output)")
    let readings = await fixture.run(
      "samples", fixture.path, "BloodGlucose", "--from", "2026-01-01T00:10:00Z", "--format", "csv")
    #expect(readings.output.split(separator: "\n").count == 2, "\(readings.output)")
  }

  @Test("Samples are chosen by time and printed in any unit, aligned or exact")
  func samples() async throws {
    let fixture = try StoreFixture()
    let aligned = await fixture.run(
      "samples", fixture.path, "BloodGlucose", "--from", "2026-01-01T00:05:00Z", "--unit", "mmol/L")
    let lines = aligned.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].contains("  6.1  mmol/L"))
    let exact = await fixture.run(
      "samples", fixture.path, "bloodglucose", "--to", "2026-01-01T00:05:00Z", "--format", "json",
      "--source", "Loop")
    #expect(exact.output.contains("\"value\": 100"))
    #expect(exact.output.contains("\"uuid\": \"00000000-0000-0002-0000-000000000000\""))
    let unknown = await fixture.run("samples", fixture.path, "BloodGlucose", "--source", "Dexcom")
    #expect(unknown.code == 65)
    #expect(unknown.error.contains("It has 'Health', 'Loop'."))
  }

  @Test("The timeline shows what was reported beside what the rates amount to")
  func timeline() async throws {
    let fixture = try StoreFixture()
    let result = await fixture.run("timeline", fixture.path)
    let lines = result.output.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst(2).prefix(8)
        .joined(separator: " ")
    }
    #expect(
      lines.dropFirst() == [
        "scheduled basal 0.400 2.400 48 2.400 0.000 2.400",
        "scheduled basal 0.500 0.625 12 0.600 -0.025 3.000",
        "temp basal 0.000 0.000 0 0.000 0.000 3.000",
        "scheduled basal 0.500 0.125 2 0.100 -0.025 3.100", "62 3.100 -0.050 3.100",
      ])
    let local = await fixture.run("timeline", fixture.path, "--zone", "America/Chicago")
    #expect(local.output.contains("-06:00") && !local.output.contains("Z "))
  }

  @Test("Statistics sum insulin and average glucose, and a day without samples has no figure")
  func statistics() async throws {
    let fixture = try StoreFixture()
    let insulin = await fixture.run("statistics", fixture.path, "InsulinDelivery", "--every", "day")
    #expect(insulin.output.contains(" 4  3.1 "))
    let glucose = await fixture.run("statistics", fixture.path, "BloodGlucose", "--format", "csv")
    #expect(glucose.output.contains(",all sources,3,,110,100,120,120,mg/dL\n"))
    let chosen = await fixture.run(
      "statistics", fixture.path, "InsulinDelivery", "--source", "Loop", "--format", "csv")
    #expect(chosen.output.contains(",Loop,4,3.1,"), "\(chosen.output)")
    let none = await fixture.run("statistics", fixture.path, "DietaryCarbohydrates")
    #expect(none.code == 65)
    #expect(none.error.contains("No sample of DietaryCarbohydrates matches"))
  }

  @Test("What the user adds is the health app's, and what the user deletes is gone")
  func edits() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "InsulinDelivery", "2", "--at", "2026-01-01T07:00:00Z", "--reason",
      "bolus")
    #expect(added.code == 0)
    let uuid = added.output.split(separator: "\n").first.map(String.init) ?? ""
    let store = try SQLiteHealthStore(reading: fixture.path)
    let identity = try #require(SampleUUID(uuid))
    let sample = try #require(try store.sample(identity, as: .user))
    #expect(sample.source == .healthApp)
    #expect(sample.metadata.wasUserEntered)
    let refused = await fixture.run(
      "add", fixture.path, "InsulinDelivery", "2", "--at", "2026-01-01T07:00:00Z")
    #expect(refused.code == 65)
    #expect(refused.error.contains("--reason"))
    let deleted = await fixture.run("delete", fixture.path, uuid)
    #expect(deleted.output.contains("2 IU"))
    #expect(deleted.error.contains("may deliver insulin that is not needed"))
    let again = await fixture.run("delete", fixture.path, uuid)
    #expect(again.code == 65)
  }

  @Test("Permissions are listed and changed by name")
  func authorize() async throws {
    let fixture = try StoreFixture()
    let changed = await fixture.run(
      "authorize", fixture.path, "Loop", "DietaryCarbohydrates", "--read", "deny")
    #expect(changed.code == 0)
    let store = try SQLiteHealthStore(reading: fixture.path)
    #expect(
      store.registry.authorization(of: "com.loopkit.Loop", for: .dietaryCarbohydrates)
        == .writeOnly)
    let listed = await fixture.run("authorize", fixture.path, "--format", "csv")
    #expect(listed.output.contains("com.loopkit.Loop,DietaryCarbohydrates,authorized,denied\n"))
    let shown = await fixture.run("authorize", fixture.path, "Loop")
    #expect(shown.output.contains("DietaryCarbohydrates"))
    #expect(shown.output.contains("the other "))
    #expect(shown.output.split(separator: "\n").count < 20)
    let all = await fixture.run("authorize", fixture.path, "Loop", "--read", "deny")
    #expect(all.code == 0)
    #expect(!all.output.contains("authorized  authorized"))
    let unknown = await fixture.run("authorize", fixture.path, "Nobody")
    #expect(unknown.code == 65)
    let nameless = await fixture.run("authorize", fixture.path, "--read", "deny")
    #expect(nameless.code == 64)
  }

  @Test("A sound file verifies; a gap, an overlap and half a pulse are found")
  func verify() async throws {
    let fixture = try StoreFixture()
    let sound = await fixture.run("verify", fixture.path)
    #expect(sound.code == 0)
    #expect(sound.output.hasSuffix("7 samples, nothing to report.\n"))
    do {
      var store = try SQLiteHealthStore(path: fixture.path)
      let loop = try #require(store.registry.client(bundleIdentifier: "com.loopkit.Loop"))
      var metadata = Metadata()
      metadata.hasLoopKitOrigin = true
      metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: 500)
      try store.save(
        .insulinDelivery(
          InsulinAmount(milliunits: 275), reason: .basal, start: fixture.midnight + .minutes(490),
          end: fixture.midnight + .minutes(500), uuid: SampleUUID(high: 3, low: 0),
          metadata: metadata), as: loop, at: fixture.midnight)
    }
    let broken = await fixture.run("verify", fixture.path)
    #expect(broken.code == 1)
    for word in ["Gap: ", "Pulses: ", "Conservation: "] { #expect(broken.output.contains(word)) }
  }

  @Test("A sample of a whole day is remarked on, and is no fault")
  func verifiesLength() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "DietaryCarbohydrates", "24", "--at", "2025-12-31T08:00:00Z", "--to",
      "2026-01-01T08:00:00Z")
    #expect(added.code == 0, "\(added.error)")
    let result = await fixture.run("verify", fixture.path)
    #expect(result.code == 0)
    #expect(result.output.contains("Long: DietaryCarbohydrates"), "\(result.output)")
    #expect(result.output.hasSuffix("8 samples, 1 remark.\n"), "\(result.output)")
  }

  @Test("A folder of results stands for its store, and columns are named as in a run's tables")
  func folders() async throws {
    let fixture = try StoreFixture()
    let folder = fixture.path + ".run"
    try Files.makeFolder(of: folder + "/health.sqlite")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: folder + "/health.sqlite")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for words in [
      ["samples", folder, "BloodGlucose"], ["statistics", folder, "BloodGlucose"],
      ["verify", folder], ["types", folder],
    ] {
      let result = await program(["store"] + words)
      #expect(result.code == 0, "\(words): \(result.error)")
    }
    let table = await fixture.run("timeline", fixture.path, "--format", "csv")
    #expect(table.output.hasPrefix("start,end,event,rate_U_per_h,programmed_U,reported_pulses,"))
    let help = await program(["store", "timeline", "--help"])
    #expect(help.output.contains("2026-01-15T07:00:00-06:00"))
  }

  @Test("A file that is written by someone else ends with 75 and is not changed")
  func inUse() async throws {
    let fixture = try StoreFixture()
    let holder = try SQLiteHealthStore(path: fixture.path)
    let refused = await fixture.run(
      "add", fixture.path, "DietaryCarbohydrates", "20", "--at", "2026-01-01")
    #expect(refused.code == 75)
    #expect(try holder.samples(of: .dietaryCarbohydrates, as: .user).isEmpty)
    let migrated = await fixture.run("migrate", fixture.path)
    #expect(migrated.code == 75)
  }

  @Test("Uploading sends each record once to a folder")
  func upload() async throws {
    let fixture = try StoreFixture()
    let forgotten = await fixture.run("upload", fixture.path, fixture.folder)
    #expect(forgotten.error.contains("has no subscription, and gets nothing"))
    let subscribed = await fixture.run(
      "upload", fixture.path, fixture.folder, "--subscribe", "insulin")
    #expect(
      subscribed.error == "0 records sent, 0 waiting.\nWhat the store holds already of "
        + "InsulinDelivery is not sent: the subscription begins now.\n")
    _ = await fixture.run(
      "add", fixture.path, "DietaryCarbohydrates", "20", "--at", "2026-01-01T07:00:00Z")
    let sent = await fixture.run("upload", fixture.path, fixture.folder)
    #expect(sent.error == "1 record sent, 0 waiting.\n")
    let again = await fixture.run("upload", fixture.path, fixture.folder)
    #expect(again.error == "0 records sent, 0 waiting.\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
      .filter { $0.hasSuffix(".add.json") }
    #expect(files.count == 1)
  }

  @Test("A missing file and a file that is no store are told apart")
  func wrongFiles() async throws {
    let fixture = try StoreFixture()
    let missing = await fixture.run("types", fixture.path + "x")
    #expect(missing.code == 65)
    let text = fixture.folder + "/text.sqlite"
    try "This is no database, and is long enough to look like one, if only one byte matters."
      .write(toFile: text, atomically: true, encoding: .utf8)
    let wrong = await fixture.run("types", text)
    #expect(wrong.code != 0)
    #expect(wrong.error.contains("text.sqlite: is no health store: it is no SQLite database"))
  }
}
