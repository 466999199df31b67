import Foundation
import Testing

@testable import loopsim

@Suite("Files in place of others: the words of errors say what to do")
struct WrongPathTests {
  /// A folder with a scenario and its result.
  private func folder() async throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(scenario(), to: scratch.file("night.json5"))
    _ = await program(
      ["run", scratch.file("night.json5"), "--quiet", "--out", scratch.file("out")])
    return scratch
  }

  @Test("A name that no file can have is wrong input, whoever names it, and no failure of the disk")
  func impossibleNames() async throws {
    let scratch = try await folder()
    let long = String(repeating: "x", count: 300)
    for (name, reason) in [(long, "File name too long"), ("", "the name is empty")] {
      let shown = name.isEmpty ? "\"\"" : name
      for verb in [["audit"], ["outcomes"], ["predict"], ["store", "types"]] {
        let result = await program(verb + [name])
        #expect(result.code == 65, "\(verb): \(result.error)")
        #expect(result.error.contains("\(shown): cannot be read: \(reason)."), "\(result.error)")
      }
    }
    let file = scratch.file("extending.json5")
    for (base, sentence) in [
      (long, "The file \"\(scratch.file(long))\" cannot be read: File name too long."),
      ("", "The name of the file is empty. Write its path."),
      ("a\\u0000b", "cannot be read: a name cannot hold the character U+0000."),
    ] {
      try Files.write("{ format: 'loopsim/1', extends: '\(base)' }", to: file)
      for verb in ["check", "run"] {
        let result = await program([verb, file])
        #expect(result.code == 65, "\(verb): \(result.error)")
        let told = result.output + result.error
        #expect(told.contains("\(file):1:33: error: "), "\(told)")
        #expect(told.contains(sentence), "\(told)")
        #expect(!told.contains("E-READ"))
      }
    }
  }

  @Test("Where a study is wanted, what is there instead is told, and how to come by one")
  func studies() async throws {
    let scratch = try await folder()
    let (none, file) = (scratch.file("none"), scratch.file("night.json5"))
    let out = scratch.file("out")
    for verb in ["run", "status", "merge", "verify", "report", "runs", "script"] {
      for (path, words) in [
        (none, "Error: There is no folder \"\(none)\". Check the path.\n"),
        (
          file,
          "Error: \"\(file)\" is a file, where the folder of a study is wanted. Do the study of a "
            + "scenario with: loopsim study \(file)\n"
        ),
        (
          out,
          "Error: \"\(out)\" holds no study: there is no plan.json. Plan one there with: loopsim "
            + "study plan SCENARIO --out \(out)\n"
        ),
      ] {
        let result = await program(["study", verb, path])
        #expect(result.code == 65, "\(verb): \(result.error)")
        #expect(result.error == words, "\(verb)")
      }
    }
  }

  @Test("A page of a table or of a summary is asked for of the command or the folder that has it")
  func pages() async throws {
    let scratch = try await folder()
    let out = scratch.file("out/quiet-night")
    let summary = await program(["report", "\(out)/summary.json"])
    #expect(summary.code == 65)
    #expect(
      summary.error
        == "Error: \(out)/summary.json is the summary of a result. Name its folder: loopsim report "
        + "\(out)/\n")
    let table = await program(["report", "\(out)/timeline.csv"])
    #expect(table.code == 65)
    #expect(
      table.error.hasSuffix(
        " Draw its glucose with: loopsim outcomes \(out)/timeline.csv --report page.html\n"))
    for (name, text) in [
      ("nightscout.json", "{ \"entries\": [], \"treatments\": [] }"),
      ("tidepool.json", "\n[{ \"type\": \"cbg\", \"time\": \"2026-02-03T06:00:00Z\" }]"),
      ("export.xml", "<?xml version=\"1.0\"?><HealthData></HealthData>"),
    ] {
      let file = scratch.file(name)
      try Files.write(text, to: file)
      let record = await program(["report", file])
      #expect(record.code == 65)
      #expect(
        record.error
          == "Error: \(file) is a person's record, where a scenario, a folder of results or a "
          + "health store is wanted. Draw it with: loopsim audit \(file) --format html\n")
    }
    let page = scratch.file("page.html")
    #expect(await program(["outcomes", "\(out)/timeline.csv", "--report", page]).code == 0)
  }

  @Test("A scenario in place of a record or of the algorithm's input is told, and what to do")
  func scenarios() async throws {
    let scratch = try Scratch()
    let file = scratch.file("night.json5")
    // A comment stands above it, as above most.
    try Files.write("// A night.\n" + scenario(), to: file)
    for words in [["audit", file], ["outcomes", file], ["backtest", file, "--therapy", file]] {
      let result = await program(words)
      #expect(result.code == 65, "\(words): \(result.error)")
      #expect(
        result.error.contains(
          "\(file): error: This is a scenario, and no record. Run it, and name what it leaves: "
            + "loopsim run \(file) --out FOLDER\n"), "\(words): \(result.error)")
    }
    let predicted = await program(["predict", file])
    #expect(predicted.code == 65)
    #expect(
      predicted.error
        == "\(file): error: This is a scenario, and no input of the algorithm. That of a cycle is "
        + "written by: loopsim replay \(file) --at TIME --input FILE\n")
  }

  @Test("The folder of a run stands for its health store, and a folder of one run for the run")
  func folders() async throws {
    let scratch = try await folder()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    let run = "\(out)/quiet-night"
    let audit = await program(["audit", run, "--zone", "UTC"])
    #expect(audit.code == 0, "\(audit.error)")
    let store = await program(["audit", "\(run)/health.sqlite", "--zone", "UTC"])
    #expect(audit.output == store.output.replacing("\(run)/health.sqlite", with: run))
    for words in [[out, file], [file, out], [out, run]] {
      let same = await program(["compare"] + words)
      #expect(same.code == 0, "\(same.output)\(same.error)")
      #expect(same.output.hasSuffix("\nsame\n"), "\(same.output)")
    }
    // Nothing of it is added a second time.
    let (export, into) = (scratch.file("export.xml"), scratch.file("into"))
    #expect(await program(["store", "export", run, export]).code == 0)
    let again = await program(["store", "import", run, export])
    #expect(again.code == 0 && again.output.contains("\nAdded: 0. "), "\(again.error)")
    // In a folder without a store one is made, which stands for it again.
    try FileManager.default.createDirectory(atPath: into, withIntermediateDirectories: true)
    #expect(await program(["store", "import", into, export]).code == 0)
    #expect(await program(["store", "types", into]).code == 0)
    let other = scratch.file("other.json5")
    try Files.write(scenario().replacing("quiet-night", with: "other-night"), to: other)
    #expect(await program(["run", other, "--quiet", "--out", out]).code == 0)
    let several = await program(["compare", file, out])
    #expect(several.code == 65)
    #expect(
      several.error
        == "Error: \"\(out)\" holds 2 runs, and \"\(file)\" is one. Name one of them, such as "
        + "\(out)/other-night.\n")
  }

  @Test("A command that an error tells can be copied, whatever the file is called")
  func commands() async throws {
    let scratch = try Scratch()
    let file = scratch.file("my night.json5")
    try Files.write(scenario(), to: file)
    for words in [["expand", file], ["replay", file, "--at", "00:10"], ["freeze", file]] {
      let told = await program(words + ["--run", "quiet-nigth"])
      #expect(told.code == 65)
      #expect(
        told.error
          == "Error: \(file) has no run \"quiet-nigth\". Did you mean \"quiet-night\"? loopsim "
          + "expand --list '\(file)' shows the ids.\n", "\(told.error)")
    }
    let predicted = await program(["predict", file])
    #expect(predicted.error.hasSuffix(": loopsim replay '\(file)' --at TIME --input FILE\n"))
    let audited = await program(["audit", file])
    #expect(audited.error.hasSuffix(": loopsim run '\(file)' --out FOLDER\n"))
    #expect(Loopsim.complaint(about: file)?.hasSuffix("'loopsim run '\(file)''.") == true)
    #expect(
      StudyCommand.folderComplaint(scratch.path)?.contains("status \(scratch.path)': ") == true)
  }

  @Test("What is wrong with a scenario ends expand with its code, after what there is of it")
  func expandsWhatIsWrong() async throws {
    let scratch = try Scratch()
    let file = scratch.file("bare.json5")
    try Files.write("{}", to: file)
    let told = await program(["expand", file])
    #expect(told.code == 65 && told.output.hasPrefix("bare\n"))
    #expect(told.error.contains("1:1: error: \"format\" is missing."))
    try Files.write(scenario(), to: file)
    #expect(await program(["expand", file]).code == 0)
  }

  @Test("What the system cannot read ends each command with its code")
  func unreadable() async throws {
    let scratch = try Scratch()
    let loop = scratch.file("loop.json5")
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    for words in [["expand", loop], ["replay", loop, "--at", "00:10"], ["freeze", loop]] {
      #expect(await program(words).code == 74, "\(words)")
    }
    // Of a kept file it is not known then whether it differs.
    let (file, kept) = (scratch.file("night.json5"), scratch.file("kept"))
    try Files.write(scenario(), to: file)
    let verify = ["verify", file, "--results", kept]
    #expect(try Binary.runByHand(verify + ["--update"], in: scratch).code == 0)
    let ledger = "\(kept)/quiet-night/ledger.json"
    try FileManager.default.removeItem(atPath: ledger)
    let lacking = await program(verify)
    #expect(lacking.code == 1 && lacking.output.contains("ledger.json is not there; keep it with"))
    try FileManager.default.createSymbolicLink(atPath: ledger, withDestinationPath: ledger)
    let unread = await program(verify)
    #expect(unread.code == 74 && unread.error.hasPrefix("Error: \(ledger): cannot be read: "))
  }

  @Test("How to keep a program's answers is told with the folder in which they are looked for")
  func recordsElsewhere() async throws {
    let scratch = try Scratch()
    let (file, kept) = (scratch.file("mine.json5"), scratch.file("kept"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'mine', clock: { duration: '30m' },
        patient: { model: 'bergman' }, controller: { command: ['cat'] } }
      """, to: file)
    let verified = await program(["verify", file, "--results", kept])
    #expect(verified.code == 1)
    let line = "loopsim verify \(file) --update --allow-programs --results \(kept)\n"
    #expect(verified.output.contains("Run the program again: \(line)"), "\(verified.output)")
  }

  @Test("Where there is nothing to replay, it is told what is replayed unless a file is named")
  func nothingToReplay() throws {
    let scratch = try Scratch()
    let result = try Binary.run(["verify"], in: scratch.url)
    #expect(result.code == 65)
    #expect(
      result.error
        == "Error: There is no folder \"Scenarios\" here, whose scenarios are replayed where none "
        + "is named. Name files, or go to the folder that holds it.\n")
  }

  @Test("A scenario without a title is called by its id once")
  func untitled() async throws {
    let scratch = try Scratch()
    let lines = scenario().split(separator: "\n").filter { !$0.contains("title:") }
    try Files.write(lines.joined(separator: "\n"), to: scratch.file("night.json5"))
    let run = await program(["run", scratch.file("night.json5"), "--out", scratch.file("out")])
    #expect(run.output.hasPrefix("quiet-night\n"), "\(run.output)")
  }

  @Test("A health store alone is no table that can be compared")
  func stores() async throws {
    let scratch = try await folder()
    let store = scratch.file("out/quiet-night/health.sqlite")
    let result = await program(["compare", store, store])
    #expect(result.code == 65)
    #expect(result.error.hasPrefix("Error: \"\(store)\" is a health store, which is compared as "))
  }

  @Test("The store of a run in mmol/L is spoken of in mmol/L")
  func molarStore() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'day', glucoseUnit: 'mmol/L', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', initialGlucose: 6.1, needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 2.8]], carbRatio: [['00:00', 10]] } },
        cgm: { model: 'ideal' }, app: { closedLoop: false } }
      """, to: scratch.file("day.json5"))
    let run = await program(
      ["run", scratch.file("day.json5"), "--quiet", "--out", scratch.file("out")])
    #expect(run.code == 0, "\(run.error)")
    let store = scratch.file("out/day/health.sqlite")
    let unit = await program(["store", "unit", store, "BloodGlucose"])
    #expect(unit.output == "BloodGlucose: mmol/L\n")
    // 6.1 mmol/L are 109.9 mg/dL, which an ideal sensor shows as 110.
    let samples = await program(["store", "samples", store, "BloodGlucose"]).output
    #expect(samples.contains(" 6.1  mmol/L"), "\(samples)")
    #expect(!samples.contains("mg/dL"))
  }
}
