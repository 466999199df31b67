import Foundation
import Testing

@testable import loopsim

/// What is written never takes the place of what somebody else keeps there.
@Suite("What is not a result of ours stays")
struct NothingLostTests {
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test("Charts go into a folder beside what is in it")
  func charts() async throws {
    let scratch = try Scratch()
    let (file, folder) = (scratch.file("night.json5"), scratch.file("papers"))
    try Files.write(scenario(), to: file)
    try makeFolder(folder)
    try Files.write("mine", to: folder + "/thesis.txt")
    for _ in 1...2 {
      let done = await program(["report", file, "-o", scratch.file("p.html"), "--svg", folder])
      #expect(done.code == 0, "\(done.error)")
    }
    #expect(try String(contentsOfFile: folder + "/thesis.txt", encoding: .utf8) == "mine")
    #expect(exists(folder + "/timeline.svg"))
    // The folder of the scenario itself.
    let done = await program(["report", file, "-o", scratch.file("p.html"), "--svg", scratch.path])
    #expect(done.code == 0, "\(done.error)")
    #expect(exists(file) && exists(scratch.file("timeline.svg")))
  }

  @Test("A page of a study or a batch takes the place of nothing that it is made from")
  func pages() async throws {
    let scratch = try Scratch()
    let (file, people) = (try SmallStudy.write(in: scratch), scratch.file("people.csv"))
    let (out, batch) = (scratch.file("out"), scratch.file("batch"))
    #expect(await program(["study", file, "--out", out]).code == 0)
    #expect(await program(["run", file, "--out", batch, "--quiet"]).code == 0)
    func refuses(_ words: [String], _ path: String) async throws {
      let before = try Files.read(path)
      let done = await program(words + [path])
      #expect(done.code == 64, "\(words) \(path)")
      #expect(done.error.contains("is a file that is read here, and would be lost"))
      #expect(try Files.read(path) == before, "\(words) \(path)")
    }
    let study = ["study", file, "--out", out, "--report"]
    for path in [file, people, out + "/plan.json"] { try await refuses(study, path) }
    let files = ["plan.json", "results.cases.csv", "shards/00000-of-00001.cases.csv"]
    for name in files where exists("\(out)/\(name)") {
      try await refuses(["study", "report", out, "--report"], "\(out)/\(name)")
      try await refuses(["report", out, "-o"], "\(out)/\(name)")
    }
    for name in ["runs.csv", "batch.json", "small/plain/a/summary.json"] {
      try await refuses(["report", batch, "-o"], "\(batch)/\(name)")
    }
    for path in [file, people] {
      try await refuses(["run", file, "--out", batch, "--quiet", "--junit"], path)
      try await refuses(["verify", file, "--results", batch, "--quiet", "--report"], path)
    }
    // A page gives way to a page, also in the folder.
    for _ in 1...2 { #expect(await program(["report", out, "-o", out + "/page.html"]).code == 0) }
    let same = await program([
      "run", file, "--out", batch, "--junit", scratch.file("r.xml"), "--tap", scratch.file("r.xml"),
    ])
    #expect(same.code == 64 && same.error.contains("Two reports cannot be one file"))
  }

  @Test("A page takes the place of no scenario that it is made from, and of nothing in a result")
  func pagesOfScenarios() async throws {
    let scratch = try Scratch()
    let (file, base) = (scratch.file("night.json5"), scratch.file("base.json5"))
    let (batch, result) = (scratch.file("batch"), scratch.file("batch/night"))
    try Files.write(scenario(), to: base)
    try Files.write("{ format: 'loopsim/1', id: 'night', extends: 'base.json5' }", to: file)
    #expect(await program(["run", file, "--out", batch, "--quiet"]).code == 0)
    let (summary, timeline) = (result + "/summary.json", result + "/timeline.csv")
    let cases: [(words: [String], paths: [String])] = [
      (["report", file, "-o"], [file, base]), (["report", result, "-o"], [file, base, summary]),
      (["report", batch, "-o"], [file, base, summary]),
      (["compare", file, result, "--report"], [file, base, summary]),
      (["outcomes", result, "--no-chart", "--report"], [summary, timeline]),
      (["verify", file, "--results", batch, "--quiet", "--report"], [file, base, summary]),
    ]
    for (words, paths) in cases {
      for path in paths {
        let before = try Files.read(path)
        let done = await program(words + [path])
        #expect(done.code == 64, "\(words) \(path)")
        #expect(done.error.contains("is a file that is read here, and would be lost"))
        #expect(try Files.read(path) == before, "\(words) \(path)")
      }
    }
  }

  @Test("The store in a folder that is named is written over by no answer about it")
  func storeInFolder() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(scenario(), to: file)
    #expect(await program(["run", file, "--out", out, "--quiet"]).code == 0)
    let (result, store) = (out + "/quiet-night", out + "/quiet-night/health.sqlite")
    let before = try Files.read(store)
    for words in [["store", "export", result], ["audit", result, "-o"]] {
      let done = await program(words + [store])
      #expect(done.code == 64, "\(words)")
      #expect(done.error.contains("\(store) is a file that is read here"), "\(done.error)")
      #expect(try Files.read(store) == before, "\(words)")
    }
    // Nor is anything else in the folder that a run leaves there, of which the store is one.
    for name in ["summary.json", "timeline.csv"] {
      let path = "\(result)/\(name)"
      let before = try Files.read(path)
      for words in [
        ["store", "export", result], ["store", "export", store], ["audit", result, "-o"],
        ["store", "import", scratch.file("a.sqlite"), store, "--report"],
      ] {
        let done = await program(words + [path])
        #expect(done.code == 64, "\(words)")
        #expect(done.error.contains("\(path) is a file that is read here"), "\(done.error)")
        #expect(try Files.read(path) == before, "\(words)")
      }
    }
    // What no run leaves is written anew.
    for _ in 1...2 {
      let done = await program(["store", "export", result, result + "/export.xml"])
      #expect(done.code == 0, "\(done.error)")
    }
  }

