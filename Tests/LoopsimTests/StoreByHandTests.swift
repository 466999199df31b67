import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@testable import loopsim

@Suite("What a person does with a store by hand, and what a client sees of it")
struct StoreByHandTests {
  @Test("A blood pressure is one correlation of two samples, and goes with them")
  func bloodPressure() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "BloodPressure", "120/80", "--at", "2026-01-01T08:00:00Z")
    #expect(added.code == 0, "\(added.error)")
    let shown = await fixture.run("samples", fixture.path, "BloodPressure", "--format", "csv")
    #expect(
      shown.output.contains("BloodPressureSystolic 120 mmHg, BloodPressureDiastolic 80 mmHg"))
    let systolic = await fixture.run("samples", fixture.path, "BloodPressureSystolic")
    #expect(systolic.output.contains("120  mmHg"), "\(systolic.output)")
    _ = await fixture.run("delete", fixture.path, String(added.output.dropLast()))
    let left = try StoreExchangeTests.samples(fixture.path)
    #expect(left.allSatisfy { $0.type == .bloodGlucose || $0.type == .insulinDelivery })
  }

  @Test(
    "A permission that would change nothing is refused, and nothing is changed",
    arguments: [
      (["StepCount"], "what is to change of StepCount"),
      (["DateOfBirth", "--share", "allow"], "No client writes DateOfBirth."),
      (["Food", "--share", "allow"], "Food has the permissions of its members."),
      (["BodyMass", "BloodPressure", "--read", "deny"], "BloodPressure has the permissions of"),
    ])
  func permissionInVain(words: [String], sentence: String) async throws {
    let fixture = try StoreFixture()
    let listing = ["authorize", fixture.path, "--format", "csv"]
    let before = await fixture.run(words: listing).output
    let refused = await fixture.run(words: ["authorize", fixture.path, "Loop"] + words)
    #expect(refused.code == 64 && refused.error.contains(sentence), "\(refused.error)")
    #expect(await fixture.run(words: listing).output == before)
  }

  @Test("A nutrient that is deleted from a meal comes back as a sample of its own")
  func nutrient() async throws {
    let fixture = try StoreFixture()
    _ = await fixture.run(
      "add", fixture.path, "Food", "DietaryCarbohydrates=40,DietaryProtein=12", "--at",
      "2026-01-01T09:00:00Z")
    let protein = ["samples", fixture.path, "DietaryProtein", "--format", "csv"]
    let before = await fixture.run(words: protein).output.split(separator: "\n")
    let identity = try #require(before.last?.split(separator: ",").last)
    let deleted = await fixture.run("delete", fixture.path, String(identity))
    #expect(deleted.code == 0, "\(deleted.error)")
    #expect(await fixture.run(words: protein).output.split(separator: "\n").count == 1)
    let record = try #require(deleted.error.split(whereSeparator: \.isWhitespace).last)
    let restored = await fixture.run("restore", fixture.path, String(record))
    #expect(
      restored.output == "Restored: 1. Here already, or deleted again: 0.\n", "\(restored.error)")
    let after = await fixture.run(words: protein).output.split(separator: "\n")
    #expect(after.count == 2 && after.last?.hasPrefix("2026-01-01T09:00:00Z") == true)
    let meal = await fixture.run("samples", fixture.path, "Food", "--format", "csv")
    #expect(meal.output.contains("DietaryCarbohydrates 40 g") && !meal.output.contains("Protein"))
  }

  @Test("A meal has the nutrients that are named, each in the unit of its type")
  func food() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "Food", "DietaryCarbohydrates=40,DietaryProtein=12.5", "--at",
      "2026-01-01T08:00:00Z")
    #expect(added.code == 0, "\(added.error)")
    let shown = await fixture.run("samples", fixture.path, "Food")
    #expect(shown.output.contains("DietaryProtein 12.5 g, DietaryCarbohydrates 40 g"))
    let carbs = try StoreExchangeTests.samples(fixture.path)
      .flatMap(\.members).filter { $0.type == .dietaryCarbohydrates }
    #expect(carbs.map(\.storedValue) == [40])
    #expect(carbs.allSatisfy { $0.metadata.wasUserEntered })
  }

  @Test(
    "Glucose that nobody has in mg/dL is taken as it stands, with a warning that names the unit",
    arguments: [
      // 5.5 · 18.0156 is 99.09.
      (["5.5"], "5.5 is taken as mg/dL, which is no glucose of anybody; with --unit mmol/L it is"),
      (["5.5", "--unit", "mmol/L"], nil), (["5.5", "--unit", "mg/dL"], nil), (["40"], nil),
    ] as [([String], String?)])
  func glucoseInOtherUnit(words: [String], warning: String?) async throws {
    let fixture = try StoreFixture()
    let added = await program(
      ["store", "add", fixture.path, "BloodGlucose"] + words + ["--at", "2026-01-01T08:00:00Z"])
    #expect(added.code == 0, "\(added.error)")
    #expect(added.error.contains("Warning: ") == (warning != nil), "\(added.error)")
    if let warning {
      #expect(added.error.contains("\(warning) 99 mg/dL."), "\(added.error)")
    }
  }

  @Test(
    "A value that does not fit its type says what does, and nothing is added",
    arguments: [
      (["BloodPressure", "120"], "BloodPressure cannot be '120'. Give systolic and diastolic"),
      (["Food", "40"], "Food cannot be '40'. Give nutrients, such as"),
      (["BodyMass", "120/80"], "BodyMass cannot be '120/80'. Give one number."),
      (["SleepAnalysis", "1", "--unit", "min"], "The number of a category has no unit."),
      (["BloodType", "1"], "Set it with 'loopsim store person'."),
      (["Workout", "1"], "Workout is of kind workout, of which no number makes a sample."),
      (["Food", "BodyMass=40"], "only members of its kind"),
      (["BloodPressure", "120/-80"], "-80"),
      (["Food", "DietaryProtein=1,DietaryProtein=2"], "invalid"),
      (["Food", "DietaryProtein=1", "--unit", "mg"], "Leave --unit out."),
      (["BodyMass", "70", "--reason", "bolus"], "Only insulin has a reason."),
      (["InsulinDelivery", "1"], "Insulin needs a reason."),
      (
        ["BloodGlucose", "5000", "--unit", "mmol/L"],
        "BloodGlucose of 90077.9 mg/dL is more than 1000 mg/dL. Check the number and its unit."
      ),
      (["InsulinDelivery", "1500", "--reason", "bolus"], "is more than 1000 IU."),
      (
        ["Food", "DietaryCarbohydrates=1001"],
        "DietaryCarbohydrates of 1001 g is more than 1000 g."
      ),
    ])
  func misfits(words: [String], expected: String) async throws {
    let fixture = try StoreFixture()
    let before = try StoreExchangeTests.samples(fixture.path)
    let result = await fixture.run(
      words: ["add", fixture.path] + words + ["--at", "2026-01-01T08:00:00Z"])
    #expect(result.code == 65 || result.code == 64)
    #expect(result.error.contains(expected), "\(result.error)")
    #expect(try StoreExchangeTests.samples(fixture.path) == before)
  }

  @Test("An empty file is no store for who writes, as it is none for who reads")
  func emptyFile() async throws {
    let scratch = try Scratch()
    let (file, dump) = (scratch.file("empty.sqlite"), scratch.file("dump.json"))
    try Files.write("", to: file)
    for words in [
      ["types", file], ["migrate", file], ["unit", file, "BloodGlucose", "mmol/L"],
      ["add", file, "BloodGlucose", "100", "--at", "2026-01-15"], ["upload", file],
    ] {
      let refused = await program(["store"] + words)
      #expect(refused.code == 65, "\(words)")
      #expect(refused.error.contains("is no health store: it is empty"), "\(refused.error)")
      #expect(try Files.read(file).isEmpty)
    }
    // An import makes one there, in which nobody is a client yet.
    try Files.write(
      "[{\"type\":\"sgv\",\"dateString\":\"2026-02-03T00:00:00Z\",\"sgv\":110}]", to: dump)
    #expect(await program(["store", "import", file, dump]).code == 0)
    let nobody = await program(["store", "authorize", file, "Loop", "--read", "deny"])
    #expect(nobody.error == "Error: The store has no client 'Loop'. It has none.\n")
  }

  @Test("A unit is no choice for values that have none", arguments: ["SleepAnalysis", "Food"])
  func noUnit(type: String) async throws {
    let fixture = try StoreFixture()
    for command in ["samples", "statistics"] {
      let listed = await fixture.run(command, fixture.path, type, "--unit", "kg")
      #expect(listed.code == 64 && listed.output.isEmpty)
      #expect(listed.error.contains("The values of \(type) have no unit to choose."))
      // Also of a type of which there is no sample.
      let heavy = await fixture.run(command, fixture.path, "BodyTemperature", "--unit", "kg")
      #expect(heavy.code == 64 && heavy.error.contains("kg does not fit BodyTemperature"))
    }
  }

  @Test("A subscription that ends sends what is queued, and nothing new")
  func ends() async throws {
    let fixture = try StoreFixture()
    let folder = fixture.folder + "/sent"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let words = ["upload", fixture.path, folder]
    let none = await fixture.run(words: words + ["--end"])
    #expect(none.code == 65 && none.error.contains("no subscription that could end"))
    let silent = await fixture.run(words: words + ["--service", "slip"])
    #expect(silent.code == 0 && silent.error.contains("'slip' has no subscription, and gets"))
    // Neither is a client of the store, or a source among others, by having been named.
    let clients = try SQLiteHealthStore(reading: fixture.path).registry.clients.compactMap {
      $0?.name
    }
    #expect(!clients.contains("upload") && !clients.contains("slip"), "\(clients)")
    for other in [["--subscribe", "weight"], ["--history"], ["--intraday"]] {
      #expect(await fixture.run(words: words + ["--end"] + other).code == 64, "\(other)")
    }
    _ = await fixture.run(words: words + ["--subscribe", "weight"])
    let weight = ["add", fixture.path, "BodyMass", "70", "--at", "2026-01-01T09:00:00Z"]
    _ = await fixture.run(words: weight)
    let first = await fixture.run(words: words)
    #expect(first.error == "1 record sent, 0 waiting.\n", "\(first.error)")
    let ended = await fixture.run(words: words + ["--end"])
    #expect(ended.code == 0 && ended.error == "0 records sent, 0 waiting.\n")
    _ = await fixture.run(words: weight)
    let after = await fixture.run(words: words)
    #expect(after.error.hasPrefix("0 records sent, 0 waiting.\n"))
    #expect(after.error.contains("has no subscription"))
  }

  @Test("What could not be written is sent by the next command, or when it is due")
  func retries() async throws {
    let fixture = try StoreFixture()
    let file = fixture.folder + "/file"
    try "".write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: fixture.folder + "/sent", withIntermediateDirectories: true)
    let words = ["upload", fixture.path, fixture.folder + "/sent"]
    _ = await fixture.run(words: words + ["--subscribe", "weight"])
    _ = await fixture.run(
      words: ["add", fixture.path, "BodyMass", "70", "--at", "2026-01-01T09:00:00Z"])
    let refused = await fixture.run(words: ["upload", fixture.path, file + "/sent"])
    #expect(refused.code == 74 && refused.error.contains("0 records sent, 1 waiting."))
    // Refused at nine, it is due a minute later.
    let early = await fixture.run(words: words + ["--at", "2026-01-01T09:00:59Z"])
    #expect(early.error == "0 records sent, 1 waiting.\n", "\(early.error)")
    let next = await fixture.run(words: words)
    #expect(next.error == "1 record sent, 0 waiting.\n", "\(next.error)")
  }

  @Test("What the user refuses a service, or has it ask for, is not sent, and the rest is")
  func refused() async throws {
    let fixture = try StoreFixture()
    let words = ["upload", fixture.path, fixture.folder]
    _ = await fixture.run(words: words + ["--subscribe", "weight", "--subscribe", "diabetes"])
    for (word, time) in [("deny", "2026-01-01T09:00:00Z"), ("ask", "2026-01-01T10:00:00Z")] {
      let refused = await fixture.run(
        "authorize", fixture.path, "loopsim.upload", "BodyMass", "--read", word, "--share", word)
      #expect(refused.code == 0, "\(refused.error)")
      for (type, value) in [("BodyMass", "70"), ("BloodGlucose", "110")] {
        _ = await fixture.run("add", fixture.path, type, value, "--at", time)
      }
      let sent = await fixture.run(words: words)
      #expect(sent.error == "1 record sent, 0 waiting.\n", "\(word): \(sent.error)")
    }
  }

  @Test("The folder for records is made where there is none")
  func madeFolder() async throws {
    let fixture = try StoreFixture()
    let folder = fixture.folder + "/new/sent"
    let words = ["upload", fixture.path, folder]
    _ = await fixture.run(words: words + ["--subscribe", "weight"])
    let added = await fixture.run(
      words: ["add", fixture.path, "BodyMass", "70", "--at", "2026-01-01T09:00:00Z"])
    let sent = await fixture.run(words: words)
    #expect(sent.code == 0 && sent.error == "1 record sent, 0 waiting.\n", "\(sent.error)")
    let uuid = added.output.split(separator: "\n").first.map { String($0) } ?? ""
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(uuid).add.json"])
  }

  @Test("Hours are those of the zone at the time, not of 1970")
  func hours() async throws {
    let fixture = try StoreFixture()
    _ = await fixture.run(
      words: ["add", fixture.path, "Height", "1.8", "--at", "2026-10-31T05:20:00Z"])
    // Kathmandu was 5:30 ahead in 1970, and is 5:45 ahead: it is five past eleven there.
    let words = ["statistics", fixture.path, "Height", "--every", "hour", "--format", "csv"]
    let shown = await fixture.run(words: words + ["--zone", "Asia/Kathmandu"])
    #expect(
      shown.output.contains("2026-10-31T05:15:00Z,2026-10-31T06:15:00Z,"), "\(shown.output)")
    let utc = await fixture.run(words: words)
    #expect(utc.output.contains("2026-10-31T05:00:00Z,2026-10-31T06:00:00Z,"), "\(utc.output)")
  }

  @Test("A source that is named twice in the order of sources is refused")
  func namedTwice() async throws {
    let fixture = try StoreFixture()
    let twice = await fixture.run("priority", fixture.path, "StepCount", "Loop", "com.loopkit.Loop")
    #expect(twice.code == 65, "\(twice.output)")
    #expect(twice.error.contains("The source 'com.loopkit.Loop' is named twice"))
    let kept = await fixture.run("priority", fixture.path, "StepCount")
    #expect(kept.output == "Health (com.apple.Health)\nLoop (com.loopkit.Loop)\n")
  }

  @Test("Permissions of all types are told as such, and those of fewer by their number")
  func permissions() async throws {
    let fixture = try StoreFixture()
    let words = ["authorize", fixture.path, "com.loopkit.Loop"]
    let ask = ["BloodGlucose", "--read", "ask", "--share", "ask"]
    let before = await fixture.run(words: words + ["--read", "allow", "--share", "deny"])
    #expect(before.output.contains("all 98 types"), "\(before.output)")
    let after = await fixture.run(words: words + ask)
    #expect(after.output.contains("97 types") && !after.output.contains("all"), "\(after.output)")
  }

  @Test("Fine-grained steps for a service that gets no steps are told")
  func intraday() async throws {
    let fixture = try StoreFixture()
    let words = ["upload", fixture.path, fixture.folder, "--intraday", "--subscribe"]
    let idle = await fixture.run(words: words + ["weight"])
    #expect(idle.code == 0)
    #expect(
      idle.error.contains(
        "--intraday has no effect: the service 'upload' has no subscription to steps."),
      "\(idle.error)")
    let steps = await fixture.run(words: words + ["routine"])
    #expect(!steps.error.contains("no effect"), "\(steps.error)")
  }

  @Test("Facts about the person are listed, set by their names, and refused with the names")
  func person() async throws {
    let fixture = try StoreFixture()
    let empty = await fixture.run("person", fixture.path, "--format", "csv")
    #expect(
      empty.output == """
        fact,value
        DateOfBirth,NotSet
        BiologicalSex,NotSet
        BloodType,NotSet
        FitzpatrickSkinType,NotSet
        WheelchairUse,NotSet
        ActivityMoveMode,NotSet

        """)
    let born = await fixture.run("person", fixture.path, "DateOfBirth", "1990-05-17")
    #expect(born.output.contains("1990-05-17"), "\(born.error)")
    let set = await fixture.run("person", fixture.path, "WheelchairUse", "Yes")
    #expect(set.output.contains("Yes"), "\(set.error)")
    // HealthKit numbers "yes" 2, and 1990-05-17 is day 7,441 from 1970.
    let store = try SQLiteHealthStore(reading: fixture.path)
    #expect(try store.registry.characteristic(.wheelchairUse, as: .user) == 2)
    #expect(try store.registry.dateOfBirth(as: .user)?.dayNumber == 7_441)
    let wrong = await fixture.run("person", fixture.path, "BloodType", "C")
    #expect(wrong.code == 65 && wrong.error.contains("It is one of NotSet, APositive,"))
    let day = await fixture.run("person", fixture.path, "DateOfBirth", "17.5.1990")
    #expect(day.code == 65 && day.error.contains("Give a day such as 1990-05-17."))
    // The newest sample of the store is of 2026.
    for (day, code) in [("2090-01-01", 65), ("1849-12-31", 65), ("1850-01-01", 0)] as [(_, Int32)] {
      let odd = await fixture.run("person", fixture.path, "DateOfBirth", day)
      #expect(odd.code == code)
      #expect(odd.error.contains("Nobody with these records was born on \(day)") == (code != 0))
    }
    let sample = await fixture.run("person", fixture.path, "BodyMass")
    #expect(sample.code == 64 && sample.error.contains("is no fact about the person"))
    let client = await fixture.run("person", fixture.path, "BloodType", "NotSet", "--as", "Loop")
    #expect(client.code == 64)
  }

  @Test("A client sees its own samples of a type that it may not read, and no facts")
  func viewer() async throws {
    let fixture = try StoreFixture()
    do {
      var store = try SQLiteHealthStore(path: fixture.path)
      let watch = try store.register(
        HealthClient(bundleIdentifier: "org.example.meter", name: "Meter"),
        granting: Authorization(share: .authorized, read: .denied))
      let own = Sample.bloodGlucose(
        .mgdL(250), at: fixture.midnight, uuid: SampleUUID(high: 9, low: 9))
      try store.save([own], as: watch, at: fixture.midnight + .hours(9))
      try store.setCharacteristic(.bloodType, to: 7)
    }
    let words = ["samples", fixture.path, "BloodGlucose", "--format", "csv"]
    let everything = await fixture.run(words: words)
    #expect(everything.output.split(separator: "\n").count == 5)
    let loop = await fixture.run(words: words + ["--as", "com.loopkit.Loop"])
    #expect(loop.output == everything.output)
    let meter = await fixture.run(words: words + ["--as", "Meter"])
    let rows = meter.output.split(separator: "\n")
    #expect(rows.count == 2 && rows[1].contains(",250,mg/dL,"), "\(meter.output)")
    let unknown = await fixture.run(words: words + ["--as", "Nobody"])
    #expect(unknown.code == 65 && unknown.error.contains("It has 'Loop', 'Meter'."))
    let fact = ["person", fixture.path, "BloodType", "--format", "csv", "--as"]
    let readable = await fixture.run(words: fact + ["Loop"])
    #expect(readable.output == "fact,value\nBloodType,OPositive\n")
    let hidden = await fixture.run(words: fact + ["Meter"])
    #expect(hidden.output == "fact,value\nBloodType,NotSet\n")
  }

  @Test("What can choose nothing is refused: an end before the start, a device that there is not")
  func choosesNothing() async throws {
    let fixture = try StoreFixture()
    let times = ["--from", "2026-01-01T08:00:00Z", "--to", "2026-01-01T07:00:00Z"]
    for words in [
      ["samples", fixture.path, "InsulinDelivery"], ["statistics", fixture.path, "BloodGlucose"],
      ["timeline", fixture.path],
    ] {
      let refused = await fixture.run(words: words + times)
      #expect(refused.code == 64, "\(words)")
      #expect(refused.error.contains("--to is before --from"), "\(refused.error)")
    }
    let unknown = await fixture.run(
      "samples", fixture.path, "BloodGlucose", "--device", "Nope")
    #expect(unknown.code == 65)
    #expect(unknown.error.contains("is of a device 'Nope'. They name none."), "\(unknown.error)")
  }

  @Test("A sample whose identity is given twice is deleted once, and told so")
  func deletesOnce() async throws {
    let fixture = try StoreFixture()
    let added = await fixture.run(
      "add", fixture.path, "DietaryCarbohydrates", "20", "--at", "2026-01-01T08:00:00Z")
    let identity = String(added.output.dropLast())
    let deleted = await fixture.run("delete", fixture.path, identity, identity)
    #expect(deleted.code == 0, "\(deleted.error)")
    #expect(deleted.output.split(separator: "\n").count == 2, "\(deleted.output)")
  }
}
