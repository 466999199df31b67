import Arguments
import Foundation
import StructuredText
import Testing

@testable import loopsim

@Suite("The command compare")
struct CompareTests {
  /// A folder with a scenario of two variants, and the results of one of its seeds.
  private func folder() async throws -> Scratch {
    let scratch = try Scratch()
    let noisy = scenario().replacingOccurrences(
      of: "cgm: { model: 'ideal' },",
      with: "cgm: { model: 'ar1' }, variants: { slow: {}, fast: { clock: { duration: '5h' } } },"
    ).replacingOccurrences(of: "between: ['00:00', '06:00'], mode: 'exact'", with: "mode: 'prefix'")
    try Files.write(noisy, to: scratch.file("night.json5"))
    _ = await program(["run", scratch.file("night.json5"), "--quiet", "--out", scratch.file("one")])
    return scratch
  }

  @Test("Results equal themselves, and equal the scenario run again")
  func same() async throws {
    let scratch = try await folder()
    let one = scratch.file("one")
    let trees = await program(["compare", one, one])
    #expect(trees.code == 0)
    #expect(trees.output == "2 runs: 2 the same, 0 different.\n")
    let again = await program(
      ["compare", "\(one)/quiet-night/slow", scratch.file("night.json5@quiet-night/slow")])
    #expect(again.code == 0, "\(again.output)")
    #expect(again.output.hasSuffix("\nsame\n"))
    #expect(again.output.contains("glucose.mean_mgdL"))
    // There is no --run here.
    let file = scratch.file("night.json5")
    let several = await program(["compare", file, one])
    #expect(several.code == 64)
    #expect(
      several.error.contains("Say which behind the file, such as \(file)@quiet-night/"),
      "\(several.error)")
  }

  @Test("What is wrong in a record of answers is told with its line, blank ones counted")
  func brokenRecord() async throws {
    let scratch = try await folder()
    let record = scratch.file("one/quiet-night/slow/decisions.ndjson")
    try Files.write("{\"a\":1}\n\n\n{\"b\":\n", to: record)
    let told = await program(["compare", scratch.file("one"), scratch.file("one")])
    #expect(told.code == 65)
    #expect(told.error.hasPrefix("\(record):4:6: error: "), "\(told.error)")
  }

  @Test(
    "Settings in which there is no therapy have no rows", arguments: ["{}", "{\"therapy\": [1]}"])
  func noTherapy(settings: String) async throws {
    let scratch = try await folder()
    let path = "one/quiet-night/slow/settings.json"
    let kept = scratch.file("kept")
    try FileManager.default.copyItem(atPath: scratch.file("one"), toPath: kept)
    try Files.write(settings, to: scratch.file(path))
    let told = await program(["compare", kept, scratch.file("one")])
    #expect(told.code == 1, "\(told.error)")
    #expect(
      told.output.contains("settings.json: the column basal_U_per_h is only in A"),
      "\(told.output)")
  }

  @Test("Another size of a pulse in the settings is a difference")
  func otherPulse() async throws {
    let scratch = try await folder()
    let path = "one/quiet-night/slow/settings.json"
    let kept = scratch.file("kept")
    try FileManager.default.copyItem(atPath: scratch.file("one"), toPath: kept)
    let text = try scratch.text(of: path)
    try Files.write(
      text.replacing("\"pulse_U\": 0.05", with: "\"pulse_U\": 0.1"), to: scratch.file(path))
    let told = await program(["compare", kept, scratch.file("one")])
    #expect(told.code == 1, "\(told.error)")
    #expect(told.output.contains("column pulse_U: A 0.05, B 0.1"), "\(told.output)")
  }

  @Test("Results that are a summary alone are compared by it")
  func summaries() async throws {
    let scratch = try await folder()
    let text = try scratch.text(of: "night.json5").replacing(
      "cgm: {", with: "output: { save: [] }, cgm: {")
    try Files.write(text, to: scratch.file("night.json5"))
    for (folder, seed) in [("two", "1"), ("three", "1"), ("four", "2")] {
      let run = ["run", scratch.file("night.json5"), "--quiet", "--seed", seed, "--out"]
      _ = await program(run + [scratch.file(folder)])
    }
    let table = scratch.file("two/quiet-night/slow/timeline.csv")
    #expect(!FileManager.default.fileExists(atPath: table))
    let same = await program(["compare", scratch.file("two"), scratch.file("three")])
    #expect(same.output == "2 runs: 2 the same, 0 different.\n", "\(same.error)")
    let other = await program([
      "compare", scratch.file("two/quiet-night/slow"), scratch.file("four/quiet-night/slow"),
    ])
    #expect(other.code == 1, "\(other.error)")
    #expect(other.output.contains("glucose.mean_mgdL"))
  }

  @Test("The folder of a study is no result, and its tables are named")
  func studies() async throws {
    let scratch = try Scratch()
    let planned = await program([
      "study", "plan", try SmallStudy.write(in: scratch), "--out", scratch.file("out"),
    ])
    #expect(planned.code == 0, "\(planned.error)")
    let told = await program(["compare", scratch.file("out"), scratch.file("out")])
    #expect(told.code == 65)
    #expect(told.error.contains("is the folder of a study, and no result of runs."))
  }

  @Test("A changed value is found by its time and column, and can be allowed")
  func findsAChange() async throws {
    let scratch = try await folder()
    let path = "\(scratch.file("one"))/quiet-night/slow"
    let timeline = try String(contentsOfFile: "\(path)/timeline.csv", encoding: .utf8)
    var rows = timeline.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var cells = rows[13].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let glucose = try #require(Double(cells[2]))
    cells[2] = "\(glucose + 0.25)"
    rows[13] = cells.joined(separator: ",")
    let changed = scratch.file("changed.csv")
    try Files.write(rows.joined(separator: "\n"), to: changed)
    let words = ["compare", "\(path)/timeline.csv", changed]
    let result = await program(words)
    #expect(result.code == 1)
    #expect(
      result.output.contains(
        "first difference: table: row 2026-01-15T05:00:00-06:00, column glucose_true_mgdL: A"))
    #expect(result.output.hasSuffix("\ndifferent\n"))
    #expect(await program(words + ["--tolerance", "glucose=0.25"]).code == 0)
    #expect(await program(words + ["--tolerance", "glucose=0.24"]).code == 1)
    #expect(await program(words + ["--ignore", "glucose_true_mgdL"]).code == 0)
    let json = await program(words + ["--format", "json"])
    #expect(json.code == 1)
    let root = try #require(JSONReader.read(text: json.output, file: "json").root)
    #expect(root["same"]?.bool == false)
    let first = root["runs"]?.items?.first?["comparison"]?["first"]
    #expect(first?["row"]?.string == "2026-01-15T05:00:00-06:00")
    #expect(first?["column"]?.string == "glucose_true_mgdL")
  }

  @Test("A run that only one side has makes the sides different")
  func missingRuns() async throws {
    let scratch = try await folder()
    let words = ["run", scratch.file("night.json5"), "--quiet", "--shard", "1/2"]
    _ = await program(words + ["--out", scratch.file("two")])
    let result = await program(["compare", scratch.file("one"), scratch.file("two")])
    #expect(result.code == 1)
    #expect(result.output.contains("quiet-night/fast: only in A\n"))
    #expect(result.output.hasSuffix("2 runs: 1 the same, 1 different.\n"))
  }

  @Test("A page tells of runs that one side alone has")
  func pageOfMissingRuns() async throws {
    let scratch = try await folder()
    let words = ["run", scratch.file("night.json5"), "--quiet", "--shard", "1/2"]
    _ = await program(words + ["--out", scratch.file("two")])
    let page = scratch.file("page.html")
    let result = await program(
      ["compare", scratch.file("one"), scratch.file("two"), "--report", page])
    #expect(result.code == 1)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("1 of 2 runs only in one result, 0 differ"))
    #expect(html.contains("quiet-night/fast is only in A."))
    #expect(!html.contains("The two results are the same"))
  }

  /// A copy of a run's folder, in which texts of its summary are changed.
  private func copy(
    _ run: String, in scratch: Scratch, changing changes: [(String, String)], without gone: [String]
  ) throws -> String {
    let copy = scratch.file("copy")
    try FileManager.default.copyItem(atPath: run, toPath: copy)
    var text = try String(contentsOfFile: "\(copy)/summary.json", encoding: .utf8)
    for (old, new) in changes { text = text.replacing(old, with: new) }
    try Files.write(text, to: "\(copy)/summary.json")
    for name in gone { try FileManager.default.removeItem(atPath: "\(copy)/\(name)") }
    return copy
  }

  @Test("What a summary says in words is compared, and which run it is of is told")
  func words() async throws {
    let scratch = try await folder()
    let run = "\(scratch.file("one"))/quiet-night/slow"
    let changed = try copy(
      run, in: scratch,
      changing: [(#""answer": "yes""#, #""answer": "no""#), ("America/Chicago", "Europe/Paris")],
      without: [])
    let result = await program(["compare", run, changed])
    #expect(result.code == 1, "\(result.output)")
    #expect(result.output.contains("time zone: A America/Chicago, B Europe/Paris\n"))
    #expect(result.output.contains("only A says: whether the records agree: yes\n"))
    #expect(result.output.contains("only B says: whether the records agree: no\n"))
    #expect(result.output.hasSuffix("\ndifferent\n"))
    // With a tolerance the tables decide alone.
    #expect(await program(["compare", run, changed, "--tolerance", "0.1"]).code == 0)
  }

  @Test("A document that one side lacks is named once")
  func missingDocuments() async throws {
    let scratch = try await folder()
    let run = "\(scratch.file("one"))/quiet-night/slow"
    let changed = try copy(
      run, in: scratch, changing: [], without: ["summary.json", "settings.json", "health.sqlite"])
    let result = await program(["compare", run, changed])
    #expect(result.code == 1)
    for name in ["summary.json", "settings.json", "health.sqlite"] {
      #expect(result.output.contains("\(name) is only in A\n"), "\(result.output)")
    }
    #expect(result.output.split(separator: "health.sqlite").count == 2, "\(result.output)")
    #expect(!result.output.contains("glucose.mean_mgdL"))
  }

  @Test("The settings of two results are compared, and where they were written is not")
  func settings() async throws {
    let scratch = try await folder()
    let run = "\(scratch.file("one"))/quiet-night/slow"
    let copy = try copy(run, in: scratch, changing: [], without: [])
    let old = try String(contentsOfFile: "\(copy)/settings.json", encoding: .utf8)
    let moved = old.replacing("night.json5:", with: "evening.json5:")
    #expect(moved != old)
    try Files.write(moved, to: "\(copy)/settings.json")
    #expect(await program(["compare", run, copy]).code == 0)
    let changed = moved.replacing("\"max_bolus_U\": 10.0", with: "\"max_bolus_U\": 9.5")
    #expect(changed != moved)
    try Files.write(changed, to: "\(copy)/settings.json")
    let result = await program(["compare", run, copy])
    #expect(result.code == 1)
    let sentence = "settings.json: row 2026-01-15T04:00:00-06:00, column max_bolus_U: A 10.0, B 9.5"
    #expect(result.output.contains("first difference: \(sentence)\n"), "\(result.output)")
    #expect(await program(["compare", run, copy, "--tolerance", "max_bolus=0.5"]).code == 0)
    #expect(await program(["compare", run, copy, "--ignore", "max_bolus_U"]).code == 0)
  }

  @Test("What programs answered is compared, and what they were asked is not")
  func answers() async throws {
    let scratch = try await folder()
    let run = "\(scratch.file("one"))/quiet-night/slow"
    let copy = try copy(run, in: scratch, changing: [], without: [])
    func transcript(_ program: String, asked: String = "a", rate: Double) -> String {
      """
      {"transcript":1,"run":"r","program":{"name":"\(program)","version":"2","seat":"controller"}}
      {"n":0,"at":"2026-01-15T06:00:00Z","asked":"\(asked)","answer":{}}
      {"n":1,"at":"2026-01-15T06:05:00Z","asked":"b","answer":{"tempBasal":{"rate":\(rate)}}}
      {"answers":2,"digest":"0"}

      """
    }
    func compared(
      _ text: String, _ words: [String] = []
    ) async throws -> (code: Int32, output: String) {
      try Files.write(text, to: "\(copy)/decisions.ndjson")
      let answer = await program(["compare", run, copy] + words)
      return (answer.code, answer.output)
    }
    try Files.write(transcript("steady", rate: 1.25), to: "\(run)/decisions.ndjson")
    #expect(try await compared(transcript("steady", rate: 1.25)).code == 0)
    #expect(try await compared(transcript("steady", asked: "c", rate: 1.25)).code == 0)
    let other = try await compared(transcript("steady", rate: 1.5))
    #expect(other.code == 1)
    #expect(
      other.output.contains(
        "first difference: decisions.ndjson: row 2026-01-15T06:05:00Z, column tempBasal.rate: "
          + "A 1.25, B 1.5\n"), "\(other.output)")
    let near = try await compared(
      transcript("steady", rate: 1.5), ["--tolerance", "tempBasal=0.25"])
    #expect(near.code == 0, "\(near.output)")
    let named = try await compared(transcript("wild", rate: 1.25))
    #expect(named.code == 1)
    #expect(
      named.output.contains("only B says: decisions.ndjson: the program is wild 2 controller"),
      "\(named.output)")
    try FileManager.default.removeItem(atPath: "\(copy)/decisions.ndjson")
    let missing = await program(["compare", run, copy])
    #expect(missing.output.contains("decisions.ndjson is only in A\n"), "\(missing.output)")
  }

  @Test("The samples of two health stores are compared, and the first that differs is named")
  func healthStores() async throws {
    let scratch = try await folder()
    let run = "\(scratch.file("one"))/quiet-night/slow"
    let copy = try copy(run, in: scratch, changing: [], without: [])
    let added = await program(
      [
        "store", "add", "\(copy)/health.sqlite", "DietaryCarbohydrates", "12",
        "--at", "2026-01-15T02:00:00-06:00",
      ])
    #expect(added.code == 0, "\(added.error)")
    let result = await program(["compare", run, copy])
    #expect(result.code == 1)
    #expect(
      result.output.contains(
        "first difference: health.sqlite DietaryCarbohydrates: the row 2026-01-15T08:00:00Z is "
          + "only in B\n"), "\(result.output)")
  }

  @Test("What was deleted from two health stores, and who may do what, is compared")
  func deletedAndAllowed() async throws {
    let scratch = try await folder()
    let run = "\(scratch.file("one"))/quiet-night/slow"
    /// What the comparison says of a copy whose store is changed.
    func compared(_ words: [String], change: (String) async throws -> Void) async throws -> String {
      let copy = try copy(run, in: scratch, changing: [], without: [])
      try await change("\(copy)/health.sqlite")
      let result = await program(["compare", run, copy] + words)
      #expect(result.code == 1, "\(result.output)")
      try FileManager.default.removeItem(atPath: copy)
      return result.output
    }
    // Tables decide alone where a tolerance is given.
    for words in [[], ["--tolerance", "glucose=1"]] {
      let deleted = try await compared(words) { store in
        let food = ["DietaryCarbohydrates", "12", "--at", "2026-01-15T02:00:00-06:00"]
        let added = await program(["store", "add", store] + food)
        #expect(added.code == 0, "\(added.error)")
        let gone = await program([
          "store", "delete", store, added.output.filter { !$0.isWhitespace },
        ])
        #expect(gone.code == 0, "\(gone.error)")
      }
      #expect(
        deleted.contains(
          "first difference: health.sqlite deleted: the row 2026-01-15T08:00:00Z is only in B\n"),
        "\(deleted)")
      let denied = try await compared(words) { store in
        let result = await program(
          ["store", "authorize", store, "com.loopkit.Loop", "BloodGlucose", "--read", "deny"])
        #expect(result.code == 0, "\(result.error)")
      }
      #expect(
        denied.contains(
          "health.sqlite permissions: row com.loopkit.Loop (1 of 3), column read: "
            + "A \"authorized\", B \"denied\"\n"), "\(denied)")
      let ordered = try await compared(words) { store in
        let result = await program(["store", "priority", store, "BloodGlucose", "Loop"])
        #expect(result.code == 0, "\(result.error)")
      }
      #expect(ordered.contains("health.sqlite priorities: the row BloodGlucose is only in B\n"))
    }
  }

  @Test("What a store allows at the end comes after what differs at a time")
  func permissionsLast() async throws {
    let scratch = try await folder()
    let (slow, fast) = ("one/quiet-night/slow", "one/quiet-night/fast")
    let words = ["store", "authorize", scratch.file("\(fast)/health.sqlite")]
    let denied = await program(words + ["com.loopkit.Loop", "BloodGlucose", "--read", "deny"])
    #expect(denied.code == 0, "\(denied.error)")
    let result = await program(["compare", scratch.file(slow), scratch.file(fast)])
    #expect(result.output.contains("first difference: basal-segments.csv: "), "\(result.output)")
  }

  @Test("The first difference is the earliest one where clocks are set back")
  func hourTwice() async throws {
    let scratch = try Scratch()
    for (side, value) in [("a", 1), ("b", 2)] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(side), withIntermediateDirectories: true)
      for (name, time) in [
        ("doses", "2026-11-01T01:50:00-05:00"), ("cycles", "2026-11-01T01:10:00-06:00"),
      ] {
        try Files.write("time,x\n\(time),\(value)\n", to: scratch.file("\(side)/\(name).csv"))
      }
    }
    let result = await program(["compare", scratch.file("a"), scratch.file("b")])
    #expect(
      result.output.hasPrefix("first difference: doses.csv: row 2026-11-01T01:50:00-05:00"),
      "\(result.output)")
  }

  @Test(
    "What is not there, or is no tolerance, is told",
    arguments: [
      (["nowhere", "nowhere"], 65, "There is no file or folder \"nowhere\""),
      (["a.csv", "a.csv", "--tolerance", "x=much"], 64, "\"x=much\" is not a tolerance"),
      (["a.csv", "a.csv", "--tolerance", "=5"], 64, "\"=5\" is not a tolerance"),
      (["a.csv", "a.csv", "--tolerance", "x="], 64, "\"x=\" is not a tolerance"),
      (["a.csv", "a.csv", "--tolerance", "0x1"], 64, "\"0x1\" is not a tolerance"),
      (["a.csv", "a.csv", "--tolerance", "glocose=1"], 64, "Did you mean \"glucose\"?"),
      (["a.csv", "a.csv", "--tolerance", "time=5"], 64, "write a span, such as time=1s"),
      (
        ["a.csv", "a.csv", "--tolerance", "glucose=1", "--tolerance", "glucose=2"], 64,
        "There are two tolerances of \"glucose\"."
      ),
      (["a.csv", "ragged.csv"], 65, "ragged.csv:2:1: error: This row has 1 field;"),
    ] as [([String], Int32, String)])
  func refuses(words: [String], code: Int32, sentence: String) async throws {
    let scratch = try Scratch()
    try Files.write("time,glucose_mgdL\n2026-01-15T01:00:00Z,5\n", to: scratch.file("a.csv"))
    try Files.write("time,glucose_mgdL\n2026-01-15T01:00:00Z\n", to: scratch.file("ragged.csv"))
    let result = await program(
      ["compare"] + words.map { $0.hasSuffix(".csv") ? scratch.file($0) : $0 })
    #expect(result.code == code)
    #expect(result.error.contains(sentence), "\(result.error)")
  }
}