  @Test("No report stands among the results of a run, nor in place of a table of the batch")
  func reportsAmongResults() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(scenario(), to: file)
    for words in [
      ["run", file, "--out", out], ["verify", file, "--results", scratch.file("kept")],
    ] {
      let folder = "\(words.last ?? "")/quiet-night"
      for path in ["", "/timeline.csv", "/summary.json", "/new/junit.xml"].map({ folder + $0 }) {
        for option in ["--junit", "--tap"] {
          let done = await program(words + ["--quiet", option, path])
          #expect(done.code == 64, "\(words) \(option) \(path)")
          #expect(
            done.error.contains(
              "\(path) lies in the folder of a run's results, which a newer result replaces as a "
                + "whole. Name another place for the report."), "\(done.error)")
          #expect(!exists(folder))
        }
      }
    }
    for name in ["runs.csv", "batch.json"] {
      let done = await program(["run", file, "--out", out, "--junit", "\(out)/./\(name)"])
      #expect(done.code == 64)
      #expect(done.error.contains("A report and a file of the batch itself cannot be one file, "))
      #expect(!exists("\(out)/\(name)"))
    }
    // Beside the runs there is room.
    for _ in 1...2 {
      let done = await program(["run", file, "--out", out, "--quiet", "--junit", out + "/j.xml"])
      #expect(done.code == 0, "\(done.error)")
      #expect(try Files.read(out + "/j.xml").starts(with: "<?xml".utf8))
      #expect(exists(out + "/quiet-night/timeline.csv"))
    }
  }

  @Test("A report of a batch that cannot go on says so, in place of one of a former batch")
  func reportsOfWhatBrokeOff() throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    let reports = ["--junit", scratch.file("j.xml"), "--tap", scratch.file("t.tap")]
    try Files.write(scenario(), to: file)
    for words in [["run", file, "--out", out], ["verify", file, "--update", "--results", out]] {
      try? FileManager.default.removeItem(atPath: out)
      #expect(try Binary.runByHand(words + reports, in: scratch).code == 0)
      #expect(try scratch.text(of: "j.xml").contains("failures=\"0\" errors=\"0\""))
      try FileManager.default.removeItem(atPath: out)
      try makeFolder(out + "/quiet-night/notes")
      try Files.write("mine", to: out + "/quiet-night/notes/thesis.txt")
      let done = try Binary.runByHand(words + reports, in: scratch)
      #expect(done.code == 74)
      let (junit, tap) = (try scratch.text(of: "j.xml"), try scratch.text(of: "t.tap"))
      #expect(junit.contains("failures=\"0\" errors=\"1\""), "\(junit)")
      #expect(junit.contains("Broken off after 0 of 1 run: "), "\(junit)")
      #expect(junit.contains("it holds notes/thesis.txt"), "\(junit)")
      #expect(tap.contains("\nnot ok "), "\(tap)")
    }
    // A file of which no run can be told is one of the runs, here as at the end of a batch.
    try Files.write("{", to: scratch.file("wrong.json5"))
    let words = ["run", file, scratch.file("wrong.json5"), "--out", out]
    #expect(try Binary.runByHand(words + reports, in: scratch).code == 74)
    #expect(try scratch.text(of: "j.xml").contains("Broken off after 1 of 2 runs: "))
  }

  @Test("A folder with the name of a run is replaced only where all in it is of runs")
  func folders() throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(scenario(), to: file)
    let run = ["run", file, "--quiet", "--out", out]
    let update = ["verify", file, "--update", "--results", out]
    for words in [run, update] {
      try? FileManager.default.removeItem(atPath: out)
      try makeFolder(out + "/quiet-night/notes")
      try Files.write("mine", to: out + "/quiet-night/notes/thesis.txt")
      let done = try Binary.runByHand(words, in: scratch)
      #expect(done.code == 74)
      #expect(done.error.contains("quiet-night: cannot be written: it holds notes/thesis.txt"))
      #expect(exists(out + "/quiet-night/notes/thesis.txt"))
      #expect(!exists(out + "/quiet-night/summary.json"))
      // A file in place of the folder.
      try FileManager.default.removeItem(atPath: out + "/quiet-night")
      try Files.write("mine", to: out + "/quiet-night")
      let onFile = try Binary.runByHand(words, in: scratch)
      #expect(onFile.code == 74 && onFile.error.contains("it is a file"))
      #expect(try String(contentsOfFile: out + "/quiet-night", encoding: .utf8) == "mine")
      // Nothing stands in the way, and then the former result.
      try FileManager.default.removeItem(atPath: out + "/quiet-night")
      for _ in 1...2 { #expect(try Binary.runByHand(words, in: scratch).code == 0) }
    }
  }

  @Test("Every file that a run leaves is one that a later run may replace, in any version")
  func ownNames() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    let all = [
      "timeline", "basalSegments", "eventHistory", "insulinDelivery", "happenings", "ledger",
      "healthStore", "doses", "pulses", "settings", "cycles", "predictions", "loopInputs",
    ].map { "'\($0)'" }.joined(separator: ", ")
    try Files.write(
      scenario().replacing("expect: [", with: "output: { save: [\(all)] }, expect: ["), to: file)
    let first = await program(["run", file, "--quiet", "--report", "--out", out])
    #expect(first.code == 0, "\(first.error)")
    let folder = out + "/quiet-night"
    #expect(exists(folder + "/loop-inputs") && exists(folder + "/health.sqlite"))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name != LoopInputFolder.name {
      #expect(ResultNames.isOwn(name, inResult: false), "\(name)")
    }
    // A table that a former version wrote, and results of runs that are named below this one.
    try Files.write("a\n", to: folder + "/former.csv")
    try makeFolder(folder + "/a")
    try FileManager.default.copyItem(
      atPath: folder + "/summary.json", toPath: folder + "/a/summary.json")
    #expect(ResultNames.stranger(in: folder) == nil)
    #expect(await program(["run", file, "--quiet", "--out", out]).code == 0)
    try Files.write("mine", to: folder + "/figure.ipynb")
    #expect(ResultNames.stranger(in: folder) == "figure.ipynb")
    // A former result goes without what is not its own.
    try Files.write(scenario().replacing("quiet-night", with: "other-night"), to: file)
    let clean = await program(["run", file, "--quiet", "--out", out, "--clean"])
    #expect(clean.code == 0, "\(clean.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["figure.ipynb"])
  }

  @Test("Results beside scenarios are no scenarios, and a folder can be run again and again")
  func resultsAreNoScenarios() async throws {
    let scratch = try Scratch()
    let out = scratch.file("Results/runs")
    let text = scenario().replacing(
      "expect: [", with: "output: { save: ['settings', 'ledger', 'loopInputs'] }, expect: [")
    try Files.write(text, to: scratch.file("night.json5"))
    try Files.write(
      scenario().replacing("quiet-night", with: "settings"), to: scratch.file("settings.json"))
    for _ in 1...2 {
      let done = await program(["run", scratch.path, "--quiet", "--out", out])
      #expect(done.code == 0, "\(done.output) \(done.error)")
      #expect(done.output == "2 runs, 4 expectations hold, 0 fail.\n")
    }
    #expect(exists(out + "/quiet-night/loop-inputs") && exists(out + "/batch.json"))
    // What is named is read, and what is no result of ours is looked at.
    #expect(await program(["check", out + "/batch.json"]).code == 65)
    try Files.write("{}", to: out + "/mine.json")
    let all = await program(["check", scratch.path])
    #expect(all.code == 65 && all.error.contains("3 files, "))
  }

  @Test("No output is written over the file that a command reads, by whatever name")
  func inputs() async throws {
    let scratch = try Scratch()
    let (file, link) = (scratch.file("night.json5"), scratch.file("link"))
    let (out, table) = (scratch.file("out"), scratch.file("glucose.csv"))
    try Files.write(scenario(), to: file)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    try Files.write("time,glucose\n2026-01-01T00:00:00,100\n", to: table)
    // What a scenario extends is read as well.
    let child = scratch.file("child.json5")
    try Files.write("{ format: 'loopsim/1', extends: 'night.json5', id: 'child' }", to: child)
    for words in [
      ["report", file, "-o", file], ["report", file, "-o", link], ["freeze", file, "-o", file],
      ["replay", file, "--at", "+1h", "--input", file],
      ["freeze", child, "-o", file],
      ["replay", child, "--at", "+1h", "--input", link],
      ["export", "loop-scenario", child, "-o", file],
      ["compare", file, file, "--report", file],
      ["run", file, "--out", out, "--junit", file], ["run", file, "--out", out, "--tap", link],
      ["run", scratch.path, "--out", out, "--junit", file],
      ["verify", file, "--results", out, "--report", file],
      ["verify", file, "--results", out, "--junit", file],
      ["outcomes", table, "--report", table], ["audit", table, "-o", table],
      ["export", "loop-scenario", file, "-o", file],
      ["import", "loop-scenario", file, "-o", file],
    ] {
      let done = await program(words)
      #expect(done.code == 64, "\(words)")
      #expect(done.error.contains("is a file that is read here, and would be lost"), "\(words)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == scenario())
    #expect(!exists(out))
  }

  @Test("The report of an import takes the place of no record, and of nothing else that is written")
  func reportsOfImports() async throws {
    let scratch = try Scratch()
    let (record, store) = (scratch.file("record.json"), scratch.file("a.sqlite"))
    let text = """
      [{"eventType":"Correction Bolus","created_at":"2026-02-03T01:30:00Z","insulin":2},
       {"type":"sgv","date":1770076800000,"sgv":110}]
      """
    try Files.write(text, to: record)
    let therapy = scratch.file("me.json5")
    try Files.write(
      scenario().replacing("quiet-night", with: "record"), to: therapy)
    func refuses(_ words: [String], _ sentence: String) async throws {
      let done = await program(words)
      #expect(done.code == 64 && done.error.contains(sentence), "\(words) \(done.error)")
      #expect(try scratch.text(of: "record.json") == text)
    }
    let lost = "is a file that is read here, and would be lost"
    try await refuses(["store", "import", store, record, "--report", record], lost)
    #expect(!exists(store))
    // A store that is not there yet would be written first.
    try await refuses(
      ["store", "import", store, record, "--report", scratch.path + "/./a.sqlite"],
      "The store and the report cannot be one file")
    #expect(await program(["store", "import", store, record]).code == 0)
    try await refuses(["store", "import", store, record, "--report", store], lost)
    #expect(await program(["store", "verify", store]).code == 0)
    // The table of a therapy has the therapy's name.
    try Files.write("time,glucose\n2026-02-03T00:00:00,100\n", to: scratch.file("record.csv"))
    let words = ["backtest", scratch.file("record.csv"), "--zone", "UTC", "--therapy", therapy]
    try await refuses(words + ["-o", scratch.path], lost)
    try await refuses(
      [
        "import", "loop-scenario", record, "-o", scratch.file("b.json5"), "--report",
        scratch.file("b.json5"),
      ], "The report and what is imported cannot be one file")
  }
}
