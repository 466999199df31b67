import Foundation
import StructuredText
import TestSupport
import Testing

@testable import loopsim

@Suite("The study commands")
struct StudyCommandTests {
  private static let files = [
    "base.json5": """
    { format: 'loopsim/1', clock: { duration: '1h' }, random: { seed: 7, replicates: 2 },
      patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 20 },
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } },
      history: { glucose: { flat: 120 } } }
    """,
    "people.csv": "id,isf\na,40\nb,45\nc,50\nd,55\ne,60\n",
    "study.json5": """
    { format: 'loopsim/1', id: 'small', title: 'A small study', extends: 'base.json5',
      cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
      variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
      study: { control: 'plain',
        primary: [{ id: 'seen', metric: 'mean@cgm', better: 'lower', noninferior: 10 }],
        safety: [{ id: 'low', metric: 'below(70)', better: 'lower', harm: { above: 1 } }] } }
    """,
  ]

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    for (name, text) in Self.files {
      try Data(text.utf8).write(to: scratch.url.appendingPathComponent(name))
    }
    return scratch
  }

  /// The same files, with one run of each patient and arm, of half the length, unless all is tried.
  func smallScratch() throws -> Scratch {
    let scratch = try scratch()
    guard !Extent.isWhole else { return scratch }
    let twice = try scratch.text(of: "base.json5")
    let once = twice.replacing("replicates: 2", with: "replicates: 1")
      .replacing("duration: '1h'", with: "duration: '30m'")
    try Files.write(once, to: scratch.file("base.json5"))
    return scratch
  }

  /// The results of a study, by name.
  private func results(_ folder: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    var texts: [String: String] = [:]
    for name in names where name.hasPrefix("results.") {
      texts[name] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    return texts
  }

  @Test("Chosen cases are written whole where the study keeps a row of each run alone")
  func writesWholeRuns() async throws {
    let scratch = try smallScratch()
    let (out, file) = (scratch.file("out"), scratch.file("study.json5"))
    let study = try scratch.text(of: "study.json5")
    try Files.write(study.replacing("title:", with: "output: { save: [] }, title:"), to: file)
    #expect(await program(["study", file, "--out", out]).code == 0)
    #expect(await program(["study", "runs", out, "--case", "1"]).code == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: out + "/runs")
    for name in ["summary.json", "timeline.csv", "doses.csv", "ledger.json", "health.sqlite"] {
      #expect(names.contains { $0.hasSuffix("/" + name) }, "\(name)")
    }
  }

  @Test("Chosen cases are written whole, with a page of each on request")
  func writesRuns() async throws {
    let scratch = try smallScratch()
    let out = scratch.file("out")
    #expect(
      await program(["study", scratch.file("study.json5"), "--out", out]).code == 0)
    let written = await program([
      "study", "runs", out, "--case", "1", "--case", "0", "--case", "1",
      "--report",
    ])
    #expect(written.code == 0, "\(written.error)")
    let folders = written.output.split(separator: "\n").compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
    #expect(folders.count == 2)
    for folder in folders {
      #expect(FileManager.default.fileExists(atPath: "\(folder)/summary.json"))
      let page = try String(contentsOfFile: "\(folder)/\(RunFolder.page)", encoding: .utf8)
      #expect(page.contains("</html>"))
    }
    #expect(await program(["study", "runs", out, "--case", "99"]).code == 65)
    // The folder above them is no result, and those that are get named.
    let above = await program(["report", "\(out)/runs"])
    #expect(above.code == 65)
    #expect(above.error.contains("holds no result"))
    #expect(folders.allSatisfy { above.error.contains($0) }, "\(above.error)")
  }

  @Test("A study gives the same bytes whatever the shards and jobs")
  func shards() async throws {
    let scratch = try smallScratch()
    let whole = await program([
      "study", scratch.file("study.json5"), "--out", scratch.file("whole"), "--shards", "1",
      "--jobs", "1",
    ])
    #expect(whole.code == 0, "\(whole.error)")
    let expected = try results(scratch.file("whole"))
    #expect(expected.count >= 7)
    for (shards, jobs) in Extent.some(of: [("3", "2"), ("10", "8")], every: 2) {
      let folder = scratch.file("in-\(shards)")
      let divided = await program([
        "study", scratch.file("study.json5"), "--out", folder, "--shards", shards, "--jobs", jobs,
      ])
      #expect(divided.code == 0)
      #expect(try results(folder) == expected)
    }
    #expect(whole.output.contains("study small@"))
  }

  @Test("Missing shards are listed, refused, run, and merged")
  func missing() async throws {
    let scratch = try scratch()
    let folder = scratch.file("out")
    let planned = await program([
      "study", "plan", scratch.file("study.json5"), "--out", folder, "--shards", "4",
    ])
    #expect(planned.code == 0)
    #expect(planned.output.hasPrefix("plan "))
    #expect(await program(["study", "run", folder, "--shard", "1/4"]).code == 0)
    let status = await program(["study", "status", folder, "--format", "list"])
    #expect(status.code == 3)
    #expect(status.output == "0,2-3\n")
    let text = await program(["study", "status", folder]).output
    #expect(!text.contains("seen") && !text.contains("["))
    let early = await program(["study", "merge", folder])
    #expect(early.code == 3)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/results.cases.csv"))
    let partial = await program(["study", "merge", folder, "--partial"])
    #expect(partial.code == 0)
    #expect(partial.output.contains("There is no verdict"))
    for word in ["--strict", "--require"] {
      let judged = await program(["study", "merge", folder, "--partial", word])
      #expect(judged.code == 64 && judged.output.isEmpty, "\(judged.error)")
    }
    for (engine, code) in [("aws", 0), ("slurm", 0), ("parallel", 64), ("kubernetes", 64)] {
      let script = await program([
        "study", "script", folder, "--engine", engine, "--minutes", "5",
      ])
      #expect(script.code == Int32(code), "\(engine)")
    }
    let unneeded = await program(["study", "script", folder, "--programs", scratch.file("mine")])
    #expect(unneeded.code == 64)
    #expect(unneeded.error.contains("The study starts no program"), "\(unneeded.error)")
    #expect(await program(["study", "run", folder, "--shard", "1/5"]).code == 65)
    let fourth = await program(["study", "run", folder, "--shard", "4/4"])
    #expect(fourth.code == 65 && fourth.error.contains("count from 0"), "\(fourth.error)")
    try "3\n2\n".write(toFile: scratch.file("list"), atomically: true, encoding: .utf8)
    let task = await program([
      "study", "run", folder, "--task", "1", "--from", scratch.file("list"),
    ])
    #expect(task.output == "shard 2 of 4 is complete\n")
    #expect(await program(["study", "run", folder]).code == 0)
    #expect(await program(["study", "run", folder, "--shard", "2"]).code == 0)
    #expect(await program(["study", "merge", folder]).code == 0)
    #expect(await program(["study", "verify", folder, "--rerun", "2"]).code == 0)
    #expect(await program(["study", "status", folder, "--format", "list"]).output == "")
  }

  @Test("A damaged shard, plan or result is named")
  func damage() async throws {
    let scratch = try scratch()
    let folder = scratch.file("out")
    let done = await program([
      "study", scratch.file("study.json5"), "--out", folder, "--shards", "2",
    ])
    #expect(done.code == 0)
    func change(_ name: String, _ edit: (String) -> String) async throws -> (Int32, String) {
      let path = "\(folder)/\(name)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try edit(text).write(toFile: path, atomically: true, encoding: .utf8)
      let found = await program(["study", "verify", folder])
      // What is made anew of changed cases would agree with them, and hide the change.
      if name == "results.cases.csv" {
        for words in ["study report", "report", "study power --sd=2", "study runs --case=0"] {
          let made = await program(words.split(separator: " ").map(String.init) + [folder])
          #expect(made.code == 65 && made.error.contains("results.cases.csv:5:"), "\(made.error)")
        }
      }
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return (found.code, found.error)
    }
    let cases = try await change("results.cases.csv") { $0.replacing("\n3,1,a", with: "\n3,1,x") }
    #expect(cases.0 == 65)
    #expect(cases.1.contains("results.cases.csv:5:"))
    let rows = "\(folder)/shards/00001-of-00002.cases.csv"
    let whole = try Files.read(rows)
    for bytes in [Array(whole.dropLast(3)), whole.map { $0 == 0x31 ? 0x32 : $0 }] {
      try Files.write(bytes, to: rows)
      let status = await program(["study", "status", folder, "--format", "json"])
      #expect(status.code == 3)
      let said = try #require(JSONReader.read(Array(status.output.utf8), file: "s").root)
      #expect(said["complete"]?.integer == 1 && said["missing"]?.items?.count == 1)
      #expect(said["damaged"]?.items?.count == 1)
      let text = await program(["study", "status", folder]).output
      #expect(text.contains(" failed, merged while all shards were there\n"), "\(text)")
    }
    try Files.write(whole, to: rows)
    let intact = await program(["study", "status", folder])
    #expect(intact.code == 0 && intact.output.hasSuffix(" failed, merged\n"), "\(intact.output)")
    let shard = try await change("shards/00001-of-00002.cases.csv") { String($0.dropLast(3)) }
    #expect(shard.0 == 65)
    #expect(shard.1.contains("00001-of-00002.cases.csv"))
    let plan = try await change("plan.json") { $0.replacing("a,40", with: "a,41") }
    #expect(plan.0 == 65)
    #expect(plan.1.contains("the plan is damaged"))
    let summary = try await change("results.summary.json") { $0 + " " }
    #expect(summary.0 == 65)
    #expect(await program(["study", "verify", folder]).code == 0)
    // A shard of another plan.
    let manifest = "\(folder)/shards/00000-of-00002.manifest.json"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let other = text.replacing("\"plan_sha256\": \"", with: "\"plan_sha256\": \"0")
    try other.write(toFile: manifest, atomically: true, encoding: .utf8)
    let merged = await program(["study", "merge", folder])
    #expect(merged.code == 65)
    #expect(merged.error.contains("it belongs to another plan"))
  }

  @Test("A bad file is one sentence and exit code 65")
  func refuses() async throws {
    let scratch = try scratch()
    let none = await program(["study", scratch.file("base.json5")])
    #expect(none.code == 65)
    #expect(none.error.contains("this scenario has no block \"study\""))
    let missing = await program(["study", scratch.file("nothing.json5")])
    #expect(missing.code == 65)
    let folder = await program(["study", "status", scratch.file("nowhere")])
    #expect(folder.code == 65)
    let first = scratch.file("out")
    #expect(
      await program(["study", "plan", scratch.file("study.json5"), "--out", first]).code == 0)
    let again = await program([
      "study", "plan", scratch.file("study.json5"), "--out", first, "--shards", "1",
    ])
    #expect(again.code == 65)
    #expect(
      again.error.contains("holds this plan already, in 2 shards and not in 1. Give --shards 2"))
  }

  @Test("A study whose pods run out is refused by check and by plan, with pump, day and line")
  func emptyPod() async throws {
    let scratch = try scratch()
    let text = try scratch.text(of: "study.json5").replacing(
      "variants: {",
      with: """
        clock: { duration: '14d' }, pump: { model: 'omnipodDASH' },
        supplies: { pump: 'none' }, variants: {
        """)
    try Data(text.utf8).write(to: scratch.url.appendingPathComponent("study.json5"))
    for command in [["check"], ["study", "plan", "--out", scratch.file("out")]] {
      let done = await program(command + [scratch.file("study.json5")])
      #expect(done.code == 65)
      let said = done.output + done.error
      #expect(said.contains("study.json5:3:"), "\(said)")
      #expect(
        said.contains(
          "Patient \"a\": The Omnipod DASH stops after 80h and is worn for 336h. It ends on day 3"))
      #expect(
        said.contains("{ at: { daily: '10:00', days: [2, 4, 6, 8, 10, 12] }, pump: { replace"))
    }
    let automatic = text.replacing("supplies: { pump: 'none' },", with: "")
    try Data(automatic.utf8).write(to: scratch.url.appendingPathComponent("study.json5"))
    #expect(await program(["check", scratch.file("study.json5")]).code == 0)
  }

  @Test("A pilot says how many patients there are, and is never analysed")
  func pilot() async throws {
    let scratch = try smallScratch()
    let people = (0..<60).map { "p\($0),\(40 + $0 % 30)\n" }.joined()
    let text = try scratch.text(of: "study.json5").replacing(
      "study: { control: 'plain',",
      with: "study: { control: 'plain', precision: { halfWidth: 0.5, pilot: 10 },")
    try Data(("id,isf\n" + people).utf8).write(
      to: scratch.url.appendingPathComponent("people.csv"))
    try Data(text.utf8).write(to: scratch.url.appendingPathComponent("study.json5"))
    let folder = scratch.file("out")
    let report = scratch.file("page.html")
    let done = await program([
      "study", scratch.file("study.json5"), "--out", folder, "--report", report,
    ])
    #expect(done.code == 0, "\(done.error)")
    #expect(try scratch.text(of: "page.html").contains("wished for by a pilot of 10 patients."))
    let plan = JSONReader.read(try Files.read("\(folder)/plan.json"), file: "plan").root
    let patients = try #require(plan?["patients"]?.integer)
    #expect(plan?["first_patient"]?.integer == 10)
    #expect((30...50).contains(patients))
    #expect(plan?["pilot"]?["patients"]?.integer == 10)
    let cases = try scratch.text(of: "out/results.cases.csv").split(separator: "\n").dropFirst()
    let ids = Set(cases.map { $0.split(separator: ",")[2] })
    #expect(ids.count == Int(patients))
    #expect((0..<10).allSatisfy { !ids.contains("p\($0)") })
    let summary = try scratch.text(of: "out/results.summary.json")
    #expect(summary.contains("\"precision\": {"))
  }

  @Test("A sampled sweep is answered in text, in the summary, in tables and on the page")
  func sampled() async throws {
    let rows = Extent.of(2, whole: 3)
    let scratch = try smallScratch()
    let text = try scratch.text(of: "study.json5")
      .replacing(
        "variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },",
        with:
          "app: { closedLoop: false }, "
          + "sweep: { morris: { n: \(rows), of: { 'cgm.bias.offset': { uniform: [0, 20] } } } },"
      )
      .replacing("control: 'plain',", with: "").replacing(", noninferior: 10", with: "")
      .replacing(", harm: { above: 1 }", with: "")
    try Data(text.utf8).write(to: scratch.url.appendingPathComponent("study.json5"))
    let done = await program([
      "study", scratch.file("study.json5"), "--out", scratch.file("out"), "--report",
      scratch.file("page.html"),
    ])
    #expect(done.code == 0, "\(done.error)")
    #expect(done.output.hasPrefix("cgm.bias.offset moves mean glucose most: by 20.0 mg/dL"))
    let results = try results(scratch.file("out"))
    #expect(results["results.summary.json"]?.contains("\"method\": \"morris\"") == true)
    let sensitivity = try #require(results["results.sensitivity.csv"])
    #expect(sensitivity.hasPrefix("endpoint,setting,law,mean_size,sd,unit\n"))
    #expect(sensitivity.contains(",mg/dL\n"))
    #expect(results["results.surface.csv"]?.hasPrefix("point,cgm.bias.offset,seen,low\n") == true)
    let page = try scratch.text(of: "page.html")
    #expect(page.contains("Which setting matters for mean glucose"))
    #expect(!page.contains("Goals in order"))
    let verified = await program(["study", "verify", scratch.file("out")])
    #expect(verified.code == 0, "\(verified.error)")
  }

  @Test("Goals that are not met end with 1 where that is asked for")
  func requires() async throws {
    let scratch = try smallScratch()
    let text = try scratch.text(of: "study.json5").replacing("noninferior: 10", with: "superior: 5")
    try text.write(toFile: scratch.file("hard.json5"), atomically: true, encoding: .utf8)
    let words = ["study", scratch.file("hard.json5"), "--out", scratch.file("out")]
    #expect(await program(words).code == 0)
    #expect(await program(words + ["--require"]).code == 1)
  }

  @Test("Job files have the syntax of their shell", arguments: StudyScriptCommand.Engine.allCases)
  func scripts(engine: StudyScriptCommand.Engine) throws {
    let script = StudyScript(folder: "/shared/it's", id: "small", shards: 8, minutes: 30)
      .text(for: engine)
    #expect(script.contains("study run"))
    #expect(!script.contains("SLURM_ARRAY_TASK_COUNT/"))
    guard [.slurm, .parallel, .aws].contains(engine) else { return }
    let scratch = try Scratch()
    try script.write(toFile: scratch.file("script"), atomically: true, encoding: .utf8)
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-n", scratch.file("script")]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
  }

  @Test("Rows without their manifest, and what a killed process left, count for nothing")
  func leftovers() async throws {
    let scratch = try smallScratch()
    let folder = scratch.file("out")
    let planned = await program([
      "study", "plan", scratch.file("study.json5"), "--out", folder, "--shards", "2",
    ])
    #expect(planned.code == 0)
    try "case,unit\n0,0\n".write(
      toFile: "\(folder)/shards/00000-of-00002.cases.csv", atomically: true, encoding: .utf8)
    #expect(await program(["study", "status", folder, "--format", "list"]).output == "0-1\n")
    #expect(await program(["study", "run", folder]).code == 0)
    #expect(await program(["study", "merge", folder]).code == 0)
    #expect(await program(["study", "verify", folder]).code == 0)
  }

  @Test("Of a cohort whose table is missing nothing follows about the patients")
  func missingTable() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '2h' }, patient: { model: 'uva-padova-s2008' },
        cohort: { from: 'people.csv', columns: { patient: 'patient.name' } },
        variants: { a: {}, b: { app: { closedLoop: false } } },
        study: { control: 'a', strata: 'group',
          primary: [{ id: 'r', metric: 'tir(70,180)', better: 'higher', noninferior: 2 }] } }
      """, to: scratch.file("s.json5"))
    let checked = await program(["check", scratch.file("s.json5")])
    let errors = checked.output.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(errors.count == 1, "\(checked.output)")
    #expect(errors.first?.contains("There is no file") == true)
  }
}
