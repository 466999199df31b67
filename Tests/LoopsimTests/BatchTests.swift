import Expectations
import Foundation
import RunPlans
import StructuredText
import TestSupport
import Testing

@testable import loopsim

@Suite("Batches of scenarios")
struct BatchTests {
  /// A folder with scenarios of the ids given, in files named by their place.
  private func folder(_ ids: [String]) throws -> Scratch {
    let scratch = try Scratch()
    for (place, id) in ids.enumerated() {
      let text = scenario().replacing("quiet-night", with: id)
      try Files.write(text, to: scratch.file("\(place + 100).json5"))
    }
    return scratch
  }

  @Test("What a comparison looked at in part is told in the text, of one run and of several")
  func tellsOfParts() async throws {
    let scratch = try Scratch()
    func text(_ variants: String, _ expectation: String) -> String {
      """
      { format: 'loopsim/1', id: 'part', clock: { duration: '30m', timeZone: 'UTC',
          start: '2026-01-15T00:00:00' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } }, \(variants)
        expect: [{ id: 'same', compare: { series: 'glucose.true', \(expectation) },
          difference: { min: -50, max: 50 } }] }
      """
    }
    let file = scratch.file("part.json5")
    try Files.write(
      text(
        "variants: { short: { clock: { duration: '20m' } }, long: {} },",
        "this: 'short', other: 'long'"), to: file)
    let several = await program(["run", file, "--out", scratch.file("out")])
    #expect(several.code == 0, "\(several.error)")
    #expect(
      several.output.contains(
        "\nnote    1 expectation holds for a part of what is asked; the first is part/short  same: "
          + "not compared: 2 moments of long alone\n2 runs, 1 expectation holds, 0 fail."),
      "\(several.output)")
    let quiet = await program(["run", file, "--out", scratch.file("out"), "--quiet"])
    #expect(!quiet.output.contains("note"))
    let alone = text("variants: { short: {}, long: {} },", "this: 'short', other: 'long'")
      .replacing("expect: [", with: "expect: [{ id: 'own', metric: 'mean', min: 1 }, ")
    try Files.write(alone, to: scratch.file("own.json5"))
    let counted = await program(["run", scratch.file("own.json5"), "--out", scratch.file("own")])
    #expect(counted.output.contains(", 1/1 expectation\n"), "\(counted.output)")
    try Files.write(
      "time,glucose_true_mgdL\n2026-01-15T00:05:00Z,110\n", to: scratch.file("kept.csv"))
    try Files.write(text("", "other: 'kept.csv'"), to: file)
    let one = await program(["run", file, "--out", scratch.file("one")])
    #expect(
      one.output.contains(
        "Expectations: 1 of 1 holds.\n  passed  same: not compared: 6 moments of this run alone\n"),
      "\(one.output)")
  }

  @Test("Of a scenario that is refused all runs are counted, however many")
  func countsRefusedRuns() async throws {
    let scratch = try Scratch()
    let file = scratch.file("many.json5")
    let text = scenario().replacing("quiet-night", with: "many")
      .replacing("random: { seed: 7 }", with: "wrong: 1, random: { replicates: 1200 }")
    try Files.write(text, to: file)
    let check = await program(["check", file])
    #expect((check.output + check.error).contains("1 file, 1200 runs: 1 error"), "\(check)")
    let run = await program(["run", file, "--out", scratch.file("out")])
    #expect(run.output.contains(" 1197 more runs of "), "\(run)")
    #expect(run.output.contains("\n1200 runs, 1200 of them without a result"), "\(run)")
  }

  @Test("A file is run once, however it is named, and beside the folder that it lies in")
  func meantOnce() async throws {
    let scratch = try Scratch()
    let file = scratch.file("quiet.json5")
    try Files.write(scenario(), to: file)
    try FileManager.default.createDirectory(
      atPath: scratch.file("inner"), withIntermediateDirectories: true)
    for other in ["", "./quiet.json5", "inner/../quiet.json5"] {
      let words = [scratch.file(other), file]
      let result = await program(["check"] + words)
      #expect(result.code == 0, "\(result)")
      #expect((result.output + result.error).contains("1 file, 1 run: "), "\(result)")
    }
  }

  @Test("Of the summaries as JSON those of failed runs alone are printed where that is asked for")
  func quietSummaries() async throws {
    let scratch = try Scratch()
    let file = scratch.file("two.json5")
    let text = scenario().replacing("quiet-night", with: "two").replacing(
      "expect: [",
      with: "variants: { good: {}, bad: {} }, expect: [{ id: 'never', variants: 'bad', "
        + "metric: 'mean', max: 1 }, ")
    try Files.write(text, to: file)
    func ids(_ more: [String]) async throws -> [String?] {
      let result = await program(
        ["run", file, "--out", scratch.file("out"), "--format", "json"] + more)
      let root = JSONReader.read(Array(result.output.utf8), file: "output").root
      return try #require(root?.items, "\(result)").map { $0["id"]?.string }
    }
    #expect(try await ids([]) == ["two/good", "two/bad"])
    #expect(try await ids(["--quiet"]) == ["two/bad"])
  }

  @Test("The points of a sweep are told with the values they stand for, of which s0 says none")
  func tellsOfSweptValues() async throws {
    let scratch = try Scratch()
    let file = scratch.file("swept.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'swept', clock: { duration: '30m' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        variants: { a: {}, b: { app: { closedLoop: false } } },
        sweep: { zip: { 'therapy.maxBasal': [2, 4],
          'app.dosing': ['tempBasal', 'automaticBolus'] } },
      }
      """, to: file)
    let out = scratch.file("out")
    let result = await program(["run", file, "--out", out, "--report"])
    #expect(result.code == 0, "\(result.error)")
    let line = result.output.split(separator: "\n").first { $0.contains("swept/b/s1") }
    #expect(line?.hasSuffix(", with therapy.maxBasal 4, app.dosing automaticBolus") == true)
    let one = await program(
      ["run", file, "--out", scratch.file("one"), "--run", "swept/b/s1"])
    #expect(
      one.output.contains("\n  the sweep's point: therapy.maxBasal 4, app.dosing automaticBolus\n"))
    let path = "\(out)/batch.json"
    let batch = try #require(JSONReader.read(try Files.read(path), file: path).root)
    let arm = try #require(batch["arms"]?.items?.last)
    #expect(arm["name"]?.string == "swept/b/s1")
    #expect(arm["set"]?["therapy.maxBasal"]?.integer == 4)
    #expect(arm["set"]?["app.dosing"]?.string == "automaticBolus")
    let html = try String(contentsOfFile: "\(out)/\(RunFolder.page)", encoding: .utf8)
    let row = "<th scope=\"row\">s1</th><td>4</td><td>automaticBolus</td>"
    // Once, as both variants have the same points.
    #expect(html.components(separatedBy: row).count == 2)
    #expect(html.contains("therapy.<wbr>maxBasal</th>"))
  }

  @Test("Of a cohort that cannot be read the first runs are told, and how many more there are")
  func cohortThatCannotBeRead() async throws {
    let scratch = try Scratch()
    let rows = (1...7).map { "p\($0),None" }
    try Files.write(
      (["id,patient"] + rows).joined(separator: "\n"), to: scratch.file("people.csv"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'many', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008' },
        cohort: { from: 'people.csv', columns: { patient: 'patient.name' } } }
      """, to: scratch.file("many.json5"))
    let file = scratch.file("many.json5")
    let result = await program(["run", file, "--out", scratch.file("out")])
    #expect(result.code == 65)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count { $0.contains("\"None\" is not a value of") } == 3, "\(result.output)")
    #expect(
      lines.suffix(2) == [
        "failed   4 more runs of \(file) have no result.",
        "7 runs, 7 of them without a result, 0 expectations hold, 0 fail.",
      ])
  }

  @Test("The page of a batch says how many runs of an arm are lethal, and how they count")
  func lethalRunsOfAnArm() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("few.json5"), scratch.file("out"))
    let text = """
      { format: 'loopsim/1', id: 'few', clock: { duration: '1h' }, random: { replicates: 2 },
        patient: { model: 'tidepool-simple', initialGlucose: 72, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        variants: { calm: {}, deadly: { patient: { floor: { glucose: 70 } },
          events: [{ at: '00:00', bolus: { units: 10 } }] } } }
      """
    try Files.write(text, to: file)
    let done = await program(["run", file, "--report", "--out", out])
    #expect(done.code == 1)
    let page = try scratch.text(of: "out/report.html")
    #expect(page.contains(">2, 2 lethal<"))
    #expect(page.contains(">2<"))
    #expect(page.contains("A lethal run counts like any other, with the time that it lasted."))
    try Files.write(text.replacing("floor: { glucose: 70 }", with: ""), to: file)
    #expect(await program(["run", file, "--report", "--out", out, "--clean"]).code == 0)
    #expect(try !scratch.text(of: "out/report.html").contains("A lethal run counts"))
  }

  @Test("An expectation that only warns is called a warning in the list of a batch as well")
  func warnings() async throws {
    let scratch = try folder(["one", "two"])
    for name in ["100.json5", "101.json5"] {
      let text = try String(contentsOfFile: scratch.file(name), encoding: .utf8)
      try Files.write(
        text.replacing(
          "expect: [", with: "expect: [{ id: 'w', severity: 'warn', metric: 'mean', max: 20 },"),
        to: scratch.file(name))
    }
    let words = ["run", scratch.url.path, "--out", scratch.file("out")]
    let result = await program(words)
    #expect(result.code == 0)
    #expect(result.output.contains("warning one  w: mean@true"))
    #expect(!result.output.contains("failed "))
    #expect(result.output.contains("2 runs, 4 expectations hold, 0 fail, 2 only warn."))
    let quiet = await program(words + ["--quiet"])
    #expect(quiet.output == "2 runs, 4 expectations hold, 0 fail, 2 only warn.\n")
  }

  @Test("A scenario with the id of another is refused with its place; the others run")
  func sharedID() async throws {
    let scratch = try folder(["one", "two", "one"])
    let out = scratch.file("out")
    let folder = scratch.url.path
    let result = await program(["run", folder, "--out", out])
    #expect(result.code == 65)
    #expect(result.error.contains("102.json5:"))
    #expect(result.error.contains("The id \"one\" is that of \(folder)/100.json5 too"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        == ["batch.json", "one", "runs.csv", "two"])
    #expect(
      result.output.contains(
        "3 runs, 1 of them without a result, 4 expectations hold, 0 fail."))
    #expect(await program(["check", folder]).code == 65)
    // A file that is named beside its folder is the same file.
    let file = scratch.file("101.json5")
    let named = await program(["run", file, file, "--out", scratch.file("again")])
    #expect(named.code == 0)
  }

  @Test("Files read on all processors are those read one after the other")
  func readsInOrder() async throws {
    let scratch = try folder((0..<24).map { "s\($0)" })
    try Files.write("{ format: 'loopsim/1', id: 'bad' ", to: scratch.file("108a.json5"))
    try Files.write("{ format: 'loopsim/1', id: 'worse', x: 1 }", to: scratch.file("117a.json5"))
    let files = try ScenarioFolder.files([scratch.url.path])
    let together = await ScenarioBatch.reading(files)
    let alone = ScenarioBatch(files)
    #expect(files.count == 26)
    #expect(together.runs.map(\.run.id) == alone.runs.map(\.run.id))
    #expect(together.runs.map(\.unit) == alone.runs.map(\.unit))
    #expect(together.problems == alone.problems)
    #expect(!alone.problems.isEmpty)
    #expect(together.unreadable.map(\.file) == alone.unreadable.map(\.file))
  }

  @Test("What is wrong with a file is told in one go by whatever reads it, as by a check")
  func tellsAllAtOnce() async throws {
    let scratch = try Scratch()
    let file = scratch.file("wrong.json5")
    try Files.write(
      "id,start\na,100\nb,110\nc,120\nd,130\ne,140\n", to: scratch.file("people.csv"))
    // The key is found by the check of the file, and the metric where the run is built.
    try Files.write(
      """
      { format: 'loopsim/1', id: 'wrong', clock: { duration: '3h' },
        patient: { model: 'tidepool-simple', needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        cohort: { from: 'people.csv', columns: { start: 'patient.initialGlucose' } },
        variants: { a: {}, b: { app: { closedLoop: false } } },
        events: [{ at: '01:00', meal: { gramms: 60 } }],
        expect: [{ id: 'range', metric: 'tirr(70,180)', min: 70 }],
        study: { control: 'a',
          primary: [{ id: 'lows', metric: 'below(70)', better: 'lower', superior: true }] } }
      """, to: file)
    let check = await program(["check", file])
    #expect(check.code == 65)
    func errors(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.contains(": error: ") }
    }
    let told = errors(check.output)
    #expect(told.contains { $0.contains("\"gramms\" is not a known key") })
    #expect(told.contains { $0.contains("\"tirr\" is no metric.") })
    for words in [
      ["run", "--out", scratch.file("out")], ["report"], ["freeze"], ["export", "loop-scenario"],
      ["replay", "--at", "01:00"], ["compare", file],
      ["study", "start", "--out", scratch.file("study")],
    ] {
      let result = await program(words + [file])
      #expect(result.code == 65, "\(words)")
      #expect(errors(result.error) == told, "\(words): \(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.file("study")))
  }

  @Test("A folder that cannot be read stops a batch: its scenarios would be left out unsaid")
  func namesUnreadableFolders() async throws {
    let scratch = try folder(["a"])
    let deep = DeepFolder(below: scratch.url.path)
    for words in [["check"], ["verify"], ["run", "--out", scratch.file("out")]] {
      let result = await program([words[0], scratch.url.path] + words.dropFirst())
      #expect(result.code == 74)
      #expect(result.error.contains("/ddd"))
      #expect(result.error.hasSuffix(": cannot be read: File name too long.\n"))
      #expect(result.output == "")
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out")))
    _ = consume deep
    #expect(await program(["check", scratch.url.path]).code == 0)
  }

  @Test("Stopping at the first failure leaves nothing of what comes after it")
  func failsFast() async throws {
    let scratch = try folder((0..<12).map { "s\($0)" })
    let text = scenario(expectedUnits: 9).replacing("quiet-night", with: "wrong")
    try Files.write(text, to: scratch.file("103a.json5"))
    let out = scratch.file("out")
    let result = await program(["run", scratch.url.path, "--fail-fast", "--out", out])
    #expect(result.code == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        == ["batch.json", "runs.csv", "s0", "s1", "s2", "s3", "wrong"])
  }

  @Test("The table and the page of a batch answer about the records as each run does")
  func recordsOfEachRun() async throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', id: 'blocked', clock: { duration: '3h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        variants: { free: {}, blocked: {
          faults: [{ during: ['+1h', '+2h'], pump: { occlusion: { alarmAfter: '2h' } } }] } } }
      """
    try Files.write(text, to: scratch.file("blocked.json5"))
    let out = scratch.file("out")
    let page = scratch.file("batch.html")
    #expect(await program(["run", scratch.file("blocked.json5"), "--out", out]).code == 0)
    let table = try CSVTable(
      Files.read("\(out)/runs.csv"), file: "runs.csv", problems: ProblemList())
    let rows = try #require(table)
    let column = try #require(rows.header.firstIndex { $0.text == "records_agree" })
    #expect(rows.rows.map { $0[column].text } == ["yes", "explained"])
    for (row, variant) in zip(rows.rows, ["free", "blocked"]) {
      let path = "\(out)/blocked/\(variant)/summary.json"
      let summary = try #require(JSONReader.read(try Files.read(path), file: path).root)
      #expect(summary["records"]?["answer"]?.string == row[column].text)
    }
    let batch = try #require(
      JSONReader.read(try Files.read("\(out)/batch.json"), file: "batch.json").root)
    #expect(batch["records_explained"]?.integer == 1 && batch["records_disagree"]?.integer == 0)
    #expect(await program(["report", out, "--output", page]).code == 0)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("Runs in which records differ for a known reason"))
    // What went wrong in a run stands in its row, whether its expectations hold or not.
    #expect(html.split(separator: "! went wrong").count == 2)
    #expect(html.split(separator: "✓ ok").count == 2)
  }

  @Test("Runs without a result are named in the files of the batch and on its page")
  func withoutResult() async throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', id: 'two', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        variants: { loop: {}, other: {}, gone: { controller: { command: ['./gone.sh'] } } } }
      """
    try Files.write(text, to: scratch.file("two.json5"))
    let out = scratch.file("out")
    let words = ["run", scratch.file("two.json5"), "--allow-programs", "--out", out, "--report"]
    #expect(await program(words).code == 69)
    let path = "\(out)/batch.json"
    let batch = try #require(JSONReader.read(try Files.read(path), file: path).root)
    #expect(batch["runs"]?.integer == 2)
    let missing = try #require(batch["without_result"]?.items)
    #expect(missing.count == 1 && missing[0]["run"]?.string == "two/gone")
    #expect(missing[0]["reason"]?.string?.contains("./gone.sh") == true)
    // The page of the run and the one that is made again of the folder say it alike.
    let again = scratch.file("again.html")
    #expect(await program(["report", out, "--output", again]).code == 0)
    for page in ["\(out)/\(RunFolder.page)", again] {
      let html = try String(contentsOfFile: page, encoding: .utf8)
      #expect(html.contains("1 of 3 runs has no result</h1>"), "\(page)")
      #expect(html.contains("two/gone ") && html.contains("✕ no result"), "\(page)")
    }
    // Where no run has a result, nothing of the batch before is left to be taken for this one's.
    let gone = "controller: { command: ['./gone.sh'] }"
    let none = text.replacing("variants:", with: "\(gone), variants:")
    try Files.write(none, to: scratch.file("two.json5"))
    #expect(await program(words).code == 69)
    let empty = try #require(JSONReader.read(try Files.read(path), file: path).root)
    #expect(empty["runs"]?.integer == 0 && empty["without_result"]?.items?.count == 3)
    let rows = try String(contentsOfFile: "\(out)/runs.csv", encoding: .utf8)
    #expect(rows.split(separator: "\n").count == 1, "\(rows)")
    let html = try String(contentsOfFile: "\(out)/\(RunFolder.page)", encoding: .utf8)
    #expect(html.contains("3 of 3 runs have no result</h1>"))
    // Of input that is refused nothing is written, and nothing is taken away.
    try Files.write("{ format: 'loopsim/1', id: 'two', x: 1 }", to: scratch.file("two.json5"))
    #expect(await program(words).code == 65)
    #expect(try String(contentsOfFile: "\(out)/runs.csv", encoding: .utf8) == rows)
  }
}
