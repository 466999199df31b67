import Foundation
import Pages
import Reports
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import loopsim

@Suite("Pages")
struct ReportPageTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The page of a library scenario.
  private static func page(_ file: String) throws -> (html: String, report: RunReport) {
    try page(at: Self.root + "/Scenarios/" + file)
  }

  private static func page(at file: String) throws -> (html: String, report: RunReport) {
    let selection = try RunSelection(nil, in: file)
    let finished = ScenarioBatch.carryOut(selection.planned, seed: nil)
    let report = try #require(finished.report)
    return (RunPage(report).html, report)
  }

  /// The page of a day with every kind of trouble, made once for the tests that look at it.
  private static let trouble = Result { try page("basal-reporting/site-trouble-day.json5") }

  @Test("The page of a run fetches nothing, repeats itself, and stays small")
  func isOneFile() throws {
    let file = "basal-reporting/site-trouble-day.json5"
    let (html, _) = try Self.trouble.get()
    #expect(html == (try Self.page(file)).html)
    for word in ["http:", "https:", " src=", "@import", "url(", "onclick=\"", "<link"] {
      #expect(!html.contains(word), "\(word)")
    }
    // No mark is shown as text, as one is that is put in as a text.
    #expect(html.firstMatch(of: /&lt;\/?[a-z]/) == nil)
    #expect(html.contains("<p class=\"so\">The body has "))
    #expect(html.utf8.count < 150_000)
    #expect(html.components(separatedBy: "<h1>").count == 2)
  }

  @Test("The heading is what came of the run, and the scenario's title stands below it")
  func finding() throws {
    let (html, report) = try Self.trouble.get()
    // Of six things that went wrong the amount names the first, and what did not reach the body is
    // another.
    #expect(report.summary.troubles.count == 6)
    #expect(
      html.contains(
        "<h1>1.45 U to check in the health store; 5 more things went wrong; true glucose 66 % in"))
    #expect(html.contains("<p class=\"meta\"><b>\(report.summary.title)</b> · "))
    let quiet = try Self.page("closed-loop/three-meals-closed-loop.json5").html
    #expect(quiet.contains("<h1>The records agree; true glucose 100 % in range</h1>"))
    // That records agree does not say that nearly all basal was discarded.
    let lost = try Self.page("basal-reporting/reissued-every-five-minutes.json5").html
    #expect(lost.contains("<h1>The records agree; 1 thing went wrong; true glucose 100 % in"))
  }

  @Test("Every id is there once, and every link within the page leads somewhere")
  func linksResolve() throws {
    let (html, _) = try Self.trouble.get()
    let ids = html.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    for link in html.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.1)), "\(link.1)")
    }
    #expect(
      html.components(separatedBy: "<svg").count == html.components(separatedBy: "</svg>").count)
  }

  @Test("Many differences of one cause are one entry, to which the links to each of them lead")
  func alikeDifferences() throws {
    let boluses = (1...60).map { "{ at: '+\($0 * 2)m', bolus: { units: 0.05 } }" }
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'many', clock: { duration: '4h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        app: { closedLoop: false },
        events: [{ at: '+0m', healthStore: { revoke: 'insulin.write' } },
          \(boluses.joined(separator: ", "))] }
      """, to: scratch.file("many.json5"))
    let html = try Self.page(at: scratch.file("many.json5")).html
    let items = html.components(separatedBy: "<li id=\"d").dropFirst()
    let onBoluses = items.filter { $0.contains("The bolus of ") }
    #expect(onBoluses.count == 1)
    // 60 times 0.05 U.
    #expect(onBoluses.first?.contains("(60 of this kind, 3.00 U together, ") == true)
    #expect(onBoluses.first?.contains("<b>−3.00 U</b>") == true)
    let ids = html.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    let targets = html.matches(of: /href="#(d[0-9]+)"/).map { String($0.1) }
    #expect(targets.count > 60)
    #expect(Set(targets).isSubset(of: ids))
  }

  @Test("On a phone the ledger explains no column that it leaves out, and its heads break")
  func narrowLedger() throws {
    let (html, _) = try Self.trouble.get()
    #expect(html.contains("<th scope=\"col\" class=\"num opt\">Asked</th>"))
    #expect(html.contains("<span class=\"opt\">Asked is what schedule, app and person requested. "))
    // The numbers themselves stay whole.
    #expect(html.contains("th.num,td.num{text-align:right}td.num{white-space:nowrap}"))
  }

  @Test("The page of a batch says that its differences count what makes no record wrong")
  func batchDifferences() throws {
    let row = try #require(BatchRow(try Self.trouble.get().report, hasFailed: false))
    #expect(row.differences > 0)
    let html = BatchPage([row], joint: [], version: "1").html(linksToRuns: true)
    #expect(html.contains("Differences: all between a run's records, also those that make no rec"))
  }

  @Test("The page of a batch counts no run that stands alone as an arm")
  func countsArms() throws {
    let row = try #require(BatchRow(try Self.trouble.get().report, hasFailed: false))
    func named(_ scenario: String, _ variant: String?) -> BatchRow {
      var copy = row
      copy.id = variant.map { "\(scenario)/\($0)" } ?? scenario
      copy.coordinates.scenario = scenario
      copy.coordinates.variant = variant
      return copy
    }
    let (pair, alone) = ([named("a", "x"), named("a", "y")], [named("b", nil), named("c", nil)])
    for (rows, words) in [
      (pair, "2 runs in 2 arms, from"), (alone, "2 runs, from"),
      (pair + alone, "4 runs, 2 of them in 2 arms, from"),
    ] {
      #expect(BatchPage(rows, joint: [], version: "1").html(linksToRuns: true).contains(words))
    }
  }

  @Test("Every difference stands in the list and, where it has a place, in the lane")
  func showsDifferences() throws {
    let (html, report) = try Self.trouble.get()
    let count = report.summary.run.agreement.differences.count
    #expect(count >= 6)
    for number in 1...count { #expect(html.contains("<li id=\"d\(number)\">")) }
    for text in ["correction range", "Written to Health", "App recorded", "Pump delivered"] {
      #expect(html.contains(text))
    }
  }

  @Test("A bolus that is assumed of a command without a reply is the pump's, be it given or not")
  func showsAssumedBoluses() throws {
    let file = Self.root + "/Scenarios/risks/pod-lost-uncertain.json5"
    let cases = [("given", 2.0), ("part", 1.2), ("not", 0)]
    for (variant, given) in cases {
      let selection = try RunSelection("pod-lost-uncertain/\(variant)", in: file)
      let finished = ScenarioBatch.carryOut(selection.planned, seed: nil)
      let report = try #require(finished.report)
      #expect(!report.doses.contains { $0.kind == .external })
      let boluses = report.doses.filter { $0.kind == .bolus }
      #expect(boluses.count == 1)
      let bolus = try #require(boluses.first)
      #expect(bolus.asked == 2)
      #expect(bolus.body.map { abs($0 - given) < 1e-9 } == true)
      #expect(bolus.pump == given)
      #expect(bolus.app == 2)
      #expect(bolus.store == 2)
      #expect(bolus.isInEventHistory == true)
      #expect(report.summary.reporting["external_U"] == .number(0))
    }
  }

  @Test("Many days are drawn with less, and what stands for all days stands once")
  func drawsManyDays() throws {
    let days = Extent.of(3, whole: 5)
    let scratch = try Scratch()
    let file = scratch.file("days.json5")
    let text = scenario().replacing("T04:00:00", with: "T00:00:00")
      .replacing("'2h10m'", with: "'\(days)d'")
      .replacing("['04:00:00', '06:00:00', 0.4, 0.8,", with: "['00:00:00', '06:00:00', 0.4, 2.4,")
      .replacing("['04:00', '06:00']", with: "['00:00', '06:00']")
    try Files.write(text, to: file)
    let finished = ScenarioBatch.carryOut(try RunSelection(nil, in: file).planned, seed: nil)
    let html = RunPage(try #require(finished.report)).html
    #expect(html.components(separatedBy: "class=\"card tl\"").count == days + 1)
    #expect(html.components(separatedBy: "data-jump=\"1\"").count == 2)
    #expect(html.contains("<use href=\"#day-2-gr"))
    #expect(html.utf8.count < (days + 1) * 31_000)
    let ids = html.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    for link in html.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.1)), "\(link.1)")
    }
  }

  @Test("The page of a health store shows what each source wrote, and what it adds up to")
  func showsHealthStore() async throws {
    let scratch = try Scratch()
    let out = scratch.file("out")
    let file = Self.root + "/Scenarios/basal-reporting/site-trouble-day.json5"
    #expect(await program(["run", file, "--quiet", "--out", out]).code <= 1)
    let store = out + "/site-trouble-day/health.sqlite"
    let page = await program(["report", store, "--zone", "America/Chicago", "-o", "-"])
    #expect(page.code == 0, "\(page.error)")
    // The sums are those of the run's own record of the store.
    #expect(page.output.contains("<h1>26.15 U on 2025-03-04, from 2 sources</h1>"))
    for part in ["Loop", "Pen", "2025-03-04", "id=\"days\"", "Every dose (87)", "12.95"] {
      #expect(page.output.contains(part), "\(part)")
    }
    #expect(!page.output.contains("Findings"))
    #expect(
      await program(["report", store, "--zone", "America/Chicago", "-o", "-"]).output
        == page.output)
    // A folder with nothing but a store is one; a run's options are not a store's.
    let alone = scratch.file("alone")
    try FileManager.default.createDirectory(atPath: alone, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: store, toPath: alone + "/health.sqlite")
    #expect(await program(["report", alone, "-o", scratch.file("alone.html")]).code == 0)
    for words in [["--day", "1", "--svg", scratch.file("charts")], ["--dates", "day-first"]] {
      #expect(await program(["report", store, "-o", "-"] + words).code == 64)
    }
    for day in ["1", "2"] {
      let chosen = await program(["report", file, "--day", day, "-o", "-"])
      #expect(chosen.code == 64)
      #expect(chosen.error.contains("--day chooses a chart"), "\(chosen.error)")
    }
    let judged = await program(["audit", store, "--dates", "day-first"])
    #expect(judged.code == 64)
    #expect(judged.error.contains("--dates is for tables"), "\(judged.error)")
    #expect(await program(["report", file, "--zone", "UTC", "-o", "-"]).code == 64)
  }

  @Test("The folder of a batch gives the page that the batch would have written")
  func showsBatch() async throws {
    let scratch = try Scratch()
    let (file, out) = try await runTwoVariants(in: scratch)
    let page = await program(["report", out, "-o", "-"])
    #expect(page.code == 0, "\(page.error)")
    #expect(page.output.contains("<h1>2 runs: none fails"), "\(page.output.prefix(900))")
    #expect(page.output.contains("quiet-night/two"))
    try Files.write(scenario(), to: file)
    let changed = await program(["report", out, "-o", "-"])
    #expect(changed.code == 65 && changed.error.contains("has 2 runs, of which"))
    #expect(changed.output.isEmpty)
  }

  @Test("A run without differences says so and has no empty list")
  func agrees() throws {
    let (html, _) = try Self.page("basal-reporting/constant-day-in-one-sample.json5")
    #expect(!html.contains("<ul class=\"dlist\">\n</ul>"))
  }

  @Test("The headline names the worst difference, and the worst of another record beside it")
  func headline() throws {
    let (html, _) = try Self.trouble.get()
    let big = "1.45 U to check<small> in the health store; 1.37 U in the body</small>"
    #expect(html.contains("<p class=\"big\">\(big)</p>"))
    let card = try #require(html.components(separatedBy: "id=\"k1\"").dropFirst().first)
    #expect(card.contains("1.45 U of basal from 21:35:00"))
    #expect(card.contains("1.37 U that the pump counted did not reach the body"))
    // The list has the same order, and a phone says that the chart is wider.
    let store = try #require(html.firstRange(of: "<h3>Not allowed "))
    let body = try #require(html.firstRange(of: "<h3>Insulin that did not reach the body"))
    #expect(store.lowerBound < body.lowerBound)
    // There the cursor begins: 21:35 is 1,295 minutes after midnight.
    #expect(html.contains("\"at\":1295.0"))
    #expect(html.contains("swipe the chart sideways"))
  }

  @Test("The headline has the amounts together of which the same is said")
  func headlineOfMany() throws {
    let scratch = try Scratch()
    let file = scratch.file("pens.json5")
    try Files.write(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '4h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.6]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        events: [
          { at: '01:00', injection: { units: 1, insulin: 'humalog' }, entry: false },
          { at: '02:00', injection: { units: 2, insulin: 'humalog' }, entry: false },
        ] }
      """, to: file)
    let html = try Self.page(at: file).html
    #expect(html.contains("<p class=\"big\">3.00 U to check</p>"))
    #expect(html.contains("<p>2.00 U injected at 02:00:00 are in no record.</p>"))
  }

  @Test("The folder of a run whose seed is drawn gives the page that the run would have written")
  func drawnSeeds() async throws {
    let scratch = try Scratch()
    let file = scratch.file("night.json5")
    try Files.write("id,start\na,110\nb,120\n", to: scratch.file("people.csv"))
    try Files.write(
      scenario().replacing("random: { seed: 7 }", with: "random: { seed: 7, replicates: 2 }")
        .replacing(
          "cgm: { model: 'ideal' },",
          with: """
            cgm: { model: 'gaussian', noise: { sd: 10 } },
            cohort: { from: 'people.csv', columns: { start: 'patient.initialGlucose' } },
            """), to: file)
    for seed in [[], ["--seed", "5"]] {
      let out = scratch.file("out\(seed.count)")
      #expect(await program(["run", file, "--quiet", "--report", "--out", out] + seed).code <= 1)
      for name in Extent.of(["a/r0", "b/r1"], whole: ["a/r0", "a/r1", "b/r1"]) {
        let folder = "\(out)/quiet-night/\(name)"
        let written = try Files.read("\(folder)/\(RunFolder.page)")
        let page = await program(["report", folder, "-o", "-"])
        #expect(page.code == 0, "\(page.error)")
        #expect(Array(page.output.utf8) == written, "\(name) \(seed)")
      }
      #expect(await program(["report", out, "-o", "-"]).code == 0)
    }
    let other = await program(
      ["report", scratch.file("out0/quiet-night/a/r1"), "--run", "quiet-night/a/r0"])
    #expect(other.code == 64)
    #expect(other.error.contains("holds the run quiet-night/a/r1"))
  }

  @Test("A result finds its scenario in a folder above it, wherever the command is given")
  func fromElsewhere() throws {
    let scratch = try Scratch()
    try Files.makeFolder(of: scratch.file("project/Scenarios/x"))
    try Files.makeFolder(of: scratch.file("elsewhere/x"))
    try Files.write(scenario(), to: scratch.file("project/Scenarios/day.json5"))
    let project = scratch.url.appendingPathComponent("project")
    let run = try Binary.run(["run", "Scenarios/day.json5", "--out", "out"], in: project)
    #expect(run.code == 0)
    let folder = try #require(
      try FileManager.default.contentsOfDirectory(atPath: scratch.file("project/out"))
        .first {
          FileManager.default.fileExists(
            atPath: scratch.file("project/out/\($0)/summary.json"))
        })
    let place = "../project/out/\(folder)"
    let elsewhere = scratch.url.appendingPathComponent("elsewhere")
    let page = try Binary.run(["report", place, "-o", "page.html"], in: elsewhere)
    #expect(page.code == 0, "\(page.error)")
    let batch = try Binary.run(["report", "../project/out", "-o", "batch.html"], in: elsewhere)
    #expect(batch.code == 0, "\(batch.error)")
    try FileManager.default.moveItem(
      atPath: scratch.file("project/out"), toPath: scratch.file("out"))
    let lost = try Binary.run(["report", "../out/\(folder)"], in: elsewhere)
    #expect(lost.code == 65)
    #expect(lost.error.contains("neither here nor in a folder above"))
  }

  @Test("The last part of a time zone's name is enough to be shown the whole")
  func zones() async throws {
    let asked = await program(["audit", "x.json", "--zone", "chicago"])
    #expect(asked.code == 64)
    #expect(asked.error.contains("Did you mean 'America/Chicago'?"), "\(asked.error)")
    let york = await program(["store", "timeline", "x", "--zone", "New York"])
    #expect(york.error.contains("Did you mean 'America/New_York'?"))
    let scratch = try Scratch()
    try Files.write(
      "{ format: 'loopsim/1', clock: { duration: '2h', timeZone: 'Chicago' } }",
      to: scratch.file("z.json5"))
    let checked = await program(["check", scratch.file("z.json5")])
    #expect(checked.output.contains("Did you mean \"America/Chicago\"?"), "\(checked.output)")
  }

  @Test("The page of an audit goes to a file by itself, and to standard output on request")
  func auditPage() throws {
    let scratch = try Scratch()
    let bolus = """
      {"treatments":[{"_id":"a","eventType":"Correction Bolus","insulin":2,
       "created_at":"2026-02-03T02:00:00Z","enteredBy":"loop://Loop"}]}
      """
    try Files.write(bolus, to: scratch.file("dump.json"))
    let words = ["audit", "dump.json", "--zone", "UTC", "--format", "html"]
    let made = try Binary.run(words, in: scratch.url)
    #expect(made.output == "page in dump-audit.html\n")
    #expect(try scratch.text(of: "dump-audit.html").hasPrefix("<!doctype html>"))
    let printed = try Binary.run(words + ["-o", "-"], in: scratch.url)
    #expect(printed.output.hasPrefix("<!doctype html>"))
  }

  @Test("A scenario on standard input has its page, as it can be run")
  func standardInput() throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'piped', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', initialGlucose: 123, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
      """, to: scratch.file("day.json5"))
    func input() throws -> FileHandle {
      try #require(FileHandle(forReadingAtPath: scratch.file("day.json5")))
    }
    let page = try Binary.run(["report", "-", "-o", "-"], in: scratch.url, input: input())
    #expect(page.code == 0, "\(page.error)")
    #expect(page.output.hasPrefix("<!doctype html>"), "\(page.output.prefix(200))")
    #expect(page.output.contains("piped"))
    let named = try Binary.run(["report", "-"], in: scratch.url, input: input())
    #expect(named.code == 0, "\(named.error)")
    #expect(FileManager.default.fileExists(atPath: scratch.file("piped.html")))
  }
}
